package trace

import "fmt"

// ConnectionOpened is a program outside that has connected to a broker.
type ConnectionOpened struct {
	Connection string `json:"connection"`
}

func (c ConnectionOpened) Line() string { return "accepts the connection " + c.Connection }

// ConnectionClosed is the end of a connection of a program outside.
type ConnectionClosed struct {
	Connection string `json:"connection"`
	By         string `json:"by"`  // client or broker
	Why        string `json:"why"` // the broker's reason, empty for the client
}

func (c ConnectionClosed) Line() string {
	if c.By == "client" {
		return fmt.Sprintf("sees %s closed by its client", c.Connection)
	}
	return fmt.Sprintf("closes %s: %s", c.Connection, c.Why)
}

// connectionBodies are the kinds of this file.
var connectionBodies = []Body{ConnectionOpened{}, ConnectionClosed{}}
