package panel

import (
	"fmt"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/kit/keys"
)

// Cleaner is the panel `cleaner`: a replica as the log cleaner sees it. Which of
// its bytes are clean and which dirty, where a pass would begin and where it has
// to stop, whether one would be made now and why not; of the newest pass how far
// it has come, the offset map, and what became of each record; the files that it
// has beside the log, what is left of emptied batches, and what waits for its
// delete horizon. On the live page its keys have the cleaner look now, and close
// the active segment.
//
// While a prediction is open, cleaner.ratio, .dirty, .why, .map, .verdicts,
// .files, .empty and .horizons hide what they name, and the rest of the panel
// does not tell it either.
type Cleaner struct{ chore }

// Name is cleaner.
func (p *Cleaner) Name() string { return "cleaner" }

// Typing is never true.
func (p *Cleaner) Typing() bool { return false }

func (p *Cleaner) sight(m Model) choreSight {
	s := p.look(m, "cleaner")
	if n := len(passRecords(&s)); p.moved && n > 0 {
		s.at = min(p.row, n-1)
	}
	return s
}

// passRecords are the records of the newest pass: those that it has decided
// about, or as long as there are none, those that it reads.
func passRecords(s *choreSight) []passVerdict {
	var list []passVerdict
	for _, v := range s.v.LastPass.Verdicts {
		list = append(list, passVerdict(v))
	}
	if len(list) > 0 {
		return list
	}
	for _, d := range s.v.Dirty {
		list = append(list, passVerdict{Offset: d.Offset, Key: d.Key, Null: d.Null || d.Marker})
	}
	return list
}

// hidesRecords tells that the records are not listed, as the lesson asks for what
// became of them.
func (s *choreSight) hidesRecords() bool { return s.asks("verdicts") && len(s.v.Dirty) == 0 }

// Keys choose a replica and a record; where the learner acts, they act.
func (p *Cleaner) Keys(m Model) []key.Binding {
	s := p.sight(m)
	var list []key.Binding
	add := func(b ...key.Binding) { list = append(list, b...) }
	if m.Focus.Live && s.ok {
		add(keys.Bind("C", "compact "+partitionName(s.r)), keys.Bind("O", "roll "+partitionName(s.r)))
		if d := s.v.NextWakingMs - s.v.TimeMs; s.v.NextWakingMs >= 0 && d > 0 {
			add(keys.Bind("T", "to the waking"))
		}
		add(keys.Bind("t", "1 s on"))
	}
	if s.part != nil && len(s.part.Replicas) > 1 {
		add(keys.Bind("←→", "replica", "left", "right", "h", "l"))
	}
	if len(passRecords(&s)) > 0 && !s.hidesRecords() {
		add(keys.Bind("↑↓", "record", "up", "down", "k", "j"))
	}
	if s.at >= 0 {
		add(keys.Bind("o", "its bytes", "o", "enter"))
	}
	return list
}

// Key moves, or acts.
func (p *Cleaner) Key(msg tea.KeyMsg, m Model) (Action, bool) {
	s := p.sight(m)
	n := len(passRecords(&s))
	if s.hidesRecords() {
		n = 0
	}
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
	switch msg.String() {
	case "C":
		return Run{"compact " + partitionName(s.r)}, true
	case "O":
		return Run{"roll " + partitionName(s.r)}, true
	case "t":
		return Run{"tick 1s"}, true
	case "T":
		if d := s.v.NextWakingMs - s.v.TimeMs; s.v.NextWakingMs >= 0 && d > 0 {
			return Run{fmt.Sprintf("tick %dms", d)}, true
		}
	}
	return nil, false
}

// Click selects a record of the newest pass.
func (p *Cleaner) Click(x, y int, m Model) (Action, bool) {
	s := p.sight(m)
	again, mine := p.pick(&s, x, y, len(passRecords(&s)))
	if !again {
		return nil, mine
	}
	return p.Key(enter, m)
}

// Cursor is the selected record.
func (p *Cleaner) Cursor(m Model) Cursor {
	s := p.sight(m)
	c := Cursor{Replica: s.r, Offset: None}
	if s.at >= 0 {
		c.Offset = passRecords(&s)[s.at].Offset
	}
	if s.part != nil {
		c.Node = brokerName(s.r.Broker)
	}
	return c
}
