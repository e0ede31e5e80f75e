// Package canvas is the grid of cells a screen draws on. Whatever is put on
// it, it is written as exactly its height in lines of exactly its width in
// cells, with no escape sequence but those of the styles: text is made safe
// cell by cell (package cell), what lies outside is clipped, and half a wide
// character never stays behind.
package canvas

import (
	"unicode/utf8"

	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/theme"
)

// square is one cell. The right half of a wide character has the rune half.
// arms are the directions in which a line leaves the cell, 0 for text.
type square struct {
	r    rune
	s    theme.Style
	arms arms
}

const half rune = 0

// Canvas is a grid that is drawn anew for each frame and keeps its memory. The
// zero Canvas has no cells; Reset gives it some.
type Canvas struct {
	w, h  int
	cells []square
	out   []byte
}

// New is an empty canvas of w x h cells. Negative sizes are 0.
func New(w, h int) *Canvas {
	c := &Canvas{}
	c.Reset(w, h)
	return c
}

// Reset gives the canvas its size and makes every cell a space. Regions of the
// canvas made before must not be used again.
func (c *Canvas) Reset(w, h int) {
	c.w, c.h = max(w, 0), max(h, 0)
	n := c.w * c.h
	if cap(c.cells) < n {
		c.cells = make([]square, n)
	}
	c.cells = c.cells[:n]
	for i := range c.cells {
		c.cells[i] = square{r: ' '}
	}
}

// Size is the canvas' width and height in cells.
func (c *Canvas) Size() (w, h int) { return c.w, c.h }

// Region is the whole canvas.
func (c *Canvas) Region() Region {
	all := geom.Size(c.w, c.h)
	return Region{c: c, rect: all, clip: all}
}

// Render writes the canvas for a terminal: Size lines, joined by line feeds,
// each beginning and ending in the terminal's plain style, so that any of them
// can be repainted alone.
func (c *Canvas) Render(p *theme.Painter) string {
	out := c.out[:0]
	for y := range c.h {
		if y > 0 {
			out = append(out, '\n')
		}
		out = appendRow(out, c.cells[y*c.w:(y+1)*c.w], p)
	}
	c.out = out
	return string(out)
}

func appendRow(out []byte, row []square, p *theme.Painter) []byte {
	var brush theme.Brush
	for x, sq := range row {
		if sq.r == ' ' {
			out = append(p.Space(out, &brush, sq.s), ' ')
			continue
		}
		if sq.r == half {
			continue
		}
		out = p.Set(out, &brush, sq.s)
		if sq.r < utf8.RuneSelf {
			out = append(out, byte(sq.r))
			continue
		}
		r := p.Rune(sq.r, sq.s)
		out = utf8.AppendRune(out, r)
		if p.ASCII() && x+1 < len(row) && row[x+1].r == half {
			out = utf8.AppendRune(out, r)
		}
	}
	return p.Lift(out, &brush)
}

// Text is what the canvas shows, without styles: for tests, whose goldens say
// what is there.
func (c *Canvas) Text() string {
	out := make([]byte, 0, c.h*(c.w+1))
	for y := range c.h {
		if y > 0 {
			out = append(out, '\n')
		}
		for _, sq := range c.cells[y*c.w : (y+1)*c.w] {
			if sq.r != half {
				out = utf8.AppendRune(out, sq.r)
			}
		}
	}
	return string(out)
}

// StyleAt is the style of a cell, for tests that ask what is lit.
func (c *Canvas) StyleAt(x, y int) theme.Style {
	if !geom.Size(c.w, c.h).Contains(x, y) {
		return 0
	}
	return c.cells[y*c.w+x].s
}

// set writes one character of width w at x, y, which lie on the canvas. What
// it covers by half is blanked.
func (c *Canvas) set(x, y int, r rune, w int, s theme.Style) {
	row := c.cells[y*c.w : (y+1)*c.w]
	if row[x].r == half && x > 0 {
		row[x-1].r = ' '
	}
	end := x + w
	if end < len(row) && row[end].r == half {
		row[end].r = ' '
	}
	row[x] = square{r: r, s: s}
	if w == 2 {
		row[x+1] = square{r: half, s: s}
	}
}
