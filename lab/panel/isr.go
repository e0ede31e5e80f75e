package panel

import (
	"slices"
	"strconv"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/engine"
	"kafkalab/lab/kit/keys"
)

// ISR is the panel `isr`: the replicas of a partition, which of them are in
// sync, what is committed, who is behind, and who waits for that. On the live
// page its keys act on the partition and its brokers.
//
// While a prediction is open, isr.hw hides the high watermark, isr.leo the log
// end offsets, and isr.isr who is in sync.
type ISR struct {
	focus    Focus
	selected int32 // a broker that the learner has moved to, 0 for none
	acks     string
	rows     clicks
}

// Name is isr.
func (p *ISR) Name() string { return "isr" }

// Typing is never true.
func (p *ISR) Typing() bool { return false }

// sync ends the learner's selection when the lesson goes on.
func (p *ISR) sync(m Model) {
	if p.focus != m.Focus {
		live := p.focus.Live && m.Focus.Live
		p.focus = m.Focus
		if !live {
			p.selected = 0
		}
	}
}

// acksWord is the acks of the next produce.
func (p *ISR) acksWord() string {
	if p.acks == "" {
		return "all"
	}
	return p.acks
}

// Keys move among the replicas; where the learner acts, they act.
func (p *ISR) Keys(m Model) []key.Binding {
	s := p.sight(m)
	if s.part == nil {
		return nil
	}
	var list []key.Binding
	add := func(b ...key.Binding) { list = append(list, b...) }
	if m.Focus.Live {
		add(keys.Bind("p", "produce"), keys.Bind("a", "acks: "+p.acksWord()))
		if shown, names := s.digits(); len(names) > 0 {
			add(keys.Bind(shown, "stall/resume", names...))
		}
		if s.up(s.at) {
			add(keys.Bind("x", "kill "+brokerName(s.at)), keys.Bind("X", "crash "+brokerName(s.at)))
		} else {
			add(keys.Bind("r", "restart "+brokerName(s.at)))
		}
		add(keys.Bind("t", "1 s on"), keys.Bind("T", "10 s on"), keys.Bind("n", "one event"))
	}
	if len(s.part.Replicas) > 1 {
		add(keys.Bind("↑↓", "replica", "up", "down", "k", "j"))
	}
	return list
}

// digits are the brokers that a digit stalls or lets go on.
func (s *isrSight) digits() (shown string, names []string) {
	for _, b := range s.m.View.Brokers {
		if b.ID <= 9 && slices.Contains(s.part.Replicas, b.ID) && s.up(b.ID) {
			names = append(names, strconv.Itoa(int(b.ID)))
		}
	}
	slices.Sort(names)
	for i, n := range names {
		if i > 0 {
			shown += " "
		}
		shown += n
	}
	return shown, names
}

// Key moves the selection, or acts.
func (p *ISR) Key(msg tea.KeyMsg, m Model) (Action, bool) {
	s := p.sight(m)
	if s.part == nil {
		return nil, false
	}
	switch msg.String() {
	case "up", "k":
		return nil, p.move(&s, -1)
	case "down", "j":
		return nil, p.move(&s, 1)
	}
	if !m.Focus.Live {
		return nil, false
	}
	return p.act(msg.String(), &s)
}

func (p *ISR) move(s *isrSight, by int) bool {
	n := len(s.part.Replicas)
	if n < 2 {
		return false
	}
	i := max(0, min(slices.Index(s.part.Replicas, s.at)+by, n-1))
	p.selected = s.part.Replicas[i]
	return true
}

// Click selects a replica.
func (p *ISR) Click(x, y int, m Model) (Action, bool) {
	s := p.sight(m)
	id, ok := p.rows.at(x, y)
	if !ok || s.part == nil || !slices.Contains(s.part.Replicas, int32(id)) {
		return nil, false
	}
	p.selected = int32(id)
	return nil, true
}

// act is what a key does to the cluster: a line for the console.
func (p *ISR) act(k string, s *isrSight) (Action, bool) {
	node := brokerName(s.at)
	if k == "x" || k == "X" || k == "r" {
		p.selected = s.at // whoever leads next, this is the one to start again
	}
	switch k {
	case "p":
		return Run{s.produceLine(p.acksWord())}, true
	case "a":
		p.acks = map[string]string{"all": "1", "1": "0", "0": "all"}[p.acksWord()]
		return nil, true
	case "x", "X":
		if !s.up(s.at) {
			return nil, false
		}
		return Run{map[string]string{"x": "kill ", "X": "crash "}[k] + node}, true
	case "r":
		if s.up(s.at) {
			return nil, false
		}
		return Run{"restart " + node}, true
	case "t":
		return Run{"tick 1s"}, true
	case "T":
		return Run{"tick 10s"}, true
	case "n":
		return Run{"step"}, true
	}
	_, names := s.digits()
	if !slices.Contains(names, k) {
		return nil, false
	}
	id, _ := strconv.ParseInt(k, 10, 32)
	if s.state(int32(id)) == stalled {
		return Run{"resume broker-" + k}, true
	}
	return Run{"stall broker-" + k}, true
}

// produceLine appends one record. With acks=all and a member of the ISR that
// does not fetch, the answer would take until the request times out: the
// request is left waiting then, for the learner to watch.
func (s *isrSight) produceLine(acks string) string {
	line := "produce " + partitionName(s.r) + " value=hello acks=" + acks
	if acks == "all" && len(s.part.ISR) >= s.part.MinISR && slices.ContainsFunc(s.part.ISR, func(id int32) bool {
		return id != s.part.Leader && s.state(id) != running
	}) {
		line += " wait=false"
	}
	return line
}

// Cursor is the selected replica.
func (p *ISR) Cursor(m Model) Cursor {
	s := p.sight(m)
	c := Cursor{Replica: s.r, Offset: None}
	if s.part != nil {
		c.Replica.Broker = s.at
		c.Node, c.Picked = brokerName(s.at), s.lit
	}
	return c
}

// isrSight is what the panel works on.
type isrSight struct {
	m    Model
	r    replica
	part *engine.PartitionView // nil if there is none
	was  *engine.PartitionView // before the step, nil if there was none
	at   int32                 // the broker that is selected
	lit  bool                  // it is to be seen: the lesson lights it, or keys act on it
	hide string                // hw, leo, isr: what is asked for
}

// sight finds out what is shown now.
func (p *ISR) sight(m Model) isrSight {
	p.sync(m)
	s := isrSight{m: m}
	s.r, _ = m.replica()
	s.part = partitionOf(m.View, s.r)
	if s.part == nil || len(s.part.Replicas) == 0 {
		s.part = nil
		return s
	}
	s.was = partitionOf(m.Before, s.r)
	s.at = s.part.Leader
	thing, here := m.Focus.lit("isr")
	if id, ok := isBroker(thing); ok && here && slices.Contains(s.part.Replicas, id) {
		s.at, s.lit = id, true
	}
	if here && !m.Focus.Revealed {
		s.hide = thing
	}
	if p.selected != 0 {
		s.at, s.lit = p.selected, true
	}
	if !slices.Contains(s.part.Replicas, s.at) {
		s.at = s.part.Replicas[0]
	}
	s.lit = s.lit || m.Focus.Live
	return s
}

// States of a broker, as the engine names them.
const (
	running = "running"
	stalled = "stalled"
)

// state is a broker's, stopped for one that is not there.
func (s *isrSight) state(id int32) string { return stateOf(s.m.View, id) }

func stateOf(v engine.View, id int32) string {
	for _, b := range v.Brokers {
		if b.ID == id {
			return b.State
		}
	}
	return "stopped"
}

// up tells that a broker's process is there.
func (s *isrSight) up(id int32) bool { return isUp(s.state(id)) }

func isUp(state string) bool {
	switch state {
	case "killed", "crashed", "stopped":
		return false
	}
	return true
}
