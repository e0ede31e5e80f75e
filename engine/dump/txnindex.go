package dump

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

// txnVersion is the only version of an entry that there has been.
const txnVersion = 0

// txnLayout is an entry of a transaction index (Kafka: AbortedTxn.json).
var txnLayout = layout{
	{"version", "int16", versionNote},
	{"producerId", "int64", nil},
	{"firstOffset", "int64", func([]int64) string { return "of the transaction in this partition" }},
	{"lastOffset", "int64", func([]int64) string { return "of its ABORT marker" }},
	{"lastStableOffset", "int64", func([]int64) string {
		return "when it ended: where the oldest open transaction begins, or the offset behind it"
	}},
}

func readAbortedTxn(p []byte) AbortedTxn {
	var room [5]int64
	v := txnLayout.read(room[:0], p)
	return AbortedTxn{int16(v[0]), v[1], v[2], v[3], v[4]}
}

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

// check tells what is wrong with an entry at a byte.
func (a AbortedTxn) check(at int64) *Damage {
	if a.Version != txnVersion {
		return damagef(at, "version %d of an entry, %d is known", a.Version, txnVersion)
	}
	return nil
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
		a := readAbortedTxn(p)
		if damage := a.check(at); damage != nil {
			f.out.damage(damage)
			return
		}
		f.out.entry(a)
	}
	f.out.damage(oddEnd(f, abortedTxnSize))
}
