package record

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
)

// raw is a batch of count records with these bytes as payload.
func raw(t testing.TB, count int32, payload string) Batch {
	t.Helper()
	p, err := hex.DecodeString(strings.ReplaceAll(payload, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	opts := Defaults()
	b := append(make(Batch, HeaderSize), p...)
	writeHeader(b, &opts, int64(count)-1, 0, 0, count)
	return b
}

// The payload of oneRecord, field by field: length, attributes, timestamp delta,
// offset delta, key, value, header count.
const good = "10 00 00 00 026b 0276 00"

func TestInvalidRecords(t *testing.T) {
	tests := []struct {
		name    string
		count   int32
		payload string
		text    string // of the error; none if empty
		read    int    // records before it
	}{
		{"sound", 1, good, "", 1},
		{"negative count", -1, good, "batch declares -1 records", 0},
		{"no records at all, whatever follows", 0, good, "", 0},
		{"bytes remain in the batch", 1, good + "00", "record 1 of 1: 1 bytes remain after the last record", 0},
		{"fewer records than declared", 2, good, "record 2 of 2: length: ends too early", 1},
		{"length beyond the batch", 1, "12 00 00 00 026b 0276 00", "length 9, 8 bytes are left", 0},
		{"length short of the body", 1, "0e 00 00 00 026b 0276 00", "header count: ends too early", 0},
		{"length beyond the body", 2, "12 00 00 00 026b 0276 00 00", "1 bytes remain in the record", 0},
		{"negative length", 1, "01 00 00 00 026b 0276 00", "length -1", 0},
		{"empty body", 1, "00", "attributes: ends too early", 0},
		{"length too long", 1, "ffffffffff01", "length: varint too long", 0},
		{"timestamp too long", 1, "1a 00 8080808080808080808080 00 00", "timestamp delta: varint too long", 0},
		{"offset too long", 1, "10 00 00 808080808001", "offset delta: varint too long", 0},
		{"key beyond the record", 2, "0a 00 00 00 046b" + good, "key length 2, 1 bytes are left", 0},
		{"value beyond the record", 1, "10 00 00 00 026b 0476 00", "header count: ends too early", 0},
		{"negative headers", 1, "10 00 00 00 026b 0276 01", "header count -1", 0},
		{"more headers than bytes", 1, "10 00 00 00 026b 0276 02", "header count 1, 0 bytes are left", 0},
		{"null header key", 1, "14 00 00 00 026b 0276 02 01 01", "header key is null", 0},
		{"header value missing", 1, "12 00 00 00 026b 0276 02 00", "header value length: ends too early", 0},
		{"any negative length is null", 1, "0c 00 00 00 03 05 00", "", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := raw(t, tt.count, tt.payload)
			if err := b.Valid(); err != nil {
				t.Fatal(err)
			}
			records, err := b.Records()
			if len(records) != tt.read {
				t.Errorf("%d records, want %d", len(records), tt.read)
			}
			if tt.text == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), tt.text) {
				t.Errorf("error %v, want one with %q", err, tt.text)
			}
		})
	}
}

func TestNullAndEmpty(t *testing.T) {
	records, err := raw(t, 2, "0c 00 00 00 01 01 00"+"0c 00 00 02 00 00 00").Records()
	if err != nil {
		t.Fatal(err)
	}
	if r := records[0]; r.Key != nil || r.Value != nil {
		t.Errorf("null became %q, %q", r.Key, r.Value)
	}
	if r := records[1]; r.Key == nil || r.Value == nil || len(r.Key)+len(r.Value) != 0 {
		t.Errorf("empty became %v, %v", r.Key, r.Value)
	}
}

func TestViewSize(t *testing.T) {
	b := unhex(t, threeRecords)
	it := b.Iterator()
	sum := 0
	for it.Next() {
		sum += it.Record().Size
	}
	if sum != len(b.Payload()) {
		t.Errorf("records have %d bytes together, the payload %d", sum, len(b.Payload()))
	}
}

func TestUnknownCodec(t *testing.T) {
	b := unhex(t, oneRecord)
	b[22] = 5
	binary.BigEndian.PutUint32(b[17:], b.Checksum())
	if _, err := b.Records(); !errors.Is(err, ErrCompression) {
		t.Errorf("codec 5: %v", err)
	}
}
