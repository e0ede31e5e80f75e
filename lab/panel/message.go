package panel

import (
	"fmt"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/engine/trace"
	"kafkalab/lab/kit/widget"
)

// message is a message that the learner has opened: every field of it, and its
// bytes. Structs, arrays and records can be shut and opened.
type message struct {
	id    trace.ID // of its sending, 0 while none is open
	list  widget.List
	seen  int          // rows in the last frame
	turns map[int]bool // the rows that are not as they were at first, by key
	sheet messageSheet
}

// messageSheet is what is shown of it, as long as nothing happens.
type messageSheet struct {
	known bool
	event trace.ID // the newest one: topics get their names by it
	sent  trace.Event
	msg   trace.Message
	data  []byte
	rows  []messageRow
	leafs []int  // where fields without fields begin, ascending
	why   string // there are not more of them
}

// messageRow is a field in the list.
type messageRow struct {
	depth             int
	name, kind, value string
	note              string
	at, size          int  // of its bytes
	key               int  // names it in turns; 0 for one without rows of its own
	open              bool // they are shown
	heading           bool // an element or a batch: no value of its own
}

// open shows a message from its first field on.
func (g *message) open(id trace.ID) { *g = message{id: id, turns: map[int]bool{}} }

func (g *message) shut() { *g = message{} }

// look reads the message that is open; ok is false when there is none, or none
// any more: the learner has gone back in time to before it.
func (g *message) look(m Model) (s *messageSheet, ok bool) {
	if g.id == 0 {
		return nil, false
	}
	s = &g.sheet
	if s.known && s.event == m.View.LastEvent {
		return s, true
	}
	e, found := m.Reader.Event(g.id)
	sent, is := e.Body.(trace.MessageSent)
	if !found || !is || g.id > m.View.LastEvent {
		g.shut()
		return nil, false
	}
	*s = messageSheet{known: true, event: m.View.LastEvent, sent: e, msg: sent.Message, data: sent.Wire()}
	fields, err := sent.Fields()
	if err != nil {
		s.why = err.Error()
	}
	w := sheetWriter{m: m, s: s, turns: g.turns}
	w.fields(fields, 0)
	return s, true
}

// key moves in the open message; mine is false for a key that is none of its.
func (g *message) key(msg tea.KeyMsg, m Model) (mine bool) {
	s, ok := g.look(m)
	if !ok {
		return false
	}
	switch msg.String() {
	case "esc", "backspace":
		g.shut()
	case "o", "enter":
		g.turn(s)
	case "left", "h":
		g.list.Selected = s.group(g.list.Selected, -1)
	case "right", "l":
		g.list.Selected = s.group(g.list.Selected, 1)
	default:
		return g.list.Key(msg, max(1, g.seen), len(s.rows))
	}
	return true
}

// turn shuts what is selected, or opens it.
func (g *message) turn(s *messageSheet) {
	if len(s.rows) == 0 {
		return
	}
	key := s.rows[g.list.Selected].key
	if key == 0 {
		return
	}
	g.turns[key] = !g.turns[key]
	s.known = false
}

// group is the nearest row before or behind one that has rows of its own.
func (s *messageSheet) group(at, by int) int {
	for i := at + by; i >= 0 && i < len(s.rows); i += by {
		if s.rows[i].key != 0 {
			return i
		}
	}
	if by < 0 {
		return 0
	}
	return max(0, len(s.rows)-1)
}

// sheetWriter makes rows of fields.
type sheetWriter struct {
	m     Model
	s     *messageSheet
	turns map[int]bool
	keys  int
}

func (w *sheetWriter) fields(list []trace.WireField, depth int) {
	for i := range list {
		w.field(&list[i], depth)
	}
}

func (w *sheetWriter) field(f *trace.WireField, depth int) {
	row := messageRow{depth: depth, name: f.Name, kind: f.Type, value: f.Value, note: f.Note, at: f.At, size: f.Size}
	switch {
	case strings.HasPrefix(f.Name, "["):
		row.heading = len(f.Fields) > 0
	case f.Name == "TopicId":
		if name := w.m.topicNamed(f.Value); name != "" {
			row.value, row.note = name, f.Value
		}
	case f.Tag != trace.NoTag:
		row.note = strings.TrimSpace("tag " + strconv.Itoa(f.Tag) + "  " + row.note)
	}
	batches := trace.Batches(f.Data)
	if f.Type != "records" {
		batches = nil
	}
	if len(f.Fields) == 0 && len(batches) == 0 {
		w.s.leafs = append(w.s.leafs, f.At)
		w.add(row)
		return
	}
	w.keys++
	row.key = w.keys
	// Records are shut at first: the learner came for the message.
	row.open = w.turns[row.key] == (len(batches) > 0)
	w.add(row)
	inside := *w
	if !row.open {
		inside.s = &messageSheet{} // counted, so that keys stay, and not shown
		w.s.leafs = append(w.s.leafs, f.At)
	} else if len(batches) == 0 && f.Fields[0].At > f.At {
		w.s.leafs = append(w.s.leafs, f.At) // the length that stands before them
	}
	inside.fields(f.Fields, depth+1)
	for i, b := range batches {
		inside.batch(f, i, b, depth+1)
	}
	w.keys = inside.keys
}

// batch lists the fields of a record batch in a field of records.
func (w *sheetWriter) batch(f *trace.WireField, i int, b trace.Batch, depth int) {
	from := f.At + f.Size - len(f.Data) + b.At
	w.add(messageRow{
		depth: depth, name: fmt.Sprintf("batch %d", i), kind: count(int64(b.Count), "record"), heading: true, at: from, size: b.Size,
	})
	record, head := -1, 0
	for _, g := range batchFields(f.Data[b.At : b.At+b.Size]) {
		in := depth + 1
		if g.Record >= 0 {
			if in++; g.Record != record {
				record = g.Record
				w.add(messageRow{depth: depth + 1, name: fmt.Sprintf("record %d", record), heading: true, at: from + g.Offset})
				head = len(w.s.rows) - 1
			}
			w.s.rows[head].size += g.Size
		}
		w.s.leafs = append(w.s.leafs, from+g.Offset)
		w.add(messageRow{depth: in, name: g.Name, kind: g.Type, value: g.Value, note: g.Note, at: from + g.Offset, size: g.Size})
	}
}

func (w *sheetWriter) add(row messageRow) { w.s.rows = append(w.s.rows, row) }

// topicNamed is the name of the topic that has an id now, empty for none.
func (m Model) topicNamed(id string) string {
	for _, t := range m.View.Topics {
		if t.ID == id {
			return t.Name
		}
	}
	return ""
}
