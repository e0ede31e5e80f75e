package panel

import (
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// pass draws the newest pass: what it read and kept, each record with why, and
// the map by which it decided.
func (s *cleanerSight) pass(r canvas.Region) {
	p := s.v.LastPass
	x := r.Put(0, 0, "pass "+cell.Thin(int64(p.Number)), theme.Name)
	f := facts{}.add("at", cell.Seconds(p.AtMs), theme.Text).add("from", cell.Thin(p.Stats.FirstDirty), theme.Text)
	if !s.asks("verdicts") {
		f = f.add("", cell.Thin(p.Stats.Kept)+" of "+count(p.Stats.Read, "record")+" kept", theme.Strong).
			add("", cell.Size(p.Stats.BytesBefore)+" → "+cell.Size(p.Stats.BytesAfter), theme.Text)
	}
	f.draw(r, x+3, 0)
	body := r.Rect().Pad(0, 1, 0, 0)
	if s.asks("verdicts") {
		r.PutLine(2, 1, canvas.T("what is kept, and what is left out: ", theme.Label).Add("?", theme.Focus|theme.Bold))
		body = body.Pad(0, 1, 0, 0)
	}
	mapW := min(26, r.W()/3)
	if r.W() < 44 { // the records say more
		s.verdicts(r.Sub(body))
		return
	}
	if s.asks("verdicts") {
		s.offsetMap(r.Sub(body))
		return
	}
	s.verdicts(r.Sub(body.Pad(0, 0, mapW+2, 0)))
	s.offsetMap(r.Sub(geom.Rect{X: r.W() - mapW, Y: body.Y, W: mapW, H: body.H}))
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
		sign, mark, text := verdictSign(v)
		pen := r.Pen(1, y).Sign(sign, 1, mark).Gap(1).Number(offW, cell.Thin(v.Offset), text).Gap(2).Fit(keyW, keyText(v), text).Gap(2)
		pen.Put(cell.Truncate(whyText(v.Why, r.W()-pen.X()-1), max(0, r.W()-pen.X()-1)), theme.Label)
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

// verdictSign is the mark of a record: kept, left out, or a tombstone that has
// to wait.
func verdictSign(v passVerdict) (sign rune, mark, text theme.Style) {
	switch {
	case v.Why == whyTombstone && v.Kept:
		return glyph.Dagger, theme.Tombstone, theme.Text
	case v.Kept:
		return glyph.Full, theme.Cleared, theme.Text
	}
	return glyph.Dot, theme.Faint, theme.Faint
}

// offsetMap lists the keys of the newest pass with their newest offset. That of
// the selected record is lit: it is what decided.
func (s *cleanerSight) offsetMap(r canvas.Region) {
	list := s.v.LastPass.Map
	x := r.Put(0, 0, "offset map", theme.Name)
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
		for i, e := range list {
			if v := s.v.LastPass.Verdicts[s.at]; !v.Null && v.Key == e.Key {
				at = i
			}
		}
	}
	from := listFrom(max(at, 0), part.H(), len(list))
	shown := list[from:min(len(list), from+part.H())]
	keyW := 2
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

// horizons lists the batches whose tombstones or marker wait, with the time
// left. Time alone takes nothing away: a pass has to come by.
func (s *cleanerSight) horizons(r canvas.Region) {
	x := r.Put(0, 0, "delete horizons", theme.Name)
	if s.asks("horizons") {
		r.Put(x+3, 0, "?", theme.Focus|theme.Bold)
		return
	}
	list := s.v.Horizons
	r.Put(x+3, 0, cell.Truncate(count(int64(len(list)), "batch"), max(0, r.W()-x-3)), theme.Label)
	w := 1
	for _, h := range list {
		w = max(w, cell.Width(span(h.Base, h.Last)))
	}
	for y, h := range list {
		if y+1 >= r.H() {
			return
		}
		if y+2 == r.H() && len(list) > y+1 {
			r.Put(2, y+1, "and "+cell.Thin(int64(len(list)-y))+" more", theme.Label)
			return
		}
		pen := r.Pen(2, y+1).Sign(glyph.Dagger, 1, theme.Tombstone).Gap(1).Number(w, span(h.Base, h.Last), theme.Text).Gap(2)
		if d := h.AtMs - s.v.TimeMs; d > 0 {
			pen.Put(cell.Truncate("kept for "+long(d), max(0, r.W()-pen.X())), theme.Waiting)
		} else {
			pen.Put(cell.Truncate("over: the next pass leaves it out", max(0, r.W()-pen.X())), theme.Label)
		}
	}
}
