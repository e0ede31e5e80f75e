package screen

import (
	"errors"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/engine/console"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// Shell is a cluster on which lines are run.
type Shell interface {
	// Exec runs one line. An error is a line that cannot be read, or a cluster
	// that failed; what Kafka refuses is in the output.
	Exec(line string) (console.Output, error)
}

// historyLimit bounds what the arrows up and down go through, scrollbackLimit
// the lines of output that are kept.
const (
	historyLimit    = 200
	scrollbackLimit = 2000
)

// Console is the sheet in which the learner types commands. It stays with its
// cluster: closed and opened again, it has all that was said.
type Console struct {
	shell   Shell
	text    widget.Input
	history []string
	at      int // in history; its length is the line under way
	draft   string
	entries []entry
	scroll  widget.Scroll
	follow  bool
	height  int
	count   int
	offers  []string // completions of the word under way
	// words takes the lines that are the lab's own, nil for none.
	words func(line string) (out console.Output, mine bool, err error)
	// after is asked after each line, for what else has to be done.
	after func() []Action
}

// entry is one line that was typed, and what came of it.
type entry struct {
	out console.Output
	err error
}

// NewConsole makes the console of a cluster.
func NewConsole(s Shell) *Console {
	c := &Console{shell: s, follow: true}
	c.text.Empty = "topic create orders partitions=3"
	c.text.Limit = 1000
	return c
}

// Run runs a line, typed or asked for by a panel.
func (c *Console) Run(line string) []Action {
	out, err := c.exec(line)
	if out.Command == "" {
		out.Command = line
	}
	c.entries = append(c.entries, entry{out, err})
	if extra := len(c.entries) - scrollbackLimit/4; extra > 0 {
		c.entries = slices.Delete(c.entries, 0, extra)
	}
	c.follow = true
	if c.after != nil {
		return c.after()
	}
	return nil
}

// exec gives a line to the lab, if it is one of its own, else to the cluster.
func (c *Console) exec(line string) (console.Output, error) {
	if c.words != nil {
		if out, mine, err := c.words(line); mine {
			return out, err
		}
	}
	return c.shell.Exec(line)
}

// Field takes what is typed.
func (c *Console) Field() Field { return c }

// Type edits the line. Arrows up and down, tab and enter are commands.
func (c *Console) Type(k tea.KeyMsg) ([]Action, bool) {
	if k.Paste {
		return c.paste(k), true
	}
	mine := c.text.Key(k)
	if mine {
		c.offers = nil
	}
	return nil, mine
}

// Commands are the keys that are no text.
func (c *Console) Commands() Commands {
	var cs Commands
	if strings.TrimSpace(c.text.Value()) != "" {
		cs.add(groupType, "enter", "run", c.enter)
	}
	if _, words := c.candidates(c.text.Value(), c.text.Cursor()); len(words) > 0 {
		cs.add(groupType, "tab", "complete", c.complete)
	}
	if len(c.history) > 0 {
		cs.line("↑↓", "history")
		cs.quiet(groupType, "↑", "the line before", c.recall(-1), "up", "ctrl+p")
		cs.quiet(groupType, "↓", "the next line", c.recall(1), "down", "ctrl+n")
	}
	if c.count > c.height {
		cs.add(groupMove, "pgup pgdn", "scroll", nil)
	}
	cs.add(groupEverywhere, "esc", "close", always(Close{}))
	return cs
}

// Other scrolls what was said.
func (c *Console) Other(k tea.KeyMsg) []Action {
	if c.scroll.Key(k, max(c.height, 1), c.count) {
		c.follow = c.scroll.AtEnd(c.height, c.count)
	}
	return nil
}

// Click does nothing.
func (c *Console) Click(int, int) []Action { return nil }

func (c *Console) enter() []Action {
	line := strings.TrimSpace(c.text.Value())
	if line == "" {
		return nil
	}
	c.text.Set("")
	c.offers = nil
	if len(c.history) == 0 || c.history[len(c.history)-1] != line {
		c.history = append(c.history, line)
	}
	c.history = c.history[max(0, len(c.history)-historyLimit):]
	c.at = len(c.history)
	return c.Run(line)
}

// recall goes through the lines that were typed. The one under way is kept
// below the newest.
func (c *Console) recall(by int) func() []Action {
	return func() []Action {
		if c.at == len(c.history) {
			c.draft = c.text.Value()
		}
		c.at = max(0, min(c.at+by, len(c.history)))
		line := c.draft
		if c.at < len(c.history) {
			line = c.history[c.at]
		}
		c.text.Set(line)
		c.offers = nil
		return nil
	}
}

// Draw draws the console over the lower part of the body: the panel above it
// shows at once what a line does.
func (c *Console) Draw(r canvas.Region) {
	inner := strip(r, "console", max(8, (r.H()-4)*9/20))
	said, line := inner.Rect().Top(inner.H() - 1)
	if len(c.offers) > 0 {
		said, _ = said.Top(said.H - 1)
		c.drawOffers(inner, line.Y-1)
	}
	c.drawSaid(inner.Sub(said.Pad(0, 0, 0, 1)))
	inner.Put(0, line.Y, string(glyph.Prompt), theme.Focus|theme.Bold)
	c.text.Draw(inner.Sub(geom.Rect{X: 1, Y: line.Y, W: inner.W() - 1, H: 1}), true)
	drawKeys(r, c.Commands())
}

func (c *Console) drawOffers(r canvas.Region, y int) {
	r.Put(2, y, cell.Truncate(strings.Join(c.offers, "   "), r.W()-2), theme.Muted)
}

// consoleHint is what an empty console says.
const consoleHint = "A command acts on this cluster, as it is now. tab shows what can be typed."

func (c *Console) drawSaid(r canvas.Region) {
	lines := c.lines(r.W() - 2)
	c.count, c.height = len(lines), r.H()
	if c.follow {
		c.scroll.End(c.count)
	}
	if pad := r.H() - max(len(lines), 1); pad > 0 {
		r = r.Sub(geom.Rect{Y: pad, W: r.W(), H: r.H() - pad}) // what was said stands above the line
	}
	if len(lines) == 0 {
		r.Put(2, 0, consoleHint, theme.Muted)
		return
	}
	putScrolled(r, lines, &c.scroll)
}

func (c *Console) lines(width int) []canvas.Line {
	var lines []canvas.Line
	for _, e := range c.entries {
		lines = append(lines, e.lines(width)...)
	}
	return lines[max(0, len(lines)-scrollbackLimit):]
}

// lines are a line and its output, or why it cannot be read.
func (e entry) lines(width int) []canvas.Line {
	lines := outputOf(e.out, width)
	if e.err == nil {
		return lines
	}
	indent := canvas.T("  ", theme.Text)
	var syntax *console.SyntaxError
	if !errors.As(e.err, &syntax) {
		return append(lines, hang(indent, canvas.T(e.err.Error(), theme.Refused), width)...)
	}
	said := canvas.T(syntax.Message, theme.Refused)
	if syntax.Nearest != "" {
		said = said.Add("; did you mean ", theme.Text).Add(syntax.Nearest, theme.Name).Add("?", theme.Text)
	}
	return append(lines, hang(indent, said, width)...)
}

// outputs are the lines that were run, with what they printed.
func (c *Console) outputs() []console.Output {
	var list []console.Output
	for _, e := range c.entries {
		if e.err == nil {
			list = append(list, e.out)
		}
	}
	return list
}
