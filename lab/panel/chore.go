package panel

import (
	"slices"

	"kafkalab/engine"
	"kafkalab/engine/trace"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

// chore is what the panels of the cleaner and of retention have in common: each
// broker sees to its own logs, so they show one replica at a time.
type chore struct {
	focus  Focus
	broker int32 // that the learner has moved to, 0 for the focus's
	row    int   // that is selected
	moved  bool
	rows   clicks
	seen   choreView
}

// choreView keeps the last look at a replica as long as nothing happens: to look
// at a log for its delete horizons takes longer the longer it is.
type choreView struct {
	of   engine.Reader
	r    replica
	step int64
	ms   int64
	last trace.ID
	v    engine.CleanerView
	ok   bool
	// newer are the keys, with their newest offsets, from the end of the newest
	// pass on.
	newer map[string]int64
}

// choreSight is what such a panel works on.
type choreSight struct {
	m     Model
	r     replica
	part  *engine.PartitionView // nil if there is none
	v     engine.CleanerView
	ok    bool             // the replica's log can be looked at
	newer map[string]int64 // by key, the newest offset from the end of the newest pass on
	hide  string
	at    int // the row that is selected, -1 for none
	rows  *clicks
}

// look finds out what is shown now; name is the panel's.
func (c *chore) look(m Model, name string) choreSight {
	if c.focus != m.Focus {
		if !c.focus.Live || !m.Focus.Live || c.focus.Replica != m.Focus.Replica {
			c.broker, c.row, c.moved = 0, 0, false
		}
		c.focus = m.Focus
	}
	s := choreSight{m: m, at: -1, rows: &c.rows}
	s.r, s.ok = m.replica()
	if s.part = partitionOf(m.View, s.r); s.part == nil {
		return s
	}
	if c.broker != 0 && slices.Contains(s.part.Replicas, c.broker) {
		s.r.Broker, s.ok = c.broker, true
	}
	if thing, here := m.Focus.lit(name); here && !m.Focus.Revealed {
		s.hide = thing
	}
	if s.ok {
		s.v, s.ok = c.view(m, s.r)
		s.newer = c.seen.newer
	}
	return s
}

// view asks for a replica, unless nothing has happened since it was asked for.
func (c *chore) view(m Model, r replica) (engine.CleanerView, bool) {
	now := choreView{of: m.Reader, r: r, step: m.View.Step, ms: m.View.TimeMs, last: m.View.LastEvent}
	was := c.seen
	was.v, was.ok, was.newer = engine.CleanerView{}, false, nil
	if c.seen.of != nil && was.is(now) {
		return c.seen.v, c.seen.ok
	}
	if reader, ok := m.Reader.(engine.CleanerReader); ok {
		now.v, now.ok = reader.CleanerView(r.Topic, r.Partition, r.Broker)
	}
	if now.ok && len(now.v.LastPass.Verdicts) > 0 {
		now.newer = newestFrom(m.Reader, r, now.v.LastPass.Stats.EndOffset)
	}
	c.seen = now
	return now.v, now.ok
}

// mostNewer bounds how many records are read for newestFrom.
const mostNewer = 500

// newestFrom is the newest offset of each key from an offset on.
func newestFrom(from engine.Reader, r replica, offset int64) map[string]int64 {
	newest := map[string]int64{}
	for read := 0; read < mostNewer; {
		heads := from.Batches(r, offset, 1)
		if len(heads) == 0 || heads[0].Last < offset {
			break
		}
		batch, _, ok := from.BatchBytes(r, heads[0].Base)
		if ok && !heads[0].Control {
			for it := batch.Iterator(); it.Next() && read < mostNewer; read++ {
				if rec := it.Record(); rec.Key != nil && rec.Offset >= offset {
					newest[string(rec.Key)] = rec.Offset
				}
			}
		}
		read++
		offset = heads[0].Last + 1
	}
	return newest
}

func (c choreView) is(d choreView) bool {
	return c.of == d.of && c.r == d.r && c.step == d.step && c.ms == d.ms && c.last == d.last
}

// turn goes to another replica.
func (c *chore) turn(s *choreSight, by int) bool {
	if s.part == nil || len(s.part.Replicas) < 2 {
		return false
	}
	i := max(0, slices.Index(s.part.Replicas, s.r.Broker))
	n := len(s.part.Replicas)
	c.broker, c.row, c.moved = s.part.Replicas[(i+by+n)%n], 0, false
	return true
}

// move goes to another of n rows.
func (c *chore) move(s *choreSight, by, n int) bool {
	switch {
	case n == 0:
		return false
	case !c.moved:
		c.moved, c.row = true, 0
	default:
		c.row = max(0, min(s.at+by, n-1))
	}
	return true
}

// pick selects the row of a click; again tells that it was selected already.
func (c *chore) pick(s *choreSight, x, y, n int) (again, mine bool) {
	i, ok := c.rows.at(x, y)
	if !ok || i < 0 || i >= n {
		return false, false
	}
	again = s.at == i
	c.moved, c.row = true, i
	return again, true
}

// asks tells that the lesson asks for one of these.
func (s *choreSight) asks(things ...string) bool { return slices.Contains(things, s.hide) }

// orAsked is the thing, or what stands in its place while it is asked for.
func orAsked(thing canvas.Span, hide bool) canvas.Span {
	if hide {
		return canvas.S("?", theme.Focus|theme.Bold)
	}
	return thing
}

// noLog says why there is no log to look at.
func (s *choreSight) noLog(r canvas.Region) {
	if s.part == nil {
		note(r, 0, missing(s.m))
		return
	}
	r.Pen(0, 0).Put(partitionName(s.r), theme.Name).Put(" on ", theme.Label).Put(brokerName(s.r.Broker), theme.Waiting)
	note(below(r, 2), 0, brokerName(s.r.Broker)+" is not up: nothing is cleaned or deleted there")
}

// title names the replica and its cleanup.policy.
func (s *choreSight) title(r canvas.Region, more ...facts) {
	node := brokerName(s.r.Broker)
	pen := r.Pen(0, 0).Put(cell.Truncate(partitionName(s.r), r.W()), theme.Name)
	if len(s.part.Replicas) > 1 || r.W() >= 46 {
		pen = pen.Put(" on ", theme.Label).Put(node, s.m.nodeStyle(node))
	}
	f := facts{}.add("cleanup.policy", s.v.Policy, theme.Strong)
	for _, m := range more {
		f = append(f, m...)
	}
	if pen.X()+3+f.width() > r.W() {
		f[0].Text = "policy"
	}
	f.draw(r, pen.X()+3, 0)
}

// segments are the replica's segments as the row of boxes draws them.
func (s *choreSight) segments() []segmentInfo {
	list := make([]segmentInfo, len(s.v.Segments))
	for i, g := range s.v.Segments {
		list[i] = segmentInfo{Base: g.Base, Next: g.Next, Bytes: g.Bytes, Active: g.Active}
	}
	return list
}

// listFrom is where a list of n rows begins so that the selected one is seen in
// a number of rows.
func listFrom(at, rows, n int) int {
	if rows <= 0 || n <= rows {
		return 0
	}
	return max(0, min(at-rows/2, n-rows))
}

// meter draws a bar with a mark in it, w cells wide.
func meter(r canvas.Region, x, w int, part, whole, mark int64, style theme.Style) {
	if w < 4 || whole <= 0 {
		return
	}
	widget.Bar{Part: part, Whole: whole, Style: style}.Draw(r, x, 0, w)
	if mark >= 0 {
		r.Put(x+int(min(float64(mark)/float64(whole)*float64(w), float64(w-1))), 0, string(glyph.Vertical), theme.Bright)
	}
}
