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

// passPhases are the phases of a pass in their order, as people call them, each
// with the engine's word for it. The gate is passed before a pass begins, and
// the engine's end is the checkpoint.
var passPhases = []struct {
	name  string
	phase passPhase
}{{"gate", ""}, {"map", phaseMap}, {"copy", phaseCopy}, {"swap", phaseSwap}, {"checkpoint", phaseEnd}}

// underWay tells that a pass has begun and has not ended.
func (s *cleanerSight) underWay() bool { return s.v.LastPass.Next != "" }

// brokenOff tells that the newest pass did not come to its end.
func (s *cleanerSight) brokenOff() bool { return s.v.LastPass.Refusal == "aborted" }

// hasPass tells that there is a pass to show.
func (s *cleanerSight) hasPass() bool { return s.v.Passes > 0 || s.underWay() || s.brokenOff() }

// passNumber counts the pass that is shown: one that has not ended is not among
// those that were made.
func (s *cleanerSight) passNumber() int64 {
	if s.underWay() || s.brokenOff() {
		return int64(s.v.Passes) + 1
	}
	return int64(s.v.Passes)
}

// groupAtWork is which group of segments a pass is at, from 1: copy and swap
// come once for each.
func (s *cleanerSight) groupAtWork() int {
	p := s.v.LastPass
	if p.Next == phaseCopy {
		return p.Stats.SegmentsAfter + 1
	}
	return p.Stats.SegmentsAfter
}

// phases draws how far the pass has come: gate ✓ · map ✓ · copy ▸ · swap ·
// checkpoint, and what the checkpoint says before and after it.
func (s *cleanerSight) phases(r canvas.Region) {
	if r.H() <= 0 || s.brokenOff() {
		return
	}
	sep := " " + string(glyph.Dot) + " "
	if r.W() < 58 {
		sep = "  "
	}
	pen, done := r.Pen(1, 0), true
	for i, p := range passPhases {
		if i > 0 {
			pen = pen.Put(sep, theme.Faint)
		}
		name := p.name
		now := s.underWay() && p.phase == s.v.LastPass.Next
		if n := s.groupAtWork(); now && n > 1 && p.phase != phaseEnd {
			name += " " + cell.Thin(int64(n))
		}
		switch {
		case now:
			done = false
			pen = pen.Put(name+" ", theme.Open|theme.Bold).Sign(glyph.Closed, 1, theme.Open)
		case done:
			pen = pen.Put(name+" ", theme.Text).Sign(glyph.Done, 1, theme.Cleared)
		default:
			pen = pen.Put(name, theme.Muted)
		}
	}
	for _, line := range s.checkpoint() {
		if pen.X()+3+line.Width() <= r.W() {
			pen.Gap(3).Line(line)
			return
		}
	}
}

// checkpoint is the first dirty offset that the next pass begins at, before and
// after this one, the longest form first.
func (s *cleanerSight) checkpoint() []canvas.Line {
	if s.asks("dirty") {
		return nil
	}
	value := canvas.T(cell.Thin(s.v.FirstDirty), theme.Open|theme.Bold)
	if !s.underWay() {
		stats := s.v.LastPass.Stats
		value = canvas.T(cell.Thin(stats.FirstDirty)+" "+string(glyph.Arrow)+" ", theme.Label).Add(cell.Thin(stats.EndOffset), theme.Open|theme.Bold)
	}
	long := append(canvas.T("first dirty ", theme.Label), value...)
	if s.underWay() {
		return []canvas.Line{long}
	}
	return []canvas.Line{long, value}
}

// dirtyRecords lists what the map is filled from: before the first reading each
// record waits, after it each is in the map, or a newer one of its key is. Which
// of them are copied follows from that, so where the lesson asks for it, nothing
// is said.
func (s *cleanerSight) dirtyRecords(r canvas.Region) {
	if r.H() <= 0 {
		return
	}
	newest := map[string]int64{}
	for _, e := range s.v.LastPass.Map {
		newest[e.Key] = e.Offset
	}
	list := s.v.Dirty
	from := listFrom(max(s.at, 0), r.H(), len(list))
	shown := list[from:min(len(list), from+r.H())]
	offW, keyW := 1, 3
	for _, d := range shown {
		offW, keyW = max(offW, cell.Width(cell.Thin(d.Offset))), max(keyW, cell.Width(dirtyKey(d)))
	}
	keyW = min(keyW, max(3, r.W()/4))
	for y, d := range shown {
		at, noted := newest[d.Key]
		sign, mark, text, says := glyph.Dark, theme.Open, theme.Text, "not read yet"
		switch {
		case s.asks("verdicts"):
			sign, mark, says = ' ', theme.Text, "?"
		case s.v.LastPass.Next == phaseMap:
		case d.Marker:
			sign, mark, says = glyph.Dot, theme.Faint, "a marker, never in the map"
		case d.Null || !noted || at < d.Offset:
			sign, mark, says = glyph.Dot, theme.Faint, "not in the map"
		case at == d.Offset:
			sign, mark, says = glyph.Closed, theme.Cleared, "in the map"
		default:
			sign, mark, text, says = glyph.Dot, theme.Faint, theme.Faint, cell.Thin(at)+" is newer"
		}
		pen := r.Pen(1, y).Sign(sign, 1, mark).Gap(1).Number(offW, cell.Thin(d.Offset), text).Gap(2).Fit(keyW, dirtyKey(d), text).Gap(2)
		style := theme.Label
		if s.asks("verdicts") {
			style = theme.Focus | theme.Bold
		}
		pen.Put(cell.Truncate(says, max(0, r.W()-pen.X()-1)), style)
		s.rows.add(r, y, from+y)
		if from+y == s.at {
			widget.Select(r, geom.Rect{Y: y, W: r.W(), H: 1}, 0, theme.Focus)
		}
	}
	widget.ScrollMark(r, r.W()-1, from, from+len(shown), len(list))
}

func dirtyKey(d engine.DirtyRecord) string {
	if d.Null || d.Marker {
		return string(glyph.Null)
	}
	return cell.Clean(d.Key)
}
