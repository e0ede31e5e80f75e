package screen

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
	"kafkalab/quiz"
)

// Reviewed is the page behind a round: what was right, when each check comes
// back, and which misconceptions showed.
type Reviewed struct {
	env    *Env
	round  *round
	scroll widget.Scroll
	count  int
	height int
	keys   hotspots
}

func newReviewed(r *round) *Reviewed { return &Reviewed{env: r.env, round: r} }

func (s *Reviewed) self() Screen { return s }

// missed are the checks whose first answer was wrong.
func (s *Reviewed) missed() []*quiz.Question {
	var list []*quiz.Question
	for _, t := range s.round.told {
		if !t.right {
			list = append(list, t.item.q)
		}
	}
	return list
}

// again asks what was missed once more, with other numbers; it comes back
// tomorrow all the same.
func (s *Reviewed) again() []Action {
	r := &round{env: s.env, title: "Practice", practice: true, back: s.self, backWord: "back"}
	return enterRound(newRound(r, s.missed()))
}

// Commands go on.
func (s *Reviewed) Commands() Commands {
	var cs Commands
	cs.add(groupLearn, "enter", "review", always(Replace{NewReview(s.env)}))
	if n := len(s.missed()); n > 0 {
		cs.add(groupLearn, "a", missedWords(n)+" again", s.again)
	}
	if len(s.env.Beliefs()) > 0 {
		cs.add(groupLearn, "m", "misconceptions", func() []Action { return act(Replace{NewBeliefs(s.env, s.self)}) })
	}
	if s.count > s.height {
		cs.add(groupMove, "↑↓", "scroll", nil)
	}
	NewReview(s.env).ending(&cs)
	return cs
}

func missedWords(n int) string {
	if n == 1 {
		return "the missed one"
	}
	return fmt.Sprintf("the %d missed", n)
}

// Field is nil: nothing is typed here.
func (s *Reviewed) Field() Field { return nil }

// Other scrolls.
func (s *Reviewed) Other(k tea.KeyMsg) []Action {
	s.scroll.Key(k, max(s.height, 1), s.count)
	return nil
}

// Click presses the key that is shown in a row.
func (s *Reviewed) Click(_, y int) []Action { return s.keys.click(s, y) }

// Draw draws the page.
func (s *Reviewed) Draw(r canvas.Region) {
	l := geom.Arrange(r.W(), r.H(), geom.Plan{})
	part := r.Sub(l.Inner(l.Shows).Pad(2, 0, 0, 0))
	s.keys = hotspots{}
	s.height = part.H()
	t := s.body(min(part.W()-3, textWidth))
	s.count = t.rows()
	from, to := s.scroll.Show(s.height, s.count)
	t.draw(part, from)
	widget.ScrollMark(part, part.W()-1, from, to, s.count)
	title := canvas.T(s.round.title, theme.Name).Add("   how it went", theme.Label)
	widget.Frame{Title: title, Status: NewReview(s.env).status(), Keys: s.Commands().Line()}.Draw(r, l)
}

func (s *Reviewed) body(width int) *text {
	t := &text{}
	right := len(s.round.told) - len(s.missed())
	t.say(canvas.T(fmt.Sprint(right), theme.Right|theme.Bold).Add(fmt.Sprintf(" of %d right", len(s.round.told)), theme.Name))
	t.gap()
	for _, x := range s.round.told {
		s.sayTold(t, x, width)
	}
	if s.round.practice {
		t.gap()
		t.say(canvas.T("This was practice: the schedule is as it was.", theme.Muted).Wrap(width)...)
	}
	s.sayShown(t, width)
	t.gap()
	s.keys.button(t, "enter", "review")
	return t
}

// roomy tells that there is room to name each check's lesson.
func (s *Reviewed) roomy() bool { return 2*len(s.round.told)+8 <= s.height }

// sayTold adds a check, by what it asks, with the day on which it comes back.
func (s *Reviewed) sayTold(t *text, x told, width int) {
	sign, style := glyph.Wrong, theme.Refused
	if x.right {
		sign, style = glyph.Done, theme.Right
	}
	asked := x.item.q.Ask.Value
	if _, question := splitQuestion(asked); question != "" {
		asked = question
	}
	when := ""
	if days, ok := s.env.Progress.Checks[x.item.q.ID].Review.DaysTo(s.env.Now()); ok {
		when = DayWords(max(days, 0), s.env.Now())
	}
	const whenWidth = 28
	room := width - 2 - whenWidth
	t.say(canvas.T(string(sign)+" ", style).Add(cell.PadRight(cell.Truncate(bare(blanks(asked)), room-2), room), theme.Text).Add(when, theme.Due))
	if s.roomy() {
		t.say(canvas.T("  "+cell.Truncate(x.item.lesson.Title, room-2), theme.Muted))
	}
}

// sayShown names the misconceptions that the wrong answers of the round show.
func (s *Reviewed) sayShown(t *text, width int) {
	named := map[string]bool{}
	for _, x := range s.round.told {
		m := x.misconception
		belief := s.env.Course.Misconceptions[m].Belief
		if belief == "" || named[m] {
			continue
		}
		if len(named) == 0 {
			t.gap()
			t.say(canvas.T("what was believed", theme.Label))
		}
		named[m] = true
		t.say(hang(canvas.T(" "+string(glyph.Wrong)+" ", theme.Refused), canvas.T(belief, theme.Text), width)...)
	}
	if len(named) > 0 {
		s.keys.hint(t, 1, "m", "what is so, and how to repair it")
	}
}
