package panel

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/engine"
	"kafkalab/lab/kit/keys"
)

// Producer is the panel `producer`: what a producer of ours holds. The batch
// that fills for each partition, those that wait and why, those in flight to
// each broker, and of the newest closed ones why each was closed and what came
// of it. On the live page its keys produce through it and let time pass.
//
// producer.NAME shows a producer. While a prediction is open, producer.filling,
// .waiting, .flight, .closed, .sequence and .counts hide what they name, and
// the rest of the panel does not tell it either.
type Producer struct {
	focus    Focus
	name     string // of the producer that the learner has moved to
	selected int    // a batch, -1 for none
	moved    bool
	rows     clicks
}

// Name is producer.
func (p *Producer) Name() string { return "producer" }

// Typing is never true.
func (p *Producer) Typing() bool { return false }

// producerSight is what the panel works on.
type producerSight struct {
	m     Model
	all   []engine.ProducerView
	at    int
	v     *engine.ProducerView // nil if there is none
	batch []engine.ProducerBatch
	pick  int // the batch that is selected, -1 for none
	hide  string
	rows  *clicks
}

// sight finds out what is shown now.
func (p *Producer) sight(m Model) producerSight {
	if p.focus != m.Focus {
		if !p.focus.Live || !m.Focus.Live {
			p.name, p.moved = "", false
		}
		p.focus = m.Focus
	}
	s := producerSight{m: m, all: m.Reader.ProducerViews(), pick: -1, rows: &p.rows}
	if len(s.all) == 0 {
		return s
	}
	thing, here := m.Focus.lit("producer")
	for _, name := range []string{thing, p.name} {
		for i := range s.all {
			if s.all[i].Name == name && (here || name == p.name) {
				s.at = i
			}
		}
	}
	if here && !m.Focus.Revealed {
		s.hide = thing
	}
	s.v = &s.all[s.at]
	s.batch = batchesOf(s.v)
	if p.moved && len(s.batch) > 0 {
		s.pick = min(p.selected, len(s.batch)-1)
	}
	return s
}

// batchesOf are a producer's batches in the order in which they are drawn.
func batchesOf(v *engine.ProducerView) []engine.ProducerBatch {
	return append(append(append(filling(v), waitingOf(v)...), inFlight(v)...), v.Closed...)
}

func filling(v *engine.ProducerView) (list []engine.ProducerBatch) {
	for _, q := range v.Queues {
		if q.Filling != nil {
			list = append(list, *q.Filling)
		}
	}
	return list
}

func waitingOf(v *engine.ProducerView) (list []engine.ProducerBatch) {
	for _, q := range v.Queues {
		list = append(list, q.Waiting...)
	}
	return list
}

func inFlight(v *engine.ProducerView) (list []engine.ProducerBatch) {
	for _, f := range v.Brokers {
		for _, r := range f.Requests {
			list = append(list, r.Batches...)
		}
	}
	return list
}

// asks tells that the lesson asks for one of these.
func (s *producerSight) asks(things ...string) bool {
	for _, t := range things {
		if s.hide == t {
			return true
		}
	}
	return false
}

// asksAny tells that the lesson asks for something that the panel hides.
func (s *producerSight) asksAny() bool {
	return s.asks("filling", "waiting", "flight", "closed", "sequence", "counts")
}

// Keys choose a producer and a batch; where the learner acts, they act.
func (p *Producer) Keys(m Model) []key.Binding {
	s := p.sight(m)
	var list []key.Binding
	add := func(b ...key.Binding) { list = append(list, b...) }
	if m.Focus.Live && s.v != nil {
		if _, ok := m.replica(); ok {
			add(keys.Bind("p", "produce as "+s.v.Name))
		}
		if s.canRetry() {
			add(keys.Bind("y", "send the last batch again"))
		}
		add(keys.Bind("t", "1 ms on"), keys.Bind("T", "100 ms on"), keys.Bind("n", "one event"))
	}
	if len(s.all) > 1 {
		add(keys.Bind("←→", "producer", "left", "right", "h", "l"))
	}
	if len(s.batch) > 0 {
		add(keys.Bind("↑↓", "batch", "up", "down", "k", "j"))
	}
	if s.pick >= 0 && s.batch[s.pick].Base >= 0 {
		add(keys.Bind("o", "its bytes", "o", "enter"))
	}
	return list
}

// canRetry tells that retry has something to send.
func (s *producerSight) canRetry() bool {
	return s.v != nil && !s.v.Plain && len(s.v.Brokers) > 0
}

// Key moves, or acts.
func (p *Producer) Key(msg tea.KeyMsg, m Model) (Action, bool) {
	s := p.sight(m)
	if s.v == nil {
		return nil, false
	}
	switch k := msg.String(); k {
	case "o", "enter":
		if s.pick < 0 || s.batch[s.pick].Base < 0 {
			return nil, false
		}
		return Lens{"bytes"}, true
	case "left", "h":
		return nil, p.turn(&s, -1)
	case "right", "l":
		return nil, p.turn(&s, 1)
	case "up", "k":
		return nil, p.move(&s, -1)
	case "down", "j":
		return nil, p.move(&s, 1)
	default:
		if m.Focus.Live {
			return p.act(k, &s)
		}
	}
	return nil, false
}

func (p *Producer) turn(s *producerSight, by int) bool {
	if len(s.all) < 2 {
		return false
	}
	p.name, p.moved = s.all[(s.at+by+len(s.all))%len(s.all)].Name, false
	return true
}

func (p *Producer) move(s *producerSight, by int) bool {
	n := len(s.batch)
	switch {
	case n == 0:
		return false
	case !p.moved:
		p.moved, p.selected = true, 0
	default:
		p.selected = max(0, min(s.pick+by, n-1))
	}
	return true
}

// Click selects a batch.
func (p *Producer) Click(x, y int, m Model) (Action, bool) {
	s := p.sight(m)
	n, ok := p.rows.at(x, y)
	switch {
	case !ok || n >= len(s.batch):
		return nil, false
	case s.pick == n:
		a, _ := p.Key(enter, m)
		return a, true
	}
	p.moved, p.selected = true, n
	return nil, true
}

// act is what a key does to the cluster: a line for the console. A produce is
// not waited for: what becomes of it is what there is to see.
func (p *Producer) act(k string, s *producerSight) (Action, bool) {
	p.name = s.v.Name
	switch k {
	case "p":
		r, ok := s.m.replica()
		if !ok {
			return nil, false
		}
		line := "produce " + partitionName(r) + " value=hello wait=false"
		if !s.v.Plain {
			line += " as=" + s.v.Name
		}
		return Run{line}, true
	case "y":
		if s.canRetry() {
			return Run{"retry " + s.v.Name}, true
		}
	case "t":
		return Run{"tick 1ms"}, true
	case "T":
		return Run{"tick 100ms"}, true
	case "n":
		return Run{"step"}, true
	}
	return nil, false
}

// Cursor is the selected batch, and what tells of it.
func (p *Producer) Cursor(m Model) Cursor {
	s := p.sight(m)
	r, _ := m.replica()
	c := Cursor{Replica: r, Offset: None}
	if s.v == nil {
		return c
	}
	c.Node = s.v.Name
	if s.pick < 0 {
		return c
	}
	b := s.batch[s.pick]
	c.Replica = engine.ReplicaName{Topic: b.Topic, Partition: b.Partition}
	if part := partitionOf(m.View, c.Replica); part != nil {
		c.Replica.Broker = max(0, part.Leader)
	}
	c.Event = b.Event
	if b.Base >= 0 {
		c.Offset = b.Base
	}
	return c
}
