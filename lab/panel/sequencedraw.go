package panel

import (
	"slices"
	"strconv"
	"strings"

	"kafkalab/engine/trace"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// Draw draws the diagram, and the selected message below it; or all of the one
// that is open.
func (p *Sequence) Draw(r canvas.Region, m Model) {
	p.sync(m)
	p.clicks.reset()
	s := messages(m)
	if open, ok := p.opened.look(m); ok {
		s.all = m.Reader.EventsSince(0) // one from before the step can be open too
		p.opened.draw(r, m, open, p.facts(m, s, s.index(p.opened.id)), &p.clicks)
		return
	}
	nodes := p.involved(m, s)
	if len(nodes) == 0 {
		r.Put(0, 0, "what crossed the wire", theme.Name)
		note(below(r, 2), 0, nothingCrossed(m))
		return
	}
	stack(r,
		part{1, 1, 1, func(r canvas.Region) { r.Put(0, 0, "what crossed the wire", theme.Name) }},
		part{4, 1 + s.count(r.H()), 0, func(r canvas.Region) { p.diagram(r, m, s, nodes) }},
		part{3, 4, 2, func(r canvas.Region) { p.detail(r, m, s) }},
	)
}

func nothingCrossed(m Model) string {
	if m.Focus.Since > 0 {
		return "No message since the step began."
	}
	return "No message yet."
}

// diagram draws the messages, each in a row.
func (p *Sequence) diagram(r canvas.Region, m Model, s sifted, nodes []string) {
	seen, at := p.line.window(s, r.H()-1)
	timeW, byteW, sayW := 6, 0, 0
	says := make([]string, len(seen))
	for y, i := range seen {
		says[y] = m.summary(sentAt(s, i))
		timeW = max(timeW, cell.Width(cell.Clock(s.all[i].Time)))
		byteW = max(byteW, cell.Width(cell.Size(int64(sentAt(s, i).Bytes))))
		sayW = max(sayW, cell.Width(says[y]))
	}
	to := r.W() - byteW - 2
	if r.W() < 44 {
		to, byteW = r.W(), 0
	}
	if sayW = min(sayW+2, to-timeW-2-len(nodes)*roomyGap); sayW < leastSummary {
		sayW = 0
	}
	to -= sayW
	lines, ok := layLifelines(nodes, timeW+2, to)
	if !ok { // then those that are needed now
		nodes = slices.DeleteFunc(slices.Clone(nodes), func(node string) bool {
			return !slices.ContainsFunc(seen, func(i int) bool { return sentAt(s, i).From == node || sentAt(s, i).To == node })
		})
		lines, ok = layLifelines(nodes, timeW+2, to)
	}
	if !ok || p.lines {
		p.rows(r, m, s, seen, says, at, timeW)
		return
	}
	for i, node := range nodes {
		name := shortNode(node, lines.w-1)
		r.Put(lines.x[i]-cell.Width(name)/2, 0, name, m.nodeStyle(node)|theme.Bold)
	}
	came := arrivals(s, seen)
	for y, i := range seen {
		msg := sentAt(s, i)
		for _, x := range lines.x {
			r.Put(x, y+1, string(glyph.Vertical), theme.Rule)
		}
		r.PutRight(1+timeW, y+1, cell.Clock(s.all[i].Time), theme.Label)
		onArrow := says[y]
		if sayW > 0 {
			onArrow = "" // it has a column of its own
		}
		lines.arrow(r, y+1, msg, onArrow, came[i] != nil)
		if end := min(r.W(), lines.x[len(nodes)-1]+lines.w/2+byteW+2); byteW > 0 {
			r.PutRight(end, y+1, cell.Size(int64(msg.Bytes)), theme.Label)
			if sayW > 0 {
				r.Put(end+2, y+1, cell.Truncate(says[y], r.W()-end-2), theme.Label)
			}
		}
		p.clicks.add(r, y+1, i)
		if i == at {
			widget.Select(r, geom.Rect{Y: y + 1, W: r.W(), H: 1}, 0, theme.Focus)
		}
	}
}

func sentAt(s sifted, i int) trace.Message {
	b, _ := s.all[i].Body.(trace.MessageSent)
	return b.Message
}

// arrivals finds the receipts of the messages that are seen.
func arrivals(s sifted, seen []int) map[int]*trace.Event {
	came := make(map[int]*trace.Event, len(seen))
	if len(seen) == 0 {
		return came
	}
	first := seen[0]
	for i := first; i < len(s.all) && i < first+lookBack && len(came) < len(seen); i++ {
		if b, ok := s.all[i].Body.(trace.MessageReceived); ok {
			if j := s.index(b.Sent); j < len(s.all) && s.all[j].ID == b.Sent && slices.Contains(seen, j) {
				came[j] = &s.all[i]
			}
		}
	}
	return came
}

// rows is the diagram where there is no room for lifelines.
func (p *Sequence) rows(r canvas.Region, m Model, s sifted, seen []int, says []string, at, timeW int) {
	if !p.lines {
		r.Put(1, 0, cell.Truncate(count(int64(len(p.nodes.names)), "node")+", too many for lifelines here", r.W()-1), theme.Faint)
	}
	came := arrivals(s, seen)
	for y, i := range seen {
		e, msg := s.all[i], sentAt(s, i)
		pen := r.Pen(1, y+1).Number(timeW, cell.Clock(e.Time), theme.Label).Gap(2)
		pen.Line(m.rowLine(msg, says[y], came[i] != nil, r.W()-pen.X()))
		p.clicks.add(r, y+1, i)
		if i == at {
			widget.Select(r, geom.Rect{Y: y + 1, W: r.W(), H: 1}, 0, theme.Focus)
		}
	}
}

// rowLine is a message in one row of some cells: who, to whom, what. An answer is
// dotted, as in the diagram; its size comes last.
func (m Model) rowLine(msg trace.Message, says string, arrived bool, w int) canvas.Line {
	arrow := " " + strings.Repeat(string(glyph.Horizontal), 2) + string(glyph.Play) + " "
	if msg.Response {
		arrow = " " + strings.Repeat(string(glyph.Dot), 2) + string(glyph.Play) + " "
	}
	line := canvas.T(msg.From, m.nodeStyle(msg.From)).Add(arrow, theme.Label).Add(msg.To, m.nodeStyle(msg.To)).Add("  "+msg.API, theme.Text)
	if !arrived {
		line = line.Add("  under way", theme.Waiting)
	}
	if says != "" {
		line = line.Add("  "+says, theme.Label)
	}
	if size := "  " + cell.Size(int64(msg.Bytes)); line.Width()+cell.Width(size) <= w {
		line = line.Add(size, theme.Label)
	}
	return line.Truncate(w)
}

// detail tells of the selected message what the wire knows.
func (p *Sequence) detail(r canvas.Region, m Model, s sifted) {
	at := p.line.selected(s)
	if at < 0 {
		return
	}
	for y, draw := range p.facts(m, s, at) {
		draw(r.Sub(geom.Rect{Y: y, W: r.W(), H: 1}))
	}
	rawMessage(below(r, 3), sentAt(s, at))
}

// facts are what is known of a message beside its fields, in rows.
func (p *Sequence) facts(m Model, s sifted, at int) []func(canvas.Region) {
	if at >= len(s.all) {
		return nil
	}
	e, msg := s.all[at], sentAt(s, at)
	what := " request"
	if msg.Response {
		what = " response"
	}
	title := func(r canvas.Region) {
		pen := r.Pen(0, 0).Put(msg.API+what, theme.Name).Gap(3).Put(msg.From, m.nodeStyle(msg.From)).Put(" → ", theme.Label).Put(msg.To, m.nodeStyle(msg.To))
		if says := m.summary(msg); r.W()-pen.X() > 3 {
			pen.Gap(3).Put(cell.Truncate(says, r.W()-pen.X()-3), theme.Bright)
		}
	}
	wire := func(r canvas.Region) {
		facts{}.add("key", strconv.Itoa(int(msg.Key)), theme.Text).add("version", strconv.Itoa(int(msg.Version)), theme.Text).
			add("correlation", cell.Thin(int64(msg.Correlation)), theme.Text).add("connection", msg.Conn, theme.Text).draw(r, 2, 0)
	}
	times := func(r canvas.Region) {
		f := facts{}.add("", cell.Size(int64(msg.Bytes)), theme.Text).add("sent", cell.Clock(e.Time), theme.Text)
		if came := arrivals(s, []int{at})[at]; came != nil {
			f = f.add("arrived", cell.Clock(came.Time), theme.Text)
		} else {
			f = f.add("", "under way", theme.Waiting)
		}
		if answer := answerTo(s, at); answer != nil {
			f = f.add("answered", cell.Clock(answer.Time), theme.Text)
		}
		f.draw(r, 2, 0)
	}
	return []func(canvas.Region){title, wire, times}
}

// summary is what matters most in a message.
func (m Model) summary(msg trace.Message) string { return msg.Summary(m.topicNamed) }

// roomyGap is how far lifelines stand apart where what a message says has a
// column of its own, which has leastSummary cells at least.
const (
	roomyGap     = 18
	leastSummary = 18
)

// answerTo is the sending of the response to a request, nil if there is none.
func answerTo(s sifted, at int) *trace.Event {
	asked := sentAt(s, at)
	if asked.Response {
		return nil
	}
	for i := at + 1; i < len(s.all) && i < at+lookBack; i++ {
		b, ok := s.all[i].Body.(trace.MessageSent)
		if ok && b.Response && b.Correlation == asked.Correlation && b.From == asked.To && b.To == asked.From {
			return &s.all[i]
		}
	}
	return nil
}

// rawMessage shows the message's first bytes, behind the four of its length.
func rawMessage(r canvas.Region, msg trace.Message) {
	if r.H() <= 0 || len(msg.Payload) == 0 {
		return
	}
	perRow := max(1, (r.W()-2+1)/3)
	for y := range r.H() {
		from := y * perRow
		if from >= len(msg.Payload) {
			return
		}
		row := msg.Payload[from:min(from+perRow, len(msg.Payload))]
		x := r.Put(2, y, hexText(row), theme.Faint)
		if y == r.H()-1 && from+len(row) < len(msg.Payload) {
			r.Put(min(x, r.W()-1), y, string(glyph.Ellipsis), theme.Faint)
		}
	}
}
