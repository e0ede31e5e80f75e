package progress

import "time"

// What is recorded is in memory at once, and on the disk after the next Save.

// change runs an edit at a moment that is after everything that a reset of this
// lesson has forgotten: what is done after a reset counts, even when the clock
// stands still or was set back.
func (s *Store) change(lesson string, edit func(p *Progress, at time.Time)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changed = true
	edit(s.p, after(s.now().Round(0), s.p.resetOf(lesson)))
}

// after is a moment, or the first one after another that is not before it.
func after(at, other time.Time) time.Time {
	if at.After(other) {
		return at
	}
	return other.In(at.Location()).Add(time.Nanosecond)
}

// Record notes an answer to a check of a lesson. Its time is the store's; two
// answers to one check never have the same, so that the latest is known.
func (s *Store) Record(check, lesson string, a Answer) {
	s.change(lesson, func(p *Progress, at time.Time) {
		c := p.Checks[check]
		a.Time = at
		if last, ok := p.Latest(check); ok {
			a.Time = after(at, last.Time)
		}
		c.Lesson = lesson
		c.Answers = append(c.Answers, a)
		c.Review = c.Review.after(a)
		p.Checks[check] = c
	})
}

// SeeStep notes that a step, from 1, was seen.
func (s *Store) SeeStep(lesson string, step int) {
	s.lesson(lesson, func(l *Lesson, at time.Time) { l.see(step, at) })
}

// Predict notes what a learner expected of a step, and what happened. Its time
// is the store's.
func (s *Store) Predict(lesson string, e Prediction) {
	s.lesson(lesson, func(l *Lesson, at time.Time) {
		e.Time = at
		l.Predictions = append(l.Predictions, e)
	})
}

// ReachLive notes that the goal of the live page was reached.
func (s *Store) ReachLive(lesson string) {
	s.lesson(lesson, func(l *Lesson, at time.Time) { l.reach(at) })
}

// Leave notes where the learner is, so that the lab opens there again. Page is
// read, step, live or check; step counts from 1.
func (s *Store) Leave(lesson, page string, step int) {
	s.lesson(lesson, func(l *Lesson, at time.Time) {
		if l.At != nil {
			at = after(at, l.At.Time)
		}
		l.At = &Position{Page: page, Step: step, Time: at}
	})
}

// Repair notes that a drill was repaired. Its time is the store's; two repairs
// of one drill never have the same.
func (s *Store) Repair(drill string, r Repair) {
	s.change(everything, func(p *Progress, at time.Time) {
		d := p.Drills[drill]
		r.Time = at
		if n := len(d.Repairs); n > 0 {
			r.Time = after(at, d.Repairs[n-1].Time)
		}
		d.Repairs = append(d.Repairs, r)
		if p.Drills == nil {
			p.Drills = map[string]Drill{}
		}
		p.Drills[drill] = d
	})
}

func (s *Store) lesson(id string, edit func(l *Lesson, at time.Time)) {
	s.change(id, func(p *Progress, at time.Time) {
		l := p.Lessons[id]
		edit(&l, at)
		p.Lessons[id] = l
	})
}

// Reset forgets everything about a lesson and its checks; about all lessons for
// "". It is final with the next Save, in every lab that has the file open.
func (s *Store) Reset(lesson string) {
	if lesson == "" {
		lesson = everything
	}
	s.change(lesson, func(p *Progress, at time.Time) {
		p.resetAt(lesson, later(at, p.newestTime(lesson)))
		s.p = merge(fresh(s.course), p)
	})
}
