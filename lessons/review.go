package lessons

import (
	"time"

	"kafkalab/quiz"
	"kafkalab/quiz/progress"
)

// Review are the checks that are due at a moment, in the order to ask them: the
// lessons take turns, the one with the longest overdue check first. Mixed so, a
// learner has to tell look-alikes apart (the high watermark and the last stable
// offset, retention and compaction) instead of going on in the vein of the
// question before. Checks that the course no longer has are left out.
func (c *Course) Review(p *progress.Progress, now time.Time) []*quiz.Question {
	byLesson := map[string][]*quiz.Question{}
	var turns []string
	for _, id := range p.Due(now) {
		q, ok := c.Check(id)
		if !ok {
			continue
		}
		if byLesson[q.Lesson] == nil {
			turns = append(turns, q.Lesson)
		}
		byLesson[q.Lesson] = append(byLesson[q.Lesson], q)
	}
	var mixed []*quiz.Question
	for round := 0; ; round++ {
		before := len(mixed)
		for _, lesson := range turns {
			if round < len(byLesson[lesson]) {
				mixed = append(mixed, byLesson[lesson][round])
			}
		}
		if len(mixed) == before {
			return mixed
		}
	}
}
