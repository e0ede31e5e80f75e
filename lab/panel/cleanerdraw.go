package panel

import (
	"fmt"

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
	says, low := s.verdict(r.W()), r.H() < 14 && s.hasPass()
	if low && s.underWay() {
		says = says[1:] // how dirty the log is has been decided about
	}
	boxes := 1 // in a low panel a line tells of the regions
	if r.H() >= 22 {
		boxes = 5
	}
	regions, pass, least := 1, 2, 7
	if low { // and in the lowest, the pass is what counts
		regions, pass, least = 2, 1, max(5, r.H()-2-len(says))
	}
	parts := []part{{1, 1, 0, s.head}, {boxes, boxes, regions, s.regions}, {len(says), len(says), 0, func(r canvas.Region) {
		for y, draw := range says {
			draw(r.Sub(geom.Rect{Y: y, W: r.W(), H: 1}))
		}
	}}}
	if s.hasPass() {
		rows := 2 + max(len(s.v.LastPass.Verdicts), len(s.v.Dirty), 1+len(s.v.LastPass.Map))
		parts = append(parts, part{min(rows, least), min(rows, max(7, r.H()/2)), pass, s.pass})
	}
	parts = append(parts, s.waits(r.H())...)
	if news := s.news(6); len(news) > 0 {
		parts = append(parts, part{2, 1 + len(news), 4, func(r canvas.Region) { s.drawNews(r, news) }})
	}
	stack(r, calm(append(parts, part{1, 1, 5, s.legend}), r.H())...)
}

// calm leaves out the legend, and what happened, if without them there is room
// for an empty row between the other parts.
func calm(parts []part, h int) []part {
	for rest := parts; ; rest = rest[:len(rest)-1] {
		if rowsOf(rest)+len(rest)-1 <= h {
			return rest
		}
		if rest[len(rest)-1].rank < 4 {
			return parts
		}
	}
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
	if r.H() < 5 {
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

// verdict says how dirty the log is, and whether a pass would be made now; each
// draws a row.
func (s *cleanerSight) verdict(width int) []func(canvas.Region) {
	put := func(l canvas.Line) func(canvas.Region) {
		return func(r canvas.Region) { r.PutLine(0, 0, l.Truncate(r.W())) }
	}
	var rows []func(canvas.Region)
	if s.compacts() {
		rows = append(rows, s.meterRow)
	}
	line, next := s.refusal(width), s.waking()
	if len(next) == 0 {
		return append(rows, put(line))
	}
	if line.Width()+3+next.Width() <= width {
		return append(rows, put(append(append(line, canvas.S("   ", theme.Label)), next...)))
	}
	return append(rows, put(line), put(next))
}

// compacts tells that the cleaner has to do with the log at all.
func (s *cleanerSight) compacts() bool { return s.v.Refusal != "policy" }

// refusal is the gate: whether a pass would be made now, and if not, why not.
func (s *cleanerSight) refusal(width int) canvas.Line {
	shut := canvas.T("gate ", theme.Label).Add(string(glyph.Wrong), theme.Muted)
	open := canvas.T("gate ", theme.Label).Add(string(glyph.Done), theme.Cleared)
	switch {
	case s.compacts() && s.asks("why", "ratio", "dirty"):
		return canvas.T("a pass now ", theme.Label).Add("?", theme.Focus|theme.Bold)
	case s.underWay():
		return open.Add("  pass "+cell.Thin(s.passNumber())+" is on its way", theme.Open|theme.Bold)
	case s.v.Refusal == "" && s.v.Must:
		return open.Add("  a pass would be made now", theme.Open|theme.Bold).Add(": max.compaction.lag.ms is over", theme.Label)
	case s.v.Refusal == "":
		return open.Add("  a pass would be made now", theme.Open|theme.Bold)
	case !s.compacts():
		return canvas.T("no pass now", theme.Strong).Add(": "+s.v.Why, theme.Text)
	}
	line := shut.Add("  no pass now", theme.Strong)
	for _, why := range s.whyNot() {
		if full := line.Add(": "+why, theme.Text); full.Width() <= width {
			return full
		}
	}
	return line.Add(": "+s.v.Why, theme.Text)
}

// whyNot is why no pass is made, the longest form first, with the numbers that
// decide.
func (s *cleanerSight) whyNot() []string {
	active := s.v.Segments[len(s.v.Segments)-1].Base
	switch s.v.Refusal {
	case "active":
		return []string{s.v.Why + ", from " + cell.Thin(active) + " on", "all that is dirty is active, from " + cell.Thin(active) + " on", "all that is dirty is active"}
	case "nothing-dirty":
		return []string{s.v.Why + ": first dirty " + cell.Thin(s.v.FirstDirty) + ", log end " + cell.Thin(s.v.FirstUncleanable), s.v.Why + " from " + cell.Thin(s.v.FirstDirty) + " on", s.v.Why}
	case "open-transaction", "lag":
		return []string{s.v.Why + ", at " + cell.Thin(s.v.FirstUncleanable), s.v.Why}
	}
	return []string{s.v.Why}
}

func (s *cleanerSight) waking() canvas.Line {
	line := canvas.T("next waking ", theme.Label)
	switch d := s.v.NextWakingMs - s.v.TimeMs; {
	case s.asks("why") && s.compacts():
		return line.Add("?", theme.Focus|theme.Bold)
	case !s.compacts() || s.underWay():
		return nil
	case s.v.NextWakingMs < 0:
		return line.Add("not before something is written", theme.Text)
	case d <= 0:
		return line.Add("now", theme.Open)
	default:
		return line.Add("in "+long(d), theme.Strong)
	}
}

// meterRow is the dirty ratio beside what it has to exceed.
func (s *cleanerSight) meterRow(r canvas.Region) {
	pen := r.Pen(0, 0).Put("dirty ratio ", theme.Label)
	if s.asks("ratio", "dirty") {
		pen.Put("?", theme.Focus|theme.Bold).Put(fmt.Sprintf("   more than %g lets a pass be made", s.v.MinRatio), theme.Label)
		return
	}
	const scale = 10_000
	style := theme.Open
	if s.v.Ratio <= s.v.MinRatio {
		style = theme.Muted
	}
	need := fmt.Sprintf("   needs > %g", s.v.MinRatio)
	tail := canvas.T(fmt.Sprintf("%.2f", s.v.Ratio), style|theme.Bold).Add(need, theme.Label)
	bytes := canvas.T("   clean ", theme.Label).Add(cell.Size(s.v.CleanBytes), theme.Text).Add("   dirty ", theme.Label).Add(cell.Size(s.v.CleanableBytes), theme.Text)
	w := min(24, r.W()-pen.X()-tail.Width()-2)
	if w >= 4 {
		meter(r, pen.X(), w, int64(s.v.Ratio*scale), scale, int64(s.v.MinRatio*scale), style)
		pen = pen.Gap(w + 2)
	}
	pen = pen.Line(tail)
	if pen.X()+bytes.Width() <= r.W() {
		pen.Line(bytes)
	}
}

// legend says what the signs of the regions and records mean.
func (s *cleanerSight) legend(r canvas.Region) {
	pen := r.Pen(0, 0)
	for _, l := range []struct {
		sign  rune
		style theme.Style
		text  string
	}{
		{glyph.Full, theme.Cleared, " clean, kept"}, {glyph.Dark, theme.Open, " dirty"}, {glyph.Light, theme.Text, " not cleanable"},
		{glyph.Dagger, theme.Tombstone, " tombstone"}, {glyph.Hollow, theme.Faint, " emptied"},
	} {
		if l.sign == glyph.Hollow && len(s.v.Empty) == 0 {
			continue
		}
		if r.W()-pen.X() >= 4+cell.Width(l.text) {
			pen = pen.Sign(l.sign, 1, l.style).Put(l.text, theme.Label).Gap(3)
		}
	}
}
