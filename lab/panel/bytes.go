package panel

import (
	"fmt"
	"strconv"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/engine/trace"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/keys"
	"kafkalab/lab/kit/widget"
)

// Bytes is the panel `bytes`, a lens: the batch at the focus as it lies in the
// file, and the index entries that lead to it, each field named.
type Bytes struct {
	focus  Focus
	list   widget.List // its rows are those of the sheet, headings included
	chosen bool        // the learner has moved
	rows   int         // seen in the last frame
	cache  sheetCache
	lines  clicks
}

// block is a stretch of a file: an index entry, or a batch.
type block struct {
	title  string
	file   string
	at     int64 // position of its first byte in the file
	data   []byte
	fields []field
}

// sheetRow is a row of the list of fields: a field of a block, or a heading.
type sheetRow struct {
	heading      string
	record       int // of a heading, -1 for the block's own
	block, field int // of a field; field is -1 in a heading
}

// sheet is all that the lens shows.
type sheet struct {
	blocks []block
	rows   []sheetRow
	first  int // the row that is selected at first: the batch's first field
	why    string
	base   int64 // of the batch
	last   int64
}

// sheetCache keeps the sheet as long as nothing happens.
type sheetCache struct {
	of    Focus
	event trace.ID
	known bool
	sheet sheet
}

// Name is bytes.
func (p *Bytes) Name() string { return "bytes" }

// Typing is never true.
func (p *Bytes) Typing() bool { return false }

// Keys move from field to field.
func (p *Bytes) Keys(m Model) []key.Binding {
	if len(p.look(m).rows) == 0 {
		return nil
	}
	return []key.Binding{
		keys.Bind("↑↓", "field", "up", "down", "k", "j"), keys.Bind("←→", "record", "left", "right", "h", "l"),
		keys.Bind("pgup pgdn", "page", "pgup", "pgdown"), keys.Bind("home", "first", "home"), keys.Bind("end", "last", "end"),
	}
}

// Key moves the selection; headings are passed over.
func (p *Bytes) Key(msg tea.KeyMsg, m Model) (Action, bool) {
	s := p.look(m)
	if len(s.rows) == 0 {
		return nil, false
	}
	before := p.list.Selected
	switch msg.String() {
	case "left", "h":
		p.list.Selected = s.heading(before, -1)
	case "right", "l":
		p.list.Selected = s.heading(before, 1)
	default:
		if !p.list.Key(msg, p.rows, len(s.rows)) {
			return nil, false
		}
	}
	p.chosen = true
	by := 1
	if p.list.Selected < before {
		by = -1
	}
	p.list.Selected = s.fieldFrom(p.list.Selected, by)
	return nil, true
}

// Click selects a field.
func (p *Bytes) Click(x, y int, m Model) (Action, bool) {
	s := p.look(m)
	n, ok := p.lines.at(x, y)
	if !ok || n >= len(s.rows) {
		return nil, false
	}
	p.list.Selected, p.chosen = s.fieldFrom(n, 1), true
	return nil, true
}

// heading is the row of the first field below the next heading, or the one
// before, seen from a row.
func (s *sheet) heading(at, by int) int {
	if by < 0 {
		for at > 0 && s.rows[at].field >= 0 {
			at--
		}
	}
	for i := at + by; i >= 0 && i < len(s.rows); i += by {
		if s.rows[i].field < 0 {
			return min(i+1, len(s.rows)-1)
		}
	}
	if by < 0 {
		return 0
	}
	return len(s.rows) - 1
}

// fieldFrom is the row of the nearest field in a direction, or in the other one
// if there is none.
func (s *sheet) fieldFrom(at, by int) int {
	for _, step := range []int{by, -by} {
		for i := at; i >= 0 && i < len(s.rows); i += step {
			if s.rows[i].field >= 0 {
				return i
			}
		}
	}
	return at
}

// look reads what is shown, anew if something has happened.
func (p *Bytes) look(m Model) *sheet {
	if p.focus != m.Focus {
		p.focus, p.chosen, p.list = m.Focus, false, widget.List{}
	}
	if c := &p.cache; !c.known || c.of != m.Focus || c.event != m.View.LastEvent {
		*c = sheetCache{of: m.Focus, event: m.View.LastEvent, known: true, sheet: readSheet(m)}
	}
	s := &p.cache.sheet
	if !p.chosen {
		p.list.Selected = s.first
	}
	p.list.Selected = s.fieldFrom(max(0, min(p.list.Selected, len(s.rows)-1)), 1)
	return s
}

// readSheet reads the batch at the focus and what leads to it.
func readSheet(m Model) sheet {
	r, ok := m.replica()
	if !ok {
		return sheet{why: missing(m)}
	}
	if (m.Focus.Target != None || m.Focus.TargetMs != None) && m.Focus.stage() < stageAll {
		return sheet{why: "The batch is looked for: predict first."}
	}
	log := logOf(m.View, r)
	offset := m.Focus.Target
	byTime, timed := timeLookup{}, false
	if offset == None && m.Focus.TargetMs != None {
		byTime, timed = m.Reader.LookupTimestamp(r, m.Focus.TargetMs)
		offset = byTime.Offset
	} else if offset == None {
		offset = log.LEO - 1
	}
	l, found := m.Reader.Lookup(r, offset)
	data, at, ok := m.Reader.BatchBytes(r, offset)
	if offset < 0 || !found || !ok {
		return sheet{why: noBatch(log.State, partitionName(r), brokerName(r.Broker), offset)}
	}
	s := sheet{base: l.Base, last: l.Last}
	if l.HasEntry {
		s.blocks = append(s.blocks, indexBlock(l))
	}
	if e, slot, ok := timeEntryOf(m, r, l, byTime, timed); ok {
		s.blocks = append(s.blocks, timeBlock(l.SegmentBase, e, slot))
	}
	s.blocks = append(s.blocks, block{
		title: "batch header", file: segmentFile(l.SegmentBase, ".log"), at: at, data: data, fields: batchFields(data),
	})
	s.list()
	return s
}

func noBatch(state, partition, broker string, offset int64) string {
	switch {
	case state == offline:
		return broker + " is not up: its files cannot be read."
	case offset < 0:
		return partition + " has no batch yet."
	}
	return "No batch holds offset " + cell.Thin(offset) + "."
}

// timeEntryOf is the entry of the time index that led to a batch: the one that a
// search by time used, or the last one up to the batch.
func timeEntryOf(m Model, r replica, l lookup, t timeLookup, timed bool) (e timeEntry, slot int, ok bool) {
	if timed {
		return t.Entry, t.Slot, t.HasEntry
	}
	for i, entry := range m.Reader.TimeIndexEntries(r, l.SegmentBase) {
		if l.SegmentBase+int64(entry.Relative) > l.Last {
			break
		}
		e, slot, ok = entry, i, true
	}
	return e, slot, ok
}

func indexBlock(l lookup) block {
	number := func(n int32) string { return strconv.FormatInt(int64(n), 10) }
	return block{
		title: fmt.Sprintf("index entry %d", l.Slot), file: segmentFile(l.SegmentBase, ".index"),
		at: int64(l.Slot) * indexEntrySize, data: indexBytes(l.Entry),
		fields: []field{
			{Name: "relative offset", Type: "int32", Size: 4, Value: number(l.Entry.Relative), Note: fmt.Sprintf("offset %d, the last of a batch", l.SegmentBase+int64(l.Entry.Relative))},
			{Name: "position", Type: "int32", Offset: 4, Size: 4, Value: number(l.Entry.Position), Note: "byte of the .log where that batch begins"},
		},
	}
}

func timeBlock(base int64, e timeEntry, slot int) block {
	return block{
		title: fmt.Sprintf("time index entry %d", slot), file: segmentFile(base, ".timeindex"),
		at: int64(slot) * timeEntrySize, data: timeBytes(e),
		fields: []field{
			{Name: "timestamp", Type: "int64", Size: 8, Value: strconv.FormatInt(e.Timestamp, 10), Note: stamp(e.Timestamp) + ", the largest so far"},
			{Name: "relative offset", Type: "int32", Offset: 8, Size: 4, Value: strconv.FormatInt(int64(e.Relative), 10), Note: fmt.Sprintf("up to offset %d", base+int64(e.Relative))},
		},
	}
}

// list makes the rows: a heading for each block and each record.
func (s *sheet) list() {
	for i, b := range s.blocks {
		if i == len(s.blocks)-1 {
			s.first = len(s.rows) + 1
		}
		s.rows = append(s.rows, sheetRow{heading: b.title, record: -1, block: i, field: -1})
		record := -1
		for j, f := range b.fields {
			if i == len(s.blocks)-1 && f.Record != record && f.Record >= 0 {
				record = f.Record
				s.rows = append(s.rows, sheetRow{heading: fmt.Sprintf("record %d", record), record: record, block: i, field: -1})
			}
			s.rows = append(s.rows, sheetRow{block: i, field: j})
		}
	}
}

// Cursor is the batch that is shown.
func (p *Bytes) Cursor(m Model) Cursor {
	s := p.look(m)
	r, ok := m.replica()
	c := Cursor{Replica: r, Offset: None}
	if ok {
		c.Node = brokerName(r.Broker)
	}
	if len(s.rows) > 0 {
		c.Offset = s.base
	}
	return c
}
