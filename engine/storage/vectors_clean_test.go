package storage

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kafkalab/engine/kerror"
	"kafkalab/engine/record"
)

// passText shows what a pass left: each segment's base and batches, with the
// records' offsets, keys and values, and what the batch carries besides.
func (f *fixture) passText() string {
	f.t.Helper()
	var out []string
	for _, s := range f.log.segments {
		text := fmt.Sprintf("[%d]", s.base)
		data, err := s.read(0, int(s.size))
		if err != nil {
			f.t.Fatal(err)
		}
		for rest := []byte(data); len(rest) > 0; {
			b, err := record.Next(rest)
			if err != nil {
				f.t.Fatal(err)
			}
			rest = rest[len(b):]
			text += " " + batchText(f.t, b)
		}
		for _, a := range s.aborted.entries {
			text += fmt.Sprintf(" aborted(%d,%d,%d,%d)", a.ProducerID, a.FirstOffset, a.LastOffset, a.LastStableOffset)
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

// batchText is a batch's range if it has more than one offset, its marker or
// records, and its delete horizon.
func batchText(t testing.TB, b record.Batch) string {
	t.Helper()
	text := ""
	if b.LastOffset() > b.BaseOffset() {
		text = fmt.Sprintf("%d-%d:", b.BaseOffset(), b.LastOffset())
	}
	list, err := b.Records()
	if err != nil {
		t.Fatal(err)
	}
	var records []string
	for _, r := range list {
		value := string(r.Value)
		if r.Value == nil {
			value = "null"
		}
		if b.IsControl() {
			kind, _ := record.ControlTypeOf(b)
			records = append(records, fmt.Sprintf("%d=%v", r.Offset, kind))
			continue
		}
		records = append(records, fmt.Sprintf("%d:%s=%s", r.Offset, r.Key, value))
	}
	if len(list) == 0 {
		records = append(records, fmt.Sprintf("empty(%dB)", len(b)))
	}
	text += strings.Join(records, ",")
	if ms, set := b.DeleteHorizon(); set {
		text += fmt.Sprintf("(%d)", ms)
	}
	return text
}

func (f *fixture) wantPass(what, want string) {
	f.t.Helper()
	if got := f.passText(); got != want {
		f.t.Errorf("%s: %s\nwant %s", what, got, want)
	}
}

// Vector T20: segments go from the oldest on while what is left has at least
// retention.bytes. Sizes are twice those of the vector: no batch has 50 bytes.
func TestVectorT20SizeRetention(t *testing.T) {
	for _, test := range []struct {
		limit         int64
		deleted, left int64
	}{{500, 1, 500}, {520, 0, 700}, {300, 2, 300}, {700, 0, 700}, {501, 0, 700}, {499, 1, 500}} {
		f := newFixture(t, withConfig(func(c *Config) { c.RetentionBytes, c.RetentionMs = test.limit, -1 }))
		for _, bytes := range []int{200, 200, 200, 100} {
			if f.log.Size() > 0 {
				f.roll()
			}
			f.append(sized(t, bytes, 1, 1000))
		}
		n, err := f.log.DeleteOldSegments()
		if err != nil || int64(n) != test.deleted || f.log.Size() != test.left || f.log.LogStartOffset() != test.deleted {
			t.Errorf("limit %d: %d deleted, %d B left, start %d, %v; want %d and %d B", test.limit, n, f.log.Size(), f.log.LogStartOffset(), err, test.deleted, test.left)
		}
	}
}

// Vector T21: time retention looks at a segment's largest timestamp, stops at
// the first segment that is young enough, and never goes beyond the high
// watermark. When all are too old an empty segment at the log end is left.
func TestVectorT21TimeRetention(t *testing.T) {
	for _, test := range []struct {
		name   string
		ms     []int64
		hw     int64
		want   int
		left   string
		second int // deleted when the high watermark has come to the end
	}{
		{"only the first", []int64{8000, 9500, 8500, 9900}, 4, 1, "1:70 2:70 3:70", 0},
		{"equal is not over", []int64{9000, 9500, 8500, 9900}, 4, 0, "0:70 1:70 2:70 3:70", 0},
		{"all", []int64{8999, 8000, 8500, 8900}, 4, 4, "4:0", 0},
		{"high watermark below the next base", []int64{8000, 9500, 8500, 9900}, 0, 0, "0:70 1:70 2:70 3:70", 1},
		{"high watermark at the next base", []int64{8000, 9500, 8500, 9900}, 1, 1, "1:70 2:70 3:70", 0},
	} {
		f := newFixture(t, withConfig(func(c *Config) { c.RetentionMs = 1000 }))
		for i, ms := range test.ms {
			if i > 0 {
				f.roll()
			}
			f.append(plain(t, r(ms, "a", "b")))
		}
		f.log.UpdateHighWatermark(test.hw)
		f.now = 10_000
		n, err := f.log.DeleteOldSegments()
		if got := f.segmentsText(); n != test.want || err != nil || got != test.left || f.log.LogStartOffset() != int64(n) || f.log.LogEndOffset() != 4 {
			t.Errorf("%s: %d deleted, %v, left %s, start %d; want %d, %s", test.name, n, err, got, f.log.LogStartOffset(), test.want, test.left)
		}
		f.log.UpdateHighWatermark(4)
		if n, _ := f.log.DeleteOldSegments(); n != test.second {
			t.Errorf("%s: %d deleted at the second check, want %d", test.name, n, test.second)
		}
	}
}

// Vector T25: what is left of a batch keeps its base offset and last offset, so
// that a reader who asks for an offset inside gets the whole batch.
func TestVectorT25PartOfABatch(t *testing.T) {
	f := newFixture(t, func(o *Options) { o.Config.Compact, o.Config.Delete, o.LogStartOffset = true, false, 10 })
	f.append(plain(t, r(1, "A", "1"), r(2, "B", "2"), r(3, "A", "3"), r(4, "C", "4"), r(5, "A", "5")))
	f.append(plain(t, r(6, "A", "6")))
	f.roll()
	f.append(plain(t, r(7, "Z", "z")))
	if stats := f.clean(NoOffset); stats.EndOffset != 16 {
		t.Errorf("cleaned up to %d, want 16", stats.EndOffset)
	}
	f.wantPass("after the pass", "[10] 10-14:11:B=2,13:C=4 15:A=6 [16] 16:Z=z")
	data, kerr := f.log.Read(12, 1000, f.log.HighWatermark(), true)
	if kerr != nil {
		t.Fatal(kerr)
	}
	first, err := record.Next(data.Records)
	if err != nil || data.Offset != 10 || first.BaseOffset() != 10 || first.LastOffsetDelta() != 4 || first.Count() != 2 || first.MaxTimestamp() != 4 {
		t.Errorf("fetch at 12: offset %d, batch at %d, %d records, %v", data.Offset, first.BaseOffset(), first.Count(), err)
	}
}

// expiring makes producers be forgotten at once, as T26 to T28 want it.
func expiring(o *Options) {
	o.Config.Compact, o.Config.Delete, o.ProducerIDExpirationMs = true, false, 1
}

// Vector T26 with T5: of a live producer the batch with its last data offset
// stays, emptied if nothing in it is needed; when it is forgotten that goes too.
func TestVectorT26LiveProducer(t *testing.T) {
	for _, test := range []struct {
		expired bool
		want    string
	}{
		{false, "[0] 0-1:empty(61B) 2:A=3 3:B=4 [4] 4:Z=z"},
		{true, "[0] 2:A=3 3:B=4 [4] 4:Z=z"},
	} {
		f := newFixture(t, func(o *Options) { o.Config.Compact, o.Config.Delete = true, false })
		if test.expired {
			f = newFixture(t, expiring)
		}
		f.append(idempotent(t, 1, 0, 0, r(10, "A", "1"), r(10, "B", "2")))
		f.append(idempotent(t, 2, 0, 0, r(10, "A", "3")))
		f.append(idempotent(t, 2, 0, 1, r(10, "B", "4")))
		f.roll()
		f.append(plain(t, r(11, "Z", "z")))
		f.log.ExpireProducers()
		f.clean(NoOffset)
		f.wantPass(fmt.Sprint("expired ", test.expired), test.want)
		if test.expired {
			continue
		}
		empty, err := f.log.BatchBytes(0)
		if err != nil || empty.BaseTimestamp() != -1 || empty.MaxTimestamp() != 10 || empty.ProducerID() != 1 || empty.BaseSequence() != 0 || empty.LastSequence() != 1 {
			t.Errorf("the empty batch: %x, %v", []byte(empty), err)
		}
		if _, kerr := f.log.AppendAsLeader(idempotent(t, 1, 0, 3, r(12, "A", "5")), 0, Client); kerr == nil || kerr.Code != kerror.OutOfOrderSequenceNumber {
			t.Errorf("a gap in its sequence: %v", kerr)
		}
	}
}

// Vector T27: the marker of a committed transaction stays while data of it was
// met, gets its horizon in the next pass, and goes in one at the horizon.
func TestVectorT27CommittedTransaction(t *testing.T) {
	f := newFixture(t, expiring)
	f.append(transactional(t, 1, 0, 0, r(1, "A", "1")))
	f.mustMarker(1, 0, true)
	f.append(plain(t, r(1, "A", "2")))
	f.log.ExpireProducers()
	f.roll()
	f.append(plain(t, r(1, "k3", "x")))
	dirty := int64(NoOffset)
	for _, pass := range []struct {
		now  int64
		want string
		next string // key of the record that follows, in a segment of its own
	}{
		{1000, "[0] 1=COMMIT 2:A=2 [3] 3:k3=x", "k4"},
		{2000, "[0] 1=COMMIT(86402000) 2:A=2 3:k3=x [4] 4:k4=x", "k5"},
		{86401999, "[0] 1=COMMIT(86402000) 2:A=2 3:k3=x 4:k4=x [5] 5:k5=x", "k6"},
		{86402000, "[0] 2:A=2 3:k3=x 4:k4=x 5:k5=x [6] 6:k6=x", ""},
	} {
		f.now = pass.now
		dirty = f.clean(dirty).EndOffset
		f.wantPass(fmt.Sprint("pass at ", pass.now), pass.want)
		if pass.next != "" {
			f.roll()
			f.append(plain(t, r(1, pass.next, "x")))
		}
	}
}

// Vector T28: data of an aborted transaction goes in the first pass and
// supersedes nothing; its index entry goes when the marker gets its horizon.
func TestVectorT28AbortedTransaction(t *testing.T) {
	f := newFixture(t, expiring)
	f.append(transactional(t, 1, 0, 0, r(1, "A", "1")))
	f.append(plain(t, r(1, "A", "p")))
	f.append(transactional(t, 1, 0, 1, r(1, "A", "2")))
	f.mustMarker(1, 0, false)
	f.log.UpdateHighWatermark(f.log.LogEndOffset())
	f.log.ExpireProducers()
	f.roll()
	f.append(plain(t, r(1, "k4", "x")))
	if got := f.log.AbortedTxns(0); !slices.Equal(got, []AbortedTxn{{1, 0, 3, 4}}) {
		t.Fatalf("transaction index %v", got)
	}
	dirty := int64(NoOffset)
	for _, pass := range []struct {
		now        int64
		want, next string
	}{
		{1000, "[0] 1:A=p 3=ABORT aborted(1,0,3,4) [4] 4:k4=x", "k5"},
		{2000, "[0] 1:A=p 3=ABORT(86402000) 4:k4=x [5] 5:k5=x", "k6"},
		{86402000, "[0] 1:A=p 4:k4=x 5:k5=x [6] 6:k6=x", ""},
	} {
		f.now = pass.now
		dirty = f.clean(dirty).EndOffset
		f.wantPass(fmt.Sprint("pass at ", pass.now), pass.want)
		if pass.next != "" {
			f.roll()
			f.append(plain(t, r(1, pass.next, "x")))
		}
	}
}
