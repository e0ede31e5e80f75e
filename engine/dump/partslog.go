package dump

import (
	"fmt"
	"math"
	"strings"

	"kafkalab/engine/record"
)

// cutLog cuts a log into its batches. From where the sizes make no sense any
// more, the rest is one part.
func (x *Parts) cutLog(src *source) *Damage {
	scan := scanner{source: src}
	for n, at := 0, int64(0); at < src.size; n++ {
		size, damage := scan.sizeAt(at)
		if damage == nil {
			damage = formatAt(at, scan.buf[:min(size, len(scan.buf))])
		}
		if damage != nil {
			x.add(at, n, decodeBrokenBatch)
			return nil
		}
		x.add(at, n, decodeBatch)
		at += int64(size)
	}
	return nil
}

// decodeBatch reads a batch that is there whole.
func decodeBatch(x *Parts, src *source, n int, p *Part) {
	if size, err := record.PeekSize(p.Data); err != nil || size != len(p.Data) || len(p.Data) < record.HeaderSize {
		decodeBrokenBatch(x, src, n, p) // it is another one since the cuts were made
		return
	}
	b := record.Batch(p.Data)
	p.Title = "batch " + span(b.BaseOffset(), b.LastOffset())
	p.Summary = batchSummary(b)
	p.Fields = record.Fields(b)
	p.CRC = &Checksum{
		At: p.At + crcAt, From: p.At + attributesAt, To: p.At + int64(len(b)), Stored: b.CRC(), Computed: b.Checksum(),
	}
	if err := b.Valid(); err != nil {
		p.Damage = damagef(p.At+crcAt, "%v", err)
	}
	if p.Damage == nil {
		p.Damage = x.misplaced(src, n, b, p.At)
	}
	switch {
	case b.IsControl():
		nameControls(b, p.Fields)
	case b.Codec() != record.None:
		p.unpack(b)
	}
	if f := p.Fields[len(p.Fields)-1]; f.Name == record.Unreadable && p.Damage == nil {
		p.Damage = damagef(p.At+int64(f.Offset), "%s", f.Note)
	}
}

// misplaced tells what is wrong with the offsets of a batch, which its checksum
// does not cover: they go up, and lie within 2^31 of the segment's base
// (LogSegment.canConvertToRelativeOffset).
func (x *Parts) misplaced(src *source, n int, b record.Batch, at int64) *Damage {
	base, damage := x.name.baseOffset()
	if x.name.kind != logKind || damage != nil {
		return nil
	}
	for _, offset := range []int64{b.BaseOffset(), b.LastOffset()} {
		if offset < base || offset-base > math.MaxInt32 {
			return damagef(at, "offset %d is none of this segment, which begins at %d; the crc does not cover it", offset, base)
		}
	}
	if n == 0 || n > len(x.cuts) {
		return nil
	}
	head, damage := src.read(nil, x.cuts[n-1].at, record.HeaderSize)
	if damage != nil || len(head) < record.HeaderSize {
		return nil
	}
	if last := record.Batch(head).LastOffset(); b.BaseOffset() <= last && last-base <= math.MaxInt32 {
		return damagef(at, "offset %d is not above that of the batch before, %d", b.BaseOffset(), last)
	}
	return nil
}

// Where a batch has its checksum, and from where on that is made.
const (
	crcAt        = 17
	attributesAt = 21
)

// decodeBrokenBatch reads what may be the beginning of a batch: a torn one, or
// bytes that are none.
func decodeBrokenBatch(x *Parts, src *source, n int, p *Part) {
	scan := scanner{source: src}
	size, damage := scan.sizeAt(p.At)
	if damage == nil {
		damage = formatAt(p.At, scan.buf[:min(size, len(scan.buf))])
	}
	p.Title, p.Summary, p.Damage = "no batch", "to the end of the file", damage
	if scan.torn {
		p.Title = "torn batch"
	}
	p.Fields = record.Fields(record.Batch(p.Data))
	for i := range p.Fields {
		// Of half a batch no checksum can be computed.
		if f := &p.Fields[i]; f.Name == checksumName && scan.torn {
			f.Note = "not to be checked: the batch is not there whole"
		}
	}
}

// batchSummary is what a batch is, in a few words.
func batchSummary(b record.Batch) string {
	words := []string{fmt.Sprintf("%d records", b.Count())}
	switch {
	case b.Count() == 1:
		words[0] = "1 record"
	case b.Count() == 0:
		words[0] = "emptied"
	}
	if b.IsControl() {
		words = append(words, "control")
		it := b.Iterator()
		if it.Next() {
			if _, t, err := record.ParseControlKey(it.Record().Key); err == nil {
				words[len(words)-1] = "control " + t.String()
			}
		}
	} else if b.IsTransactional() {
		words = append(words, "transactional")
	}
	if b.Codec() != record.None {
		words = append(words, b.Codec().String())
	}
	if _, set := b.DeleteHorizon(); set {
		words = append(words, "horizon set")
	}
	return strings.Join(words, ", ")
}

// nameControls says at the values of control records what they tell as a whole.
func nameControls(b record.Batch, fields []record.Field) {
	it := b.Iterator()
	for i := 0; it.Next(); i++ {
		c, err := newControl(it.Record().Key, it.Record().Value)
		if err != nil {
			continue // the fields say what is wrong
		}
		for j := range fields {
			if f := &fields[j]; f.Record == i && f.Name == "value" && f.Note == "" {
				f.Note = c.Text
			}
		}
	}
}

// unpack decompresses the records of a batch and names their bytes: those of a
// batch with the same header whose records are not compressed.
func (p *Part) unpack(b record.Batch) {
	data, err := record.Decompress(b.Codec(), b.Payload(), record.DefaultLimit)
	if err != nil {
		if p.Damage == nil {
			p.Damage = damagef(p.At+record.HeaderSize, "%v", err)
		}
		return
	}
	plain := append(append(make(record.Batch, 0, record.HeaderSize+len(data)), b[:record.HeaderSize]...), data...)
	plain[attributesAt+1] &^= codecBits
	u := &Unpacked{Data: data}
	for _, f := range record.Fields(plain) {
		if f.Offset >= record.HeaderSize {
			f.Offset -= record.HeaderSize
			u.Fields = append(u.Fields, f)
		}
	}
	p.Unpacked = u
	if n := len(u.Fields); n > 0 && u.Fields[n-1].Name == record.Unreadable && p.Damage == nil {
		p.Damage = damagef(p.At+record.HeaderSize, "decompressed, at %d: %s", u.Fields[n-1].Offset, u.Fields[n-1].Note)
	}
}

// codecBits are those of a batch's attributes that tell how it is compressed.
const codecBits = 7

// span is a range of offsets, both ends in it.
func span(first, last int64) string {
	if first == last {
		return number(first)
	}
	return fmt.Sprintf("%d-%d", first, last)
}
