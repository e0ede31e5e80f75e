package panel

import (
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// Draw draws the lookup as far as it may be shown, or the indexes of a segment.
func (p *Index) Draw(r canvas.Region, m Model) {
	s := p.sight(m)
	p.slots.reset()
	p.boxes.reset()
	if !s.ok {
		note(r, 0, missing(m))
		return
	}
	head := part{1, 1, 0, func(r canvas.Region) { p.header(r, &s) }}
	boxes := part{1, 4, 1, func(r canvas.Region) { p.drawSegments(r, &s) }}
	switch {
	case len(s.segs) == 0:
		stack(r, head, part{1, 2, 1, func(r canvas.Region) { note(r, 0, brokerName(s.r.Broker)+" is not up: its files cannot be read") }})
	case s.browsing():
		boxes.most = 3
		stack(r, head, boxes, part{2, r.H(), 0, func(r canvas.Region) { p.drawEntries(r, &s) }})
	case s.target != None && !s.inRange():
		boxes.most = 3
		stack(r, head, boxes, part{3, 6, 0, s.drawOutOfRange})
	case s.targetMs != None && s.stage < stageAll:
		boxes.most = 3
		stack(r, head, boxes, part{1, 1, 2, s.drawQuestion})
	case s.targetMs != None:
		p.drawByTime(r, &s, head, boxes)
	default:
		p.drawLookup(r, &s, head, boxes)
	}
}

// drawLookup is a lookup of an offset, up to its stage.
func (p *Index) drawLookup(r canvas.Region, s *seekSight, head, boxes part) {
	parts := []part{head, boxes}
	if !s.found {
		boxes.most = 3
		stack(r, head, boxes, part{1, 3, 0, func(r canvas.Region) { note(r, 0, "The log cannot be read there.") }})
		return
	}
	switch s.stage {
	case stageSegments:
		parts[1].most = 3
		parts = append(parts, part{1, 1, 2, s.drawQuestion})
	case stageFloor:
		parts = append(parts, part{3, r.H(), 0, func(r canvas.Region) { p.drawAsItLies(r, s) }})
	default:
		parts = append(parts, part{3, 2 + probeRows(offsetProbes(&s.look), s.look.Slot), 0, s.drawProbes}, s.scanPart())
	}
	stack(r, parts...)
}

// drawQuestion says what a lookup is to find out.
func (s *seekSight) drawQuestion(r canvas.Region) {
	r.Put(0, 0, cell.Truncate("which segment, which index entry, which batch?", r.W()), theme.Faint)
}

// header names the replica and the target, or takes one.
func (p *Index) header(r canvas.Region, s *seekSight) {
	x := r.Pen(0, 0).Put(partitionName(s.r), theme.Name).Put(" on ", theme.Label).
		Put(brokerName(s.r.Broker), s.m.nodeStyle(brokerName(s.r.Broker))).X()
	label, value := "", ""
	switch {
	case p.asking == typedTime, s.targetMs != None && p.asking == typedNothing:
		label, value = "target time ", stamp(s.targetMs)
	case p.asking == typedOffset, s.target != None:
		label, value = "target offset ", cell.Thin(s.target)
	}
	if label == "" {
		return
	}
	w := cell.Width(label) + cell.Width(value)
	if p.Typing() {
		w = cell.Width(label) + 20
	}
	at := min(x+6, r.W()-w)
	if at <= x {
		// No room for both: what is looked up says more.
		r.Sub(geom.Rect{W: r.W(), H: 1}).Clear()
		at, label = 0, "target "
	}
	x = r.Put(at, 0, label, theme.Label)
	if !p.Typing() {
		r.Put(x, 0, value, theme.Focus|theme.Bold)
		return
	}
	field := r.Sub(geom.Rect{X: x, W: min(20, r.W()-x), H: 1})
	p.input.Empty = "empty: browse"
	if p.asking == typedTime {
		p.input.Empty = "m:ss or ms"
	}
	if p.wrong {
		r.Put(max(0, r.W()-14), 0, "m:ss, or in ms", theme.Refused)
		field = r.Sub(geom.Rect{X: x, W: max(1, min(20, r.W()-x-16)), H: 1})
	}
	p.input.Draw(field, true)
}

// drawSegments draws the segments, with the floor lit if it may be shown.
func (p *Index) drawSegments(r canvas.Region, s *seekSight) {
	floor, at := -1, len(s.segs)-1
	switch {
	case s.browsing():
		floor = p.browsed(s)
	case s.stage > stageSegments && (s.target != None || s.stage == stageAll):
		floor = s.floor()
	}
	if floor >= 0 {
		at = floor
	}
	if r.H() < 3 {
		if floor < 0 {
			at = -1
		}
		boxLine(r, 0, s.segs, at)
		return
	}
	row := layBoxes(r.W(), s.segs, at)
	style := func(i int) theme.Style {
		if i == floor {
			return theme.Focus
		}
		return theme.Label
	}
	row.draw(r.Sub(geom.Rect{W: r.W(), H: 3}), style, func(r canvas.Region, i int, st theme.Style) {
		text := sizeText(s.segs[i], r.W())
		if s.timeFound {
			text = shortStamp(s.segs[i].LargestTimestamp, r.W())
		}
		r.Put(0, 0, text, st)
	})
	row.note(r.Sub(geom.Rect{W: r.W(), H: 3}), &p.boxes)
	if floor < 0 || s.browsing() || !row.seen(floor) || r.H() < 4 {
		return
	}
	text := canvas.T("floor of "+cell.Thin(s.target)+" among the base offsets", theme.Label)
	if s.timeFound {
		text = canvas.T("the first whose largest timestamp is not lower", theme.Label)
	} else if s.look.SegmentBase != s.segs[floor].Base {
		text = canvas.T("nothing there at or past it: on to segment "+cell.Thin(s.look.SegmentBase), theme.Waiting)
	}
	box := row.box(floor, 1)
	r.Put(box.X+box.W/2, 2, "▲", theme.Focus)
	x := max(0, min(box.X+2, r.W()-text.Width()))
	r.PutLine(x, 3, text.Truncate(r.W()-x))
}

// shortStamp is a time of day, with as much of its date as there is room for.
func shortStamp(ms int64, width int) string {
	full := stamp(ms)
	for _, cut := range []int{0, len("2026-"), len("2026-01-01 ")} {
		if len(full)-cut <= width && cut < len(full) {
			return full[cut:]
		}
	}
	return cell.Truncate(full, width)
}

// drawOutOfRange says which offsets there are.
func (s *seekSight) drawOutOfRange(r canvas.Region) {
	r.Put(0, 0, "OFFSET_OUT_OF_RANGE", theme.Refused|theme.Bold)
	where := "above the log end offset"
	if s.target < s.log.Start {
		where = "below the log start offset"
	}
	y := note(r, 1, cell.Thin(s.target)+" is "+where+".")
	facts{}.add("valid", span(s.log.Start, s.log.LEO), theme.Committed|theme.Bold).
		add("", "start to LEO", theme.Label).draw(r, 0, y)
}

// fileHeading names an index file and its entries.
func fileHeading(r canvas.Region, base int64, suffix string, entries, size int) {
	tail := count(int64(entries), "entry") + ", " + cell.Thin(int64(size)) + " bytes each"
	if r.W() < 52 {
		tail = count(int64(entries), "entry")
	}
	name := cell.TruncateStart(segmentFile(base, suffix), max(12, r.W()-cell.Width(tail)-3))
	x := r.Put(0, 0, name, theme.Name)
	r.Put(x+3, 0, cell.Truncate(tail, max(0, r.W()-x-3)), theme.Label)
}

// below is the region without its first row.
func below(r canvas.Region, rows int) canvas.Region {
	return r.Sub(geom.Rect{Y: rows, W: r.W(), H: r.H() - rows})
}

// drawAsItLies shows the index of the chosen segment, by slot: the search in it
// is asked for. The window does not tell where it will end: it begins at a
// multiple of its height.
func (p *Index) drawAsItLies(r canvas.Region, s *seekSight) {
	seg, ok := s.searched()
	if !ok {
		return
	}
	fileHeading(r, seg.Base, ".index", s.look.Entries, indexEntrySize)
	entries, _ := p.entries.read(s.m, s.r, seg.Base)
	rows := max(1, r.H()-2)
	from := max(0, min(max(0, s.look.Slot)/rows*rows, len(entries)-rows))
	t := entryTable(entries[min(from, len(entries)):min(from+rows, len(entries))], from)
	t.Selected = widget.NoRow
	t.Draw(below(r, 1))
}

// entryTable is entries of an offset index, the first in slot from.
func entryTable(entries []indexEntry, from int) widget.Table {
	t := widget.Table{Columns: []widget.Column{
		{Title: "slot", Right: true, Style: theme.Label},
		{Title: "relative", Right: true},
		{Title: "position", Right: true},
	}, Indent: 2}
	for i, e := range entries {
		t.Rows = append(t.Rows, widget.Row(cell.Thin(int64(from+i)), cell.Thin(int64(e.Relative)), cell.Thin(int64(e.Position))))
	}
	return t
}

// drawEntries shows both indexes of a segment, side by side where there is room.
func (p *Index) drawEntries(r canvas.Region, s *seekSight) {
	seg := s.segs[p.browsed(s)]
	index, times := p.entries.read(s.m, s.r, seg.Base)
	p.showEntry(index)
	left := r
	if r.W() >= 58 && len(times) > 0 {
		left = r.Sub(geom.Rect{W: 28, H: r.H()})
		right := r.Sub(geom.Rect{X: 30, W: r.W() - 30, H: r.H()})
		p.drawTimes(right, seg, times)
	}
	fileHeading(left, seg.Base, ".index", len(index), indexEntrySize)
	if len(index) == 0 {
		note(below(left, 1), 0, "No entry. The first comes with a batch that has more than index.interval.bytes before it.")
		return
	}
	p.rows = max(1, left.H()-2)
	from, to := p.entry.Show(p.rows, len(index))
	t := entryTable(index[from:to], from)
	t.Selected = widget.NoRow
	if s.free() {
		t.Selected = p.entry.Selected - from
	}
	body := below(left, 1)
	t.Draw(body)
	for i := from; i < to; i++ {
		p.slots.add(body, 1+i-from, i)
	}
	if t.Selected >= 0 {
		widget.Select(body, geom.Rect{Y: 1 + t.Selected, W: 1, H: 1}, 0, theme.Focus)
	}
}

func (p *Index) drawTimes(r canvas.Region, seg segmentInfo, times []timeEntry) {
	fileHeading(r, seg.Base, ".timeindex", len(times), timeEntrySize)
	rows := max(0, r.H()-2)
	from := max(0, len(times)-rows)
	t := widget.Table{Selected: widget.NoRow, Columns: []widget.Column{
		{Title: "timestamp", Right: true, Style: theme.Label}, {Title: "relative", Right: true},
	}}
	for _, e := range times[from:] {
		t.Rows = append(t.Rows, widget.Row(shortStamp(e.Timestamp, max(12, r.W()-11)), cell.Thin(int64(e.Relative))))
	}
	t.Draw(below(r, 1))
}
