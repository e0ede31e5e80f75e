package widget

import (
	"slices"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/keys"
	"kafkalab/lab/kit/theme"
)

// Input is a field for one line of text.
type Input struct {
	// Allow tells which characters may be typed; nil allows all that can be
	// shown. A character that is not allowed is not the field's: Key leaves it
	// to be a command, so that in a field for a number a letter still works.
	Allow func(rune) bool
	// Limit is the greatest number of characters; 0 is 500.
	Limit int
	// Empty is shown, faint, while nothing is typed.
	Empty string

	text   []rune
	at     int // the cursor stands before text[at]
	offset int // the first character that is seen
}

// Digits allows what a number is typed with.
func Digits(r rune) bool { return r >= '0' && r <= '9' || r == '-' || r == '.' }

// Value is what was typed.
func (in *Input) Value() string { return string(in.text) }

// Set replaces the text and puts the cursor behind it.
func (in *Input) Set(text string) {
	in.text, in.at, in.offset = nil, 0, 0
	in.insert(text)
}

// Cursor is the number of characters before the cursor.
func (in *Input) Cursor() int { return in.at }

// Replace puts text in the place of the characters from up to to, and the
// cursor behind it: what a completion does.
func (in *Input) Replace(from, to int, text string) {
	from = max(0, min(from, len(in.text)))
	to = max(from, min(to, len(in.text)))
	in.text = slices.Delete(in.text, from, to)
	in.at = from
	in.insert(text)
}

// Key edits the field and tells if the key was one of its own. Enter, esc, tab
// and the arrows up and down never are.
func (in *Input) Key(msg tea.KeyMsg) bool {
	if text := keys.Text(msg); text != "" {
		return in.insert(text) || msg.Paste
	}
	switch msg.String() {
	case "left", "ctrl+b":
		in.at = max(0, in.at-1)
	case "right", "ctrl+f":
		in.at = min(len(in.text), in.at+1)
	case "home", "ctrl+a":
		in.at = 0
	case "end", "ctrl+e":
		in.at = len(in.text)
	case "ctrl+left", "alt+left":
		in.at = in.wordLeft()
	case "ctrl+right", "alt+right":
		in.at = in.wordRight()
	case "backspace", "ctrl+h":
		in.remove(max(0, in.at-1), in.at)
	case "delete", "ctrl+d":
		in.remove(in.at, min(len(in.text), in.at+1))
	case "ctrl+w", "alt+backspace":
		in.remove(in.wordLeft(), in.at)
	case "ctrl+u":
		in.remove(0, in.at)
	case "ctrl+k":
		in.remove(in.at, len(in.text))
	default:
		return false
	}
	return true
}

// insert puts in what is allowed of a text and tells if that was any of it. A
// line feed or tab in a paste is a space.
func (in *Input) insert(text string) bool {
	limit := in.Limit
	if limit == 0 {
		limit = 500
	}
	any := false
	for _, r := range text {
		if r == '\n' || r == '\t' {
			r = ' '
		}
		if in.Allow != nil && !in.Allow(r) || unicode.IsControl(r) {
			continue
		}
		any = true
		if len(in.text) < limit {
			in.text = slices.Insert(in.text, in.at, r)
			in.at++
		}
	}
	return any
}

func (in *Input) remove(from, to int) {
	in.text = slices.Delete(in.text, from, to)
	in.at = from
}

func (in *Input) wordLeft() int {
	i := in.at
	for i > 0 && in.text[i-1] == ' ' {
		i--
	}
	for i > 0 && in.text[i-1] != ' ' {
		i--
	}
	return i
}

func (in *Input) wordRight() int {
	i := in.at
	for i < len(in.text) && in.text[i] == ' ' {
		i++
	}
	for i < len(in.text) && in.text[i] != ' ' {
		i++
	}
	return i
}

// Draw draws the field into the first row of a region, over its whole width. A
// long text is scrolled so that the cursor is seen.
func (in *Input) Draw(r canvas.Region, focused bool) {
	r.Fill(geom.Rect{W: r.W(), H: 1}, ' ', theme.Text|theme.Selected)
	inner := r.Sub(geom.Rect{X: 1, W: r.W() - 2, H: 1})
	if len(in.text) == 0 {
		x := 0
		if focused {
			x = inner.Put(0, 0, string(glyph.Cursor), theme.Focus|theme.Selected)
		}
		inner.Put(x, 0, in.Empty, theme.Muted|theme.Selected)
		return
	}
	in.scroll(inner.W())
	x := 0
	for i, ch := range in.text[in.offset:] {
		style := theme.Bright | theme.Selected
		if focused && i+in.offset == in.at {
			style = theme.Focus | theme.Reverse
		}
		if _, w := cell.Rune(ch); x+w > inner.W() {
			break
		}
		x = inner.Put(x, 0, string(ch), style)
	}
	if focused && in.at == len(in.text) {
		inner.Put(x, 0, string(glyph.Cursor), theme.Focus|theme.Selected)
	}
}

// scroll moves the first character seen so that the cursor has a cell among
// width.
func (in *Input) scroll(width int) {
	in.offset = min(in.offset, in.at)
	for in.offset < in.at && cell.Width(string(in.text[in.offset:in.at]))+2 > width {
		in.offset++
	}
}
