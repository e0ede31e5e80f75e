package progress

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"
)

// merge is the union of two files: all answers, predictions and steps seen of
// both, the newest position of each lesson, the newest reset, and nothing that
// a reset forgot. It does not matter which comes first, nor how often, but for
// two things: the course's version is b's, what the learner's lab has; unknown
// fields are a's where both have them, what the disk has.
func merge(a, b *Progress) *Progress {
	p := fresh(b.Course)
	for _, from := range []*Progress{a, b} {
		p.extra = mergeExtra(p.extra, from.extra)
		for key, at := range from.Resets {
			p.resetAt(key, at)
		}
	}
	for _, from := range []*Progress{a, b} {
		for id, c := range from.Checks {
			c.Answers = since(p.resetOf(c.Lesson), c.Answers, Answer.when)
			if len(c.Answers) > 0 || len(c.extra) > 0 {
				p.Checks[id] = mergeCheck(p.Checks[id], c)
			}
		}
		for id, l := range from.Lessons {
			if l = l.since(p.resetOf(id)); !l.empty() {
				p.Lessons[id] = mergeLesson(p.Lessons[id], l)
			}
		}
		for id, d := range from.Drills {
			p.mergeDrill(id, d)
		}
	}
	return p
}

// mergeDrill adds what another file knows of a drill. A drill belongs to no
// lesson: only the reset of everything forgets it.
func (p *Progress) mergeDrill(id string, d Drill) {
	d.Repairs = since(p.Resets[everything], d.Repairs, Repair.when)
	if len(d.Repairs) == 0 && len(d.extra) == 0 {
		return
	}
	if p.Drills == nil {
		p.Drills = map[string]Drill{}
	}
	was := p.Drills[id]
	p.Drills[id] = Drill{Repairs: union(was.Repairs, d.Repairs, compareRepairs), extra: mergeExtra(was.extra, d.extra)}
}

func compareRepairs(a, b Repair) int {
	return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(a.Actions, b.Actions), cmp.Compare(a.Hints, b.Hints), cmp.Compare(a.TookMs, b.TookMs))
}

func (p *Progress) resetAt(key string, at time.Time) {
	if p.Resets == nil {
		p.Resets = map[string]time.Time{}
	}
	if at.After(p.Resets[key]) {
		p.Resets[key] = at
	}
}

// resetOf is the moment up to which everything of a lesson is forgotten.
func (p *Progress) resetOf(lesson string) time.Time {
	return later(p.Resets[everything], p.Resets[lesson])
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

func mergeCheck(a, b Check) Check {
	c := Check{Lesson: b.Lesson, extra: mergeExtra(a.extra, b.extra)}
	if c.Lesson == "" {
		c.Lesson = a.Lesson
	}
	c.Answers = union(a.Answers, b.Answers, compareAnswers)
	c.Review = schedule(c.Answers)
	return c
}

func compareAnswers(a, b Answer) int {
	return cmp.Or(
		a.Time.Compare(b.Time),
		cmp.Compare(a.Instance, b.Instance),
		compareFlags(a.Right, b.Right),
		cmp.Compare(a.Misconception, b.Misconception),
		compareFlags(a.Practice, b.Practice),
	)
}

func comparePredictions(a, b Prediction) int {
	return cmp.Or(
		a.Time.Compare(b.Time),
		cmp.Compare(a.Step, b.Step),
		cmp.Compare(a.Expected, b.Expected),
		cmp.Compare(a.Happened, b.Happened),
		compareFlags(a.Right, b.Right),
		compareFlags(a.Skipped, b.Skipped),
	)
}

func compareFlags(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// union is everything of both lists once, in order.
func union[T any](a, b []T, compare func(T, T) int) []T {
	all := slices.Concat(a, b)
	slices.SortFunc(all, compare)
	return slices.CompactFunc(all, func(x, y T) bool { return compare(x, y) == 0 })
}

func mergeLesson(a, b Lesson) Lesson {
	l := Lesson{
		Predictions: union(a.Predictions, b.Predictions, comparePredictions),
		At:          newest(a.At, b.At),
		extra:       mergeExtra(a.extra, b.extra),
	}
	for _, seen := range []map[int]time.Time{a.Seen, b.Seen} {
		for step, at := range seen {
			l.see(step, at)
		}
	}
	for _, live := range []*time.Time{a.Live, b.Live} {
		if live != nil {
			l.reach(*live)
		}
	}
	return l
}

// see notes that a step was seen. The last time counts, not the first: only so
// does it survive a reset that lies between the two, whoever merges when.
func (l *Lesson) see(step int, at time.Time) {
	if l.Seen == nil {
		l.Seen = map[int]time.Time{}
	}
	l.Seen[step] = later(l.Seen[step], at)
}

// reach notes that the live goal was reached; the last time counts.
func (l *Lesson) reach(at time.Time) {
	if l.Live != nil {
		at = later(*l.Live, at)
	}
	l.Live = &at
}

func newest(a, b *Position) *Position {
	if a == nil || b != nil && b.Time.After(a.Time) {
		a = b
	}
	if a == nil {
		return nil
	}
	here := *a
	return &here
}

func mergeExtra(a, b map[string]json.RawMessage) map[string]json.RawMessage {
	if len(a) == 0 && len(b) == 0 {
		return nil
	}
	all := map[string]json.RawMessage{}
	for _, from := range []map[string]json.RawMessage{b, a} {
		for name, value := range from {
			all[name] = slices.Clone(value)
		}
	}
	return all
}

func (a Answer) when() time.Time     { return a.Time }
func (p Prediction) when() time.Time { return p.Time }
func (r Repair) when() time.Time     { return r.Time }

// since is what of a list is newer than a reset.
func since[T any](reset time.Time, list []T, when func(T) time.Time) []T {
	var kept []T
	for _, x := range list {
		if when(x).After(reset) {
			kept = append(kept, x)
		}
	}
	return kept
}

// since is what of a lesson is newer than a reset.
func (l Lesson) since(reset time.Time) Lesson {
	kept := Lesson{Predictions: since(reset, l.Predictions, Prediction.when), extra: l.extra}
	for step, at := range l.Seen {
		if at.After(reset) {
			kept.see(step, at)
		}
	}
	if l.Live != nil && l.Live.After(reset) {
		kept.Live = l.Live
	}
	if l.At != nil && l.At.Time.After(reset) {
		kept.At = l.At
	}
	return kept
}

func (l Lesson) empty() bool {
	return len(l.Seen) == 0 && len(l.Predictions) == 0 && l.Live == nil && l.At == nil && len(l.extra) == 0
}

// newestTime is the time of the newest thing that a reset of the lesson has to
// cover; of everything for the key "*".
func (p *Progress) newestTime(lesson string) time.Time {
	var newest time.Time
	for _, c := range p.Checks {
		for _, a := range c.Answers {
			if c.Lesson == lesson || lesson == everything {
				newest = later(newest, a.Time)
			}
		}
	}
	for id, l := range p.Lessons {
		if id == lesson || lesson == everything {
			newest = later(newest, l.newestTime())
		}
	}
	for _, d := range p.Drills {
		for _, r := range d.Repairs {
			if lesson == everything {
				newest = later(newest, r.Time)
			}
		}
	}
	return newest
}

func (l Lesson) newestTime() time.Time {
	var newest time.Time
	for _, at := range l.Seen {
		newest = later(newest, at)
	}
	for _, p := range l.Predictions {
		newest = later(newest, p.Time)
	}
	if l.Live != nil {
		newest = later(newest, *l.Live)
	}
	if l.At != nil {
		newest = later(newest, l.At.Time)
	}
	return newest
}
