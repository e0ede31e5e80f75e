package widget

import (
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/theme"
)

// Modal clears a place in the middle of a region, of w x h cells inside if
// there is room, draws an edge around it, and gives the region inside. What is
// below stays visible around it, a cell apart.
func Modal(r canvas.Region, title string, w, h int) canvas.Region {
	part := r.Rect().Center(w+4, h+2)
	r.Fill(geom.Rect{X: part.X - 1, Y: part.Y, W: part.W + 2, H: part.H}, ' ', theme.Text)
	inner := r.Box(part, theme.Rule)
	if title != "" && part.W > 6 {
		r.Put(part.X+2, part.Y, " "+cell.Truncate(title, part.W-6)+" ", theme.Name)
	}
	return inner.Sub(inner.Rect().Pad(1, 0, 1, 0))
}
