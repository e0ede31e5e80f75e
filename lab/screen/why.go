package screen

import (
	"fmt"
	"regexp"

	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/engine"
	"kafkalab/engine/trace"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
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
	actors actors
	events []trace.Event // the newest first
	at     int
	scroll widget.Scroll
	height int
	count  int
}

// newWhy makes the sheet of a stage's cluster, at its newest event.
func newWhy(st *stage) *Why {
	s := &Why{reader: st.model.Reader, actors: actorsOf(st.model)}
	last := st.model.View.LastEvent
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
		cs.line("↑↓", "which event")
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
	inner := cover(r, "Why")
	if n := len(s.events); n > 1 {
		at := sheetRect(r.W(), r.H())
		r.Put(at.X+6, at.Y-2, fmt.Sprintf("event %d of %d, counted back", s.at+1, n), theme.Label)
	}
	lines := s.lines(inner.W() - 2)
	s.count, s.height = len(lines), inner.H()
	putScrolled(inner, lines, &s.scroll)
	drawKeys(r, s.Commands())
}

func (s *Why) lines(width int) []canvas.Line {
	if len(s.events) == 0 {
		return empty("Nothing has happened yet.")
	}
	var lines []canvas.Line
	timeW := max(10, cell.Width(cell.Clock(s.events[s.at].Time))) // its causes are older
	for i, link := range fold(engine.Why(s.reader, s.events[s.at].ID)) {
		if link.times > 0 {
			said := fmt.Sprintf("the same %d before, %s more", link.period, times(link.times))
			lines = append(lines, canvas.T("    ", theme.Text).Add(cell.PadLeft(string(glyph.Ellipsis), timeW)+"  "+said, theme.Label))
			continue
		}
		lines = append(lines, s.eventLines(link.event, i == 0, timeW, width)...)
	}
	return lines
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// link is an event of a chain of causes; or, with times, that the period events
// before it come as often again with other numbers.
type link struct {
	event         trace.Event
	period, times int
}

// longestPeriod bounds how many events may repeat together: a round of produce
// or fetch with its replicas.
const longestPeriod = 12

// fold makes a chain of causes short: rounds that are all alike, such as the
// batches of a long produce, are told once.
func fold(chain []trace.Event) []link {
	alike := make([]string, len(chain))
	for i, e := range chain {
		alike[i] = e.Node + " " + e.Kind() + " " + anyNumber.ReplaceAllString(e.Body.Line(), "#")
	}
	var links []link
	for i := 0; i < len(chain); {
		period, rounds := repeats(alike[i:])
		if rounds < 3 {
			links = append(links, link{event: chain[i]})
			i++
			continue
		}
		for _, e := range chain[i : i+period] {
			links = append(links, link{event: e})
		}
		links = append(links, link{period: period, times: rounds - 1})
		i += period * rounds
	}
	return links
}

var anyNumber = regexp.MustCompile(`\d+`)

// repeats finds the period, at the beginning of a list, whose rounds reach
// furthest.
func repeats(list []string) (period, rounds int) {
	for p := 1; p <= longestPeriod && p < len(list); p++ {
		n := p
		for n < len(list) && list[n] == list[n-p] {
			n++
		}
		if n/p >= 3 && n/p*p > period*rounds {
			period, rounds = p, n/p
		}
	}
	return period, rounds
}

// cause leads the lines that say why the one above them happened.
const cause = "  " + string(glyph.ArrowUp) + " "

// eventLines is an event with its time and its node. What has no cause is the
// command that all began with.
func (s *Why) eventLines(e trace.Event, first bool, timeW, width int) []canvas.Line {
	lead, style := canvas.T(cause, theme.Muted), theme.Text
	if first {
		lead, style = canvas.T("    ", theme.Text), theme.Name
	}
	lead = lead.Add(cell.PadLeft(cell.Clock(e.Time), timeW)+"  ", theme.Label).Add(cell.PadRight(e.Node, 13), s.actors.style(e.Node))
	if e.Cause == 0 {
		lead, style = lead.Add(string(glyph.Prompt)+" ", theme.Focus|theme.Bold), theme.Name
	}
	return hang(lead, canvas.T(e.Body.Line(), style), width)
}
