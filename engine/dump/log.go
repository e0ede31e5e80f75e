package dump

import (
	"fmt"
	"strconv"
	"strings"

	"kafkalab/engine/record"
)

// dumpLog tells a log or a KRaft snapshot, which is a log with another name.
func dumpLog(f *file) {
	title, damage := logTitle(f.fileName)
	if damage != nil {
		f.out.damage(damage)
		return
	}
	f.out.note(title)
	var found []*Damage
	scan := scanner{source: f.source}
	for goOn := true; goOn && scan.next(); {
		var told Batch
		var damage []*Damage
		told, damage, goOn = tellBatch(&scan, f.opt)
		f.out.batch(told)
		found = append(found, damage...)
	}
	if scan.torn {
		f.out.note(fmt.Sprintf("Found %d invalid bytes at the end of %s", f.size-scan.position, f.base))
	}
	for _, d := range append(found, scan.damage) {
		f.out.damage(d)
	}
}

// logTitle is the line above the batches.
func logTitle(n fileName) (string, *Damage) {
	if n.kind == logKind {
		base, damage := n.baseOffset()
		return fmt.Sprintf("Log starting offset: %d", base), damage
	}
	if n.base == bootstrapName {
		return "KRaft bootstrap snapshot", nil
	}
	offset, epoch, both := strings.Cut(n.stem, "-")
	end, err := strconv.ParseInt(offset, 10, 64)
	of, err2 := strconv.ParseInt(epoch, 10, 32)
	if !both || err != nil || err2 != nil {
		return "", damagef(0, "the name must be an offset and an epoch, as 00000000000000000000-0000000000.checkpoint")
	}
	return fmt.Sprintf("Snapshot end offset: %d, epoch: %d", end, of), nil
}

// tellBatch decodes the batch that a scanner is at. A wrong checksum is damage,
// but the records are tried all the same, as Kafka does; goOn is false when they
// could not be read to their end.
func tellBatch(scan *scanner, opt Options) (told Batch, found []*Damage, goOn bool) {
	b := scan.batch
	if isLegacy(b) {
		return tellLegacy(b, scan.start, opt)
	}
	valid := b.Checksum() == b.CRC()
	if err := b.Valid(); err != nil {
		found = append(found, damagef(scan.start, "%v", err))
	}
	told = newBatch(b, scan.start, valid)
	if !b.Codec().Known() {
		return told, append(found, damagef(scan.start, "codec %d, 0 to 4 are known", int8(b.Codec()))), false
	}
	if !opt.deep() {
		return told, found, true
	}
	var damage *Damage
	if told.Records, damage = tellRecords(b, scan.start, opt.Records); damage != nil {
		return told, append(found, damage), false
	}
	return told, found, true
}

// tellRecords decodes the records of the batch at a position. Of a compressed
// batch it is all or none, as Kafka decompresses it whole before it goes on.
func tellRecords(b record.Batch, position int64, contents bool) ([]Record, *Damage) {
	var told []Record
	at := position
	if b.Codec() == record.None {
		at += record.HeaderSize // inside a compressed batch no record has a place of its own
	}
	it := b.Iterator()
	for it.Next() {
		v := it.Record()
		r, err := newRecord(b, v, contents)
		if err != nil {
			return told, damagef(at, "%v", err)
		}
		told = append(told, r)
		if b.Codec() == record.None {
			at += int64(v.Size)
		}
	}
	if err := it.Err(); err != nil {
		if b.Codec() != record.None {
			told = nil
		}
		return told, damagef(at, "%v", err)
	}
	return told, nil
}
