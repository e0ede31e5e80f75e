package panel

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/geom"
)

// Clicked is a panel with rows that a click selects. A click on the row that is
// selected already opens it, where enter does.
type Clicked interface {
	// Click is a click on a cell of the terminal; mine tells that one of the
	// panel's rows stood there in the last frame.
	Click(x, y int, m Model) (a Action, mine bool)
}

// Nested is a panel that may have something open that lies over its list: esc
// goes back to the list then, before it leaves the page.
type Nested interface{ Nested(m Model) bool }

// clicks are the places of a panel's rows in the last frame. A panel that is
// drawn notes them anew.
type clicks struct{ list []place }

// place is where something stands on the terminal: n is its number among its
// like.
type place struct {
	area geom.Rect
	n    int
}

func (c *clicks) reset() { c.list = c.list[:0] }

// add notes a whole row of a region.
func (c *clicks) add(r canvas.Region, y, n int) { c.addPart(r, geom.Rect{Y: y, W: r.W(), H: 1}, n) }

// addPart notes a part of a region.
func (c *clicks) addPart(r canvas.Region, part geom.Rect, n int) {
	x, y := r.Screen(part.X, part.Y)
	c.list = append(c.list, place{geom.Rect{X: x, Y: y, W: part.W, H: part.H}, n})
}

// at is what stands at a cell; of what was noted there, the last.
func (c *clicks) at(x, y int) (n int, ok bool) {
	for i := len(c.list) - 1; i >= 0; i-- {
		if c.list[i].area.Contains(x, y) {
			return c.list[i].n, true
		}
	}
	return 0, false
}

// row is the number of the first place at a cell in the order in which they were
// noted, from 0; 0 if there is none.
func (c *clicks) row(x, y int) int {
	return max(0, slices.IndexFunc(c.list, func(p place) bool { return p.area.Contains(x, y) }))
}

// enter is what a click on a selected row strikes.
var enter = tea.KeyMsg{Type: tea.KeyEnter}
