package storage

import (
	"encoding/hex"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"kafkalab/engine/kerror"
	"kafkalab/engine/record"
	"kafkalab/engine/trace"
)

// The tests of this file are the vectors of Kafka's log: what its own classes
// answered, run by hand with a clock that stands still.

func wantHex(t *testing.T, what string, got []byte, want string) {
	t.Helper()
	if hex.EncodeToString(got) != want {
		t.Errorf("%s:\n got %x\nwant %s", what, got, want)
	}
}

func TestT7SmallFiles(t *testing.T) {
	wantHex(t, "index", AppendOffsetEntry(nil, IndexEntry{59, 5000}), "0000003b00001388")
	wantHex(t, "timeindex", AppendTimeEntry(nil, TimeIndexEntry{1700000000000, 59}), "0000018bcfe568000000003b")
	wantHex(t, "txnindex", AppendTxnEntry(nil, AbortedTxn{1000, 2, 6, 7}),
		"000000000000000003e8000000000000000200000000000000060000000000000007")
	p := ProducerState{
		ID: 1000, Epoch: 3, CoordinatorEpoch: 12, LastTimestamp: 1700000000000, TxnFirstOffset: NoTxn,
		Batches: []ProducerBatch{{LastSequence: 44, LastOffset: 104, OffsetDelta: 4, Timestamp: 1700000000000}},
	}
	wantHex(t, "snapshot", FormatSnapshot([]ProducerState{p}),
		"0001daff0ac50000000100000000000003e800030000002c0000000000000068000000040000018bcfe568000000000cffffffffffffffff")
	back, err := ParseSnapshot(FormatSnapshot([]ProducerState{p}))
	if err != nil || len(back) != 1 || !reflect.DeepEqual(back[0], p) {
		t.Errorf("read back as %+v, %v", back, err)
	}
	if got := len(FormatSnapshot(nil)); got != 10 {
		t.Errorf("an empty snapshot has %d bytes, want 10", got)
	}
}

func TestT8SparseIndex(t *testing.T) {
	f := newFixture(t)
	f.t8()
	live := "offset: (59,5000) (109,10000) time: (110,39) (120,69)"
	if got := f.indexText(0); got != live {
		t.Errorf("live: %s, want %s", got, live)
	}
	if err := f.log.Roll(); err != nil {
		t.Fatal(err)
	}
	rolled := live + " (130,119)"
	if got := f.indexText(0); got != rolled {
		t.Errorf("rolled: %s, want %s", got, rolled)
	}
	for _, suffix := range []string{indexSuffix, timeIndexSuffix} {
		if err := f.disk.Remove("t-0/" + FileName(0, suffix)); err != nil {
			t.Fatal(err)
		}
	}
	f.reopenUnclean(0)
	if got := f.indexText(0); got != rolled {
		t.Errorf("recovered: %s, want %s", got, rolled)
	}
	if f.log.LogEndOffset() != 130 {
		t.Errorf("log end %d, want 130", f.log.LogEndOffset())
	}
}

func TestT9IntervalEdge(t *testing.T) {
	for _, tt := range []struct {
		size int
		want []IndexEntry
	}{
		{4096, []IndexEntry{{2, 8192}, {4, 16384}, {6, 24576}}},
		{4097, []IndexEntry{{1, 4097}, {2, 8194}, {3, 12291}, {4, 16388}}},
	} {
		f := newFixture(t)
		for i := range map[int]int{4096: 8, 4097: 5}[tt.size] {
			f.append(sized(t, tt.size, 1, int64(i)))
		}
		if got := f.log.IndexEntries(0); !slices.Equal(got, tt.want) {
			t.Errorf("batches of %d bytes: %v, want %v", tt.size, got, tt.want)
		}
	}
}

func TestT10MixedSizes(t *testing.T) {
	f := newFixture(t)
	for _, size := range []int{3000, 1200, 5000, 100, 100, 4000, 100} {
		f.append(sized(t, size, 1, 1))
	}
	want := []IndexEntry{{2, 4200}, {3, 9200}, {6, 13400}}
	if got := f.log.IndexEntries(0); !slices.Equal(got, want) {
		t.Errorf("entries %v, want %v", got, want)
	}
}

func TestT11SegmentBase(t *testing.T) {
	f := newFixture(t, func(o *Options) { o.LogStartOffset, o.RecoveryPoint = 500, 500 })
	for i := range 4 {
		f.append(sized(t, 16350, 79, int64(100+i)))
	}
	want := []IndexEntry{{157, 16350}, {236, 32700}, {315, 49050}}
	if got := f.log.IndexEntries(500); !slices.Equal(got, want) {
		t.Errorf("entries %v, want %v", got, want)
	}
	if got, want := f.indexText(500), "offset: (657,16350) (736,32700) (815,49050) time: (101,657) (102,736) (103,815)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// t8Bytes is the log of vector T8 as one piece.
func t8Bytes(t *testing.T) []byte {
	t.Helper()
	f := newFixture(t)
	f.t8()
	data, err := f.log.Read(0, math.MaxInt32, f.log.LogEndOffset(), true)
	if err != nil || len(data.Records) != 13000 {
		t.Fatalf("%d bytes, %v", len(data.Records), err)
	}
	return data.Records
}

func TestT12MultiBatchAppend(t *testing.T) {
	all := t8Bytes(t)
	f := newFixture(t)
	if _, err := f.log.AppendAsFollower(all, 0); err != nil {
		t.Fatal(err)
	}
	if got, want := f.indexText(0), "offset: (59,5000) (109,10000) time: (110,39) (120,69)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestT12IndexFullHalfWay: Kafka throws with the bytes already in the file. Here
// the index stays sparser, and file and log end agree.
func TestT12IndexFullHalfWay(t *testing.T) {
	f := newFixture(t, withConfig(func(c *Config) { c.SegmentIndexBytes, c.IndexIntervalBytes = 24, 0 }))
	if _, err := f.log.AppendAsFollower(t8Bytes(t), 0); err != nil {
		t.Fatal(err)
	}
	if f.log.LogEndOffset() != 130 || f.log.Size() != 13000 {
		t.Errorf("log end %d, %d bytes", f.log.LogEndOffset(), f.log.Size())
	}
	if got, want := f.indexText(0), "offset: (19,1000) time: (105,19)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for offset := range int64(130) {
		if l, err := f.log.Lookup(offset); err != nil || !l.Found || l.Base != offset/10*10 {
			t.Fatalf("offset %d: %+v, %v", offset, l, err)
		}
	}
}

func TestT13Fetch(t *testing.T) {
	f := newFixture(t)
	f.t8()
	for _, tt := range []struct {
		offset   int64
		max      int32
		limit    int64
		minOne   bool
		position int32
		bytes    int
		base     int64
		short    bool
	}{
		{75, 2500, 130, false, 7000, 2500, 70, false},
		{75, 500, 130, true, 7000, 1000, 70, false},
		{75, 500, 130, false, 7000, 500, 70, true},
		{59, 1000, 130, false, 5000, 1000, 50, false},
		{60, 1 << 20, 130, false, 6000, 7000, 60, false},
		{0, 1 << 20, 60, false, 0, 6000, 0, false},
		{129, 1 << 20, 130, false, 12000, 1000, 120, false},
		{130, 1 << 20, 130, false, 13000, 0, 130, false},
		{60, 1 << 20, 60, true, 6000, 0, 60, false},
		{65, 1 << 20, 60, true, 6000, 0, 60, false},
		{0, 0, 130, false, 0, 0, 0, true},
	} {
		got, err := f.log.Read(tt.offset, tt.max, tt.limit, tt.minOne)
		if err != nil {
			t.Errorf("offset %d: %v", tt.offset, err)
			continue
		}
		if got.Position != tt.position || len(got.Records) != tt.bytes || got.Offset != tt.base || got.FirstIncomplete != tt.short {
			t.Errorf("offset %d, max %d, limit %d: position %d, %d bytes, base %d, short %v; want %d, %d, %d, %v", tt.offset, tt.max, tt.limit,
				got.Position, len(got.Records), got.Offset, got.FirstIncomplete, tt.position, tt.bytes, tt.base, tt.short)
		}
	}
	_, err := f.log.Read(131, 100, 130, true)
	wantCode(t, err, kerror.OffsetOutOfRange)
	if want := "Received request for offset 131 for partition t-0, but we only have log segments upto 130."; err.Message != want {
		t.Errorf("message %q, want %q", err.Message, want)
	}
}

func TestT14TimestampLookup(t *testing.T) {
	f := newFixture(t)
	f.t8()
	for _, tt := range []struct {
		target int64
		entry  TimeIndexEntry
		start  int32
		ts     int64
		offset int64
		found  bool
	}{
		{105, TimeIndexEntry{-1, 0}, 0, 105, 10, true},
		{110, TimeIndexEntry{110, 39}, 0, 110, 30, true},
		{111, TimeIndexEntry{110, 39}, 0, 120, 60, true},
		{120, TimeIndexEntry{120, 69}, 5000, 120, 60, true},
		{121, TimeIndexEntry{120, 69}, 5000, 130, 110, true},
		{130, TimeIndexEntry{120, 69}, 5000, 130, 110, true},
	} {
		got, err := f.log.LookupTimestamp(tt.target)
		if err != nil {
			t.Fatal(err)
		}
		if got.Entry != tt.entry || got.Start != tt.start || got.Timestamp != tt.ts || got.Offset != tt.offset || got.Found != tt.found {
			t.Errorf("%d: %+v", tt.target, got)
		}
		if hit := got.Scanned[len(got.Scanned)-1]; hit.Base != tt.offset {
			t.Errorf("%d: scanned into batch %d, want %d", tt.target, hit.Base, tt.offset)
		}
	}
	if got, err := f.log.LookupTimestamp(131); err != nil || got.Found || got.HasSegment {
		t.Errorf("131: %+v, %v", got, err)
	}
	if ts, offset, epoch, found := f.log.OffsetOfMaxTimestamp(); ts != 130 || offset != 110 || epoch != 0 || !found {
		t.Errorf("largest timestamp: %d at %d, epoch %d, %v", ts, offset, epoch, found)
	}
}

func TestT15WarmSection(t *testing.T) {
	if got := firstHot(2000, offsetEntrySize); got != 975 {
		t.Errorf("hot slot of 2000 entries = %d, want 975", got)
	}
	if got := firstHot(1000, offsetEntrySize); got != 0 {
		t.Errorf("hot slot of 1000 entries = %d, want 0", got)
	}
	if got := firstHot(1000, timeEntrySize); got != 1000-1-682 {
		t.Errorf("hot slot of 1000 time entries = %d, want 317", got)
	}
	c := DefaultConfig()
	if got := c.maxIndexEntries(offsetEntrySize); got != 1310720 {
		t.Errorf("%d offset entries, want 1310720", got)
	}
	if got := c.maxIndexEntries(timeEntrySize); got != 873813 {
		t.Errorf("%d time entries, want 873813", got)
	}
	x := offsetIndex{entries: make([]IndexEntry, 2000)}
	for i := range x.entries {
		x.entries[i] = IndexEntry{int32(i+1) * 10, int32(i+1) * 100}
	}
	for offset := range int32(20100) {
		slot, e := x.lookup(offset)
		if want := min(int(offset/10), 2000) - 1; slot != want || e.Position != int32(want+1)*100 {
			t.Fatalf("offset %d: slot %d, position %d; want slot %d", offset, slot, e.Position, want)
		}
	}
	first := func(target int32) (slots []int) {
		floorSlot(2000, offsetEntrySize, func(i int) int {
			slots = append(slots, i)
			return compareInt64(int64(x.entries[i].Relative), int64(target))
		})
		return slots
	}
	if got := first(9765); got[0] != 975 || got[1] != (975+1999+1)/2 {
		t.Errorf("a target above the hot slot is looked for at %v", got[:2])
	}
	if got := first(9760); got[0] != 975 || got[1] != 0 || got[2] != (0+975+1)/2 {
		t.Errorf("a target at the hot slot is looked for at %v", got[:3])
	}
}

// rollFixture is a log with one batch of a given size and timestamp.
func rollFixture(t *testing.T, size int, ts int64, change func(*Config)) *fixture {
	t.Helper()
	f := newFixture(t, withConfig(func(c *Config) {
		c.TimestampBeforeMaxMs, c.TimestampAfterMaxMs = math.MaxInt64, math.MaxInt64
		change(c)
	}))
	f.append(sized(t, size, 1, ts))
	return f
}

func TestT16SizeRoll(t *testing.T) {
	f := rollFixture(t, 1048000, 1000, func(c *Config) { c.SegmentBytes = 1048576 })
	for size, want := range map[int32]string{576: "", 577: RollSize} {
		if got := f.log.shouldRoll(f.log.active(), rollParams{size: size, first: 1, last: 1, maxTimestamp: 1000}); got != want {
			t.Errorf("%d bytes: %q, want %q", size, got, want)
		}
	}
}

func TestT17TimeRoll(t *testing.T) {
	f := rollFixture(t, 100, 1000, func(*Config) {})
	ask := func(ts int64) string {
		return f.log.shouldRoll(f.log.active(), rollParams{size: 1, first: 1, last: 1, maxTimestamp: ts})
	}
	if got := ask(604801000); got != "" {
		t.Errorf("exactly segment.ms: %q", got)
	}
	if got := ask(604801001); got != RollTime {
		t.Errorf("one more: %q", got)
	}
	f.log.active().jitterMs = 5000
	if got := ask(604796000); got != "" {
		t.Errorf("exactly segment.ms less jitter: %q", got)
	}
	if got := ask(604796001); got != RollTime {
		t.Errorf("one more: %q", got)
	}
	if got := ask(10); got != "" {
		t.Errorf("an older record: %q", got)
	}
	empty := newFixture(t, withConfig(func(c *Config) { c.SegmentMs = 1 }))
	if got := empty.log.shouldRoll(empty.log.active(), rollParams{size: 1, last: 1, maxTimestamp: 99999999}); got != "" {
		t.Errorf("an empty segment: %q", got)
	}
}

// TestT17NoTimestamp: without a timestamp the segment's age counts.
func TestT17NoTimestamp(t *testing.T) {
	f := newFixture(t, withConfig(func(c *Config) { c.SegmentMs = 1000 }))
	f.append(plain(t, r(-1, "a", "b")))
	for now, want := range map[int64]string{2000: "", 2001: RollTime, 999999: RollTime} {
		f.now = now
		if got := f.log.shouldRoll(f.log.active(), rollParams{size: 1, first: 1, last: 1, maxTimestamp: -1}); got != want {
			t.Errorf("at %d: %q, want %q", now, got, want)
		}
	}
}

func TestT18RangeAndIndexRoll(t *testing.T) {
	f := rollFixture(t, 100, 1000, func(*Config) {})
	for last, want := range map[int64]string{2147483647: "", 2147483648: RollOffsetRange} {
		if got := f.log.shouldRoll(f.log.active(), rollParams{size: 1, first: 1, last: last, maxTimestamp: 1000}); got != want {
			t.Errorf("offset %d: %q, want %q", last, got, want)
		}
	}
	c := DefaultConfig()
	c.SegmentIndexBytes = 800
	x := offsetIndex{maxEntries: c.maxIndexEntries(offsetEntrySize)}
	for !x.full() {
		x.entries = append(x.entries, IndexEntry{})
	}
	y := timeIndex{maxEntries: c.maxIndexEntries(timeEntrySize)}
	for !y.full() {
		y.entries = append(y.entries, TimeIndexEntry{})
	}
	if len(x.entries) != 100 || len(y.entries) != 65 || y.maxEntries != 66 {
		t.Errorf("full at %d and %d of %d, want 100 and 65 of 66", len(x.entries), len(y.entries), y.maxEntries)
	}
}

func TestT19TornTail(t *testing.T) {
	for _, tt := range []struct {
		cut, flip  int
		size, lost int64
		segments   int
		end        int64
	}{
		{200, -1, 179, 21, 1, 2},
		{190, -1, 179, 11, 1, 2},
		{249, 100, 78, 171, 1, 1},
		{269, -1, 249, 20, 1, 3}, // 20 zero bytes after the last batch
	} {
		f := newFixture(t)
		for i, size := range []int{78, 101, 70} {
			f.append(sized(t, size, 1, int64(10+i)))
		}
		if err := f.log.Roll(); err != nil {
			t.Fatal(err)
		}
		f.append(sized(t, 90, 1, 13))
		file, err := f.disk.OpenFile("t-0/"+FileName(0, logSuffix), 2, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := file.Truncate(int64(tt.cut)); err != nil {
			t.Fatal(err)
		}
		if tt.flip >= 0 {
			if err := f.disk.Flip("t-0/"+FileName(0, logSuffix), int64(tt.flip), 1); err != nil {
				t.Fatal(err)
			}
		}
		f.events = nil
		f.reopenUnclean(0)
		segments := f.log.Segments()
		if len(segments) != tt.segments || int64(segments[0].Bytes) != tt.size || f.log.LogEndOffset() != tt.end || f.log.RecoveryPoint() != 0 {
			t.Errorf("cut to %d: %d segments, %d bytes, log end %d, recovery point %d", tt.cut, len(segments), segments[0].Bytes, f.log.LogEndOffset(), f.log.RecoveryPoint())
		}
		recovered, ok := f.events[0].(trace.SegmentRecovered)
		if !ok || recovered.Lost != tt.lost {
			t.Errorf("cut to %d: %+v, want %d bytes lost", tt.cut, f.events[0], tt.lost)
		}
		names := files(t, f.disk, "t-0")
		if names[FileName(3, logSuffix)+deletedSuffix] == nil {
			t.Errorf("cut to %d: the later segment is not marked for deletion: %v", tt.cut, sortedNames(names))
		}
	}
}

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
