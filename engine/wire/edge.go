package wire

import (
	"fmt"
	"math"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"kafkalab/engine/config"
	"kafkalab/engine/sim"
)

// Options of an edge. Start from DefaultOptions.
type Options struct {
	Idle     time.Duration // a connection without a request for so long is closed, connections.max.idle.ms
	MaxFrame int32         // bytes of a request, socket.request.max.bytes
	Stall    time.Duration // so long a client may take nothing of its answer
	Memory   int64         // bytes that requests and answers under way may take together
	MaxConns int           // connections at a time; with more the one is closed that has been quiet longest
	Backlog  int           // arrivals that may wait for the pump
}

// DefaultOptions are Kafka's where Kafka has one.
func DefaultOptions() Options {
	return Options{Idle: 10 * time.Minute, MaxFrame: MaxFrame, Stall: 30 * time.Second, Memory: 1 << 30, MaxConns: connectionLimit(), Backlog: 256}
}

// noIdle stands for no limit at all, which Kafka writes as -1.
const noIdle = 10 * 365 * 24 * time.Hour

// configured takes over what the brokers' configs say of connections.
func (o Options) configured(static map[string]string) Options {
	v := config.NewBroker(config.Layers{Static: static})
	if _, ok := static["connections.max.idle.ms"]; ok {
		o.Idle = noIdle
		if ms := v.Int("connections.max.idle.ms"); ms >= 0 {
			o.Idle = time.Duration(min(ms, noIdle.Milliseconds())) * time.Millisecond
		}
	}
	if _, ok := static["socket.request.max.bytes"]; ok {
		o.MaxFrame = int32(v.Int("socket.request.max.bytes"))
	}
	if _, ok := static["max.connections"]; ok {
		o.MaxConns = int(min(v.Int("max.connections"), int64(o.MaxConns)))
	}
	return o
}

// Kinds of arrivals.
const (
	Opened = iota
	Frame
	Closed
)

// Arrival is something that a program outside has done.
type Arrival struct {
	Kind   int
	Conn   sim.NodeID
	Broker int32
	Frame  []byte // a request's header and body
}

// Edge is the listeners of a cluster's brokers and the connections that they
// have accepted. It knows nothing of the cluster: what clients do comes out of
// Arrivals, what they are given goes into Deliver.
type Edge struct {
	o        Options
	arrivals chan Arrival
	done     chan struct{} // closed at the end
	wg       sync.WaitGroup
	held     atomic.Int64 // bytes of requests and answers under way
	tickets  atomic.Int64 // numbers what connections do
	reuse    bool         // frames of answered Produces are nobody's any more
	buffers  sync.Pool    // of such frames, as *[]byte

	mu        sync.Mutex
	conns     map[sim.NodeID]*conn
	last      int // connections so far
	listeners []*listener
	ended     bool
}

// NewEdge makes an edge that does not listen yet.
func NewEdge(o Options) *Edge {
	return &Edge{o: o, arrivals: make(chan Arrival, o.Backlog), done: make(chan struct{}), conns: map[sim.NodeID]*conn{}}
}

// Arrivals gives what clients do, in the order of each connection. A connection
// has one Opened, then Frames, each after the one before it has been dealt
// with, and at last one Closed, unless the edge has been closed.
func (e *Edge) Arrivals() <-chan Arrival { return e.arrivals }

// Connections counts those that are open.
func (e *Edge) Connections() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.conns)
}

// adopt takes a connection in. If there are too many, the one goes that has been
// quiet longest, as Kafka does to make room on a listener that must stay
// reachable (ConnectionQuotas#maxConnectionsExceeded): clients that talk stay.
func (e *Edge) adopt(broker int32, n net.Conn) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ended {
		_ = n.Close()
		return
	}
	if len(e.conns) >= e.o.MaxConns {
		c := e.first(func(c *conn) int64 { return c.active.Load() })
		if c == nil {
			_ = n.Close() // none is allowed
			return
		}
		c.cut()
		delete(e.conns, c.id)
	}
	e.last++
	c := &conn{
		edge: e, id: sim.NodeID(fmt.Sprintf("conn-%d", e.last)), broker: broker, net: n,
		out: make(chan sim.Departure, 1), hungUp: make(chan struct{}),
	}
	c.active.Store(e.tickets.Add(1))
	e.conns[c.id] = c
	e.wg.Add(1)
	go c.serve()
}

func (e *Edge) remove(c *conn) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.conns, c.id)
}

// Deliver gives a connection what has left the cluster for it. It never waits.
func (e *Edge) Deliver(d sim.Departure) {
	e.mu.Lock()
	c := e.conns[d.Conn]
	e.mu.Unlock()
	switch {
	case c == nil:
	case d.Closed:
		c.hangUp()
	default:
		select {
		case c.out <- d:
		default:
			c.cut() // two answers to one request: it cannot be served in order any more
		}
	}
}

// hangUp closes a connection that the cluster does not take.
func (e *Edge) hangUp(id sim.NodeID) { e.Deliver(sim.Departure{Conn: id, Closed: true}) }

// hold accounts for n bytes that a connection takes, and ends the transfer that
// has taken longest if all together take too much. Most of them last
// microseconds; one that outlasts the others belongs to who sends or reads
// nothing.
func (e *Edge) hold(c *conn, n int64) {
	if c.holding.Add(n) == n {
		c.since.Store(e.tickets.Add(1))
	}
	if e.held.Add(n) <= e.o.Memory {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	oldest := e.first(func(x *conn) int64 {
		if x.holding.Load() <= 0 || x.closed.Load() {
			return math.MaxInt64
		}
		return x.since.Load()
	})
	if oldest != nil {
		oldest.cut()
	}
}

// first is the connection with the smallest ticket; one that says MaxInt64 does
// not count. It is called with mu held.
func (e *Edge) first(ticket func(*conn) int64) (least *conn) {
	small := int64(math.MaxInt64)
	// order: the smallest ticket is the smallest in any
	for _, c := range e.conns {
		if t := ticket(c); t < small {
			least, small = c, t
		}
	}
	return least
}

// Close ends all connections and listeners and waits until they are gone.
func (e *Edge) Close() {
	e.mu.Lock()
	if !e.ended {
		e.ended = true
		close(e.done)
	}
	for _, l := range e.listeners {
		l.close()
	}
	// order: all are closed
	for _, c := range e.conns {
		c.hangUp()
	}
	e.mu.Unlock()
	e.wg.Wait()
}
