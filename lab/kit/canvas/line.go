package canvas

import (
	"slices"
	"strings"
	"unicode/utf8"

	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/theme"
)

// Span is text in one style.
type Span struct {
	Text  string
	Style theme.Style
}

// S is a span.
func S(text string, s theme.Style) Span { return Span{Text: text, Style: s} }

// Line is styled text in one row.
type Line []Span

// T is a line of one span.
func T(text string, s theme.Style) Line { return Line{S(text, s)} }

// Add is l with more text behind it.
func (l Line) Add(text string, s theme.Style) Line { return append(l, S(text, s)) }

// Width is the number of cells l takes.
func (l Line) Width() int {
	w := 0
	for _, s := range l {
		w += cell.Width(s.Text)
	}
	return w
}

// String is the text of l without its styles.
func (l Line) String() string {
	var b strings.Builder
	for _, s := range l {
		b.WriteString(s.Text)
	}
	return b.String()
}

// Truncate shortens l to at most width cells; an ellipsis in the style of what
// it follows shows that something is missing.
func (l Line) Truncate(width int) Line {
	if l.Width() <= width {
		return l
	}
	if width <= 0 {
		return nil
	}
	var out Line
	room := width - 1
	for _, s := range l {
		part := cell.Cut(s.Text, room)
		if part != s.Text {
			return append(out, Span{part + "…", s.Style})
		}
		out = append(out, s)
		room -= cell.Width(part)
	}
	return out
}

// Wrap breaks l into lines of at most width cells, at the same places where
// its plain text would break: see cell.Fold. Spans keep their styles.
func (l Line) Wrap(width int) []Line {
	l = l.valid()
	text := l.String()
	ranges := cell.Fold(text, width)
	lines := make([]Line, 0, len(ranges))
	span, from := 0, 0 // the span under way and the byte of text it begins at
	for _, r := range ranges {
		var line Line
		for span < len(l) && from < r.To {
			to := from + len(l[span].Text)
			if a, b := max(from, r.From), min(to, r.To); a < b {
				line = append(line, Span{text[a:b], l[span].Style})
			}
			if to > r.To {
				break
			}
			from = to
			span++
		}
		lines = append(lines, line)
	}
	return lines
}

// valid is l with bytes that are no UTF-8 replaced: joined to its neighbour, a
// span that ends in half a character would change its width.
func (l Line) valid() Line {
	for i, s := range l {
		if utf8.ValidString(s.Text) {
			continue
		}
		l = slices.Clone(l)
		for ; i < len(l); i++ {
			l[i].Text = strings.ToValidUTF8(l[i].Text, string(cell.Dot))
		}
		break
	}
	return l
}
