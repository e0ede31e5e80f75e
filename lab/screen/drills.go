package screen

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/markdown"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
	"kafkalab/lessons"
)

// Drills is the list of incidents: clusters that are broken already.
type Drills struct {
	env  *Env
	list widget.List
	top  int // row of the terminal where the first row stands
	from int
	rows int
	open map[string]*Drill // those that were begun and are not done
}

// NewDrills makes the list of a course's drills.
func NewDrills(env *Env) *Drills { return &Drills{env: env} }

func (s *Drills) drill() *lessons.Drill { return s.env.Course.Drills[s.list.Selected] }

// Commands choose a drill and begin it.
func (s *Drills) Commands() Commands {
	var cs Commands
	if len(s.env.Course.Drills) > 1 {
		cs.add(groupMove, "↑↓", "move", nil)
	}
	if len(s.env.Course.Drills) > 0 {
		cs.add(groupLearn, "enter", s.beginWord(), s.begin)
	}
	cs.add(groupEverywhere, "esc", "course map", always(GoHome{}))
	cs.add(groupEverywhere, "/", "search", func() []Action { return act(Show{NewSearch(s.env)}) })
	cs.add(groupEverywhere, "?", "keys", always(ShowKeys{}))
	cs.add(groupEverywhere, "q", "quit", always(Quit{}))
	return cs
}

// begin opens a drill; one that was left half done goes on.
func (s *Drills) begin() []Action {
	d := s.drill()
	if s.open == nil {
		s.open = map[string]*Drill{}
	}
	if left := s.open[d.ID]; left == nil || left.over() {
		s.open[d.ID] = NewDrill(s.env, d, s)
	}
	return act(Replace{s.open[d.ID]})
}

// beginWord says whether the drill is under way already.
func (s *Drills) beginWord() string {
	if left := s.open[s.drill().ID]; left != nil && !left.over() {
		return "go on"
	}
	return "begin"
}

// Field is nil: nothing is typed here.
func (s *Drills) Field() Field { return nil }

// Other moves in the list.
func (s *Drills) Other(k tea.KeyMsg) []Action {
	s.list.Key(k, max(s.rows, 1), len(s.env.Course.Drills))
	return nil
}

// Click selects a row; a click on the one that is selected begins it.
func (s *Drills) Click(_, y int) []Action {
	i := y - s.top + s.from
	switch {
	case y < s.top || y >= s.top+s.rows || i >= len(s.env.Course.Drills):
		return nil
	case i == s.list.Selected:
		return s.begin()
	}
	s.list.Selected = i
	return nil
}

func (s *Drills) plan(w, h int) geom.Plan {
	p := geom.Plan{Left: homeLeft}
	if w < geom.TwoColumns {
		body := h - 4
		p.SaysRows = min(len(s.env.Course.Drills)+2, body/2)
		p.ShowsRows = body - 1 - p.SaysRows
	}
	return p
}

// Draw draws the list, and the story of the drill that one is at.
func (s *Drills) Draw(r canvas.Region) {
	l := geom.Arrange(r.W(), r.H(), s.plan(r.W(), r.H()))
	widget.Frame{Title: canvas.T("Drills", theme.Name), Keys: s.Commands().Line()}.Draw(r, l)
	all := s.env.Course.Drills
	part := r.Sub(l.Inner(l.Says).Pad(0, 0, 1, 0))
	if len(all) == 0 {
		part.PutLines(1, 0, empty("This course has no drills."))
		return
	}
	s.rows = part.H()
	from, to := s.list.Show(part.H(), len(all))
	_, s.top = part.Screen(0, 0)
	s.from = from
	for i, d := range all[from:to] {
		style := theme.Text
		if from+i == s.list.Selected {
			style = theme.Name
		}
		sign, mark := glyph.Todo, theme.Muted
		if left := s.open[d.ID]; left != nil && !left.over() {
			sign, mark = glyph.Half, theme.Open
		}
		if _, ok := s.env.Progress.Best(d.ID); ok {
			sign, mark = glyph.Done, theme.Cleared
		}
		part.Pen(2, i).Sign(sign, 1, mark).Gap(1).Put(cell.Truncate(d.Title, part.W()-14), style)
		part.PutRight(part.W()-1, i, fmt.Sprintf("%d min", d.Minutes), theme.Label)
		if from+i == s.list.Selected {
			widget.Select(part, geom.Rect{Y: i, W: part.W(), H: 1}, 0, theme.Focus)
		}
	}
	widget.ScrollMark(part, part.W()-1, from, to, len(all))
	s.drawStory(r.Sub(l.Inner(l.Shows).Pad(1, 0, 0, 0)))
}

func (s *Drills) drawStory(r canvas.Region) {
	d, width := s.drill(), min(r.W(), aboutWidth)
	lines := append(heading(d.Title, width), canvas.T(fmt.Sprintf("%d min · %s", d.Minutes, plural(len(d.Hints), "hint")), theme.Label))
	if best, ok := s.env.Progress.Best(d.ID); ok {
		took := " repaired: " + plural(best.Actions, "action") + ", " + plural(best.Hints, "hint")
		_, known := repairOf(d)
		lines = append(lines, canvas.T(string(glyph.Done)+took, theme.Cleared).Add(fmt.Sprintf("; the shortest known: %d", known), theme.Label).Wrap(width)...)
	}
	lines = paragraphs(lines, markdown.Render(blanks(d.Story.Value), width))
	r.PutLines(0, 0, lines)
}
