package dump

import (
	"fmt"
	"io"

	"kafkalab/engine/record"
)

// cutEntries cuts an index into entries of one size. What is preallocated and
// not used yet is one part, and so is half an entry at the end.
func (x *Parts) cutEntries(src *source, size int, decode func(*Parts, *source, int, *Part)) *Damage {
	r := io.NewSectionReader(src.file, 0, src.size)
	chunk := make([]byte, 1024*size)
	fresh := x.beforeAny()
	for at := int64(0); at < src.size; {
		n, err := io.ReadFull(r, chunk)
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF || n == 0 {
			return damagef(at, "cannot be read: %s", reason(err))
		}
		for p := chunk[:n]; len(p) > 0; {
			slot := int(at) / size
			if len(p) < size {
				x.add(at, slot, decodeHalfEntry)
				return nil
			}
			if (slot > 0 || fresh) && x.unused(p[:size]) {
				x.add(at, slot, decodeUnused)
				return nil
			}
			x.add(at, slot, decode)
			at, p = at+int64(size), p[size:]
		}
	}
	return nil
}

// beforeAny tells whether the log beside an index is empty: then no entry is one.
func (x *Parts) beforeAny() bool {
	log, _, err := openBeside(x.fsys, x.name.beside(".log"))
	defer log.close()
	return err == nil && log != nil && log.size == 0
}

// unused tells of an entry whether it is preallocated: Kafka fills an index with
// zeros to segment.index.bytes, and no second entry has the base offset.
func (x *Parts) unused(entry []byte) bool {
	if x.name.kind == txnIndexKind {
		return false
	}
	for _, b := range entry {
		if b != 0 {
			return false
		}
	}
	return true
}

func decodeUnused(_ *Parts, _ *source, _ int, p *Part) {
	p.Title, p.Summary = "not used yet", fmt.Sprintf("%d bytes", len(p.Data))
	p.Fields = []record.Field{{
		Name: "preallocated", Type: "bytes", Size: len(p.Data), Record: record.BatchHeader, Value: "zeros",
		Note: "room for entries, cut off when the segment is closed",
	}}
}

func decodeHalfEntry(_ *Parts, _ *source, n int, p *Part) {
	p.Title, p.Summary = fmt.Sprintf("half of entry %d", n), fmt.Sprintf("%d bytes", len(p.Data))
	p.Fields = unreadable(p.Data, 0, "the file ends within an entry")
	p.Damage = damagef(p.At, "%d bytes, an entry has more: the file ends within it", len(p.Data))
}

// base is the offset in the file's name, to which entries are relative; 0 and
// the damage if there is none.
func (x *Parts) base(p *Part) int64 {
	base, damage := x.name.baseOffset()
	if damage != nil && p.Damage == nil {
		p.Damage = damage
	}
	return base
}

// before is the entry before one, nil if it is the first.
func before(src *source, p *Part) []byte {
	size := int64(len(p.Data))
	if p.At < size {
		return nil
	}
	b, damage := src.read(nil, p.At-size, int(size))
	if damage != nil || len(b) < int(size) {
		return nil
	}
	return b
}

func decodeOffsetEntry(x *Parts, src *source, n int, p *Part) {
	p.Title, p.Fields = fmt.Sprintf("entry %d", n), offsetLayout.fields(p.Data)
	if len(p.Data) < offsetEntrySize {
		return
	}
	base := x.base(p)
	e := readOffsetEntry(base, p.Data)
	p.Summary = fmt.Sprintf("offset %d at byte %d", e.Offset, e.Position)
	p.Fields[0].Note = fmt.Sprintf("offset %d, the last of a batch", e.Offset)
	p.Fields[1].Note = "byte of the .log where that batch begins"
	if b := before(src, p); b != nil && readOffsetEntry(base, b).Offset >= e.Offset && p.Damage == nil {
		p.Damage = damagef(p.At, "offset %d is not above that of the entry before, %d", e.Offset, readOffsetEntry(base, b).Offset)
	}
	x.compare(p, e)
}

// compare looks whether the batch of an entry is in the log beside the index.
func (x *Parts) compare(p *Part, e OffsetEntry) {
	log, name, err := openBeside(x.fsys, x.name.beside(".log"))
	if log == nil || err != nil {
		return
	}
	defer log.close()
	s := &segment{log: log, name: parseName(name).base}
	if why := s.missing(int64(e.Position)); why != "" {
		if p.Damage == nil {
			p.Damage = damagef(p.At, "offset %d, position %d: %s", e.Offset, e.Position, why)
		}
		return
	}
	head, damage := log.read(nil, int64(e.Position), record.HeaderSize)
	if damage != nil || len(head) < record.HeaderSize {
		return
	}
	b := record.Batch(head)
	if b.LastOffset() != e.Offset && p.Damage == nil {
		p.Damage = damagef(p.At, "offset %d, and the batch at byte %d ends with %d", e.Offset, e.Position, b.LastOffset())
		return
	}
	p.Fields[1].Note += ": " + span(b.BaseOffset(), b.LastOffset())
}

func decodeTimeEntry(x *Parts, src *source, n int, p *Part) {
	p.Title, p.Fields = fmt.Sprintf("entry %d", n), timeLayout.fields(p.Data)
	if len(p.Data) < timeEntrySize {
		return
	}
	base := x.base(p)
	e := readTimeEntry(base, p.Data)
	p.Summary = fmt.Sprintf("%s up to offset %d", moment(e.Timestamp), e.Offset)
	p.Fields[0].Note = moment(e.Timestamp) + ", the largest so far"
	p.Fields[1].Note = fmt.Sprintf("up to offset %d", e.Offset)
	if b := before(src, p); b != nil && p.Damage == nil {
		switch was := readTimeEntry(base, b); {
		case was.Timestamp >= e.Timestamp:
			p.Damage = damagef(p.At, "timestamp %d is not above that of the entry before, %d", e.Timestamp, was.Timestamp)
		case was.Offset > e.Offset:
			p.Damage = damagef(p.At, "offset %d is below that of the entry before, %d", e.Offset, was.Offset)
		}
	}
}

func decodeTxnEntry(x *Parts, src *source, n int, p *Part) {
	p.Title, p.Fields = fmt.Sprintf("entry %d", n), txnLayout.fields(p.Data)
	if len(p.Data) < abortedTxnSize {
		return
	}
	x.base(p)
	a := readAbortedTxn(p.Data)
	p.Summary = fmt.Sprintf("producer %d aborted %s", a.ProducerID, span(a.FirstOffset, a.LastOffset))
	if p.Damage == nil {
		p.Damage = a.check(p.At)
	}
}
