package panel

import (
	"slices"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// cleanerSight draws what a cleaner sees.
type cleanerSight struct{ choreSight }

// Draw draws the log in its regions, the meter, the newest pass, and what waits.
func (p *Cleaner) Draw(r canvas.Region, m Model) {
	s := cleanerSight{p.sight(m)}
	p.rows.reset()
	if !s.ok {
		s.noLog(r)
		return
	}
	pass, least := 2, 7
	var parts []part
	switch {
	case r.H() >= 22:
		if r.H() < 28 {
			least = 6
		}
		says := s.verdict(r.W())
		boxes := 4
		if s.compacts() {
			boxes = 5 // with the marks below them
		}
		parts = []part{{1, 1, 0, s.head}, {boxes, boxes, 1, s.regions}, rowsPart(says)}
	case r.H() >= 14 || !s.hasPass(): // without empty rows between what is told of the log
		rows := []func(canvas.Region){s.head}
		if r.H() >= 14 && s.compacts() {
			rows = append(rows, s.segmentStrips)
		}
		parts = []part{rowsPart(append(append(rows, s.regionLine), s.verdict(r.W())...))}
		if !s.underWay() {
			least = 5
		}
	default: // the pass is what counts
		says := s.verdict(r.W())
		if s.underWay() {
			says = says[1:] // how dirty the log is has been decided about
		}
		pass, least = 1, max(5, r.H()-2-len(says))
		parts = []part{{1, 1, 0, s.head}, {1, 1, 2, s.regions}, rowsPart(says)}
	}
	if s.hasPass() {
		rows := 2 + max(len(s.v.LastPass.Verdicts), len(s.v.Dirty), 1+len(s.v.LastPass.Map))
		parts = append(parts, part{min(rows, least), min(rows, max(7, r.H()/2)), pass, s.pass})
	}
	files, happened, legend := 4, 3, 5
	if r.H() < 22 {
		files, legend = 5, 4
	}
	if s.waitsCount() {
		files, happened, legend = 3, 4, 5
	}
	parts = append(parts, s.waits(r.H(), files)...)
	if news := s.news(6); len(news) > 0 {
		parts = append(parts, part{2, 1 + len(news), happened, func(r canvas.Region) { s.drawNews(r, news) }})
	}
	if len(s.signs()) > 0 {
		parts = append(parts, part{1, 1, legend, s.legend})
	}
	stack(r, calm(parts, r.H())...)
}

// rowsPart is a part of rows that each draws itself.
func rowsPart(rows []func(canvas.Region)) part {
	return part{len(rows), len(rows), 0, func(r canvas.Region) {
		for y, draw := range rows {
			draw(r.Sub(geom.Rect{Y: y, W: r.W(), H: 1}))
		}
	}}
}

// waitsCount tells that the files and batches that wait are what the moment is
// about: a pass is on its way, or the lesson lights them.
func (s *cleanerSight) waitsCount() bool {
	lit, here := s.m.Focus.lit("cleaner")
	return s.underWay() || here && slices.Contains([]string{"files", "empty", "horizons"}, lit)
}

// calm leaves out the legend, and what the moment is not about, if without them
// there is room for an empty row between the other parts.
func calm(parts []part, h int) []part {
	rest := slices.Clone(parts)
	for rowsOf(rest)+len(rest)-1 > h {
		i := leastNeeded(rest)
		if rest[i].rank < 4 {
			return parts
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return rest
}

func (s *cleanerSight) head(r canvas.Region) {
	f := facts{}.add("passes", cell.Thin(int64(s.v.Passes)), theme.Strong)
	if s.v.Start > 0 {
		f = f.add("start", cell.Thin(s.v.Start), theme.Text)
	}
	s.title(r, f)
}

// regions draws the segments: what is clean, what is dirty, and what no pass may
// touch yet. The marks below say where a pass begins and where it stops.
func (s *cleanerSight) regions(r canvas.Region) {
	segs := s.segments()
	at := segmentAt(segs, s.v.FirstDirty)
	if r.H() < 4 {
		s.regionLine(r)
		return
	}
	row := layBoxes(r.W(), segs, at)
	style := func(int) theme.Style { return theme.Label }
	inside := func(r canvas.Region, i int, _ theme.Style) {
		r.Put(0, 0, sizeText(segs[i], r.W()), theme.Text)
		s.strip(segs[i]).Draw(r, 0, 1, r.W()-1)
	}
	row.draw(r.Sub(geom.Rect{W: r.W(), H: 4}), style, inside)
	s.marks(r, row)
}

// strip is what of a segment is clean, dirty, and out of the cleaner's reach.
func (s *cleanerSight) strip(seg segmentInfo) widget.Strip {
	if seg.Next == seg.Base {
		return widget.Strip{{N: 1, Sign: glyph.Dot, Style: theme.Faint}}
	}
	if s.asks("dirty", "ratio") {
		return widget.Strip{{N: 1, Sign: glyph.Medium, Style: theme.Muted}}
	}
	if !s.compacts() {
		return widget.Strip{{N: 1, Sign: glyph.Light, Style: theme.Text}}
	}
	clean := max(seg.Base, min(s.v.FirstDirty, seg.Next))
	dirty := max(clean, min(s.v.FirstUncleanable, seg.Next))
	return widget.Strip{
		{N: clean - seg.Base, Sign: glyph.Full, Style: theme.Cleared},
		{N: dirty - clean, Sign: glyph.Dark, Style: theme.Open},
		{N: seg.Next - dirty, Sign: glyph.Light, Style: theme.Text},
	}
}

// marks point at the first dirty and the first uncleanable offset, each in a row
// of its own where they would stand in each other's way.
func (s *cleanerSight) marks(r canvas.Region, row boxRow) {
	if s.asks("dirty") {
		r.PutLine(2, 4, canvas.T("first dirty ", theme.Label).Add("?", theme.Focus|theme.Bold).Add("   first uncleanable ", theme.Label).Add("?", theme.Focus|theme.Bold))
		return
	}
	if !s.compacts() {
		return
	}
	var list []mark
	add := func(offset int64, label string, st theme.Style) {
		i := segmentAt(row.segs, offset)
		if row.seen(i) {
			col := row.column(i, offset)
			if offset >= row.segs[i].Next && row.segs[i].Next > row.segs[i].Base {
				col++
			}
			list = append(list, mark{col, st, canvas.T(label+" ", theme.Label).Add(cell.Thin(offset), st|theme.Bold)})
		}
	}
	switch {
	case s.v.FirstDirty == s.v.FirstUncleanable:
		add(s.v.FirstDirty, "first dirty and uncleanable", theme.Open)
	default:
		add(s.v.FirstDirty, "first dirty", theme.Open)
		add(s.v.FirstUncleanable, "first uncleanable", theme.Text)
	}
	if len(list) == 2 && list[0].column+list[0].text.Width()+2 > min(list[1].column, r.W()-list[1].text.Width()) {
		// Both say it in one row, beside each other.
		drawMarks(r, 3, list[1:])
		r.Put(list[0].column, 3, string(glyph.Up), list[0].style)
		both := append(append(list[0].text, canvas.S("   ", theme.Label)), list[1].text...)
		r.Sub(geom.Rect{Y: 4, W: r.W(), H: 1}).Clear()
		r.PutLine(max(0, min(list[0].column, r.W()-both.Width())), 4, both.Truncate(r.W()))
		return
	}
	drawMarks(r, 3, list)
}

// segmentStrips draws the segments in one row: the first offset of each, and
// what of it is clean and dirty.
func (s *cleanerSight) segmentStrips(r canvas.Region) {
	segs := s.segments()
	row := layBoxes(r.W(), segs, segmentAt(segs, s.v.FirstDirty))
	for i := row.from; i < row.to; i++ {
		box := row.box(i, 1)
		x := r.Put(box.X, 0, cell.TruncateStart(cell.Thin(segs[i].Base), box.W-4), theme.Label) + 1
		s.strip(segs[i]).Draw(r, x, 0, box.X+box.W-2-x)
	}
	if row.from > 0 {
		r.PutRight(row.x-1, 0, "+"+cell.Thin(int64(row.from)), theme.Label)
	}
	end := row.box(row.to, 1).X
	if rest := len(segs) - row.to; rest > 0 {
		r.Put(end, 0, "+"+cell.Thin(int64(rest)), theme.Label)
	} else if end+6 <= r.W() {
		r.Put(end, 0, "active", theme.Label)
	}
}

// regionLine tells the same in one row, where there is no room for boxes.
func (s *cleanerSight) regionLine(r canvas.Region) {
	f := facts{}
	if !s.compacts() {
		f.add("", count(int64(len(s.v.Segments)), "segment"), theme.Label).draw(r, 0, 0)
		return
	}
	for _, x := range []struct {
		label string
		at    int64
		style theme.Style
	}{{"first dirty", s.v.FirstDirty, theme.Open | theme.Bold}, {"first uncleanable", s.v.FirstUncleanable, theme.Strong}} {
		shown := orAsked(canvas.S(cell.Thin(x.at), x.style), s.asks("dirty"))
		f = f.add(x.label, shown.Text, shown.Style)
	}
	f.add("", count(int64(len(s.v.Segments)), "segment"), theme.Label).draw(r, 0, 0)
}

// sign is a mark of the panel, and what it means.
type sign struct {
	mark  rune
	style theme.Style
	means string
}

// signs are those that can be seen now.
func (s *cleanerSight) signs() []sign {
	var list []sign
	tombstone := len(s.v.Horizons) > 0
	for _, v := range s.v.LastPass.Verdicts {
		tombstone = tombstone || v.Kept && v.Why == whyTombstone
	}
	last := s.v.Segments[len(s.v.Segments)-1]
	for _, l := range []struct {
		seen bool
		sign
	}{
		{s.v.CleanBytes > 0 || len(s.v.LastPass.Verdicts) > 0, sign{glyph.Full, theme.Cleared, " clean, kept"}},
		{s.v.CleanableBytes > 0 || s.reads(), sign{glyph.Dark, theme.Open, " dirty"}},
		{!s.compacts() || last.Next > s.v.FirstUncleanable, sign{glyph.Light, theme.Text, " not cleanable"}},
		{tombstone, sign{glyph.Dagger, theme.Tombstone, " tombstone"}},
		{len(s.v.Empty) > 0, sign{glyph.Hollow, theme.Faint, " emptied"}},
	} {
		if l.seen && !s.asks("dirty", "ratio", "verdicts", "horizons", "empty") {
			list = append(list, l.sign)
		}
	}
	return list
}

// legend says what the signs of the regions and records mean.
func (s *cleanerSight) legend(r canvas.Region) {
	pen := r.Pen(0, 0)
	for _, l := range s.signs() {
		if r.W()-pen.X() >= 4+cell.Width(l.means) {
			pen = pen.Sign(l.mark, 1, l.style).Put(l.means, theme.Label).Gap(3)
		}
	}
}
