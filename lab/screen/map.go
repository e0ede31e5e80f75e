package screen

import (
	"fmt"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
	"kafkalab/lessons"
)

// drawMap draws the rows that are seen, and below them what is to be told about
// the progress file.
func (h *Home) drawMap(column canvas.Region) {
	r := column.Sub(column.Rect().Pad(1, 0, 1, 0))
	notice := canvas.T(h.env.Notice, theme.Due).Wrap(r.W() - 2)
	if h.env.Notice == "" {
		notice = nil
	}
	rows := r.Rect()
	if len(notice) > 0 {
		notice = firstLines(notice, r.H()/3)
		r.PutLines(1, r.H()-len(notice), notice)
		_, rows = rows.Bottom(len(notice) + 1)
	}
	part := r.Sub(rows)
	from, to := h.list.Show(part.H(), len(h.rows))
	_, h.top = part.Screen(0, 0)
	h.from = from
	for i, row := range h.rows[from:to] {
		here := from+i == h.list.Selected
		h.drawRow(part, i, row, here)
		if here {
			h.light(column, i, row)
		}
	}
	rows.W = column.W()
	widget.ScrollMark(column.Sub(rows), column.W()-1, from, to, len(h.rows))
}

func (h *Home) drawRow(r canvas.Region, y int, row mapRow, here bool) {
	if row.lesson == nil {
		h.drawSection(r, y, row.section)
	} else {
		h.drawLesson(r, y, row.lesson, here)
	}
}

// light lights the row that one is at, from the edge of the column on.
func (h *Home) light(column canvas.Region, y int, row mapRow) {
	bar := 3
	if row.lesson == nil {
		bar = 0
	}
	widget.Select(column, geom.Rect{X: 0, Y: y, W: column.W() - 3, H: 1}, bar, theme.Focus)
}

// barWidth is the width of a section's bar, countEdge the distance of its count
// from the right edge. A lesson's count stands three cells further right.
const (
	barWidth  = 12
	countEdge = 7
)

func (h *Home) drawSection(r canvas.Region, y, section int) {
	s := h.env.Course.Sections[section]
	n := s.Count(h.env.Progress, h.env.Now())
	sign := glyph.Closed
	if h.opened[section] {
		sign = glyph.Opened
	}
	r.Pen(0, y).Sign(sign, 1, theme.Label).Gap(1).Put(cell.Truncate(s.Title, r.W()-countEdge-8-barWidth-4), theme.Name)
	widget.Bar{Part: int64(n.Cleared), Whole: int64(n.Checks), Style: theme.Cleared}.Draw(r, r.W()-countEdge-19, y, barWidth)
	r.PutRight(r.W()-countEdge, y, fmt.Sprintf("%d/%d", n.Cleared, n.Checks), theme.Label)
}

func (h *Home) drawLesson(r canvas.Region, y int, l *lessons.Lesson, here bool) {
	n := l.Count(h.env.Progress, h.env.Now())
	sign, style := h.mark(l, n)
	name := theme.Text
	if here {
		name = theme.Name
	}
	r.Pen(3, y).Sign(sign, 1, style).Gap(1).Put(cell.Truncate(l.Title, r.W()-countEdge-8), name)
	r.PutRight(r.W()-countEdge+3, y, fmt.Sprintf("%d/%d", n.Cleared, n.Checks), theme.Label)
}

// mark is how far a lesson is: cleared, begun, not begun.
func (h *Home) mark(l *lessons.Lesson, n lessons.Counts) (rune, theme.Style) {
	_, open := resume(h.env.Progress, l)
	switch {
	case n.Checks > 0 && n.Cleared == n.Checks:
		return glyph.Done, theme.Cleared
	case open || n.Cleared > 0:
		return glyph.Half, theme.Open
	}
	return glyph.Todo, theme.Muted
}
