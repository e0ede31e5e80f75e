package screen

import (
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
	"kafkalab/lab/panel"
)

// leftWidth is the width of a lesson's left column at 100 columns, and
// panelRows what a panel needs at least where it stands below the text.
const (
	leftWidth = 38
	panelRows = 8
)

// onWalk is what the pages have in common whose cluster is a walk's.
type onWalk struct {
	flow *Lesson
	walk *walk
	head widget.Scroll // where the reader is in the text
}

// broken tells whether the course's own scripts fail: then there is nothing to
// show but that.
func (p *onWalk) broken() bool { return p.walk == nil || p.walk.err != nil }

// half is never: nothing on these pages is lost.
func (p *onWalk) half() bool { return false }

func (p *onWalk) status() canvas.Line {
	if p.broken() {
		return nil
	}
	return clock(p.walk.stage.clock())
}

func (p *onWalk) stage() *stage {
	if p.broken() {
		return nil
	}
	return p.walk.stage
}

func (p *onWalk) console() *Console {
	if p.broken() {
		return nil
	}
	return p.walk.shell
}

func (p *onWalk) perform(a panel.Action) []Action { return p.walk.perform(a) }

func (p *onWalk) look(cs *Commands) {
	if !p.broken() {
		p.walk.lookCommands(cs)
	}
}

// lessonPlan is the plan of the pages that say at the left and show at the
// right. rows gives the height of the left column at a width.
func (p *onWalk) lessonPlan(w, h int, rows func(width int) int) geom.Plan {
	if p.broken() {
		return geom.Plan{}
	}
	return besidePlan(w, h, rows)
}

func besidePlan(w, h int, rows func(width int) int) geom.Plan {
	p := geom.Plan{Left: leftWidth, Aside: true, ShowsRows: panelRows}
	if w < geom.TwoColumns {
		p.SaysRows = rows(w - 2)
		if h >= geom.Roomy {
			p.SaysRows++
			p.ShowsRows++
		}
	}
	return p
}

// scrollText moves the text at the left, if it does not fit.
func (p *onWalk) scrollText(k tea.KeyMsg, c *column, h int) {
	if c.overflows(h) {
		p.head.Key(k, max(h/2, 1), len(c.head))
	}
}

// brokenText says what is wrong with a course whose scripts do not run. Nothing
// else can be shown of such a lesson.
func brokenText(err error, width int) []canvas.Line {
	return paragraphs(
		heading("This lesson does not run", width),
		canvas.T(err.Error(), theme.Refused).Wrap(width),
		canvas.T("kafkalab check says more.", theme.Muted).Wrap(width),
	)
}
