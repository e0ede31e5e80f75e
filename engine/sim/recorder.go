package sim

import "kafkalab/engine/trace"

// Recorder keeps what happened, newest last. Events that fall out of what it
// keeps are gone from it, not from the journal: going back replays them.
type Recorder struct {
	events []trace.Event
	last   trace.ID
	ripe   trace.ID // up to here all bodies are of the types that others know
	lean   trace.ID // up to here no payloads are kept
	bytes  int      // of the payloads that are
	step   int64
	keep   int
	blind  bool // no payloads are kept at all
}

func (r *Recorder) add(cause trace.ID, now Time, node NodeID, b trace.Body) trace.ID {
	if r.keep > 0 && len(r.events) >= 2*r.keep {
		r.drop(len(r.events) - r.keep)
	}
	r.last++
	if len(r.events) == cap(r.events) {
		// Doubling by hand: append would grow a long record by a quarter at a
		// time and copy it over and over.
		grown := make([]trace.Event, len(r.events), max(2*len(r.events), 1024))
		copy(grown, r.events)
		r.events = grown
	}
	r.events = append(r.events, trace.Event{ID: r.last, Cause: cause, Time: now, Step: r.step, Node: string(node), Body: b})
	r.bytes += payload(b)
	for r.bytes > maxTracedBytes || r.blind && r.bytes > 0 {
		r.leave()
	}
	return r.last
}

// drop forgets the n oldest events.
func (r *Recorder) drop(n int) {
	for first := r.first(); r.lean < first+trace.ID(n)-1; {
		r.leave()
	}
	rest := copy(r.events, r.events[n:])
	clear(r.events[rest:])
	r.events = r.events[:rest]
}

// first is the id of the oldest event that is kept.
func (r *Recorder) first() trace.ID { return r.last - trace.ID(len(r.events)) + 1 }

// leave lets the oldest payload go that is kept.
func (r *Recorder) leave() {
	r.lean++
	e := &r.events[r.lean-r.first()]
	r.bytes -= payload(e.Body)
	e.Body = withoutPayload(e.Body)
}

// ripen gives the events from index i on the types that others know.
func (r *Recorder) ripen(i int) []trace.Event {
	next := 0
	if r.ripe >= r.first() {
		next = int(r.ripe-r.first()) + 1
	}
	for j := max(i, next); j < len(r.events); j++ {
		r.events[j].Body = typed(r.events[j].Body)
	}
	if i <= next {
		r.ripe = r.last
	}
	return r.events[i:]
}

// Note records an event that no node emitted: a command of the user's.
func (r *Recorder) Note(now Time, node NodeID, b trace.Body) trace.ID { return r.add(0, now, node, b) }

// Last is the id of the newest event, 0 before the first.
func (r *Recorder) Last() trace.ID { return r.last }

// Step is the number of the newest step: of events of the loop after which
// something had been emitted.
func (r *Recorder) Step() int64 { return r.step }

// Since gives the events after id, oldest first, as far as they are kept. The
// slice must not be changed and is good until the loop runs on.
func (r *Recorder) Since(id trace.ID) []trace.Event {
	if id >= r.last {
		return nil
	}
	n := int(r.last - id)
	if n > len(r.events) {
		n = len(r.events)
	}
	return r.ripen(len(r.events) - n)
}

// Event finds an event by id, if it is kept.
func (r *Recorder) Event(id trace.ID) (trace.Event, bool) {
	if id == 0 || id > r.last || int(r.last-id) >= len(r.events) {
		return trace.Event{}, false
	}
	e := r.events[len(r.events)-1-int(r.last-id)]
	e.Body = typed(e.Body)
	return e, true
}

// Blind has no bytes of messages kept from now on, for a record that nobody
// looks at.
func (r *Recorder) Blind() {
	r.blind = true
	for r.bytes > 0 {
		r.leave()
	}
}

// Forget drops all events and starts numbering anew: what came before time 0
// is no part of a cluster's story.
func (r *Recorder) Forget() { *r = Recorder{keep: r.keep, blind: r.blind} }
