package panel

import (
	"kafkalab/engine"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// Draw draws the log: segments, replicas, the selected segment and its batches.
func (p *Log) Draw(r canvas.Region, m Model) {
	s := p.look(m)
	p.batches.reset()
	p.boxes.reset()
	if !s.ok {
		note(r, 0, missing(m))
		return
	}
	if len(s.segs) == 0 {
		s.header(r)
		s.drawReplicas(r.Sub(geom.Rect{Y: 2, W: r.W(), H: r.H() - 2}))
		note(r, r.H()-1, brokerName(s.r.Broker)+" is not up: its files cannot be read")
		return
	}
	replicas := 0
	if len(s.part.Replicas) > 1 {
		replicas = 1 + len(s.part.Replicas)
	}
	legend := 1
	if s.log.LEO <= s.segs[0].Base { // there is nothing to explain
		legend = 0
	}
	stack(r,
		part{1, 1, 0, s.header},
		part{1, 5, 1, func(r canvas.Region) { s.drawSegments(r, &p.boxes) }},
		part{2, replicas, 3, s.drawReplicas},
		part{1, 3, 4, s.drawFacts},
		part{3, 1 + max(1, len(s.inSegment(s.segs[s.at].Base, r.H()))), 2, func(r canvas.Region) { p.drawBatches(r, s) }},
		part{legend, legend, 5, s.legend},
	)
}

// missing says why a panel has no partition to show.
func missing(m Model) string {
	if m.Focus.Replica.Topic == "" {
		return "No topic yet. The panel shows a partition as soon as there is one."
	}
	name := partitionName(m.Focus.Replica)
	if p := partitionOf(m.View, m.Focus.Replica); p != nil {
		return name + " has no replica on " + brokerName(m.Focus.Replica.Broker) + "."
	}
	return "There is no partition " + name + "."
}

// header names the replica and the marks of its log.
func (s logSight) header(r canvas.Region) {
	pen := r.Pen(0, 0).Put(partitionName(s.r), theme.Name)
	if r.W() >= 46 || s.log.State == offline {
		pen = pen.Put(" on ", theme.Label).Put(brokerName(s.r.Broker), s.m.nodeStyle(brokerName(s.r.Broker)))
	}
	if s.log.State == offline {
		pen.Gap(3).Put(offline, theme.Waiting|theme.Bold)
		return
	}
	before := logOf(s.m.Before, s.r)
	f := facts{}.add("LEO", offsetText(s.log.LEO), theme.Name).add("HW", offsetText(s.log.HW), theme.Committed|theme.Bold)
	if s.log.Start > 0 {
		f = f.add("start", offsetText(s.log.Start), theme.Text)
	}
	if d := s.log.LEO - before.LEO; before.LEO >= 0 && d != 0 {
		f = f.add("this step", signed(d), theme.Focus|theme.Bold)
	}
	f.draw(r, pen.X()+3, 0)
}

func signed(n int64) string {
	if n > 0 {
		return "+" + cell.Thin(n)
	}
	return cell.Thin(n)
}

// drawSegments draws the segments as boxes, with strips of what is committed
// and the marks of the log; without room, as a line.
func (s logSight) drawSegments(r canvas.Region, boxes *clicks) {
	if r.H() < 4 {
		boxLine(r, 0, s.segs, s.at)
		return
	}
	row := layBoxes(r.W(), s.segs, s.at)
	before := logOf(s.m.Before, s.r)
	style := func(i int) theme.Style {
		switch {
		case i == s.at:
			return theme.Focus | theme.Bold
		case before.LEO >= 0 && i > 0 && s.segs[i].Base >= before.LEO:
			return theme.Bright
		}
		return theme.Label
	}
	inside := func(r canvas.Region, i int, st theme.Style) {
		r.Put(0, 0, sizeText(s.segs[i], r.W()), st&^theme.Bold)
		s.strip(i).Draw(r, 0, 1, r.W()-1)
	}
	row.draw(r.Sub(geom.Rect{W: r.W(), H: 4}), style, inside)
	row.note(r.Sub(geom.Rect{W: r.W(), H: 4}), boxes)
	drawMarks(r, 3, s.marks(row))
}

// strip is what of a segment is below the log's start, committed, and open.
func (s logSight) strip(i int) widget.Strip {
	seg := s.segs[i]
	start := max(seg.Base, min(s.log.Start, seg.Next))
	hw := max(start, min(s.log.HW, seg.Next))
	if seg.Next == seg.Base {
		return widget.Strip{{N: 1, Sign: glyph.Dot, Style: theme.Faint}}
	}
	return widget.Strip{
		{N: start - seg.Base, Sign: glyph.Light, Style: theme.Faint},
		{N: hw - start, Sign: glyph.Full, Style: theme.Committed},
		{N: seg.Next - hw, Sign: glyph.Full, Style: theme.Open},
	}
}

// marks are the log's start, high watermark and end, as far as they are seen.
func (s logSight) marks(row boxRow) []mark {
	var marks []mark
	add := func(offset int64, label string, st theme.Style) {
		i := segmentAt(s.segs, max(offset-1, 0))
		if offset < 0 || !row.seen(i) {
			return
		}
		col := row.column(i, offset)
		if offset == s.segs[i].Next {
			col++
		}
		marks = append(marks, mark{col, st, canvas.T(label+" ", theme.Label).Add(cell.Thin(offset), st|theme.Bold)})
	}
	if s.log.Start > 0 {
		add(s.log.Start, "start", theme.Text)
	}
	if s.log.HW == s.log.LEO {
		add(s.log.LEO, "HW and LEO", theme.Committed)
		return marks
	}
	add(s.log.HW, "HW", theme.Committed)
	add(s.log.LEO, "LEO", theme.Open)
	return marks
}

// drawReplicas tells of each replica in a line.
func (s logSight) drawReplicas(r canvas.Region) {
	r.Put(0, 0, "replicas", theme.Name)
	x := r.Pen(0, 0).Gap(11).Put("ISR ", theme.Label).X()
	for i, id := range s.part.ISR {
		if i > 0 {
			x = r.Put(x, 0, ",", theme.Label)
		}
		x = r.Put(x, 0, cell.Thin(int64(id)), theme.Committed)
	}
	for i, l := range s.part.Logs {
		drawReplica(r, 1+i, l, s.m, s.part)
	}
}

// drawReplica is one replica: what it is, its log end, its high watermark.
func drawReplica(r canvas.Region, y int, l engine.ReplicaView, m Model, p *engine.PartitionView) {
	name := brokerName(l.Broker)
	style, sign := m.nodeStyle(name), rune(glyph.Filled)
	if l.State == offline {
		style, sign = theme.Waiting, glyph.Gone
	}
	r.Pen(0, y).Sign(sign, 1, style).Gap(1).Fit(9, name, theme.Text).Gap(1).Fit(9, l.State, style)
	if l.State == offline {
		return
	}
	f := facts{}.add("LEO", offsetText(l.LEO), theme.Name).add("HW", offsetText(l.HW), theme.Committed)
	if behind := p.LEO - l.LEO; p.LEO >= 0 && behind > 0 {
		f = append(f, canvas.S("", theme.Label), canvas.S(cell.Thin(behind)+" behind", theme.Waiting))
	}
	f.draw(r, 22, y)
}

// drawFacts tells of the selected segment's files.
func (s logSight) drawFacts(r canvas.Region) {
	seg := s.segs[s.at]
	x := r.Put(0, 0, cell.TruncateStart(segmentFile(seg.Base, ".log"), r.W()), theme.Name)
	f := facts{}.add("", offsetsOf(seg), theme.Text).add("", cell.Size(int64(seg.Bytes)), theme.Text)
	f.draw(r, x+3, 0)
	// What the learner is asked about a segment may be one of these.
	asked := !s.m.Focus.Revealed && s.m.Focus.litSegment() != None
	entries := func(n int) string {
		if asked {
			return "?"
		}
		return cell.Thin(int64(n))
	}
	f = facts{}.add("index entries", entries(seg.IndexEntries), theme.Text).add("time index entries", entries(seg.TimeIndexEntries), theme.Text)
	if seg.AbortedTxns > 0 {
		f = f.add("aborted", entries(seg.AbortedTxns), theme.Aborted)
	}
	f.draw(r, 2, 1)
	s.drawTimes(r, seg)
}

// drawTimes tells which times a segment spans; a segment ages by them.
func (s logSight) drawTimes(r canvas.Region, seg segmentInfo) {
	switch {
	case seg.FirstTimestamp == noTime:
	case seg.FirstTimestamp == seg.LargestTimestamp:
		facts{}.add("timestamps", stamp(seg.FirstTimestamp), theme.Text).draw(r, 2, 2)
	case r.W() >= 66:
		facts{}.add("timestamps, first", stamp(seg.FirstTimestamp), theme.Text).add("largest", stamp(seg.LargestTimestamp), theme.Text).draw(r, 2, 2)
	default:
		w := max(12, (r.W()-21)/2)
		facts{}.add("first", shortStamp(seg.FirstTimestamp, w), theme.Text).add("largest", shortStamp(seg.LargestTimestamp, w), theme.Text).draw(r, 2, 2)
	}
}

// legend says what the colours of the strips and batches mean.
func (s logSight) legend(r canvas.Region) {
	pen := r.Pen(0, 0).Sign(glyph.Full, 1, theme.Committed).Put(" committed", theme.Label)
	if s.log.HW < s.log.LEO {
		pen = pen.Gap(3).Sign(glyph.Full, 1, theme.Open).Put(" not yet committed", theme.Label)
	}
	if s.log.Start > s.segs[0].Base && r.W()-pen.X() > 22 {
		pen.Gap(3).Sign(glyph.Light, 1, theme.Faint).Put(" below the start", theme.Label)
	}
}

// offsetsOf is the range of a segment's offsets.
func offsetsOf(seg segmentInfo) string {
	if seg.Next == seg.Base {
		return "empty, next is " + cell.Thin(seg.Base)
	}
	return span(seg.Base, seg.Next-1)
}
