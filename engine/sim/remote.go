package sim

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"kafkalab/engine/trace"
)

// A remote is one connection of a program outside: a node of the world whose
// requests arrive as bytes from a socket, and to whom answers leave as bytes.
// It has links like any other, so that they can be cut, slowed and lost.
type remote struct {
	peer    int32
	since   uint64 // what has a smaller sequence number is of an earlier connection
	gone    bool   // the other side has closed: what is answered goes nowhere
	closing bool   // the broker has hung up: what still arrives is not read
}

// remotes is what the loop keeps for all of them.
type remotes struct {
	free       []int32 // slots of connections that are over
	watched    bool    // somebody takes departures
	departures []Departure
}

// Departure is what a connection of a program outside is to be given.
type Departure struct {
	Conn     NodeID
	Payload  Payload // an answer; empty if there is none
	NoAnswer bool    // its request gets none, the next may come
	Closed   bool    // the broker has hung up, or has died
}

// ConnectionClosed tells a broker that a remote has closed its connection.
type ConnectionClosed struct{ From NodeID }

// HungUp ends a remote's connection from the broker's side.
type HungUp struct{ Conn NodeID }

func (ConnectionClosed) event() {}
func (HungUp) event()           {}

// outside stands in the slot of a remote: all that reaches it leaves the loop.
type outside struct{}

// Handle implements Node.
func (outside) Handle(*Ctx, Event) {}

// Connect opens a connection of a program outside to a node. The names of
// connections that are over may be used again.
func (l *Loop) Connect(id, to NodeID) error {
	peer, ok := l.index[to]
	switch {
	case !ok || l.slots[peer].remote != nil:
		return fmt.Errorf("there is no node %s", to)
	case l.slots[peer].dead:
		return fmt.Errorf("%s is down", to)
	case l.Has(id):
		return fmt.Errorf("there is a node %s already", id)
	}
	s := slot{id: id, node: outside{}, remote: &remote{peer: peer, since: l.seq}}
	if n := len(l.remotes.free); n > 0 {
		i := l.remotes.free[n-1]
		l.remotes.free = l.remotes.free[:n-1]
		s.life = l.slots[i].life + 1
		l.slots[i], l.index[id] = s, i
	} else {
		l.index[id] = int32(len(l.slots))
		l.slots = append(l.slots, s)
	}
	l.trace.Note(l.now, to, trace.ConnectionOpened{Connection: string(id)})
	return nil
}

// Connected tells whether a remote can still send.
func (l *Loop) Connected(id NodeID) bool {
	i, ok := l.index[id]
	return ok && l.slots[i].remote != nil && !l.slots[i].remote.gone && !l.slots[i].remote.closing
}

// Inject sends a remote's request: header and body as they came, without the
// length. The loop keeps the slice.
func (l *Loop) Inject(id NodeID, frame []byte) error {
	if !l.Connected(id) {
		return fmt.Errorf("there is no connection %s", id)
	}
	i := l.index[id]
	to := l.slots[i].remote.peer
	l.seq++
	it := &item{
		at: l.now + l.links.latency(i, to), rank: rankMessage, from: i, to: to, seq: l.seq, kind: kindMessage,
		conn: ConnSocket, api: -1, payload: Payload{rest: frame}, life: l.slots[to].life, bytes: len(frame), sender: id, receiver: l.slots[to].id,
	}
	if len(frame) >= 8 {
		it.api, it.version = int16(binary.BigEndian.Uint16(frame)), int16(binary.BigEndian.Uint16(frame[2:]))
		it.corr = int32(binary.BigEndian.Uint32(frame[4:]))
	}
	it.cause = l.trace.add(0, l.now, id, sentItem{it})
	l.queue.add(it)
	return nil
}

// Disconnect closes a connection from outside: what it has sent is still
// handled, what it would be answered is lost.
func (l *Loop) Disconnect(id NodeID) error {
	if !l.Connected(id) {
		return fmt.Errorf("there is no connection %s", id)
	}
	i := l.index[id]
	s := &l.slots[i]
	s.remote.gone = true
	to := s.remote.peer
	l.seq++
	l.queue.add(&item{
		at: l.now + l.links.latency(i, to), rank: rankMessage, from: i, to: to, seq: l.seq, kind: kindLife,
		ev: ConnectionClosed{From: id}, life: l.slots[to].life,
	})
	l.trace.Note(l.now, l.slots[to].id, trace.ConnectionClosed{Connection: string(id), By: "client"})
	return nil
}

// Hangup closes the connection on which a request came, as Kafka does when it
// cannot answer. Only remotes notice.
func (c *Ctx) Hangup(o Origin, why string) {
	l := c.loop
	i, ok := l.index[o.From]
	if !ok || l.slots[i].remote == nil || l.slots[i].remote.closing {
		return
	}
	s := &l.slots[i]
	s.remote.closing = true
	c.Emit(trace.ConnectionClosed{Connection: string(o.From), By: "broker", Why: why})
	l.seq++
	l.queue.add(&item{
		at: l.now + l.links.latency(c.self, i), rank: rankMessage, from: c.self, to: i, seq: l.seq, kind: kindLife,
		ev: HungUp{Conn: o.From}, life: s.life,
	})
}

// heard tells whether a request that has arrived is still read: the broker may
// have closed its connection meanwhile.
func (l *Loop) heard(it *item) bool {
	s := &l.slots[it.from]
	return s.remote != nil && !s.dead && !s.remote.closing && it.seq > s.remote.since
}

// NoAnswer says that a request will not be answered, so that its connection
// may send the next.
func (c *Ctx) NoAnswer(o Origin) {
	if i, ok := c.loop.index[o.From]; ok && c.loop.slots[i].remote != nil {
		c.loop.leave(c.loop.slots[i].remote, Departure{Conn: o.From, NoAnswer: true})
	}
}

// Watch has the loop keep what leaves for remotes, for Departures to take.
func (l *Loop) Watch() { l.remotes.watched = true }

// Departures takes what has left for remotes since it was last asked, oldest
// first.
func (l *Loop) Departures() []Departure {
	out := l.remotes.departures
	l.remotes.departures = nil
	return out
}

func (l *Loop) leave(r *remote, d Departure) {
	if l.remotes.watched && !r.gone {
		l.remotes.departures = append(l.remotes.departures, d)
	}
}

// depart hands an answer out.
func (l *Loop) depart(s *slot, payload Payload) {
	l.leave(s.remote, Departure{Conn: s.id, Payload: payload})
}

// parted frees a connection when its end has reached the other side.
func (l *Loop) parted(ev Event) {
	switch ev := ev.(type) {
	case ConnectionClosed:
		l.forget(ev.From)
	case HungUp:
		if i, ok := l.index[ev.Conn]; ok {
			l.leave(l.slots[i].remote, Departure{Conn: ev.Conn, Closed: true})
			l.forget(ev.Conn)
		}
	}
}

// dropRemotes ends the connections to a node that has died.
func (l *Loop) dropRemotes(peer int32) {
	for i := range l.slots {
		s := &l.slots[i]
		if s.remote == nil || s.dead || s.remote.peer != peer {
			continue
		}
		l.trace.Note(l.now, l.slots[peer].id, trace.ConnectionClosed{Connection: string(s.id), By: "broker", Why: "it is down"})
		l.leave(s.remote, Departure{Conn: s.id, Closed: true})
		l.forget(s.id)
	}
}

// forget makes a connection's slot free for another.
func (l *Loop) forget(id NodeID) {
	i, ok := l.index[id]
	if !ok || l.slots[i].remote == nil {
		return
	}
	s := &l.slots[i]
	s.dead = true
	s.life++
	delete(l.index, id)
	l.remotes.free = append(l.remotes.free, i)
	l.held = slices.DeleteFunc(l.held, func(it *item) bool { return it.from == i || it.to == i })
	l.losses = slices.DeleteFunc(l.losses, func(x loss) bool { return x.a == i || x.b == i })
	of := func(p [2]int32) bool { return p[0] == i || p[1] == i }
	// order: what is deleted does not depend on it
	maps.DeleteFunc(l.links.slow, func(p [2]int32, _ int64) bool { return of(p) })
	// order: what is deleted does not depend on it
	maps.DeleteFunc(l.links.cut, func(p [2]int32, _ bool) bool { return of(p) })
	// order: what is deleted does not depend on it
	maps.DeleteFunc(l.explicit, func(p [2]int32, _ int) bool { return of(p) })
}
