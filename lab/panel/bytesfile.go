package panel

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/engine"
	"kafkalab/lab/kit/widget"
)

// openFile is a file that the learner has opened: its parts below each other,
// each open with its fields or shut.
type openFile struct {
	view   engine.FileView
	broker int32
	list   widget.List // its rows are rows
	seen   int         // rows in the last frame
	first  int         // of a log, the batch that is open at first
	wide   bool        // all parts are open at first
	turns  map[int]bool
	parts  *engine.FileParts // nil if the file cannot be read
	why    string
	rows   []fileRow
	opened map[int]engine.FilePart // what is open, decoded
}

// fileRow is a part, a record's heading, or a field.
type fileRow struct {
	part     int
	field    int // partRow and headingRow for none
	record   int // of a heading
	unpacked bool
}

const (
	partRow    = -1
	headingRow = -2
)

// fewParts is up to how many parts an index or a text has all of them open at
// first. Of a log it is one batch: a batch has many fields.
const fewParts = 16

func newOpenFile(v engine.FileView, broker int32, m Model, at int64) *openFile {
	f := &openFile{view: v, broker: broker, turns: map[int]bool{}}
	f.load(m)
	if f.parts != nil {
		f.first = f.parts.At(at)
		f.wide = !f.isLog() && f.parts.Len() <= fewParts
		f.lay()
	}
	for i, row := range f.rows {
		if row.part == f.first {
			f.list.Selected = f.passHeading(min(i+1, len(f.rows)-1), 1)
			if f.rows[f.list.Selected].part != f.first {
				f.list.Selected = i // it is shut
			}
			break
		}
	}
	return f
}

func (f *openFile) isLog() bool { return strings.Contains(f.view.Name, ".log") }

// load takes the file apart anew, for it changes, and lays the rows.
func (f *openFile) load(m Model) {
	f.parts, f.why = nil, ""
	x, err := m.Reader.(engine.FileReader).FileParts(f.broker, f.view.Path)
	if err != nil {
		f.why = err.Error()
	} else {
		f.parts = x
	}
	f.lay()
}

// isOpen tells whether the fields of a part are seen.
func (f *openFile) isOpen(part int) bool {
	first := f.wide || f.isLog() && part == f.first
	return first != f.turns[part]
}

// lay makes the rows.
func (f *openFile) lay() {
	f.rows, f.opened = f.rows[:0], map[int]engine.FilePart{}
	if f.parts == nil {
		return
	}
	for i := range f.parts.Len() {
		f.rows = append(f.rows, fileRow{part: i, field: partRow})
		if !f.isOpen(i) {
			continue
		}
		p := f.parts.Part(i)
		f.opened[i] = p
		f.layFields(i, p.Fields, false)
		if p.Unpacked != nil {
			f.layFields(i, p.Unpacked.Fields, true)
		}
	}
	f.list.Selected = max(0, min(f.list.Selected, len(f.rows)-1))
}

func (f *openFile) layFields(part int, fields []field, unpacked bool) {
	record := -1
	for j, fl := range fields {
		if fl.Record >= 0 && fl.Record != record {
			record = fl.Record
			f.rows = append(f.rows, fileRow{part: part, field: headingRow, record: record, unpacked: unpacked})
		}
		f.rows = append(f.rows, fileRow{part: part, field: j, unpacked: unpacked})
	}
}

// passHeading is the nearest row in a direction that can be selected, or in the
// other one if there is none.
func (f *openFile) passHeading(at, by int) int {
	for _, step := range []int{by, -by} {
		for i := at; i >= 0 && i < len(f.rows); i += step {
			if f.rows[i].field != headingRow {
				return i
			}
		}
	}
	return at
}

// key moves among the rows, and opens and shuts parts.
func (f *openFile) key(msg tea.KeyMsg) (mine bool) {
	before, count := f.list.Selected, len(f.rows)
	switch msg.String() {
	case "o", "enter":
		f.turn()
		return true
	case "left", "h":
		f.list.Selected = f.group(before, -1)
	case "right", "l":
		f.list.Selected = f.group(before, 1)
	default:
		if !f.list.Key(msg, max(1, f.seen), count) {
			return false
		}
	}
	if count > 0 {
		by := 1
		if f.list.Selected < before {
			by = -1
		}
		f.list.Selected = f.passHeading(f.list.Selected, by)
	}
	return true
}

// turn opens the part that is selected, or shuts it.
func (f *openFile) turn() {
	if len(f.rows) == 0 {
		return
	}
	part := f.rows[f.list.Selected].part
	f.turns[part] = !f.turns[part]
	for f.list.Selected > 0 && f.rows[f.list.Selected].field != partRow {
		f.list.Selected--
	}
	f.lay()
}

// group is the nearest part, or first field of a record, before or behind a row.
func (f *openFile) group(at, by int) int {
	for i := at + by; i >= 0 && i < len(f.rows); i += by {
		if f.rows[i].field == partRow || i > 0 && f.rows[i-1].field == headingRow {
			return i
		}
	}
	if by < 0 {
		return 0
	}
	return max(0, len(f.rows)-1)
}

// part is a part, decoded.
func (f *openFile) part(i int) engine.FilePart {
	if p, ok := f.opened[i]; ok {
		return p
	}
	return f.parts.Part(i)
}

// bytesOf are the bytes that a row is of, with their place in the file and the
// fields that name them.
func (f *openFile) bytesOf(row fileRow) (data []byte, at int64, fields []field) {
	p := f.part(row.part)
	if row.unpacked && p.Unpacked != nil {
		return p.Unpacked.Data, 0, p.Unpacked.Fields
	}
	return p.Data, p.At, p.Fields
}

// fieldOf is the field of a row; ok is false for the row of a part.
func (f *openFile) fieldOf(row fileRow) (fl field, ok bool) {
	_, _, fields := f.bytesOf(row)
	if row.field < 0 || row.field >= len(fields) {
		return field{}, false
	}
	return fields[row.field], true
}

// smallFile is up to how many bytes the dump has the whole of an index or a text:
// an entry is easier to see among the others.
const smallFile = 2048

// dump is what is seen of the bytes, what the row is of lit from one byte of the
// dump on.
func (f *openFile) dump(row fileRow) (d dump, from int) {
	data, at, fields := f.bytesOf(row)
	lit := field{Size: len(data)}
	if fl, ok := f.fieldOf(row); ok {
		lit = fl
	}
	from = lit.Offset
	if !f.isLog() && f.parts.Size() <= smallFile {
		from += int(at)
		data, at, fields = f.whole()
	}
	return fieldDump(data, at, fields, from, from+lit.Size), from
}

// whole is the file in one piece, with the fields of all its parts.
func (f *openFile) whole() (data []byte, at int64, fields []field) {
	for _, p := range f.parts.Window(0, f.parts.Len()) {
		for _, fl := range p.Fields {
			fl.Offset += len(data)
			fields = append(fields, fl)
		}
		data = append(data, p.Data...)
	}
	return data, 0, fields
}
