package screen

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/markdown"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// Search is the sheet that finds lessons and their steps, checks, and words of
// the glossary.
type Search struct {
	env    *Env
	index  []find
	text   widget.Input
	hits   []find
	list   widget.List
	height int
	top    int // row of the terminal where the first row of the list stands
	from   int
	term   *find // the word of the glossary that is read, nil for none
	scroll widget.Scroll
	count  int
	room   int
}

// NewSearch makes the sheet, with nothing typed.
func NewSearch(env *Env) *Search {
	s := &Search{env: env, index: indexOf(env.Course)}
	s.text.Empty = "high watermark, index, acks …"
	s.text.Limit = 80
	return s
}

// Field takes what is looked for; while a word is read, nothing is typed.
func (s *Search) Field() Field {
	if s.term != nil {
		return nil
	}
	return s
}

// Type edits the text and looks again.
func (s *Search) Type(k tea.KeyMsg) ([]Action, bool) {
	mine := s.text.Key(k)
	if mine {
		s.hits, s.list = lookUp(s.index, s.text.Value()), widget.List{}
	}
	return nil, mine
}

// Commands open what was found.
func (s *Search) Commands() Commands {
	var cs Commands
	if s.term != nil {
		if s.count > s.room {
			cs.add(groupMove, "↑↓", "scroll", nil)
		}
		cs.add(groupEverywhere, "esc", "back to the results", s.unread, "esc", "enter", "backspace", "/")
		return cs
	}
	if len(s.hits) > 0 {
		cs.add(groupMove, "↑↓", "move", nil)
		cs.add(groupLearn, "enter", s.openWord(), s.open)
	}
	cs.add(groupEverywhere, "esc", "back", always(Close{}))
	return cs
}

func (s *Search) unread() []Action {
	s.term = nil
	return nil
}

func (s *Search) openWord() string {
	if s.hits[s.list.Selected].kind == foundTerm {
		return "read"
	}
	return "open"
}

func (s *Search) open() []Action {
	hit := s.hits[s.list.Selected]
	if hit.kind == foundTerm {
		s.term = &hit
		s.scroll.Top()
		return nil
	}
	return act(hit.open)
}

// Other moves in the list, or in the word that is read.
func (s *Search) Other(k tea.KeyMsg) []Action {
	if s.term != nil {
		s.scroll.Key(k, max(s.room, 1), s.count)
		return nil
	}
	s.list.Key(k, max(s.height, 1), len(s.hits))
	return nil
}

// Click selects a row; a click on the one that is selected opens it.
func (s *Search) Click(_, y int) []Action {
	if s.term != nil || y < s.top || y >= s.top+s.height {
		return nil
	}
	i := s.hitAt(s.from + y - s.top)
	switch {
	case i < 0:
		return nil
	case i == s.list.Selected:
		return s.open()
	}
	s.list.Selected = i
	return nil
}

// rows are the list as it is drawn: a heading above each kind, then the hits.
// -1 stands for an empty row, below -1 for the heading of a kind.
func (s *Search) rows() []int {
	var rows []int
	for i, h := range s.hits {
		if i == 0 || s.hits[i-1].kind != h.kind {
			if i > 0 {
				rows = append(rows, -1)
			}
			rows = append(rows, -2-int(h.kind))
		}
		rows = append(rows, i)
	}
	return rows
}

// hitAt is the hit that stands in a row of the list, -1 for none.
func (s *Search) hitAt(row int) int {
	rows := s.rows()
	if row < 0 || row >= len(rows) || rows[row] < 0 {
		return -1
	}
	return rows[row]
}

// searchDetail is the height of what is said below the list of the row that one
// is at.
const searchDetail = 4

// Draw draws the field, the results in groups, and what the selected one says.
func (s *Search) Draw(r canvas.Region) {
	inner := cover(r, "Search")
	if s.term != nil {
		s.drawTerm(inner)
		drawKeys(r, s.Commands())
		return
	}
	inner.Put(0, 0, string(glyph.Prompt), theme.Focus|theme.Bold)
	s.text.Draw(inner.Sub(geom.Rect{X: 2, W: min(inner.W()-2, 60), H: 1}), true)
	below := inner.Rect().Pad(0, 2, 0, 0)
	if len(s.hits) == 0 {
		inner.Put(2, 2, s.nothing(), theme.Muted)
		drawKeys(r, s.Commands())
		return
	}
	detail, list := below.Bottom(searchDetail + 1)
	s.drawList(inner.Sub(list))
	s.drawDetail(inner.Sub(detail.Pad(2, 1, 0, 0)))
	drawKeys(r, s.Commands())
}

func (s *Search) nothing() string {
	if strings.TrimSpace(s.text.Value()) == "" {
		return fmt.Sprintf("%s, %s, %s.", plural(len(s.env.Course.Lessons()), "lesson"),
			plural(len(s.env.Course.Checks()), "check"), plural(len(s.env.Course.Glossary), "word")+" of the glossary")
	}
	return "Nothing of that in the course."
}

func (s *Search) drawList(r canvas.Region) {
	rows := s.rows()
	at := 0
	for y, i := range rows {
		if i == s.list.Selected {
			at = y
		}
	}
	shown := widget.List{Selected: at}
	from, to := shown.Show(r.H(), len(rows))
	_, s.top = r.Screen(0, 0)
	s.from, s.height = from, r.H()
	for y, i := range rows[from:to] {
		switch {
		case i == -1:
		case i < -1:
			r.Put(0, y, groupTitles[-2-i], theme.Label)
		default:
			s.drawHit(r, y, s.hits[i], i == s.list.Selected)
		}
	}
	widget.ScrollMark(r, r.W()-1, from, to, len(rows))
}

func (s *Search) drawHit(r canvas.Region, y int, h find, here bool) {
	style := theme.Text
	if here {
		style = theme.Name
	}
	room := r.W() - 5 - cell.Width(h.where) - 2
	r.Put(2, y, cell.Truncate(h.title, room), style)
	r.PutRight(r.W()-2, y, h.where, theme.Label)
	if here {
		widget.Select(r, geom.Rect{X: 0, Y: y, W: r.W() - 1, H: 1}, 0, theme.Focus)
	}
}

func (s *Search) drawDetail(r canvas.Region) {
	lines := markdown.Render(s.hits[s.list.Selected].text, min(r.W(), textWidth))
	r.PutLines(0, 0, firstLines(lines, r.H()))
}

// drawTerm shows a word of the glossary in full.
func (s *Search) drawTerm(r canvas.Region) {
	width := min(r.W()-2, textWidth)
	lines := heading(s.term.title, width)
	if len(s.term.also) > 0 {
		lines = append(lines, canvas.T("also ", theme.Label).Add(strings.Join(s.term.also, ", "), theme.Text).Wrap(width)...)
	}
	lines = append(lines, nil)
	lines = append(lines, markdown.Render(s.term.text, width)...)
	if len(s.term.see) > 0 {
		lines = append(lines, nil)
		lines = append(lines, canvas.T("see also ", theme.Label).Add(strings.Join(s.term.see, ", "), theme.Text).Wrap(width)...)
	}
	s.count, s.room = len(lines), r.H()
	putScrolled(r, lines, &s.scroll)
}
