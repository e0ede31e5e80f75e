package client

import (
	"kafkalab/engine/kerror"
	"kafkalab/engine/sim"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// LinkState is the state of a client's connection to one node
// (ConnectionState).
type LinkState string

// The states of a connection. Kafka knows two more, for what a client asks
// before anything else: versions, and who it is.
const (
	LinkDown       LinkState = "disconnected"
	LinkConnecting LinkState = "connecting"
	LinkReady      LinkState = "ready"
)

// link is what a client remembers of its connection to one node
// (ClusterConnectionStates, InFlightRequests).
type link struct {
	node     int32
	state    LinkState
	tried    sim.Time // when it last began to connect, or found itself disconnected
	waitMs   int64    // from then on, before it may connect again
	failures int      // disconnections since it was last ready
	refused  int      // attempts to connect that failed, one after the other
	setupMs  int64    // how long an attempt to connect may take
	used     sim.Time // when something last went over it
	flights  []*flight
	produced bool // a produce has gone over it
}

// flight is a request that is under way, and what came of it.
type flight struct {
	node        int32
	correlation int32
	sent        sim.Time
	deadline    sim.Time
	what        any           // what the sender knows it by
	answer      kmsg.Response // nil when there is none: with acks=0, or with an error
	code        kerror.Code   // NETWORK_EXCEPTION or REQUEST_TIMED_OUT when its connection ended
}

// mayConnect tells whether a connection may be begun now
// (ClusterConnectionStates#canConnect).
func (l *link) mayConnect(now sim.Time) bool {
	return l.state == LinkDown && now-l.tried >= l.waitMs
}

// nextAttempt is when it may be begun.
func (l *link) nextAttempt() sim.Time { return l.tried + l.waitMs }

// take removes the request with a correlation id, nil if there is none.
func (l *link) take(correlation int32) *flight {
	for i, f := range l.flights {
		if f.correlation == correlation {
			l.flights = append(l.flights[:i:i], l.flights[i+1:]...)
			return f
		}
	}
	return nil
}
