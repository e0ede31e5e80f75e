package panel

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/engine"
	"kafkalab/lab/kit/keys"
	"kafkalab/lab/kit/widget"
)

// Ledger is the panel `ledger`: every record that was appended to a partition,
// what its producer was told, which replicas have it, and what becomes of it if
// the leader dies now.
type Ledger struct {
	focus Focus
	book  book
	list  widget.List
	moved bool // else the newest is selected
	rows  int  // seen in the last frame
	lines clicks
}

// Name is ledger.
func (p *Ledger) Name() string { return "ledger" }

// Typing is never true.
func (p *Ledger) Typing() bool { return false }

// Keys move among the records.
func (p *Ledger) Keys(m Model) []key.Binding {
	if s := p.sight(m); s.part == nil || len(s.book.entries) == 0 {
		return nil
	}
	return []key.Binding{
		keys.Bind("o", "its bytes", "o", "enter"), keys.Bind("↑↓", "records", "up", "down", "k", "j"), keys.Bind("end", "newest", "end"),
		keys.Bind("home", "oldest", "home"), keys.Bind("pgup pgdn", "page", "pgup", "pgdown"),
	}
}

// Key moves the selection.
func (p *Ledger) Key(msg tea.KeyMsg, m Model) (Action, bool) {
	s := p.sight(m)
	n := 0
	if s.part != nil {
		n = len(s.book.entries)
	}
	if k := msg.String(); n > 0 && (k == "o" || k == "enter") {
		if p.Cursor(m).Offset == None {
			return nil, true // it is gone
		}
		return Lens{"bytes"}, true
	}
	if n == 0 || !p.list.Key(msg, max(1, p.rows), n) {
		return nil, false
	}
	p.moved = p.list.Selected < n-1
	return nil, true
}

// Click selects a record.
func (p *Ledger) Click(x, y int, m Model) (Action, bool) {
	s := p.sight(m)
	n, ok := p.lines.at(x, y)
	switch {
	case !ok || s.part == nil || n >= len(s.book.entries):
		return nil, false
	case p.list.Selected == n:
		return p.Key(enter, m)
	}
	p.list.Selected = n
	p.moved = n < len(s.book.entries)-1
	return nil, true
}

// Cursor is the selected record.
func (p *Ledger) Cursor(m Model) Cursor {
	s := p.sight(m)
	c := Cursor{Replica: s.r, Offset: None}
	if s.part == nil {
		return c
	}
	c.Node = brokerName(s.r.Broker)
	if len(s.book.entries) > 0 {
		e := s.book.entries[p.list.Selected]
		c.Event = e.event
		if !e.gone {
			c.Offset = e.base
		}
	}
	return c
}

// ledgerSight is what the panel works on.
type ledgerSight struct {
	m    Model
	r    replica
	part *engine.PartitionView // nil if there is none
	book *book
	next int32 // who leads if the leader dies now, 0 for nobody
	ends int64 // where that one's log ends
}

func (p *Ledger) sight(m Model) ledgerSight {
	if p.focus != m.Focus {
		p.focus, p.moved = m.Focus, false
	}
	s := ledgerSight{m: m, book: &p.book, ends: None}
	s.r, _ = m.replica()
	if s.part = partitionOf(m.View, s.r); s.part == nil || len(s.part.Replicas) == 0 {
		s.part = nil
		return s
	}
	p.book.read(m, s.r)
	if n := len(p.book.entries); !p.moved || p.list.Selected >= n {
		p.list.Selected, p.moved = max(0, n-1), false
	}
	s.next, s.ends = heir(m.View, s.part)
	return s
}

// heir is the replica that the controller makes leader when this one dies: the
// first in assignment order that is in the ISR and up
// (PartitionChangeBuilder.electLeader). There is none when the leader is the
// only one in the ISR: the partition is offline then, or, with
// unclean.leader.election.enable, loses what the others do not have.
func heir(v engine.View, p *engine.PartitionView) (id int32, ends int64) {
	for _, id := range p.Replicas {
		if id == p.Leader || !isUp(stateOf(v, id)) {
			continue
		}
		for _, l := range p.Logs {
			if l.Broker == id && l.InSync && l.State != offline {
				return id, l.LEO
			}
		}
	}
	return 0, None
}

// fate is what becomes of a record if the leader dies now.
type fate int

const (
	fateKept fate = iota // the next leader has it
	fateLost             // the next leader does not have it: it is truncated everywhere
	fateOnly             // nobody can lead, and only the dead leader has it
	fateWait             // nobody can lead, but another replica has it
	fateGone             // it was lost already
)

// fateOf tells it of an entry, by its last record.
func (s *ledgerSight) fateOf(e *entry) fate {
	switch {
	case e.gone:
		return fateGone
	case s.next != 0 && e.last < s.ends:
		return fateKept
	case s.next != 0:
		return fateLost
	}
	for _, l := range s.part.Logs {
		if l.Broker != s.part.Leader && l.LEO > e.last {
			return fateWait
		}
	}
	return fateOnly
}

// atRisk counts the acknowledged records that are lost if the leader dies now:
// those at or past the end of the next leader, or, with no next leader, those
// that no other replica has.
func (s *ledgerSight) atRisk() (n int64) {
	safe := s.ends
	if s.next == 0 {
		for _, l := range s.part.Logs {
			if l.Broker != s.part.Leader {
				safe = max(safe, l.LEO)
			}
		}
	}
	list := s.book.entries
	for i := len(list) - 1; i >= 0; i-- {
		e := &list[i]
		if e.gone {
			continue
		}
		if e.last < safe {
			break // in the log offsets only grow
		}
		if e.acked() {
			n += e.last - max(e.base, safe) + 1
		}
	}
	return n
}
