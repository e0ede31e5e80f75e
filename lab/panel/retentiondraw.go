package panel

import (
	"path"
	"strings"

	"kafkalab/engine"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// retentionSight draws what retention sees.
type retentionSight struct{ choreSight }

// Draw draws the limits, the segments, and the files that are going.
func (p *Retention) Draw(r canvas.Region, m Model) {
	s := retentionSight{p.sight(m)}
	p.rows.reset()
	if !s.ok {
		s.noLog(r)
		return
	}
	parts := []part{
		{1, 1, 0, s.head},
		{1, 3, 0, s.limits},
		{3, 1 + len(s.v.Segments), 1, s.segmentTable},
	}
	if n := len(s.v.Doomed); n > 0 {
		parts = append(parts, part{2, 1 + min(n, 8), 2, s.doomed})
	}
	if news := s.news(8); len(news) > 0 {
		parts = append(parts, part{2, 1 + len(news), 3, func(r canvas.Region) { s.drawNews(r, news) }})
	}
	stack(r, append(parts, part{1, 1, 4, s.legend})...)
}

func (s *retentionSight) head(r canvas.Region) {
	start := orAsked(canvas.S(cell.Thin(s.v.Start), theme.Strong), s.asks("start"))
	s.title(r, facts{}.add("log start", start.Text, start.Style))
}

// limits are retention.ms, retention.bytes, and the next check.
func (s *retentionSight) limits(r canvas.Region) {
	f := facts{}.add("retention.ms", s.msText(), theme.Strong).add("retention.bytes", s.bytesText(), theme.Strong)
	if r.H() == 1 {
		f.draw(r, 0, 0)
		return
	}
	f.draw(r, 0, 0)
	s.sizeRow(r.Sub(geom.Rect{Y: 1, W: r.W(), H: 1}))
	if r.H() > 2 {
		r.PutLine(0, 2, s.checkLine().Truncate(r.W()))
	}
}

func (s *retentionSight) msText() string {
	if s.v.RetentionMs < 0 {
		return s.unlimited()
	}
	return long(s.v.RetentionMs)
}

func (s *retentionSight) bytesText() string {
	if s.v.RetentionB < 0 {
		return s.unlimited()
	}
	return cell.Size(s.v.RetentionB)
}

// unlimited is what stands for a limit that there is not, or that the policy
// does not look at.
func (s *retentionSight) unlimited() string {
	if strings.Contains(s.v.Policy, "delete") {
		return "no limit"
	}
	return "not used"
}

// sizeRow is the log's size against retention.bytes. A segment goes once what is
// left without it is still as much as the limit: so a log is as large as the
// limit and a segment before it shrinks.
func (s *retentionSight) sizeRow(r canvas.Region) {
	pen := r.Pen(0, 0).Put("size ", theme.Label)
	if s.asks("size") {
		pen.Put("?", theme.Focus|theme.Bold)
		return
	}
	if s.v.RetentionB < 0 || len(s.v.Segments) == 0 {
		pen.Put(cell.Size(s.v.Bytes), theme.Strong).Put(" in "+count(int64(len(s.v.Segments)), "segment"), theme.Label)
		return
	}
	limit := s.v.RetentionB
	peak := limit + int64(s.v.Segments[0].Bytes)
	style := theme.Text
	if s.v.Bytes >= peak {
		style = theme.Open
	}
	tail := canvas.T(cell.Size(s.v.Bytes), style|theme.Bold).Add(" of ", theme.Label).Add(cell.Size(limit), theme.Text).
		Add("   goes at ", theme.Label).Add(cell.Size(peak), theme.Text).Add(": limit + segment", theme.Label)
	w := min(20, r.W()-pen.X()-tail.Width()-2)
	if w < 4 {
		tail = tail[:len(tail)-1]
		w = min(20, r.W()-pen.X()-tail.Width()-2)
	}
	if w >= 4 {
		meter(r, pen.X(), w, s.v.Bytes, max(peak, s.v.Bytes), limit, style)
		pen = pen.Gap(w + 2)
	}
	pen.Line(tail.Truncate(max(0, r.W()-pen.X())))
}

// checkLine is when the next check finds something to delete.
func (s *retentionSight) checkLine() canvas.Line {
	what := "next check that deletes "
	if s.v.Policy == "compact" || s.v.Policy == "compact,delete" {
		what = "the cleaner checks: next waking "
	}
	line := canvas.T(what, theme.Label)
	if s.asks("goes", "age", "size") {
		return line.Add("?", theme.Focus|theme.Bold)
	}
	switch at := s.nextCheck(); {
	case s.v.Policy == "empty":
		return canvas.T("nothing is ever deleted: no cleanup.policy", theme.Label)
	case at < 0:
		return line.Add("not to be foreseen", theme.Text)
	case at <= s.v.TimeMs:
		return line.Add("now", theme.Open)
	default:
		return line.Add("in "+long(at-s.v.TimeMs), theme.Strong)
	}
}

// segmentTable lists the segments from the oldest on, with their age and what
// becomes of them.
func (s *retentionSight) segmentTable(r canvas.Region) {
	t := widget.Table{Indent: 2, Gap: 2, Selected: widget.NoRow, Columns: []widget.Column{
		{Title: "segment", Right: true}, {Title: "offsets", Right: true}, {Title: "bytes", Right: true}, {Title: stampTitle(r.W()), Right: true},
		{Title: "age", Right: true}, {Title: "goes"},
	}}
	if r.W() >= 100 {
		t.Gap = 3
	}
	n := len(s.v.Segments)
	from := listFrom(max(s.at, 0), r.H()-1, n)
	to := min(n, from+max(0, r.H()-1))
	for i := range s.v.Segments[from:to] {
		t.Rows = append(t.Rows, s.segmentRow(&s.v.Segments[from+i], r.W()))
	}
	fitColumns(&t, r.W(), 1, 3, 2)
	t.Draw(r)
	for y := range r.H() {
		row, ok := t.RowAt(y)
		if !ok || row >= len(t.Rows) {
			continue
		}
		s.rows.add(r, y, from+row)
		if from+row == s.at {
			widget.Select(r, geom.Rect{Y: y, W: r.W(), H: 1}, 0, theme.Focus)
		}
	}
	widget.ScrollMark(below(r, 1), r.W()-1, from, to, n)
}

func (s *retentionSight) segmentRow(g *engine.CleanerSegment, width int) []canvas.Span {
	offsets := span(g.Base, g.Next-1)
	if g.Next == g.Base {
		offsets = "none"
	}
	style := theme.Text
	if g.Goes != "" && !s.asks("goes", "age", "size") {
		style = theme.Open
	}
	when := stamp(g.LargestMs)
	if width < 90 {
		when = shortStamp(g.LargestMs, 12)
	}
	age := canvas.S(s.unlimited(), theme.Label)
	if g.HasAge {
		age = canvas.S(long(max(0, g.OverMs+s.v.RetentionMs)), style)
	}
	return []canvas.Span{
		canvas.S(cell.Thin(g.Base), style), canvas.S(offsets, style), canvas.S(cell.Size(int64(g.Bytes)), style),
		orAsked(canvas.S(when, theme.Text), s.asks("age")), orAsked(age, s.asks("age")), orAsked(s.fate(g), s.asks("goes", "age", "size")),
	}
}

func stampTitle(width int) string {
	if width < 90 {
		return "largest time"
	}
	return "largest timestamp"
}

// fate is what becomes of a segment: it goes with the next check, in some time,
// or has to stay although its time is over.
func (s *retentionSight) fate(g *engine.CleanerSegment) canvas.Span {
	switch {
	case g.Goes == "log start offset":
		return canvas.S("now: below log start", theme.Open|theme.Bold)
	case g.Goes != "":
		return canvas.S("now: "+g.Goes, theme.Open|theme.Bold)
	case g.Held == "high watermark":
		return canvas.S("not replicated yet", theme.Waiting)
	case g.Held != "":
		return canvas.S("too old, shielded", theme.Waiting)
	case g.Active && g.Bytes == 0:
		return canvas.S("active, empty", theme.Label)
	case g.HasAge && g.Active:
		return canvas.S("in "+long(1-g.OverMs)+", active", theme.Text)
	case g.HasAge:
		return canvas.S("in "+long(1-g.OverMs), theme.Text)
	case g.Active:
		return canvas.S("active", theme.Label)
	}
	return canvas.S("stays", theme.Label)
}

// doomed lists the files that are renamed and wait for file.delete.delay.ms.
func (s *retentionSight) doomed(r canvas.Region) {
	x := r.Put(0, 0, "waiting to be unlinked", theme.Name)
	if s.asks("files") {
		r.Put(x+3, 0, "?", theme.Focus|theme.Bold)
		return
	}
	facts{}.add("", count(int64(len(s.v.Doomed)), "file"), theme.Label).add("file.delete.delay.ms", long(s.v.DeleteDelayMs), theme.Text).draw(r, x+3, 0)
	for y, f := range s.v.Doomed {
		if y+1 >= r.H() {
			return
		}
		if y+2 == r.H() && len(s.v.Doomed) > y+1 && y > 0 {
			r.Put(2, y+1, "and "+cell.Thin(int64(len(s.v.Doomed)-y))+" more", theme.Label)
			return
		}
		in := "in " + long(max(0, f.AtMs-s.v.TimeMs))
		name := path.Base(f.Path)
		r.Put(2, y+1, cell.TruncateStart(name, max(0, r.W()-4-cell.Width(in))), theme.Faint)
		r.Put(min(r.W()-cell.Width(in), 2+max(cell.Width(name), 38)+2), y+1, in, theme.Waiting)
	}
}

// legend says what holds a segment that is too old.
func (s *retentionSight) legend(r canvas.Region) {
	pen := r.Pen(0, 0)
	for _, l := range []struct {
		sign  rune
		style theme.Style
		text  string
	}{{glyph.Vertical, theme.Bright, " limit"}, {glyph.Todo, theme.Waiting, " shielded: a segment before it is younger"}} {
		if l.sign == glyph.Vertical && s.v.RetentionB < 0 || l.sign == glyph.Todo && (!s.shields() || s.asks("goes", "age", "size")) {
			continue
		}
		if r.W()-pen.X() >= 4+cell.Width(l.text) {
			pen = pen.Sign(l.sign, 1, l.style).Put(l.text, theme.Label).Gap(3)
		}
	}
}

func (s *retentionSight) shields() bool {
	for _, g := range s.v.Segments {
		if g.Held == "segment before it" {
			return true
		}
	}
	return false
}
