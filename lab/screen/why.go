package screen

import (
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/engine"
	"kafkalab/engine/trace"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// whyEvents bounds how far back the sheet lets the learner choose.
const whyEvents = 200

// Why is the sheet of causes: an event, what it follows from, and so on back to
// a command of the learner's or the lesson's.
type Why struct {
	sheet
	reader engine.Reader
	events []trace.Event // the newest first
	at     int
	scroll widget.Scroll
	height int
	count  int
}

// NewWhy makes the sheet of a walk's cluster, at its newest event.
func NewWhy(w *walk) *Why {
	s := &Why{reader: w.stage.model.Reader}
	last := w.stage.model.View.LastEvent
	from := trace.ID(0)
	if last > whyEvents {
		from = last - whyEvents
	}
	events := s.reader.EventsSince(from)
	for i := len(events) - 1; i >= 0 && len(s.events) < whyEvents; i-- {
		s.events = append(s.events, events[i])
	}
	return s
}

// Commands choose the event that is asked about.
func (s *Why) Commands() Commands {
	var cs Commands
	if len(s.events) > 1 {
		cs.add(groupMove, "↑↓", "which event", nil)
		cs.quiet(groupMove, "↑", "an earlier event", s.turn(1), "up", "k", "left", "h")
		cs.quiet(groupMove, "↓", "a later event", s.turn(-1), "down", "j", "right", "l")
	}
	if s.count > s.height {
		cs.add(groupMove, "pgup pgdn", "scroll", nil)
	}
	closing(&cs, "w")
	return cs
}

func (s *Why) turn(by int) func() []Action {
	return func() []Action {
		s.at = max(0, min(s.at+by, len(s.events)-1))
		s.scroll.Top()
		return nil
	}
}

// Other scrolls.
func (s *Why) Other(k tea.KeyMsg) []Action {
	s.scroll.Key(k, max(s.height, 1), s.count)
	return nil
}

// Draw draws the chain: the event on top, its causes below it.
func (s *Why) Draw(r canvas.Region) {
	size := room(r)
	w := min(size.W, 110)
	lines := s.lines(w - 2)
	s.count = len(lines)
	inner := window(r, "why", w, min(size.H, max(len(lines), 4)))
	s.height = inner.H()
	putScrolled(inner.Sub(geom.Rect{W: inner.W(), H: inner.H()}), lines, &s.scroll)
	drawKeys(r, s.Commands())
}

func (s *Why) lines(width int) []canvas.Line {
	if len(s.events) == 0 {
		return empty("Nothing has happened yet.")
	}
	var lines []canvas.Line
	for i, e := range engine.Why(s.reader, s.events[s.at].ID) {
		if i > 0 {
			lines = append(lines, canvas.T(cell.Spaces(9)+string(glyph.Up)+" because", theme.Faint))
		}
		lines = append(lines, eventLines(e, i == 0, width)...)
	}
	return lines
}

// eventLines is an event with its time and its node.
func eventLines(e trace.Event, first bool, width int) []canvas.Line {
	style := theme.Text
	if first {
		style = theme.Name
	}
	lead := canvas.T(cell.PadLeft(cell.Seconds(e.Time), 9)+"  ", theme.Label).Add(cell.PadRight(e.Node, 13), theme.Focus)
	return hang(lead, canvas.T(e.Body.Line(), style), width)
}
