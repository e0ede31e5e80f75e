package widget

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/theme"
)

// KeyLine is the line of keys that work now, the most important first. What
// does not fit is left out from its end, but never the key to the help sheet,
// where all of them are. Bindings that are disabled or have no help text are
// not shown.
type KeyLine []key.Binding

const between = " · "

// helpKey opens the help sheet on every screen.
const helpKey = "?"

// place is where a binding stands in the line.
type place struct {
	binding key.Binding
	x, w    int
}

// Draw draws the line into the first row of a region.
func (k KeyLine) Draw(r canvas.Region) {
	for i, p := range k.places(r.W()) {
		if i > 0 {
			r.Put(p.x-cell.Width(between), 0, between, theme.Faint)
		}
		drawKey(r.Pen(p.x, 0), p.binding)
	}
}

// At is the binding whose key or label is at column x of a line width cells
// wide: what a mouse click means.
func (k KeyLine) At(width, x int) (key.Binding, bool) {
	for _, p := range k.places(width) {
		if x >= p.x && x < p.x+p.w {
			return p.binding, true
		}
	}
	return key.Binding{}, false
}

func (k KeyLine) places(width int) []place {
	shown := make([]place, 0, len(k))
	total := -cell.Width(between)
	for _, b := range k {
		if h := b.Help(); b.Enabled() && h.Key != "" && h.Desc != "" {
			w := cell.Width(h.Key) + 1 + cell.Width(h.Desc)
			shown = append(shown, place{binding: b, w: w})
			total += w + cell.Width(between)
		}
	}
	for total > width && len(shown) > 1 {
		drop := len(shown) - 1
		if slices.Contains(shown[drop].binding.Keys(), helpKey) {
			drop--
		}
		total -= shown[drop].w + cell.Width(between)
		shown = slices.Delete(shown, drop, drop+1)
	}
	x := 0
	for i := range shown {
		shown[i].x = x
		x += shown[i].w + cell.Width(between)
	}
	return shown
}

func drawKey(p canvas.Pen, b key.Binding) canvas.Pen {
	return p.Put(b.Help().Key, theme.Key).Gap(1).Put(b.Help().Desc, theme.Label)
}

// Hints writes keys and what they do in the middle of a screen, gap cells
// apart: "enter answer   space skip".
func Hints(p canvas.Pen, gap int, bindings ...key.Binding) canvas.Pen {
	for i, b := range bindings {
		if i > 0 {
			p = p.Gap(gap)
		}
		p = drawKey(p, b)
	}
	return p
}

// Button writes the one key that goes on from here, raised, and what it does.
func Button(p canvas.Pen, b key.Binding) canvas.Pen {
	h := b.Help()
	return p.Put(" "+h.Key+" ", theme.Name|theme.Selected).Gap(2).Put(h.Desc, theme.Text)
}
