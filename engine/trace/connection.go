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
var connectionBodies = []Body{ConnectionOpened{}, ConnectionClosed{}, Connected{}, Disconnected{}}

// Connected is a client's connection that is there.
type Connected struct {
	Peer      string `json:"peer"`
	Bootstrap bool   `json:"bootstrap"` // to an address that the client was given, not to a broker that it has learned of
}

func (c Connected) Line() string {
	if c.Bootstrap {
		return "is connected to " + c.Peer + " as its bootstrap server"
	}
	return "is connected to " + c.Peer
}

// Disconnected is the end of a client's connection, or of an attempt to make
// one. All that was asked on it is over, too.
type Disconnected struct {
	Peer      string `json:"peer"`
	WasReady  bool   `json:"was_ready"` // false: it could not be made
	TimedOut  bool   `json:"timed_out"` // closed by the client: an answer, or the connecting, took too long
	Requests  int    `json:"requests"`  // that were under way on it
	BackoffMs int64  `json:"backoff_ms"`
}

func (d Disconnected) Line() string {
	again := fmt.Sprintf("; the next attempt is %d ms away", d.BackoffMs)
	switch {
	case !d.WasReady && d.TimedOut:
		return "gives up connecting to " + d.Peer + again
	case !d.WasReady:
		return "is refused by " + d.Peer + again
	}
	asked := ""
	if d.Requests > 0 {
		asked = fmt.Sprintf(" with %s under way", plural(d.Requests, "request"))
	}
	if d.TimedOut {
		return "waits no longer and closes its connection to " + d.Peer + asked + again
	}
	return "loses its connection to " + d.Peer + asked + again
}
