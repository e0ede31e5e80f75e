package client

import (
	"maps"
	"math"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/config"
	"kafkalab/engine/kerror"
	"kafkalab/engine/sim"
	"kafkalab/engine/trace"
)

// network is a client's side of its connections: one to each node, made when
// there is something to send, with a bounded number of requests under way on
// each. A request whose time is up ends its connection, and with it every other
// request there: bytes of a late answer could not be told from those that
// follow (NetworkClient).
type network struct {
	links       map[int32]*link
	address     func(node int32) (sim.NodeID, sim.Conn)
	requestMs   int64 // request.timeout.ms
	idleMs      int64 // connections.max.idle.ms, negative for ever
	reconnect   backoff
	setup       backoff
	maxInFlight int
	turn        int // with whom the search for the least loaded node begins
}

// What Kafka's clients draw their waits from, give or take a fifth
// (CommonClientConfigs).
const jitter = 0.2

func newNetwork(v config.Values, address func(int32) (sim.NodeID, sim.Conn)) *network {
	return &network{
		links: map[int32]*link{}, address: address, requestMs: v.Int("request.timeout.ms"), idleMs: v.Int("connections.max.idle.ms"),
		reconnect:   backoff{v.Int("reconnect.backoff.ms"), v.Int("reconnect.backoff.max.ms"), jitter},
		setup:       backoff{v.Int("socket.connection.setup.timeout.ms"), v.Int("socket.connection.setup.timeout.max.ms"), jitter},
		maxInFlight: int(v.Int("max.in.flight.requests.per.connection")),
	}
}

// all lists the links by node.
func (n *network) all() []*link {
	list := make([]*link, 0, len(n.links))
	for _, id := range slices.Sorted(maps.Keys(n.links)) {
		list = append(list, n.links[id])
	}
	return list
}

// canSend tells whether a request can go to a node at once
// (NetworkClient#canSendRequest).
func (n *network) canSend(node int32) bool {
	l := n.links[node]
	return l != nil && l.state == LinkReady && len(l.flights) < n.maxInFlight
}

// connect begins a connection to a node, if it may.
func (n *network) connect(ctx *sim.Ctx, node int32) {
	l := n.links[node]
	if l == nil {
		l = &link{node: node, state: LinkDown, tried: math.MinInt64 / 2, setupMs: n.setup.after(0, ctx.Rand("setup"))}
		n.links[node] = l
	}
	if !l.mayConnect(ctx.Now()) {
		return
	}
	l.state, l.tried = LinkConnecting, ctx.Now()
	ctx.Connect(n.address(node))
}

// connecting tells whether any connection is being made.
func (n *network) connecting() bool {
	// order: only asks whether there is one
	for _, l := range n.links {
		if l.state == LinkConnecting {
			return true
		}
	}
	return false
}

// leastLoaded finds the node to ask what any node can answer: one that is
// connected and has the fewest requests under way, else one that is being
// connected, else the one that was longest left alone; ok is false when none
// can be had now. Kafka draws where it begins to look; here it begins with the
// first, and with the next when that one had nothing new to tell
// (NetworkClient#leastLoadedNode).
func (n *network) leastLoaded(now sim.Time, nodes []int32) (node int32, ok bool) {
	fewest := math.MaxInt
	var connecting, fresh *int32
	for i := range nodes {
		id := nodes[(n.turn+i)%len(nodes)]
		l := n.links[id]
		switch {
		case n.canSend(id):
			if len(l.flights) < fewest {
				fewest, node = len(l.flights), id
			}
		case l == nil, l.mayConnect(now):
			if fresh == nil || n.triedAt(*fresh) > n.triedAt(id) {
				fresh = &id
			}
		case l.state == LinkConnecting:
			connecting = &id
		}
	}
	switch {
	case fewest < math.MaxInt:
	case connecting != nil:
		node = *connecting
	case fresh != nil:
		node = *fresh
	default:
		return 0, false
	}
	return node, true
}

func (n *network) triedAt(node int32) sim.Time {
	if l := n.links[node]; l != nil {
		return l.tried
	}
	return math.MinInt64
}

// send puts a request on a ready connection. One that gets no answer is over at
// once.
func (n *network) send(ctx *sim.Ctx, node int32, req kmsg.Request, what any, answered bool) *flight {
	l := n.links[node]
	to, conn := n.address(node)
	l.used = ctx.Now()
	f := &flight{node: node, sent: ctx.Now(), deadline: ctx.Now() + n.requestMs, what: what}
	if !answered {
		ctx.Cast(to, conn, req)
		return f
	}
	f.correlation = ctx.Send(to, conn, req)
	l.flights = append(l.flights, f)
	return f
}

// find is the link that an event is about, nil if there is none.
func (n *network) find(peer sim.NodeID, conn sim.Conn) *link {
	for _, l := range n.all() {
		if to, c := n.address(l.node); to == peer && c == conn {
			return l
		}
	}
	return nil
}

// handle takes what the network tells: done are the requests that are over,
// oldest first, and lost tells that a connection has ended.
func (n *network) handle(ctx *sim.Ctx, ev sim.Event) (done []*flight, lost bool) {
	switch ev := ev.(type) {
	case sim.Connected:
		if l := n.find(ev.Peer, ev.Conn); l != nil {
			n.ready(ctx, l)
		}
	case sim.Disconnected:
		if l := n.find(ev.Peer, ev.Conn); l != nil && l.state != LinkDown {
			return n.disconnected(ctx, l, kerror.NetworkException), true
		}
	case sim.Response:
		if l := n.find(ev.From, ev.Conn); l != nil {
			if f := l.take(ev.Correlation); f != nil {
				f.answer, l.used = ev.Msg, ctx.Now()
				return []*flight{f}, false
			}
		}
	}
	return nil, false
}

func (n *network) ready(ctx *sim.Ctx, l *link) {
	if l.state != LinkConnecting {
		return
	}
	l.state, l.used = LinkReady, ctx.Now()
	l.failures, l.refused, l.setupMs = 0, 0, n.setup.after(0, ctx.Rand("setup"))
	to, _ := n.address(l.node)
	ctx.Emit(trace.Connected{Peer: string(to), Bootstrap: l.node < 0})
}

// disconnected books the end of a connection, or of an attempt to make one: the
// next may begin after reconnect.backoff.ms, twice as long after each failure
// (ClusterConnectionStates#disconnected, NetworkClient#cancelInFlightRequests).
func (n *network) disconnected(ctx *sim.Ctx, l *link, code kerror.Code) []*flight {
	was := l.state
	l.state, l.tried = LinkDown, ctx.Now()
	l.waitMs = n.reconnect.after(l.failures, ctx.Rand("reconnect"))
	l.failures++
	if was == LinkConnecting {
		l.refused++
	} else {
		l.refused = 0
	}
	l.setupMs = n.setup.after(l.refused, ctx.Rand("setup"))
	to, _ := n.address(l.node)
	ctx.Emit(trace.Disconnected{Peer: string(to), WasReady: was == LinkReady, TimedOut: code == kerror.RequestTimedOut, Requests: len(l.flights), BackoffMs: l.waitMs})
	done := l.flights
	l.flights = nil
	for _, f := range done {
		f.code = code
	}
	return done
}

// timeouts ends the connections on which something has taken too long: a
// request longer than request.timeout.ms, or the connecting itself longer than
// socket.connection.setup.timeout.ms.
func (n *network) timeouts(ctx *sim.Ctx) (done []*flight, lost bool) {
	for _, l := range n.all() {
		slow := l.state == LinkConnecting && ctx.Now()-l.tried >= l.setupMs
		for _, f := range l.flights {
			slow = slow || f.deadline <= ctx.Now()
		}
		if slow {
			ctx.Close(n.address(l.node))
			done, lost = append(done, n.disconnected(ctx, l, kerror.RequestTimedOut)...), true
		}
	}
	return done, lost
}

// closeIdle ends the connections that nothing has gone over for
// connections.max.idle.ms. It is looked for when the client does something:
// until then nobody can tell.
func (n *network) closeIdle(ctx *sim.Ctx) {
	for _, l := range n.all() {
		if n.idleMs >= 0 && l.state == LinkReady && len(l.flights) == 0 && ctx.Now()-l.used >= n.idleMs {
			ctx.Close(n.address(l.node))
			l.state, l.tried, l.waitMs = LinkDown, l.used+n.idleMs, n.reconnect.first
		}
	}
}

// nextTimeout is when the next time-out could be, math.MaxInt64 for none.
func (n *network) nextTimeout() sim.Time {
	next := sim.Time(math.MaxInt64)
	// order: the earliest is the earliest in any
	for _, l := range n.links {
		if l.state == LinkConnecting {
			next = min(next, l.tried+l.setupMs)
		}
		for _, f := range l.flights {
			next = min(next, f.deadline)
		}
	}
	return next
}

// nextAttempt is the earliest time from now on at which one of the nodes that
// back off may be connected to, math.MaxInt64 for none.
func (n *network) nextAttempt(now sim.Time, nodes []int32) sim.Time {
	next := sim.Time(math.MaxInt64)
	for _, id := range nodes {
		if l := n.links[id]; l != nil && l.state == LinkDown && l.nextAttempt() > now {
			next = min(next, l.nextAttempt())
		}
	}
	return next
}

// requests counts the requests under way.
func (n *network) requests() (count int) {
	// order: a sum is the same in any
	for _, l := range n.links {
		count += len(l.flights)
	}
	return count
}
