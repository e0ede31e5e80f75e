package record

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
	"pgregory.net/rapid"
)

var allCodecs = []Codec{None, Gzip, Snappy, LZ4, Zstd}

// TestGoldenCodecs reads logs that Apache Kafka 4.4.0 stored: batches as franz-go
// sent them, and (broker-*) as Kafka's own libraries compressed them. The records
// must be those that Kafka's dump tool printed.
func TestGoldenCodecs(t *testing.T) {
	logs, err := filepath.Glob("testdata/codecs/*.log")
	if err != nil || len(logs) != 9 {
		t.Fatalf("%d logs, %v", len(logs), err)
	}
	for _, name := range logs {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".log"), func(t *testing.T) {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			want := goldenLines(t, strings.TrimSuffix(name, ".log")+".dump.txt")
			if diff := cmp.Diff(want, recordLines(t, data)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func goldenLines(t *testing.T, name string) []string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lines []string
	for s := bufio.NewScanner(f); s.Scan(); {
		if strings.HasPrefix(s.Text(), "| offset") {
			lines = append(lines, s.Text())
		}
	}
	return lines
}

func recordLines(t *testing.T, data []byte) []string {
	t.Helper()
	var lines []string
	for len(data) > 0 {
		b, err := Next(data)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Valid(); err != nil {
			t.Fatal(err)
		}
		records, err := b.Records()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			lines = append(lines, recordLine(b, r))
		}
		data = data[b.Size():]
	}
	return lines
}

func recordLine(b Batch, r Record) string {
	size := func(p []byte) int {
		if p == nil {
			return -1
		}
		return len(p)
	}
	var keys []string
	for _, h := range r.Headers {
		keys = append(keys, h.Key)
	}
	line := fmt.Sprintf("| offset: %d %v: %d keySize: %d valueSize: %d sequence: %d headerKeys: [%s]",
		r.Offset, b.TimestampType(), r.Timestamp, size(r.Key), size(r.Value), r.Sequence, strings.Join(keys, ","))
	if r.Key != nil {
		line += " key: " + string(r.Key)
	}
	if r.Value != nil {
		line += " payload: " + string(r.Value)
	}
	return line
}

// text makes bytes that compress, of any length.
func text(n int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "value %d of batch %d ", i%97, i*i%1009)
	}
	return b.Bytes()[:n]
}

func TestRoundTripOfSizes(t *testing.T) {
	for _, codec := range allCodecs {
		for _, n := range []int{0, 1, 10, 1000, 32 << 10, 32<<10 + 1, 64 << 10, 64<<10 + 1, 1 << 20} {
			in := text(n)
			packed, err := Compress([]byte("before"), codec, 0, in)
			if err != nil || !bytes.HasPrefix(packed, []byte("before")) {
				t.Fatalf("%v of %d bytes: %v", codec, n, err)
			}
			packed = packed[len("before"):]
			if codec != None && n > 10_000 && len(packed) > n/2 {
				t.Errorf("%v made %d bytes of %d", codec, len(packed), n)
			}
			out, err := Decompress(codec, packed, n)
			if err != nil || !bytes.Equal(in, out) {
				t.Errorf("%v of %d bytes: %d came back, %v", codec, n, len(out), err)
			}
			if n > 0 {
				if _, err := Decompress(codec, packed, n-1); !errors.Is(err, ErrTooLarge) {
					t.Errorf("%v of %d bytes, limit one less: %v", codec, n, err)
				}
			}
		}
	}
}

// The same bytes in make the same bytes out, whatever the pooled compressor did
// before, on every machine: a lab's offsets and sizes may not depend on it.
func TestCompressedBytesAreStable(t *testing.T) {
	in := text(100_000)
	// order: each is tested alone
	for name, want := range stableSums {
		var level int
		var codecName string
		if _, err := fmt.Sscanf(name, "%s %d", &codecName, &level); err != nil {
			t.Fatal(err)
		}
		codec, err := ParseCodec(codecName)
		if err != nil {
			t.Fatal(err)
		}
		first := compress(nil, codec, level, in)
		for i := range 5 {
			compress(nil, codec, level, text(1000*i*i))
			if again := compress(nil, codec, level, in); !bytes.Equal(first, again) {
				t.Errorf("%s: other bytes after %d other blocks", name, i+1)
			}
		}
		got := fmt.Sprintf("%d %08x", len(first), crc32.ChecksumIEEE(first))
		if got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		opts := Defaults()
		opts.BaseOffset = rapid.Int64Range(0, 1<<60).Draw(t, "base")
		opts.Codec = rapid.SampledFrom(allCodecs).Draw(t, "codec")
		if rapid.Bool().Draw(t, "idempotent") {
			opts.ProducerID, opts.ProducerEpoch = rapid.Int64Range(0, 1<<62).Draw(t, "pid"), rapid.Int16Range(0, 32767).Draw(t, "epoch")
			opts.BaseSequence = rapid.Int32Range(0, 1<<31-1).Draw(t, "sequence")
		}
		b := NewBuilder(opts)
		want := drawRecords(t, b, opts)
		batch := b.Build()
		if len(want) == 0 {
			if batch != nil {
				t.Fatal("a batch without records")
			}
			return
		}
		if err := batch.Valid(); err != nil {
			t.Fatal(err)
		}
		again, err := Next(append(bytes.Clone(batch), 1, 2, 3))
		if err != nil || !bytes.Equal(again, batch) {
			t.Fatalf("Next: %v", err)
		}
		got, err := batch.Records()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
		if last := want[len(want)-1]; batch.LastOffset() != last.Offset || batch.LastSequence() != last.Sequence {
			t.Fatalf("last offset %d, last sequence %d; the last record has %d, %d",
				batch.LastOffset(), batch.LastSequence(), last.Offset, last.Sequence)
		}
	})
}

// drawRecords appends any records that a builder takes.
func drawRecords(t *rapid.T, b *Builder, opts Options) []Record {
	bytesOrNil := func(name string) []byte {
		if rapid.Bool().Draw(t, name+" null") {
			return nil
		}
		return append([]byte{}, rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, name)...)
	}
	var records []Record
	for range rapid.IntRange(0, 8).Draw(t, "records") {
		r := Record{
			Offset:    b.NextOffset() + rapid.Int64Range(0, 1000).Draw(t, "gap"),
			Timestamp: rapid.Int64Range(NoTimestamp, 1<<62).Draw(t, "timestamp"),
			Sequence:  NoSequence,
			Key:       bytesOrNil("key"), Value: bytesOrNil("value"),
		}
		for range rapid.IntRange(0, 3).Draw(t, "headers") {
			r.Headers = append(r.Headers, Header{rapid.String().Draw(t, "header"), bytesOrNil("header value")})
		}
		if opts.BaseSequence != NoSequence {
			r.Sequence = AddSequence(opts.BaseSequence, int32(r.Offset-opts.BaseOffset))
		}
		if err := b.AppendAt(r.Offset, r.Timestamp, r.Key, r.Value, r.Headers); err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
	return records
}

// A cut or broken block is an error, never a panic or the wrong records.
func TestBrokenBlocks(t *testing.T) {
	in := text(100_000)
	for _, codec := range allCodecs[1:] {
		packed, err := Compress(nil, codec, 0, in)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{0, 1, 3, 8, 17, len(packed) / 2, len(packed) - 1} {
			out, err := Decompress(codec, packed[:n], DefaultLimit)
			if n == 0 && codec == Zstd && err == nil && len(out) == 0 {
				continue // no frame is no bytes
			}
			if !errors.Is(err, ErrCompression) {
				t.Errorf("%v cut to %d of %d bytes: %d bytes, %v", codec, n, len(packed), len(out), err)
			}
		}
		for _, junk := range []string{"junk that is no block at all", "\xff\xff\xff\xff\xff\xff\xff\xff"} {
			if _, err := Decompress(codec, []byte(junk), DefaultLimit); !errors.Is(err, ErrCompression) {
				t.Errorf("%v of %q: %v", codec, junk, err)
			}
		}
	}
}

// Lengths that a block declares are no reason to take memory.
func TestDeclaredLengths(t *testing.T) {
	huge := binary.AppendUvarint(nil, 2_000_000_000)
	framed := append([]byte(xerialMagic), 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, byte(len(huge)))
	blocks := map[string]struct {
		codec Codec
		block []byte
	}{
		"plain snappy":  {Snappy, huge},
		"framed snappy": {Snappy, append(framed, huge...)},
		// magic, single segment with an 8-byte content size, then a block that is missing
		"zstd content": {Zstd, []byte{0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0x70, 0, 0, 0, 0}},
		// a window of 256 MiB, twice what Kafka's library takes
		"zstd window": {Zstd, []byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x90, 1, 0, 0}},
	}
	// order: each is tested alone
	for name, b := range blocks {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			Decompress(b.codec, b.block, DefaultLimit) // the pools fill
			runtime.ReadMemStats(&before)
			if _, err := Decompress(b.codec, b.block, DefaultLimit); !errors.Is(err, ErrCompression) {
				t.Errorf("error %v", err)
			}
			runtime.ReadMemStats(&after)
			if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
				t.Errorf("%d bytes taken", n)
			}
		})
	}
}

// What a small block can grow to is bounded by the limit, and so is the memory.
func TestBomb(t *testing.T) {
	for _, codec := range allCodecs[1:] {
		packed, err := Compress(nil, codec, 0, make([]byte, 8<<20))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Decompress(codec, packed, 1<<20); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%v: %v", codec, err)
		}
		if out, err := Decompress(codec, packed, 8<<20); err != nil || len(out) != 8<<20 {
			t.Errorf("%v: %d bytes, %v", codec, len(out), err)
		}
	}
}

// Kafka reads more framings than it writes.
func TestForeignFramings(t *testing.T) {
	in := text(200_000)
	frame := func(opts ...lz4.Option) []byte {
		var b bytes.Buffer
		w := lz4.NewWriter(&b)
		if err := w.Apply(opts...); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(in); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	var stream bytes.Buffer
	z, err := zstd.NewWriter(&stream, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write(in); err != nil {
		t.Fatal(err)
	}
	z.Close()
	xerial, half := compress(nil, Snappy, 0, in), compress(nil, Gzip, 0, in[:1000])
	plain, err := Compress(nil, Gzip, 9, in[1000:])
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name  string
		codec Codec
		block []byte
		want  []byte
	}{
		{"lz4 4 MiB blocks, content checksum", LZ4, frame(lz4.BlockSizeOption(lz4.Block4Mb), lz4.ChecksumOption(true)), in},
		{"lz4 block checksums, content size", LZ4, frame(lz4.BlockChecksumOption(true), lz4.SizeOption(uint64(len(in)))), in},
		{"lz4 and bytes behind it", LZ4, append(frame(), "behind"...), in},
		{"zstd stream with checksum", Zstd, stream.Bytes(), in},
		{"two zstd frames", Zstd, append(bytes.Clone(stream.Bytes()), stream.Bytes()...), append(bytes.Clone(in), in...)},
		{"two gzip members", Gzip, append(bytes.Clone(half), plain...), in},
		{"gzip and bytes behind it", Gzip, append(bytes.Clone(half), "behind"...), in[:1000]},
		{"two framed snappy streams", Snappy, append(bytes.Clone(xerial), xerial...), append(bytes.Clone(in), in...)},
		{"empty snappy stream", Snappy, xerial[:xerialHeader], nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, err := Decompress(tt.codec, tt.block, DefaultLimit)
			if err != nil || !bytes.Equal(out, tt.want) {
				t.Errorf("%d bytes, %v; want %d", len(out), err, len(tt.want))
			}
		})
	}
	dependent := frame()
	dependent[4] &^= lz4Independent
	if _, err := Decompress(LZ4, dependent, DefaultLimit); !errors.Is(err, ErrCompression) {
		t.Errorf("lz4 with dependent blocks: %v", err)
	}
}

// The framing that Kafka writes: what its readers in other languages rely on.
func TestFramingsWritten(t *testing.T) {
	in := text(100_000)
	for _, tt := range []struct {
		codec Codec
		begin string
	}{
		{Gzip, "\x1f\x8b\x08\x00"},
		{Snappy, "\x82SNAPPY\x00\x00\x00\x00\x01\x00\x00\x00\x01"},
		{LZ4, "\x04\x22\x4d\x18\x60\x40\x82"}, // version 1, independent, no checksums, no size; 64 KiB
		{Zstd, "\x28\xb5\x2f\xfd"},
	} {
		packed := compress(nil, tt.codec, 0, in)
		if !bytes.HasPrefix(packed, []byte(tt.begin)) {
			t.Errorf("%v begins with %x, want %x", tt.codec, packed[:len(tt.begin)], tt.begin)
		}
		if empty := compress(nil, tt.codec, 0, nil); !bytes.HasPrefix(empty, []byte(tt.begin[:4])) {
			t.Errorf("%v of nothing is %x", tt.codec, empty)
		}
	}
}

func TestCodecNames(t *testing.T) {
	for i, name := range []string{"none", "gzip", "snappy", "lz4", "zstd"} {
		if got := Codec(i).String(); got != name {
			t.Errorf("Codec(%d) = %s, want %s", i, got, name)
		}
		if c, err := ParseCodec(name); err != nil || c != Codec(i) {
			t.Errorf("ParseCodec(%s) = %d, %v", name, c, err)
		}
	}
	if _, err := ParseCodec("producer"); err == nil {
		t.Error("ParseCodec(producer) found a codec")
	}
	if Codec(5).Known() || Codec(5).String() != "unknown(5)" {
		t.Errorf("codec 5 is %v", Codec(5))
	}
}
