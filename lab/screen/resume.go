package screen

import (
	"fmt"
	"time"

	"kafkalab/lessons"
	"kafkalab/quiz/progress"
)

// place is where a lesson opens.
type place struct {
	page Page
	step int
}

// resume is where the learner goes on with a lesson: where they left it, or
// behind the step that they had seen to its end. ok is false for a lesson that
// was never open.
func resume(p *progress.Progress, l *lessons.Lesson) (at place, ok bool) {
	left := p.Lessons[l.ID].At
	if left == nil {
		return place{page: Read}, false
	}
	at = place{Page(left.Page), left.Step}
	if at.page != Step {
		return at, true
	}
	_, seen := p.Lessons[l.ID].Seen[at.step]
	switch {
	case seen && at.step < len(l.Steps):
		at.step++
	case seen && l.Live != nil:
		at = place{page: Live}
	case seen && len(l.Checks) > 0:
		at = place{page: Check}
	}
	at.step = max(0, min(at.step, len(l.Steps)))
	return at, true
}

// words say where a place is: step 4, the checks.
func (p place) words() string {
	switch p.page {
	case Step:
		return fmt.Sprintf("step %d", p.step)
	case Live:
		return "the live page"
	case Check:
		return "the checks"
	}
	return "the beginning"
}

// leftWords say where the learner left a lesson.
func leftWords(at progress.Position, l *lessons.Lesson) string {
	if Page(at.Page) == Step {
		return fmt.Sprintf("step %d of %d", at.Step, len(l.Steps))
	}
	return place{page: Page(at.Page)}.words()
}

// ago says how long before now a moment was, in the words of a person who
// looks at a calendar.
func ago(then, now time.Time) string {
	then = then.In(now.Location())
	days := dayNumber(now) - dayNumber(then)
	minutes := int(now.Sub(then) / time.Minute)
	switch {
	case minutes < 1:
		return "just now"
	case minutes < 60:
		return plural(minutes, "minute") + " ago"
	case days <= 0:
		return plural(minutes/60, "hour") + " ago"
	case days == 1:
		return "yesterday"
	case days < 60:
		return plural(days, "day") + " ago"
	}
	return "on " + then.Format("2 January 2006")
}

// dayNumber counts days, where the time's clock is.
func dayNumber(t time.Time) int {
	y, m, d := t.Date()
	return int(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
