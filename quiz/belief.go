package quiz

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"kafkalab/quiz/progress"
)

// Belief is a misconception that a learner's wrong answers show, and what became
// of it.
type Belief struct {
	ID     string // such as M-042
	Misses []Miss // by time, the latest last; at least one
	// Repaired is when it was repaired, By the check whose right answer did it;
	// zero and empty while it is open.
	Repaired time.Time
	By       string
}

// Miss is one wrong answer with a misconception behind it.
type Miss struct {
	Check, Lesson string
	Answer        progress.Answer
}

// Open tells whether the belief is still to be repaired.
func (b Belief) Open() bool { return b.By == "" }

// Latest is the newest miss.
func (b Belief) Latest() Miss { return b.Misses[len(b.Misses)-1] }

// Misconceptions are the ids of the beliefs that wrong answers to the question
// show, each once, in the order of the course file.
func (q *Question) Misconceptions() []string {
	var ids []string
	add := func(id string) {
		if id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	for _, o := range q.Options {
		add(o.Misconception.Value)
	}
	for _, n := range q.Near {
		add(n.Misconception.Value)
	}
	return ids
}

// About are the questions that one misconception can be shown at.
func About(id string, all []*Question) []*Question {
	return slices.DeleteFunc(slices.Clone(all), func(q *Question) bool { return !slices.Contains(q.Misconceptions(), id) })
}

// Beliefs are the misconceptions behind a learner's misses: the open ones first,
// those missed most often before the others, then the repaired ones.
//
// A belief is repaired by a right answer, later than the last miss, to another
// check about it, or to the same one with other numbers: to know the answer that
// one has just read is no proof. Where the course has nothing else to ask, the
// same check on a later day counts. A miss opens it again.
func Beliefs(all []*Question, p *progress.Progress) []Belief {
	byID := map[string]*Belief{}
	for _, check := range slices.Sorted(maps.Keys(p.Checks)) {
		c := p.Checks[check]
		for _, a := range c.Answers {
			if a.Right || a.Misconception == "" {
				continue
			}
			b := byID[a.Misconception]
			if b == nil {
				b = &Belief{ID: a.Misconception}
				byID[b.ID] = b
			}
			b.Misses = append(b.Misses, Miss{Check: check, Lesson: c.Lesson, Answer: a})
		}
	}
	beliefs := make([]Belief, 0, len(byID))
	for _, id := range slices.Sorted(maps.Keys(byID)) {
		b := byID[id]
		slices.SortStableFunc(b.Misses, func(x, y Miss) int { return x.Answer.Time.Compare(y.Answer.Time) })
		b.repair(About(id, all), p)
		beliefs = append(beliefs, *b)
	}
	slices.SortStableFunc(beliefs, compareBeliefs)
	return beliefs
}

func compareBeliefs(a, b Belief) int {
	if a.Open() != b.Open() {
		if a.Open() {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(len(b.Misses), len(a.Misses)), b.Latest().Answer.Time.Compare(a.Latest().Answer.Time))
}

// repair finds the first right answer that repairs the belief.
func (b *Belief) repair(about []*Question, p *progress.Progress) {
	last := b.Latest().Answer.Time
	only := !slices.ContainsFunc(about, b.canProve)
	for _, q := range about {
		for _, a := range p.Checks[q.ID].Answers {
			proof := !b.missedAt(q.ID, a.Instance) || only && laterDay(last, a.Time)
			if !a.Right || !a.Time.After(last) || !proof {
				continue
			}
			if b.Open() || a.Time.Before(b.Repaired) {
				b.Repaired, b.By = a.Time, q.ID
			}
		}
	}
}

// canProve tells whether a question has something to ask that was not missed.
func (b *Belief) canProve(q *Question) bool { return len(q.Vary) > 0 || !b.missedAt(q.ID, "") }

// missedAt tells whether an instance of a check is one of the misses.
func (b *Belief) missedAt(check, instance string) bool {
	return slices.ContainsFunc(b.Misses, func(m Miss) bool { return m.Check == check && m.Answer.Instance == instance })
}

func laterDay(a, b time.Time) bool {
	const day = "2006-01-02"
	return b.Format(day) > a.In(b.Location()).Format(day)
}

// Shows tells whether a wrong reply to the instance can show a misconception: as
// numbers differ, an option may be right that is wrong in another instance, and a
// near miss may fall on the right number.
func (in *Instance) Shows(id string) bool {
	return slices.ContainsFunc(in.Options, func(o Answer) bool { return o.Misconception == id }) ||
		slices.ContainsFunc(in.Near, func(n NearMiss) bool { return n.Misconception == id })
}
