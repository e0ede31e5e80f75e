package lessons

import (
	"time"

	"kafkalab/quiz"
	"kafkalab/quiz/progress"
)

// Review are the checks that are due at a moment, in the order to ask them, see
// quiz.Mix: lessons take turns, look-alikes stand side by side. Checks that the
// course no longer has are left out.
func (c *Course) Review(p *progress.Progress, now time.Time) []*quiz.Question {
	return c.mix(p, p.Due(now), now)
}

// Practice are at most n checks to exercise with ahead of their day, in the order
// to ask them: those that would be due first.
func (c *Course) Practice(p *progress.Progress, now time.Time, n int) []*quiz.Question {
	var ids []string
	known := c.byID()
	for _, id := range p.Scheduled() {
		if known[id] != nil && len(ids) < n && !p.Checks[id].Review.DueAt(now) {
			ids = append(ids, id)
		}
	}
	return c.mix(p, ids, now)
}

func (c *Course) mix(p *progress.Progress, ids []string, now time.Time) []*quiz.Question {
	var turns []quiz.Turn
	known := c.byID()
	for _, id := range ids {
		if q := known[id]; q != nil {
			turns = append(turns, quiz.Turn{Question: q, Due: p.Checks[id].Review.Due})
		}
	}
	alike := func(a, b *quiz.Question) bool {
		_, _, ok := c.LookAlikes(a, b)
		return ok
	}
	return quiz.Mix(turns, alike, now.Format("2006-01-02"))
}

// DueDay is a day to come on which checks are due.
type DueDay struct {
	In     int // days from now on: 1 is tomorrow
	Date   time.Time
	Checks int
}

// Ahead are the days to come on which checks of the course are due, the next one
// first.
func (c *Course) Ahead(p *progress.Progress, now time.Time) []DueDay {
	var days []DueDay
	known := c.byID()
	for _, id := range p.Scheduled() {
		in, ok := p.Checks[id].Review.DaysTo(now)
		if known[id] == nil || !ok || in <= 0 {
			continue
		}
		if n := len(days); n == 0 || days[n-1].In != in {
			days = append(days, DueDay{In: in, Date: now.AddDate(0, 0, in)})
		}
		days[len(days)-1].Checks++
	}
	return days
}

// Beliefs are the misconceptions behind a learner's misses that the course knows,
// see quiz.Beliefs.
func (c *Course) Beliefs(p *progress.Progress) []quiz.Belief {
	var known []quiz.Belief
	for _, b := range quiz.Beliefs(c.Checks(), p) {
		if c.Misconceptions[b.ID].Belief != "" {
			known = append(known, b)
		}
	}
	return known
}
