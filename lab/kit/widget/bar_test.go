package widget_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

func TestBar(t *testing.T) {
	for _, c := range []struct {
		part, whole int64
		w, want     int
	}{
		{0, 20, 12, 0}, {8, 20, 12, 5}, {1, 1000, 12, 1}, {999, 1000, 12, 11}, {20, 20, 12, 12}, {30, 20, 12, 12},
		{1, 2, 1, 1}, {5, 0, 12, 0}, {-1, 5, 12, 0}, {1 << 62, 1<<63 - 1, 10, 5}, {1, 2, 0, 0},
	} {
		cv := canvas.New(14, 1)
		widget.Bar{Part: c.part, Whole: c.whole, Style: theme.Teal}.Draw(cv.Region(), 0, 0, c.w)
		for sign, want := range map[rune]int{glyph.Thick: c.want, glyph.Horizontal: c.w - c.want} {
			if got := strings.Count(cv.Text(), string(sign)); got != want {
				t.Errorf("%d of %d in %d cells: %d of %c, want %d", c.part, c.whole, c.w, got, sign, want)
			}
		}
		got := 0
		for x := range 14 {
			if cv.StyleAt(x, 0) == theme.Teal {
				got++
			}
		}
		if got != c.want {
			t.Errorf("%d of %d in %d cells: %d, want %d", c.part, c.whole, c.w, got, c.want)
		}
	}
}

func TestStripCells(t *testing.T) {
	for _, c := range []struct {
		n    []int64
		w    int
		want []int
	}{
		{[]int64{15, 5}, 20, []int{15, 5}},
		{[]int64{1000, 1}, 20, []int{19, 1}},
		{[]int64{1, 1000, 1}, 20, []int{1, 18, 1}},
		{[]int64{0, 3, 0}, 6, []int{0, 6, 0}},
		{[]int64{0, 0}, 6, []int{0, 0}},
		{[]int64{5, 5, 5}, 2, []int{1, 0, 1}},
		{[]int64{7, 7}, 0, []int{0, 0}},
	} {
		var s widget.Strip
		for _, n := range c.n {
			s = append(s, widget.Part{N: n, Sign: glyph.Bar})
		}
		if diff := cmp.Diff(c.want, s.Cells(c.w)); diff != "" {
			t.Errorf("%v in %d: %s", c.n, c.w, diff)
		}
	}
}

func TestStripFillsItsWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s widget.Strip
		there := 0
		for _, n := range rapid.SliceOfN(rapid.Int64Range(0, 1<<62), 0, 6).Draw(t, "n") {
			s = append(s, widget.Part{N: n})
			if n > 0 {
				there++
			}
		}
		w := rapid.IntRange(0, 50).Draw(t, "w")
		sum := 0
		for i, c := range s.Cells(w) {
			if c < 0 || c > 0 && s[i].N == 0 || c == 0 && s[i].N > 0 && w >= there {
				t.Fatalf("%v in %d: %v", s, w, s.Cells(w))
			}
			sum += c
		}
		if there > 0 && sum != w {
			t.Fatalf("%v in %d: %v", s, w, s.Cells(w))
		}
	})
}

func TestDots(t *testing.T) {
	for _, c := range []struct {
		at, of int
		want   string
	}{{3, 6, "●●◉○○○"}, {1, 3, "◉○○"}, {3, 3, "●●◉"}, {0, 3, "○○○"}, {9, 3, "●●◉"}, {0, 0, ""}, {-1, 2, "○○"}} {
		if got := widget.Dots(c.at, c.of).String(); got != c.want {
			t.Errorf("%d of %d: %s, want %s", c.at, c.of, got, c.want)
		}
	}
}
