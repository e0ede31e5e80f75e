package record

import (
	"bytes"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Batches that Kafka 4.4.0 wrote for the values the tests below give.
const (
	oneRecord    = "00000000000000000000003affffffff02e99b8dd80000000000000000018bcfe568000000018bcfe56800ffffffffffffffffffffffffffff0000000110000000026b027600"
	threeRecords = "00000000000000640000005900000007027f745d890000000000020000018bcfe568000000018bcfe5680500000000000003e80003000000280000000310000000026b02760028000a02010a68656c6c6f0404683102780468320112000d04066b65790100"
	abortMarker  = "0000000000000067000000420000000702f0ffb1a20030000000000000018bcfe568000000018bcfe5680000000000000003e80003ffffffff000000012000000008000000000c00000000000c00"
	commitMarker = "000000000000006700000042000000070204c167ea0030000000000000018bcfe568000000018bcfe5680000000000000003e80003ffffffff000000012000000008000000010c00000000000c00"
	emptied      = "000000000000000a000000310000000002c7744d8c000000000004ffffffffffffffff0000018bcfe5680000000000000003e800000000000000000000"
	tombstone    = "00000000000000040000003d0000000002e88e25fe0040000000000000018bd50bc7e80000018bcfe56800ffffffffffffffffffffffffffff000000011600cfffb25200044b320100"
)

const epoch2023 = 1700000000000

func unhex(t testing.TB, s string) Batch {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestCRC32C(t *testing.T) {
	if got := crc32.Checksum([]byte("123456789"), castagnoli); got != 0xe3069283 {
		t.Errorf("CRC-32C of 123456789 = %08x, want e3069283", got)
	}
}

func TestVarints(t *testing.T) {
	// order: each is tested alone
	for v, want := range map[int64]string{
		0: "00", -1: "01", 1: "02", -2: "03", 63: "7e", -64: "7f", 64: "8001", 127: "fe01", 128: "8002",
		300: "d804", -300: "d704", 8191: "fe7f", 8192: "808001",
		math.MaxInt32: "feffffff0f", math.MinInt32: "ffffffff0f",
	} {
		got := AppendVarint(nil, v)
		if hex.EncodeToString(got) != want {
			t.Errorf("AppendVarint(%d) = %x, want %s", v, got, want)
		}
		if n := VarintSize(v); n != len(got) {
			t.Errorf("VarintSize(%d) = %d, want %d", v, n, len(got))
		}
		if back, n := ReadVarint(got); int64(back) != v || n != len(got) {
			t.Errorf("ReadVarint(%x) = %d, %d bytes", got, back, n)
		}
		if back, n := ReadVarlong(got); back != v || n != len(got) {
			t.Errorf("ReadVarlong(%x) = %d, %d bytes", got, back, n)
		}
	}
}

func TestVarintLimits(t *testing.T) {
	tests := []struct {
		name     string
		in       string
		n32, n64 int
		v32      int32
		v64      int64
	}{
		{name: "empty", in: "", n32: 0, n64: 0},
		{name: "ends early", in: "ffff", n32: 0, n64: 0},
		{name: "five bytes", in: "ffffffff0f", n32: 5, n64: 5, v32: math.MinInt32, v64: math.MinInt32},
		{name: "bits over 32 are dropped", in: "feffffff7f", n32: 5, n64: 5, v32: math.MaxInt32, v64: 0x3ffffffff},
		{name: "six bytes", in: "808080808001", n32: -1, n64: 6, v64: 1 << 34},
		{name: "ten bytes", in: "ffffffffffffffffff01", n32: -1, n64: 10, v64: math.MinInt64},
		{name: "eleven bytes", in: "8080808080808080808001", n32: -1, n64: -1},
		{name: "ten bytes, no end", in: "80808080808080808080", n32: -1, n64: -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := unhex(t, tt.in)
			if v, n := ReadVarint(in); n != tt.n32 || v != tt.v32 {
				t.Errorf("ReadVarint = %d, %d bytes; want %d, %d", v, n, tt.v32, tt.n32)
			}
			if v, n := ReadVarlong(in); n != tt.n64 || v != tt.v64 {
				t.Errorf("ReadVarlong = %d, %d bytes; want %d, %d", v, n, tt.v64, tt.n64)
			}
		})
	}
}

func TestHeaderFields(t *testing.T) {
	b := unhex(t, threeRecords)
	if err := b.Valid(); err != nil {
		t.Fatal(err)
	}
	got := []any{
		b.BaseOffset(), b.Size(), b.PartitionLeaderEpoch(), b.Magic(), b.CRC(), b.Attributes(), b.Codec(),
		b.TimestampType(), b.IsTransactional(), b.IsControl(), b.LastOffsetDelta(), b.LastOffset(), b.NextOffset(),
		b.BaseTimestamp(), b.MaxTimestamp(), b.ProducerID(), b.ProducerEpoch(), b.BaseSequence(), b.LastSequence(),
		b.Count(), len(b.Payload()),
	}
	want := []any{
		int64(100), 101, int32(7), int8(2), uint32(0x7f745d89), int16(0), None,
		CreateTime, false, false, int32(2), int64(102), int64(103),
		int64(epoch2023), int64(epoch2023 + 5), int64(1000), int16(3), int32(40), int32(42),
		int32(3), 40,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, set := b.DeleteHorizon(); set {
		t.Error("delete horizon is set")
	}
	if ms, set := unhex(t, tombstone).DeleteHorizon(); !set || ms != 1700086401000 {
		t.Errorf("DeleteHorizon = %d, %v; want 1700086401000, true", ms, set)
	}
}

func TestRecords(t *testing.T) {
	tests := []struct {
		name  string
		batch string
		want  []Record
	}{
		{"one", oneRecord, []Record{{Timestamp: epoch2023, Sequence: NoSequence, Key: []byte("k"), Value: []byte("v")}}},
		{"three", threeRecords, []Record{
			{Offset: 100, Timestamp: epoch2023, Sequence: 40, Key: []byte("k"), Value: []byte("v")},
			{
				Offset: 101, Timestamp: epoch2023 + 5, Sequence: 41, Value: []byte("hello"),
				Headers: []Header{{"h1", []byte("x")}, {"h2", nil}},
			},
			{Offset: 102, Timestamp: epoch2023 - 7, Sequence: 42, Key: []byte("key")},
		}},
		{"tombstone with horizon", tombstone, []Record{
			{Offset: 4, Timestamp: epoch2023, Sequence: NoSequence, Key: []byte("K2")},
		}},
		{"emptied", emptied, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := unhex(t, tt.batch).Records()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLogAppendTime(t *testing.T) {
	b := unhex(t, threeRecords)
	b.SetMaxTimestamp(LogAppendTime, 42)
	records, err := b.Records()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if r.Timestamp != 42 {
			t.Errorf("record %d has timestamp %d, want the append time 42", r.Offset, r.Timestamp)
		}
	}
	if b.BaseTimestamp() != epoch2023 {
		t.Errorf("base timestamp became %d, it stays as sent", b.BaseTimestamp())
	}
}

func TestSetters(t *testing.T) {
	b := unhex(t, threeRecords)
	b.SetBaseOffset(1 << 40)
	b.SetPartitionLeaderEpoch(9)
	if b.BaseOffset() != 1<<40 || b.PartitionLeaderEpoch() != 9 {
		t.Errorf("base offset %d, leader epoch %d", b.BaseOffset(), b.PartitionLeaderEpoch())
	}
	if err := b.Valid(); err != nil || b.CRC() != 0x7f745d89 {
		t.Errorf("offset and epoch lie outside the checksum: crc %08x, %v", b.CRC(), err)
	}

	// Nothing changes, so not a bit does: not even one without a meaning.
	b[21], b[22] = 0x80, 0x80
	before := bytes.Clone(b)
	b.SetMaxTimestamp(CreateTime, epoch2023+5)
	if !bytes.Equal(before, b) {
		t.Error("the same time and type changed the batch")
	}
	b.SetMaxTimestamp(CreateTime, epoch2023+6)
	if err := b.Valid(); err != nil || b.MaxTimestamp() != epoch2023+6 || b.Attributes() != 0 {
		t.Errorf("max timestamp %d, attributes %#x, %v", b.MaxTimestamp(), b.Attributes(), err)
	}
	b.SetMaxTimestamp(LogAppendTime, epoch2023+6)
	if err := b.Valid(); err != nil || b.TimestampType() != LogAppendTime {
		t.Errorf("timestamp type %v, %v", b.TimestampType(), err)
	}
}

func TestAddSequence(t *testing.T) {
	for _, tt := range [][3]int32{
		{0, 0, 0}, {40, 2, 42}, {2147483646, 3, 1}, {math.MaxInt32, 1, 0}, {math.MaxInt32, math.MaxInt32, math.MaxInt32 - 1},
	} {
		if got := AddSequence(tt[0], tt[1]); got != tt[2] {
			t.Errorf("AddSequence(%d, %d) = %d, want %d", tt[0], tt[1], got, tt[2])
		}
	}
}

func TestValid(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(Batch) Batch
		text  string
	}{
		{"short", func(b Batch) Batch { return b[:60] }, "60 bytes, a batch has at least 61"},
		{"cut", func(b Batch) Batch { return b[:100] }, "declares 101 bytes, has 100"},
		{"attributes", func(b Batch) Batch { b[22] ^= 1; return b }, "stored crc 2138332553, computed"},
		{"last byte", func(b Batch) Batch { b[100] ^= 1; return b }, "stored crc 2138332553, computed"},
		{"checksum", func(b Batch) Batch { b[20] ^= 1; return b }, "computed 2138332553"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.spoil(unhex(t, threeRecords)).Valid()
			if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), tt.text) {
				t.Errorf("error %q, want one with %q", err, tt.text)
			}
		})
	}
}

func TestNext(t *testing.T) {
	one, three := unhex(t, oneRecord), unhex(t, threeRecords)
	log := append(bytes.Clone(one), three...)
	first, err := Next(log)
	if err != nil || !bytes.Equal(first, one) {
		t.Fatalf("first batch %x, %v", first, err)
	}
	second, err := Next(log[first.Size():])
	if err != nil || !bytes.Equal(second, three) {
		t.Fatalf("second batch %x, %v", second, err)
	}
	if cap(first) != len(first) {
		t.Errorf("an append to a batch of %d bytes would write over the next one: cap %d", len(first), cap(first))
	}
	length := func(n byte) []byte { b := bytes.Clone(one); b[11] = n; return b }
	tests := []struct {
		name string
		in   []byte
		want error
	}{
		{"empty", nil, io.EOF},
		{"17 bytes", one[:17], ErrTruncated},
		{"18 bytes", one[:18], ErrTruncated},
		{"one byte short", one[:69], ErrTruncated},
		{"zeros", make([]byte, 20), ErrCorrupt},
		{"length 13", length(13), ErrCorrupt},
		{"length 14", length(14), ErrCorrupt},
		{"length 48", length(48), ErrCorrupt},
		{"negative length", append([]byte{0, 0, 0, 0, 0, 0, 0, 0, 0xff}, one[9:]...), ErrCorrupt},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if b, err := Next(tt.in); !errors.Is(err, tt.want) || b != nil {
				t.Errorf("Next = %x, %v; want %v", b, err, tt.want)
			}
		})
	}
	old := bytes.Clone(one)
	old[16] = 0
	if _, err := Next(old); !errors.As(err, new(MagicError)) || !errors.Is(err, ErrCorrupt) {
		t.Errorf("magic 0: %v", err)
	}
}

// The checksum does not cover the magic: who reads a file sees a batch of format 2
// with any magic above, who reads from the wire sees none.
func TestDamagedMagic(t *testing.T) {
	for _, magic := range []byte{0, 1, 3, 127, 128, 255} {
		b := Batch(unhex(t, oneRecord))
		b[16] = magic
		if err := b.Valid(); err != nil {
			t.Errorf("magic %d: %v", magic, err)
		}
		if _, err := Next(b); !errors.As(err, new(MagicError)) || !errors.Is(err, ErrCorrupt) {
			t.Errorf("magic %d from the wire: %v", magic, err)
		}
	}
}
