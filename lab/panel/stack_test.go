package panel

import (
	"testing"

	"pgregory.net/rapid"

	"kafkalab/lab/kit/canvas"
)

// Parts never overlap nor reach below the region, each gets what it can do with
// and no more than it can use, one of the lowest rank is always there, and no
// part is left out for the sake of one of a higher rank.
func TestStack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := rapid.IntRange(1, 40).Draw(t, "h")
		type place struct{ y, h int }
		places := map[int]place{}
		var parts []part
		for i := range rapid.IntRange(1, 6).Draw(t, "parts") {
			least := rapid.IntRange(1, 6).Draw(t, "least")
			p := part{least: least, most: least + rapid.IntRange(0, 10).Draw(t, "more"), rank: rapid.IntRange(0, 3).Draw(t, "rank")}
			p.draw = func(r canvas.Region) {
				_, y := r.Screen(0, 0)
				places[i] = place{y, r.H()}
			}
			parts = append(parts, p)
		}
		stack(canvas.New(10, h).Region(), parts...)
		at := 0
		for i, p := range parts {
			got, there := places[i]
			if !there {
				for j, q := range parts {
					if _, kept := places[j]; kept && q.rank > p.rank {
						t.Fatalf("part %d of rank %d left out, part %d of rank %d kept", i, p.rank, j, q.rank)
					}
				}
				continue
			}
			if got.y < at || got.y+got.h > h {
				t.Fatalf("part %d at row %d with %d rows, %d rows are taken of %d", i, got.y, got.h, at, h)
			}
			if got.h > p.most || got.h < p.least && len(places) > 1 {
				t.Fatalf("part %d has %d rows, %d to %d make sense", i, got.h, p.least, p.most)
			}
			at = got.y + got.h
		}
		if len(places) == 0 {
			t.Fatal("nothing is drawn")
		}
	})
}
