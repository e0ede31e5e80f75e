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
	"kafkalab/lessons"
)

// Ledger is the sheet of a lesson's predictions: what I expected, what
// happened, how often I was right.
type Ledger struct {
	sheet
	entries []lessons.Entry
	scroll  widget.Scroll
	count   int // lines of the newest frame
	height  int
}

// NewLedger makes the sheet of a walk.
func NewLedger(w *walk) *Ledger { return &Ledger{entries: w.cursor.Ledger()} }

// Commands close the sheet, and scroll it if need be.
func (s *Ledger) Commands() Commands {
	var cs Commands
	if s.count > s.height {
		cs.add(groupMove, "↑↓", "scroll", nil)
	}
	closing(&cs, "P")
	return cs
}

// Other scrolls.
func (s *Ledger) Other(k tea.KeyMsg) []Action {
	s.scroll.Key(k, max(s.height, 1), s.count)
	return nil
}

// Draw draws the entries, and the sum of them first.
func (s *Ledger) Draw(r canvas.Region) {
	inner := cover(r, "What I expected, what happened")
	lines := s.lines(inner.W() - 2)
	s.count, s.height = len(lines), inner.H()-2
	sum(inner, s.entries)
	putScrolled(inner.Sub(geom.Rect{Y: 2, W: inner.W(), H: s.height}), lines, &s.scroll)
	drawKeys(r, s.Commands())
}

// sum writes how often the predictions were right. What was skipped counts
// neither way.
func sum(r canvas.Region, entries []lessons.Entry) {
	made, right, skipped := tally(entries)
	pen := r.Pen(0, 0).Put("right ", theme.Label).Put(fmt.Sprint(right), theme.Right|theme.Bold).
		Put(fmt.Sprintf(" of %d predicted", made), theme.Label)
	if skipped > 0 {
		pen.Gap(3).Put("skipped ", theme.Label).Put(fmt.Sprint(skipped), theme.Text)
	}
}

// tally counts predictions that were made, were right, were skipped.
func tally(entries []lessons.Entry) (made, right, skipped int) {
	for _, e := range entries {
		switch {
		case e.Open():
		case e.Skipped:
			skipped++
		default:
			made++
			if e.Right {
				right++
			}
		}
	}
	return made, right, skipped
}

// lines are three rows a step: its title, the learner's line, Kafka's.
func (s *Ledger) lines(width int) []canvas.Line {
	if len(s.entries) == 0 {
		return empty("The steps of this lesson ask for no predictions.")
	}
	var lines []canvas.Line
	for i, e := range s.entries {
		if i > 0 {
			lines = append(lines, nil)
		}
		title := theme.Name
		if e.Open() {
			title = theme.Faint
		}
		lines = append(lines, canvas.T(cell.PadLeft(fmt.Sprint(e.Step), 2)+"  ", theme.Label).Add(e.Title, title).Truncate(width))
		if e.Open() {
			continue
		}
		lines = append(lines, entryLines(e, width)...)
	}
	return lines
}

func entryLines(e lessons.Entry, width int) []canvas.Line {
	lead := canvas.T("    you    ", theme.Label)
	you := answerLines(e.Expected, theme.Text, width-lead.Width()-2)
	switch {
	case e.Skipped:
		you = []canvas.Line{canvas.T("skipped", theme.Muted)}
	case e.Right:
		you[0] = you[0].Add(" "+string(glyph.Done), theme.Right)
	}
	kafka := answerLines(e.Happened, theme.Right, width-lead.Width())
	return append(behind(lead, you), behind(canvas.T("    Kafka  ", theme.Label), kafka)...)
}
