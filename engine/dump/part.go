package dump

import "kafkalab/engine/record"

// Part is a stretch of a file that is read as one: a batch of a log, an entry of
// an index, the head of a snapshot, a line of a checkpoint.
type Part struct {
	Title   string // batch 10-19, entry 3, line 2
	Summary string // what it says, in a few words; may be empty
	At      int64  // position of its first byte in the file
	Data    []byte
	// Fields name the bytes of Data in their order. In a binary file each byte
	// has one name; in a text the blanks between words have none.
	Fields []record.Field
	// Unpacked are the records of a compressed batch, nil otherwise.
	Unpacked *Unpacked
	// CRC is the checksum that the part has or begins with, nil for none.
	CRC *Checksum
	// Damage is what is wrong in it, nil for nothing.
	Damage *Damage
}

// Unpacked are records that lie compressed in a batch: they have no places in
// the file, only in the block that decompressing gives.
type Unpacked struct {
	Data   []byte
	Fields []record.Field
}

// Checksum is a CRC-32C of a file, computed again.
type Checksum struct {
	At               int64 // byte of the file where it is stored
	From, To         int64 // it covers the bytes from From up to, not with, To
	Stored, Computed uint32
}

// Right tells that the bytes are those that the checksum was made of.
func (c Checksum) Right() bool { return c.Stored == c.Computed }

// checksumName is the name of the field that holds a checksum.
const checksumName = "crc"

// notes are what a record.Field says beyond its value.
type notes = func(v []int64) string

// column is a number at a fixed place in an entry.
type column struct {
	name, kind string
	note       notes // given all numbers of the entry; nil for none
}

// size is that of the number in bytes.
func (c column) size() int {
	switch c.kind {
	case "int16":
		return 2
	case "int64":
		return 8
	}
	return 4
}

// layout is how an entry of fixed size is laid out. Each format of this package
// has one, from which both its values and its fields come.
type layout []column

func (l layout) size() int {
	n := 0
	for _, c := range l {
		n += c.size()
	}
	return n
}

// read appends the numbers of an entry, which must be there whole, to v.
func (l layout) read(v []int64, p []byte) []int64 {
	for _, c := range l {
		n := c.size()
		x := int64(int8(p[0])) // the highest byte has the sign
		if c.kind == "uint32" {
			x = int64(p[0])
		}
		for _, b := range p[1:n] {
			x = x<<8 | int64(b)
		}
		v, p = append(v, x), p[n:]
	}
	return v
}

// fields names the bytes of an entry; what is too short for one is unreadable.
func (l layout) fields(p []byte) []record.Field {
	if len(p) < l.size() {
		return unreadable(p, 0, "an entry has more bytes")
	}
	var out []record.Field
	v, at := l.read(nil, p), 0
	for i, c := range l {
		f := record.Field{Name: c.name, Type: c.kind, Offset: at, Size: c.size(), Record: record.BatchHeader, Value: number(v[i])}
		if c.name == checksumName {
			f.Value = hex32(uint32(v[i]))
		}
		if c.note != nil {
			f.Note = c.note(v)
		}
		out = append(out, f)
		at += f.Size
	}
	return append(out, unreadable(p, at, "behind the entry")...)
}

// unreadable names all bytes from at on as such; none if there are none.
func unreadable(p []byte, at int, why string) []record.Field {
	if at >= len(p) {
		return nil
	}
	return []record.Field{{
		Name: record.Unreadable, Type: "bytes", Offset: at, Size: len(p) - at, Record: record.BatchHeader,
		Value: bytesText(p[at:]), Note: why,
	}}
}
