package storage

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"kafkalab/engine/kerror"
	"kafkalab/engine/record"
	"kafkalab/engine/trace"
)

// reseal makes the checksum of a changed batch right again.
func reseal(b record.Batch) record.Batch {
	sum := b.Checksum()
	b[17], b[18], b[19], b[20] = byte(sum>>24), byte(sum>>16), byte(sum>>8), byte(sum)
	return b
}

// changed copies a batch and sets one byte.
func changed(b record.Batch, at int, to byte) record.Batch {
	c := slices.Clone(b)
	c[at] = to
	return reseal(c)
}

func TestRefusedBatches(t *testing.T) {
	one := plain(t, r(1000, "k", "v"))
	two := plain(t, r(1000, "k", "v"), r(1000, "k", "w"))
	withPid := idempotent(t, 7, 0, 0, r(1000, "k", "v"))
	based := slices.Clone(one)
	based.SetBaseOffset(4)
	broken := slices.Clone(one)
	broken[len(broken)-1] ^= 1
	noKey := plain(t, r(1000, "k", "v"), rec{1000, nil, []byte("v")})
	for _, tt := range []struct {
		name   string
		batch  record.Batch
		config func(*Config)
		want   kerror.Code
		text   string
	}{
		{"base offset", based, nil, kerror.InvalidRecord, "The baseOffset of the record batch in the append to t-0 should be 0, but it is 4"},
		{"larger than max.message.bytes", one, func(c *Config) { c.MaxMessageBytes = 69 }, kerror.MessageTooLarge,
			"The record batch size in the append to t-0 is 70 bytes which exceeds the maximum configured value of 69."},
		{"larger than segment.bytes", one, func(c *Config) { c.SegmentBytes = 69 }, kerror.RecordListTooLarge,
			"Message batch size is 70 bytes in append to partition t-0, which exceeds the maximum configured segment size of 69."},
		{"checksum", broken, nil, kerror.CorruptMessage, ""},
		{"size before checksum", broken, func(c *Config) { c.MaxMessageBytes = 69 }, kerror.MessageTooLarge, ""},
		{"cut off", one[:65], nil, kerror.CorruptMessage, ""},
		{"shorter than a header", one[:20], nil, kerror.CorruptMessage, ""},
		{"empty", nil, nil, kerror.CorruptMessage, ""},
		{"magic 1", changed(one, 16, 1), nil, kerror.CorruptMessage, ""},
		{"codec 5", changed(one, 22, 5), nil, kerror.UnknownServerError, ""},
		{"broken compression", changed(one, 22, 1), nil, kerror.UnknownServerError, ""},
		{"no records", changed(one, 60, 0), nil, kerror.InvalidRecord, "Invalid reported count for record batch: 0"},
		{"count and offsets", changed(two, 60, 1), nil, kerror.InvalidRecord, "Inconsistent batch offset range [0, 1] and count of records 1"},
		{"offset range", changed(one, 23, 0x80), nil, kerror.InvalidRecord, ""},
		{"control batch", changed(one, 22, 0x20), nil, kerror.InvalidRecord, "Clients are not allowed to write control records"},
		{"negative sequence", changed(withPid, 53, 0xff), nil, kerror.InvalidRecord, ""},
		{"offset delta", changed(one, 64, 2), nil, kerror.InvalidRecord, "Record 0 of the batch has offset delta 1, want 0"},
		{"record too long", changed(one, 61, 0x7e), nil, kerror.InvalidRecord, ""},
		{"header count", changed(one, len(one)-1, 2), nil, kerror.InvalidRecord, ""},
		{"no key", noKey, func(c *Config) { c.Compact = true }, kerror.InvalidRecord,
			"One or more records have been rejected due to 1 record errors in total, and only showing the first three errors at most: [RecordError(batchIndex=1, message='Compacted topic cannot accept message without key in topic partition t-0')]"},
		{"too old", one, func(c *Config) { c.TimestampBeforeMaxMs = 10 }, kerror.InvalidTimestamp,
			"One or more records have been rejected due to invalid timestamp"},
		{"too new", plain(t, r(9000, "k", "v")), func(c *Config) { c.TimestampAfterMaxMs = 10 }, kerror.InvalidTimestamp, ""},
		{"claims LogAppendTime", changed(one, 22, 8), func(c *Config) { c.TimestampType = record.LogAppendTime }, kerror.InvalidTimestamp, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t, withConfig(func(c *Config) {
				if tt.config != nil {
					tt.config(c)
				}
			}))
			f.now = 2000
			_, err := f.log.AppendAsLeader(tt.batch, 0, Client)
			wantCode(t, err, tt.want)
			if err != nil && tt.text != "" && err.Message != tt.text {
				t.Errorf("message %q, want %q", err.Message, tt.text)
			}
			if f.log.LogEndOffset() != 0 || f.log.Size() != 0 || f.log.Err() != nil {
				t.Errorf("log end %d, %d bytes, %v", f.log.LogEndOffset(), f.log.Size(), f.log.Err())
			}
		})
	}
}

func TestRecordErrors(t *testing.T) {
	f := newFixture(t, withConfig(func(c *Config) {
		c.Compact, c.TimestampBeforeMaxMs, c.TimestampAfterMaxMs = true, 100, 1000
	}))
	f.now = 1000
	nokey := rec{1000, nil, []byte("v")}
	info, err := f.log.AppendAsLeader(plain(t, nokey, r(1000, "k", "v"), r(500, "k", "v"), nokey), 0, Client)
	wantCode(t, err, kerror.InvalidTimestamp)
	var at []int
	for _, e := range info.RecordErrors {
		at = append(at, e.Index)
	}
	if !slices.Equal(at, []int{0, 2, 3}) {
		t.Errorf("records %v are refused, want 0, 2 and 3", at)
	}
	if want := "Timestamp 500 of message with offset 2 is out of range. The timestamp should be within [900, 2000]"; info.RecordErrors[1].Message != want {
		t.Errorf("message %q, want %q", info.RecordErrors[1].Message, want)
	}
}

// TestLargestTimestampIsCorrected: a wrong max timestamp in the header is set
// right, and nothing else changes.
func TestLargestTimestampIsCorrected(t *testing.T) {
	f := newFixture(t)
	sent := plain(t, r(1000, "k", "v"), r(1500, "k", "v"))
	wrong := slices.Clone(sent)
	wrong[42] ^= 0x40
	wrong = reseal(wrong)
	f.append(wrong)
	stored, err := f.log.BatchBytes(0)
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Clone(sent)
	want.SetPartitionLeaderEpoch(0)
	if !slices.Equal(stored, want) {
		t.Errorf("stored\n%x, want\n%x", stored, want)
	}
}

func TestLogAppendTime(t *testing.T) {
	f := newFixture(t, withConfig(func(c *Config) { c.TimestampType = record.LogAppendTime }))
	f.now = 7000
	sent := plain(t, r(10, "A", "1"), r(20, "A", "3"))
	info := f.append(sent)
	if info.LogAppendTime != 7000 || info.MaxTimestamp != 7000 {
		t.Errorf("%+v", info)
	}
	stored, err := f.log.BatchBytes(0)
	if err != nil {
		t.Fatal(err)
	}
	if err := stored.Valid(); err != nil || stored.TimestampType() != record.LogAppendTime || stored.MaxTimestamp() != 7000 || stored.BaseTimestamp() != 10 {
		t.Errorf("%v, %v at %d, base %d", err, stored.TimestampType(), stored.MaxTimestamp(), stored.BaseTimestamp())
	}
	records, err := stored.Records()
	if err != nil || records[0].Timestamp != 7000 || records[1].Timestamp != 7000 {
		t.Errorf("%+v, %v", records, err)
	}
	if ts, offset, _, found := f.log.OffsetForTimestamp(6999); ts != 7000 || offset != 0 || !found {
		t.Errorf("found %d at %d", ts, offset)
	}
}

// TestCreateTimeClearsTheBit: a producer's LogAppendTime bit means nothing to a
// CreateTime topic.
func TestCreateTimeClearsTheBit(t *testing.T) {
	f := newFixture(t)
	f.append(changed(plain(t, r(1000, "k", "v")), 22, 8))
	stored, err := f.log.BatchBytes(0)
	if err != nil || stored.TimestampType() != record.CreateTime || stored.Valid() != nil {
		t.Errorf("%v, %v", stored.TimestampType(), err)
	}
}

func TestBrokerCompression(t *testing.T) {
	for _, tt := range []struct {
		config string
		sent   record.Codec
		want   record.Codec
	}{
		{"producer", record.Gzip, record.Gzip}, {"producer", record.None, record.None},
		{"uncompressed", record.Gzip, record.None}, {"gzip", record.None, record.Gzip},
		{"lz4", record.Gzip, record.LZ4}, {"zstd", record.None, record.Zstd}, {"snappy", record.Snappy, record.Snappy},
	} {
		f := newFixture(t, withConfig(func(c *Config) { c.CompressionType = tt.config }))
		o := record.Defaults()
		o.Codec, o.ProducerID, o.ProducerEpoch, o.BaseSequence = tt.sent, 5, 1, 0
		sent := batchOf(t, o, r(1000, "k", strings.Repeat("v", 300)), r(1005, "", "x"))
		f.append(sent)
		f.append(plain(t, r(1, "k", "v")))
		stored, err := f.log.BatchBytes(0)
		if err != nil || stored.Valid() != nil || stored.Codec() != tt.want {
			t.Fatalf("%s from %v: stored as %v, %v", tt.config, tt.sent, stored.Codec(), err)
		}
		if tt.sent == tt.want && !slices.Equal(stored[61:], sent[61:]) {
			t.Errorf("%s: the block that was sent is not kept", tt.config)
		}
		got, err1 := stored.Records()
		want, err2 := sent.Records()
		if err1 != nil || err2 != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, %v; want %v, %v", tt.config, got, err1, want, err2)
		}
		if stored.ProducerID() != 5 || stored.BaseSequence() != 0 || stored.MaxTimestamp() != 1005 {
			t.Errorf("%s: producer fields are lost", tt.config)
		}
	}
}

func TestCompressedRecordTooLarge(t *testing.T) {
	o := record.Defaults()
	o.Codec = record.Gzip
	b := batchOf(t, o, r(1, "k", "v"), r(1, "k", strings.Repeat("v", 300)))
	f := newFixture(t, withConfig(func(c *Config) { c.MaxDecompressedMessageBytes = 200 }))
	info, err := f.log.AppendAsLeader(b, 0, Client)
	wantCode(t, err, kerror.InvalidRecord)
	if len(info.RecordErrors) != 0 {
		t.Errorf("%+v: Kafka stops at such a record and tells of none", info.RecordErrors)
	}
	f.append(plain(t, r(1, "k", strings.Repeat("v", 300)))) // a plain batch is not held to it
}

func TestAppendTellsWhatItDid(t *testing.T) {
	f := newFixture(t, withConfig(func(c *Config) { c.SegmentBytes = 150 }))
	f.events = nil
	f.append(plain(t, r(1000, "k", "v"), r(900, "k", "v")))
	info, err := f.log.AppendAsLeader(plain(t, r(2000, "k", strings.Repeat("v", 40))), 4, Client)
	if err != nil {
		t.Fatal(err)
	}
	want := AppendInfo{
		FirstOffset: 2, LastOffset: 2, MaxTimestamp: 2000, LogAppendTime: -1, Count: 1, Bytes: info.Bytes, Rolled: true, Segment: 2,
	}
	if fmt.Sprint(info) != fmt.Sprint(want) {
		t.Errorf("%+v, want %+v", info, want)
	}
	var got []string
	for _, e := range f.events {
		got = append(got, e.Line())
	}
	wantLines := []string{
		"notes that epoch 0 of t/0 begins at offset 0",
		"appends 2 records at offset 0-1 of t/0, 80 bytes at position 0, epoch 0",
		"notes that epoch 4 of t/0 begins at offset 2",
		"rolls t/0: segment 0 closed with 80 bytes, segment 2 begins (size)",
		"flushes t/0: recovery point from 0 to 2",
		"appends 1 record at offset 2 of t/0, 109 bytes at position 0, epoch 4",
	}
	if !slices.Equal(got, wantLines) {
		t.Errorf("events:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(wantLines, "\n"))
	}
}

func TestRollReasons(t *testing.T) {
	for _, tt := range []struct {
		reason string
		config func(*Config)
		batch  record.Batch
	}{
		{RollSize, func(c *Config) { c.SegmentBytes = 100 }, plain(t, r(1000, "k", "v"))},
		{RollTime, func(c *Config) { c.SegmentMs = 10 }, plain(t, r(1011, "k", "v"))},
		{RollOffsetIndex, func(c *Config) { c.SegmentIndexBytes = 4 }, plain(t, r(1000, "k", "v"))},
		{RollTime, func(c *Config) { c.Compact, c.MaxCompactionLagMs = true, 10 }, plain(t, r(1011, "k", "v"))},
	} {
		f := newFixture(t, withConfig(tt.config))
		f.append(plain(t, r(1000, "k", "v")))
		f.events = nil
		f.append(tt.batch)
		i := slices.IndexFunc(f.events, func(b trace.Body) bool { _, ok := b.(trace.SegmentRolled); return ok })
		if i < 0 {
			t.Errorf("%s: no roll", tt.reason)
			continue
		}
		if got := f.events[i].(trace.SegmentRolled); got.Reason != tt.reason || got.Base != 1 || got.Previous != 0 || got.Bytes != 70 {
			t.Errorf("%+v, want reason %s", got, tt.reason)
		}
	}
}

// TestRollByRange: a follower gets an offset that the active segment's indexes
// cannot hold.
func TestRollByRange(t *testing.T) {
	f := newFixture(t)
	for _, base := range []int64{0, math.MaxInt32, math.MaxInt32 + 1} {
		o := record.Defaults()
		o.BaseOffset, o.LeaderEpoch = base, 0
		if _, err := f.log.AppendAsFollower(batchOf(t, o, r(1, "k", "v")), 0); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := f.show(), "[0 140B] 0-0 2147483647-2147483647 [2147483648 70B] 2147483648-2147483648"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	f.reopenUnclean(0)
	if f.log.LogEndOffset() != math.MaxInt32+2 {
		t.Errorf("recovered to %d", f.log.LogEndOffset())
	}
}

// TestDuplicateMayRoll: the roll comes before the duplicate is found.
func TestDuplicateMayRoll(t *testing.T) {
	f := newFixture(t, withConfig(func(c *Config) { c.SegmentMs = 1000 }))
	f.append(idempotent(t, 1, 0, 0, r(1000, "a", "b")))
	f.append(idempotent(t, 1, 0, 1, r(5000, "a", "b")))
	if n := f.log.SegmentCount(); n != 2 {
		t.Errorf("%d segments, want 2", n)
	}
	info := f.append(idempotent(t, 1, 0, 1, r(99000, "a", "b")))
	if !info.Duplicate || info.FirstOffset != 1 || info.LogAppendTime != 5000 {
		t.Errorf("%+v", info)
	}
	if got, want := f.show(), "[0 70B] 0-0 [1 70B] 1-1 [2 0B]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestFlushMessages(t *testing.T) {
	f := newFixture(t, withConfig(func(c *Config) { c.FlushMessages = 3 }))
	for i := range 7 {
		f.append(plain(t, r(1, "a", "b")))
		if want := int64((i + 1) / 3 * 3); f.log.RecoveryPoint() != want {
			t.Errorf("after %d records the recovery point is %d, want %d", i+1, f.log.RecoveryPoint(), want)
		}
		if unsynced := f.disk.Unsynced("t-0/" + FileName(0, logSuffix)); unsynced != int64((i+1)%3)*70 {
			t.Errorf("after %d records %d bytes are not synced", i+1, unsynced)
		}
	}
}

func TestMarkerEpochs(t *testing.T) {
	f := newFixture(t)
	f.append(transactional(t, 1, 0, 0, r(1, "a", "b")))
	for _, tt := range []struct {
		epoch   int16
		version int16
		want    kerror.Code
	}{
		{0, 2, kerror.InvalidProducerEpoch}, // must bump
		{1, 2, kerror.None},
		{1, 2, kerror.None}, // again: nothing open, harmless
		{0, 2, kerror.InvalidProducerEpoch},
		{0, 0, kerror.InvalidProducerEpoch},
		{1, 0, kerror.None},
	} {
		wantCode(t, f.marker(1, tt.epoch, true, tt.version), tt.want)
	}
	f.log.UpdateHighWatermark(f.log.LogEndOffset())
	if f.log.LastStableOffset() != 4 {
		t.Errorf("LSO %d, want 4", f.log.LastStableOffset())
	}
	try := func(b record.Batch) kerror.Code {
		_, err := f.log.AppendAsLeader(b, 0, Client)
		if err == nil {
			return kerror.None
		}
		return err.Code
	}
	for _, tt := range []struct {
		name  string
		batch record.Batch
		want  kerror.Code
	}{
		{"data of the old epoch", transactional(t, 1, 0, 1, r(1, "a", "b")), kerror.InvalidProducerEpoch},
		{"new epoch at 1", transactional(t, 1, 1, 1, r(1, "a", "b")), kerror.OutOfOrderSequenceNumber},
		{"new epoch at 0", transactional(t, 1, 1, 0, r(1, "a", "b")), kerror.None},
		{"plain while open", idempotent(t, 1, 1, 1, r(1, "a", "b")), kerror.InvalidTxnState},
	} {
		if got := try(tt.batch); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	zombie := record.MarkerBatch(0, 1, -1, 1, 2, record.EndTxnMarker{Type: record.Commit, CoordinatorEpoch: -1})
	_, err := f.log.AppendAsLeader(zombie, 0, Coordinator)
	wantCode(t, err, kerror.TransactionCoordinatorFenced)
}

// TestVerificationGuard: without the guard that the leader gave before it asked
// the coordinator, a transaction cannot begin; a marker in between takes the
// guard away.
func TestVerificationGuard(t *testing.T) {
	f := newFixture(t)
	begin := func(g Guard, seq int32) *kerror.Error {
		_, err := f.log.AppendWith(transactional(t, 1, 0, seq, r(1, "a", "b")), 0, AppendOptions{Verify: true, Guard: g})
		return err
	}
	wantCode(t, begin(NoGuard, 0), kerror.InvalidTxnState)
	g := f.log.StartVerification(1, 0, 0, false)
	if again := f.log.StartVerification(1, 0, 0, false); again != g || g == NoGuard {
		t.Errorf("asking again gives guard %d, not %d", again, g)
	}
	wantCode(t, begin(g+1, 0), kerror.InvalidTxnState)
	f.mustMarker(1, 0, false)
	wantCode(t, begin(g, 0), kerror.InvalidTxnState)
	g = f.log.StartVerification(1, 0, 0, false)
	wantCode(t, begin(g, 0), kerror.None)
	wantCode(t, begin(NoGuard, 1), kerror.None) // it is open now
	if !f.log.HasOngoingTransaction(1, 0) || f.log.StartVerification(1, 0, 2, false) != NoGuard {
		t.Error("an open transaction is to be verified")
	}
	// A producer of transaction version 2 without state must begin at 0, and no
	// batch may overtake one that is being verified.
	g = f.log.StartVerification(2, 0, 3, true)
	_, err := f.log.AppendWith(transactional(t, 2, 0, 3, r(1, "a", "b")), 0, AppendOptions{Verify: true, Guard: g})
	wantCode(t, err, kerror.OutOfOrderSequenceNumber)
	g = f.log.StartVerification(3, 0, 5, false)
	_, err = f.log.AppendWith(transactional(t, 3, 0, 6, r(1, "a", "b")), 0, AppendOptions{Verify: true, Guard: g})
	wantCode(t, err, kerror.OutOfOrderSequenceNumber)
}

func TestRaftLeaderKeepsItsOffsets(t *testing.T) {
	f := newFixture(t)
	o := record.Defaults()
	o.BaseOffset, o.LeaderEpoch = 0, 3
	b := batchOf(t, o, r(1, "k", "v"), r(1, "k", "v"))
	if _, err := f.log.AppendAsLeader(b, 3, RaftLeader); err != nil {
		t.Fatal(err)
	}
	_, err := f.log.AppendAsLeader(b, 3, RaftLeader)
	wantCode(t, err, kerror.UnknownServerError)
	o.BaseOffset = 2
	_, err = f.log.AppendAsLeader(batchOf(t, o, r(1, "k", "v")), 4, RaftLeader)
	wantCode(t, err, kerror.InvalidRecord)
	if f.log.LogEndOffset() != 2 {
		t.Errorf("log end %d, want 2", f.log.LogEndOffset())
	}
}

func TestDuplicatesAfterRestart(t *testing.T) {
	for _, clean := range []bool{true, false} {
		f := newFixture(t)
		for i := range int32(5) {
			f.append(idempotent(t, 1, 0, i, r(900, "A", "1")))
		}
		if clean {
			f.reopen()
		} else {
			f.reopenUnclean(0)
		}
		if got := f.seqTry(1, 0, 4, 1); got != "4-4 leo=5 duplicate" {
			t.Errorf("clean %v: the last batch again: %s", clean, got)
		}
		if got := f.seqTry(1, 0, 3, 1); got != "OUT_OF_ORDER_SEQUENCE_NUMBER" {
			t.Errorf("clean %v: the one before: %s", clean, got)
		}
	}
}

func TestExpiredProducersAreNotLoaded(t *testing.T) {
	f := newFixture(t)
	f.append(idempotent(t, 1, 0, 0, r(1000, "A", "1")))
	f.now = 1000 + defaultProducerExpirationMs
	f.reopen()
	if got := f.seqTry(1, 0, 0, 1); got != "1-1 leo=2" {
		t.Errorf("a producer forgotten by its records' timestamps: %s", got)
	}
}

func TestOpenTransactionSurvivesRestart(t *testing.T) {
	for _, clean := range []bool{true, false} {
		f := newFixture(t)
		f.append(plain(t, r(1000, "A", "1")))
		f.append(transactional(t, 1, 0, 0, r(1000, "A", "1")))
		f.append(plain(t, r(1000, "A", "1")))
		if clean {
			f.reopen()
		} else {
			f.reopenUnclean(0)
		}
		f.log.UpdateHighWatermark(3)
		if f.log.LastStableOffset() != 1 || len(f.log.OpenTxns()) != 1 {
			t.Errorf("clean %v: LSO %d, open %v", clean, f.log.LastStableOffset(), f.log.OpenTxns())
		}
		f.mustMarker(1, 0, false)
		f.log.UpdateHighWatermark(4)
		if got, want := f.log.AbortedTxns(0), []AbortedTxn{{1, 1, 3, 4}}; !slices.Equal(got, want) || f.log.LastStableOffset() != 4 {
			t.Errorf("clean %v: %v, LSO %d", clean, got, f.log.LastStableOffset())
		}
	}
}
