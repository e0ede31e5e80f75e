package storage

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kafkalab/engine/record"
)

// lawLog is a compacted log under random appends of plain, idempotent and
// transactional producers and random passes, beside all batches that were ever
// appended to it.
type lawLog struct {
	*fixture
	rt       *rapid.T
	original map[int64]record.Batch // by base offset
	horizons map[int64]int64        // by base offset, as first seen
	outcome  map[int64]txnOutcome   // of transactional data, by base offset
	dirty    int64
}

// txnOutcome is how a transaction ended and where its marker lies.
type txnOutcome struct {
	marker int64
	commit bool
}

// After every pass invariants 25 to 34 hold, and nothing is left of what aborted
// transactions wrote.
func TestLawsOfCompaction(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := newFixture(t, withConfig(func(c *Config) {
			c.Compact, c.Delete, c.IndexIntervalBytes = true, false, 80
			c.SegmentBytes = rapid.SampledFrom([]int32{300, 700, 1 << 20}).Draw(rt, "segment.bytes")
			c.DeleteRetentionMs = rapid.SampledFrom([]int64{1, 100, 1000}).Draw(rt, "delete.retention.ms")
		}))
		l := &lawLog{fixture: f, rt: rt, original: map[int64]record.Batch{}, horizons: map[int64]int64{}, outcome: map[int64]txnOutcome{}, dirty: NoOffset}
		for range rapid.IntRange(1, 40).Draw(rt, "steps") {
			switch rapid.IntRange(0, 9).Draw(rt, "step") {
			case 0:
				l.roll()
			case 1:
				l.now += rapid.Int64Range(0, 400).Draw(rt, "later")
			case 2:
				l.end()
			case 3, 4:
				l.pass()
			case 5:
				if rapid.IntRange(0, 5).Draw(rt, "a day") == 0 {
					l.now += 24 * 3600 * 1000
					l.log.ExpireProducers()
				}
			default:
				l.write()
			}
		}
		l.pass()
	})
}

// write appends a batch of one of the kinds.
func (l *lawLog) write() {
	records := make([]rec, rapid.IntRange(1, 4).Draw(l.rt, "records"))
	for i := range records {
		records[i] = r(l.now, string(rune('a'+rapid.IntRange(0, 4).Draw(l.rt, "key"))), fmt.Sprint("v", l.log.LogEndOffset()+int64(i)))
		if rapid.IntRange(0, 4).Draw(l.rt, "tombstone") == 0 {
			records[i].value = nil
		}
	}
	o := record.Defaults()
	if pid := rapid.Int64Range(0, 3).Draw(l.rt, "producer"); pid > 0 {
		o.ProducerID, o.ProducerEpoch, o.BaseSequence = pid, 0, 0
		o.Transactional = rapid.Bool().Draw(l.rt, "transactional")
		if have, ok := l.log.Producer(pid); ok {
			o.BaseSequence = have.LastSequence() + 1
			o.Transactional = o.Transactional || have.TxnFirstOffset != NoTxn
		}
	}
	l.took(l.append(batchOf(l.t, o, records...)).FirstOffset)
}

// took notes a batch as it was stored.
func (l *lawLog) took(base int64) {
	b, err := l.log.BatchBytes(base)
	if err != nil {
		l.rt.Fatal(err)
	}
	l.original[base] = slices.Clone(b)
}

// end ends the transaction of a producer, if it has one.
func (l *lawLog) end() {
	pid := rapid.Int64Range(1, 3).Draw(l.rt, "producer")
	have, ok := l.log.Producer(pid)
	if !ok || have.TxnFirstOffset == NoTxn {
		return
	}
	marker, commit := l.log.LogEndOffset(), rapid.Bool().Draw(l.rt, "commit")
	l.mustMarker(pid, 0, commit)
	l.log.UpdateHighWatermark(l.log.LogEndOffset())
	l.took(marker)
	for base, b := range l.original {
		if base >= have.TxnFirstOffset && base < marker && b.ProducerID() == pid && b.IsTransactional() && !b.IsControl() {
			l.outcome[base] = txnOutcome{marker, commit}
		}
	}
}

// pass makes a pass and looks at what it left.
func (l *lawLog) pass() {
	todo := l.log.Cleanable(l.dirty)
	untouched := l.from(todo.FirstUncleanable)
	l.dirty = l.clean(l.dirty).EndOffset
	l.lookAtBatches()
	l.lookAtAborted(todo.FirstUncleanable)
	l.lookAtKeys(todo.FirstUncleanable)
	if after := l.from(todo.FirstUncleanable); after != untouched {
		l.rt.Fatalf("the pass changed what lies at %d and beyond:\n%s\nwas\n%s", todo.FirstUncleanable, after, untouched)
	}
	l.lookAtProducers()
	l.again()
}

// from is the content of the segments from a base on.
func (l *lawLog) from(base int64) string {
	var out strings.Builder
	for _, s := range l.log.segments {
		if s.base >= base {
			data, err := s.read(0, int(s.size))
			if err != nil {
				l.rt.Fatal(err)
			}
			fmt.Fprintf(&out, "%d %x;", s.base, data)
		}
	}
	return out.String()
}

// lookAtBatches: nothing of a batch changes but which records are left, the
// horizon, and what follows from them; the marker of a transaction is there
// while data of it is.
func (l *lawLog) lookAtBatches() {
	left := map[int64]bool{}
	for _, b := range l.batches() {
		base := b.BaseOffset()
		left[base] = true
		was, ok := l.original[base]
		if !ok {
			l.rt.Fatalf("batch %d was never appended", base)
		}
		if headText(b) != headText(was) {
			l.rt.Fatalf("batch %d is %s, was %s", base, headText(b), headText(was))
		}
		l.sameRecords(b, was)
		if ms, set := b.DeleteHorizon(); set {
			if first, ok := l.horizons[base]; ok && first != ms {
				l.rt.Fatalf("the horizon of batch %d moved from %d to %d", base, first, ms)
			}
			l.horizons[base] = ms
		} else if _, had := l.horizons[base]; had && b.Count() > 0 {
			l.rt.Fatalf("batch %d has lost its horizon", base)
		}
	}
	for base, end := range l.outcome {
		if left[base] && !left[end.marker] {
			l.rt.Fatalf("batch %d is there, the marker of its transaction at %d is not", base, end.marker)
		}
	}
}

// head is what a pass never changes of a batch.
func headText(b record.Batch) string {
	return fmt.Sprintf("%d-%d epoch %d, producer %d/%d/%d, transactional %v, control %v, %v", b.BaseOffset(), b.LastOffset(), b.PartitionLeaderEpoch(),
		b.ProducerID(), b.ProducerEpoch(), b.BaseSequence(), b.IsTransactional(), b.IsControl(), b.TimestampType())
}

// sameRecords: what is left of a batch's records is as it was.
func (l *lawLog) sameRecords(b, was record.Batch) {
	left, err := b.Records()
	if err != nil {
		l.rt.Fatal(err)
	}
	all, err := was.Records()
	if err != nil {
		l.rt.Fatal(err)
	}
	for _, r := range left {
		at := slices.IndexFunc(all, func(x record.Record) bool { return x.Offset == r.Offset })
		if at < 0 || all[at].Timestamp != r.Timestamp || all[at].Sequence != r.Sequence || !bytes.Equal(all[at].Key, r.Key) ||
			!bytes.Equal(all[at].Value, r.Value) || (all[at].Value == nil) != (r.Value == nil) {
			l.rt.Fatalf("batch %d: record %+v is not one of %+v", b.BaseOffset(), r, all)
		}
	}
}

// lookAtKeys: below where the pass had to stop each key has one record at most,
// and its newest value can be read.
func (l *lawLog) lookAtKeys(end int64) {
	newest := map[string]record.Record{}
	for _, base := range l.bases() {
		for _, r := range l.readable(l.original[base]) {
			newest[string(r.Key)] = r
		}
	}
	seen, read := map[string]int{}, map[string]int64{}
	for _, b := range l.batches() {
		for _, r := range l.readable(b) {
			if r.Offset < end {
				seen[string(r.Key)]++
			}
			read[string(r.Key)] = r.Offset
		}
	}
	for key, n := range seen {
		if n > 1 {
			l.rt.Fatalf("key %s has %d records below %d", key, n, end)
		}
	}
	for key, r := range newest {
		at, ok := read[key]
		if ok && at != r.Offset || !ok && r.Value != nil {
			l.rt.Fatalf("the newest record of %s is at %d; found %v at %d", key, r.Offset, ok, at)
		}
		if ms, set := l.horizons[l.baseOf(r.Offset)]; !ok && !(set && ms <= l.now) {
			l.rt.Fatalf("the tombstone of %s at %d is gone at %d, its horizon is %d", key, r.Offset, l.now, ms)
		}
	}
}

// baseOf is the base offset of the batch that an offset was written in.
func (l *lawLog) baseOf(offset int64) int64 {
	bases := l.bases()
	at, found := slices.BinarySearch(bases, offset)
	if !found {
		at--
	}
	return bases[at]
}

// lookAtAborted: below where the pass had to stop no record of an aborted
// transaction is left.
func (l *lawLog) lookAtAborted(end int64) {
	for _, b := range l.batches() {
		if o, decided := l.outcome[b.BaseOffset()]; decided && !o.commit && b.BaseOffset() < end && b.Count() > 0 {
			l.rt.Fatalf("batch %d of an aborted transaction has %d records", b.BaseOffset(), b.Count())
		}
	}
}

func (l *lawLog) bases() []int64 {
	var out []int64
	for base := range l.original {
		out = append(out, base)
	}
	slices.Sort(out)
	return out
}

// readable are a batch's records if they are data and not of a transaction that
// was aborted or is open: those are beyond every pass.
func (l *lawLog) readable(b record.Batch) []record.Record {
	end, decided := l.outcome[b.BaseOffset()]
	if b.IsControl() || b.IsTransactional() && !(decided && end.commit) {
		return nil
	}
	list, err := b.Records()
	if err != nil {
		l.rt.Fatal(err)
	}
	return list
}

// lookAtProducers: a replay of all that is left, without any snapshot, tells the
// same last sequence of every producer that is remembered.
func (l *lawLog) lookAtProducers() {
	replayed := newFixture(l.t, func(o *Options) { o.Config = l.opts.Config })
	replayed.now = l.now
	for _, b := range l.batches() {
		if _, kerr := replayed.log.AppendAsFollower(slices.Clone(b), b.PartitionLeaderEpoch()); kerr != nil {
			l.rt.Fatal(kerr)
		}
	}
	for _, p := range l.log.Producers() {
		got, ok := replayed.log.Producer(p.ID)
		if !ok || got.Epoch != p.Epoch || len(p.Batches) > 0 && got.LastSequence() != p.LastSequence() {
			l.rt.Fatalf("producer %d: replay says %+v, the log knows %+v", p.ID, got, p)
		}
	}
}

// again: passes with no new data, before any horizon, change nothing but the
// marker of a transaction that has just become empty, once.
func (l *lawLog) again() {
	for _, ms := range l.horizons {
		if ms <= l.now {
			return
		}
	}
	l.clean(l.dirty)
	l.lookAtBatches()
	second := l.passText()
	l.clean(l.dirty)
	if third := l.passText(); third != second {
		l.rt.Fatalf("a third pass changes\n%s\nto\n%s", second, third)
	}
}
