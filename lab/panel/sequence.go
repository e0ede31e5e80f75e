package panel

import (
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/engine/trace"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/keys"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// Sequence is the panel `sequence`: the messages that crossed the wire, as
// arrows between the lifelines of the nodes.
//
// A message can be opened: its fields by Kafka's own names, and its bytes.
type Sequence struct {
	focus  Focus
	line   timeline
	nodes  nodeCache
	opened message
	clicks clicks
}

// nodeCache keeps which nodes had a part in the messages, as long as nothing
// happens.
type nodeCache struct {
	since, last trace.ID
	known       bool
	names       []string
}

// Name is sequence.
func (p *Sequence) Name() string { return "sequence" }

// Typing is never true.
func (p *Sequence) Typing() bool { return false }

// Nested tells that a message is open.
func (p *Sequence) Nested(m Model) bool {
	p.sync(m)
	_, ok := p.opened.look(m)
	return ok
}

// Keys move among the messages and open one; in an open one, among its fields.
func (p *Sequence) Keys(m Model) []key.Binding {
	if p.Nested(m) {
		return []key.Binding{
			keys.Bind("↑↓", "field", "up", "down", "k", "j"), keys.Bind("o", "open/shut", "o", "enter"), keys.Bind("[ ]", "other messages", "[", "]"),
			keys.Bind("backspace", "all messages"), keys.Bind("←→", "group", "left", "right", "h", "l"),
			keys.Bind("pgup pgdn", "page", "pgup", "pgdown"), keys.Bind("home", "first field", "home"), keys.Bind("end", "last field", "end"),
		}
	}
	list := []key.Binding{keys.Bind("↑↓", "message", "up", "down", "k", "j")}
	if p.line.selected(messages(m)) >= 0 {
		list = append(list, keys.Bind("o", "open it", "o", "enter"))
	}
	return append(list, keys.Bind("end", "newest", "end"), keys.Bind("home", "oldest", "home"), keys.Bind("pgup pgdn", "page", "pgup", "pgdown"))
}

func (p *Sequence) sync(m Model) {
	if p.focus != m.Focus {
		p.focus, p.line = m.Focus, timeline{}
		p.opened.shut()
	}
	p.line.settle(m.View.LastEvent)
}

func messages(m Model) sifted {
	return sifted{all: m.Reader.EventsSince(m.Focus.Since), keep: func(e trace.Event) bool {
		_, sent := e.Body.(trace.MessageSent)
		return sent
	}}
}

// Key moves the selection, opens a message, and moves in it.
func (p *Sequence) Key(msg tea.KeyMsg, m Model) (Action, bool) {
	p.sync(m)
	s := messages(m)
	if p.Nested(m) {
		switch msg.String() {
		case "[":
			p.other(s, -1)
		case "]":
			p.other(s, 1)
		default:
			return nil, p.opened.key(msg, m)
		}
		return nil, true
	}
	if k := msg.String(); k == "o" || k == "enter" {
		return nil, p.open(s)
	}
	return nil, p.line.key(msg, s)
}

// open opens the selected message, if there is one.
func (p *Sequence) open(s sifted) bool {
	at := p.line.selected(s)
	if at >= 0 {
		p.opened.open(s.all[at].ID)
	}
	return at >= 0
}

// other opens the message before the open one, or the one behind it.
func (p *Sequence) other(s sifted, by int) {
	at := s.index(p.opened.id)
	if at < len(s.all) {
		p.line.move(s, at, by)
		p.open(s)
	}
}

// Click selects a message, or a field of the open one.
func (p *Sequence) Click(x, y int, m Model) (Action, bool) {
	p.sync(m)
	n, ok := p.clicks.at(x, y)
	if !ok {
		return nil, false
	}
	if s, nested := p.opened.look(m); nested {
		if p.opened.list.Selected == n && n < len(s.rows) {
			return p.Key(enter, m)
		}
		p.opened.list.Selected = max(0, min(n, len(s.rows)-1))
		return nil, true
	}
	s := messages(m)
	if n >= len(s.all) || !s.keep(s.all[n]) {
		return nil, false
	}
	if p.line.selected(s) == n {
		return p.Key(enter, m)
	}
	p.line.choose(s, n)
	return nil, true
}

// Cursor is the selected message.
func (p *Sequence) Cursor(m Model) Cursor {
	p.sync(m)
	r, _ := m.replica()
	c := Cursor{Replica: r, Offset: None}
	s := messages(m)
	at := p.line.selected(s)
	if open, ok := p.opened.look(m); ok {
		c.Event, c.Node = open.sent.ID, open.sent.Node
	} else if at >= 0 {
		c.Event, c.Node = s.all[at].ID, s.all[at].Node
	}
	return c
}

// lookBack is how many events are searched for the nodes of the diagram and for
// what became of a message.
const lookBack = 20_000

// involved lists the nodes that sent or got a message: clients, then brokers,
// then controllers.
func (p *Sequence) involved(m Model, s sifted) []string {
	c := &p.nodes
	if c.known && c.since == m.Focus.Since && c.last == m.View.LastEvent {
		return c.names
	}
	seen := map[string]bool{}
	for _, e := range s.all[max(0, len(s.all)-lookBack):] {
		if b, ok := e.Body.(trace.MessageSent); ok {
			seen[b.From], seen[b.To] = true, true
		}
	}
	names := make([]string, 0, len(seen))
	for name := range seen {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if d := rankOf(a) - rankOf(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	*c = nodeCache{since: m.Focus.Since, last: m.View.LastEvent, known: true, names: names}
	return names
}

func rankOf(node string) int {
	switch {
	case strings.HasPrefix(node, "controller"):
		return 2
	case strings.HasPrefix(node, "broker-"):
		return 1
	}
	return 0
}

// Draw draws the diagram, and the selected message below it; or all of the one
// that is open.
func (p *Sequence) Draw(r canvas.Region, m Model) {
	p.sync(m)
	p.clicks.reset()
	s := messages(m)
	if open, ok := p.opened.look(m); ok {
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
		timeW = max(timeW, cell.Width(cell.Seconds(s.all[i].Time)))
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
	if !ok {
		p.rows(r, m, s, seen, says, at, timeW)
		return
	}
	for i, node := range nodes {
		name := cell.Truncate(node, lines.w-1)
		r.Put(lines.x[i]-cell.Width(name)/2, 0, name, m.nodeStyle(node)|theme.Bold)
	}
	came := arrivals(s, seen)
	for y, i := range seen {
		msg := sentAt(s, i)
		for _, x := range lines.x {
			r.Put(x, y+1, string(glyph.Vertical), theme.Rule)
		}
		r.PutRight(1+timeW, y+1, cell.Seconds(s.all[i].Time), theme.Label)
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
	r.Put(1, 0, cell.Truncate(count(int64(len(p.nodes.names)), "node")+", too many for lifelines here", r.W()-1), theme.Faint)
	came := arrivals(s, seen)
	for y, i := range seen {
		e, msg := s.all[i], sentAt(s, i)
		pen := r.Pen(1, y+1).Number(timeW, cell.Seconds(e.Time), theme.Label).Gap(2)
		line := canvas.T(msg.From, m.nodeStyle(msg.From)).Add(" ", theme.Text)
		line = append(line, m.arrowLine(msg, "── ", " ──► ", msg.To)...)
		if came[i] == nil {
			line = line.Add(" under way", theme.Waiting)
		}
		if says[y] != "" {
			line = line.Add("  "+says[y], theme.Label)
		}
		p.clicks.add(r, y+1, i)
		pen.Line(line.Truncate(r.W() - pen.X()))
		if i == at {
			widget.Select(r, geom.Rect{Y: y + 1, W: r.W(), H: 1}, 0, theme.Focus)
		}
	}
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
		f := facts{}.add("", cell.Size(int64(msg.Bytes)), theme.Text).add("sent", cell.Seconds(e.Time), theme.Text)
		if came := arrivals(s, []int{at})[at]; came != nil {
			f = f.add("arrived", cell.Seconds(came.Time), theme.Text)
		} else {
			f = f.add("", "under way", theme.Waiting)
		}
		if answer := answerTo(s, at); answer != nil {
			f = f.add("answered", cell.Seconds(answer.Time), theme.Text)
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
