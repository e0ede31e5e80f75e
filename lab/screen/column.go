package screen

import (
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// text is lines one below the other, some of which are drawn by somebody else:
// a field, a row that can be picked.
type text struct {
	lines []canvas.Line
	drawn []drawnRow
	lit   []litRow
}

// litRow is a row that is lit from edge to edge.
type litRow struct {
	row   int
	style theme.Style // of the bar at its left
}

type drawnRow struct {
	row  int
	draw func(r canvas.Region, y int)
}

// say adds lines.
func (t *text) say(lines ...canvas.Line) { t.lines = append(t.lines, lines...) }

// gap adds an empty line, unless there is nothing above it.
func (t *text) gap() {
	if len(t.lines) > 0 {
		t.lines = append(t.lines, nil)
	}
}

// over adds a row that something else draws.
func (t *text) over(draw func(r canvas.Region, y int)) {
	t.drawn = append(t.drawn, drawnRow{len(t.lines), draw})
	t.lines = append(t.lines, nil)
}

// light lights the row that was added last.
func (t *text) light(s theme.Style) { t.lit = append(t.lit, litRow{len(t.lines) - 1, s}) }

// rows is the height of the text.
func (t *text) rows() int { return len(t.lines) }

// draw draws the text from row from on, as far as the region goes.
func (t *text) draw(r canvas.Region, from int) {
	to := min(from+r.H(), len(t.lines))
	r.PutLines(0, 0, t.lines[min(from, to):to])
	for _, d := range t.drawn {
		if d.row >= from && d.row < to {
			d.draw(r, d.row-from)
		}
	}
}

// drawWide draws the text in a region whose first margin cells are its edge: a
// row that is lit takes them in.
func (t *text) drawWide(r canvas.Region, margin, from int) {
	t.draw(r.Sub(r.Rect().Pad(margin, 0, 0, 0)), from)
	for _, l := range t.lit {
		if y := l.row - from; y >= 0 && y < r.H() {
			widget.Select(r, geom.Rect{X: 0, Y: y, W: r.W(), H: 1}, margin, l.style)
		}
	}
}

// column is what the left side says: a head that is read, and below it a tail
// with the question or the answer, which is seen whatever the room. Where the
// head does not fit above it, it scrolls.
type column struct {
	head []canvas.Line
	text // the tail
}

// rows is the height in which all of it is seen.
func (c *column) rows() int {
	if len(c.head) == 0 || len(c.lines) == 0 {
		return len(c.head) + len(c.lines)
	}
	return len(c.head) + 1 + len(c.lines)
}

// overflows tells whether the head scrolls in a column of h rows.
func (c *column) overflows(h int) bool { return c.rows() > h && len(c.head) > 0 }

// draw fills a region whose last column is the margin of the text. scroll is
// where the reader is in the head.
func (c *column) draw(r canvas.Region, scroll *widget.Scroll) {
	room := r.H() - min(len(c.lines), r.H())
	if len(c.lines) > 0 && len(c.head) > 0 {
		room = max(room-1, 0)
	}
	head := r.Sub(geom.Rect{W: r.W(), H: min(room, len(c.head))})
	putScrolled(head, c.head, scroll)
	y := head.H()
	if y > 0 {
		y++
	}
	below := r.Sub(geom.Rect{Y: y, W: r.W() - 1, H: r.H() - y})
	c.text.draw(below, max(len(c.lines)-below.H(), 0)) // the end says most
}

// heading is the title above a text.
func heading(title string, width int) []canvas.Line {
	return canvas.T(title, theme.Name).Wrap(width)
}

// paragraphs joins blocks of lines with an empty line between those that are
// not empty.
func paragraphs(blocks ...[]canvas.Line) []canvas.Line {
	var all []canvas.Line
	for _, b := range blocks {
		if len(b) == 0 {
			continue
		}
		if len(all) > 0 {
			all = append(all, nil)
		}
		all = append(all, b...)
	}
	return all
}
