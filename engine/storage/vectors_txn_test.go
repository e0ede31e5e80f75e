package storage

import (
	"fmt"
	"slices"
	"testing"

	"kafkalab/engine/record"
)

// seqTry appends a batch of one record for each sequence number from first to
// last.
func (f *fixture) seqTry(pid int64, epoch int16, first int32, n int) string {
	f.t.Helper()
	records := make([]rec, n)
	for i := range records {
		records[i] = r(1000, "k", "v")
	}
	info, err := f.log.AppendAsLeader(idempotent(f.t, pid, epoch, first, records...), 0, Client)
	f.log.UpdateHighWatermark(f.log.LogEndOffset())
	if err != nil {
		return err.Code.String()
	}
	text := fmt.Sprintf("%d-%d leo=%d", info.FirstOffset, info.LastOffset, f.log.LogEndOffset())
	if info.Duplicate {
		text += " duplicate"
	}
	return text
}

func TestT31Sequences(t *testing.T) {
	f := newFixture(t)
	const outOfOrder, oldEpoch = "OUT_OF_ORDER_SEQUENCE_NUMBER", "INVALID_PRODUCER_EPOCH"
	for i, tt := range []struct {
		epoch       int16
		first, last int32
		want        string
	}{
		{0, 0, 4, "0-4 leo=5"},
		{0, 5, 9, "5-9 leo=10"},
		{0, 0, 4, "0-4 leo=10 duplicate"},
		{0, 11, 12, outOfOrder},
		{0, 5, 7, outOfOrder},
		{0, 10, 10, "10-10 leo=11"},
		{0, 11, 11, "11-11 leo=12"},
		{0, 12, 12, "12-12 leo=13"},
		{0, 13, 13, "13-13 leo=14"},
		{0, 14, 14, "14-14 leo=15"},
		{0, 5, 9, outOfOrder},
		{0, 10, 10, "10-10 leo=15 duplicate"},
		{1, 3, 3, outOfOrder},
		{1, 0, 0, "15-15 leo=16"},
		{0, 15, 15, oldEpoch},
	} {
		if got := f.seqTry(1000, tt.epoch, tt.first, int(tt.last-tt.first)+1); got != tt.want {
			t.Errorf("%d: epoch %d [%d-%d]: %s, want %s", i, tt.epoch, tt.first, tt.last, got, tt.want)
		}
	}
	if got := f.seqTry(2000, 0, 42, 1); got != "16-16 leo=17" {
		t.Errorf("new producer at 42: %s", got)
	}
}

func TestT32SequenceWrap(t *testing.T) {
	f := newFixture(t)
	for _, tt := range []struct {
		pid   int64
		first int32
		n     int
		want  string
	}{
		{3000, 2147483645, 1, "0-0 leo=1"},
		{3000, 2147483646, 4, "1-4 leo=5"},
		{3000, 2, 1, "5-5 leo=6"},
		{4000, 2147483647, 1, "6-6 leo=7"},
		{4000, 0, 1, "7-7 leo=8"},
	} {
		if got := f.seqTry(tt.pid, 0, tt.first, tt.n); got != tt.want {
			t.Errorf("producer %d at %d: %s, want %s", tt.pid, tt.first, got, tt.want)
		}
	}
	p, _ := f.log.Producer(3000)
	if p.LastSequence() != 2 || p.Batches[1].LastSequence != 1 || p.Batches[1].FirstSequence() != 2147483646 {
		t.Errorf("%+v", p)
	}
}

func TestT33Expiry(t *testing.T) {
	f := newFixture(t)
	f.append(idempotent(t, 1, 0, 0, r(1000000, "a", "b")))
	f.append(transactional(t, 2, 0, 0, r(1000000, "a", "b")))
	for _, tt := range []struct {
		now  int64
		want int
	}{{87399999, 2}, {87400000, 1}} {
		f.now = tt.now
		f.log.ExpireProducers()
		if got := len(f.log.Producers()); got != tt.want {
			t.Errorf("at %d: %d producers, want %d", tt.now, got, tt.want)
		}
	}
	b := record.MarkerBatch(0, 87500000, -1, 2, 0, record.EndTxnMarker{Type: record.Commit})
	if _, err := f.log.AppendAsLeader(b, 0, Coordinator); err != nil {
		t.Fatal(err)
	}
	if p, ok := f.log.Producer(2); !ok || p.LastTimestamp != 87500000 {
		t.Errorf("after its marker: %+v, %v", p, ok)
	}
}

// txnStep is an append of a scripted transaction log: a producer's record, its
// commit or abort, or a plain record.
type txnStep struct {
	what string // txn, commit, abort, plain
	pid  int64
}

func (f *fixture) txnStep(s txnStep, seq map[int64]int32) {
	f.t.Helper()
	switch s.what {
	case "plain":
		if _, err := f.log.AppendAsLeader(plain(f.t, r(1, "a", "b")), 0, Client); err != nil {
			f.t.Fatal(err)
		}
	case "txn":
		if _, err := f.log.AppendAsLeader(transactional(f.t, s.pid, 0, seq[s.pid], r(1, "a", "b")), 0, Client); err != nil {
			f.t.Fatal(err)
		}
		seq[s.pid]++
	default:
		f.mustMarker(s.pid, 0, s.what == "commit")
	}
}

var t34Steps = []txnStep{{"txn", 1}, {"plain", 0}, {"txn", 2}, {"txn", 1}, {"commit", 1}, {"txn", 2}, {"abort", 2}, {"plain", 0}}

func TestT34LastStableOffset(t *testing.T) {
	f := newFixture(t)
	marks := [][3]int64{{4, 4, 0}, {5, 4, 0}, {5, 5, 2}, {7, 5, 2}, {7, 6, 2}, {7, 7, 7}, {8, 8, 8}} // log end, high watermark, LSO
	seq := map[int64]int32{}
	for _, s := range t34Steps {
		f.txnStep(s, seq)
		for _, m := range marks {
			if m[0] != f.log.LogEndOffset() {
				continue
			}
			f.log.UpdateHighWatermark(m[1])
			if got := f.log.LastStableOffset(); got != m[2] {
				t.Errorf("log end %d, high watermark %d: LSO %d, want %d", m[0], m[1], got, m[2])
			}
		}
	}
	if got, want := f.log.AbortedTxns(0), []AbortedTxn{{2, 2, 6, 7}}; !slices.Equal(got, want) {
		t.Errorf("transaction index %v, want %v", got, want)
	}
	if got, want := f.committed(0), []int64{0, 1, 3, 7}; !slices.Equal(got, want) {
		t.Errorf("read_committed from 0: %v, want %v", got, want)
	}
	if got, want := f.committed(5), []int64{7}; !slices.Equal(got, want) {
		t.Errorf("read_committed from 5: %v, want %v", got, want)
	}
	data, err := f.log.Read(7, 1<<20, f.log.LastStableOffset(), true)
	if err != nil {
		t.Fatal(err)
	}
	if got := f.log.CollectAborted(7, data); len(got) != 0 {
		t.Errorf("aborted transactions from 7: %v, want none", got)
	}
}

// committed reads as a read_committed consumer does, and gives the offsets that
// reach the application.
func (f *fixture) committed(from int64) []int64 {
	f.t.Helper()
	var out []int64
	active := map[int64]bool{}
	for from < f.log.LastStableOffset() {
		data, err := f.log.Read(from, 1<<20, f.log.LastStableOffset(), true)
		if err != nil {
			f.t.Fatal(err)
		}
		aborted := f.log.CollectAborted(from, data)
		slices.SortFunc(aborted, func(a, b AbortedTxn) int { return compareInt64(a.FirstOffset, b.FirstOffset) })
		for rest := data.Records; len(rest) > 0; {
			b, err := record.Next(rest)
			if err != nil {
				break // cut off
			}
			rest = rest[len(b):]
			for len(aborted) > 0 && aborted[0].FirstOffset <= b.LastOffset() {
				active[aborted[0].ProducerID] = true
				aborted = aborted[1:]
			}
			from = max(from, b.NextOffset())
			if b.IsControl() {
				if m, err := b.Marker(); err == nil && m.Type == record.Abort {
					delete(active, b.ProducerID())
				}
				continue
			}
			if b.IsTransactional() && active[b.ProducerID()] {
				continue
			}
			for o := b.BaseOffset(); o <= b.LastOffset(); o++ {
				out = append(out, o)
			}
		}
	}
	return out
}

func TestT35NestedAborts(t *testing.T) {
	f := newFixture(t)
	seq := map[int64]int32{}
	for _, s := range []txnStep{{"txn", 1}, {"txn", 2}, {"abort", 2}, {"txn", 3}, {"abort", 1}, {"txn", 3}, {"commit", 3}, {"plain", 0}} {
		f.txnStep(s, seq)
	}
	if got, want := f.log.AbortedTxns(0), []AbortedTxn{{2, 1, 2, 0}, {1, 0, 4, 3}}; !slices.Equal(got, want) {
		t.Errorf("transaction index %v, want %v", got, want)
	}
	var lso []int64
	for hw := range int64(9) {
		f.log.UpdateHighWatermark(hw)
		lso = append(lso, f.log.LastStableOffset())
	}
	if want := []int64{0, 0, 0, 0, 0, 3, 3, 7, 8}; !slices.Equal(lso, want) {
		t.Errorf("LSO %v, want %v", lso, want)
	}
	for _, tt := range []struct {
		from, upper int64
		want        []AbortedTxn
	}{
		{0, 8, []AbortedTxn{{2, 1, 2, 0}, {1, 0, 4, 3}}},
		{2, 5, []AbortedTxn{{2, 1, 2, 0}, {1, 0, 4, 3}}},
		{3, 8, []AbortedTxn{{1, 0, 4, 3}}},
		{5, 8, nil},
	} {
		if got := f.log.AbortedBetween(0, tt.from, tt.upper); !slices.Equal(got, tt.want) {
			t.Errorf("[%d,%d): %v, want %v", tt.from, tt.upper, got, tt.want)
		}
	}
	if got, want := f.committed(0), []int64{3, 5, 7}; !slices.Equal(got, want) {
		t.Errorf("read_committed: %v, want %v", got, want)
	}
}

func TestT36ProducerIDReuse(t *testing.T) {
	f := newFixture(t)
	seq := map[int64]int32{}
	for _, s := range []txnStep{{"txn", 1}, {"abort", 1}, {"txn", 1}, {"commit", 1}} {
		f.txnStep(s, seq)
	}
	f.log.UpdateHighWatermark(4)
	if got, want := f.log.AbortedTxns(0), []AbortedTxn{{1, 0, 1, 2}}; !slices.Equal(got, want) {
		t.Errorf("transaction index %v, want %v", got, want)
	}
	if got, want := f.committed(0), []int64{2}; !slices.Equal(got, want) {
		t.Errorf("read_committed: %v, want %v", got, want)
	}
	bare := newFixture(t)
	bare.mustMarker(1, 0, false)
	bare.log.UpdateHighWatermark(1)
	if len(bare.log.AbortedTxns(0)) != 0 || bare.log.LastStableOffset() != 1 {
		t.Errorf("a marker without data: %v, LSO %d", bare.log.AbortedTxns(0), bare.log.LastStableOffset())
	}
}

func TestT41LeaderEpochs(t *testing.T) {
	f := newFixture(t)
	c := f.log.epochs
	for _, e := range []EpochStart{{1, 0}, {2, 10}, {3, 10}} {
		if _, err := c.assign(e.Epoch, e.Start); err != nil {
			t.Fatal(err)
		}
	}
	steps := []struct {
		name string
		do   func() error
		want []EpochStart
	}{
		{"assign", func() error { return nil }, []EpochStart{{1, 0}, {3, 10}}},
		{"truncateFromStart(5)", func() error { return c.truncateFromStart(5) }, []EpochStart{{1, 5}, {3, 10}}},
		{"truncateFromEnd(10)", func() error { return c.truncateFromEnd(10) }, []EpochStart{{1, 5}}},
	}
	for _, s := range steps {
		if err := s.do(); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(c.list, s.want) {
			t.Errorf("%s: %v, want %v", s.name, c.list, s.want)
		}
	}
	if got := string(files(t, f.disk, "t-0")[leaderEpochFile]); got != "0\n1\n1 5\n" {
		t.Errorf("file %q", got)
	}
	for _, e := range []EpochStart{{5, 20}, {5, 30}} {
		if _, err := c.assign(e.Epoch, e.Start); err != nil {
			t.Fatal(err)
		}
	}
	if want := []EpochStart{{1, 5}, {5, 20}}; !slices.Equal(c.list, want) {
		t.Errorf("assigning an epoch again: %v, want %v", c.list, want)
	}
}
