package panel

import (
	"reflect"

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

// Events is the panel `events`: what happened, newest last.
type Events struct {
	focus Focus
	line  timeline
	show  showing
	kind  reflect.Type // of showKind
	node  string       // only this one; empty for all
	rows  clicks
}

// showing is which events are shown.
type showing int

const (
	showTold     showing = iota // all, but a message once: when it is sent
	showDecided                 // no messages
	showMessages                // nothing else
	showAll
	showKind // of the kind that was selected
)

// Name is events.
func (p *Events) Name() string { return "events" }

// Typing is never true.
func (p *Events) Typing() bool { return false }

// Keys move in what happened, and choose what is shown of it.
func (p *Events) Keys(m Model) []key.Binding {
	p.sync(m)
	list := []key.Binding{
		keys.Bind("↑↓", "move", "up", "down", "k", "j"), keys.Bind("end", "newest", "end"),
		keys.Bind("o", "open", "o", "enter"), keys.Bind("e", "which events"), keys.Bind("N", "which node"),
		keys.Bind("home", "oldest", "home"), keys.Bind("pgup pgdn", "page", "pgup", "pgdown"),
	}
	if p.node != "" || p.show != showTold {
		list = append(list, keys.Bind("backspace", "show all again"))
	}
	return list
}

// sync starts anew when the focus has changed; the filter stays.
func (p *Events) sync(m Model) {
	if p.focus != m.Focus {
		p.focus, p.line = m.Focus, timeline{}
	}
	p.line.settle(m.View.LastEvent)
}

func (p *Events) sift(m Model) sifted {
	return sifted{all: m.Reader.EventsSince(m.Focus.Since), keep: p.keep}
}

// keep tells if an event passes the filter.
func (p *Events) keep(e trace.Event) bool {
	if p.node != "" && e.Node != p.node {
		return false
	}
	sent, received := false, false
	switch e.Body.(type) {
	case trace.MessageSent:
		sent = true
	case trace.MessageReceived:
		received = true
	}
	switch p.show {
	case showTold:
		return !received
	case showDecided:
		return !received && !sent
	case showMessages:
		return sent
	case showKind:
		return reflect.TypeOf(e.Body) == p.kind
	}
	return true
}

// Key moves or filters.
func (p *Events) Key(msg tea.KeyMsg, m Model) (Action, bool) {
	p.sync(m)
	s := p.sift(m)
	at := p.line.selected(s)
	switch msg.String() {
	case "o", "enter":
		return p.open(s, at)
	case "e":
		p.nextShow(s, at)
	case "N":
		switch {
		case p.node != "":
			p.node = ""
		case at >= 0:
			p.node = s.all[at].Node
		}
	case "backspace":
		if p.node == "" && p.show == showTold {
			return nil, false
		}
		p.node, p.show = "", showTold
	default:
		return nil, p.line.key(msg, s)
	}
	return nil, true
}

// open shows what is behind an event: the fields of a message, the bytes of what
// was appended. There is nothing behind the others.
func (p *Events) open(s sifted, at int) (Action, bool) {
	if at < 0 {
		return nil, false
	}
	switch s.all[at].Body.(type) {
	case trace.MessageSent, trace.MessageReceived:
		return Lens{"sequence"}, true
	}
	if _, ok := trace.Field(s.all[at].Body, "base"); ok {
		return Lens{"bytes"}, true
	}
	return nil, true
}

// Click selects an event.
func (p *Events) Click(x, y int, m Model) (Action, bool) {
	p.sync(m)
	n, ok := p.rows.at(x, y)
	s := p.sift(m)
	switch {
	case !ok || n >= len(s.all) || !s.keep(s.all[n]):
		return nil, false
	case p.line.selected(s) == n:
		return p.Key(enter, m)
	}
	p.line.choose(s, n)
	p.line.pin = p.rows.row(x, y) + 1 // what is told of it below moves nothing
	return nil, true
}

// nextShow goes round the choices; the kind of the selected event is the last.
func (p *Events) nextShow(s sifted, at int) {
	p.show = (p.show + 1) % (showKind + 1)
	if p.show != showKind {
		return
	}
	if at < 0 {
		p.show = showTold
		return
	}
	p.kind = reflect.TypeOf(s.all[at].Body)
}

// what says which events are shown.
func (p *Events) what() string {
	what := [...]string{"", "no messages", "messages", "with receipts", ""}[p.show]
	if p.show == showKind {
		what = p.kind.Name()
	}
	if p.node != "" {
		if what != "" {
			what += ", "
		}
		what += "only " + p.node
	}
	return what
}

// Cursor is the selected event.
func (p *Events) Cursor(m Model) Cursor {
	p.sync(m)
	r, _ := m.replica()
	c := Cursor{Replica: r, Offset: None}
	s := p.sift(m)
	if at := p.line.selected(s); at >= 0 {
		c.Event, c.Node = s.all[at].ID, s.all[at].Node
		if base, ok := trace.Field(s.all[at].Body, "base"); ok {
			c.Offset = parseOffset(base)
		}
	}
	return c
}

// Draw draws the list, and the selected event with its fields below it once the
// learner has gone back.
func (p *Events) Draw(r canvas.Region, m Model) {
	p.sync(m)
	p.rows.reset()
	s := p.sift(m)
	detail := p.detailLines(m, s, r.W())
	stack(r,
		part{1, 1, 0, func(r canvas.Region) { p.heading(r) }},
		part{3, max(1, s.count(r.H())), 0, func(r canvas.Region) { p.list(r, m, s) }},
		part{min(3, len(detail)), len(detail), 2, func(r canvas.Region) { r.PutLines(0, 0, detail[:min(len(detail), r.H())]) }},
	)
}

func (p *Events) heading(r canvas.Region) {
	x := r.Put(0, 0, "what happened", theme.Name)
	if what := p.what(); what != "" {
		x = r.Put(x+3, 0, cell.Truncate(what, max(0, r.W()-x-3)), theme.Focus)
	}
	if p.line.at != 0 {
		text := "end: newest"
		if r.W()-x > len(text)+2 {
			r.PutRight(r.W(), 0, text, theme.Label)
		}
	}
}

func (p *Events) list(r canvas.Region, m Model, s sifted) {
	seen, at := p.line.window(s, r.H())
	if len(seen) == 0 {
		note(r, 0, nothingHappened(m, p.what()))
		return
	}
	timeW, nodeW := 6, 0
	for _, i := range seen {
		timeW = max(timeW, cell.Width(cell.Clock(s.all[i].Time)))
		nodeW = max(nodeW, cell.Width(s.all[i].Node))
	}
	if r.W() < 44 {
		nodeW = min(nodeW, 8)
	}
	for y, i := range seen {
		e := s.all[i]
		pen := r.Pen(1, y).Number(timeW, cell.Clock(e.Time), theme.Label).Gap(2).Fit(nodeW, e.Node, m.nodeStyle(e.Node)).Gap(2)
		pen.Line(m.eventLine(e).Truncate(r.W() - pen.X()))
		p.rows.add(r, y, i)
		if i == at {
			widget.Select(r, geom.Rect{Y: y, W: r.W(), H: 1}, 0, theme.Focus)
		}
	}
}

func nothingHappened(m Model, what string) string {
	if what != "" {
		return "Nothing of that kind (" + what + ")."
	}
	if m.Focus.Since > 0 {
		return "Nothing has happened since the step began."
	}
	return "Nothing has happened yet."
}

// eventLine is what an event says of itself, messages as arrows.
func (m Model) eventLine(e trace.Event) canvas.Line {
	switch b := e.Body.(type) {
	case trace.CommandGiven:
		return canvas.T(string(glyph.Prompt)+" "+b.Text, theme.Focus)
	case trace.MessageSent:
		line := m.arrowLine(b.Message, "── ", " ──► ", b.To)
		if says := m.summary(b.Message); says != "" {
			line = line.Add("  "+says, theme.Label)
		}
		return line
	case trace.MessageReceived:
		return m.arrowLine(b.Message, "◄── ", " ── ", b.From)
	}
	return canvas.T(thinNumbers(e.Body.Line()), theme.Text)
}

func (m Model) arrowLine(msg trace.Message, before, after, other string) canvas.Line {
	name := msg.API
	if msg.Response {
		name += " answer"
	}
	return canvas.T(before, theme.Label).Add(name, theme.Text).Add(after, theme.Label).Add(other, m.nodeStyle(other)).
		Add("  "+cell.Size(int64(msg.Bytes)), theme.Label)
}

// detailLines tell the selected event's kind and fields, and all that it says of
// itself when the list had no room for it.
func (p *Events) detailLines(m Model, s sifted, w int) []canvas.Line {
	at := p.line.selected(s)
	if at < 0 {
		return nil
	}
	e := s.all[at]
	head := canvas.T(e.Kind(), theme.Name).Add("   event ", theme.Label).Add(cell.Thin(int64(e.ID)), theme.Text)
	if e.Cause != 0 {
		head = head.Add("   caused by ", theme.Label).Add(cell.Thin(int64(e.Cause)), theme.Text)
	}
	lines := []canvas.Line{head.Truncate(w)}
	says := m.eventLine(e)
	if says.Width() > w-20 {
		lines = append(lines, says.Wrap(w)...)
	}
	var fields canvas.Line
	for _, name := range trace.FieldNames(e.Body) {
		value, _ := trace.Field(e.Body, name)
		if fields != nil {
			fields = fields.Add("   ", theme.Label)
		}
		fields = fields.Add(name+" ", theme.Label).Add(thinWord(value), theme.Text)
	}
	for _, l := range fields.Wrap(w - 2) {
		lines = append(lines, append(canvas.T("  ", theme.Text), l...))
	}
	return lines[:min(len(lines), detailRows)]
}

// detailRows is what the selected event may take below the list.
const detailRows = 8
