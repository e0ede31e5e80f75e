package panel

import (
	"fmt"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/keys"
)

// Retention is the panel `retention`: a replica's segments as retention sees
// them. How old each is by its largest timestamp, against retention.ms; how large
// the log is, against retention.bytes; what goes next and what has to stay; where
// the log starts; and which files wait to be unlinked. On the live page its keys
// make a retention check now, and delete the records up to the selected segment.
//
// While a prediction is open, retention.age, .size, .goes, .start and .files
// hide what they name, and the rest of the panel does not tell it either.
type Retention struct{ chore }

// Name is retention.
func (p *Retention) Name() string { return "retention" }

// Typing is never true.
func (p *Retention) Typing() bool { return false }

func (p *Retention) sight(m Model) choreSight {
	s := p.look(m, "retention")
	if n := len(s.v.Segments); p.moved && n > 0 {
		s.at = min(p.row, n-1)
	}
	return s
}

// until is the offset below which the selected segment's key deletes, -1 when
// there is nothing to delete.
func (s *choreSight) until() int64 {
	if s.at < 0 || s.at >= len(s.v.Segments) || s.v.Segments[s.at].Next <= s.v.Start {
		return None
	}
	return s.v.Segments[s.at].Next
}

// Keys choose a replica and a segment; where the learner acts, they act.
func (p *Retention) Keys(m Model) []key.Binding {
	s := p.sight(m)
	var list []key.Binding
	add := func(b ...key.Binding) { list = append(list, b...) }
	if m.Focus.Live && s.ok {
		add(keys.Bind("K", "check "+partitionName(s.r)+" now"), keys.Bind("O", "roll "+partitionName(s.r)))
		if to := s.until(); to >= 0 {
			add(keys.Bind("D", "delete records below "+cell.Thin(to)))
		}
		if d := s.nextCheck() - s.v.TimeMs; d > 0 {
			add(keys.Bind("T", "to the check"))
		}
		add(keys.Bind("t", "1 min on"))
	}
	if s.part != nil && len(s.part.Replicas) > 1 {
		add(keys.Bind("←→", "replica", "left", "right", "h", "l"))
	}
	if len(s.v.Segments) > 0 {
		add(keys.Bind("↑↓", "segment", "up", "down", "k", "j"))
	}
	if s.at >= 0 {
		add(keys.Bind("o", "its bytes", "o", "enter"))
	}
	return list
}

// nextCheck is when the next check finds something: the cleaner makes it for
// logs with compaction.
func (s *choreSight) nextCheck() int64 {
	if s.cleanerChecks() {
		return s.v.NextWakingMs
	}
	return s.v.NextCheckMs
}

// Key moves, or acts.
func (p *Retention) Key(msg tea.KeyMsg, m Model) (Action, bool) {
	s := p.sight(m)
	n := len(s.v.Segments)
	switch msg.String() {
	case "o", "enter":
		if s.at < 0 {
			return nil, false
		}
		return Lens{"bytes"}, true
	case "left", "h":
		return nil, p.turn(&s, -1)
	case "right", "l":
		return nil, p.turn(&s, 1)
	case "up", "k":
		return nil, p.move(&s, -1, n)
	case "down", "j":
		return nil, p.move(&s, 1, n)
	}
	if !m.Focus.Live || !s.ok {
		return nil, false
	}
	return p.act(msg.String(), &s)
}

// act is what a key does to the cluster: a line for the console.
func (p *Retention) act(k string, s *choreSight) (Action, bool) {
	switch k {
	case "K":
		return Run{"retain " + partitionName(s.r)}, true
	case "O":
		return Run{"roll " + partitionName(s.r)}, true
	case "D":
		if to := s.until(); to >= 0 {
			return Run{fmt.Sprintf("truncate %s before=%d", partitionName(s.r), to)}, true
		}
	case "t":
		return Run{"tick 1m"}, true
	case "T":
		if d := s.nextCheck() - s.v.TimeMs; d > 0 {
			return Run{fmt.Sprintf("tick %dms", d)}, true
		}
	}
	return nil, false
}

// Click selects a segment.
func (p *Retention) Click(x, y int, m Model) (Action, bool) {
	s := p.sight(m)
	again, mine := p.pick(&s, x, y, len(s.v.Segments))
	if !again {
		return nil, mine
	}
	return p.Key(enter, m)
}

// Cursor is the selected segment's first offset.
func (p *Retention) Cursor(m Model) Cursor {
	s := p.sight(m)
	c := Cursor{Replica: s.r, Offset: None}
	if s.at >= 0 {
		c.Offset = s.v.Segments[s.at].Base
	}
	if s.part != nil {
		c.Node = brokerName(s.r.Broker)
	}
	return c
}
