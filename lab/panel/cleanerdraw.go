package panel

import (
	"fmt"
	"slices"
	"strconv"

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
	for _, l := range next {
		if line.Width()+3+l.Width() <= width {
			return append(rows, put(append(append(line, canvas.S("   ", theme.Label)), l...)))
		}
	}
	for _, l := range next {
		if l.Width() <= width {
			return append(rows, put(line), put(l))
		}
	}
	return append(rows, put(line), put(next[len(next)-1]))
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
	case "ratio":
		return []string{"ratio " + s.ratioText() + " is not above " + fmt.Sprintf("%g", s.v.MinRatio)}
	case "open-transaction", "lag":
		return []string{s.v.Why + ", at " + cell.Thin(s.v.FirstUncleanable), s.v.Why}
	}
	return []string{s.v.Why}
}

// waking is when the cleaner looks next, the longest form first. Where a lesson
// has put its period out of the way, Kafka's own stands beside it.
func (s *cleanerSight) waking() []canvas.Line {
	line := canvas.T("next waking ", theme.Label)
	switch d := s.v.NextWakingMs - s.v.TimeMs; {
	case s.asks("why") && s.compacts():
		return []canvas.Line{line.Add("?", theme.Focus|theme.Bold)}
	case !s.compacts() || s.underWay():
		return nil
	case s.v.NextWakingMs < 0:
		return []canvas.Line{line.Add("not before something is written", theme.Text)}
	case d <= 0:
		return []canvas.Line{line.Add("now", theme.Open)}
	case d > backoff:
		line = line.Add("in "+long(d), theme.Strong)
		return []canvas.Line{
			line.Add("   log.cleaner.backoff.ms is 15 s by default", theme.Label), line.Add("   15 s by default", theme.Label), line,
		}
	default:
		return []canvas.Line{line.Add("in "+long(d), theme.Strong)}
	}
}

// backoff is log.cleaner.backoff.ms by default.
const backoff = 15 * second

// meterRow is the dirty ratio beside what it has to exceed.
func (s *cleanerSight) meterRow(r canvas.Region) {
	pen := r.Pen(0, 0).Put("dirty ratio ", theme.Label)
	if s.asks("ratio", "dirty") {
		pen.Put("?", theme.Focus|theme.Bold).Put(fmt.Sprintf("   above %g a pass is made", s.v.MinRatio), theme.Label)
		return
	}
	const scale = 10_000
	style := theme.Open
	if s.v.Ratio <= s.v.MinRatio {
		style = theme.Muted
	}
	need := fmt.Sprintf("   has to be above %g", s.v.MinRatio)
	tail := canvas.T(s.ratioText(), style|theme.Bold).Add(need, theme.Label)
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

// ratioText is the dirty ratio with as many decimals as it takes not to look
// like what it has to exceed.
func (s *cleanerSight) ratioText() string {
	text := fmt.Sprintf("%.2f", s.v.Ratio)
	if seen, err := strconv.ParseFloat(text, 64); err == nil && seen == s.v.MinRatio && s.v.Ratio != s.v.MinRatio {
		return fmt.Sprintf("%.5f", s.v.Ratio)
	}
	return text
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
