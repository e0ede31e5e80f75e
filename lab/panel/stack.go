package panel

import (
	"slices"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/geom"
)

// part is a stretch of rows of a panel.
type part struct {
	least, most int // rows that it can do with, and that it can use
	rank        int // when room is short, parts of the highest rank are left out first
	draw        func(canvas.Region)
}

// stack draws parts one below the other, with an empty row between them where
// there is room for it. Parts that do not fit are left out; those first in the
// list get the rows that are left over.
func stack(r canvas.Region, parts ...part) {
	parts = slices.DeleteFunc(slices.Clone(parts), func(p part) bool { return p.most <= 0 })
	for i := range parts {
		parts[i].least = max(1, min(parts[i].least, parts[i].most))
	}
	for len(parts) > 1 && rowsOf(parts) > r.H() {
		parts = slices.Delete(parts, leastNeeded(parts), leastNeeded(parts)+1)
	}
	gap := 0
	if rowsOf(parts)+len(parts)-1 <= r.H() {
		gap = 1
	}
	spare := r.H() - rowsOf(parts) - gap*(len(parts)-1)
	y := 0
	for _, p := range parts {
		rows := p.least + max(0, min(spare, p.most-p.least))
		spare -= rows - p.least
		p.draw(r.Sub(geom.Rect{Y: y, W: r.W(), H: min(rows, r.H()-y)}))
		y += rows + gap
	}
}

func rowsOf(parts []part) int {
	rows := 0
	for _, p := range parts {
		rows += p.least
	}
	return rows
}

// leastNeeded is the last part of the highest rank.
func leastNeeded(parts []part) int {
	at := 0
	for i, p := range parts {
		if p.rank >= parts[at].rank {
			at = i
		}
	}
	return at
}
