package screen

import (
	"fmt"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
	"kafkalab/lessons"
	"kafkalab/quiz"
)

// round is checks that are asked beside the lessons: what is due today, extra
// practice, one check about a misconception. A flow with a round is no lesson.
type round struct {
	env      *Env
	title    string
	practice bool   // the answers do not move the schedule
	belief   string // the misconception that is to be repaired, empty for none
	watch    bool   // nothing is asked: a script is run and looked at
	back     func() Screen
	backWord string
	told     []told // by check, in the order of their first answers
}

// told is what became of a check of a round: its first answer counts.
type told struct {
	item          *item
	right         bool
	misconception string // the one behind a wrong answer
}

// newRound opens a round on some checks, nil for none.
func newRound(r *round, checks []*quiz.Question) *Lesson {
	s := &Lesson{env: r.env, round: r, lesson: &lessons.Lesson{Title: r.title}}
	p := &checkPage{flow: s}
	for i, q := range checks {
		l, ok := r.env.Course.Lesson(q.Lesson)
		if !ok {
			continue
		}
		it := &item{env: r.env, lesson: l, q: q, about: r.belief}
		if i > 0 {
			if one, other, ok := r.env.Course.LookAlikes(checks[i-1], q); ok {
				it.alike = "the check before asked about " + one + ", this one about " + other
			}
		}
		p.items = append(p.items, it)
	}
	if len(p.items) == 0 {
		return nil
	}
	s.pages = []page{p}
	return s
}

// enterRound puts a round on the screen; nothing, where there is none.
func enterRound(s *Lesson) []Action {
	if s == nil {
		return nil
	}
	return append(act(Replace{s}), s.Enter()...)
}

// note keeps the first answer to a check.
func (r *round) note(it *item) {
	for _, t := range r.told {
		if t.item == it {
			return
		}
	}
	r.told = append(r.told, told{it, it.result.Right, it.result.Misconception})
}

// leave goes back to where the round was begun.
func (r *round) leave() []Action { return act(Replace{r.back()}) }

// end is what comes behind the last check: what became of them, if they were
// several.
func (r *round) end() []Action {
	if r.belief != "" || len(r.told) == 0 {
		return r.leave()
	}
	return act(Replace{newReviewed(r)})
}

// single tells that the round is about one check, whatever comes of it.
func (r *round) single() bool { return r.belief != "" || r.watch }

// endWord names it.
func (r *round) endWord() string {
	if r.belief != "" || len(r.told) == 0 {
		return r.backWord
	}
	return "how it went"
}

// status tells which lesson the check is of, and how many are answered.
func (r *round) status(p *checkPage) canvas.Line {
	line := canvas.T(p.item().lesson.Title, theme.Label)
	if r.single() {
		return line
	}
	return line.Add("   answered ", theme.Label).Add(fmt.Sprint(len(r.told)), theme.Name).Add(fmt.Sprintf("/%d", len(p.items)), theme.Label)
}

// sayAfter adds, below a verdict, when the check is asked again, and whether the
// misconception is repaired.
func (r *round) sayAfter(t *text, it *item, width int) {
	if r.belief != "" {
		t.gap()
		t.say(r.repairWords(it).Wrap(width)...)
	}
	days, ok := r.env.Progress.Checks[it.q.ID].Review.DaysTo(r.env.Now())
	if !ok {
		return
	}
	when := DayWords(max(days, 0), r.env.Now())
	line := canvas.T("asked again ", theme.Label).Add(when, theme.Due)
	switch {
	case r.practice:
		line = canvas.T("practice: the schedule stays, asked again ", theme.Label).Add(when, theme.Due)
	case !it.result.Right:
		line = canvas.T("back to the start: asked again ", theme.Label).Add(when, theme.Due)
	}
	if r.belief == "" {
		t.gap()
	}
	t.say(line.Wrap(width)...)
}

// repairWords say what became of the misconception that the round is about.
func (r *round) repairWords(it *item) canvas.Line {
	for _, b := range r.env.Beliefs() {
		if b.ID != r.belief {
			continue
		}
		said := r.env.Course.Misconceptions[b.ID].Belief
		switch {
		case !b.Open():
			return canvas.T(string(glyph.Done)+" repaired  ", theme.Right|theme.Bold).Add(said, theme.Text)
		case it.result.Right:
			said = "right, but these were the numbers that you had missed: it takes others, another check, or another day"
		}
		return canvas.T(string(glyph.Half)+" still open  ", theme.Open|theme.Bold).Add(said, theme.Text)
	}
	return nil
}
