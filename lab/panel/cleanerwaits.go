package panel

import (
	"kafkalab/engine"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
)

// section is a list with a heading.
type section struct {
	name, note string
	hide       bool // the lesson asks for it
	rows       []func(r canvas.Region)
}

// draw draws the heading and as many rows as there is room for.
func (c section) draw(r canvas.Region) {
	x := r.Put(0, 0, c.name, theme.Name)
	if c.hide {
		r.Put(x+3, 0, "?", theme.Focus|theme.Bold)
		return
	}
	if c.note != "" {
		r.Put(x+3, 0, cell.Truncate(c.note, max(0, r.W()-x-3)), theme.Label)
	}
	for y, row := range c.rows {
		if y+1 >= r.H() {
			return
		}
		at := r.Sub(geom.Rect{Y: y + 1, W: r.W(), H: 1})
		if y+2 == r.H() && len(c.rows) > y+1 {
			at.Put(2, 0, "and "+cell.Thin(int64(len(c.rows)-y))+" more", theme.Label)
			return
		}
		row(at)
	}
}

func (c section) part(rank int) part {
	if c.hide {
		return part{1, 1, rank, c.draw}
	}
	n := len(c.rows)
	return part{1 + min(n, 3), 1 + min(n, 6), rank, c.draw}
}

// waits are the files that will go, the headers that emptied batches have left,
// and the batches with a delete horizon: three lists, or one where there is no
// room for the empty rows between them.
func (s *cleanerSight) waits(h, rank int) []part {
	var list []section
	hides := false
	for _, c := range []section{s.horizonRows(), s.fileRows(), s.emptiedRows()} {
		if len(c.rows) > 0 {
			list, hides = append(list, c), hides || c.hide
		}
	}
	if len(list) > 1 && h < 34 && !hides {
		all := section{name: "what waits"}
		for _, c := range list {
			all.rows = append(all.rows, c.rows...)
		}
		return []part{all.part(rank)}
	}
	parts := make([]part, len(list))
	for i, c := range list {
		parts[i] = c.part(rank)
	}
	return parts
}

// emptiedRows list the batches of which the header is left, and why it is.
func (s *cleanerSight) emptiedRows() section {
	c := section{name: "emptied batches", hide: s.asks("empty"), note: "each a header of 61 B"}
	for _, e := range s.v.Empty {
		c.rows = append(c.rows, func(r canvas.Region) {
			pen := r.Pen(2, 0).Sign(glyph.Hollow, 1, theme.Faint).Gap(1).Put(span(e.Base, e.Last), theme.Faint).Gap(2)
			pen.Put(cell.Truncate("61 B: "+emptyWhy(e), max(0, r.W()-pen.X())), theme.Label)
		})
	}
	return c
}

// emptyWhy is why the header of an emptied batch is there.
func emptyWhy(e engine.EmptyBatch) string {
	switch {
	case e.Alive:
		return "the last batch of producer " + cell.Thin(e.Producer)
	case e.End:
		return "the end of the log"
	}
	return "the next pass takes it"
}

// isEmptied tells that an offset lies in a batch of which the header is left.
func (s *cleanerSight) isEmptied(offset int64) bool {
	for _, e := range s.v.Empty {
		if e.Base <= offset && offset <= e.Last {
			return true
		}
	}
	return false
}

// horizonRows list the batches whose tombstones or marker wait, with the time
// left. Time alone takes nothing away: a pass has to come by.
func (s *cleanerSight) horizonRows() section {
	list := s.v.Horizons
	c := section{name: "delete horizons", hide: s.asks("horizons"), note: count(int64(len(list)), "batch")}
	for _, h := range list {
		text, style := "horizon over: the next pass leaves it out", theme.Label
		if d := h.AtMs - s.v.TimeMs; d > 0 {
			text, style = "kept for "+long(d), theme.Waiting
		} else if s.underWay() {
			text = "horizon over: this pass leaves it out"
		}
		c.rows = append(c.rows, func(r canvas.Region) {
			pen := r.Pen(2, 0).Sign(glyph.Dagger, 1, theme.Tombstone).Gap(1).Put(span(h.Base, h.Last), theme.Text).Gap(2)
			pen.Put(cell.Truncate(text, max(0, r.W()-pen.X())), style)
		})
	}
	return c
}
