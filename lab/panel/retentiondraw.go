package panel

import (
	"path"
	"strings"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
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
	limits := 1
	if s.v.RetentionB >= 0 {
		limits = 2 // how large the log is decides
	}
	parts := []part{
		{1, 1, 0, s.head},
		{limits, 3, 0, s.limits},
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
	tail := canvas.T(cell.Size(s.v.Bytes), style|theme.Bold).Add(" of ", theme.Label).Add(cell.Size(limit), theme.Text)
	if !s.v.Segments[0].Active { // the active one grows, and so would the sum
		goes := tail.Add("   oldest goes at ", theme.Label).Add(cell.Size(peak), theme.Text)
		for _, more := range []string{": the limit and its " + cell.Size(peak-limit), ": limit + its size", ""} {
			if l := goes.Add(more, theme.Label); pen.X()+12+l.Width() <= r.W() || more == "" {
				tail = l
				break
			}
		}
	}
	w := min(20, r.W()-pen.X()-tail.Width()-2)
	if w >= 4 {
		meter(r, pen.X(), w, s.v.Bytes, max(peak, s.v.Bytes), limit, style)
		pen = pen.Gap(w + 2)
	}
	pen.Line(tail.Truncate(max(0, r.W()-pen.X())))
}

// checkLine is when a check finds something of this log to delete. The cleaner
// makes the check for logs with compaction.
func (s *retentionSight) checkLine() canvas.Line {
	what := "next check that deletes: "
	if s.cleanerChecks() {
		what = "deletes at a waking of the cleaner: "
	}
	line := canvas.T(what, theme.Label)
	at := s.nextCheck()
	due, why := s.due()
	switch {
	case s.v.Policy == "empty":
		return canvas.T("nothing is ever deleted: no cleanup.policy", theme.Label)
	case s.asks("goes", "age", "size"):
		return line.Add("?", theme.Focus|theme.Bold)
	case why != "":
		return line.Add("none", theme.Strong).Add(", "+why, theme.Text)
	case at < due && due > s.v.TimeMs: // what the next one finds is another log's, or nothing
		return line.Add("the first one after "+inUnits(due-s.v.TimeMs), theme.Strong)
	case at < 0:
		return line.Add("the next one, whenever it comes", theme.Strong)
	case at <= s.v.TimeMs:
		return line.Add("now", theme.Open)
	default:
		return line.Add("in "+inUnits(at-s.v.TimeMs), theme.Strong)
	}
}

// cleanerChecks tells that the retention task leaves the log to the cleaner.
func (s *choreSight) cleanerChecks() bool { return strings.HasPrefix(s.v.Policy, "compact") }

// due is the virtual time from which on the oldest segment may go, as the log is
// now; else why does not tell.
func (s *retentionSight) due() (ms int64, why string) {
	if len(s.v.Segments) == 0 {
		return 0, "there is no segment"
	}
	switch g := s.v.Segments[0]; {
	case g.Goes != "":
		return s.v.TimeMs, ""
	case g.Active && g.Bytes == 0:
		return 0, "the log is empty"
	case g.Held == "high watermark":
		return 0, "the oldest segment is not replicated yet"
	case g.HasAge:
		return s.v.TimeMs + 1 - g.OverMs, ""
	case s.v.RetentionB >= 0:
		return 0, "as long as no more is written"
	case !strings.Contains(s.v.Policy, "delete"):
		return 0, "cleanup.policy has no delete"
	}
	return 0, "there is no limit"
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
