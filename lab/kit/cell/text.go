package cell

import (
	"strings"
	"unicode/utf8"
)

// Width is the number of cells s takes when it is drawn: the sum of what Rune
// says of its characters. It is the same before and after Clean.
func Width(s string) int {
	width := 0
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < utf8.RuneSelf {
			width++
			continue
		}
		for _, r := range s[i:] {
			_, w := Rune(r)
			width += w
		}
		break
	}
	return width
}

// Clean makes text from outside (keys and values of records, names, file
// contents, error messages) safe to show: every byte of it takes part, none of
// it can move the cursor, change a colour or shift what stands beside it.
// Text that is safe already comes back as it is, without a copy.
func Clean(s string) string {
	i := unsafeAt(s)
	if i == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 8)
	b.WriteString(s[:i])
	for _, r := range s[i:] {
		safe, _ := Rune(r)
		b.WriteRune(safe)
	}
	return b.String()
}

// unsafeAt is the place of the first character that Rune would replace, or the
// length of s.
func unsafeAt(s string) int {
	for i, r := range s {
		if r >= ' ' && r < 0x7F {
			continue
		}
		if safe, _ := Rune(r); safe != r || r == utf8.RuneError {
			return i
		}
	}
	return len(s)
}

// Cut is the longest beginning of s that is at most width cells wide.
func Cut(s string, width int) string {
	used := 0
	for i, r := range s {
		_, w := Rune(r)
		if used+w > width {
			return s[:i]
		}
		used += w
	}
	return s
}

// Truncate shortens s to at most width cells; an ellipsis shows that something
// is missing.
func Truncate(s string, width int) string {
	if Width(s) <= width {
		return s
	}
	if width <= 0 {
		return ""
	}
	return Cut(s, width-1) + "…"
}

// TruncateStart shortens s to at most width cells and keeps its end: for file
// names, whose suffix says more than their leading zeros.
func TruncateStart(s string, width int) string {
	over := Width(s) - width
	if over <= 0 {
		return s
	}
	if width <= 0 {
		return ""
	}
	dropped := 0
	for i, r := range s {
		if dropped > over {
			return "…" + s[i:]
		}
		_, w := Rune(r)
		dropped += w
	}
	return "…"
}

// PadRight is s in exactly width cells, its text at the left; what does not
// fit is truncated.
func PadRight(s string, width int) string {
	s = Truncate(s, width)
	return s + Spaces(width-Width(s))
}

// PadLeft is s in exactly width cells, its text at the right, as numbers
// stand; what does not fit is truncated.
func PadLeft(s string, width int) string {
	s = Truncate(s, width)
	return Spaces(width-Width(s)) + s
}

const blank = "                                                                "

// Spaces is n spaces, and none when n is negative.
func Spaces(n int) string {
	if n <= 0 {
		return ""
	}
	if n <= len(blank) {
		return blank[:n]
	}
	return strings.Repeat(" ", n)
}
