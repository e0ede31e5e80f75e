package panel

import (
	"fmt"
	"strconv"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
)

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
