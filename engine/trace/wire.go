package trace

import "fmt"

// CommandGiven is the root of everything that follows from one line of a
// script or one key of a learner's.
type CommandGiven struct {
	Text string `json:"text"`
}

func (c CommandGiven) Line() string { return c.Text }

// MessageSent is a request or a response that left its sender.
type MessageSent struct {
	Message
}

func (m MessageSent) Line() string { return m.Message.arrow("to " + m.To) }

// MessageReceived is a request or a response that reached the other side.
type MessageReceived struct {
	Message
	Sent ID `json:"-"` // the MessageSent it belongs to
}

func (m MessageReceived) Line() string { return m.Message.arrow("from " + m.From) }

// MessageLost is an answer that never reached the other side.
type MessageLost struct {
	Message
}

func (m MessageLost) Line() string { return m.Message.arrow("to "+m.To) + ", lost on the way" }

// Message is what crossed the wire: Kafka's own bytes.
type Message struct {
	From        string `json:"from"`
	To          string `json:"to"`
	API         string `json:"api"` // Kafka's name of the request, as Produce
	Version     int16  `json:"version"`
	Correlation int32  `json:"correlation"`
	Response    bool   `json:"response"`
	Bytes       int    `json:"bytes"` // with the four bytes of length
	Conn        string `json:"conn"`
	Key         int16  `json:"-"`
	Payload     []byte `json:"-"` // header and body, without the length; nil for a very large one
}

func (m Message) arrow(where string) string {
	what := "request"
	if m.Response {
		what = "response"
	}
	return fmt.Sprintf("%s %s v%d %s, %d B", m.API, what, m.Version, where, m.Bytes)
}
