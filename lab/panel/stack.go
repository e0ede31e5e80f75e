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
// there is room for it. Parts that do not fit are left out. Rows that are left
// over go to the parts of the lowest rank first, and last of all to those that
// could use the whole region.
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
	rows := share(parts, r.H()-gap*(len(parts)-1))
	y := 0
	for i, p := range parts {
		p.draw(r.Sub(geom.Rect{Y: y, W: r.W(), H: min(rows[i], r.H()-y)}))
		y += rows[i] + gap
	}
}

// share divides h rows among parts that have room.
func share(parts []part, h int) []int {
	rows := make([]int, len(parts))
	order := make([]int, len(parts))
	for i, p := range parts {
		rows[i], order[i] = p.least, i
	}
	spare := h - rowsOf(parts)
	slices.SortStableFunc(order, func(a, b int) int {
		if x, y := parts[a].most >= h, parts[b].most >= h; x != y {
			if x {
				return 1
			}
			return -1
		}
		return parts[a].rank - parts[b].rank
	})
	for _, i := range order {
		more := max(0, min(spare, parts[i].most-parts[i].least))
		rows[i] += more
		spare -= more
	}
	return rows
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
