package screen

import (
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// leftWidth is the width of a lesson's left column at 100 columns, and
// panelRows what a panel needs at least where it stands below the text.
const (
	leftWidth = 38
	panelRows = 8
)

// lessonPlan is the plan of the pages that say at the left and show at the
// right. rows gives the height of the left column at a width.
func lessonPlan(w, h int, rows func(width int) int) geom.Plan {
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

// showing is the part of a page that shows a walk's cluster at the right.
type showing struct{ scroll widget.Scroll }

func (showing) shows(r canvas.Region, w *walk) {
	if w.err == nil {
		w.stage.draw(r)
	}
}

func (showing) aside(r canvas.Region, w *walk) {
	if w.err == nil {
		w.stage.drawAside(r)
	}
}

// scrollKey moves the text at the left, if it does not fit.
func (s *showing) scrollKey(k tea.KeyMsg, c *column, height int) bool {
	return c.overflows(height) && s.scroll.Key(k, max(height/2, 1), len(c.head))
}

// broken says what is wrong with a course whose scripts do not run. Nothing
// else can be shown of such a lesson.
func broken(err error, width int) []canvas.Line {
	return paragraphs(
		heading("This lesson does not run", width),
		canvas.T(err.Error(), theme.Refused).Wrap(width),
		canvas.T("kafkalab check says more.", theme.Muted).Wrap(width),
	)
}
