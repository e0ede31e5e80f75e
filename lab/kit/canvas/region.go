package canvas

import (
	"unicode/utf8"

	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/theme"
)

// Region is a rectangle of a canvas. Its coordinates begin at its own left
// upper cell; what would fall outside is not drawn. A Region is a small value:
// pass it by value, to whoever fills it.
type Region struct {
	c    *Canvas
	rect geom.Rect // where it is on the canvas
	clip geom.Rect // the part of rect that may be drawn on
}

// W is the region's width in cells.
func (r Region) W() int { return r.rect.W }

// H is the region's height in cells.
func (r Region) H() int { return r.rect.H }

// Rect is the region's size as a rectangle at the origin, to be divided.
func (r Region) Rect() geom.Rect { return geom.Size(r.rect.W, r.rect.H) }

// Screen is where a cell of the region is on the canvas: what a mouse click is
// compared with.
func (r Region) Screen(x, y int) (sx, sy int) { return r.rect.X + x, r.rect.Y + y }

// Sub is a part of the region. It may reach outside: it keeps its size, and
// what lies outside is not drawn.
func (r Region) Sub(part geom.Rect) Region {
	part.X += r.rect.X
	part.Y += r.rect.Y
	part.W, part.H = max(part.W, 0), max(part.H, 0)
	return Region{c: r.c, rect: part, clip: part.Intersect(r.clip)}
}

// Put writes text from the cell x, y on, to the right, in one row, and gives
// the column behind it. Any text is safe to put: see package cell.
func (r Region) Put(x, y int, text string, s theme.Style) int {
	cy := r.rect.Y + y
	if cy < r.clip.Y || cy >= r.clip.Y+r.clip.H {
		return x + cell.Width(text)
	}
	cx, from, to := r.rect.X+x, r.clip.X, r.clip.X+r.clip.W
	for i := 0; i < len(text); {
		if cx >= to {
			return cx - r.rect.X + cell.Width(text[i:])
		}
		ch, size, w := rune(text[i]), 1, 1
		if ch < ' ' || ch >= 0x7F {
			ch, size = utf8.DecodeRuneInString(text[i:])
			ch, w = cell.Rune(ch)
		}
		i += size
		r.putRune(cx, cy, from, to, ch, w, s)
		cx += w
	}
	return cx - r.rect.X
}

// putRune writes one character between the columns from and to. Of a wide one
// that is cut, the visible half is blank.
func (r Region) putRune(cx, cy, from, to int, ch rune, w int, s theme.Style) {
	switch {
	case cx >= from && cx+w <= to:
		r.c.set(cx, cy, ch, w, s)
	case w == 2 && cx >= from && cx < to:
		r.c.set(cx, cy, ' ', 1, s)
	case w == 2 && cx+1 >= from && cx+1 < to:
		r.c.set(cx+1, cy, ' ', 1, s)
	}
}

// PutRight writes text so that it ends before the column x, as numbers do, and
// gives the column where it begins.
func (r Region) PutRight(x, y int, text string, s theme.Style) int {
	x -= cell.Width(text)
	r.Put(x, y, text, s)
	return x
}

// PutLine writes styled text and gives the column behind it.
func (r Region) PutLine(x, y int, l Line) int {
	for _, span := range l {
		x = r.Put(x, y, span.Text, span.Style)
	}
	return x
}

// PutLines writes lines one below the other from row y on, and gives the row
// below the last one.
func (r Region) PutLines(x, y int, lines []Line) int {
	for _, l := range lines {
		r.PutLine(x, y, l)
		y++
	}
	return y
}

// Repeat writes a sign n times.
func (r Region) Repeat(x, y, n int, sign rune, s theme.Style) int {
	r.Fill(geom.Rect{X: x, Y: y, W: n, H: 1}, sign, s)
	return x + max(n, 0)
}

// Fill writes a sign of one cell into every cell of a rectangle.
func (r Region) Fill(part geom.Rect, sign rune, s theme.Style) {
	sign, w := cell.Rune(sign)
	if w != 1 {
		sign = cell.Dot
	}
	area := r.Sub(part).clip
	for y := area.Y; y < area.Y+area.H; y++ {
		for x := area.X; x < area.X+area.W; x++ {
			r.c.set(x, y, sign, 1, s)
		}
	}
}

// Clear makes the whole region blank.
func (r Region) Clear() { r.Fill(r.Rect(), ' ', theme.Text) }

// Wash adds attributes, such as Selected, to the cells of a rectangle and
// leaves what stands in them: a row is drawn first and washed then.
func (r Region) Wash(part geom.Rect, with theme.Style) {
	with &^= with.Hue()
	area := r.Sub(part).clip
	for y := area.Y; y < area.Y+area.H; y++ {
		for x := area.X; x < area.X+area.W; x++ {
			r.c.cells[y*r.c.w+x].s |= with
		}
	}
}
