package panel

import (
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// pass draws the newest pass: how far it has come, what it read and kept, each
// record with why, and the map by which it decided.
func (s *cleanerSight) pass(r canvas.Region) {
	s.passHead(r)
	s.phases(r.Sub(geom.Rect{Y: 1, W: r.W(), H: 1}))
	body := r.Rect().Pad(0, 2, 0, 0)
	if s.brokenOff() {
		body = r.Rect().Pad(0, 1, 0, 0)
	}
	if s.asks("verdicts") && !s.reads() {
		r.PutLine(2, body.Y, canvas.T("what is kept, and what is left out: ", theme.Label).Add("?", theme.Focus|theme.Bold))
		s.offsetMap(r.Sub(body.Pad(0, 1, 0, 0)))
		return
	}
	list := s.verdicts
	if s.reads() {
		list = s.dirtyRecords
	}
	mapW := min(26, r.W()/3)
	if r.W() < 44 { // the records say more
		list(r.Sub(body))
		return
	}
	list(r.Sub(body.Pad(0, 0, mapW+2, 0)))
	s.offsetMap(r.Sub(geom.Rect{X: r.W() - mapW, Y: body.Y, W: mapW, H: body.H}))
}

// reads tells that the pass has not copied anything yet: the map is what there
// is to see.
func (s *cleanerSight) reads() bool { return len(s.v.Dirty) > 0 }

// passHead names the pass, and what is known of it so far.
func (s *cleanerSight) passHead(r canvas.Region) {
	p := s.v.LastPass
	name := theme.Name
	if s.refusedSince() {
		name = theme.Label // the newest look has made no pass
	}
	x := r.Put(0, 0, "pass "+cell.Thin(s.passNumber()), name)
	f := facts{}
	switch ago := s.v.TimeMs - p.AtMs; {
	case s.underWay():
		f = f.add("at", cell.Clock(p.AtMs), theme.Text)
	case ago > 0:
		f = f.add("", long(ago)+" ago", theme.Text)
	default:
		f = f.add("", "now", theme.Text)
	}
	switch {
	case s.brokenOff():
		f.add("", "broken off: "+p.Why, theme.Text).draw(r, x+3, 0)
		return
	case s.asks("map", "dirty"):
		f = f.add("from", cell.Thin(p.Stats.FirstDirty), theme.Text)
	case s.reads():
		to := s.v.FirstUncleanable
		if p.Next != phaseMap {
			to = p.Stats.EndOffset
		}
		f = f.add("reads", cell.Thin(p.Stats.FirstDirty)+" up to "+cell.Thin(to), theme.Text)
	default:
		f = f.add("from", cell.Thin(p.Stats.FirstDirty), theme.Text)
	}
	if p.Stats.Read > 0 && !s.asks("verdicts") {
		f = f.add("", cell.Thin(p.Stats.Kept)+" of "+count(p.Stats.Read, "record")+" kept", theme.Strong).
			add("", cell.Size(p.Stats.BytesBefore)+" → "+cell.Size(p.Stats.BytesAfter), theme.Text)
	}
	if !s.underWay() {
		f = f.add("at", cell.Clock(p.AtMs), theme.Text)
	}
	f.draw(r, x+3, 0)
}

// verdicts lists what became of the records, the selected one lit.
func (s *cleanerSight) verdicts(r canvas.Region) {
	list := s.v.LastPass.Verdicts
	if s.asks("verdicts") || r.H() <= 0 {
		return
	}
	rows := r.H()
	from := listFrom(max(s.at, 0), rows, len(list))
	var shown []passVerdict
	for _, v := range list[from:min(len(list), from+rows)] {
		shown = append(shown, passVerdict(v))
	}
	offW, keyW := 1, 3
	for _, v := range shown {
		offW, keyW = max(offW, cell.Width(cell.Thin(v.Offset))), max(keyW, cell.Width(keyText(v)))
	}
	keyW = min(keyW, max(3, r.W()/4))
	for y, v := range shown {
		sign, mark, text := s.verdictSign(v)
		if s.refusedSince() {
			text = theme.Label
		}
		why := v.Why
		if sign == glyph.Hollow {
			why = shortestOf(why) + ", header stays"
		}
		pen := r.Pen(1, y).Sign(sign, 1, mark).Gap(1).Number(offW, cell.Thin(v.Offset), text).Gap(2).Fit(keyW, keyText(v), text).Gap(2)
		room := max(0, r.W()-pen.X()-1)
		says := whyText(why, room)
		if newer, ok := s.newer[v.Key]; ok && v.Kept && !v.Null && v.Why == whyNewest {
			says = newestRead(s.v.LastPass.Stats.EndOffset, newer, room)
		}
		pen.Put(cell.Truncate(says, room), theme.Label)
		s.rows.add(r, y, from+y)
		if from+y == s.at {
			widget.Select(r, geom.Rect{Y: y, W: r.W(), H: 1}, 0, theme.Focus)
		}
	}
	widget.ScrollMark(r, r.W()-1, from, from+len(shown), len(list))
}

func keyText(v passVerdict) string {
	if v.Null {
		return string(glyph.Null)
	}
	return cell.Clean(v.Key)
}

// verdictSign is the mark of a record: kept, left out, left out of a batch whose
// header stays, or a tombstone that has to wait.
func (s *cleanerSight) verdictSign(v passVerdict) (sign rune, mark, text theme.Style) {
	switch {
	case v.Why == whyTombstone && v.Kept:
		return glyph.Dagger, theme.Tombstone, theme.Text
	case v.Kept:
		return glyph.Full, theme.Cleared, theme.Text
	case s.isEmptied(v.Offset):
		return glyph.Hollow, theme.Faint, theme.Faint
	}
	return glyph.Dot, theme.Faint, theme.Faint
}

// offsetMap lists the keys of the newest pass with their newest offset. That of
// the selected record is lit: it is what decided.
func (s *cleanerSight) offsetMap(r canvas.Region) {
	list := s.v.LastPass.Map
	x := r.Put(0, 0, "offset map", theme.Name)
	if s.v.LastPass.Next == phaseMap && !s.asks("map") {
		r.Put(x+2, 0, "empty", theme.Label)
		return
	}
	if s.asks("map") {
		r.Put(x+2, 0, "?", theme.Focus|theme.Bold)
		return
	}
	size := count(int64(s.v.LastPass.Stats.MapSize), "key")
	if s.v.LastPass.Stats.MapFull {
		size += ", full"
	}
	if x+2+cell.Width(size) > r.W() {
		size = cell.Thin(int64(s.v.LastPass.Stats.MapSize))
	}
	r.Put(x+2, 0, cell.Truncate(size, max(0, r.W()-x-2)), theme.Label)
	part := below(r, 1)
	if part.H() <= 0 {
		return
	}
	at := -1
	if s.at >= 0 {
		v := passRecords(&s.choreSight)[s.at]
		for i, e := range list {
			if !v.Null && v.Key == e.Key {
				at = i
			}
		}
	}
	from := listFrom(max(at, 0), part.H(), len(list))
	shown := list[from:min(len(list), from+part.H())]
	keyW := 1
	for _, e := range shown {
		keyW = max(keyW, cell.Width(cell.Clean(e.Key)))
	}
	keyW = min(keyW, max(2, r.W()-8))
	for y, e := range shown {
		style := theme.Text
		if from+y == at {
			style = theme.Focus | theme.Bold
		}
		part.Pen(1, y).Fit(keyW, cell.Clean(e.Key), style).Put(" "+string(glyph.Arrow)+" ", theme.Label).Put(cell.Thin(e.Offset), style)
	}
	widget.ScrollMark(part, part.W()-1, from, from+len(shown), len(list))
}
