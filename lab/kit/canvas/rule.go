package canvas

import (
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
)

// arms are the directions in which lines leave a cell.
type arms uint8

const (
	up arms = 1 << iota
	down
	left
	right
)

// joints are the signs for each set of arms. A lone arm is drawn as a whole
// line: the half lines of Unicode are missing from many fonts.
var joints = [16]rune{
	0: ' ', up: glyph.Vertical, down: glyph.Vertical, up | down: glyph.Vertical,
	left: glyph.Horizontal, right: glyph.Horizontal, left | right: glyph.Horizontal,
	up | left: glyph.BottomRight, up | right: glyph.BottomLeft, down | left: glyph.TopRight, down | right: glyph.TopLeft,
	up | down | left: glyph.TeeLeft, up | down | right: glyph.TeeRight,
	left | right | up: glyph.TeeUp, left | right | down: glyph.TeeDown,
	up | down | left | right: glyph.Cross,
}

// HLine draws a line of n cells to the right. Where it meets lines drawn
// before, in any order, the cell becomes their junction.
func (r Region) HLine(x, y, n int, s theme.Style) {
	for i := range n {
		r.joint(x+i, y, ends(i, n, right, left), s)
	}
}

// VLine draws a line of n cells downwards, and joins as HLine does: let it
// begin and end in the rules it stands between.
func (r Region) VLine(x, y, n int, s theme.Style) {
	for i := range n {
		r.joint(x, y+i, ends(i, n, down, up), s)
	}
}

// ends gives the arms of cell i of a line of n: the first has none backwards,
// the last none forwards.
func ends(i, n int, forward, back arms) arms {
	a := forward | back
	if i == 0 && n > 1 {
		a &^= back
	}
	if i == n-1 && n > 1 {
		a &^= forward
	}
	return a
}

func (r Region) joint(x, y int, a arms, s theme.Style) {
	cx, cy := r.rect.X+x, r.rect.Y+y
	if !r.clip.Contains(cx, cy) {
		return
	}
	a |= r.c.cells[cy*r.c.w+cx].arms
	r.c.set(cx, cy, joints[a], 1, s)
	r.c.cells[cy*r.c.w+cx].arms = a
}

// Box draws a frame around a rectangle, over what is there, and gives the
// region inside. It does not join: boxes side by side stay apart.
func (r Region) Box(part geom.Rect, s theme.Style) Region {
	b := r.Sub(part)
	w, h := b.W(), b.H()
	inner := b.Sub(b.Rect().Pad(1, 1, 1, 1))
	if w < 2 || h < 2 {
		return inner
	}
	for _, y := range []int{0, h - 1} {
		b.Repeat(1, y, w-2, glyph.Horizontal, s)
	}
	b.Fill(geom.Rect{X: 0, Y: 1, W: 1, H: h - 2}, glyph.Vertical, s)
	b.Fill(geom.Rect{X: w - 1, Y: 1, W: 1, H: h - 2}, glyph.Vertical, s)
	b.Put(0, 0, string(glyph.TopLeft), s)
	b.Put(w-1, 0, string(glyph.TopRight), s)
	b.Put(0, h-1, string(glyph.BottomLeft), s)
	b.Put(w-1, h-1, string(glyph.BottomRight), s)
	return inner
}
