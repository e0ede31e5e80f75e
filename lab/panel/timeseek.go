package panel

import (
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/theme"
)

// drawByTime is how the first record at or after a time is found: the first
// segment that reaches so far, its time index, its offset index, the batches.
func (p *Index) drawByTime(r canvas.Region, s *seekSight, head, boxes part) {
	t := &s.byTime
	switch {
	case !s.timeFound:
		stack(r, head, boxes, part{1, 2, 0, func(r canvas.Region) { note(r, 0, "The log cannot be searched by time.") }})
		return
	case !t.HasSegment:
		boxes.most = 3
		stack(r, head, boxes, part{1, 3, 0, func(r canvas.Region) {
			note(r, 0, "No segment has a timestamp as large, so no record is found. A consumer that seeks by time gets no offset.")
		}})
		return
	}
	view := scanView{
		segment: t.SegmentBase, start: t.Start, list: t.Scanned, found: t.Found, target: t.Offset,
		leo: s.log.LEO, hw: s.log.HW, byTime: true, whole: true,
	}
	stack(r, head, boxes,
		part{3, 2 + probeRows(timeProbes(t), t.Slot), 0, s.drawTimeProbes},
		part{1, 2, 2, s.drawHandOver},
		part{4, 6, 1, func(r canvas.Region) { drawScan(r, view) }},
		part{1, 1, 0, s.drawTimeHit},
	)
}

// drawTimeProbes shows the search in the time index.
func (s *seekSight) drawTimeProbes(r canvas.Region) {
	l := &s.byTime
	fileHeading(r, l.SegmentBase, ".timeindex", l.Entries, timeEntrySize)
	if len(l.Probes) == 0 {
		note(below(r, 1), 0, "No entry: the search starts at the base offset.")
		return
	}
	t := probeTable(r.W(), "timestamp", "relative")
	rows := timeProbes(l)
	drawProbeTable(below(r, 1), t, rows, "target", l.Slot, l.WarmStart)
	if l.Slot < 0 && r.H() > 2+len(rows) {
		r.Put(2, 2+len(rows), cell.Truncate("none is at or below it: on from the base offset", r.W()-2), theme.Focus)
	}
}

// drawHandOver tells with which offset the search goes on in the offset index.
func (s *seekSight) drawHandOver(r canvas.Region) {
	l := &s.byTime
	fileHeading(r, l.SegmentBase, ".index", s.segs[max(0, s.floor())].IndexEntries, indexEntrySize)
	f := facts{}.add("offset", cell.Thin(l.From), theme.Text)
	if l.OffsetSlot >= 0 {
		f = f.add("slot", cell.Thin(int64(l.OffsetSlot)), theme.Text).
			add("", cell.Thin(int64(l.OffsetEntry.Relative))+" → "+cell.Thin(int64(l.OffsetEntry.Position)), theme.Focus)
	} else {
		f = f.add("", "no entry, so byte 0", theme.Focus)
	}
	f.draw(r, 2, 1)
}

// drawTimeHit names the record that was found.
func (s *seekSight) drawTimeHit(r canvas.Region) {
	l := &s.byTime
	if !l.Found {
		r.Put(2, 0, "no record at or after it in this segment", theme.Waiting)
		return
	}
	facts{}.add("found", "offset "+cell.Thin(l.Offset), theme.Teal|theme.Bold).
		add("stamped", stamp(l.Timestamp), theme.Text).draw(r, 2, 0)
}
