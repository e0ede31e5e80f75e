package screen

import (
	"fmt"
	"strings"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/markdown"
	"kafkalab/lab/kit/theme"
	"kafkalab/quiz"
)

// body is what is said of one misconception.
func (s *Beliefs) body(b quiz.Belief, width int) *text {
	t := &text{}
	t.say(heading(s.env.Course.Misconceptions[b.ID].Belief, width)...)
	t.say(s.state(b).Wrap(width)...)
	if so := s.truth(b); so != "" {
		t.gap()
		t.say(canvas.T("what is so", theme.Label))
		t.say(behind(canvas.T(" ", theme.Text), markdown.Render(so, width-1))...)
	}
	t.gap()
	s.sayRepair(t, b, width)
	t.gap()
	s.sayMisses(t, b, width)
	return t
}

// state says whether it is open, and how often it was missed.
func (s *Beliefs) state(b quiz.Belief) canvas.Line {
	sign, style := beliefSign(b)
	if b.Open() {
		last := ago(b.Latest().Answer.Time, s.env.Now())
		times := "missed once, "
		if n := len(b.Misses); n > 1 {
			times = fmt.Sprintf("missed %d times, last ", n)
		}
		return canvas.T(string(sign), style).Add(" to repair   ", theme.Due).Add(times+last, theme.Muted)
	}
	how := "with other numbers"
	if b.By != b.Latest().Check {
		how = "at another check"
	}
	return canvas.T(string(sign)+" repaired   ", style).Add(ago(b.Repaired, s.env.Now())+", "+how, theme.Muted)
}

// truth is what is so instead: what the course's list says, else why the answer
// was wrong.
func (s *Beliefs) truth(b quiz.Belief) string {
	if so := s.env.Course.Misconceptions[b.ID].Truth; so != "" {
		return so
	}
	q, ok := s.env.Course.Check(b.Latest().Check)
	if !ok {
		return ""
	}
	for _, o := range q.Options {
		if o.Misconception.Value == b.ID {
			return blanks(o.Why.Value)
		}
	}
	for _, n := range q.Near {
		if n.Misconception.Value == b.ID {
			return blanks(n.Why.Value)
		}
	}
	return ""
}

// sayRepair adds what there is to do, in the order in which it helps.
func (s *Beliefs) sayRepair(t *text, b quiz.Belief, width int) {
	label := "repair"
	if !b.Open() {
		label = "to be sure"
	}
	t.say(canvas.T(label, theme.Label))
	r := s.repairOf(b)
	if r.lesson != nil {
		s.keys.hint(t, 1, "s", "    "+cell.Truncate(r.readWords(), width-7))
	}
	if r.played != nil {
		s.keys.hint(t, 1, "v", "    run the script and look")
	}
	if r.fresh != nil {
		words := "a check with other numbers"
		switch {
		case r.fresh.ID != b.Latest().Check:
			words = "another check about it"
		case len(r.fresh.Vary) == 0:
			words = "it again, on another day"
		}
		s.keys.hint(t, 1, "enter", words)
	}
}

// missesShown is how many misses are listed at most.
const missesShown = 4

// sayMisses adds where it was missed, the latest first.
func (s *Beliefs) sayMisses(t *text, b quiz.Belief, width int) {
	t.say(canvas.T("missed at", theme.Label))
	for i := range b.Misses {
		m := b.Misses[len(b.Misses)-1-i]
		if i == missesShown && len(b.Misses) > missesShown+1 {
			t.say(canvas.T(fmt.Sprintf(" and %d times before", len(b.Misses)-i), theme.Muted))
			return
		}
		when := ago(m.Answer.Time, s.env.Now())
		name := m.Check
		if l, ok := s.env.Course.Lesson(m.Lesson); ok {
			name = l.Title
			for n, q := range l.Checks {
				if q.ID == m.Check {
					name = fmt.Sprintf("check %d of %s", n+1, l.Title)
				}
			}
		}
		room := max(width-4-cell.Width(when), 10)
		t.say(canvas.T(" "+cell.PadRight(cell.Truncate(name, room), room)+"  ", theme.Text).Add(when, theme.Muted))
		if m.Answer.Instance != "" {
			t.say(canvas.T("   "+cell.Truncate(strings.ReplaceAll(m.Answer.Instance, ",", ", "), width-3), theme.Faint))
		}
	}
}

// watchBody is what was asked, above what its script leads to.
func (it *item) watchBody(width int) *text {
	t := &text{}
	t.say(asked(it.in.Ask, width)...)
	t.gap()
	for i, o := range it.in.Options {
		sign, style := ' ', theme.Muted
		if o.Right {
			sign, style = glyph.Done, theme.Right
		}
		lead := canvas.T(string(rune('a'+i))+" ", theme.Key).Add(string(sign)+" ", style)
		t.say(behind(lead, markdown.Render(o.Text, width-4))...)
	}
	if it.q.Kind == quiz.Number {
		t.say(canvas.T("Kafka ", theme.Label).Add(pretty(strings.TrimSpace(it.in.Number.String()+" "+it.in.Unit)), theme.Right|theme.Bold))
	}
	t.gap()
	below := it.play.body(width)
	t.say(below.lines...)
	return t
}
