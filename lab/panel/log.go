package panel

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/engine"
	"kafkalab/lab/kit/keys"
)

// Log is the panel `log`: the segments of one replica, what each has, and the
// batches of one of them.
type Log struct {
	focus Focus // as of the last key or frame: a change of it ends the learner's selection
	moved bool  // the learner has moved; else the selection is the focus'
	seg   int64 // base of the selected segment, if moved
	batch int64 // base of the selected batch, None in a segment without any
	top   int64 // base of the first batch that is seen
	rows  int   // batches seen in the last frame

	batches, boxes clicks
}

// Name is log.
func (p *Log) Name() string { return "log" }

// Typing is never true.
func (p *Log) Typing() bool { return false }

// Keys are the moves among batches and segments.
func (p *Log) Keys(m Model) []key.Binding {
	s := p.look(m)
	if len(s.segs) == 0 {
		return nil
	}
	all := []key.Binding{keys.Bind("↑↓", "batch", "up", "down", "k", "j")}
	if len(s.segs) > 1 {
		all = append(all, keys.Bind("←→", "segment", "left", "right", "h", "l"))
	}
	if s.batch != None {
		all = append(all, keys.Bind("o", "its bytes", "o", "enter"))
	}
	return append(all,
		keys.Bind("home", "first batch", "home"), keys.Bind("end", "last batch", "end"),
		keys.Bind("pgup pgdn", "page", "pgup", "pgdown"))
}

// logSight is what the panel works on: the replica, its segments, and what is
// selected among them.
type logSight struct {
	m     Model
	r     replica
	ok    bool
	part  *engine.PartitionView
	log   engine.ReplicaView
	segs  []segmentInfo
	at    int   // index of the selected segment
	batch int64 // base of the selected batch, None for none
}

// look finds out what is selected now.
func (p *Log) look(m Model) logSight {
	if p.focus != m.Focus {
		p.focus, p.moved = m.Focus, false
	}
	s := logSight{m: m, batch: None}
	s.r, s.ok = m.replica()
	if !s.ok {
		return s
	}
	s.part, s.log = partitionOf(m.View, s.r), logOf(m.View, s.r)
	s.segs = m.Reader.Segments(s.r)
	if len(s.segs) == 0 {
		return s
	}
	s.at = len(s.segs) - 1
	if m.Focus.Revealed { // until then what is in them may be what is asked for
		s.at = s.newestFilled()
	}
	switch base := m.Focus.litSegment(); {
	case p.moved:
		s.at = segmentAt(s.segs, p.seg)
		if p.batch != None {
			s.batch = s.holding(p.batch)
		}
		return s
	case base != None:
		s.at = segmentAt(s.segs, base)
	case m.Focus.Target != None && m.Focus.Revealed:
		s.at = segmentAt(s.segs, m.Focus.Target)
		s.batch = s.holding(m.Focus.Target)
	}
	if s.batch == None {
		s.batch = s.last(s.at)
	}
	return s
}

// newestFilled is the index of the last segment that has something: a roll by
// hand, or a pass, leaves an empty one behind it.
func (s logSight) newestFilled() int {
	for i := len(s.segs) - 1; i >= 0; i-- {
		if s.segs[i].Next > s.segs[i].Base {
			return i
		}
	}
	return len(s.segs) - 1
}

// holding is the base of the batch that holds an offset, or of the next one in
// the selected segment; None if there is none.
func (s logSight) holding(offset int64) int64 {
	seg := s.segs[s.at]
	for _, b := range s.m.Reader.Batches(s.r, max(offset, seg.Base), 1) {
		if b.Segment == seg.Base {
			return b.Base
		}
	}
	return s.last(s.at)
}

// first and last are the bases of the first and the last batch of a segment.
func (s logSight) first(i int) int64 {
	for _, b := range s.m.Reader.Batches(s.r, s.segs[i].Base, 1) {
		if b.Segment == s.segs[i].Base {
			return b.Base
		}
	}
	return None
}

func (s logSight) last(i int) int64 { return s.before(s.segs[i].Next, i) }

// before is the base of the last batch of a segment that begins below an
// offset, None if there is none. A log is read forwards; how far back a batch
// lies is not known, so the steps double.
func (s logSight) before(offset int64, i int) int64 {
	base := s.segs[i].Base
	for step := int64(1); ; step *= 2 {
		from := max(offset-step, base)
		if found := s.lastBelow(from, offset, base); found != None || from == base {
			return found
		}
	}
}

// lastBelow is the base of the last batch below an offset among those from
// another offset on.
func (s logSight) lastBelow(from, offset, segment int64) int64 {
	const window = 64
	found := int64(None)
	for {
		list := s.m.Reader.Batches(s.r, from, window)
		for _, b := range list {
			if b.Base >= offset || b.Segment != segment {
				return found
			}
			found, from = b.Base, b.Last+1
		}
		if len(list) < window {
			return found
		}
	}
}

// after is the base of the batch behind one, in whatever segment it lies.
func (s logSight) after(batch int64) (base, segment int64, ok bool) {
	for _, b := range s.m.Reader.Batches(s.r, batch, 2) {
		if b.Base > batch {
			return b.Base, b.Segment, true
		}
	}
	return 0, 0, false
}

// Key moves the selection.
func (p *Log) Key(msg tea.KeyMsg, m Model) (Action, bool) {
	s := p.look(m)
	if len(s.segs) == 0 {
		return nil, false
	}
	switch msg.String() {
	case "o", "enter":
		if s.batch == None {
			return nil, false
		}
		return Lens{"bytes"}, true
	case "up", "k":
		p.up(s)
	case "down", "j":
		p.down(s)
	case "left", "h":
		p.segment(s, s.at-1)
	case "right", "l":
		p.segment(s, s.at+1)
	case "home":
		p.selectBatch(s.segs[0].Base, s.first(0))
	case "end":
		p.end(s)
	case "pgup":
		for range max(1, p.rows-1) {
			p.up(p.look(m))
		}
	case "pgdown":
		for range max(1, p.rows-1) {
			p.down(p.look(m))
		}
	default:
		return nil, false
	}
	return nil, true
}

func (p *Log) selectBatch(seg, batch int64) { p.moved, p.seg, p.batch = true, seg, batch }

// end selects the last batch. Where the focus names no place, it follows the log
// from then on.
func (p *Log) end(s logSight) {
	p.selectBatch(s.segs[len(s.segs)-1].Base, s.last(len(s.segs)-1))
	if s.m.Focus.litSegment() == None && s.m.Focus.Target == None {
		p.moved = false
	}
}

// up selects the batch before, in the segment before if need be.
func (p *Log) up(s logSight) {
	if s.batch != None {
		if b := s.before(s.batch, s.at); b != None {
			p.selectBatch(s.segs[s.at].Base, b)
			return
		}
	}
	if s.at > 0 {
		p.selectBatch(s.segs[s.at-1].Base, s.last(s.at-1))
	}
}

// down selects the batch behind.
func (p *Log) down(s logSight) {
	if s.batch != None {
		if base, seg, ok := s.after(s.batch); ok {
			p.selectBatch(seg, base)
			return
		}
	}
	if s.at+1 < len(s.segs) {
		p.selectBatch(s.segs[s.at+1].Base, s.first(s.at+1))
	}
}

// segment selects a segment with its first batch.
func (p *Log) segment(s logSight, i int) {
	if i >= 0 && i < len(s.segs) {
		p.selectBatch(s.segs[i].Base, s.first(i))
	}
}

// Click selects a batch, or a segment.
func (p *Log) Click(x, y int, m Model) (Action, bool) {
	s := p.look(m)
	if n, ok := p.batches.at(x, y); ok && len(s.segs) > 0 {
		if s.batch == int64(n) {
			return p.Key(enter, m)
		}
		p.selectBatch(s.segs[s.at].Base, int64(n))
		return nil, true
	}
	n, ok := p.boxes.at(x, y)
	if ok && n < len(s.segs) && n != s.at {
		p.segment(s, n)
	}
	return nil, ok && n < len(s.segs)
}

// Cursor is the selected batch.
func (p *Log) Cursor(m Model) Cursor {
	s := p.look(m)
	c := Cursor{Replica: s.r, Offset: s.batch}
	if s.ok {
		c.Node = brokerName(s.r.Broker)
	}
	return c
}
