package sim

import (
	"container/heap"

	"kafkalab/engine/trace"
)

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
	payload  []byte
	key      string
	gen      uint64
	life     uint64 // the receiver's life that it is meant for
	ev       Event
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

// queue is a binary heap on (time, rank, sender, timer, sequence).
type queue []*item

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	a, b := q[i], q[j]
	switch {
	case a.at != b.at:
		return a.at < b.at
	case a.rank != b.rank:
		return a.rank < b.rank
	case a.from != b.from:
		return a.from < b.from
	case a.key != b.key:
		return a.key < b.key
	}
	return a.seq < b.seq
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(*item)) }
func (q *queue) Pop() any {
	old := *q
	n := len(old) - 1
	it := old[n]
	old[n] = nil
	*q = old[:n]
	return it
}

func (q *queue) add(it *item) { heap.Push(q, it) }
func (q *queue) take() *item  { return heap.Pop(q).(*item) }
