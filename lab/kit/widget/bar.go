package widget

import (
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
)

// Bar is a thin bar: how much of a whole there is. The part is a thick line and
// the rest a thin one, so that they differ without colours too.
type Bar struct {
	Part, Whole int64
	Style       theme.Style // of the part; theme.Teal for what is cleared
}

// Draw draws the bar w cells wide from x, y on. Something is never drawn as
// nothing, nor nearly all as all.
func (b Bar) Draw(r canvas.Region, x, y, w int) {
	n := b.cells(w)
	r.Repeat(x, y, n, glyph.Thick, b.Style)
	r.Repeat(x+n, y, w-n, glyph.Horizontal, theme.Rule)
}

func (b Bar) cells(w int) int {
	if b.Whole <= 0 || b.Part <= 0 || w <= 0 {
		return 0
	}
	if b.Part >= b.Whole {
		return w
	}
	n := int(float64(b.Part)/float64(b.Whole)*float64(w) + 0.5)
	return max(1, min(n, w-1))
}

// Part is a section of a strip.
type Part struct {
	N     int64 // how much; not negative
	Sign  rune  // glyph.Bar, or glyph.Dot for what is not there
	Style theme.Style
}

// Strip is a block bar of several sections that stand in proportion, such as
// the committed and the open part of a log.
type Strip []Part

// Draw draws the strip w cells wide from x, y on.
func (s Strip) Draw(r canvas.Region, x, y, w int) {
	for i, n := range s.Cells(w) {
		x = r.Repeat(x, y, n, s[i].Sign, s[i].Style)
	}
}

// Cells is the width of each section of a strip w cells wide: together w, if
// there is anything. A section that is there has a cell as long as there is
// one for each. Strips of the same total have borders in the same places for
// the same amounts; a mark below a strip stands at the sum of what is left of
// it.
func (s Strip) Cells(w int) []int {
	cells := make([]int, len(s))
	total, sum := 0.0, 0.0
	for _, p := range s {
		total += float64(max(p.N, 0))
	}
	if total == 0 || w <= 0 {
		return cells
	}
	from := 0
	for i, p := range s {
		sum += float64(max(p.N, 0))
		to := int(sum/total*float64(w) + 0.5)
		cells[i] = to - from
		from = to
	}
	s.giveEachOne(cells)
	return cells
}

// giveEachOne takes cells from the widest sections for those that are there
// but were rounded away.
func (s Strip) giveEachOne(cells []int) {
	for i, p := range s {
		if p.N <= 0 || cells[i] > 0 {
			continue
		}
		widest := 0
		for j := range cells {
			if cells[j] > cells[widest] {
				widest = j
			}
		}
		if cells[widest] > 1 {
			cells[widest]--
			cells[i]++
		}
	}
}

// Dots shows where a learner is among a few steps: those behind, the one at
// (from 1), and those ahead.
func Dots(at, of int) canvas.Line {
	var l canvas.Line
	add := func(n int, sign rune, s theme.Style) {
		if n <= 0 {
			return
		}
		text := make([]rune, n)
		for i := range text {
			text[i] = sign
		}
		l = l.Add(string(text), s)
	}
	at = max(0, min(at, of))
	add(at-1, glyph.Filled, theme.Teal)
	add(min(at, 1), glyph.Here, theme.Focus)
	add(of-at, glyph.Todo, theme.Faint)
	return l
}
