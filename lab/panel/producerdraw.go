package panel

import (
	"strconv"

	"kafkalab/engine"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// Draw draws the producer: who it is, what fills, what waits, what is in
// flight, how the newest batches were closed, and what happened.
func (p *Producer) Draw(r canvas.Region, m Model) {
	s := p.sight(m)
	p.rows.reset()
	if s.v == nil {
		note(r, 0, "No producer yet: `producer p1` makes one.")
		return
	}
	fill, wait, flying := filling(s.v), waitingOf(s.v), len(inFlight(s.v))
	waiting, closed, flights := len(wait)+len(s.v.Unrouted), len(s.v.Closed), len(s.v.Brokers)
	rowsWait, rowsFlight := 2+waiting, 1+flights+min(1, flying)+flying
	if s.asks("waiting") {
		rowsWait = 1
	}
	if s.asks("flight") {
		rowsFlight = 1
	}
	at := 0 // of the first batch of a part among all
	next := func(n int) int { from := at; at += n; return from }
	fromFill, fromWait, fromFlight, fromClosed := next(len(fill)), next(len(wait)), next(flying), next(closed)
	parts := []part{{1, 2, 0, s.head}}
	if !s.v.Plain {
		parts = append(parts, part{2, 1 + max(1, len(fill)), 1, func(r canvas.Region) { s.drawFilling(r, fill, fromFill) }})
	}
	if waiting > 0 {
		parts = append(parts, part{min(4, rowsWait), rowsWait, 2, func(r canvas.Region) { s.drawWaiting(r, wait, fromWait) }})
	}
	if flights > 0 {
		parts = append(parts, part{2, rowsFlight, 2, func(r canvas.Region) { s.drawFlights(r, fromFlight) }})
	}
	if closed > 0 {
		parts = append(parts, part{3, 2 + closed, 3, func(r canvas.Region) { s.drawClosed(r, fromClosed) }})
	}
	if news := s.news(6); len(news) > 0 {
		parts = append(parts, part{2, 1 + len(news), 4, func(r canvas.Region) { s.drawNews(r, news) }})
	}
	stack(r, append(parts, part{1, 1, 5, s.legend})...)
}

// head names the producer, and counts what came of its records.
func (s *producerSight) head(r canvas.Region) {
	x := r.Put(0, 0, cell.Truncate(s.v.Name, r.W()), theme.Consumer|theme.Bold)
	f := facts{}
	switch {
	case s.v.Plain:
		f = f.add("", "the plain client: no queues, no retries", theme.Label)
	case !s.v.Idempotent:
		f = f.add("", "not idempotent", theme.Waiting).add("acks", ackText(s.v.Acks), theme.Text)
	case s.v.ID < 0:
		f = f.add("producer id", "not granted yet", theme.Waiting).add("acks", ackText(s.v.Acks), theme.Text)
	default:
		f = f.add("producer id", cell.Thin(s.v.ID), theme.Strong).add("epoch", strconv.Itoa(int(s.v.Epoch)), theme.Strong).
			add("acks", ackText(s.v.Acks), theme.Text)
	}
	if len(s.all) > 1 {
		f = f.add("", cell.Thin(int64(s.at+1))+" of "+cell.Thin(int64(len(s.all)))+" producers", theme.Label)
	}
	f.draw(r, x+3, 0)
	if r.H() < 2 {
		return
	}
	if s.asks("counts") {
		facts{}.add("acked", "?", theme.Focus).add("failed", "?", theme.Focus).draw(r, 0, 1)
		return
	}
	failed, last := theme.Text, theme.Text
	if s.v.Stats.Failed > 0 {
		failed = theme.Lost | theme.Bold
	}
	if s.v.Stats.LastError != 0 {
		last = theme.Lost | theme.Bold
	}
	c := facts{}.add("acked", cell.Thin(int64(s.v.Stats.Acked)), theme.Committed|theme.Bold).add("failed", cell.Thin(int64(s.v.Stats.Failed)), failed).
		add("last error", s.v.Stats.LastError.String(), last)
	if s.v.Stats.LatencyMs >= 0 {
		c = c.add("last answer took", left(s.v.Stats.LatencyMs), theme.Text)
	}
	c.draw(r, 0, 1)
}

func ackText(acks int16) string {
	if acks < 0 {
		return "all"
	}
	return strconv.Itoa(int(acks))
}

// drawFilling draws the batch that fills for each partition.
func (s *producerSight) drawFilling(r canvas.Region, list []engine.ProducerBatch, from int) {
	x := r.Put(0, 0, "filling", theme.Name)
	facts{}.add("batch.size", cell.Thin(int64(s.v.BatchSize))+" B", theme.Text).add("linger.ms", cell.Thin(s.v.LingerMs), theme.Text).draw(r, x+3, 0)
	if len(list) == 0 {
		r.Put(2, 1, cell.Truncate("no batch is open", max(0, r.W()-2)), theme.Faint)
		return
	}
	nameW := 0
	for _, b := range list {
		nameW = max(nameW, cell.Width(s.name(b).Text))
	}
	nameW = min(nameW, max(0, r.W()/3))
	off := scrollTo(s.pick-from, r.H()-1, len(list))
	for y, b := range list[off:min(len(list), off+max(0, r.H()-1))] {
		row := r.Sub(geom.Rect{Y: 1 + y, W: r.W(), H: 1})
		s.drawFill(row, b, nameW)
		s.rows.add(row, 0, from+off+y)
		if s.pick-from == off+y {
			row.Wash(row.Rect(), theme.Selected)
		}
	}
}

func (s *producerSight) drawFill(r canvas.Region, b engine.ProducerBatch, nameW int) {
	name := s.name(b)
	pen := r.Pen(2, 0).Fit(nameW, name.Text, name.Style).Gap(2)
	if s.asks("filling") {
		pen.Put("?", theme.Focus|theme.Bold)
		return
	}
	wait := s.waitsFor(b)
	line := canvas.T(count(int64(b.Records), "record"), theme.Text).Add("  "+cell.Thin(int64(b.Bytes))+" B  ", theme.Text)
	line = append(line, wait)
	room := r.W() - pen.X() - line.Width() - 2
	if room >= 4 {
		w := min(20, room)
		widget.Bar{Part: int64(b.Bytes), Whole: int64(s.v.BatchSize), Style: theme.Open}.Draw(r, pen.X(), 0, w)
		pen = pen.Gap(w + 2)
	}
	pen.Line(line.Truncate(max(0, r.W()-pen.X())))
}

// scrollTo is the first row that is seen so that a row is.
func scrollTo(row, rows, n int) int {
	if row < 0 || row >= n || rows <= 0 {
		return 0
	}
	return max(0, row-rows+1)
}

// drawTable draws batches below a heading, the selected one lit.
func (s *producerSight) drawTable(r canvas.Region, t *widget.Table, from, n int, drop ...int) {
	t.Indent, t.Gap, t.Selected = 2, 2, widget.NoRow
	if r.W() >= 100 {
		t.Gap = 3
	}
	fitColumns(t, r.W(), drop...)
	if at := s.pick - from; s.pick >= 0 && at >= 0 && at < n {
		t.Selected, t.Offset = at, scrollTo(at, r.H()-1, len(t.Rows))
	}
	t.Draw(r)
	for y := range r.H() {
		if row, ok := t.RowAt(y); ok && row < n {
			s.rows.add(r, y, from+row)
		}
	}
}

// drawWaiting draws the closed batches that are not under way, and what has no
// partition yet.
func (s *producerSight) drawWaiting(r canvas.Region, list []engine.ProducerBatch, from int) {
	n, records := 0, 0
	for _, q := range s.v.Queues {
		n, records = n+q.Count, records+q.Records
	}
	x := r.Put(0, 0, "waiting", theme.Name)
	if s.asks("waiting") {
		r.Put(x+3, 0, "?", theme.Focus|theme.Bold)
		return
	}
	if n > 0 {
		facts{}.add("", count(int64(n), "batch"), theme.Waiting).add("", count(int64(records), "record"), theme.Text).draw(r, x+3, 0)
	}
	t := widget.Table{Columns: []widget.Column{
		{Title: "partition"}, {Title: "records", Right: true}, {Title: "bytes", Right: true}, {Title: "sequence", Right: true},
		{Title: "sent", Right: true}, {Title: "waits for"}, {Title: "given up in", Right: true}, {Title: "error"},
	}}
	for _, b := range list {
		sent := canvas.S("not yet", theme.Label)
		if b.Attempts > 0 {
			sent = canvas.S(cell.Thin(int64(b.Attempts))+"x", theme.Text)
		}
		fault, give := canvas.S("", theme.Text), canvas.S(left(b.DeliveryMs), theme.Text)
		if b.Error != 0 {
			fault = canvas.S(b.Error.String(), theme.Lost)
		}
		if s.v.Plain {
			give.Text = ""
		}
		t.Rows = append(t.Rows, []canvas.Span{s.name(b), num(b.Records), num(b.Bytes), s.sequenceText(b), sent, s.waitsFor(b), give, fault})
	}
	for _, u := range s.v.Unrouted {
		t.Rows = append(t.Rows, []canvas.Span{
			canvas.S(u.Topic, theme.Text), num(u.Records), {}, {}, {}, canvas.S("its metadata", theme.Waiting), canvas.S(left(u.LeftMs), theme.Text), {},
		})
	}
	s.drawTable(below(r, 1), &t, from, len(list), 2, 3, 7, 6, 4)
}

func num(n int) canvas.Span { return canvas.S(cell.Thin(int64(n)), theme.Text) }

// drawFlights draws for each broker how many requests are under way of those
// that may be, and below them the batches in them.
func (s *producerSight) drawFlights(r canvas.Region, from int) {
	x := r.Put(0, 0, "in flight", theme.Name)
	if s.asks("flight") {
		r.Put(x+3, 0, "?", theme.Focus|theme.Bold)
		return
	}
	if n := s.v.MaxInFlight; n > 0 {
		limit := "max.in.flight.requests.per.connection"
		if r.W() < 62 {
			limit = "max.in.flight"
		}
		facts{}.add(limit, cell.Thin(int64(n)), theme.Text).draw(r, x+3, 0)
	}
	y := 1
	for _, f := range s.v.Brokers {
		if y >= r.H() {
			return
		}
		s.drawFlight(r.Sub(geom.Rect{Y: y, W: r.W(), H: 1}), f)
		y++
	}
	t := s.flightTable()
	if len(t.Rows) > 0 && r.H()-y >= 2 {
		s.drawTable(below(r, y), &t, from, len(t.Rows), 3, 0, 8, 7, 6)
	}
}

func (s *producerSight) flightTable() widget.Table {
	t := widget.Table{Columns: []widget.Column{
		{Title: "request", Right: true}, {Title: "partition"}, {Title: "records", Right: true}, {Title: "bytes", Right: true},
		{Title: "sequence", Right: true}, {Title: "attempt", Right: true}, {Title: "sent", Right: true}, {Title: "timed out in", Right: true}, {Title: "to"},
	}}
	for _, f := range s.v.Brokers {
		to := brokerName(f.Broker)
		for _, q := range f.Requests {
			for _, b := range q.Batches {
				t.Rows = append(t.Rows, []canvas.Span{
					canvas.S("#"+cell.Thin(int64(q.Correlation)), theme.Label), s.name(b), num(b.Records), num(b.Bytes), s.sequenceText(b), num(b.Attempts),
					canvas.S(left(q.SentMs)+" ago", theme.Text), canvas.S(left(q.LeftMs), theme.Text), canvas.S(to, s.m.nodeStyle(to)),
				})
			}
		}
	}
	return t
}

func (s *producerSight) drawFlight(r canvas.Region, f engine.FlightView) {
	node := brokerName(f.Broker)
	pen := r.Pen(2, 0).Fit(8, node, s.m.nodeStyle(node)).Gap(2)
	if limit := s.v.MaxInFlight; limit > 0 && limit <= 20 && pen.X()+limit+10 <= r.W() {
		used := min(f.Count, limit)
		pen = pen.Sign(glyph.Filled, used, theme.Waiting).Sign(glyph.Todo, limit-used, theme.Faint).Gap(2)
	}
	text := cell.Thin(int64(f.Count))
	if s.v.MaxInFlight > 0 {
		text += " of " + cell.Thin(int64(s.v.MaxInFlight))
	}
	if f.Count == 0 {
		pen.Line(canvas.T(text, theme.Faint).Truncate(max(0, r.W()-pen.X())))
		return
	}
	pen.Line(canvas.T(text, theme.Strong).Truncate(max(0, r.W()-pen.X())))
}

// drawClosed lists the newest closed batches: why, and what came of them.
func (s *producerSight) drawClosed(r canvas.Region, from int) {
	r.Put(0, 0, "closed batches", theme.Name)
	t := widget.Table{Columns: []widget.Column{
		{Title: "closed", Right: true}, {Title: "partition"}, {Title: "records", Right: true}, {Title: "bytes", Right: true},
		{Title: "closed by"}, {Title: "open for", Right: true}, {Title: "sequence", Right: true}, {Title: "came of it"},
	}}
	for _, b := range s.v.Closed {
		why := canvas.S(closedBy(b.Reason), theme.Strong)
		if s.asks("closed") {
			why = canvas.S("?", theme.Focus|theme.Bold)
		}
		t.Rows = append(t.Rows, []canvas.Span{
			canvas.S(cell.Clock(b.ClosedAt), theme.Label), s.name(b), num(b.Records), num(b.Bytes), why,
			canvas.S(left(b.ClosedAt-b.CreatedAt), theme.Text), s.sequenceText(b), s.outcome(b),
		})
	}
	s.drawTable(below(r, 1), &t, from, len(t.Rows), 5, 6, 3, 0)
}

// drawNews lists the newest events of the producer's.
func (s *producerSight) drawNews(r canvas.Region, news []happening) {
	r.Put(0, 0, "what happened", theme.Name)
	timeW := 6
	for _, n := range news {
		timeW = max(timeW, cell.Width(cell.Clock(n.time)))
	}
	for y, n := range news[:min(len(news), max(0, r.H()-1))] {
		pen := r.Pen(2, 1+y).Number(timeW, cell.Clock(n.time), theme.Label).Gap(2)
		pen.Line(n.line.Truncate(max(0, r.W()-pen.X())))
	}
}

func (s *producerSight) legend(r canvas.Region) {
	pen := r.Pen(0, 0)
	for _, l := range []struct {
		sign  rune
		style theme.Style
		text  string
	}{{glyph.Thick, theme.Open, " of batch.size"}, {glyph.Filled, theme.Waiting, " under way"}, {glyph.Todo, theme.Faint, " may be"}} {
		if s.v.Plain && l.sign != glyph.Filled || r.W()-pen.X() < 4+cell.Width(l.text) {
			continue
		}
		pen = pen.Sign(l.sign, 1, l.style).Put(l.text, theme.Label).Gap(3)
	}
}
