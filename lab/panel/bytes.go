package panel

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/engine"
	"kafkalab/engine/trace"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/keys"
	"kafkalab/lab/kit/widget"
)

// Bytes is the panel `bytes`, a lens: the batch at the focus as it lies in the
// file, and the index entries that lead to it, each field named. From there the
// learner opens any other file of the replica, and of its broker's log directory.
type Bytes struct {
	focus  Focus
	list   widget.List // its rows are those of the sheet, headings included
	chosen bool        // the learner has moved
	rows   int         // seen in the last frame
	cache  sheetCache
	lines  clicks
	files  files
}

// block is a stretch of a file: an index entry, or a batch. The records of a
// compressed batch are one too, which is in no file.
type block struct {
	title   string
	file    string
	at      int64 // position of its first byte in the file
	data    []byte
	fields  []field
	crc     *engine.FileChecksum // nil for none
	wrong   string               // what is damaged in it, empty for nothing
	records bool                 // it has some, each with a heading
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

// Nested tells that the list of files is open, or one of them.
func (p *Bytes) Nested(m Model) bool {
	p.look(m)
	return p.files.open()
}

// Open shows the batch at the focus, whatever was open.
func (p *Bytes) Open(Cursor, Model) { p.files.shut() }

// Keys move from field to field, and open the other files.
func (p *Bytes) Keys(m Model) []key.Binding {
	s := p.look(m)
	if p.files.open() {
		return p.files.keys(m)
	}
	var list []key.Binding
	if len(s.rows) > 0 {
		list = append(list, keys.Bind("↑↓", "field", "up", "down", "k", "j"))
	}
	if p.files.there(m) {
		list = append(list, keys.Bind("o", "all files", "o", "enter"))
	}
	if len(s.rows) > 0 {
		list = append(list, keys.Bind("←→", "record", "left", "right", "h", "l"),
			keys.Bind("pgup pgdn", "page", "pgup", "pgdown"), keys.Bind("home", "first", "home"), keys.Bind("end", "last", "end"))
	}
	return list
}

// Key moves the selection; headings are passed over.
func (p *Bytes) Key(msg tea.KeyMsg, m Model) (Action, bool) {
	s := p.look(m)
	if p.files.open() {
		return nil, p.files.key(msg, m)
	}
	if k := msg.String(); (k == "o" || k == "enter") && p.files.there(m) {
		p.files.list(m, s)
		return nil, true
	}
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
	if ok && p.files.open() {
		return nil, p.files.click(n, m)
	}
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
		if !p.focus.Live || !m.Focus.Live || p.focus.Replica != m.Focus.Replica {
			p.files.shut()
		}
		p.focus, p.chosen, p.list = m.Focus, false, widget.List{}
	}
	if p.files.open() && !p.files.there(m) {
		p.files.shut()
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
	if m.Focus.hidesBatch() {
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
	s.blocks = append(s.blocks, batchBlocks(l.SegmentBase, at, data)...)
	s.list()
	return s
}

// hidesBatch tells that the batch at the focus is what the lesson asks for. What
// lights up in the panel log is no part of a lookup: once it is told, the batch
// that the learner is at may be opened.
func (f Focus) hidesBatch() bool {
	if panel, _, _ := strings.Cut(f.At, "."); f.Revealed && panel == "log" {
		return false
	}
	return (f.Target != None || f.TargetMs != None) && f.stage() < stageAll
}

// batchBlocks are a batch that lies at a byte of a segment's file, and its
// records if they are compressed.
func batchBlocks(base, at int64, data []byte) []block {
	name := segmentFile(base, ".log")
	p := engine.BytesPart(name, data)
	b := block{title: "batch header", file: name, at: at, data: data, fields: p.Fields, records: true}
	if p.CRC != nil {
		crc := *p.CRC
		crc.At, crc.From, crc.To = crc.At+at, crc.From+at, crc.To+at
		b.crc = &crc
	}
	if p.Damage != nil && damageOf(p) != "" {
		b.wrong = p.Damage.What // where it is, is told by the place of the batch
	}
	if p.Unpacked == nil {
		return []block{b}
	}
	return []block{b, {title: "decompressed", file: inMemory, data: p.Unpacked.Data, fields: p.Unpacked.Fields, records: true}}
}

// inMemory stands for the file of what lies in none.
const inMemory = "records as decompressed, in memory"

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
	name := segmentFile(l.SegmentBase, ".index")
	return entryBlock(fmt.Sprintf("index entry %d", l.Slot), name, int64(l.Slot)*indexEntrySize, indexBytes(l.Entry))
}

func timeBlock(base int64, e timeEntry, slot int) block {
	name := segmentFile(base, ".timeindex")
	return entryBlock(fmt.Sprintf("time index entry %d", slot), name, int64(slot)*timeEntrySize, timeBytes(e))
}

func entryBlock(title, file string, at int64, data []byte) block {
	return block{title: title, file: file, at: at, data: data, fields: engine.BytesPart(file, data).Fields}
}

// list makes the rows: a heading for each block and each record.
func (s *sheet) list() {
	for i, b := range s.blocks {
		if b.records && s.first == 0 {
			s.first = len(s.rows) + 1
		}
		s.rows = append(s.rows, sheetRow{heading: b.title, record: -1, block: i, field: -1})
		record := -1
		for j, f := range b.fields {
			if b.records && f.Record != record && f.Record >= 0 {
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
	if p.files.open() {
		r = p.files.replica
		c.Replica = r
	}
	if ok {
		c.Node = brokerName(r.Broker)
	}
	if len(s.rows) > 0 {
		c.Offset = s.base
	}
	return c
}
