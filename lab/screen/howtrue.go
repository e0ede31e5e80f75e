package screen

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/engine/fidelity"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// HowTrue is the sheet that says how true the lab is: of what is seen now, or
// of everything.
type HowTrue struct {
	sheet
	about, all []fidelity.Row
	wide       bool // all is shown
	list       widget.List
	height     int
	top, from  int // where the first row of the newest frame stands, and which it is
}

// subjectWords are the words that a panel's subject has in the table's names.
var subjectWords = map[string][]string{
	"bytes":     {"batch", "codec", "messages"},
	"cleaner":   {"compact", "cleaner"},
	"cluster":   {"registration", "fencing", "election"},
	"commands":  {"client", "reader", "commands"},
	"events":    {"trace", "events"},
	"group":     {"group", "assignor", "consumers"},
	"index":     {"index", "seek"},
	"isr":       {"isr", "watermark", "followers", "acks"},
	"lag":       {"group", "lag"},
	"ledger":    {"fsync", "acks"},
	"log":       {"segment", "append", "roll", "log start", "retention"},
	"metrics":   {"metric"},
	"quorum":    {"quorum", "metadata log"},
	"retention": {"retention", "log start", "file deletion", "segment deletion", "unlink", "roll"},
	"schema":    {"schema"},
	"sequence":  {"messages", "request", "purgator", "fetch sessions"},
	"topic":     {"topic", "config", "placement"},
	"txn":       {"transaction", "control", "last stable"},
}

// NewHowTrue makes the sheet about some panels.
func NewHowTrue(env *Env, subjects []string) *HowTrue {
	s := &HowTrue{all: env.Fidelity}
	for _, subject := range subjects {
		for _, r := range env.Fidelity {
			if mentions(r, subjectWords[subject]) && !slices.Contains(s.about, r) {
				s.about = append(s.about, r)
			}
		}
	}
	s.wide = len(s.about) == 0
	return s
}

func mentions(r fidelity.Row, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(strings.ToLower(r.Name), w) })
}

func (s *HowTrue) rows() []fidelity.Row {
	if s.wide {
		return s.all
	}
	return s.about
}

// Commands choose a row, and how many there are.
func (s *HowTrue) Commands() Commands {
	var cs Commands
	if len(s.rows()) > 1 {
		cs.add(groupMove, "↑↓", "move", nil)
	}
	if len(s.about) > 0 && len(s.about) < len(s.all) {
		desc := "everything"
		if s.wide {
			desc = "what is seen now"
		}
		cs.add(groupLook, "a", desc, func() []Action { s.wide, s.list = !s.wide, widget.List{}; return nil })
	}
	closing(&cs, "i")
	return cs
}

// Other moves in the list.
func (s *HowTrue) Other(k tea.KeyMsg) []Action {
	s.list.Key(k, s.height, len(s.rows()))
	return nil
}

// Click selects a row.
func (s *HowTrue) Click(_, y int) []Action {
	if i := y - s.top + s.from; y >= s.top && y < s.top+s.height && i < len(s.rows()) {
		s.list.Selected = i
	}
	return nil
}

// howTrueDetail is the height of what is said of the row that one is at.
const howTrueDetail = 7

// Draw draws the rows, and below them what there is to say of one.
func (s *HowTrue) Draw(r canvas.Region) {
	rows := s.rows()
	inner := cover(r, "How true is this")
	list, detail := inner.Rect().Top(min(max(inner.H()-howTrueDetail, 1), len(rows)))
	s.height = list.H
	part := inner.Sub(list)
	from, to := s.list.Show(list.H, len(rows))
	_, s.top = part.Screen(0, 0)
	s.from = from
	for i, row := range rows[from:to] {
		s.drawRow(part, i, row, from+i == s.list.Selected)
	}
	widget.ScrollMark(part, part.W()-1, from, to, len(rows))
	if len(rows) > 0 {
		drawDetail(inner.Sub(detail.Pad(0, 1, 0, 0)), rows[s.list.Selected])
	}
	drawKeys(r, s.Commands())
}

func (s *HowTrue) drawRow(r canvas.Region, y int, row fidelity.Row, here bool) {
	sign, style := levelSign(row.Level)
	name := theme.Text
	if here {
		name = theme.Name
	}
	r.Pen(1, y).Sign(sign, 1, style).Gap(1).Fit(12, string(row.Level), style).Put(cell.Truncate(row.Name, r.W()-32), name)
	r.PutRight(r.W()-2, y, row.Area, theme.Label)
	if here {
		widget.Select(r, geom.Rect{X: 0, Y: y, W: r.W() - 1, H: 1}, 0, theme.Focus)
	}
}

func levelSign(l fidelity.Level) (rune, theme.Style) {
	switch l {
	case fidelity.Exact:
		return glyph.Done, theme.Right
	case fidelity.Simplified:
		return glyph.Half, theme.Open
	default:
		return glyph.Todo, theme.Refused
	}
}

// drawDetail says Kafka's rule, the config that governs it, where to read it,
// and which test holds it.
func drawDetail(r canvas.Region, row fidelity.Row) {
	y := r.PutLines(0, 0, firstLines(canvas.T(row.Rule, theme.Text).Wrap(r.W()), 3))
	for _, f := range []struct{ label, text string }{{"default", row.Default}, {"source", row.Source}, {"test", row.Test}} {
		if f.text != "" {
			r.Pen(0, y).Put(fmt.Sprintf("%-9s", f.label), theme.Label).Put(cell.Truncate(f.text, r.W()-9), theme.Text)
			y++
		}
	}
}

func firstLines(lines []canvas.Line, n int) []canvas.Line { return lines[:min(n, len(lines))] }
