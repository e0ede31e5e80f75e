package sim

import "kafkalab/engine/trace"

type kind uint8

const (
	kindMessage kind = iota
	kindTimer
	kindCall
	kindLife
)

// item is an event that is yet to happen, as data: it can be shown, counted
// and thrown away, which a closure could not.
type item struct {
	at       Time
	rank     uint8
	from     int32
	seq      uint64
	kind     kind
	to       int32
	conn     Conn
	response bool
	periodic bool
	corr     int32
	api      int16
	version  int16
	cause    trace.ID
	payload  Payload
	bytes    int    // of the payload
	sender   NodeID // names of both ends of a message, for the trace
	receiver NodeID
	arrived  bool // it is over: only the trace knows it yet
	untold   bool // the trace keeps no bytes of it
	key      string
	gen      uint64
	life     uint64 // the receiver's life that it is meant for
	ev       Event
	on       *connection // of a message; nil when it is a remote's
}

// Ranks order events of one instant, so that the order does not depend on how
// many idle rounds were skipped before it: fetchers' messages first, then the
// rounds that are taken up again, then all other messages and calls, timers
// last. A fetch that arrives at the instant of a produce is thus parked before
// it, and a time-out at that instant comes too late for it.
const (
	rankFetch uint8 = iota
	rankRound
	rankMessage
	rankTimer
)

// before is the order of events: time, rank, sender, timer, sequence.
func (it *item) before(other *item) bool {
	switch {
	case it.at != other.at:
		return it.at < other.at
	case it.rank != other.rank:
		return it.rank < other.rank
	case it.from != other.from:
		return it.from < other.from
	case it.key != other.key:
		return it.key < other.key
	}
	return it.seq < other.seq
}

// over is the end of a message's way.
func (it *item) over() {
	it.arrived = true
	it.tell(!it.untold)
}

// queue is a binary heap with the next event on top.
type queue []*item

func (q *queue) add(it *item) {
	h := append(*q, it)
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !it.before(h[up]) {
			break
		}
		h[i], i = h[up], up
	}
	h[i] = it
	*q = h
}

func (q *queue) take() *item {
	h := *q
	top, n := h[0], len(h)-1
	last := h[n]
	h[n] = nil
	*q = h[:n]
	if n > 0 {
		(*q).sink(last)
	}
	return top
}

// sink puts an item to its place, beginning at the top.
func (q queue) sink(it *item) {
	i := 0
	for {
		down := 2*i + 1
		if down >= len(q) {
			break
		}
		if right := down + 1; right < len(q) && q[right].before(q[down]) {
			down = right
		}
		if !q[down].before(it) {
			break
		}
		q[i], i = q[down], down
	}
	q[i] = it
}
