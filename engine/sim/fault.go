package sim

import (
	"maps"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/trace"
)

// Materialize asks a node to make explicit what it has been skipping with a
// peer: from now on, until Ctx.Explicit says no again, every round between the
// two is run. It comes just before something happens to one of them or to
// their link, so that what is under way at that moment is where it would be.
type Materialize struct{ Peer NodeID }

func (Materialize) event() {}

// loss drops answers on their way, each with the connection that it was on: TCP
// delivers all of a connection's bytes or ends it.
type loss struct {
	a, b  int32
	api   int16
	count int
}

// explicitly counts the reasons for which a pair's rounds are run one by one.
func (l *Loop) explicitly(a, b int32) bool {
	return l.everyRound || l.slots[a].remote != nil || l.slots[b].remote != nil || l.explicit[pair(a, b)] > 0 || l.slots[a].troubled > 0 || l.slots[b].troubled > 0
}

func pair(a, b int32) [2]int32 {
	if a > b {
		a, b = b, a
	}
	return [2]int32{a, b}
}

// materialize has both ends of a pair make their rounds explicit.
func (l *Loop) materialize(a, b int32) {
	if l.explicitly(a, b) {
		return
	}
	for _, ends := range [][2]int32{{a, b}, {b, a}} {
		if s := &l.slots[ends[0]]; !s.dead {
			s.node.Handle(&Ctx{loop: l, self: ends[0]}, Materialize{Peer: l.slots[ends[1]].id})
		}
	}
}

// Trouble marks a node whose routine is disturbed: all its rounds become
// explicit, until Untrouble has been called as often.
func (l *Loop) Trouble(id NodeID) {
	i := l.index[id]
	for j := range l.slots {
		if int32(j) != i {
			l.materialize(i, int32(j))
		}
	}
	l.slots[i].troubled++
}

// Untrouble ends what Trouble began.
func (l *Loop) Untrouble(id NodeID) { l.slots[l.index[id]].troubled-- }

// Kill ends a node: its timers are gone, and what is on its way to it goes
// nowhere. When only the process dies (loud), its machine ends its connections
// and refuses new ones; when the machine dies too, nobody hears of it.
func (l *Loop) Kill(id NodeID, loud bool) {
	i := l.index[id]
	l.Trouble(id)
	s := &l.slots[i]
	s.dead, s.refuses = true, loud
	s.life++
	clear(s.timers)
	clear(s.pending)
	clear(s.conns)
	if loud {
		l.disconnectAll(i, true)
	}
	l.dropRemotes(i)
}

// Revive puts a new node in the place of a dead one. Its rounds stay explicit
// until Untrouble: what its earlier life has sent is still on the way.
func (l *Loop) Revive(id NodeID, n Node) {
	i := l.index[id]
	s := &l.slots[i]
	s.life++
	if !s.refuses {
		l.disconnectAll(i, false) // now that the machine is back, it refuses what it does not know
	}
	s.node, s.dead, s.refuses = n, false, false
}

// Dead tells whether a node has ended.
func (l *Loop) Dead(id NodeID) bool { return l.slots[l.index[id]].dead }

// Cut holds back what two nodes send each other, as a cable that is pulled
// does: nothing is lost, the sender's machine tries again until it gets through.
func (l *Loop) Cut(a, b NodeID) {
	i, j := l.index[a], l.index[b]
	l.materialize(i, j)
	if !l.links.cut[pair(i, j)] {
		l.explicit[pair(i, j)]++
	}
	l.links.cut[pair(i, j)] = true
}

// Heal lets two nodes talk again; what was held back arrives one trip later,
// in order.
func (l *Loop) Heal(a, b NodeID) {
	i, j := l.index[a], l.index[b]
	p := pair(i, j)
	if !l.links.cut[p] {
		return
	}
	delete(l.links.cut, p)
	l.explicit[p]--
	kept := l.held[:0]
	for _, it := range l.held {
		if pair(it.from, it.to) != p {
			kept = append(kept, it)
			continue
		}
		it.at = l.beforeNext(it, l.now+l.links.latency(it.from, it.to))
		l.queue.add(it)
	}
	l.held = kept
}

// HealAll heals every link.
func (l *Loop) HealAll() {
	// order: sorted
	pairs := slices.SortedFunc(maps.Keys(l.links.cut), func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) })
	for _, p := range pairs {
		l.Heal(l.slots[p[0]].id, l.slots[p[1]].id)
	}
}

// Slow makes messages between two nodes take ms one way. Their rounds are run
// one by one from then on: rounds that began at one pace and end at another
// have no common period to be counted by.
func (l *Loop) Slow(a, b NodeID, ms int64) {
	i, j := l.index[a], l.index[b]
	l.materialize(i, j)
	l.explicit[pair(i, j)]++
	l.pace(i, j)
	l.links.slow[[2]int32{i, j}], l.links.slow[[2]int32{j, i}] = ms, ms
}

// Lose drops the next count answers to requests of one kind between two nodes,
// and ends the connection of each: an answer alone cannot be lost on TCP. Their rounds are run one by one from then on: a round that is skipped has no
// answer to lose.
func (l *Loop) Lose(a, b NodeID, api int16, count int) {
	i, j := l.index[a], l.index[b]
	l.materialize(i, j)
	l.explicit[pair(i, j)]++
	l.losses = append(l.losses, loss{i, j, api, count})
}

// lost tells whether a message is one of those that are dropped.
func (l *Loop) lost(it *item) bool {
	if !it.response || it.on != nil && it.on.closed {
		return false
	}
	for i := range l.losses {
		x := &l.losses[i]
		if x.count > 0 && x.api == it.api && pair(x.a, x.b) == pair(it.from, it.to) {
			x.count--
			l.trace.add(it.cause, l.now, l.slots[it.from].id, trace.MessageLost{Message: it.message()})
			if it.on == nil { // a remote's
				(&Ctx{loop: l, self: it.from}).Hangup(Origin{From: it.receiver}, "an answer is lost")
			} else {
				l.sever(it.on)
			}
			return true
		}
	}
	return false
}

// APIKey finds the key of a request by Kafka's name.
func APIKey(name string) (int16, bool) {
	for key := int16(0); key <= kmsg.MaxKey; key++ {
		if APIName(key) == name {
			return key, true
		}
	}
	return 0, false
}

// APINames lists the names of Kafka's requests, by key.
func APINames() []string {
	var names []string
	for key := int16(0); key <= kmsg.MaxKey; key++ {
		if r := kmsg.RequestForKey(key); r != nil {
			names = append(names, APIName(key))
		}
	}
	return names
}
