// Package cell is the one place where the lab measures text. A terminal is a
// grid of cells; a character takes one, two or no cells, and terminals do not
// agree about many of them. So the lab shows only characters whose width every
// terminal and bubbletea's renderer agree about, and puts a safe sign in the
// place of all others. Everything here is pure and does no output.
package cell

import (
	"unicode"

	"github.com/mattn/go-runewidth"
)

const (
	// Dot stands for a character that cannot be shown safely.
	Dot = '·'
	// Newline stands for a line feed inside a text that is shown on one line.
	Newline = '↵'
	// Tab stands for a tabulator, whose width depends on where it stands.
	Tab = '⇥'
)

// widths pins go-runewidth's answers: characters of ambiguous East Asian width
// are one cell, whatever the locale and RUNEWIDTH_EASTASIAN say, since the box
// lines and arrows of the lab are among them.
var widths = runewidth.Condition{EastAsianWidth: false, StrictEmojiNeutral: true}

// Rune gives the character that is drawn for r and its width, 1 or 2 cells.
// What it gives is always printable, never combines with its neighbours and is
// never an emoji: of those, terminals draw some one and some two cells wide.
// Regional indicators become the letters they stand for.
func Rune(r rune) (safe rune, width int) {
	if r >= ' ' && r < 0x7F {
		return r, 1
	}
	// Box lines, blocks and geometric shapes: most of what a frame is made of.
	if r >= 0x2500 && r <= 0x25FC {
		return r, 1
	}
	return rareRune(r)
}

func rareRune(r rune) (rune, int) {
	switch {
	case r == '\n':
		return Newline, 1
	case r == '\t':
		return Tab, 1
	case r == unicode.ReplacementChar:
		return Dot, 1
	case unicode.Is(unicode.Zs, r):
		return ' ', 1
	case r >= 0x1F1E6 && r <= 0x1F1FF:
		return 'A' + r - 0x1F1E6, 1
	case !unicode.IsPrint(r), unicode.Is(unicode.M, r), unicode.Is(joining, r):
		return Dot, 1
	case r >= 0x10000 && !unicode.Is(unicode.Han, r):
		return Dot, 1
	}
	switch widths.RuneWidth(r) {
	case 1:
		return r, 1
	case 2:
		if unicode.IsLetter(r) || unicode.Is(eastAsianSigns, r) {
			return r, 2
		}
	}
	return Dot, 1
}

// joining holds letters that Unicode's grapheme rules join with a neighbour
// though they are no marks: a pair of them is narrower than its parts, and
// bubbletea's renderer measures pairs.
var joining = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x0D4E, Hi: 0x0D4E, Stride: 1}, // Malayalam dot reph
	{Lo: 0x0E33, Hi: 0x0E33, Stride: 1}, // Thai sara am
	{Lo: 0x0EB3, Hi: 0x0EB3, Stride: 1}, // Lao am
	{Lo: 0x1100, Hi: 0x11FF, Stride: 1}, // Hangul jamo
	{Lo: 0xA960, Hi: 0xA97F, Stride: 1}, // Hangul jamo, extended A
	{Lo: 0xD7B0, Hi: 0xD7FF, Stride: 1}, // Hangul jamo, extended B
	{Lo: 0xFF9E, Hi: 0xFF9F, Stride: 1}, // half-width katakana sound marks
}}

// eastAsianSigns are the two cell wide characters that are neither letters nor
// emoji: punctuation, symbols and full-width forms.
var eastAsianSigns = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x2E80, Hi: 0x303E, Stride: 1},
	{Lo: 0x3041, Hi: 0x33FF, Stride: 1},
	{Lo: 0xFE30, Hi: 0xFE6F, Stride: 1},
	{Lo: 0xFF01, Hi: 0xFF60, Stride: 1},
	{Lo: 0xFFE0, Hi: 0xFFE6, Stride: 1},
}}
