package panel

import (
	"sort"
	"strconv"
	"strings"

	"kafkalab/engine/trace"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// draw draws the open message: who sent what, its bytes, the names of its
// fields.
func (g *message) draw(r canvas.Region, m Model, s *messageSheet, facts []func(canvas.Region), clicks *clicks) {
	if len(s.rows) == 0 {
		for y, draw := range facts {
			draw(r.Sub(geom.Rect{Y: y, W: r.W(), H: 1}))
		}
		note(below(r, len(facts)+1), 0, "Its fields cannot be shown: "+s.why+".")
		return
	}
	g.list.Selected = max(0, min(g.list.Selected, len(s.rows)-1))
	at := s.rows[g.list.Selected]
	d := s.dump(at)
	most := min(d.rowsFor(r.W()), max(2, r.H()/4))
	stack(r,
		part{1, len(facts), 1, func(r canvas.Region) {
			for y, draw := range facts {
				draw(r.Sub(geom.Rect{Y: y, W: r.W(), H: 1}))
			}
		}},
		part{1, most, 2, func(r canvas.Region) { d.draw(r, s.dumpFrom(d, at, r)) }},
		part{max(3, r.H()*3/5), r.H(), 0, func(r canvas.Region) { g.drawRows(r, s, clicks) }},
		part{1, 1, 3, func(r canvas.Region) { s.drawMeaning(r, at) }},
	)
}

// dump is the message, its fields told apart and the selected one lit.
func (s *messageSheet) dump(at messageRow) dump {
	return dump{data: s.data, style: func(i int) theme.Style {
		switch {
		case i >= at.at && i < at.at+at.size:
			return theme.Focus | theme.Bold | theme.Selected
		case sort.SearchInts(s.leafs, i+1)%2 == 0:
			return theme.Text
		}
		return theme.Muted
	}}
}

// dumpFrom is the first row that is seen: the selected field begins in the
// second or third one.
func (s *messageSheet) dumpFrom(d dump, at messageRow, r canvas.Region) int {
	first := at.at / d.shape(r.W()).perRow
	if r.H() >= 3 {
		first--
	}
	return max(0, min(first, d.rowsFor(r.W())-r.H()))
}

// drawRows draws the list of fields around the selected one.
func (g *message) drawRows(r canvas.Region, s *messageSheet, clicks *clicks) {
	g.seen = r.H()
	from, to := g.list.Show(r.H(), len(s.rows))
	nameW := 0
	for _, row := range s.rows[from:to] {
		if !row.heading {
			nameW = max(nameW, 2*row.depth+cell.Width(row.name))
		}
	}
	nameW = min(nameW, max(12, r.W()*2/5))
	for y, row := range s.rows[from:to] {
		row.draw(r, y, nameW)
		clicks.add(r, y, from+y)
		if from+y == g.list.Selected {
			widget.Select(r, geom.Rect{Y: y, W: r.W(), H: 1}, 0, theme.Focus)
		}
	}
	if s.why != "" && to == len(s.rows) && to-from < r.H() {
		r.Put(2, to-from, cell.Truncate(s.why, r.W()-3), theme.Refused)
	}
	widget.ScrollMark(r, r.W()-1, from, to, len(s.rows))
}

// draw draws a field: its name, type, size and value, and what that means.
func (row messageRow) draw(r canvas.Region, y, nameW int) {
	x := 3 + 2*row.depth
	name := row.name
	if row.key != 0 {
		sign := glyph.Opened
		if !row.open {
			sign = glyph.Closed
		}
		r.Put(x-2, y, string(sign), theme.Label)
	}
	room := func(x int) int { return max(0, r.W()-1-x) }
	if row.heading {
		x = r.Put(x, y, cell.Truncate(name, room(x)), theme.Name) + 2
		r.Put(x, y, cell.Truncate(row.kind, room(x)), theme.Faint)
		return
	}
	pen := r.Pen(x, y).Fit(nameW-2*row.depth, name, theme.Text).Gap(2)
	if style := theme.Text; row.key != 0 || strings.HasPrefix(row.kind, "[]") {
		if row.value == "null" {
			style = theme.Faint
		}
		line := canvas.T(row.countText(), style)
		if row.note != "" {
			line = line.Add("  "+row.note, theme.Label)
		}
		pen.Line(line.Truncate(room(pen.X())))
		return
	}
	if r.W() >= 54 {
		pen = pen.Fit(7, row.kind, theme.Faint).Number(4, sizeText4(row.size), theme.Label).Gap(2)
	}
	style := theme.Text
	switch {
	case row.value == "null":
		style = theme.Faint
	case row.name == "ErrorCode" && row.value != "0":
		style = theme.Refused | theme.Bold
	}
	line := canvas.T(valueText(row.value), style)
	if row.note != "" {
		more := theme.Label
		if style.Hue() == theme.Refused {
			more = style
		}
		line = line.Add("  "+thinNumbers(row.note), more)
	}
	pen.Line(line.Truncate(room(pen.X())))
}

// countText is what an array, a struct or records have in them.
func (row messageRow) countText() string {
	kind, array := strings.CutPrefix(row.kind, "[]")
	switch {
	case row.name == trace.TaggedFields || row.value == "null":
		return row.value
	case array:
		return row.value + " × " + kind
	case row.value == "":
		return kind
	}
	return thinNumbers(row.value)
}

func sizeText4(n int) string {
	if n > 9999 {
		return string(glyph.Ellipsis)
	}
	return strconv.Itoa(n)
}

// valueText is a value with a gap between the thousands of a number.
func valueText(v string) string {
	if n, err := strconv.ParseInt(v, 10, 64); err == nil {
		return cell.Thin(n)
	}
	return v
}

// drawMeaning says of the selected field what its row has no room for.
func (s *messageSheet) drawMeaning(r canvas.Region, at messageRow) {
	line := canvas.T(at.name+" ", theme.Focus).Add(at.kind+"  ", theme.Label).
		Add(count(int64(at.size), "byte")+" at byte "+cell.Thin(int64(at.at)), theme.Label)
	if at.note != "" {
		line = line.Add("  "+thinNumbers(at.note), theme.Text)
	}
	r.PutLine(0, 0, line.Truncate(r.W()))
}
