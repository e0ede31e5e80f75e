package geom_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kafkalab/lab/kit/geom"
)

func TestCuts(t *testing.T) {
	r := geom.Rect{X: 10, Y: 5, W: 20, H: 8}
	type pair struct{ a, b geom.Rect }
	two := func(a, b geom.Rect) pair { return pair{a, b} }
	for name, c := range map[string]struct{ got, want pair }{
		"left":     {two(r.Left(6)), pair{geom.Rect{10, 5, 6, 8}, geom.Rect{16, 5, 14, 8}}},
		"right":    {two(r.Right(6)), pair{geom.Rect{24, 5, 6, 8}, geom.Rect{10, 5, 14, 8}}},
		"top":      {two(r.Top(3)), pair{geom.Rect{10, 5, 20, 3}, geom.Rect{10, 8, 20, 5}}},
		"bottom":   {two(r.Bottom(3)), pair{geom.Rect{10, 10, 20, 3}, geom.Rect{10, 5, 20, 5}}},
		"too much": {two(r.Left(99)), pair{geom.Rect{10, 5, 20, 8}, geom.Rect{30, 5, 0, 8}}},
		"negative": {two(r.Top(-1)), pair{geom.Rect{10, 5, 20, 0}, r}},
		"pad":      {pair{a: r.Pad(1, 2, 3, 4)}, pair{a: geom.Rect{11, 7, 16, 2}}},
		"center":   {pair{a: r.Center(10, 4)}, pair{a: geom.Rect{15, 7, 10, 4}}},
		"meet":     {pair{a: r.Intersect(geom.Rect{0, 0, 12, 7})}, pair{a: geom.Rect{10, 5, 2, 2}}},
		"apart":    {pair{a: r.Intersect(geom.Rect{0, 0, 2, 2})}, pair{a: geom.Rect{10, 5, 0, 0}}},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
}

func TestColumnsFillExactly(t *testing.T) {
	got := geom.Size(100, 3).Columns(2, 1, 2, 1)
	want := []geom.Rect{{0, 0, 24, 3}, {26, 0, 48, 3}, {76, 0, 24, 3}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	rapid.Check(t, func(t *rapid.T) {
		r := geom.Rect{rapid.IntRange(0, 9).Draw(t, "x"), rapid.IntRange(0, 9).Draw(t, "y"),
			rapid.IntRange(0, 200).Draw(t, "w"), rapid.IntRange(0, 60).Draw(t, "h")}
		gap := rapid.IntRange(0, 3).Draw(t, "gap")
		weights := rapid.SliceOfN(rapid.IntRange(1, 9), 1, 6).Draw(t, "weights")
		sum := 0
		at := r.X
		for i, c := range r.Columns(gap, weights...) {
			if c.W < 0 || c.Intersect(r) != c && !c.Empty() {
				t.Fatalf("column %d %v is not in %v", i, c, r)
			}
			if room := r.W - gap*(len(weights)-1); room >= 0 && c.X != at {
				t.Fatalf("column %d begins at %d, want %d", i, c.X, at)
			}
			at = c.X + c.W + gap
			sum += c.W
		}
		if want := max(0, r.W-gap*(len(weights)-1)); sum != want {
			t.Fatalf("columns have %d cells, want %d", sum, want)
		}
		sum = 0
		for _, c := range r.Rows(0, weights...) {
			sum += c.H
		}
		if sum != r.H {
			t.Fatalf("rows have %d cells, want %d", sum, r.H)
		}
	})
}

// Each case is what stands where: a column as from-to of its x and y.
func TestArrange(t *testing.T) {
	lesson := geom.Plan{Left: 38, Aside: true, SaysRows: 12, ShowsRows: 18}
	short := geom.Plan{Left: 38, SaysRows: 5, ShowsRows: 14}
	for _, c := range []struct {
		name string
		w, h int
		plan geom.Plan
		want string
	}{
		{"too small", 79, 24, lesson, "small"},
		{"too low", 80, 23, lesson, "small"},
		{"narrow, left page", 80, 24, lesson, "says 0-79/2-21 paged"},
		{"narrow, right page", 80, 24, geom.Plan{Left: 38, SaysRows: 12, ShowsRows: 18, Page: geom.PageShows}, "shows 0-79/2-21 paged"},
		{"narrow, both fit", 80, 24, short, "says 0-79/2-6 shows 0-79/8-21 -7"},
		{"just narrow", 99, 40, lesson, "says 0-98/2-13 shows 0-98/15-37 -14"},
		{"two columns", 100, 30, lesson, "says 0-37/2-27 shows 39-99/2-27 |38"},
		{"home", 100, 30, geom.Plan{Left: 58}, "says 0-57/2-27 shows 59-99/2-27 |58"},
		{"one body", 100, 30, geom.Plan{}, "shows 0-99/2-27"},
		{"one body, wide, a panel aside", 140, 40, geom.Plan{Aside: true}, "shows 0-99/2-37 aside 101-139/2-37 |100"},
		{"just two columns", 139, 40, lesson, "says 0-41/2-37 shows 43-138/2-37 |42"},
		{"three columns", 140, 40, lesson, "says 0-37/2-37 shows 39-99/2-37 aside 101-139/2-37 |38 |100"},
		{"wide, nothing aside", 140, 40, geom.Plan{Left: 38}, "says 0-42/2-37 shows 44-139/2-37 |43"},
		{"very wide", 200, 60, lesson, "says 0-44/2-57 shows 46-137/2-57 aside 139-199/2-57 |45 |138"},
	} {
		if got := describe(geom.Arrange(c.w, c.h, c.plan)); got != c.want {
			t.Errorf("%s %dx%d:\n got %s\nwant %s", c.name, c.w, c.h, got, c.want)
		}
	}
}

func describe(l geom.Layout) string {
	if l.Small {
		return "small"
	}
	out := ""
	for _, p := range []struct {
		name string
		r    geom.Rect
	}{{"says", l.Says}, {"shows", l.Shows}, {"aside", l.Aside}} {
		if !p.r.Empty() {
			out += fmt.Sprintf(" %s %d-%d/%d-%d", p.name, p.r.X, p.r.X+p.r.W-1, p.r.Y, p.r.Y+p.r.H-1)
		}
	}
	for _, r := range l.Rules[2:] {
		if r.Vertical {
			out += fmt.Sprintf(" |%d", r.X)
		} else {
			out += fmt.Sprintf(" -%d", r.Y)
		}
	}
	if l.Paged {
		out += " paged"
	}
	return out[1:]
}

// At every size each cell belongs to a rule or to one rectangle, and to no two
// rectangles.
func TestArrangePartitionsTheScreen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(80, 240).Draw(t, "w"), rapid.IntRange(24, 70).Draw(t, "h")
		l := geom.Arrange(w, h, geom.Plan{
			Left:      rapid.SampledFrom([]int{0, 36, 38, 58}).Draw(t, "left"),
			Aside:     rapid.Bool().Draw(t, "aside"),
			SaysRows:  rapid.IntRange(0, 30).Draw(t, "says"),
			ShowsRows: rapid.IntRange(0, 30).Draw(t, "shows"),
			Page:      rapid.SampledFrom([]geom.Page{geom.PageSays, geom.PageShows}).Draw(t, "page"),
		})
		covered := make([]int, w*h)
		for _, r := range []geom.Rect{l.Title, l.Keys, l.Says, l.Shows, l.Aside} {
			for y := r.Y; y < r.Y+r.H; y++ {
				for x := r.X; x < r.X+r.W; x++ {
					covered[y*w+x]++
				}
			}
		}
		for _, r := range l.Rules {
			for i := range r.Len {
				x, y := r.X+i, r.Y
				if r.Vertical {
					x, y = r.X, r.Y+i
				}
				if n := covered[y*w+x]; n == 1 {
					t.Fatalf("rule %v crosses a rectangle at %d,%d", r, x, y)
				}
				covered[y*w+x] = 10
			}
		}
		for i, n := range covered {
			if n != 1 && n != 10 {
				t.Fatalf("cell %d,%d is covered %d times", i%w, i/w, n)
			}
		}
	})
}

func TestInner(t *testing.T) {
	l := geom.Arrange(100, 30, geom.Plan{Left: 38})
	if got, want := l.Inner(l.Shows), (geom.Rect{40, 3, 59, 25}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	l = geom.Arrange(80, 24, geom.Plan{})
	if got, want := l.Inner(l.Shows), (geom.Rect{1, 2, 78, 20}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}
