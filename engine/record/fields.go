package record

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Field is a stretch of a batch's bytes with the name that Kafka's
// documentation gives it.
type Field struct {
	Name   string // baseOffset, timestampDelta, key, …
	Type   string // int64, varint, bytes, … as the protocol has it
	Offset int    // of its first byte in the batch
	Size   int    // in bytes, at least 1
	Record int    // the record it belongs to, from 0; BatchHeader for none
	Value  string // as it reads; long keys and values are cut
	Note   string // what follows from it: an absolute offset, a name; may be empty
}

// BatchHeader is the Record of a field that belongs to the batch.
const BatchHeader = -1

// Names of what is not one of Kafka's fields.
const (
	// CompressedRecords are the records of a compressed batch, which are one
	// block: no field of theirs has a place of its own.
	CompressedRecords = "compressed records"
	// Unreadable is what follows a place from which bytes make no sense.
	Unreadable = "unreadable"
)

// Fields names every byte of a batch, in their order, each byte once. It takes
// any bytes: where they stop to make sense, the rest is Unreadable and the note
// says why.
func Fields(b Batch) []Field {
	f := fields{data: b, batch: b, record: BatchHeader}
	if len(b) < HeaderSize {
		f.batch = append(append(make(Batch, 0, HeaderSize), b...), make([]byte, HeaderSize-len(b))...)
	}
	for _, h := range headerFields {
		if f.at+h.size > len(b) {
			f.rest(fmt.Sprintf("a batch has at least %d bytes, here are %d", HeaderSize, len(b)))
			return f.out
		}
		name, value, note := h.name, "", ""
		if h.read != nil {
			value, note = h.read(f.batch)
		}
		if _, set := f.batch.DeleteHorizon(); set && h.name == "baseTimestamp" {
			name, note = "deleteHorizonMs", "ms; the cleaner may drop tombstones and markers from then on"
		}
		f.add(name, h.kind, h.size, value, note)
	}
	f.records()
	return f.out
}

// headerField is a field of the first 61 bytes.
type headerField struct {
	name, kind string
	size       int
	read       func(b Batch) (value, note string)
}

var headerFields = [...]headerField{
	{"baseOffset", "int64", 8, func(b Batch) (string, string) {
		return number(b.BaseOffset()), "of the first record; the leader sets it"
	}},
	{"batchLength", "int32", 4, func(b Batch) (string, string) {
		return number(b.int32(lengthAt)), fmt.Sprintf("the bytes that follow; the batch has %d", b.Size())
	}},
	{"partitionLeaderEpoch", "int32", 4, func(b Batch) (string, string) {
		return number(b.PartitionLeaderEpoch()), "of the leader that appended it"
	}},
	{"magic", "int8", 1, func(b Batch) (string, string) { return number(b.Magic()), "the batch format" }},
	{"crc", "uint32", 4, func(b Batch) (string, string) { return fmt.Sprintf("0x%08x", b.CRC()), crcNote(b) }},
	{"attributes", "int16", 2, func(b Batch) (string, string) {
		return fmt.Sprintf("0x%04x", uint16(b.Attributes())), attributesNote(b)
	}},
	{"lastOffsetDelta", "int32", 4, func(b Batch) (string, string) {
		return number(b.LastOffsetDelta()), fmt.Sprintf("last offset %d", b.LastOffset())
	}},
	{"baseTimestamp", "int64", 8, func(b Batch) (string, string) {
		return number(b.BaseTimestamp()), "ms; the records' deltas count from it"
	}},
	{"maxTimestamp", "int64", 8, func(b Batch) (string, string) { return number(b.MaxTimestamp()), "ms, the largest of the records" }},
	{"producerId", "int64", 8, func(b Batch) (string, string) {
		return number(b.ProducerID()), noneNote(b.ProducerID(), "not idempotent")
	}},
	{"producerEpoch", "int16", 2, func(b Batch) (string, string) { return number(b.ProducerEpoch()), "" }},
	{"baseSequence", "int32", 4, func(b Batch) (string, string) { return number(b.BaseSequence()), "" }},
	{"recordsCount", "int32", 4, func(b Batch) (string, string) { return number(b.Count()), "" }},
}

func crcNote(b Batch) string {
	if sum := b.Checksum(); sum != b.CRC() {
		return fmt.Sprintf("CRC-32C does not fit: computed 0x%08x", sum)
	}
	return "CRC-32C fits, over all that follows"
}

// attributesNote spells the flags out, the lowest bits first.
func attributesNote(b Batch) string {
	words := []string{"compression " + b.Codec().String(), b.TimestampType().String()}
	if b.IsTransactional() {
		words = append(words, "transactional")
	}
	if b.IsControl() {
		words = append(words, "control")
	}
	if _, set := b.DeleteHorizon(); set {
		words = append(words, "delete horizon set")
	}
	return strings.Join(words, ", ")
}

func noneNote(n int64, note string) string {
	if n == -1 {
		return note
	}
	return ""
}

func number[T ~int8 | ~int16 | ~int32 | ~int64](n T) string { return strconv.FormatInt(int64(n), 10) }

// fields is a walk over the bytes of a batch.
type fields struct {
	data   []byte
	batch  Batch // data with at least a header's bytes
	at     int   // the next byte that has no name yet
	end    int   // of the record under way
	record int
	out    []Field
}

// add names the next size bytes; none if size is 0.
func (f *fields) add(name, kind string, size int, value, note string) {
	if size <= 0 {
		return
	}
	f.out = append(f.out, Field{Name: name, Type: kind, Offset: f.at, Size: size, Record: f.record, Value: value, Note: note})
	f.at += size
}

// rest names all that is left as unreadable.
func (f *fields) rest(why string) {
	size := len(f.data) - f.at
	f.add(Unreadable, "bytes", size, plainBytes(f.data[f.at:]), why)
}

// records names the bytes after the header.
func (f *fields) records() {
	if f.batch.Codec() != None {
		size := len(f.data) - f.at
		f.add(CompressedRecords, "bytes", size, fmt.Sprintf("%d bytes of %v", size, f.batch.Codec()),
			fmt.Sprintf("%d records in one block", f.batch.Count()))
		return
	}
	for i := range int(max(f.batch.Count(), 0)) {
		f.record = i
		if why := f.oneRecord(); why != "" {
			f.rest(why)
			return
		}
	}
	f.record = BatchHeader
	f.rest("after the last record")
}

// oneRecord names the bytes of a record; it gives what is wrong with them, at
// the place where the walk then stands.
func (f *fields) oneRecord() (why string) {
	size, n := ReadVarint(f.data[f.at:])
	if n <= 0 || size < 0 || int(size) > len(f.data)-f.at-n {
		return fmt.Sprintf("no length of a record: %d bytes are left in the batch", len(f.data)-f.at)
	}
	f.add("length", "varint", n, number(size), "the bytes of the record that follow")
	f.end = f.at + int(size)
	if size == 0 {
		return "the record has no attributes"
	}
	f.add("attributes", "int8", 1, number(int8(f.data[f.at])), "unused")
	if why := f.deltas(); why != "" {
		return why
	}
	if why := f.content("key"); why != "" {
		return why
	}
	if why := f.content("value"); why != "" {
		return why
	}
	if why := f.headers(); why != "" {
		return why
	}
	if f.at != f.end {
		return fmt.Sprintf("%d bytes remain in the record", f.end-f.at)
	}
	return ""
}

// deltas names what makes a record's time and offset.
func (f *fields) deltas() (why string) {
	v, n := ReadVarlong(f.data[f.at:f.end])
	if n <= 0 {
		return errVarint("timestampDelta", n).Error()
	}
	note := fmt.Sprintf("timestamp %d", f.batch.BaseTimestamp()+v)
	if f.batch.TimestampType() == LogAppendTime {
		note = "not used: LogAppendTime"
	}
	f.add("timestampDelta", "varlong", n, number(v), note)
	d, n := ReadVarint(f.data[f.at:f.end])
	if n <= 0 {
		return errVarint("offsetDelta", n).Error()
	}
	f.add("offsetDelta", "varint", n, number(d), fmt.Sprintf("offset %d", f.batch.BaseOffset()+int64(d)))
	return ""
}

// content names a length and the bytes it stands for.
func (f *fields) content(name string) (why string) {
	size, n := ReadVarint(f.data[f.at:f.end])
	if n <= 0 {
		return errVarint(name+"Length", n).Error()
	}
	if int(size) > f.end-f.at-n {
		return fmt.Sprintf("%sLength %d, %d bytes are left in the record", name, size, f.end-f.at-n)
	}
	if name == "headerKey" && size < 0 {
		return "the key of a header is null"
	}
	f.add(name+"Length", "varint", n, number(size), nullNote(name, size))
	if size <= 0 {
		return ""
	}
	if f.batch.IsControl() && (name == "key" || name == "value") {
		f.control(name, int(size))
		return ""
	}
	f.add(name, "bytes", int(size), plainBytes(f.data[f.at:f.at+int(size)]), "")
	return ""
}

func nullNote(name string, size int32) string {
	switch {
	case size >= 0:
		return ""
	case name == "value":
		return "null: a tombstone"
	}
	return "null"
}

// control names the parts of a control record's key or value; the type in the
// key tells how the value is made.
func (f *fields) control(name string, size int) {
	body := f.data[f.at : f.at+size]
	end := f.at + size
	switch {
	case name == "key" && size >= 4:
		t := ControlType(binary.BigEndian.Uint16(body[2:]))
		f.add("control version", "int16", 2, number(int16(binary.BigEndian.Uint16(body))), "")
		f.add("control type", "int16", 2, number(int16(t)), t.String())
	case name == "value" && size >= 6 && f.marker():
		f.add("marker version", "int16", 2, number(int16(binary.BigEndian.Uint16(body))), "")
		f.add("coordinatorEpoch", "int32", 4, number(int32(binary.BigEndian.Uint32(body[2:]))), "of the transaction coordinator's partition")
	}
	f.add(name, "bytes", end-f.at, plainBytes(f.data[f.at:end]), "")
}

// marker tells if the control type named before ends a transaction.
func (f *fields) marker() bool {
	for i := len(f.out) - 1; i >= 0 && f.out[i].Record == f.record; i-- {
		if f.out[i].Name == "control type" {
			return f.out[i].Note == Commit.String() || f.out[i].Note == Abort.String()
		}
	}
	return false
}

// headers names the headers of a record.
func (f *fields) headers() (why string) {
	count, n := ReadVarint(f.data[f.at:f.end])
	if n <= 0 {
		return errVarint("headersCount", n).Error()
	}
	if count < 0 || int(count) > f.end-f.at-n {
		return fmt.Sprintf("headersCount %d, %d bytes are left in the record", count, f.end-f.at-n)
	}
	f.add("headersCount", "varint", n, number(count), "")
	for range count {
		if why := f.content("headerKey"); why != "" {
			return why
		}
		if why := f.content("headerValue"); why != "" {
			return why
		}
	}
	return ""
}

// shownBytes is how much of a key or value a Field's Value tells.
const shownBytes = 48

// plainBytes is bytes as one reads them: text in quotes if it is text, else
// hexadecimal.
func plainBytes(b []byte) string {
	more := ""
	if len(b) > shownBytes {
		b, more = b[:shownBytes], "…"
		for i := 0; i < utf8.UTFMax-1 && !utf8.Valid(b); i++ {
			b = b[:len(b)-1]
		}
	}
	if !utf8.Valid(b) || strings.ContainsFunc(string(b), func(r rune) bool { return !unicode.IsPrint(r) }) {
		return fmt.Sprintf("0x%x", b) + more
	}
	return strconv.Quote(string(b)) + more
}
