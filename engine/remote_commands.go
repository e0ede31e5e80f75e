package engine

import (
	"fmt"
	"math"

	"kafkalab/engine/broker"
	"kafkalab/engine/sim"
	"kafkalab/engine/trace"
)

// The commands of this file are what programs outside do to a cluster. Each is
// journalled like a learner's own, so that going back and running again does
// not need the programs.

// Connect opens a connection to a broker; its name is that of a node.
type Connect struct {
	Conn   sim.NodeID
	Broker int32
}

func (cmd Connect) run(c *Cluster) (Result, error) {
	if _, err := c.upBroker(cmd.Broker, true); err != nil {
		return nil, err
	}
	return Done{}, c.loop.Connect(cmd.Conn, BrokerName(cmd.Broker))
}

// Arrive is a request on a connection: Frame is its header and body as they
// came, without the length before them. What is due at this instant is run. The
// cluster keeps the slice.
type Arrive struct {
	Conn  sim.NodeID
	Frame []byte
}

func (cmd Arrive) run(c *Cluster) (Result, error) {
	if err := c.loop.Inject(cmd.Conn, cmd.Frame); err != nil {
		return nil, err
	}
	c.instant()
	return Done{}, nil
}

// Disconnect closes a connection from its client's side.
type Disconnect struct{ Conn sim.NodeID }

func (cmd Disconnect) run(c *Cluster) (Result, error) {
	if err := c.loop.Disconnect(cmd.Conn); err != nil {
		return nil, err
	}
	c.instant()
	return Done{}, nil
}

// instant runs what is due now.
func (c *Cluster) instant() { c.pump(func() bool { return false }, c.Now()) }

// Advertise tells programs outside where the brokers are, from broker-1 on;
// nodes inside go on to use their own names.
type Advertise struct{ Endpoints []broker.Endpoint }

func (cmd Advertise) run(c *Cluster) (Result, error) {
	if len(cmd.Endpoints) != len(c.brokers) {
		return nil, fmt.Errorf("%d addresses: each of the %d brokers needs one", len(cmd.Endpoints), len(c.brokers))
	}
	for _, b := range c.brokers {
		if c.isUp(b.ID) {
			name := BrokerName(b.ID)
			root := c.loop.Trace().Note(c.Now(), name, trace.CommandGiven{Text: c.text})
			if err := c.loop.Call(name, 0, broker.Advertise{Endpoints: cmd.Endpoints}, root); err != nil {
				return nil, err
			}
		}
		b.Options.Advertised = cmd.Endpoints // for its next life
	}
	c.instant()
	return Done{}, nil
}

// Serve has the cluster keep what leaves for programs outside. Whoever calls it
// calls Departures after every command.
func (c *Cluster) Serve() { c.loop.Watch() }

// Unseen says that nobody looks at this cluster's messages: it keeps no bytes
// of them. Of a Produce that it has answered, or that gets no answer, it then
// has no reference to the frame any more.
func (c *Cluster) Unseen() { c.loop.Trace().Blind() }

// Departures takes what has left for programs outside since the last call,
// oldest first.
func (c *Cluster) Departures() []sim.Departure { return c.loop.Departures() }

// Connected tells whether a connection is there and can still send.
func (c *Cluster) Connected(conn sim.NodeID) bool { return c.loop.Connected(conn) }

// Welcomes tells whether a connection of that name can be opened to a broker.
func (c *Cluster) Welcomes(conn sim.NodeID, broker int32) bool {
	return c.Up(broker) && !c.loop.Has(conn)
}

// Up tells whether a broker's process runs.
func (c *Cluster) Up(broker int32) bool { return c.broker(broker) != nil && c.isUp(broker) }

// NextDue is when the next thing will happen by itself, in virtual ms; without
// one it is the end of time.
func (c *Cluster) NextDue() int64 {
	if at, ok := c.loop.Next(); ok {
		return at
	}
	return math.MaxInt64
}
