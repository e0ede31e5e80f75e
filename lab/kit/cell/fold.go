package cell

import "unicode/utf8"

// Range is a part of a text: its bytes from From up to, but not with, To.
type Range struct{ From, To int }

// Fold breaks s into lines of at most width cells and tells where each begins
// and ends, so that a caller who keeps styles beside the text can cut both at
// the same places. Lines break at spaces, which are left out there; a word
// longer than a line is cut. A line feed ends a line. Spaces at the beginning
// of a line of s stay, and so does the gap in a number: 57 840 is one word.
// Width 0 and less gives no lines; any other gives at least one.
func Fold(s string, width int) []Range {
	if width <= 0 {
		return nil
	}
	f := folder{text: s, width: width, space: -1}
	for i, r := range s {
		switch {
		case r == '\n':
			f.end(i)
			f.start = i + 1
		case r == ' ' && !insideNumber(s, i):
			f.addSpace(i)
		default:
			f.add(i, r)
		}
	}
	f.end(len(s))
	return f.lines
}

// folder is a Fold under way: the line that is being filled begins at start and
// has used cells; it can be broken at space, and the text goes on at resume.
type folder struct {
	text               string
	width, start, used int
	space, resume      int
	lines              []Range
}

func (f *folder) addSpace(i int) {
	if f.space < 0 || f.resume < i {
		f.space = i
	}
	f.resume = i + 1
	f.used++
}

func (f *folder) add(i int, r rune) {
	_, w := Rune(r)
	if f.used+w > f.width && f.space > f.start {
		f.lines = append(f.lines, Range{f.start, f.space})
		f.start = f.resume
		f.used = Width(f.text[f.start:i])
		f.space = -1
	}
	if f.used+w > f.width {
		if to := f.trim(i); to > f.start {
			f.lines = append(f.lines, Range{f.start, to})
		}
		f.start, f.used, f.space = i, 0, -1
	}
	if w > f.width { // half a character cannot be drawn
		f.start = i + utf8.RuneLen(r)
		return
	}
	f.used += w
}

// end closes the line under way at byte i, without the spaces before it.
func (f *folder) end(i int) {
	f.lines = append(f.lines, Range{f.start, f.trim(i)})
	f.used, f.space = 0, -1
}

// trim is the end of the line under way, were it to end before byte i.
func (f *folder) trim(i int) int {
	for i > f.start && f.text[i-1] == ' ' {
		i--
	}
	return i
}

// insideNumber tells if the space at i is the gap that Thin puts between the
// thousands of a number.
func insideNumber(s string, i int) bool {
	if i == 0 || !digit(s[i-1]) || i+3 >= len(s) {
		return false
	}
	if !digit(s[i+1]) || !digit(s[i+2]) || !digit(s[i+3]) {
		return false
	}
	return i+4 == len(s) || !digit(s[i+4])
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// Wrap is s in lines of at most width cells, broken as Fold says.
func Wrap(s string, width int) []string {
	ranges := Fold(s, width)
	lines := make([]string, len(ranges))
	for i, r := range ranges {
		lines[i] = s[r.From:r.To]
	}
	return lines
}
