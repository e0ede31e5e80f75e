package panel

import (
	"time"

	"kafkalab/engine"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// segmentTable lists the segments from the oldest on, with their age and what
// becomes of them.
func (s *retentionSight) segmentTable(r canvas.Region) {
	t := widget.Table{Indent: 2, Gap: 2, Selected: widget.NoRow, Columns: []widget.Column{
		{Title: "segment", Right: true}, {Title: "offsets", Right: true}, {Title: "bytes", Right: true}, {Title: "largest time", Right: true},
		{Title: "age", Right: true}, {Title: "goes"},
	}}
	if r.W() >= 100 {
		t.Gap, t.Columns[3].Title = 3, "largest timestamp"
	}
	n := len(s.v.Segments)
	from := listFrom(max(s.at, 0), r.H()-1, n)
	to := min(n, from+max(0, r.H()-1))
	write := s.writing(r.W())
	for i := range s.v.Segments[from:to] {
		t.Rows = append(t.Rows, s.segmentRow(&s.v.Segments[from+i], write))
	}
	fitColumns(&t, r.W()-1, 1, 2)
	t.Draw(r)
	for y := range r.H() {
		row, ok := t.RowAt(y)
		if !ok || row >= len(t.Rows) {
			continue
		}
		s.rows.add(r, y, from+row)
		if from+row == s.at {
			widget.Select(r, geom.Rect{Y: y, W: r.W(), H: 1}, 0, theme.Focus)
		}
	}
	widget.ScrollMark(below(r, 1), r.W()-1, from, to, n)
}

// writing is how the columns are written: the same in all rows, whichever are
// seen.
type writing struct {
	age   scale
	stamp string // layout of the largest timestamps
}

func (s *retentionSight) writing(width int) writing {
	longest, years := int64(0), map[int]bool{}
	for i := range s.v.Segments {
		g := &s.v.Segments[i]
		if g.Bytes == 0 {
			continue
		}
		longest = max(longest, s.age(g))
		years[time.UnixMilli(g.LargestMs).UTC().Year()] = true
	}
	w := writing{scaleOf(longest), "01-02 15:04:05"}
	switch {
	case width >= 100:
		w.stamp = "2006-01-02 15:04:05.000"
	case len(years) > 1 && width < 62:
		w.stamp = "2006-01-02"
	case len(years) > 1:
		w.stamp = "2006-01-02 15:04"
	}
	return w
}

// age is how long ago a segment's largest timestamp is, 0 for one to come.
func (s *retentionSight) age(g *engine.CleanerSegment) int64 {
	return max(0, g.OverMs+max(0, s.v.RetentionMs))
}

func (s *retentionSight) segmentRow(g *engine.CleanerSegment, w writing) []canvas.Span {
	offsets := span(g.Base, g.Next-1)
	if g.Next == g.Base {
		offsets = "none"
	}
	style := theme.Text
	if g.Goes != "" && !s.asks("goes", "age", "size") {
		style = theme.Open
	}
	when, age := canvas.S("no record", theme.Label), canvas.S("", theme.Label)
	if g.Bytes > 0 {
		if when.Text = "none"; g.LargestMs != noTime {
			when = canvas.S(time.UnixMilli(g.LargestMs).UTC().Format(w.stamp), theme.Text)
		}
		if age.Text = "–"; g.HasAge {
			age = canvas.S(w.age.text(s.age(g)), style)
		}
		when, age = orAsked(when, s.asks("age")), orAsked(age, s.asks("age"))
	}
	return []canvas.Span{
		canvas.S(cell.Thin(g.Base), style), canvas.S(offsets, style), canvas.S(cell.Size(int64(g.Bytes)), style),
		when, age, orAsked(s.fate(g), s.asks("goes", "age", "size")),
	}
}

// fate is what becomes of a segment: it goes with the next check, in some time,
// or has to stay although its time is over.
func (s *retentionSight) fate(g *engine.CleanerSegment) canvas.Span {
	switch {
	case g.Goes == "log start offset":
		return canvas.S("now: below log start", theme.Open|theme.Bold)
	case g.Goes != "":
		return canvas.S("now: "+g.Goes, theme.Open|theme.Bold)
	case g.Held == "high watermark":
		return canvas.S("not replicated yet", theme.Waiting)
	case g.Held != "":
		return canvas.S("too old, shielded", theme.Waiting)
	case g.Active && g.Bytes == 0:
		return canvas.S("active, empty", theme.Label)
	case g.HasAge && g.Active:
		return canvas.S("in "+inUnits(1-g.OverMs)+", active", theme.Text)
	case g.HasAge:
		return canvas.S("in "+inUnits(1-g.OverMs), theme.Text)
	case g.Active:
		return canvas.S("active", theme.Label)
	}
	return canvas.S("stays", theme.Label)
}
