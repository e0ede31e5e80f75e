package sim

import (
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Event is what a node is handed: a message that arrived, a timer that ran
// out, a command of the cluster's user, or a moment of the node's life.
type Event interface{ event() }

// Boot is a node's first event, before time 0: it opens its log directory,
// registers, and finds its place in the cluster.
type Boot struct{}

// Start comes at time 0, when every node is up: periodic timers begin here.
type Start struct{}

// Request is a request that arrived. Handlers answer it with Ctx.Reply, now or
// in a later event.
type Request struct {
	Origin
	ClientID string
	Bytes    int // on the wire, the four bytes of length included
	Msg      kmsg.Request
	Err      error // why a remote's bytes cannot be read; Msg is nil then
}

// Origin says where a request came from and how to answer it.
type Origin struct {
	From        NodeID
	Conn        Conn
	Correlation int32
	Key         int16
	Version     int16
	arrived     uint64 // trace id of the arrival: the answer's cause
	on          *connection
}

// Connection tells the connection on which a request came from others between
// the same two nodes, earlier or later ones; it is 0 for a remote's.
func (o Origin) Connection() uint64 {
	if o.on == nil {
		return 0
	}
	return o.on.number
}

// Response is the answer to a request that the node sent.
type Response struct {
	From        NodeID
	Conn        Conn
	Correlation int32
	Bytes       int
	Msg         kmsg.Response
}

// Timer is a timer that the node had set.
type Timer struct{ Key string }

// Call is something the cluster's user asks of a node, outside the protocol:
// an application's call on a client, or an operator's hand on a broker.
type Call struct {
	ID   int64 // the cluster's number of the command
	Body any
}

func (Boot) event()     {}
func (Start) event()    {}
func (Request) event()  {}
func (Response) event() {}
func (Timer) event()    {}
func (Call) event()     {}

// Node is a state machine. Handle may change the node's own state and write to
// ctx; it never blocks, and it keeps no reference to ctx.
type Node interface {
	Handle(ctx *Ctx, ev Event)
}

// NodeID is a node's name in scripts and on screens: broker-1, controller-1,
// or the name of a client.
type NodeID string

// Conn tells apart the connections from one node to another, as Kafka's
// processes hold several: requests on one connection are answered in order,
// those on two are not.
type Conn uint8

const (
	ConnClient      Conn = iota // an application's requests
	ConnFetcher                 // a replica fetcher's
	ConnMetadata                // a broker's fetches of the metadata log
	ConnHeartbeat               // registration and heartbeats
	ConnForwarding              // requests that a broker forwards to the controller
	ConnPartition               // AlterPartition
	ConnPoll                    // a reader's fetches, which may wait
	ConnBootstrap               // a client's questions for metadata
	ConnProducerIDs             // a broker's requests for blocks of producer ids
	ConnResync                  // a follower's questions about where a log begins and ends
	ConnSocket                  // the connection of a remote, see Loop.Connect
)

var connNames = [...]string{"client", "fetcher", "metadata", "heartbeat", "forwarding", "partition", "poll", "bootstrap", "producer ids", "resync", "socket"}

func (c Conn) String() string { return connNames[c] }
