package screen

import (
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/keys"
	"kafkalab/lab/kit/markdown"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// readPage is what is read before the first step, beside the cluster that it
// begins with.
type readPage struct {
	onWalk
	prose
}

// prose is Markdown laid out for one width, kept as long as both stay.
type prose struct {
	source string
	width  int
	lines  []canvas.Line
}

func (p *prose) lay(source string, width int) []canvas.Line {
	if p.lines == nil || p.source != source || p.width != width {
		p.source, p.width, p.lines = source, width, markdown.Render(source, width)
	}
	return p.lines
}

func (p *readPage) name() Page { return Read }

func (p *readPage) enter() []Action { return p.flow.isAt(Read) }

func (p *readPage) place() canvas.Line { return canvas.T("read", theme.Label) }

func (p *readPage) field() Field { return nil }

func (p *readPage) opens(rune) bool { return true }

// commands begin with the one that goes on.
func (p *readPage) commands() Commands {
	var cs Commands
	if p.broken() {
		return cs
	}
	cs.add(groupLearn, "enter", p.begin(), p.flow.onward, "enter", "right")
	return cs
}

// begin names what comes after reading.
func (p *readPage) begin() string {
	switch p.flow.after(Read) {
	case Step:
		return "first step"
	case "":
		return "what next"
	default:
		return pageWord(p.flow.after(Read))
	}
}

func (p *readPage) scroll(k tea.KeyMsg, w, h int) { p.scrollText(k, p.column(w), h) }

func (p *readPage) click(int) []Action { return nil }

func (p *readPage) plan(w, h int) geom.Plan {
	return p.lessonPlan(w, h, func(width int) int { return p.column(width).rows() })
}

func (p *readPage) column(width int) *column {
	if p.broken() {
		return &column{head: brokenText(p.walk.err, width)}
	}
	c := &column{head: p.lay(p.walk.cursor.Read(), width)}
	c.over(func(r canvas.Region, y int) {
		widget.Button(r.Pen(0, y), keys.Bind("enter", p.begin()))
	})
	return c
}

func (p *readPage) says(r canvas.Region) { p.column(r.W()-1).draw(r, &p.head) }
