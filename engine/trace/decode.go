package trace

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
)

// Wire is the message as it stands on the wire: the four bytes of its length,
// header, body. It is nil when the bytes were not kept.
func (m Message) Wire() []byte {
	if len(m.Payload) == 0 {
		return nil
	}
	return append(binary.BigEndian.AppendUint32(make([]byte, 0, 4+len(m.Payload)), uint32(len(m.Payload))), m.Payload...)
}

// apiVersionsKey is the request whose response has the old header in all
// versions, so that any client can read it (KIP-511).
const apiVersionsKey = 18

// Fields takes the message apart: the length, the header's fields, the body's.
// Each byte belongs to one field that has no fields in it. The error says from
// which byte on the rest makes no sense; what comes before it is given.
func (m Message) Fields() ([]WireField, error) {
	if len(m.Payload) == 0 {
		return nil, fmt.Errorf("the bytes of this message were not kept")
	}
	l := protocol()[layoutName{m.Key, m.Response}]
	if l == nil {
		return nil, fmt.Errorf("no message has key %d", m.Key)
	}
	if !l.versions.has(m.Version) {
		return nil, fmt.Errorf("%s version %d: %d to %d are known", l.name, m.Version, l.versions.from, l.versions.to)
	}
	head := protocol()[layoutName{headerKey, m.Response}]
	version := head.versions.from
	if l.flexible.has(m.Version) && (!m.Response || m.Key != apiVersionsKey) {
		version++ // flexible headers have tags too
	}
	d := decoder{data: m.Wire()}
	length := WireField{Name: "Size", Type: "int32", Size: 4, Tag: NoTag, Note: "bytes that follow"}
	length.number = int64(len(m.Payload))
	length.Value = strconv.Itoa(len(m.Payload))
	d.at = 4
	fields := append([]WireField{length}, d.fields(head.fields, version, head.flexible.has(version))...)
	if d.err == nil {
		fields = append(fields, d.fields(l.fields, m.Version, l.flexible.has(m.Version))...)
	}
	if d.err == nil && d.at < len(d.data) {
		d.err = errorAt(d.at, "%s behind the last field", counted(int64(len(d.data)-d.at), "byte"))
	}
	return fields, d.err
}

// decoder reads a message from front to end. After an error it reads nothing.
type decoder struct {
	data []byte
	at   int
	err  error
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = errorAt(d.at, format, args...)
	}
}

// take gives the next n bytes, nil after an error.
func (d *decoder) take(n int, what string) []byte {
	if d.err == nil && (n < 0 || n > len(d.data)-d.at) {
		d.fail("%s needs %d bytes, %d are left", what, n, len(d.data)-d.at)
	}
	if d.err != nil {
		return nil
	}
	d.at += n
	return d.data[d.at-n : d.at]
}

func (d *decoder) uvarint(what string) uint64 {
	if d.err != nil {
		return 0
	}
	v, n := binary.Uvarint(d.data[d.at:])
	if n <= 0 || n > 5 {
		d.fail("%s: no varint of at most 5 bytes", what)
		return 0
	}
	d.at += n
	return v
}

// fields reads those that a version has, and the tagged ones behind them.
func (d *decoder) fields(layout []layoutField, version int16, flexible bool) []WireField {
	var list []WireField
	for i := range layout {
		if f := &layout[i]; f.versions.has(version) && !f.tagged.has(version) && d.err == nil {
			list = append(list, d.field(f, version, flexible))
		}
	}
	if flexible && d.err == nil {
		list = append(list, d.tags(layout, version))
	}
	return list
}

// tags reads the optional fields: tag, size, and that many bytes for each.
func (d *decoder) tags(layout []layoutField, version int16) WireField {
	t := WireField{Name: TaggedFields, Type: "tags", At: d.at, Tag: NoTag}
	n := d.uvarint(TaggedFields)
	t.number, t.Value = int64(n), strconv.FormatUint(n, 10)
	for i := uint64(0); i < n && d.err == nil; i++ {
		at := d.at
		tag := d.uvarint("a tag")
		size := d.uvarint("a tag's size")
		if d.err == nil && size > uint64(len(d.data)-d.at) {
			d.fail("tag %d has %d bytes, %d are left", tag, size, len(d.data)-d.at)
		}
		if d.err != nil {
			break
		}
		end := d.at + int(size)
		f := d.tagged(layout, version, tag, end)
		if d.err == nil && d.at != end {
			d.fail("tag %d ends at byte %d, its size says %d", tag, d.at, end)
		}
		f.At, f.Size, f.Tag = at, d.at-at, int(tag)
		t.Fields = append(t.Fields, f)
	}
	t.Size = d.at - t.At
	return t
}

// tagged reads one that is known, or takes the bytes of one that is not.
func (d *decoder) tagged(layout []layoutField, version int16, tag uint64, end int) WireField {
	for i := range layout {
		if f := &layout[i]; f.tag == tag && f.tagged.has(version) && f.versions.has(version) {
			return d.field(f, version, true)
		}
	}
	data := d.take(end-d.at, "an unknown tag")
	return WireField{Name: "unknown", Type: "bytes", Value: counted(int64(len(data)), "byte"), Data: data}
}

// field reads one field: an array or a single value.
func (d *decoder) field(l *layoutField, version int16, flexible bool) WireField {
	flexible = flexible && !l.rigid
	f := WireField{Name: l.name, Type: l.kind, At: d.at, Tag: NoTag}
	if l.array {
		f.Type = "[]" + l.kind
		d.array(&f, l, version, flexible)
	} else {
		d.value(&f, l, version, flexible, l.nullable.has(version))
	}
	f.Size = d.at - f.At
	return f
}

func (d *decoder) array(f *WireField, l *layoutField, version int16, flexible bool) {
	n := d.length(l.name, flexible, 4)
	if f.null = n < 0; f.null {
		f.Value = "null"
		return
	}
	if n > len(d.data)-d.at {
		d.fail("%s of %d elements, %d bytes are left", l.name, n, len(d.data)-d.at)
	}
	f.number, f.Value = int64(n), strconv.Itoa(n)
	for i := 0; i < n && d.err == nil; i++ {
		e := WireField{Name: "[" + strconv.Itoa(i) + "]", Type: l.kind, At: d.at, Tag: NoTag}
		d.value(&e, l, version, flexible, false)
		e.Size = d.at - e.At
		f.Fields = append(f.Fields, e)
	}
}

// length reads how many bytes or elements follow, -1 for null: compact in a
// flexible version, else in size bytes.
func (d *decoder) length(what string, flexible bool, size int) int {
	if flexible {
		n := d.uvarint("the length of " + what)
		if n > math.MaxInt32 {
			d.fail("%s of %d: too long", what, n-1)
			return 0
		}
		return int(n) - 1
	}
	b := d.take(size, "the length of "+what)
	switch {
	case b == nil:
		return 0
	case size == 2:
		return max(-1, int(int16(binary.BigEndian.Uint16(b))))
	}
	return max(-1, int(int32(binary.BigEndian.Uint32(b))))
}

// value reads what is no array.
func (d *decoder) value(f *WireField, l *layoutField, version int16, flexible, nullable bool) {
	switch l.kind {
	case "bool", "int8", "int16", "uint16", "int32", "uint32", "int64", "float64":
		d.numeric(f, l.kind)
	case "uuid":
		f.Data = d.take(16, l.name)
		f.Value = uuidText(f.Data)
	case "string", "bytes", "records":
		d.blob(f, l.kind, flexible)
	default:
		if nullable { // a struct that may be null has a byte that says so
			if b := d.take(1, l.name); len(b) == 1 && int8(b[0]) < 0 {
				f.null, f.Value = true, "null"
				return
			}
		}
		f.Fields = d.fields(l.fields, version, flexible)
	}
}

func (d *decoder) blob(f *WireField, kind string, flexible bool) {
	size := 4
	if kind == "string" {
		size = 2
	}
	n := d.length(f.Name, flexible, size)
	if f.null = n < 0; f.null {
		f.Value = "null"
		return
	}
	b := d.take(n, f.Name)
	switch kind {
	case "string":
		f.Value = string(b)
		if n == 0 {
			f.Note = "empty"
		}
	case "records":
		f.Data, f.Value = b, recordsText(b)
		f.Note = counted(int64(n), "byte")
	default:
		f.Data, f.Value = b, counted(int64(n), "byte")
		if f.Name == "RequestData" {
			f.Fields = enveloped(b, d.at-n)
		}
	}
}

// enveloped takes the request apart that an Envelope carries from a broker to the
// controller (KIP-590): header and body, without a length. It begins at byte at of
// the message; nil if it makes no sense.
func enveloped(data []byte, at int) []WireField {
	if len(data) < 4 {
		return nil
	}
	inner := Message{Key: int16(binary.BigEndian.Uint16(data)), Version: int16(binary.BigEndian.Uint16(data[2:])), Payload: data}
	fields, err := inner.Fields()
	if err != nil {
		return nil
	}
	fields = fields[1:] // no length stands before it
	shift(fields, at-4)
	return fields
}

func shift(fields []WireField, by int) {
	for i := range fields {
		fields[i].At += by
		shift(fields[i].Fields, by)
	}
}

func (d *decoder) numeric(f *WireField, kind string) {
	size := map[string]int{"bool": 1, "int8": 1, "int16": 2, "uint16": 2, "int32": 4, "uint32": 4, "int64": 8, "float64": 8}[kind]
	b := d.take(size, f.Name)
	if b == nil {
		return
	}
	switch kind {
	case "bool", "int8":
		f.number = int64(int8(b[0]))
	case "int16":
		f.number = int64(int16(binary.BigEndian.Uint16(b)))
	case "uint16":
		f.number = int64(binary.BigEndian.Uint16(b))
	case "int32":
		f.number = int64(int32(binary.BigEndian.Uint32(b)))
	case "uint32":
		f.number = int64(binary.BigEndian.Uint32(b))
	default:
		f.number = int64(binary.BigEndian.Uint64(b))
	}
	switch kind {
	case "bool":
		f.Value = strconv.FormatBool(f.number != 0)
	case "float64":
		f.Value = strconv.FormatFloat(math.Float64frombits(uint64(f.number)), 'g', -1, 64)
	default:
		f.Value, f.Note = strconv.FormatInt(f.number, 10), meaning(f.Name, f.number)
	}
}
