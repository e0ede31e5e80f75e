package storage

import (
	"slices"
	"testing"

	"kafkalab/engine/kerror"
	"kafkalab/engine/record"
	"kafkalab/engine/trace"
)

func TestTruncateWithinABatch(t *testing.T) {
	f := newFixture(t)
	for range 2 {
		f.append(plain(t, r(1, "A", "1"), r(1, "A", "1"), r(1, "A", "1")))
	}
	if err := f.log.TruncateTo(4); err != nil {
		t.Fatal(err)
	}
	if got, want := f.show(), "[0 88B] 0-2"; got != want || f.log.LogEndOffset() != 4 {
		t.Errorf("log end %d, %s; want 4, %s", f.log.LogEndOffset(), got, want)
	}
	f.append(plain(t, r(1, "A", "1")))
	if got, want := f.show(), "[0 158B] 0-2 4-4"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestTruncateCutsTheIndexes(t *testing.T) {
	f := newFixture(t)
	for i := range 13 {
		f.append(sized(t, 1000, 10, int64(100+i)))
	}
	if err := f.log.TruncateTo(105); err != nil {
		t.Fatal(err)
	}
	if got, want := f.indexText(0), "offset: (59,5000) time: (105,59)"; got != want || f.log.Size() != 10000 {
		t.Errorf("%s, %d bytes; want %s, 10000", got, f.log.Size(), want)
	}
	for i := range 6 {
		f.append(sized(t, 1000, 10, int64(200+i)))
	}
	// The batch that was cut off began before the entry: the count starts anew.
	if got, want := f.indexText(0), "offset: (59,5000) (164,15000) time: (105,59) (205,164)"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestTruncateSegments(t *testing.T) {
	f := newFixture(t)
	for i := range 4 {
		if i > 0 {
			if err := f.log.Roll(); err != nil {
				t.Fatal(err)
			}
		}
		f.append(idempotent(t, 1, 0, int32(2*i), r(int64(i), "a", "b"), r(int64(i), "a", "b")))
	}
	f.events = nil
	if err := f.log.TruncateTo(4); err != nil { // at the base of segment 4
		t.Fatal(err)
	}
	if got, want := f.show(), "[0 79B] 0-1 [2 79B] 2-3 [4 0B]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if p, _ := f.log.Producer(1); p.LastSequence() != 3 || len(p.Batches) != 1 {
		t.Errorf("producer %+v, want the batch up to sequence 3, from the snapshot", p)
	}
	if f.log.HighWatermark() != 4 || f.log.RecoveryPoint() != 4 {
		t.Errorf("high watermark %d, recovery point %d", f.log.HighWatermark(), f.log.RecoveryPoint())
	}
	if last := f.events[len(f.events)-1]; last != (trace.LogTruncated{Partition: "t/0", From: 8, To: 4}) {
		t.Errorf("last event %+v", last)
	}
	if len(f.log.Pending()) != 4 { // .log, both indexes and the snapshot of segment 6
		t.Errorf("pending: %v", f.log.Pending())
	}
	f.now += f.opts.Config.FileDeleteDelayMs
	if due, ok := f.log.NextDue(); !ok || due != f.now {
		t.Errorf("next due at %d, want %d", due, f.now)
	}
	if err := f.log.DeleteExpired(); err != nil {
		t.Fatal(err)
	}
	for name := range files(t, f.disk, "t-0") {
		if offset, ok := offsetOfName(name); ok && offset > 4 {
			t.Errorf("%s is left", name)
		}
	}
}

// TestTruncateToTheEnd cuts nothing, but forgets an epoch in which this replica
// wrote nothing.
func TestTruncateToTheEnd(t *testing.T) {
	f := newFixture(t)
	f.append(plain(t, r(1, "a", "b")))
	f.log.AssignEpoch(5, 1)
	if err := f.log.TruncateTo(7); err != nil {
		t.Fatal(err)
	}
	if got, want := f.log.Epochs(), []EpochStart{{0, 0}}; !slices.Equal(got, want) || f.log.LogEndOffset() != 1 {
		t.Errorf("epochs %v, log end %d", got, f.log.LogEndOffset())
	}
	if err := f.log.TruncateTo(-1); err == nil || f.log.Err() != nil {
		t.Error("a negative offset is accepted, or breaks the log")
	}
}

func TestTruncateFully(t *testing.T) {
	f := newFixture(t)
	f.append(idempotent(t, 1, 0, 0, r(1, "a", "b")))
	if err := f.log.TruncateFullyAndStartAt(100); err != nil {
		t.Fatal(err)
	}
	if got, want := f.show(), "[100 0B]"; got != want || f.log.LogStartOffset() != 100 || f.log.HighWatermark() != 100 {
		t.Errorf("%s, start %d, high watermark %d", got, f.log.LogStartOffset(), f.log.HighWatermark())
	}
	if len(f.log.Producers()) != 0 || len(f.log.Epochs()) != 0 {
		t.Errorf("producers %v, epochs %v", f.log.Producers(), f.log.Epochs())
	}
	f.append(plain(t, r(1, "a", "b")))
	f.reopen()
	if got, want := f.show(), "[100 70B] 100-100"; got != want {
		t.Errorf("reopened: %s, want %s", got, want)
	}
}

// TestTruncateFullyWithinABatch: the leader's log starts inside a batch, of
// which the follower needs the whole.
func TestTruncateFullyWithinABatch(t *testing.T) {
	leader := newFixture(t)
	for range 2 {
		leader.append(plain(t, r(1, "a", "b"), r(1, "a", "b"), r(1, "a", "b")))
	}
	if !leader.log.IncrementLogStartOffset(4) {
		t.Fatal("the log start did not move")
	}
	f := newFixture(t)
	if err := f.log.TruncateFullyAndStartAt(4); err != nil {
		t.Fatal(err)
	}
	data, err := leader.log.Read(4, 1000, 6, true)
	if err != nil {
		t.Fatal(err)
	}
	info, err := f.log.AppendAsFollower(data.Records, 0)
	wantCode(t, err, kerror.UnknownServerError)
	if info.FirstOffset != 3 || info.LastOffset != 5 || f.log.LogEndOffset() != 4 {
		t.Errorf("refused batch at %d-%d, log end %d", info.FirstOffset, info.LastOffset, f.log.LogEndOffset())
	}
	if err := f.log.TruncateFullyWithStart(info.FirstOffset, f.log.LogStartOffset()); err != nil {
		t.Fatal(err)
	}
	if _, err := f.log.AppendAsFollower(data.Records, 0); err != nil {
		t.Fatal(err)
	}
	if f.log.LogStartOffset() != 4 || f.log.LogEndOffset() != 6 || f.log.Segments()[0].Base != 3 {
		t.Errorf("start %d, end %d, %s", f.log.LogStartOffset(), f.log.LogEndOffset(), f.show())
	}
}

func TestFollower(t *testing.T) {
	f := newFixture(t, withConfig(func(c *Config) { c.MaxMessageBytes = 100 }))
	big := make([]byte, 60)
	at := func(base int64, epoch int32) []byte {
		o := record.Defaults()
		o.BaseOffset, o.LeaderEpoch = base, epoch
		o.ProducerID, o.ProducerEpoch, o.BaseSequence = 9, 0, 77
		return batchOf(t, o, rec{1, []byte("A"), big})
	}
	// A gap, a sequence number twice, more bytes than max.message.bytes: all taken.
	if _, err := f.log.AppendAsFollower(append(at(5, 3), at(10, 3)...), 3); err != nil {
		t.Fatal(err)
	}
	if got, want := f.show(), "[0 260B] 5-5 10-10"; got != want || f.log.LogEndOffset() != 11 {
		t.Errorf("%s, log end %d", got, f.log.LogEndOffset())
	}
	_, err := f.log.AppendAsFollower(at(8, 3), 3)
	wantCode(t, err, kerror.UnknownServerError)
	// A leader that is not followed yet: its batches wait.
	info, err := f.log.AppendAsFollower(append(at(20, 3), at(30, 9)...), 3)
	if err != nil || info.LastOffset != 20 || f.log.LogEndOffset() != 21 {
		t.Errorf("appended up to %d, log end %d, %v", info.LastOffset, f.log.LogEndOffset(), err)
	}
	if info, err := f.log.AppendAsFollower(at(30, 9), 3); err != nil || info.Count != 0 || f.log.LogEndOffset() != 21 {
		t.Errorf("%+v, %v", info, err)
	}
	// A cut off batch is dropped, a damaged one refuses all.
	two := append(at(21, 3), at(22, 3)...)
	if _, err := f.log.AppendAsFollower(two[:len(two)-1], 3); err != nil || f.log.LogEndOffset() != 22 {
		t.Errorf("log end %d, %v", f.log.LogEndOffset(), err)
	}
	two = append(at(22, 3), at(23, 3)...)
	two[len(two)-1] ^= 1
	_, err = f.log.AppendAsFollower(two, 3)
	wantCode(t, err, kerror.CorruptMessage)
	_, err = f.log.AppendAsFollower(append(at(25, 3), at(25, 3)...), 3)
	wantCode(t, err, kerror.UnknownServerError)
	if f.log.LogEndOffset() != 22 {
		t.Errorf("a refused append moved the log end to %d", f.log.LogEndOffset())
	}
}

// TestFollowerAfterARefusedRoll: a follower rolls for records behind a gap that
// are then refused; the log goes on.
func TestFollowerAfterARefusedRoll(t *testing.T) {
	f := newFixture(t, withConfig(func(c *Config) { c.SegmentBytes = 150 }))
	f.append(transactional(t, 1, 0, 0, r(1, "a", "b")))
	f.append(plain(t, r(1, "a", "b")))
	o := record.Defaults()
	o.BaseOffset, o.LeaderEpoch, o.ProducerID, o.ProducerEpoch, o.BaseSequence = 5, 0, 1, 0, 1
	_, err := f.log.AppendAsFollower(batchOf(t, o, r(1, "a", "b")), 0)
	wantCode(t, err, kerror.InvalidTxnState)
	if got, want := f.show(), "[0 140B] 0-0 1-1 [5 0B]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	f.append(plain(t, r(1, "a", "b")))
	if got, want := f.show(), "[0 140B] 0-0 1-1 [2 70B] 2-2"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	f.reopen()
	if f.log.LogEndOffset() != 3 {
		t.Errorf("log end %d after a restart", f.log.LogEndOffset())
	}
}

func TestMoveLogStart(t *testing.T) {
	f := newFixture(t)
	for i := range 3 {
		if i > 0 {
			if err := f.log.Roll(); err != nil {
				t.Fatal(err)
			}
		}
		f.append(plain(t, r(1, "a", "b"), r(1, "a", "b")))
	}
	f.log.UpdateHighWatermark(4)
	if f.log.IncrementLogStartOffset(5) {
		t.Error("the log start moved beyond the high watermark")
	}
	if !f.log.IncrementLogStartOffset(3) || f.log.IncrementLogStartOffset(2) || f.log.LogStartOffset() != 3 {
		t.Errorf("log start %d, want 3", f.log.LogStartOffset())
	}
	if got, want := f.show(), "[0 79B] 0-1 [2 79B] 2-3 [4 79B] 4-5"; got != want {
		t.Errorf("files go at the retention check, not before: %s", got)
	}
	if n, err := f.log.DeleteOldSegments(); n != 1 || err != nil {
		t.Errorf("%d segments deleted, %v", n, err)
	}
	if got, want := f.show(), "[2 79B] 2-3 [4 79B] 4-5"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := f.log.Epochs(), []EpochStart{{0, 3}}; !slices.Equal(got, want) {
		t.Errorf("epochs %v, want %v", got, want)
	}
	_, err := f.log.Read(2, 100, 4, true)
	wantCode(t, err, kerror.OffsetOutOfRange)
	if want := "Received request for offset 2 for partition t-0, but we only have log segments starting from offset: 3."; err.Message != want {
		t.Errorf("message %q, want %q", err.Message, want)
	}
	if data, err := f.log.Read(3, 1000, 4, true); err != nil || data.Offset != 2 || len(data.Records) != 79 {
		t.Errorf("a read within a batch gives %d bytes from %d, %v", len(data.Records), data.Offset, err)
	}
}

func TestMarkDeleted(t *testing.T) {
	f := newFixture(t)
	f.append(plain(t, r(1, "a", "b")))
	const id = "0123456789abcdef0123456789abcdef"
	dir, err := f.log.MarkDeleted(id)
	if err != nil || dir != "t-0."+id+"-delete" {
		t.Fatal(dir, err)
	}
	if topic, partition, deleted, ok := ParseDirName(dir); topic != "t" || partition != 0 || !deleted || !ok {
		t.Errorf("the name is read as %q %d %v %v", topic, partition, deleted, ok)
	}
	f.open() // a new log of the same name
	if f.log.LogEndOffset() != 0 {
		t.Errorf("the new log has %d records", f.log.LogEndOffset())
	}
	if err := RemoveFolder(f.disk, "t-0"); err == nil {
		t.Error("a live folder can be removed")
	}
	if err := RemoveFolder(f.disk, dir); err != nil {
		t.Fatal(err)
	}
	dirs, deleted, err := PartitionDirs(f.disk)
	if err != nil || !slices.Equal(dirs, []string{"t-0"}) || len(deleted) != 0 {
		t.Errorf("folders %v, deleted %v, %v", dirs, deleted, err)
	}
}

func TestEndOffsetForEpoch(t *testing.T) {
	f := newFixture(t)
	if _, err := f.log.AppendAsLeader(plain(t, r(1, "a", "b")), 3, Client); err != nil {
		t.Fatal(err)
	}
	f.log.AssignEpoch(5, 1)
	if got := string(files(t, f.disk, "t-0")[leaderEpochFile]); got != "0\n2\n3 0\n5 1\n" {
		t.Errorf("file %q", got)
	}
	for epoch, want := range map[int32][2]int64{3: {3, 1}, 4: {3, 1}, 5: {5, 1}, 9: {-1, -1}, 1: {1, 0}, -1: {-1, -1}} {
		if e, offset := f.log.EndOffsetFor(epoch); int64(e) != want[0] || offset != want[1] {
			t.Errorf("epoch %d ends at (%d, %d), want %v", epoch, e, offset, want)
		}
	}
	for offset, want := range map[int64]int32{0: 3, 1: 5, 9: 5, -1: -1} {
		if got := f.log.EpochOf(offset); got != want {
			t.Errorf("offset %d is of epoch %d, want %d", offset, got, want)
		}
	}
}
