package panel

import (
	"strconv"

	"kafkalab/engine"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// gauges tell how long who is behind may still be, and what the leader has
// asked the controller for; each draws a row.
func (s *isrSight) gauges() []func(canvas.Region) {
	var list []func(canvas.Region)
	late := s.late()
	for _, l := range late {
		list = append(list, func(r canvas.Region) { s.drawGauge(r, l, len(late) > 1) })
	}
	if s.part.ProposedISR != nil {
		list = append(list, s.drawProposal)
	}
	return list
}

func (s *isrSight) drawGauge(r canvas.Region, l engine.ReplicaView, named bool) {
	limit := s.part.LagLimitMs
	style := theme.Waiting
	if l.BehindMs > limit {
		style = theme.Lost
	}
	pen := r.Pen(0, 0)
	if named {
		pen = pen.Put(brokerName(l.Broker)+" ", theme.Text)
	}
	pen = pen.Put("behind for ", theme.Label).Put(span1(l.BehindMs), style|theme.Bold).Put(" of ", theme.Label).
		Put(seconds(limit), theme.Text).Gap(1)
	next := canvas.T("next check in ", theme.Label).Add(span1(s.part.NextCheckMs), theme.Strong)
	if l.BehindMs > limit {
		next = canvas.T("leaves the ISR in ", theme.Label).Add(span1(s.part.NextCheckMs), style|theme.Bold)
	}
	room := r.W() - pen.X() - next.Width() - 2
	if room >= 4 {
		w := min(14, room)
		widget.Bar{Part: l.BehindMs, Whole: limit, Style: style}.Draw(r, pen.X(), 0, w)
		r.PutLine(pen.X()+w+2, 0, next)
		return
	}
	r.PutLine(pen.X()+1, 0, next.Truncate(max(0, r.W()-pen.X()-1)))
}

// seconds is a limit: 30 s, 1.5 s.
func seconds(ms int64) string {
	if ms%1000 == 0 {
		return cell.Thin(ms/1000) + " s"
	}
	return span1(ms)
}

// drawProposal tells of an ISR that the controller has not committed yet.
func (s *isrSight) drawProposal(r canvas.Region) {
	line := canvas.T("ISR ", theme.Label).Add(brokerList(s.part.ProposedISR), theme.Waiting|theme.Bold).
		Add(" is with the controller", theme.Waiting).
		Add("   HW waits for ", theme.Label).Add(brokerList(s.part.MaximalISR), theme.Text)
	r.PutLine(0, 0, line.Truncate(r.W()))
}

// drawWaiting lists the produces that wait for replicas.
func (s *isrSight) drawWaiting(r canvas.Region) {
	r.Put(0, 0, "waiting", theme.Name)
	rows := r.H() - 1
	list := s.part.Waiting
	if len(list) > rows {
		rows = max(0, rows-1)
	}
	for y, w := range list[:min(rows, len(list))] {
		s.drawWait(r, 1+y, w)
	}
	if more := len(list) - rows; more > 0 {
		r.Put(2, 1+rows, "and "+cell.Thin(int64(more))+" more", theme.Label)
	}
}

func (s *isrSight) drawWait(r canvas.Region, y int, w engine.WaitingView) {
	left := span1(w.TimeoutMs) + " left"
	line := canvas.T("", theme.Text)
	if r.W() >= 50 {
		line = line.Add(w.From+"  ", theme.Consumer)
	}
	if r.W() >= 56 {
		line = line.Add("acks=all  ", theme.Text)
	}
	line = line.Add("offset ", theme.Label).Add(cell.Thin(w.Required-1), theme.Text)
	switch {
	case len(w.Missing) == 0 && len(s.part.ISR) < s.part.MinISR:
		line = line.Add("  needs ", theme.Label).Add(strconv.Itoa(s.part.MinISR)+" in the ISR", theme.Lost)
	case len(w.Missing) > 0:
		line = line.Add("  needs ", theme.Label)
		for i, id := range w.Missing {
			if i > 0 {
				line = line.Add(", ", theme.Label)
			}
			line = line.Add(brokerName(id), theme.Waiting)
		}
	}
	if room := r.W() - 2 - line.Width() - 3; room >= cell.Width(left) {
		edge := min(r.W(), 2+line.Width()+3+max(cell.Width(left), min(10, room)))
		r.PutRight(edge, y, left, theme.Label)
	}
	r.PutLine(2, y, line.Truncate(r.W()-2))
}

// drawHappened lists the newest events, the newest first.
func (s *isrSight) drawHappened(r canvas.Region, news []happening) {
	r.Put(0, 0, "what happened", theme.Name)
	timeW, nodeW := 6, 0
	for _, n := range news[:min(len(news), max(0, r.H()-1))] {
		timeW = max(timeW, cell.Width(cell.Clock(n.time)))
		nodeW = max(nodeW, cell.Width(n.node))
	}
	if r.W() < 44 {
		nodeW = min(nodeW, 8)
	}
	indent := 2
	if r.W() < 56 {
		indent = 0
	}
	for y, n := range news {
		if y+1 >= r.H() {
			break
		}
		line := n.line
		if n.hw && s.hide == "hw" {
			line = canvas.T("moves the high watermark", theme.Text)
		}
		pen := r.Pen(indent, 1+y).Number(timeW, cell.Clock(n.time), theme.Label).Gap(2).Fit(nodeW, n.node, s.nodeStyle(n.node)).Gap(2)
		pen.Line(line.Truncate(max(0, r.W()-pen.X())))
	}
}

// nodeStyle is the colour of an actor: a broker in trouble is amber.
func (s *isrSight) nodeStyle(node string) theme.Style {
	if id, ok := isBroker(node); ok && id != s.part.Leader && s.state(id) != running {
		return theme.Waiting
	}
	return s.m.nodeStyle(node)
}

func (s *isrSight) legend(r canvas.Region) {
	pen := r.Pen(0, 0)
	if s.hide == "hw" {
		pen = pen.Sign(glyph.Bar, 1, theme.Muted).Put(" in the log", theme.Label)
	} else {
		pen = pen.Sign(glyph.Bar, 1, theme.Committed).Put(" committed", theme.Label)
	}
	open := false
	for _, l := range s.part.Logs {
		open = open || s.part.HW >= 0 && l.LEO > s.part.HW
	}
	if open && s.hide != "hw" {
		pen = pen.Gap(3).Sign(glyph.Bar, 1, theme.Open).Put(" not yet committed", theme.Label)
	}
	if r.W()-pen.X() >= 14 {
		pen = pen.Gap(3).Sign(glyph.Dot, 1, theme.Faint).Put(" not there", theme.Label)
	}
	c := s.columns(r.W())
	if v := s.windowOf(c.barW); !v.whole(s.part.Start) {
		if text := "bars: from " + cell.Thin(v.from); r.W()-pen.X() >= cell.Width(text)+3 {
			pen.Gap(3).Put(text, theme.Faint)
		}
	}
}
