package record

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

// seeds are sound batches of every kind.
func seeds(t testing.TB) []Batch {
	all := []Batch{}
	for _, s := range []string{oneRecord, threeRecords, abortMarker, commitMarker, emptied, tombstone} {
		all = append(all, unhex(t, s))
	}
	for _, codec := range allCodecs[1:] {
		opts := Defaults()
		opts.Codec = codec
		b := NewBuilder(opts)
		appendAll(t, b, Record{Timestamp: 1, Key: []byte("k"), Value: text(200)}, Record{Offset: 1, Headers: []Header{{"h", nil}}})
		all = append(all, b.Build())
	}
	return all
}

// FuzzNext: any bytes are batches up to an error, and no batch is more or less
// than the bytes it was found in.
func FuzzNext(f *testing.F) {
	var log []byte
	for _, b := range seeds(f) {
		f.Add([]byte(b))
		log = append(log, b...)
	}
	f.Add(log)
	f.Add(log[:len(log)-1])
	f.Fuzz(func(t *testing.T, data []byte) {
		rest := data
		for {
			b, err := Next(rest)
			if err != nil {
				known := err == io.EOF || errors.Is(err, ErrTruncated) || errors.Is(err, ErrCorrupt)
				if !known || b != nil {
					t.Fatalf("%x, %v", b, err)
				}
				return
			}
			if len(b) != b.Size() || len(b) < HeaderSize || !bytes.HasPrefix(rest, b) {
				t.Fatalf("batch of %d bytes, declares %d", len(b), b.Size())
			}
			if size, err := PeekSize(rest); err != nil || size != b.Size() {
				t.Fatalf("PeekSize: %d, %v", size, err)
			}
			rest = rest[b.Size():]
		}
	})
}

// FuzzRecords: whatever the bytes, the iterator ends with records or a known
// error, and a batch that decodes can be built again with the same records.
func FuzzRecords(f *testing.F) {
	for _, b := range seeds(f) {
		f.Add([]byte(b))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := Next(data)
		if err != nil {
			return
		}
		records, err := b.RecordsWithin(1 << 20)
		if err != nil {
			if !errors.Is(err, ErrInvalid) && !errors.Is(err, ErrCompression) && !errors.Is(err, ErrTooLarge) {
				t.Fatal(err)
			}
			return
		}
		if len(records) != int(b.Count()) {
			t.Fatalf("%d records, the header says %d", len(records), b.Count())
		}
		opts := Defaults()
		opts.BaseOffset = b.BaseOffset()
		again := NewBuilder(opts)
		for _, r := range records {
			if again.AppendAt(r.Offset, r.Timestamp, r.Key, r.Value, r.Headers) != nil {
				return // offsets or times that only a broken client makes
			}
		}
		if got, err := again.Build().checked(); err != nil || len(got) != len(records) {
			t.Fatalf("%d records came back, %v", len(got), err)
		}
	})
}

// checked is Records, for a batch that may be none.
func (b Batch) checked() ([]Record, error) {
	if b == nil {
		return nil, nil
	}
	if err := b.Valid(); err != nil {
		return nil, err
	}
	return b.Records()
}

// FuzzDecompress: no block makes a reader panic or pass its limit.
func FuzzDecompress(f *testing.F) {
	for _, codec := range allCodecs {
		f.Add(int8(codec), compress(nil, codec, 0, text(500)))
	}
	f.Fuzz(func(t *testing.T, codec int8, block []byte) {
		const limit = 1 << 20
		out, err := Decompress(Codec(codec), block, limit)
		if err == nil && len(out) > limit && len(out) != len(block) {
			t.Fatalf("%d bytes, limit %d", len(out), limit)
		}
		if err != nil && !errors.Is(err, ErrCompression) && !errors.Is(err, ErrTooLarge) {
			t.Fatal(err)
		}
	})
}

// FuzzControl: control records from anywhere are values or errors.
func FuzzControl(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1}, []byte{0, 0, 0, 0, 0, 12})
	f.Add(AppendControlKey(nil, LeaderChange), LeaderChangeMessage{Version: 1, Voters: []LeaderChangeVoter{{ID: 1}}}.AppendTo(nil))
	f.Add(AppendControlKey(nil, KRaftVoters), KRaftVotersRecord{Voters: []Voter{{Endpoints: []VoterEndpoint{{"a", "b", 1}}}}}.AppendTo(nil))
	f.Fuzz(func(t *testing.T, key, value []byte) {
		_, kind, err := ParseControlKey(key)
		if err != nil {
			return
		}
		ParseEndTxnMarker(key, value)
		c, err := ParseKRaftControl(kind, value)
		if err != nil {
			return
		}
		again, err := ParseKRaftControl(kind, c.AppendTo(nil))
		if err != nil || !bytes.Equal(c.AppendTo(nil), again.AppendTo(nil)) {
			t.Fatalf("%+v became %+v, %v", c, again, err)
		}
	})
}
