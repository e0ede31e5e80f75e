package widget

import (
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/theme"
)

// Column is a column of a table.
type Column struct {
	Title string
	Right bool        // numbers stand at the right
	Width int         // in cells; 0: as wide as its widest cell
	Style theme.Style // of cells that are plain Text themselves
}

// NoRow is the Selected of a table in which no row is.
const NoRow = -1

// Table is rows in columns, with a muted line of titles, if there are any.
// What does not fit at the right is shortened or left out.
type Table struct {
	Columns  []Column
	Rows     [][]canvas.Span
	Selected int // the row that is lit, or NoRow
	Offset   int // the first row that is seen
	Indent   int // empty cells at the left of each row
	Gap      int // cells between columns; 0 is 3
}

// Row makes a row of plain cells.
func Row(cells ...string) []canvas.Span {
	row := make([]canvas.Span, len(cells))
	for i, c := range cells {
		row[i] = canvas.Span{Text: c}
	}
	return row
}

// Draw draws the table from the upper left cell of a region on, as many rows
// as the region has.
func (t Table) Draw(r canvas.Region) {
	widths := t.widths(r.W())
	y := t.header()
	if y > 0 {
		titles := make([]canvas.Span, len(t.Columns))
		for i, c := range t.Columns {
			titles[i] = canvas.Span{Text: c.Title, Style: theme.Label}
		}
		t.drawRow(r, 0, titles, widths)
	}
	for i := max(t.Offset, 0); i < len(t.Rows) && y < r.H(); i++ {
		end := t.drawRow(r, y, t.Rows[i], widths)
		if i == t.Selected {
			r.Wash(geom.Rect{X: 0, Y: y, W: min(end+1, r.W()), H: 1}, theme.Selected)
		}
		y++
	}
}

// RowAt is the row that Draw puts at row y of its region.
func (t Table) RowAt(y int) (row int, ok bool) {
	row = y - t.header() + max(t.Offset, 0)
	return row, y >= t.header() && row < len(t.Rows)
}

// header is the number of rows the titles take.
func (t Table) header() int {
	for _, c := range t.Columns {
		if c.Title != "" {
			return 1
		}
	}
	return 0
}

func (t Table) gap() int {
	if t.Gap == 0 {
		return 3
	}
	return t.Gap
}

// widths are the columns' widths in a table that has room for room cells.
func (t Table) widths(room int) []int {
	widths := make([]int, len(t.Columns))
	room -= t.Indent
	for i, c := range t.Columns {
		w := c.Width
		if w == 0 {
			w = t.natural(i)
		}
		widths[i] = max(0, min(w, room))
		room -= widths[i] + t.gap()
	}
	return widths
}

// natural is the width that column i needs.
func (t Table) natural(i int) int {
	w := cell.Width(t.Columns[i].Title)
	for _, row := range t.Rows {
		if i < len(row) {
			w = max(w, cell.Width(row[i].Text))
		}
	}
	return w
}

// drawRow draws the cells of a row and gives the column behind its last one.
func (t Table) drawRow(r canvas.Region, y int, row []canvas.Span, widths []int) int {
	x := t.Indent
	for i, w := range widths {
		if i < len(row) {
			style := row[i].Style
			if style == theme.Text {
				style = t.Columns[i].Style
			}
			text := cell.Truncate(row[i].Text, w)
			if t.Columns[i].Right {
				r.PutRight(x+w, y, text, style)
			} else {
				r.Put(x, y, text, style)
			}
		}
		x += w + t.gap()
	}
	return x - t.gap()
}
