package lessons

import (
	"fmt"
	"strings"
	"time"

	"kafkalab/quiz/progress"
)

// Counts are how far a learner is in a lesson, a section or the course.
type Counts struct {
	Cleared, Checks  int // checks whose latest answer is right, and all
	Seen, Steps      int // steps seen, and all
	Predicted, Right int // predictions made, and those that were right; skipped ones are neither
	Due              int // checks that are due for review
}

func (c Counts) plus(o Counts) Counts {
	return Counts{
		c.Cleared + o.Cleared, c.Checks + o.Checks, c.Seen + o.Seen, c.Steps + o.Steps,
		c.Predicted + o.Predicted, c.Right + o.Right, c.Due + o.Due,
	}
}

// Count tells how far a learner is in a lesson.
func (l *Lesson) Count(p *progress.Progress, now time.Time) Counts {
	c := Counts{Checks: len(l.Checks), Steps: len(l.Steps)}
	for _, q := range l.Checks {
		if p.Cleared(q.ID) {
			c.Cleared++
		}
		if p.Checks[q.ID].Review.DueAt(now) {
			c.Due++
		}
	}
	for _, step := range p.StepsSeen(l.ID) {
		if step >= 1 && step <= len(l.Steps) {
			c.Seen++
		}
	}
	for _, e := range Predictions(p, l.ID) {
		if e.Skipped {
			continue
		}
		c.Predicted++
		if e.Right {
			c.Right++
		}
	}
	return c
}

// Count tells how far a learner is in a section.
func (s Section) Count(p *progress.Progress, now time.Time) Counts {
	var c Counts
	for _, l := range s.Lessons {
		c = c.plus(l.Count(p, now))
	}
	return c
}

// Count tells how far a learner is in the course.
func (c *Course) Count(p *progress.Progress, now time.Time) Counts {
	var sum Counts
	for _, s := range c.Sections {
		sum = sum.plus(s.Count(p, now))
	}
	return sum
}

// Table is a learner's progress as text, for `kafkalab progress show`.
func Table(c *Course, p *progress.Progress, now time.Time) string {
	var b strings.Builder
	width := 0
	for _, l := range c.Lessons() {
		width = max(width, len([]rune(l.Title))+2)
	}
	row := func(title string, n Counts, live string) {
		pad := strings.Repeat(" ", max(width-len([]rune(title)), 0))
		line := fmt.Sprintf("%s%s  %7s  %7s  %11s  %-4s  %3d", title, pad,
			fmt.Sprintf("%d/%d", n.Cleared, n.Checks), fmt.Sprintf("%d/%d", n.Seen, n.Steps),
			fmt.Sprintf("%d/%d", n.Right, n.Predicted), live, n.Due)
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	fmt.Fprintf(&b, "%s  %7s  %7s  %11s  %-4s  %s\n", strings.Repeat(" ", width), "cleared", "steps", "predictions", "live", "due")
	for _, s := range c.Sections {
		row(s.Title, s.Count(p, now), "")
		for _, l := range s.Lessons {
			live := ""
			if p.LiveReached(l.ID) {
				live = "yes"
			}
			row("  "+l.Title, l.Count(p, now), live)
		}
	}
	row("all", c.Count(p, now), "")
	return b.String()
}
