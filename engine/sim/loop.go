package sim

import (
	"fmt"
	"math/rand/v2"

	"kafkalab/engine/trace"
)

// Time is virtual time in ms since the cluster's start; it is negative while
// nodes boot.
type Time = int64

// Loop is the world: nodes, what is on its way between them, and the clock,
// which jumps from one event to the next. It has no goroutines; the same seed
// and the same calls give the same events in the same order.
type Loop struct {
	now         Time
	origin      int64 // ms since the Unix epoch at time 0
	seq         uint64
	queue       queue
	slots       []slot
	index       map[NodeID]int32
	links       links
	seed        uint64
	streams     map[streamKey]*rand.Rand
	trace       Recorder
	everyRound  bool
	handled     int64
	messages    int64
	explicit    map[[2]int32]int // pairs whose rounds are run one by one
	held        []*item          // messages that a cut link holds back
	losses      []loss
	connections uint64 // made so far
	remotes     remotes
	ctx         Ctx // of the event being handled
}

type slot struct {
	id          NodeID
	node        Node
	correlation int32
	timers      map[string]uint64
	pending     map[int32]message             // requests without an answer, by correlation id
	conns       map[connectionKey]*connection // those that it has opened
	life        uint64                        // raised when it dies and when it comes back
	dead        bool
	refuses     bool // dead, but its machine answers that nobody is there
	troubled    int
	remote      *remote // set when its bytes come from outside the loop
}

type message struct {
	key, version int16
	correlation  int32
	response     bool
	on           *connection
}

// Options of a loop.
type Options struct {
	Seed       uint64
	Origin     int64 // ms since the Unix epoch at time 0
	From       Time  // where the clock starts, 0 or before it
	EveryRound bool
	Keep       int // trace events to keep, 0 for all
	// Salt makes the random streams of one seed others: a log directory that
	// is opened again must not draw the same ids again.
	Salt int64
}

// NewLoop makes a world without nodes.
func NewLoop(o Options) *Loop {
	return &Loop{
		now: o.From, origin: o.Origin, seed: o.Seed ^ uint64(o.Salt)*0x9e3779b97f4a7c15, everyRound: o.EveryRound,
		index: map[NodeID]int32{}, streams: map[streamKey]*rand.Rand{},
		trace: Recorder{keep: o.Keep}, explicit: map[[2]int32]int{},
		links: links{base: DefaultLatency, slow: map[[2]int32]int64{}, cut: map[[2]int32]bool{}},
	}
}

// Add puts a node into the world.
func (l *Loop) Add(id NodeID, n Node) {
	if _, ok := l.index[id]; ok {
		panic("sim: two nodes are called " + string(id))
	}
	l.index[id] = int32(len(l.slots))
	l.slots = append(l.slots, slot{id: id, node: n, timers: map[string]uint64{}, pending: map[int32]message{}})
}

// Has tells whether a node of that name is in the world.
func (l *Loop) Has(id NodeID) bool { _, ok := l.index[id]; return ok }

// Now is the virtual time in ms since the start.
func (l *Loop) Now() Time { return l.now }

// WallMs is the virtual time in ms since the Unix epoch.
func (l *Loop) WallMs() int64 { return l.origin + l.now }

// Trace is the record of what happened.
func (l *Loop) Trace() *Recorder { return &l.trace }

// Handled counts the events that nodes have handled, Messages those of them
// that came over a link.
func (l *Loop) Handled() int64  { return l.handled }
func (l *Loop) Messages() int64 { return l.messages }

// Call queues a user's call on a node, to be handled at this instant.
func (l *Loop) Call(to NodeID, id int64, body any, cause trace.ID) error {
	i, ok := l.index[to]
	if !ok {
		return fmt.Errorf("there is no node %s", to)
	}
	l.seq++
	l.queue.add(&item{at: l.now, rank: rankMessage, from: i, to: i, seq: l.seq, kind: kindCall, ev: Call{ID: id, Body: body}, cause: cause, life: l.slots[i].life})
	return nil
}

// Life queues a moment of a node's life, Boot or Start, at time at.
func (l *Loop) Life(to NodeID, ev Event, at Time) {
	i := l.index[to]
	l.seq++
	l.queue.add(&item{at: at, rank: rankMessage, from: i, to: i, seq: l.seq, kind: kindLife, ev: ev, life: l.slots[i].life})
}

// Next is the time of the next event; ok is false when nothing is queued.
func (l *Loop) Next() (at Time, ok bool) {
	l.dropStale()
	if len(l.queue) == 0 {
		return 0, false
	}
	return l.queue[0].at, true
}

// Busy tells whether anything is queued but the timers of routine.
func (l *Loop) Busy() bool {
	for _, it := range l.queue {
		if !it.periodic && !l.stale(it) {
			return true
		}
	}
	return false
}

// Advance moves the clock to t without an event. It must not pass one.
func (l *Loop) Advance(t Time) {
	if t > l.now {
		l.now = t
	}
}

// Step handles the next event and returns how many trace events it emitted; ok
// is false when nothing is queued.
func (l *Loop) Step() (emitted int, ok bool) {
	l.dropStale()
	if len(l.queue) == 0 {
		return 0, false
	}
	it := l.queue.take()
	if it.at > l.now {
		l.now = it.at
	}
	before := l.trace.last
	l.trace.step++
	l.deliver(it)
	l.handled++
	emitted = int(l.trace.last - before)
	if emitted == 0 {
		l.trace.step--
	}
	return emitted, true
}

// stale tells whether nobody is there any more for an event: a timer that was
// set again or stopped, or something meant for a node's earlier life.
func (l *Loop) stale(it *item) bool {
	s := &l.slots[it.to]
	switch it.kind {
	case kindTimer:
		return s.timers[it.key] != it.gen
	case kindMessage:
		return s.dead || it.life != s.life
	default:
		return s.dead || it.life != s.life
	}
}

func (l *Loop) dropStale() {
	for len(l.queue) > 0 && l.stale(l.queue[0]) {
		l.queue.take()
	}
}

func (l *Loop) deliver(it *item) {
	ctx := &l.ctx
	*ctx = Ctx{loop: l, self: it.to, cause: it.cause}
	s := &l.slots[it.to]
	switch it.kind {
	case kindMessage:
		if l.links.cut[pair(it.from, it.to)] {
			l.held = append(l.held, it)
			return
		}
		l.messages++
		l.arrive(ctx, s, it)
	case kindTimer:
		delete(s.timers, it.key)
		s.node.Handle(ctx, Timer{Key: it.key})
	default:
		if l.linked(ctx, s, it) {
			return
		}
		s.node.Handle(ctx, it.ev)
		l.parted(it.ev)
	}
}

// arrive decodes a message on its receiver's side of the link. Bytes that a
// node of the cluster wrote and another cannot read are a bug of the engine.
func (l *Loop) arrive(ctx *Ctx, s *slot, it *item) {
	if !it.response && it.on.unread() {
		return
	}
	from := l.slots[it.from].id
	ctx.cause = l.trace.add(it.cause, l.now, s.id, receivedItem{it})
	defer it.over()
	if s.remote != nil {
		l.depart(s, it.payload)
		return
	}
	if it.response {
		asked, ok := s.pending[it.corr]
		if !ok {
			return
		}
		delete(s.pending, it.corr)
		msg, _, err := it.payload.response(asked.key, asked.version)
		if err != nil {
			panic("sim: " + err.Error())
		}
		s.node.Handle(ctx, Response{From: from, Conn: it.conn, Correlation: it.corr, Bytes: it.bytes + 4, Msg: msg})
		return
	}
	if it.conn == ConnSocket && !l.heard(it) {
		return
	}
	msg, corr, clientID, err := DecodeRequest(it.payload.rest)
	if err != nil && it.conn != ConnSocket {
		panic("sim: " + err.Error())
	}
	s.node.Handle(ctx, Request{
		Origin:   Origin{From: from, Conn: it.conn, Correlation: corr, Key: it.api, Version: it.version, arrived: uint64(ctx.cause), on: it.on},
		ClientID: clientID, Bytes: it.bytes + 4, Msg: msg, Err: err,
	})
}

func (l *Loop) transmit(c *Ctx, to NodeID, conn Conn, payload Payload, m message) {
	i, ok := l.index[to]
	if !ok {
		return // a name out of an old log directory: nobody is there to hear
	}
	carried := true
	if m.response {
		if m.on == nil {
			m.on = l.slots[i].pending[m.correlation].on
		}
		if m.on.write() {
			return
		}
	} else {
		m.on = l.connection(c.self, i, conn)
		l.slots[c.self].pending[m.correlation] = m
		carried = l.carry(m.on)
	}
	l.seq++
	it := &item{
		life: l.slots[i].life,
		at:   l.links.arrival(flow{c.self, i, conn}, l.now), rank: rankMessage, from: c.self, to: i, seq: l.seq, kind: kindMessage,
		conn: conn, response: m.response, corr: m.correlation, api: m.key, version: m.version, payload: payload,
		bytes: payload.Len(), sender: c.Self(), receiver: to, on: m.on,
	}
	if conn == ConnFetcher || conn == ConnMetadata {
		it.rank = rankFetch
	}
	it.cause = l.trace.add(c.cause, l.now, c.Self(), sentItem{it})
	switch {
	case !carried, l.lost(it):
	default:
		l.queue.add(it)
	}
}

// streamKey names a random stream of a node's.
type streamKey struct {
	node NodeID
	name string
}

func (l *Loop) rand(self int32, name string) *rand.Rand {
	key := streamKey{l.slots[self].id, name}
	r, ok := l.streams[key]
	if !ok {
		r = Stream(l.seed, string(key.node)+"/"+name)
		l.streams[key] = r
	}
	return r
}
