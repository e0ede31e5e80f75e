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

// Beliefs are the misconceptions behind a learner's misses: what was believed,
// what is so, where it was missed, and what repairs it.
type Beliefs struct {
	env  *Env
	back func() Screen
	at   string // the id of the one that the learner is at
	list widget.List
	top  int // row of the terminal where the first row stands
	from int
	rows int

	detail widget.Scroll
	count  int
	height int
	keys   hotspots
}

// NewBeliefs makes the page; back is the screen that it was opened from.
func NewBeliefs(env *Env, back func() Screen) *Beliefs { return &Beliefs{env: env, back: back} }

func (s *Beliefs) self() Screen { return s }

// all are the beliefs; the selected one stays the same, wherever it stands now.
func (s *Beliefs) all() []quiz.Belief {
	all := s.env.Beliefs()
	s.list.Selected = max(0, min(s.list.Selected, len(all)-1))
	for i, b := range all {
		if b.ID == s.at {
			s.list.Selected = i
			return all
		}
	}
	if len(all) > 0 {
		s.at = all[s.list.Selected].ID
	}
	return all
}

// belief is the one that the learner is at; ok is false when there is none.
func (s *Beliefs) belief() (b quiz.Belief, ok bool) {
	all := s.all()
	if len(all) == 0 {
		return quiz.Belief{}, false
	}
	return all[s.list.Selected], true
}

// Commands choose one, and repair it.
func (s *Beliefs) Commands() Commands {
	var cs Commands
	if all := s.all(); len(all) > 1 {
		cs.add(groupMove, "↑↓", "move", nil)
	}
	if b, ok := s.belief(); ok {
		r := s.repairOf(b)
		if r.fresh != nil {
			cs.add(groupLearn, "enter", "a fresh check", func() []Action { return s.ask(b, r) })
		}
		if r.played != nil {
			cs.add(groupLearn, "v", "run it", func() []Action { return s.watch(r) })
		}
		if r.lesson != nil {
			cs.add(groupLearn, "s", r.placeWord(), always(r.open()))
		}
	}
	if s.count > s.height {
		cs.add(groupMove, "pgup pgdn", "scroll", nil)
	}
	cs.add(groupEverywhere, "esc", "back", func() []Action { return act(Replace{s.back()}) })
	cs.add(groupEverywhere, "/", "search", func() []Action { return act(Show{NewSearch(s.env)}) })
	cs.add(groupEverywhere, "?", "keys", always(ShowKeys{}))
	cs.add(groupEverywhere, "q", "quit", always(Quit{}))
	return cs
}

// Field is nil: nothing is typed here.
func (s *Beliefs) Field() Field { return nil }

// Other moves in the list; by the page, in what is said at its side.
func (s *Beliefs) Other(k tea.KeyMsg) []Action {
	if (k.Type == tea.KeyPgUp || k.Type == tea.KeyPgDown) && s.count > s.height {
		s.detail.Key(k, max(s.height, 1), s.count)
		return nil
	}
	all := s.all()
	if s.list.Key(k, max(s.rows, 1), len(all)) && len(all) > 0 {
		s.choose(all, s.list.Selected)
	}
	return nil
}

func (s *Beliefs) choose(all []quiz.Belief, i int) {
	s.list.Selected, s.at = i, all[i].ID
	s.detail.Top()
}

// Click selects a row, or presses the key that is shown in it.
func (s *Beliefs) Click(x, y int) []Action {
	l := geom.Arrange(s.env.W, s.env.H, s.plan(s.env.W, s.env.H))
	if l.Shows.Contains(x, y) {
		return s.keys.click(s, y)
	}
	all := s.all()
	if i := y - s.top + s.from; l.Says.Contains(x, y) && y >= s.top && y < s.top+s.rows && i < len(all) {
		s.choose(all, i)
	}
	return nil
}

// Wheel turns what the pointer is on.
func (s *Beliefs) Wheel(x, y int, k tea.KeyMsg) []Action {
	l := geom.Arrange(s.env.W, s.env.H, s.plan(s.env.W, s.env.H))
	if l.Shows.Contains(x, y) {
		s.detail.Key(k, max(s.height, 1), s.count)
		return nil
	}
	return s.Other(k)
}

// beliefRows is how many rows the list has at most in a narrow terminal.
const beliefRows = 5

func (s *Beliefs) plan(w, h int) geom.Plan {
	p := geom.Plan{Left: reviewLeft}
	if w < geom.TwoColumns {
		body := h - 4
		p.SaysRows = max(1, min(len(s.all()), beliefRows, body/3))
		p.ShowsRows = body - 1 - p.SaysRows
	}
	return p
}

// Draw draws the list, and at its side or below it what is said of one.
func (s *Beliefs) Draw(r canvas.Region) {
	l := geom.Arrange(r.W(), r.H(), s.plan(r.W(), r.H()))
	all := s.all()
	s.keys = hotspots{}
	if part := r.Sub(l.Inner(l.Says)); len(all) == 0 {
		part.PutLines(1, 0, canvas.T("None of your answers shows one. What a wrong answer believes is listed here.", theme.Muted).Wrap(part.W()-2))
	} else {
		s.drawList(part, all)
		s.drawDetail(r.Sub(l.Inner(l.Shows).Pad(1, 0, 0, 0)), all[s.list.Selected])
	}
	// Last, as the keys depend on what there is to scroll.
	widget.Frame{Title: canvas.T("Misconceptions", theme.Name), Status: s.status(all), Keys: s.Commands().Line()}.Draw(r, l)
}

func (s *Beliefs) drawList(part canvas.Region, all []quiz.Belief) {
	s.rows = part.H()
	from, to := s.list.Show(part.H(), len(all))
	_, s.top = part.Screen(0, 0)
	s.from = from
	for i, b := range all[from:to] {
		s.drawRow(part, i, b, from+i == s.list.Selected)
	}
	widget.ScrollMark(part, part.W()-1, from, to, len(all))
}

func (s *Beliefs) drawDetail(side canvas.Region, b quiz.Belief) {
	t := s.body(b, min(side.W()-2, aboutWidth))
	s.count, s.height = t.rows(), side.H()
	first, last := s.detail.Show(s.height, s.count)
	t.draw(side, first)
	widget.ScrollMark(side, side.W()-1, first, last, s.count)
}

func (s *Beliefs) status(all []quiz.Belief) canvas.Line {
	open := 0
	for _, b := range all {
		if b.Open() {
			open++
		}
	}
	if len(all) == 0 {
		return nil
	}
	return canvas.T("to repair ", theme.Label).Add(fmt.Sprint(open), theme.Due|theme.Bold).Add("   repaired ", theme.Label).Add(fmt.Sprint(len(all)-open), theme.Cleared|theme.Bold)
}

func (s *Beliefs) drawRow(r canvas.Region, y int, b quiz.Belief, here bool) {
	sign, mark := beliefSign(b)
	style := theme.Text
	if here {
		style = theme.Name
	}
	misses := fmt.Sprintf("%d×", len(b.Misses))
	r.Pen(2, y).Sign(sign, 1, mark).Gap(1).Put(cell.Truncate(s.env.Course.Misconceptions[b.ID].Belief, r.W()-11), style)
	r.PutRight(r.W()-2, y, misses, theme.Label)
	if here {
		widget.Select(r, geom.Rect{Y: y, W: r.W() - 1, H: 1}, 0, theme.Focus)
	}
}

// beliefSign is the mark of a belief: open, or repaired.
func beliefSign(b quiz.Belief) (rune, theme.Style) {
	if b.Open() {
		return glyph.Wrong, theme.Refused
	}
	return glyph.Done, theme.Right
}
