package panel

import (
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
)

// Widths of the box of a segment, in cells.
const (
	boxWide   = 17
	boxNarrow = 11
)

// boxRow is a window of a log's segments, as boxes side by side.
type boxRow struct {
	segs     []segmentInfo
	from, to int // the segments that are seen
	x, w     int // of the first box, and the width of each
}

// layBoxes chooses the segments that are seen in width cells; the one at index
// at is among them, and the others around it.
func layBoxes(width int, segs []segmentInfo, at int) boxRow {
	b := boxRow{segs: segs, to: len(segs)}
	if len(segs) == 0 {
		return b
	}
	if width >= 52 {
		b.x = 2
	}
	room := width - b.x
	b.w = max(boxNarrow, min(boxWide, room/len(segs)))
	if len(segs)*b.w <= room {
		return b
	}
	const count = 5 // cells that tell how many segments are not seen, at each side
	b.x += count
	room -= 2 * count
	n := max(1, room/(boxNarrow+2))
	b.w = min(boxWide, max(boxNarrow, room/n))
	b.from = max(0, min(at-n/2, len(segs)-n))
	b.to = min(len(segs), b.from+n)
	return b
}

// box is where a segment stands.
func (b boxRow) box(i, h int) geom.Rect {
	return geom.Rect{X: b.x + (i-b.from)*b.w, W: b.w, H: h}
}

// column is where an offset of a segment stands: in the strip inside its box.
func (b boxRow) column(i int, offset int64) int {
	s := b.segs[i]
	inner := b.w - 4
	at := 0
	if s.Next > s.Base {
		at = int(float64(offset-s.Base) / float64(s.Next-s.Base) * float64(inner))
	}
	return b.box(i, 1).X + 2 + max(0, min(at, inner-1))
}

// note notes where the boxes stand, for clicks.
func (b boxRow) note(r canvas.Region, c *clicks) {
	for i := b.from; i < b.to; i++ {
		c.addPart(r, b.box(i, r.H()), i)
	}
}

// seen tells if a segment is among those seen.
func (b boxRow) seen(i int) bool { return i >= b.from && i < b.to }

// draw draws the boxes, as high as the region; inside fills each.
func (b boxRow) draw(r canvas.Region, style func(i int) theme.Style, inside func(r canvas.Region, i int, s theme.Style)) {
	for i := b.from; i < b.to; i++ {
		s := style(i)
		box := b.box(i, r.H())
		in := r.Box(box, s&^theme.Bold)
		title := " " + cell.Thin(b.segs[i].Base) + " "
		if cell.Width(title) > b.w-4 {
			title = " " + cell.TruncateStart(cell.Thin(b.segs[i].Base), b.w-4) + " "
		}
		r.Put(box.X+max(1, min(4, (b.w-cell.Width(title))/2)), 0, title, s)
		inside(in.Sub(in.Rect().Pad(1, 0, 0, 0)), i, s)
	}
	y := r.H() / 2
	if b.from > 0 {
		r.PutRight(b.x-1, y, "+"+cell.Thin(int64(b.from)), theme.Label)
	}
	if rest := len(b.segs) - b.to; rest > 0 {
		r.Put(b.box(b.to, 1).X+1, y, "+"+cell.Thin(int64(rest)), theme.Label)
	}
}

// sizeText is what a box says of its segment in one line.
func sizeText(s segmentInfo, width int) string {
	size := cell.Size(int64(s.Bytes))
	if long := "active " + size; s.Active && cell.Width(long) <= width {
		return long
	}
	if s.Active && s.Bytes == 0 {
		return cell.Truncate("active", width)
	}
	if long := "active " + cell.Thin(int64(s.Bytes>>10)) + " KiB"; s.Active && s.Bytes >= 1<<10 && cell.Width(long) <= width {
		return long
	}
	return cell.Truncate(size, width)
}

// boxLine tells of the segments in one row, where there is no room for boxes.
func boxLine(r canvas.Region, y int, segs []segmentInfo, at int) {
	r = r.Sub(geom.Rect{Y: y, W: r.W(), H: 1})
	pen := r.Pen(0, 0).Put(count(int64(len(segs)), "segment"), theme.Label)
	lo := max(0, at-1)
	if lo > 0 {
		pen = pen.Put(" "+string(glyph.Ellipsis), theme.Faint)
	}
	for i := lo; i < len(segs); i++ {
		style := theme.Text
		if i == at {
			style = theme.Focus | theme.Bold
		}
		text := " " + cell.Thin(segs[i].Base)
		if segs[i].Active {
			text += " active"
		}
		if pen.X()+cell.Width(text) > r.W() && i > at {
			pen.Put(" "+string(glyph.Ellipsis), theme.Faint)
			return
		}
		pen = pen.Put(text, style)
	}
}

// mark is a sign below a row of boxes, and what it means.
type mark struct {
	column int
	style  theme.Style
	text   canvas.Line
}

// drawMarks puts a sign for each mark into row y, which may be the boxes' lower
// edge, and what it says into the next one, nearby. The marks are in the order of their columns.
func drawMarks(r canvas.Region, y int, marks []mark) {
	limit := r.W()
	for i := len(marks) - 1; i >= 0; i-- {
		m := marks[i]
		r.Put(m.column, y, string(glyph.Up), m.style)
		w := m.text.Width()
		x := min(m.column, limit-w)
		if x < 0 && limit < r.W() {
			return // no room beside the later ones, which matter more
		}
		x = max(x, 0)
		r.PutLine(x, y+1, m.text.Truncate(limit-x))
		limit = x - 2
	}
}

// segmentAt is the index of the segment with the greatest base at or below an
// offset, 0 if there is none.
func segmentAt(segs []segmentInfo, offset int64) int {
	at := 0
	for i, s := range segs {
		if s.Base <= offset {
			at = i
		}
	}
	return at
}
