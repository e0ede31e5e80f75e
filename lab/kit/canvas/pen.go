package canvas

import (
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/theme"
)

// Pen writes pieces of one row one behind the other. Each call gives the pen
// where it then stands:
//
//	r.Pen(0, 2).Put("LEO", theme.Label).Gap(1).Put(cell.Thin(leo), theme.Name)
type Pen struct {
	r    Region
	x, y int
}

// Pen is a pen at the cell x, y.
func (r Region) Pen(x, y int) Pen { return Pen{r, x, y} }

// Put writes text and moves behind it.
func (p Pen) Put(text string, s theme.Style) Pen {
	p.x = p.r.Put(p.x, p.y, text, s)
	return p
}

// Fit writes text at the left of exactly width cells, shortened if need be.
func (p Pen) Fit(width int, text string, s theme.Style) Pen {
	text = cell.Truncate(text, width)
	return p.Put(text, s).Put(cell.Spaces(width-cell.Width(text)), s&theme.Selected)
}

// Number writes text at the right of exactly width cells, as numbers stand.
func (p Pen) Number(width int, text string, s theme.Style) Pen {
	text = cell.Truncate(text, width)
	return p.Put(cell.Spaces(width-cell.Width(text)), s&theme.Selected).Put(text, s)
}

// Sign writes one sign n times and moves behind it.
func (p Pen) Sign(sign rune, n int, s theme.Style) Pen {
	p.x = p.r.Repeat(p.x, p.y, n, sign, s)
	return p
}

// Line writes styled text and moves behind it.
func (p Pen) Line(l Line) Pen {
	p.x = p.r.PutLine(p.x, p.y, l)
	return p
}

// Gap leaves n cells as they are.
func (p Pen) Gap(n int) Pen {
	p.x += n
	return p
}

// To moves to a column of the region.
func (p Pen) To(x int) Pen {
	p.x = x
	return p
}

// X is the column the pen stands at.
func (p Pen) X() int { return p.x }
