package dump

import "encoding/binary"

// AbortedTxn is an entry of the transaction index: one transaction that was
// aborted (Kafka: AbortedTxn).
type AbortedTxn struct {
	Version          int16 `json:"version"`
	ProducerID       int64 `json:"producerId"`
	FirstOffset      int64 `json:"firstOffset"`
	LastOffset       int64 `json:"lastOffset"` // of the marker
	LastStableOffset int64 `json:"lastStableOffset"`
}

const abortedTxnSize = 34

// Line implements Entry.
func (a AbortedTxn) Line() string {
	var l line
	l.int("version: ", int64(a.Version))
	l.int(" producerId: ", a.ProducerID)
	l.int(" firstOffset: ", a.FirstOffset)
	l.int(" lastOffset: ", a.LastOffset)
	l.int(" lastStableOffset: ", a.LastStableOffset)
	return string(l)
}

// dumpTxnIndex tells a transaction index.
func dumpTxnIndex(f *file) {
	if _, damage := f.baseOffset(); damage != nil {
		f.out.damage(damage)
		return
	}
	var buf []byte
	for at := int64(0); at+abortedTxnSize <= f.size; at += abortedTxnSize {
		p, damage := f.read(buf, at, abortedTxnSize)
		if damage != nil {
			f.out.damage(damage)
			return
		}
		buf = p
		a := AbortedTxn{
			int16(binary.BigEndian.Uint16(p)),
			int64(binary.BigEndian.Uint64(p[2:])), int64(binary.BigEndian.Uint64(p[10:])),
			int64(binary.BigEndian.Uint64(p[18:])), int64(binary.BigEndian.Uint64(p[26:])),
		}
		if a.Version != 0 {
			f.out.damage(damagef(at, "version %d of an entry, 0 is known", a.Version))
			return
		}
		f.out.entry(a)
	}
	f.out.damage(oddEnd(f, abortedTxnSize))
}
