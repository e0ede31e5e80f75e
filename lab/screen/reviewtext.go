package screen

import (
	"fmt"
	"strings"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
	"kafkalab/quiz/progress"
)

// sayDue adds how much is due, how it is begun, and of which lessons it is.
func (s *Review) sayDue(t *text, width int) {
	due := s.due()
	switch {
	case due > 0:
		verb := " are due today"
		if due == 1 {
			verb = " is due today"
		}
		t.say(canvas.T(plural(due, "check"), theme.Due|theme.Bold).Add(verb, theme.Name))
		t.gap()
		t.say(canvas.T("Mixed over the lessons, look-alikes side by side, each with fresh numbers.", theme.Text).Wrap(width)...)
		t.gap()
		s.keys.button(t, "enter", "begin")
		s.sayLessons(t, width)
	case s.next() != nil:
		next := s.next()
		t.say(canvas.T("Nothing is due today", theme.Name))
		t.gap()
		verb := " come "
		if next.Checks == 1 {
			verb = " comes "
		}
		t.say(canvas.T(plural(next.Checks, "check"), theme.Strong).Add(verb, theme.Text).Add(DayWords(next.In, s.env.Now()), theme.Due).Add(".", theme.Text).Wrap(width)...)
		t.gap()
		t.say(canvas.T(fmt.Sprintf("You may exercise %s ahead of the day: with fresh numbers, and the schedule stays as it is.", plural(s.canPractise(), "check")), theme.Text).Wrap(width)...)
		t.gap()
		s.keys.button(t, "p", "extra practice")
	default:
		t.say(canvas.T("Nothing is due yet", theme.Name))
		t.gap()
		t.say(canvas.T("Answer the checks of a lesson, and they come back here.", theme.Text).Wrap(width)...)
	}
	t.gap()
	t.say(canvas.T(rhythm(), theme.Muted).Wrap(width)...)
}

// rhythm says when checks come back.
func rhythm() string {
	days := progress.Intervals()
	words := make([]string, len(days))
	for i, d := range days {
		words[i] = fmt.Sprint(d)
	}
	last := len(words) - 1
	return fmt.Sprintf("A check that was right comes back after %s, then %s, and then each %s days. A miss goes back to the start.",
		plural(days[0], "day"), strings.Join(words[1:last], ", "), words[last])
}

// lessonsShown is how many lessons with something due are listed at most.
const lessonsShown = 8

// sayLessons lists the lessons that have something due, the longest overdue
// first.
func (s *Review) sayLessons(t *text, width int) {
	type row struct {
		title      string
		late, many int
	}
	var rows []row
	for _, l := range s.env.Course.Lessons() {
		r := row{title: l.Title, late: -1}
		for _, q := range l.Checks {
			if days, ok := s.env.Progress.Checks[q.ID].Review.DaysTo(s.env.Now()); ok && days <= 0 {
				r.many++
				r.late = max(r.late, -days)
			}
		}
		if r.many > 0 {
			rows = append(rows, r)
		}
	}
	t.gap()
	t.say(canvas.T(cell.PadRight("by lesson", width-25)+"checks  due since", theme.Label))
	for i, r := range rows {
		if i == lessonsShown && len(rows) > lessonsShown+1 {
			t.say(canvas.T(fmt.Sprintf("and %d lessons more", len(rows)-i), theme.Muted))
			break
		}
		late := lateWords(r.late)
		name := cell.PadRight(cell.Truncate(r.title, width-26), width-25)
		t.say(canvas.T(name, theme.Text).Add(fmt.Sprintf("%6d  ", r.many), theme.Due|theme.Bold).Add(late, theme.Label))
	}
}

// sayStanding adds the ladder of the intervals, the days ahead, and the
// misconceptions.
func (s *Review) sayStanding(t *text, width int) {
	s.sayLadder(t, width)
	s.sayAhead(t)
	s.sayBeliefs(t)
}

// ladderBar is the width of the longest bar of the ladder.
const ladderBar = 14

// sayLadder says how many checks stand at each interval.
func (s *Review) sayLadder(t *text, width int) {
	rungs := make([]int, len(progress.Intervals())+1)
	all := 0
	for _, q := range s.env.Course.Checks() {
		if r := s.env.Progress.Checks[q.ID].Review; r.Due != "" {
			rungs[min(r.Stage, len(rungs)-1)]++
			all++
		}
	}
	if all == 0 {
		return
	}
	t.gap()
	t.say(canvas.T("where your ", theme.Label).Add(plural(all, "check"), theme.Label).Add(" stand", theme.Label))
	for i, n := range rungs {
		label, style := "missed", theme.Refused
		if i > 0 {
			label, style = plural(progress.Intervals()[i-1], "day"), theme.Cleared
		}
		t.over(func(r canvas.Region, y int) {
			r.Pen(1, y).Fit(10, label, theme.Label).Number(4, fmt.Sprint(n), theme.Strong)
			widget.Bar{Part: int64(n), Whole: int64(all), Style: style}.Draw(r, 17, y, min(ladderBar, width-18))
		})
	}
}

// aheadShown is how many days ahead are listed at most.
const aheadShown = 5

func (s *Review) sayAhead(t *text) {
	days := s.env.Course.Ahead(s.env.Progress, s.env.Now())
	if len(days) == 0 {
		return
	}
	t.gap()
	t.say(canvas.T("days ahead", theme.Label))
	for i, d := range days {
		if i == aheadShown && len(days) > aheadShown+1 {
			later := 0
			for _, d := range days[i:] {
				later += d.Checks
			}
			t.say(canvas.T(fmt.Sprintf(" %-14s%d", "later", later), theme.Text))
			break
		}
		in := fmt.Sprintf("in %d days", d.In)
		if d.In == 1 {
			in = "tomorrow"
		}
		t.say(canvas.T(fmt.Sprintf(" %-10s", in), theme.Text).Add(fmt.Sprintf("%4d", d.Checks), theme.Strong).Add("  "+d.Date.Format(dateForm), theme.Label))
	}
}

func (s *Review) sayBeliefs(t *text) {
	open, repaired := 0, 0
	for _, b := range s.env.Beliefs() {
		if b.Open() {
			open++
		} else {
			repaired++
		}
	}
	if open+repaired == 0 {
		return
	}
	t.gap()
	t.say(canvas.T("misconceptions", theme.Label))
	if open > 0 {
		t.say(canvas.T(" "+string(glyph.Wrong)+" ", theme.Refused).Add(fmt.Sprintf("%d to repair", open), theme.Text))
	}
	if repaired > 0 {
		t.say(canvas.T(" "+string(glyph.Done)+" ", theme.Right).Add(fmt.Sprintf("%d repaired", repaired), theme.Text))
	}
	s.keys.hint(t, 1, "m", "look at them")
}
