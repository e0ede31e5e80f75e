package canvas

import (
	"unicode"

	"kafkalab/lab/kit/theme"
)

// MarkDifferent adds attributes to the numbers in which two regions of the same
// size differ: each from its first digit to its last. Only rows are compared
// that say the same in words; names such as broker-1 are words.
func MarkDifferent(a, b Region, with theme.Style) {
	if a.clip != a.rect || b.clip != b.rect {
		return // a part of one is not on the canvas
	}
	with &^= with.Hue()
	for y := range min(a.H(), b.H()) {
		one, two := a.row(y), b.row(y)
		if letters(one) != letters(two) {
			continue
		}
		for x := range min(len(one), len(two)) {
			if one[x].r != two[x].r && (unicode.IsDigit(one[x].r) || unicode.IsDigit(two[x].r)) {
				markNumber(one, x, with)
				markNumber(two, x, with)
			}
		}
	}
}

func letters(row []square) string {
	var s []rune
	word := false
	for i, sq := range row {
		joint := sq.r == '-' && i > 0 && unicode.IsLetter(row[i-1].r)
		word = unicode.IsLetter(sq.r) || word && (joint || unicode.IsDigit(sq.r))
		if word {
			s = append(s, sq.r)
		}
	}
	return string(s)
}

func (r Region) row(y int) []square {
	from := (r.rect.Y+y)*r.c.w + r.rect.X
	return r.c.cells[from : from+r.rect.W]
}

// markNumber marks the digits around a cell, and the gaps between thousands.
func markNumber(row []square, x int, with theme.Style) {
	if !unicode.IsDigit(row[x].r) {
		return
	}
	part := func(x int) bool {
		if x < 0 || x >= len(row) {
			return false
		}
		gap := row[x].r == ' ' || row[x].r == '.'
		return unicode.IsDigit(row[x].r) || gap && x > 0 && x+1 < len(row) && unicode.IsDigit(row[x-1].r) && unicode.IsDigit(row[x+1].r)
	}
	from, to := x, x
	for part(from - 1) {
		from--
	}
	for part(to + 1) {
		to++
	}
	for i := from; i <= to; i++ {
		row[i].s |= with
	}
}
