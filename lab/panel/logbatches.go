package panel

import (
	"strings"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// drawBatches draws a window of the selected segment's batches.
func (p *Log) drawBatches(r canvas.Region, s logSight) {
	seg := s.segs[s.at]
	if s.batch == None {
		note(r, 0, s.emptyText(seg))
		return
	}
	p.rows = max(1, r.H()-1)
	list := p.window(s, p.rows)
	before := logOf(s.m.Before, s.r)
	t := widget.Table{Columns: batchColumns(), Selected: widget.NoRow, Indent: 2, Gap: 3}
	if r.W() < 46 {
		t.Gap = 2
	}
	for i, b := range list {
		t.Rows = append(t.Rows, batchRow(b, before.LEO >= 0 && b.Base >= before.LEO, s.log.HW))
		p.batches.add(r, 1+i, int(b.Base))
		if b.Base == s.batch {
			t.Selected = i
		}
	}
	fitColumns(&t, r.W()-2, 4, 5, 3, 2)
	t.Draw(r.Sub(geom.Rect{W: r.W() - 2, H: r.H()}))
	if t.Selected != widget.NoRow {
		widget.Select(r, geom.Rect{Y: 1 + t.Selected, W: 1, H: 1}, 0, theme.Focus)
	}
	if len(list) > 0 {
		bar := r.Sub(geom.Rect{X: min(r.W()-1, tableWidth(&t, nil)+2), Y: 1, W: 1, H: r.H() - 1})
		from, to := s.seenOf(list)
		widget.ScrollMark(bar, 0, int(from-seg.Base), int(to-seg.Base), int(seg.Next-seg.Base))
	}
}

// seenOf are the offsets of the selected segment that are seen. A pass of the
// cleaner leaves gaps, also before the first batch and behind the last: nothing
// is hidden there.
func (s logSight) seenOf(list []batchInfo) (from, to int64) {
	seg, first, last := s.segs[s.at], list[0], list[len(list)-1]
	from, to = first.Base, last.Last+1
	if s.before(first.Base, s.at) == None {
		from = seg.Base
	}
	if _, in, ok := s.after(last.Base); !ok || in != seg.Base {
		to = seg.Next
	}
	return from, to
}

// window lists the batches that are seen: those seen before as long as the
// selected one is among them, and else so that it is.
func (p *Log) window(s logSight, rows int) []batchInfo {
	seg := s.segs[s.at]
	if s.batch < p.top || p.top < seg.Base {
		p.top = s.batch
	}
	list := s.inSegment(p.top, rows)
	for i, b := range list {
		if b.Base != s.batch {
			continue
		}
		if p.roomAround(s, list, i, rows) {
			list = s.inSegment(p.top, rows)
		}
		return s.filled(p, list, rows)
	}
	p.top = s.batch
	for range rows - 1 {
		b := s.before(p.top, s.at)
		if b == None {
			break
		}
		p.top = b
	}
	return s.inSegment(p.top, rows)
}

// roomAround moves the window by one batch when the selected one, at index i of
// it, has none around it at its side though there is one; it tells if it did.
func (p *Log) roomAround(s logSight, list []batchInfo, i, rows int) bool {
	if rows < 3 {
		return false
	}
	if i == 0 {
		before := s.before(s.batch, s.at)
		if before != None {
			p.top = before
		}
		return before != None
	}
	if i == rows-1 && list[i].Last+1 < s.segs[s.at].Next {
		p.top = list[1].Base
		return true
	}
	return false
}

// filled is a window that does not end in empty rows while there are batches
// above it.
func (s logSight) filled(p *Log, list []batchInfo, rows int) []batchInfo {
	short := rows - len(list)
	if short <= 0 || p.top == s.segs[s.at].Base {
		return list
	}
	for range short {
		b := s.before(p.top, s.at)
		if b == None {
			break
		}
		p.top = b
	}
	return s.inSegment(p.top, rows)
}

// inSegment lists batches of the selected segment from an offset on.
func (s logSight) inSegment(from int64, rows int) []batchInfo {
	base := s.segs[s.at].Base
	list := s.m.Reader.Batches(s.r, max(from, base), rows)
	for i, b := range list {
		if b.Segment != base {
			return list[:i]
		}
	}
	return list
}

func batchColumns() []widget.Column {
	return []widget.Column{
		{Title: "batch", Right: true},
		{Title: "byte", Right: true},
		{Title: "size", Right: true},
		{Title: "records", Right: true},
		{Title: "epoch", Right: true},
		{Style: theme.Label},
	}
}

func batchRow(b batchInfo, fresh bool, hw int64) []canvas.Span {
	style := theme.Label
	if fresh {
		style = theme.Name
	}
	offsets := span(b.Base, b.Last)
	where := theme.Committed
	if b.Last >= hw {
		where = theme.Open
	}
	if fresh {
		where |= theme.Bold
	}
	return []canvas.Span{
		canvas.S(offsets, where), canvas.S(cell.Thin(int64(b.Position)), style), canvas.S(cell.Size(int64(b.Size)), style),
		canvas.S(cell.Thin(int64(b.Count)), style), canvas.S(cell.Thin(int64(b.Epoch)), style), canvas.S(batchWords(b), theme.Label),
	}
}

// batchWords say what is special in a batch.
func batchWords(b batchInfo) string {
	var words []string
	switch {
	case b.Control:
		words = append(words, "marker")
	case b.Transactional:
		words = append(words, "transactional")
	}
	if b.Codec != 0 {
		words = append(words, b.Codec.String())
	}
	if b.HasDeleteHorizon {
		words = append(words, "cleaned")
	}
	return strings.Join(words, ", ")
}

// emptyText says why a segment has no batch to list.
func (s logSight) emptyText(seg segmentInfo) string {
	switch {
	case !seg.Active:
		return "Segment " + cell.Thin(seg.Base) + " is empty: no pass has left a record in it."
	case s.log.LEO > 0:
		return "Segment " + cell.Thin(seg.Base) + " is empty. The next record gets offset " + cell.Thin(s.log.LEO) + " and goes there."
	}
	return "The log is empty. The first record gets offset 0."
}
