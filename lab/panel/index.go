package panel

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/engine"
	"kafkalab/engine/trace"
	"kafkalab/lab/kit/keys"
	"kafkalab/lab/kit/widget"
)

// Index is the panel `index`: how an offset, or a time, is found in a replica's
// log. Without a target it shows the indexes of a segment as they lie there.
type Index struct {
	focus    Focus
	own      bool // the learner has chosen the target
	target   int64
	targetMs int64

	asking typed // what is being typed
	input  widget.Input
	wrong  bool // what was typed is neither

	base    int64 // of the segment that the learner has chosen to browse
	chosen  bool  // there is such a one
	entry   widget.List
	picked  bool // the learner has moved among the entries
	rows    int  // entries seen in the last frame
	entries entryCache

	slots, boxes clicks
}

// typed is what the learner types into the panel.
type typed int

const (
	typedNothing typed = iota
	typedOffset
	typedTime
)

// entryCache keeps the indexes of one segment, which are read whole, as long as
// nothing happens.
type entryCache struct {
	of    replica
	base  int64
	event trace.ID
	known bool
	index []indexEntry
	times []timeEntry
}

// read gives the indexes of a segment.
func (c *entryCache) read(m Model, r replica, base int64) ([]indexEntry, []timeEntry) {
	if !c.known || c.of != r || c.base != base || c.event != m.View.LastEvent {
		*c = entryCache{
			of: r, base: base, event: m.View.LastEvent, known: true,
			index: m.Reader.IndexEntries(r, base), times: m.Reader.TimeIndexEntries(r, base),
		}
	}
	return c.index, c.times
}

// Name is index.
func (p *Index) Name() string { return "index" }

// Typing tells that an offset or a time is being typed.
func (p *Index) Typing() bool { return p.asking != typedNothing }

// Keys change the target; there are none while a prediction is open.
func (p *Index) Keys(m Model) []key.Binding {
	s := p.sight(m)
	if p.Typing() {
		return []key.Binding{keys.Bind("enter", "look it up"), keys.Bind("esc", "leave it")}
	}
	if !s.free() {
		return nil
	}
	var list []key.Binding
	add := func(b ...key.Binding) { list = append(list, b...) }
	add(keys.Bind("o", "offset"), keys.Bind("T", "time"))
	switch {
	case s.browsing():
		add(keys.Bind("↑↓", "entry", "up", "down", "k", "j"), keys.Bind("←→", "segment", "left", "right", "h", "l"), keys.Bind("enter", "look it up", "enter", "L"),
			keys.Bind("pgup pgdn", "page", "pgup", "pgdown"), keys.Bind("home", "first entry", "home"), keys.Bind("end", "last entry", "end"))
	case s.target != None:
		add(keys.Bind("←→", "offset -1 +1", "left", "right", "h", "l"), keys.Bind("↑↓", "batch", "up", "down", "k", "j"))
		if m.Focus.Live {
			add(keys.Bind("enter", "fetch from here", "enter", "F"))
		}
	default:
		add(keys.Bind("←→", "1 ms", "left", "right", "h", "l"), keys.Bind("↑↓", "1 s", "up", "down", "k", "j"))
	}
	return list
}

// Key types a target, or moves it.
func (p *Index) Key(msg tea.KeyMsg, m Model) (Action, bool) {
	s := p.sight(m)
	if p.Typing() {
		return nil, p.typeKey(msg)
	}
	if !s.free() {
		return nil, false
	}
	switch msg.String() {
	case "o":
		p.ask(typedOffset, digit, 18)
		return nil, true
	case "T":
		p.ask(typedTime, func(r rune) bool { return r == ':' || r == '.' || digit(r) }, 18)
		return nil, true
	}
	switch {
	case s.browsing():
		return nil, p.browseKey(msg, &s)
	case s.target != None:
		return p.offsetKey(msg, &s)
	}
	return nil, p.timeKey(msg, &s)
}

func digit(r rune) bool { return r >= '0' && r <= '9' }

func (p *Index) ask(what typed, allow func(rune) bool, limit int) {
	p.asking, p.wrong, p.input = what, false, widget.Input{Allow: allow, Limit: limit}
}

// typeKey edits what is typed. Enter with nothing typed takes the target away;
// what is no offset or time stays, to be corrected.
func (p *Index) typeKey(msg tea.KeyMsg) bool {
	switch msg.String() {
	case "esc":
		p.asking = typedNothing
		return true
	case "enter":
		text := p.input.Value()
		if text == "" {
			p.asking, p.own, p.target, p.targetMs = typedNothing, true, None, None
			return true
		}
		n, err := p.parse(text)
		if p.wrong = err != nil; p.wrong {
			return true
		}
		if p.asking == typedOffset {
			p.setTarget(n)
		} else {
			p.setTime(n)
		}
		p.asking = typedNothing
		return true
	}
	return p.input.Key(msg)
}

func (p *Index) setTarget(offset int64) { p.own, p.target, p.targetMs = true, max(offset, 0), None }
func (p *Index) setTime(ms int64)       { p.own, p.target, p.targetMs = true, None, max(ms, 0) }

// parse reads what was typed: an offset, or a time as the title line shows it
// (0:41.250, 1:02:03) or in ms since the Unix epoch, as records have it.
func (p *Index) parse(text string) (int64, error) {
	if p.asking == typedOffset {
		return strconv.ParseInt(text, 10, 64)
	}
	if !strings.Contains(text, ":") {
		return strconv.ParseInt(text, 10, 64)
	}
	ms := 0.0
	for _, part := range strings.Split(text, ":") {
		n, err := strconv.ParseFloat(part, 64)
		if err != nil || n < 0 || n > 1e9 {
			return 0, fmt.Errorf("%q is no time", text)
		}
		ms = ms*60 + n*1000
	}
	return engine.Epoch + int64(ms+0.5), nil
}

// offsetKey moves the target by one record or one batch.
func (p *Index) offsetKey(msg tea.KeyMsg, s *seekSight) (Action, bool) {
	t := max(s.log.Start, min(s.target, s.log.LEO))
	switch msg.String() {
	case "left", "h":
		t--
	case "right", "l":
		t++
	case "up", "k":
		t = s.batchBefore(t)
	case "down", "j":
		if l, ok := s.m.Reader.Lookup(s.r, t); ok && l.Found {
			t = l.Last + 1
		}
	case "enter", "F":
		if !s.m.Focus.Live {
			return nil, false
		}
		return Run{fmt.Sprintf("consume %s from=%d max=1", partitionName(s.r), s.target)}, true
	default:
		return nil, false
	}
	if !s.inRange() {
		t = max(s.log.Start, min(s.target, s.log.LEO)) // the first key comes back into the log
	}
	p.setTarget(t)
	return nil, true
}

// batchBefore is the first offset of the batch that holds t, or of the one
// before if t is that already.
func (s *seekSight) batchBefore(t int64) int64 {
	if l, ok := s.m.Reader.Lookup(s.r, t); ok && l.Found && l.Base < t {
		return max(l.Base, s.log.Start)
	}
	if l, ok := s.m.Reader.Lookup(s.r, t-1); ok && l.Found && l.Base < t {
		return max(l.Base, s.log.Start)
	}
	return max(t-1, s.log.Start)
}

// timeKey moves the time that is looked up.
func (p *Index) timeKey(msg tea.KeyMsg, s *seekSight) bool {
	by := map[string]int64{"left": -1, "h": -1, "right": 1, "l": 1, "up": -1000, "k": -1000, "down": 1000, "j": 1000}[msg.String()]
	if by != 0 {
		p.setTime(s.targetMs + by)
	}
	return by != 0
}

// browseKey moves among segments and the entries of their index.
func (p *Index) browseKey(msg tea.KeyMsg, s *seekSight) bool {
	seg := s.segs[p.browsed(s)]
	index, _ := p.entries.read(s.m, s.r, seg.Base)
	switch msg.String() {
	case "left", "h":
		p.choose(s, p.browsed(s)-1)
		return true
	case "right", "l":
		p.choose(s, p.browsed(s)+1)
		return true
	case "enter", "L":
		if len(index) > 0 {
			p.showEntry(index)
			p.setTarget(seg.Base + int64(index[p.entry.Selected].Relative))
		}
		return len(index) > 0
	}
	p.showEntry(index)
	p.picked = true
	return p.entry.Key(msg, p.rows, len(index))
}

// Click selects an index entry, or a segment to browse.
func (p *Index) Click(x, y int, m Model) (Action, bool) {
	s := p.sight(m)
	if p.Typing() || !s.free() || !s.browsing() {
		return nil, false
	}
	index, _ := p.entries.read(m, s.r, s.segs[p.browsed(&s)].Base)
	if n, ok := p.slots.at(x, y); ok && n < len(index) {
		p.showEntry(index)
		if p.entry.Selected == n {
			return p.Key(enter, m)
		}
		p.entry.Selected, p.picked = n, true
		return nil, true
	}
	n, ok := p.boxes.at(x, y)
	if ok {
		p.choose(&s, n)
	}
	return nil, ok
}

// showEntry selects the newest entry until the learner has chosen one.
func (p *Index) showEntry(index []indexEntry) {
	if !p.picked {
		p.entry.Selected = len(index) - 1
	}
	p.entry.Selected = max(0, min(p.entry.Selected, len(index)-1))
}

// browsed is the index of the segment that is browsed: the one that the learner
// has chosen, that the lesson lights, or the active one.
func (p *Index) browsed(s *seekSight) int {
	at := -1
	if p.chosen {
		at = s.indexOf(p.base)
	} else if base := s.m.Focus.litSegment(); base != None {
		at = s.indexOf(base)
	}
	if at < 0 {
		at = len(s.segs) - 1
	}
	return at
}

func (p *Index) choose(s *seekSight, i int) {
	i = max(0, min(i, len(s.segs)-1))
	p.base, p.chosen, p.picked = s.segs[i].Base, true, false
}

// Cursor is the target; while it is being predicted it is not told.
func (p *Index) Cursor(m Model) Cursor {
	s := p.sight(m)
	c := Cursor{Replica: s.r, Offset: None}
	if s.ok {
		c.Node = brokerName(s.r.Broker)
	}
	switch {
	case !s.free():
	case s.found:
		c.Offset = s.target
	case s.timeFound && s.byTime.Found:
		c.Offset = s.byTime.Offset
	case s.browsing():
		seg := s.segs[p.browsed(&s)]
		if index, _ := p.entries.read(m, s.r, seg.Base); len(index) > 0 {
			p.showEntry(index)
			c.Offset = seg.Base + int64(index[p.entry.Selected].Relative)
		}
	}
	return c
}
