package panel

import (
	"slices"

	"kafkalab/engine"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// Draw draws the verdict, the records with their replicas, and what is lost
// already.
func (p *Ledger) Draw(r canvas.Region, m Model) {
	s := p.sight(m)
	p.lines.reset()
	if s.part == nil {
		note(r, 0, missing(m))
		return
	}
	heads := []func(canvas.Region){s.drawHead, s.drawVerdict, s.drawHeir}
	if s.book.lost > 0 {
		heads = append(heads, s.drawLost)
	}
	stack(r,
		part{2, len(heads), 0, func(r canvas.Region) {
			for y, draw := range heads {
				draw(r.Sub(geom.Rect{Y: y, W: r.W(), H: 1}))
			}
		}},
		part{3, 1 + max(1, len(s.book.entries)), 0, func(r canvas.Region) { p.drawEntries(r, &s) }},
		part{1, 1, 3, s.legend},
	)
}

// asks tells that the verdict is what the lesson asks for.
func (s *ledgerSight) asks() bool {
	_, here := s.m.Focus.lit("ledger")
	return here && !s.m.Focus.Revealed
}

func (s *ledgerSight) drawHead(r canvas.Region) {
	x := r.Put(0, 0, cell.Truncate(partitionName(s.r), r.W()), theme.Name)
	f := facts{}.add("acknowledged", count(s.book.acked, "record"), theme.Strong)
	f = f.add("LEO", offsetText(s.part.LEO), theme.Text).add("HW", offsetText(s.part.HW), theme.Committed)
	f.draw(r, x+3, 0)
}

// drawVerdict says how much would be lost now.
func (s *ledgerSight) drawVerdict(r canvas.Region) {
	if s.part.HW < 0 {
		r.Put(0, 0, cell.Truncate("no leader: nothing is appended, nothing is read", r.W()), theme.Lost)
		return
	}
	leader := brokerName(s.part.Leader)
	line := canvas.T("lost if ", theme.Label).Add(leader, theme.Leader).Add(" dies now  ", theme.Label)
	switch n := s.atRisk(); {
	case r.W() < 60 && !s.asks():
		style, what := theme.Committed|theme.Bold, "none lost"
		if n > 0 {
			style, what = theme.Lost|theme.Bold, count(n, "record")+" lost"
		}
		line = canvas.T("if ", theme.Label).Add(leader, theme.Leader).Add(" dies now  ", theme.Label).Add(what, style)
	case s.asks():
		line = line.Add("?", theme.Focus|theme.Bold)
	case n == 0:
		line = line.Add("nothing that was acknowledged", theme.Committed|theme.Bold)
	default:
		line = line.Add(count(n, "acknowledged record"), theme.Lost|theme.Bold)
	}
	r.PutLine(0, 0, line.Truncate(r.W()))
}

// drawHeir says who would lead, and where its log ends.
func (s *ledgerSight) drawHeir(r canvas.Region) {
	if s.part.HW < 0 {
		return
	}
	line := canvas.T("nobody else in the ISR is up: ", theme.Label).Add("the partition would be offline", theme.Waiting)
	switch {
	case s.asks():
		return
	case s.next != 0 && r.W() < 48:
		line = canvas.T("then ", theme.Label).Add(brokerName(s.next), theme.Follower).Add(" leads, up to ", theme.Label).Add(cell.Thin(s.ends), theme.Strong)
	case s.next != 0:
		line = canvas.T("then ", theme.Label).Add(brokerName(s.next), theme.Follower).Add(" leads, and its log ends at ", theme.Label).
			Add(cell.Thin(s.ends), theme.Strong)
	}
	r.PutLine(0, 0, line.Truncate(r.W()))
}

func (s *ledgerSight) drawLost(r canvas.Region) {
	line := canvas.T("lost already: ", theme.Lost).Add(count(s.book.lost, "acknowledged record"), theme.Lost|theme.Bold)
	r.PutLine(0, 0, line.Truncate(r.W()))
}

// drawEntries draws a window of the appends, the newest last.
func (p *Ledger) drawEntries(r canvas.Region, s *ledgerSight) {
	list := s.book.entries
	if len(list) == 0 {
		note(r, 0, "Nothing was produced to it yet.")
		return
	}
	p.rows = max(1, r.H()-1)
	from, to := p.list.Show(p.rows, len(list))
	t := widget.Table{Columns: []widget.Column{
		{Title: "offset", Right: true}, {Title: "from", Style: theme.Consumer}, {Title: "acks", Right: true}, {Title: "told"}, {Title: "held by"}, {Title: "if the leader dies"},
	}, Selected: widget.NoRow, Indent: 2, Gap: 3}
	if r.W() < 70 {
		t.Columns[5].Title = "if it dies"
	}
	if r.W() < 58 {
		t.Gap = 2
	}
	fresh := s.m.Before.LastEvent
	for i := from; i < to; i++ {
		t.Rows = append(t.Rows, s.row(&list[i], fresh > 0 && list[i].event > fresh, r.W()))
	}
	fitColumns(&t, r.W()-1, 1, 3, 2)
	held := slices.IndexFunc(t.Columns, func(c widget.Column) bool { return c.Title == "held by" })
	t.Draw(r)
	if held >= 0 {
		s.drawHolders(r, &t, held, list[from:to])
	}
	for i := from; i < to; i++ {
		p.lines.add(r, 1+i-from, i)
	}
	if p.moved || s.m.Focus.Live {
		widget.Select(r, geom.Rect{Y: 1 + p.list.Selected - from, W: r.W(), H: 1}, 0, theme.Focus)
	}
	widget.ScrollMark(r.Sub(geom.Rect{X: r.W() - 1, Y: 1, W: 1, H: r.H() - 1}), 0, from, to, len(list))
}

func (s *ledgerSight) row(e *entry, fresh bool, w int) []canvas.Span {
	style := theme.Text
	switch {
	case e.gone:
		style = theme.Faint
	case fresh:
		style = theme.Focus | theme.Bold
	}
	acks := e.acks
	if acks == "" {
		acks = "?"
	}
	told := canvas.S("not yet", theme.Waiting)
	switch {
	case e.acked():
		told = canvas.S("ok "+cell.Clock(e.told), theme.Text)
	case e.refused:
		told = canvas.S("an error", theme.Refused)
	case e.acks == "0":
		told = canvas.S("nothing", theme.Label)
	}
	return []canvas.Span{
		canvas.S(span(e.base, e.last), style), canvas.S(e.from, theme.Consumer), canvas.S(acks, theme.Text), told,
		canvas.S(cell.Spaces(2*len(s.part.Logs)), theme.Text), s.fateSpan(e, w),
	}
}

// fateSpan says what becomes of a record. What nobody was promised may go.
func (s *ledgerSight) fateSpan(e *entry, w int) canvas.Span {
	lost := theme.Lost | theme.Bold
	if !e.acked() {
		lost = theme.Waiting
	}
	what := s.fateOf(e)
	if s.asks() && what != fateGone {
		return canvas.S("?", theme.Focus)
	}
	switch what {
	case fateGone:
		if e.acked() {
			return canvas.S("LOST", theme.Lost|theme.Bold)
		}
		return canvas.S("truncated", theme.Faint)
	case fateLost:
		return canvas.S("lost", lost)
	case fateOnly:
		if w < 58 {
			return canvas.S("no copy", lost)
		}
		return canvas.S("no other copy", lost)
	case fateWait:
		return canvas.S("offline", theme.Waiting)
	}
	return canvas.S("kept", theme.Committed)
}

// drawHolders puts the replicas that have each record into its column: the
// number of a broker that has it, a dot for one that does not.
func (s *ledgerSight) drawHolders(r canvas.Region, t *widget.Table, column int, list []entry) {
	x := t.Indent
	gap := t.Gap
	for i := range column {
		w := cell.Width(t.Columns[i].Title)
		for _, row := range t.Rows {
			w = max(w, cell.Width(row[i].Text))
		}
		x += w + gap
	}
	for y := range list {
		for i, l := range s.part.Logs {
			s.drawHolder(r, x+2*i, 1+y, &list[y], l)
		}
	}
}

func (s *ledgerSight) drawHolder(r canvas.Region, x, y int, e *entry, l engine.ReplicaView) {
	style := s.m.nodeStyle(brokerName(l.Broker))
	switch {
	case e.gone || l.LEO <= e.last:
		r.Put(x, y, string(glyph.Dot), theme.Faint)
		return
	case !l.InSync || l.State == offline:
		style = theme.Muted
	}
	r.Put(x, y, cell.Thin(int64(l.Broker)), style)
}

func (s *ledgerSight) legend(r canvas.Region) {
	pen := r.Pen(0, 0).Put("1", theme.Leader).Put(" leader", theme.Label).Gap(2).Put("2", theme.Follower).Put(" in the ISR", theme.Label)
	for _, l := range [][2]string{{"3", " out of it"}, {string(glyph.Dot), " not there"}} {
		if r.W()-pen.X() >= 2+cell.Width(l[0]+l[1]) {
			style := theme.Muted
			if l[0] != "3" {
				style = theme.Faint
			}
			pen = pen.Gap(2).Put(l[0], style).Put(l[1], theme.Label)
		}
	}
}
