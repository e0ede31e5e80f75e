package storage

import (
	"encoding/hex"
	"math"
	"reflect"
	"slices"
	"testing"

	"kafkalab/engine/kerror"
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
	for offset := range int64(20100) {
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

// rollReason is shouldRoll for a log without damage.
func rollReason(l *Log, s *segment, p rollParams) string {
	reason, err := l.shouldRoll(s, p)
	if err != nil {
		return err.Error()
	}
	return reason
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
		if got := rollReason(f.log, f.log.active(), rollParams{size: size, first: 1, last: 1, maxTimestamp: 1000}); got != want {
			t.Errorf("%d bytes: %q, want %q", size, got, want)
		}
	}
}

func TestT17TimeRoll(t *testing.T) {
	f := rollFixture(t, 100, 1000, func(*Config) {})
	ask := func(ts int64) string {
		return rollReason(f.log, f.log.active(), rollParams{size: 1, first: 1, last: 1, maxTimestamp: ts})
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
	if got := rollReason(empty.log, empty.log.active(), rollParams{size: 1, last: 1, maxTimestamp: 99999999}); got != "" {
		t.Errorf("an empty segment: %q", got)
	}
}

// TestT17NoTimestamp: without a timestamp the segment's age counts.
func TestT17NoTimestamp(t *testing.T) {
	f := newFixture(t, withConfig(func(c *Config) { c.SegmentMs = 1000 }))
	f.append(plain(t, r(-1, "a", "b")))
	for now, want := range map[int64]string{2000: "", 2001: RollTime, 999999: RollTime} {
		f.now = now
		if got := rollReason(f.log, f.log.active(), rollParams{size: 1, first: 1, last: 1, maxTimestamp: -1}); got != want {
			t.Errorf("at %d: %q, want %q", now, got, want)
		}
	}
}

func TestT18RangeAndIndexRoll(t *testing.T) {
	f := rollFixture(t, 100, 1000, func(*Config) {})
	for last, want := range map[int64]string{2147483647: "", 2147483648: RollOffsetRange} {
		if got := rollReason(f.log, f.log.active(), rollParams{size: 1, first: 1, last: last, maxTimestamp: 1000}); got != want {
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
