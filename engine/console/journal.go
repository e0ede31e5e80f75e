package console

import (
	"encoding/hex"
	"fmt"

	"kafkalab/engine"
)

// JournalLine is the line of the language that an entry of a journal stands for:
// as its user wrote it, and for what nobody wrote, time that passed and what
// programs outside did, as a recording has it.
func JournalLine(e engine.Entry) string {
	if e.Text != "" {
		return e.Text
	}
	switch cmd := e.Command.(type) {
	case engine.Tick:
		return fmt.Sprintf("tick %dms", cmd.Ms)
	case engine.Connect:
		return fmt.Sprintf("connect %s %s", cmd.Conn, engine.BrokerName(cmd.Broker))
	case engine.Arrive:
		return "arrive " + string(cmd.Conn) + " " + hex.EncodeToString(cmd.Frame)
	case engine.Disconnect:
		return "disconnect " + string(cmd.Conn)
	}
	return ""
}
