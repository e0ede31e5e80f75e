package panel

import (
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/theme"
)

const hexDigits = "0123456789abcdef"

// hexText is bytes as pairs of digits: 00 1f a0.
func hexText(b []byte) string {
	out := make([]byte, 0, 3*len(b))
	for i, c := range b {
		if i > 0 {
			out = append(out, ' ')
		}
		out = append(out, hexDigits[c>>4], hexDigits[c&0xF])
	}
	return string(out)
}

// dump is bytes to be shown, by rows, each byte in a style.
type dump struct {
	data  []byte
	at    int64 // position of the first byte in its file
	style func(i int) theme.Style
}

// dumpShape is how many bytes stand in a row, and where.
type dumpShape struct {
	perRow  int
	hexAt   int
	textAt  int // column of the same bytes as characters; 0 for none
	gapFrom int // bytes from this one on stand a cell further right
}

// shape chooses the widest rows that fit.
func (d dump) shape(w int) dumpShape {
	s := dumpShape{hexAt: cell.Width(cell.Thin(d.at+int64(len(d.data)))) + 2}
	for _, n := range []int{16, 8, 4, 1} {
		s.perRow, s.gapFrom = n, n
		hexW := 3*n - 1
		if n == 16 {
			hexW, s.gapFrom = hexW+1, 8
		}
		if s.hexAt+hexW > w && n > 1 {
			continue
		}
		if s.hexAt+hexW+2+n <= w {
			s.textAt = s.hexAt + hexW + 2
		}
		return s
	}
	return s
}

// rowsFor is the number of rows that the bytes take in a width.
func (d dump) rowsFor(w int) int {
	n := d.shape(w).perRow
	return (len(d.data) + n - 1) / n
}

// from is the first row to be seen in a region: the row of a byte is the second
// or third one.
func (d dump) from(i int, r canvas.Region) int {
	first := i / d.shape(r.W()).perRow
	if r.H() >= 3 {
		first--
	}
	return max(0, min(first, d.rowsFor(r.W())-r.H()))
}

// draw shows the rows from one on, as many as the region has.
func (d dump) draw(r canvas.Region, first int) {
	s := d.shape(r.W())
	for y := range r.H() {
		from := (first + y) * s.perRow
		if from >= len(d.data) {
			return
		}
		r.PutRight(s.hexAt-2, y, cell.Thin(d.at+int64(from)), theme.Label)
		for i, c := range d.data[from:min(from+s.perRow, len(d.data))] {
			style := d.style(from + i)
			x := s.hexAt + 3*i
			if i >= s.gapFrom {
				x++
			}
			r.Put(x, y, hexText([]byte{c}), style)
			// The cell between two bytes of what is selected is lit too.
			if last := from+i+1 >= len(d.data) || i+1 == s.perRow; !last && style&theme.Selected != 0 && d.style(from+i+1)&theme.Selected != 0 {
				r.Put(x+2, y, " ", style)
			}
			if s.textAt > 0 {
				r.Put(s.textAt+i, y, printable(c), style)
			}
		}
	}
}

// printable is a byte as a character, a dot if it is none of ASCII's.
func printable(c byte) string {
	if c < ' ' || c >= 0x7F {
		return "·"
	}
	return string(rune(c))
}
