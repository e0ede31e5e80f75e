package sim

import "kafkalab/engine/trace"

// Recorder keeps what happened, newest last. Events that fall out of what it
// keeps are gone from it, not from the journal: going back replays them.
type Recorder struct {
	events []trace.Event
	last   trace.ID
	step   int64
	keep   int
}

func (r *Recorder) add(cause trace.ID, now Time, node NodeID, b trace.Body) trace.ID {
	r.last++
	if r.keep > 0 && len(r.events) >= 2*r.keep {
		n := copy(r.events, r.events[len(r.events)-r.keep:])
		clear(r.events[n:])
		r.events = r.events[:n]
	}
	if len(r.events) == cap(r.events) {
		// Doubling by hand: append would grow a long record by a quarter at a
		// time and copy it over and over.
		grown := make([]trace.Event, len(r.events), max(2*len(r.events), 1024))
		copy(grown, r.events)
		r.events = grown
	}
	r.events = append(r.events, trace.Event{ID: r.last, Cause: cause, Time: now, Step: r.step, Node: string(node), Body: b})
	return r.last
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
	return r.events[len(r.events)-n:]
}

// Event finds an event by id, if it is kept.
func (r *Recorder) Event(id trace.ID) (trace.Event, bool) {
	if id == 0 || id > r.last || int(r.last-id) >= len(r.events) {
		return trace.Event{}, false
	}
	return r.events[len(r.events)-1-int(r.last-id)], true
}

// Forget drops all events and starts numbering anew: what came before time 0
// is no part of a cluster's story.
func (r *Recorder) Forget() { *r = Recorder{keep: r.keep} }
