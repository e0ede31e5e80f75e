// Package geom is the lab's geometry: rectangles of cells and the layouts of a
// screen, as pure functions of sizes.
package geom

// Rect is a rectangle of cells: its left upper cell and its size. A rectangle
// with W or H of 0 is empty; sizes are never negative.
type Rect struct{ X, Y, W, H int }

// Size is a rectangle of w x h cells at the origin.
func Size(w, h int) Rect { return Rect{W: max(w, 0), H: max(h, 0)} }

// Empty tells if r has no cells.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Contains tells if the cell x, y is one of r's: what a mouse click asks.
func (r Rect) Contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Intersect is the part that r and s have in common.
func (r Rect) Intersect(s Rect) Rect {
	x, y := max(r.X, s.X), max(r.Y, s.Y)
	w := min(r.X+r.W, s.X+s.W) - x
	h := min(r.Y+r.H, s.Y+s.H) - y
	if w <= 0 || h <= 0 {
		return Rect{X: x, Y: y}
	}
	return Rect{x, y, w, h}
}

// Left cuts n columns off at the left. What r does not have is not cut.
func (r Rect) Left(n int) (left, rest Rect) {
	n = clamp(n, r.W)
	return Rect{r.X, r.Y, n, r.H}, Rect{r.X + n, r.Y, r.W - n, r.H}
}

// Right cuts n columns off at the right.
func (r Rect) Right(n int) (right, rest Rect) {
	n = clamp(n, r.W)
	return Rect{r.X + r.W - n, r.Y, n, r.H}, Rect{r.X, r.Y, r.W - n, r.H}
}

// Top cuts n rows off at the top.
func (r Rect) Top(n int) (top, rest Rect) {
	n = clamp(n, r.H)
	return Rect{r.X, r.Y, r.W, n}, Rect{r.X, r.Y + n, r.W, r.H - n}
}

// Bottom cuts n rows off at the bottom.
func (r Rect) Bottom(n int) (bottom, rest Rect) {
	n = clamp(n, r.H)
	return Rect{r.X, r.Y + r.H - n, r.W, n}, Rect{r.X, r.Y, r.W, r.H - n}
}

// Pad leaves out the given numbers of cells at the four sides.
func (r Rect) Pad(left, top, right, bottom int) Rect {
	_, r = r.Left(left)
	_, r = r.Top(top)
	_, r = r.Right(right)
	_, r = r.Bottom(bottom)
	return r
}

// Center is a rectangle of at most w x h cells in the middle of r.
func (r Rect) Center(w, h int) Rect {
	w, h = clamp(w, r.W), clamp(h, r.H)
	return Rect{r.X + (r.W-w)/2, r.Y + (r.H-h)/2, w, h}
}

// Columns divides r into columns with gap empty cells between them, whose
// widths are in proportion to the weights and fill r exactly. Without room for
// the gaps the columns are empty.
func (r Rect) Columns(gap int, weights ...int) []Rect {
	cols := make([]Rect, len(weights))
	for i, s := range shares(r.W-gap*(len(weights)-1), weights) {
		cols[i] = Rect{r.X + min(s.from+i*gap, r.W), r.Y, s.n, r.H}
	}
	return cols
}

// Rows divides r into rows, as Columns does into columns.
func (r Rect) Rows(gap int, weights ...int) []Rect {
	rows := make([]Rect, len(weights))
	for i, s := range shares(r.H-gap*(len(weights)-1), weights) {
		rows[i] = Rect{r.X, r.Y + min(s.from+i*gap, r.H), r.W, s.n}
	}
	return rows
}

type share struct{ from, n int }

// shares divides n cells by weight: each border is rounded, so that the parts
// add up to n and none is off by more than one.
func shares(n int, weights []int) []share {
	sum := 0
	for _, w := range weights {
		sum += max(w, 0)
	}
	n, sum = max(n, 0), max(sum, 1)
	out := make([]share, len(weights))
	from, upTo := 0, 0
	for i, w := range weights {
		upTo += max(w, 0)
		to := (n*upTo + sum/2) / sum
		out[i] = share{from, to - from}
		from = to
	}
	return out
}

func clamp(n, limit int) int { return max(0, min(n, limit)) }
