package screen

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/engine/console"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/keys"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
	"kafkalab/lab/panel"
)

// transcript is the lens of the command line: what was run at this step, and
// what it printed. It is a panel like the others.
type transcript struct {
	outputs func() []console.Output
	scroll  widget.Scroll
	lines   []canvas.Line
	height  int
	seen    int  // of the outputs, when they were drawn last
	drawn   bool // they were drawn before
	fromTop bool // what is there at first is read from its beginning
}

func newTranscript(outputs func() []console.Output) *transcript { return &transcript{outputs: outputs} }

// Name names the lens.
func (t *transcript) Name() string { return commandsLens }

const commandsLens = "commands"

// Typing is never: the console is where lines are typed.
func (t *transcript) Typing() bool { return false }

// Cursor is at nothing.
func (t *transcript) Cursor(panel.Model) panel.Cursor {
	return panel.Cursor{Offset: panel.None}
}

// Keys scroll, once there is more than fits.
func (t *transcript) Keys(panel.Model) []key.Binding {
	if len(t.lines) <= t.height {
		return nil
	}
	return []key.Binding{keys.Bind("↑↓", "scroll", "up", "down")}
}

// Key scrolls.
func (t *transcript) Key(k tea.KeyMsg, _ panel.Model) (panel.Action, bool) {
	return nil, len(t.lines) > t.height && t.scroll.Key(k, t.height, len(t.lines))
}

// Draw draws the commands with their output below each.
func (t *transcript) Draw(r canvas.Region, _ panel.Model) {
	all := t.outputs()
	t.lines, t.height = outputLines(all, r.W()-2), r.H()
	t.follow(all, r.W()-2)
	if len(t.lines) == 0 {
		r.Put(0, 0, "Nothing has run at this step yet.", theme.Muted)
		return
	}
	putScrolled(r, t.lines, &t.scroll)
}

// follow goes to what was run since the last frame: to the end, or to where the
// newest command stands if it printed more than fits.
func (t *transcript) follow(all []console.Output, width int) {
	switch n := len(all); {
	case n < t.seen:
		t.scroll.Top()
	case n > t.seen && (t.drawn || !t.fromTop):
		newest := len(outputOf(all[n-1], width))
		t.scroll.End(len(t.lines) - max(newest, t.height))
	}
	t.seen, t.drawn = len(all), true
}

// behind puts a lead before the first of some lines, and as much room before
// the others.
func behind(lead canvas.Line, lines []canvas.Line) []canvas.Line {
	room := canvas.T(cell.Spaces(lead.Width()), theme.Text)
	out := make([]canvas.Line, len(lines))
	for i, l := range lines {
		if i > 0 {
			lead = room
		}
		out[i] = append(append(canvas.Line{}, lead...), l...)
	}
	return out
}

// outputLines lays commands and what they printed out in width cells.
func outputLines(outputs []console.Output, width int) []canvas.Line {
	var lines []canvas.Line
	for i, o := range outputs {
		if i > 0 {
			lines = append(lines, nil)
		}
		lines = append(lines, outputOf(o, width)...)
	}
	return lines
}

// outputOf is one command behind its prompt, and what it printed.
func outputOf(o console.Output, width int) []canvas.Line {
	lines := hang(canvas.T(string(glyph.Prompt)+" ", theme.Focus), canvas.T(Spoken(o.Command), theme.Bright), width)
	return append(lines, printed(o, width)...)
}

// printed is what a command printed: its result, Kafka's error in red, or an
// expectation that failed.
func printed(o console.Output, width int) []canvas.Line {
	indent := canvas.T("  ", theme.Text)
	var lines []canvas.Line
	for _, text := range o.Text {
		style := theme.Text
		if o.Err != nil {
			style = theme.Refused
		}
		lines = append(lines, hang(indent, canvas.T(text, style), width)...)
	}
	if o.Failed != "" {
		lines = append(lines, hang(indent, canvas.T(o.Failed, theme.Refused), width)...)
	}
	return lines
}

// hang wraps a line behind a lead: what follows its first row is indented by
// as much.
func hang(lead, l canvas.Line, width int) []canvas.Line {
	indent := lead.Width()
	return behind(lead, l.Wrap(max(width-indent, 1)))
}
