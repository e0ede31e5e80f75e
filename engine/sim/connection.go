package sim

import (
	"maps"
	"slices"
)

// connection is one TCP connection between two nodes: requests go one way,
// answers come back, and neither overtakes another of its kind. When it ends,
// whoever waits for an answer on it will never get that answer. A node that
// opens none by Connect has one made by its first request.
type connection struct {
	number   uint64 // tells it from the earlier ones between the same two ends
	from, to int32  // who opened it, and the broker or controller that accepted it
	conn     Conn
	life     uint64 // of the one who accepted it
	broken   bool   // what is sent on it goes nowhere; its opener may not know yet
	closed   bool   // its opener has closed it
	answered int    // answers that were written to it after it was closed
}

// connectionKey names the place of a connection at the node that opens it.
type connectionKey struct {
	to   int32
	conn Conn
}

// Connected tells a node that a connection that it asked for is there.
type Connected struct {
	Peer NodeID
	Conn Conn
}

// Disconnected tells a node that a connection of its own has ended, or that it
// could not be made: the requests with these correlation ids will not be
// answered.
type Disconnected struct {
	Peer         NodeID
	Conn         Conn
	Correlations []int32 // ascending
}

// Unanswered tells a broker that its connection to a controller or a leader has
// ended while it waited for an answer, and that the time has come to ask again.
type Unanswered struct {
	Peer        NodeID
	Conn        Conn
	Correlation int32
}

func (Connected) event()    {}
func (Disconnected) event() {}
func (Unanswered) event()   {}

// What a machine tells about a connection: the opening reaches its listener,
// the listener's machine accepts, and one of both says that it is over. A cut
// link holds these back like everything else.
type (
	opening  struct{ *connection }
	accepted struct{ *connection }
	ended    struct{ *connection }
)

func (opening) event()  {}
func (accepted) event() {}
func (ended) event()    {}

// reconnect is how long a broker waits before it asks again what a connection
// took with it, in ms; connections that are not named have users who keep the
// time themselves.
var reconnect = map[Conn]int64{
	ConnHeartbeat:   50, // reconnect.backoff.ms of NodeToControllerChannelManager
	ConnPartition:   50,
	ConnProducerIDs: 50,
	ConnMetadata:    20, // controller.quorum.retry.backoff.ms
	ConnResync:      0,  // the fetcher backs off by itself
}

// Connect asks for a connection to a peer. Connected tells that it is there,
// Disconnected that nobody listens; when the peer's machine is down or behind a
// cut link, nothing comes.
func (c *Ctx) Connect(to NodeID, conn Conn) {
	l := c.loop
	i, ok := l.index[to]
	if !ok {
		return
	}
	x := l.newConnection(c.self, i, conn)
	l.tell(x, opening{x}, l.links.latency(c.self, i))
}

// Close ends a connection from the side that opened it: what was sent on it
// still arrives, what it is answered goes nowhere. Nobody is told.
func (c *Ctx) Close(to NodeID, conn Conn) {
	l := c.loop
	s := &l.slots[c.self]
	i, ok := l.index[to]
	key := connectionKey{i, conn}
	x := s.conns[key]
	if !ok || x == nil {
		return
	}
	x.closed = true
	delete(s.conns, key)
	// order: what is deleted does not depend on it
	maps.DeleteFunc(s.pending, func(_ int32, m message) bool { return m.on == x })
}

// unread tells whether a request is not read any more by the node that it was
// sent to. Of a connection that its opener has closed, a broker still reads what
// is in the socket's buffer; the answer to the first such request makes the
// opener's machine reset the connection, and the answer to the second cannot be
// written, which is when the broker closes its side.
func (x *connection) unread() bool {
	return x != nil && (x.closed && x.answered >= 2 || x.broken && !x.closed)
}

// write counts an answer; gone tells that it cannot be written.
func (x *connection) write() (gone bool) {
	switch {
	case x == nil:
		return false
	case x.closed:
		x.answered++
		return x.answered > 1
	}
	return x.broken
}

func (l *Loop) newConnection(from, to int32, conn Conn) *connection {
	l.connections++
	x := &connection{number: l.connections, from: from, to: to, conn: conn, life: l.slots[to].life}
	s := &l.slots[from]
	if s.conns == nil {
		s.conns = map[connectionKey]*connection{}
	}
	s.conns[connectionKey{to, conn}] = x
	return x
}

// connection is the one that a request goes over.
func (l *Loop) connection(from, to int32, conn Conn) *connection {
	if x := l.slots[from].conns[connectionKey{to, conn}]; x != nil {
		return x
	}
	return l.newConnection(from, to, conn)
}

// carry puts a request on its connection; false when nobody will ever read it
// there. A listener's machine refuses what comes for a process that is not
// there, or is not the one that the connection was made with.
func (l *Loop) carry(x *connection) bool {
	peer := &l.slots[x.to]
	switch {
	case x.broken:
		return false
	case peer.dead && !peer.refuses:
		return true // a machine that is down says nothing
	case peer.dead || x.life != peer.life:
		x.broken = true
		l.tell(x, ended{x}, 2*l.links.latency(x.from, x.to))
		return false
	}
	return true
}

// disconnectAll ends the connections to a node. The openers of those that
// nothing is asked on do not notice, unless all of them are told.
func (l *Loop) disconnectAll(to int32, all bool) {
	for j := range l.slots {
		s := &l.slots[j]
		if int32(j) == to || s.dead {
			continue
		}
		for _, x := range s.connectionsTo(to) {
			if !x.broken && (all || s.waits(x)) {
				l.sever(x)
			}
		}
	}
}

// connectionsTo lists the connections to a node, by kind.
func (s *slot) connectionsTo(to int32) []*connection {
	var list []*connection
	// order: sorted below
	for key, x := range s.conns {
		if key.to == to {
			list = append(list, x)
		}
	}
	slices.SortFunc(list, func(a, b *connection) int { return int(a.conn) - int(b.conn) })
	return list
}

// waits tells whether a node waits for an answer on a connection.
func (s *slot) waits(x *connection) bool {
	// order: only asks whether there is one
	for _, m := range s.pending {
		if m.on == x {
			return true
		}
	}
	return false
}

// sever breaks a connection: its opener hears of it one trip later.
func (l *Loop) sever(x *connection) {
	x.broken = true
	l.tell(x, ended{x}, l.links.arrival(flow{x.to, x.from, x.conn}, l.now)-l.now)
}

// tell sends word about a connection to the node that opened it.
func (l *Loop) tell(x *connection, ev Event, after int64) {
	l.seq++
	l.queue.add(&item{
		at: l.now + after, rank: rankMessage, from: x.to, to: x.from, seq: l.seq, kind: kindLife, life: l.slots[x.from].life, ev: ev, conn: x.conn,
	})
}

// linked handles what a machine tells about a connection; false for any other
// event.
func (l *Loop) linked(ctx *Ctx, s *slot, it *item) bool {
	switch it.ev.(type) {
	case opening, accepted, ended:
	default:
		return false
	}
	if l.links.cut[pair(it.from, it.to)] {
		l.held = append(l.held, it)
		return true
	}
	switch ev := it.ev.(type) {
	case opening:
		l.listen(ev.connection)
	case accepted:
		if s.conns[connectionKey{it.from, it.conn}] == ev.connection && !ev.broken {
			s.node.Handle(ctx, Connected{Peer: l.slots[it.from].id, Conn: it.conn})
		}
	case ended:
		l.parting(ctx, s, ev.connection)
	}
	return true
}

// listen is an opening that reaches its listener.
func (l *Loop) listen(x *connection) {
	peer := &l.slots[x.to]
	switch {
	case x.closed, x.broken, peer.dead && !peer.refuses:
	case peer.dead:
		l.sever(x)
	default:
		x.life = peer.life
		l.tell(x, accepted{x}, l.links.latency(x.to, x.from))
	}
}

// parting tells a node that a connection has ended, with all that it asked
// there.
func (l *Loop) parting(ctx *Ctx, s *slot, x *connection) {
	key := connectionKey{x.to, x.conn}
	if s.conns[key] != x {
		return // it was told, or has closed it itself
	}
	delete(s.conns, key)
	var corrs []int32
	// order: sorted below
	for corr, m := range s.pending {
		if m.on == x {
			corrs = append(corrs, corr)
		}
	}
	slices.Sort(corrs)
	for _, corr := range corrs {
		delete(s.pending, corr)
	}
	peer := l.slots[x.to].id
	s.node.Handle(ctx, Disconnected{Peer: peer, Conn: x.conn, Correlations: corrs})
	wait, known := reconnect[x.conn]
	if !known || l.slots[x.to].dead || l.slots[x.to].life != x.life {
		return // when a process ends, its successor is waited for
	}
	for _, corr := range corrs {
		l.tell(x, Unanswered{Peer: peer, Conn: x.conn, Correlation: corr}, wait)
	}
}
