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
	showing
	flow *Lesson
	walk *walk
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

func (p *readPage) enter() []Action {
	return act(IsAt{Lesson: p.flow.lesson.ID, Page: Read})
}

func (p *readPage) place() canvas.Line { return canvas.T("read", theme.Label) }

func (p *readPage) status() canvas.Line {
	if p.walk.err != nil {
		return nil
	}
	return clock(p.walk.stage.clock())
}

func (p *readPage) half() bool { return false }

func (p *readPage) field() Field { return nil }

func (p *readPage) console() *Console { return p.walk.shell }

// commands begin with the one that goes on.
func (p *readPage) commands() Commands {
	var cs Commands
	if p.walk.err != nil {
		return cs
	}
	cs.add(groupLearn, "enter", p.begin(), p.flow.onward, "enter", "right")
	return cs
}

func (p *readPage) look(cs *Commands) {
	if p.walk.err == nil {
		p.walk.lookCommands(cs)
	}
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

// panelCommands are the panel's keys, behind all others: here one reads.
func (p *readPage) panelCommands(cs *Commands) {
	if p.walk.err == nil {
		p.walk.stage.commands(cs, p.walk.perform)
	}
}

func (p *readPage) other(k tea.KeyMsg) []Action {
	if p.walk.err != nil {
		return nil
	}
	acts, mine := p.walk.stage.key(k, p.walk.perform)
	if !mine {
		l := p.flow.layout(p.flow.env.W, p.flow.env.H)
		says := l.Inner(l.Says)
		p.scrollKey(k, p.column(says.W), says.H)
	}
	return acts
}

func (p *readPage) click(geom.Page, int, int) []Action { return nil }

func (p *readPage) plan(w, h int) geom.Plan {
	return lessonPlan(w, h, func(width int) int { return p.column(width).rows() })
}

func (p *readPage) column(width int) *column {
	if p.walk.err != nil {
		return &column{head: broken(p.walk.err, width)}
	}
	c := &column{head: p.lay(p.walk.cursor.Read(), width)}
	c.over(func(r canvas.Region, y int) {
		widget.Button(r.Pen(0, y), keys.Bind("enter", p.begin()))
	})
	return c
}

func (p *readPage) says(r canvas.Region) { p.column(r.W()).draw(r, &p.scroll) }

func (p *readPage) shows(r canvas.Region) { p.showing.shows(r, p.walk) }

func (p *readPage) aside(r canvas.Region) { p.showing.aside(r, p.walk) }
