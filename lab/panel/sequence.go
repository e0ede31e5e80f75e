package panel

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/engine/trace"
	"kafkalab/lab/kit/keys"
)

// Sequence is the panel `sequence`: the messages that crossed the wire, as
// arrows between the lifelines of the nodes.
//
// A message can be opened: its fields by Kafka's own names, and its bytes.
type Sequence struct {
	focus  Focus
	line   timeline
	nodes  nodeCache
	lines  bool // one message a row with what it says, and no lifelines
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
	if p.lines {
		list = append(list, keys.Bind("L", "as a diagram"))
	} else {
		list = append(list, keys.Bind("L", "as lines"))
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
	switch msg.String() {
	case "o", "enter":
		return nil, p.open(s)
	case "L":
		p.lines = !p.lines
		return nil, true
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

// Open opens the message that an event tells of.
func (p *Sequence) Open(at Cursor, m Model) {
	p.sync(m)
	e, ok := m.Reader.Event(at.Event)
	if got, received := e.Body.(trace.MessageReceived); ok && received {
		e, ok = m.Reader.Event(got.Sent)
	}
	if _, sent := e.Body.(trace.MessageSent); ok && sent {
		p.opened.open(e.ID)
		if s := messages(m); s.index(e.ID) < len(s.all) {
			p.line.choose(s, s.index(e.ID))
		}
	}
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
