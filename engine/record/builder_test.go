package record

import (
	"bytes"
	"math"
	"testing"
)

// appendAll adds records or ends the test.
func appendAll(t testing.TB, b *Builder, records ...Record) {
	t.Helper()
	for _, r := range records {
		if err := b.AppendAt(r.Offset, r.Timestamp, r.Key, r.Value, r.Headers); err != nil {
			t.Fatal(err)
		}
	}
}

func TestBuilderMatchesKafka(t *testing.T) {
	plain := Defaults()
	idempotent := Defaults()
	idempotent.BaseOffset, idempotent.LeaderEpoch = 100, 7
	idempotent.ProducerID, idempotent.ProducerEpoch, idempotent.BaseSequence = 1000, 3, 40
	cleaned := Defaults()
	cleaned.BaseOffset, cleaned.LeaderEpoch = 4, 0
	cleaned.DeleteHorizon, cleaned.HasDeleteHorizon = 1700086401000, true
	tests := []struct {
		name    string
		opts    Options
		records []Record
		want    string
	}{
		{"one record", plain, []Record{{Timestamp: epoch2023, Key: []byte("k"), Value: []byte("v")}}, oneRecord},
		{"three records", idempotent, []Record{
			{Offset: 100, Timestamp: epoch2023, Key: []byte("k"), Value: []byte("v")},
			{
				Offset: 101, Timestamp: epoch2023 + 5, Value: []byte("hello"),
				Headers: []Header{{"h1", []byte("x")}, {"h2", nil}},
			},
			{Offset: 102, Timestamp: epoch2023 - 7, Key: []byte("key")},
		}, threeRecords},
		{"tombstone with horizon", cleaned, []Record{{Offset: 4, Timestamp: epoch2023, Key: []byte("K2")}}, tombstone},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := NewBuilder(tt.opts)
			appendAll(t, b, tt.records...)
			if b.Size() != len(tt.want)/2 || b.Count() != len(tt.records) {
				t.Errorf("size %d, count %d before the end", b.Size(), b.Count())
			}
			if got := b.Build(); !bytes.Equal(got, unhex(t, tt.want)) {
				t.Errorf("\n got %x\nwant %s", got, tt.want)
			}
		})
	}
}

func TestMarkersMatchKafka(t *testing.T) {
	// order: each is tested alone
	for want, m := range map[string]EndTxnMarker{
		abortMarker: {Abort, 12}, commitMarker: {Commit, 12},
	} {
		got := MarkerBatch(103, epoch2023, 7, 1000, 3, m)
		if !bytes.Equal(got, unhex(t, want)) {
			t.Errorf("%v\n got %x\nwant %s", m.Type, got, want)
		}
		if back, err := got.Marker(); err != nil || back != m {
			t.Errorf("read back as %+v, %v", back, err)
		}
		if !got.IsControl() || !got.IsTransactional() || got.LastSequence() != NoSequence {
			t.Errorf("control %v, transactional %v, last sequence %d", got.IsControl(), got.IsTransactional(), got.LastSequence())
		}
	}
}

func TestEmptyBatchMatchesKafka(t *testing.T) {
	opts := Defaults()
	opts.BaseOffset, opts.LeaderEpoch = 10, 0
	opts.ProducerID, opts.ProducerEpoch, opts.BaseSequence = 1000, 0, 0
	b := NewBuilder(opts)
	for i := range int64(5) {
		appendAll(t, b, Record{Offset: 10 + i, Timestamp: epoch2023 - 4 + i, Key: []byte{byte(i)}})
	}
	got := EmptyBatch(b.Build())
	if !bytes.Equal(got, unhex(t, emptied)) {
		t.Errorf("\n got %x\nwant %s", got, emptied)
	}
	if got.LastOffset() != 14 || got.LastSequence() != 4 {
		t.Errorf("last offset %d, last sequence %d; want 14, 4", got.LastOffset(), got.LastSequence())
	}
}

// A batch that compaction took records from keeps its last offset, and what it
// keeps stays at its offset.
func TestBuilderWithGaps(t *testing.T) {
	opts := Defaults()
	opts.BaseOffset = 10
	b := NewBuilder(opts)
	appendAll(t, b, Record{Offset: 11, Timestamp: 5, Key: []byte("B")}, Record{Offset: 13, Timestamp: 4, Key: []byte("C")})
	b.OverrideLastOffset(14)
	batch := b.Build()
	records, err := batch.Records()
	if err != nil {
		t.Fatal(err)
	}
	if batch.BaseOffset() != 10 || batch.LastOffsetDelta() != 4 || batch.Count() != 2 || batch.MaxTimestamp() != 5 {
		t.Errorf("base %d, last delta %d, count %d, max timestamp %d",
			batch.BaseOffset(), batch.LastOffsetDelta(), batch.Count(), batch.MaxTimestamp())
	}
	if records[0].Offset != 11 || records[1].Offset != 13 || records[1].Timestamp != 4 {
		t.Errorf("records %+v", records)
	}
}

func TestBuilderRefuses(t *testing.T) {
	start := func(change func(*Options)) *Builder {
		opts := Defaults()
		opts.BaseOffset = 5
		if change != nil {
			change(&opts)
		}
		return NewBuilder(opts)
	}
	tests := []struct {
		name              string
		b                 *Builder
		offset, timestamp int64
	}{
		{"offset below the base", start(nil), 4, 0},
		{"offset too far", start(nil), 5 + math.MaxInt32 + 1, 0},
		{"negative time", start(nil), 5, -2},
		{"no such codec", start(func(o *Options) { o.Codec = 5 }), 5, 0},
		{"no such level", start(func(o *Options) { o.Codec, o.Level = Gzip, 10 }), 5, 0},
		{"level without levels", start(func(o *Options) { o.Codec, o.Level = Snappy, 1 }), 5, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := tt.b.AppendAt(tt.offset, tt.timestamp, nil, nil, nil); err == nil {
				t.Error("accepted")
			}
			if tt.b.Count() != 0 || tt.b.Build() != nil {
				t.Errorf("%d records after a refused one", tt.b.Count())
			}
		})
	}
	b := start(nil)
	appendAll(t, b, Record{Offset: 5 + math.MaxInt32, Timestamp: NoTimestamp})
	if err := b.AppendAt(5+math.MaxInt32, 0, nil, nil, nil); err == nil {
		t.Error("the same offset twice was accepted")
	}
	if err := b.Build().Valid(); err != nil {
		t.Error(err)
	}
}

func TestBuilderReset(t *testing.T) {
	b := NewBuilder(Defaults())
	appendAll(t, b, Record{Timestamp: 9, Key: []byte("longer than the other")})
	b.Build()
	b.Reset(Defaults())
	if offset, err := b.Append(epoch2023, []byte("k"), []byte("v")); offset != 0 || err != nil {
		t.Fatalf("offset %d, %v", offset, err)
	}
	if got := b.Build(); !bytes.Equal(got, unhex(t, oneRecord)) {
		t.Errorf("\n got %x\nwant %s", got, oneRecord)
	}
}
