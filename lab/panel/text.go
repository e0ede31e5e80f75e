package panel

import (
	"strconv"
	"strings"
	"time"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// span is a range of offsets, both ends in it: 1 000 – 1 009.
func span(first, last int64) string {
	if first == last {
		return cell.Thin(first)
	}
	return cell.Thin(first) + " – " + cell.Thin(last)
}

// count is a number with its noun: 1 header, 1 024 headers.
func count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	plural := noun + "s"
	if stem, y := strings.CutSuffix(noun, "y"); y && !strings.HasSuffix(stem, "e") { // entries, keys
		plural = stem + "ies"
	} else if strings.HasSuffix(noun, "ch") {
		plural = noun + "es"
	}
	return cell.Thin(n) + " " + plural
}

// offsetText is an offset, or a word for one that is not there.
func offsetText(n int64) string {
	if n < 0 {
		return "none"
	}
	return cell.Thin(n)
}

// stamp is a record's time in UTC: 2026-01-01 00:05:00.000.
func stamp(ms int64) string {
	if ms == noTime {
		return "none"
	}
	return time.UnixMilli(ms).UTC().Format("2006-01-02 15:04:05.000")
}

// thinNumbers is a line with a gap between the thousands of its numbers. Only
// whole words are touched: names, files and what is written key=value stay.
func thinNumbers(line string) string {
	words := strings.Split(line, " ")
	for i, w := range words {
		core := strings.TrimRight(w, ",;.)")
		open := len(core) - len(strings.TrimLeft(core, "("))
		words[i] = core[:open] + thinWord(core[open:]) + w[len(core):]
	}
	return strings.Join(words, " ")
}

// thinWord thins 1000 and 1000-1009, and leaves any other word as it is.
func thinWord(w string) string {
	first, last, ranged := strings.Cut(w, "-")
	a, ok := thousands(first)
	if !ok {
		return w
	}
	if !ranged {
		return cell.Thin(a)
	}
	if b, ok := thousands(last); ok {
		return span(a, b)
	}
	return w
}

func thousands(digits string) (int64, bool) {
	if len(digits) < 4 || digits[0] == '0' || strings.ContainsFunc(digits, func(r rune) bool { return r < '0' || r > '9' }) {
		return 0, false
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, err == nil
}

// note draws lines of muted text that say why there is nothing else.
func note(r canvas.Region, y int, text string) int {
	for _, line := range cell.Wrap(text, r.W()) {
		r.Put(0, y, line, theme.Label)
		y++
	}
	return y
}

// facts writes pairs of a label and a value behind each other, as many as fit.
type facts []canvas.Span

func (f facts) add(label, value string, s theme.Style) facts {
	return append(f, canvas.S(label, theme.Label), canvas.S(value, s))
}

// draw writes the facts from x, y on. What does not fit whole is left out: half
// a number is a wrong one.
func (f facts) draw(r canvas.Region, x, y int) int {
	for i := 0; i+1 < len(f); i += 2 {
		label, value := f[i], f[i+1]
		gap := 0
		if i > 0 {
			gap = 3
		}
		w := cell.Width(value.Text)
		if label.Text != "" {
			w += cell.Width(label.Text) + 1
		}
		if x+gap+w > r.W() {
			break
		}
		x += gap
		if label.Text != "" {
			x = r.Put(x, y, label.Text, label.Style) + 1
		}
		x = r.Put(x, y, value.Text, value.Style)
	}
	return x
}

// parseOffset reads an offset; None if the text is none.
func parseOffset(text string) int64 {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= 0 {
		return n
	}
	return None
}

// fitColumns takes columns out of a table until what is left fits into a width
// whole, in the order in which they can be missed.
func fitColumns(t *widget.Table, width int, order ...int) {
	gone := map[int]bool{}
	for _, i := range order {
		if tableWidth(t, gone) <= width {
			break
		}
		gone[i] = true
	}
	t.Columns = without(t.Columns, gone)
	for i := range t.Rows {
		t.Rows[i] = without(t.Rows[i], gone)
	}
}

func without[T any](list []T, gone map[int]bool) []T {
	kept := make([]T, 0, len(list))
	for i, v := range list {
		if !gone[i] {
			kept = append(kept, v)
		}
	}
	return kept
}

// tableWidth is the width of a table without some of its columns. Empty columns
// count as nothing.
func tableWidth(t *widget.Table, gone map[int]bool) int {
	gap := t.Gap
	if gap == 0 {
		gap = 3
	}
	total := t.Indent - gap
	for i, c := range t.Columns {
		if gone[i] {
			continue
		}
		w := cell.Width(c.Title)
		for _, row := range t.Rows {
			if i < len(row) {
				w = max(w, cell.Width(row[i].Text))
			}
		}
		if w > 0 {
			total += w + gap
		}
	}
	return total
}
