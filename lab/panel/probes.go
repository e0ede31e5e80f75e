package panel

import (
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// drawProbes shows the binary search in the offset index, probe by probe.
func (s *seekSight) drawProbes(r canvas.Region) {
	l := &s.look
	fileHeading(r, l.SegmentBase, ".index", l.Entries, indexEntrySize)
	if len(l.Probes) == 0 {
		note(below(r, 1), 0, "No entry: the scan starts at byte 0.")
		return
	}
	t := probeTable(r.W(), "relative", "position")
	target := cell.Thin(int64(l.Relative))
	rows := offsetProbes(l)
	drawProbeTable(below(r, 1), t, rows, target, l.Slot, l.WarmStart)
	if l.Slot < 0 && r.H() > 2+len(rows) {
		r.Put(2, 2+len(rows), cell.Truncate("no entry at or below "+target+": the scan starts at byte 0", r.W()-2), theme.Focus)
	}
}

// probeView is a look into an index, as it is shown.
type probeView struct {
	slot       int
	key, value string
	verdict    verdict
}

func offsetProbes(l *lookup) []probeView {
	rows := make([]probeView, len(l.Probes))
	for i, p := range l.Probes {
		rows[i] = probeView{p.Slot, cell.Thin(int64(p.Relative)), cell.Thin(int64(p.Position)), p.Verdict}
	}
	return rows
}

func timeProbes(l *timeLookup) []probeView {
	rows := make([]probeView, len(l.Probes))
	for i, p := range l.Probes {
		rows[i] = probeView{p.Slot, shortStamp(p.Timestamp, 12), cell.Thin(int64(p.Relative)), p.Verdict}
	}
	return rows
}

// tight is the width below which a search is told in fewer words.
const tight = 46

// short are the titles of columns where room is short.
var short = map[string]string{"relative": "rel", "position": "pos", "timestamp": "time"}

// probeTable has the columns of a search, tighter where room is short.
func probeTable(w int, key, value string) widget.Table {
	t := widget.Table{Columns: []widget.Column{
		{Right: true, Style: theme.Label},
		{Title: "slot", Right: true, Style: theme.Label},
		{Title: key, Right: true, Style: theme.Label},
		{Title: value, Right: true, Style: theme.Label},
		{Style: theme.Label},
	}, Indent: 2, Selected: widget.NoRow}
	if w < 54 {
		t.Gap, t.Indent = 2, 0
	}
	if w < tight {
		t.Gap, t.Columns[2].Title, t.Columns[3].Title = 1, short[key], short[value]
	}
	return t
}

// verdictText says what a probe means for the search. The first one looks where
// the last 8 KiB of the index begin.
func verdictText(v verdict, target string, i, warm, w int) string {
	switch {
	case w < tight:
		return signOf(v) + target
	case i == 0 && warm > 0 && v == entryBelow:
		return signOf(v) + target + ", in the last 8 KiB"
	case i == 0 && warm > 0:
		return "at or past " + target + ", before the last 8 KiB"
	case v == entryBelow:
		return signOf(v) + target + ", look right"
	case v == entryAbove:
		return signOf(v) + target + ", look left"
	}
	return signOf(v) + target
}

// drawProbeTable draws the probes, the last ones if there are more than rows,
// and the floor, lit: it is the last probe, or an earlier one that none of the
// later ones replaced, and then it is named once more.
func drawProbeTable(r canvas.Region, t widget.Table, probes []probeView, target string, floor, warm int) {
	for i, p := range probes {
		what := verdictText(p.verdict, target, i, warm, r.W())
		style := theme.Text
		verdict := canvas.S(what, theme.Text)
		if i == len(probes)-1 && p.slot == floor {
			style, verdict = theme.Name, canvas.S(floorText(signOf(p.verdict)+target+", the floor", r.W()), theme.Focus)
			t.Selected = i
		}
		t.Rows = append(t.Rows, probeRow(cell.Thin(int64(i+1)), p, style, verdict))
	}
	if i := lastProbe(probes, floor); i >= 0 && t.Selected < 0 {
		t.Selected = len(t.Rows)
		t.Rows = append(t.Rows, probeRow("", probes[i], theme.Name, canvas.S(floorText("the floor of "+target, r.W()), theme.Focus)))
	}
	t.Offset = max(0, len(t.Rows)-(r.H()-1))
	t.Draw(r)
}

// lastProbe is the last probe of a slot, -1 if there is none.
func lastProbe(probes []probeView, slot int) int {
	for i := len(probes) - 1; i >= 0; i-- {
		if probes[i].slot == slot {
			return i
		}
	}
	return -1
}

func floorText(text string, w int) string {
	if w < tight {
		return "floor"
	}
	return text
}

func signOf(v verdict) string {
	switch v {
	case entryBelow:
		return "< "
	case entryAbove:
		return "> "
	}
	return "= "
}

func probeRow(number string, p probeView, style theme.Style, verdict canvas.Span) []canvas.Span {
	span := func(text string) canvas.Span { return canvas.S(text, style) }
	return []canvas.Span{span(number), span(cell.Thin(int64(p.slot))), span(p.key), span(p.value), verdict}
}

// probeRows is how many rows a search takes in a table, its titles left out.
func probeRows(probes []probeView, floor int) int {
	n := max(1, len(probes))
	if at := lastProbe(probes, floor); floor < 0 || at >= 0 && at != len(probes)-1 {
		n++
	}
	return n
}
