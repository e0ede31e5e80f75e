package screen

import (
	"fmt"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/theme"
	"kafkalab/lessons"
)

// NewReview asks the checks that are due today, of all lessons, in the order in
// which the course mixes them, each with fresh numbers. nil when none is due.
func NewReview(env *Env) *Lesson {
	s := &Lesson{env: env, review: true, lesson: &lessons.Lesson{Title: "Review"}}
	p := &checkPage{flow: s}
	for _, q := range env.Course.Review(env.Progress, env.Now()) {
		if l := lessonOf(env.Course, q.ID); l != nil {
			p.items = append(p.items, &item{env: env, lesson: l, q: q})
		}
	}
	if len(p.items) == 0 {
		return nil
	}
	s.pages = []page{p}
	return s
}

// lessonOf is the lesson that a check stands in.
func lessonOf(c *lessons.Course, check string) *lessons.Lesson {
	for _, l := range c.Lessons() {
		for _, q := range l.Checks {
			if q.ID == check {
				return l
			}
		}
	}
	return nil
}

// reviewStatus tells which lesson the check is of, and how many are answered.
func (p *checkPage) reviewStatus() canvas.Line {
	answered := 0
	for _, it := range p.items {
		if it.result != nil {
			answered++
		}
	}
	return canvas.T(p.item().lesson.Title+"   answered ", theme.Label).Add(fmt.Sprint(answered), theme.Name).Add(fmt.Sprintf("/%d", len(p.items)), theme.Label)
}
