package record

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// covered tells what is wrong with fields as names of every byte, in order.
func covered(fields []Field, b []byte) string {
	at := 0
	for _, f := range fields {
		if f.Offset != at || f.Size <= 0 {
			return f.Name + " does not follow the field before"
		}
		if f.Name == "" || f.Type == "" || f.Record < BatchHeader {
			return "a field without name, type or record"
		}
		at += f.Size
	}
	if at != len(b) {
		return "bytes without a name"
	}
	return ""
}

func fieldsText(fields []Field) string {
	var s strings.Builder
	for _, f := range fields {
		s.WriteString(f.Name + "=" + f.Value)
		if f.Note != "" {
			s.WriteString(" (" + f.Note + ")")
		}
		s.WriteByte('\n')
	}
	return s.String()
}

func TestFieldsOfRecords(t *testing.T) {
	got := fieldsText(Fields(unhex(t, threeRecords)))
	for _, want := range []string{
		"baseOffset=100 (of the first record; the leader sets it)",
		"partitionLeaderEpoch=7 (of the leader that appended it)",
		"magic=2 (",
		"CRC-32C fits",
		"attributes=0x0000 (compression none, CreateTime)",
		"lastOffsetDelta=2 (last offset 102)",
		"producerId=1000\nproducerEpoch=3\nbaseSequence=40\nrecordsCount=3\n",
		"offsetDelta=1 (offset 101)\nkeyLength=-1 (null)\nvalueLength=5\nvalue=\"hello\"\nheadersCount=2\n" +
			"headerKeyLength=2\nheaderKey=\"h1\"\nheaderValueLength=1\nheaderValue=\"x\"\n" +
			"headerKeyLength=2\nheaderKey=\"h2\"\nheaderValueLength=-1 (null)\n",
		"key=\"key\"\nvalueLength=-1 (null: a tombstone)\nheadersCount=0\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("missing %q in\n%s", want, got)
		}
	}
}

func TestFieldsOfMarkersAndCleanedBatches(t *testing.T) {
	for _, tt := range []struct{ name, hex, want string }{
		{"abort", abortMarker, "control type=0 (ABORT)\nvalueLength=6\nmarker version=0\ncoordinatorEpoch=12"},
		{"commit", commitMarker, "control type=1 (COMMIT)\nvalueLength=6\nmarker version=0\ncoordinatorEpoch=12"},
		{"tombstone", tombstone, "deleteHorizonMs=1700086401000"},
		{"emptied", emptied, "recordsCount=0\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := unhex(t, tt.hex)
			fields := Fields(b)
			if why := covered(fields, b); why != "" {
				t.Error(why)
			}
			if got := fieldsText(fields); !strings.Contains(got, tt.want) {
				t.Errorf("missing %q in\n%s", tt.want, got)
			}
		})
	}
}

func TestFieldsOfDamage(t *testing.T) {
	whole := unhex(t, threeRecords)
	flipped := bytes.Clone(whole)
	flipped[len(flipped)-1] ^= 1
	longKey := bytes.Clone(unhex(t, oneRecord))
	longKey[HeaderSize+4] = 0x7e // keyLength 63
	for _, tt := range []struct {
		name string
		b    []byte
		last string
		note string
	}{
		{"nothing", nil, "", ""},
		{"half a header", whole[:30], Unreadable, "a batch has at least 61 bytes, here are 30"},
		{"cut", whole[:len(whole)-1], Unreadable, "no length of a record"},
		{"more than declared", append(bytes.Clone(whole), 1, 2), Unreadable, "after the last record"},
		{"key too long", longKey, Unreadable, "keyLength 63"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fields := Fields(tt.b)
			if why := covered(fields, tt.b); why != "" {
				t.Fatal(why)
			}
			if len(fields) == 0 {
				return
			}
			if f := fields[len(fields)-1]; f.Name != tt.last || !strings.Contains(f.Note, tt.note) {
				t.Errorf("ends with %s (%s)", f.Name, f.Note)
			}
		})
	}
	if got := fieldsText(Fields(flipped)); !strings.Contains(got, "CRC-32C does not fit: computed 0x") {
		t.Errorf("a flipped byte goes unseen:\n%s", got)
	}
}

func TestFieldsOfCompressedBatch(t *testing.T) {
	opts := Defaults()
	opts.Codec = Zstd
	b := NewBuilder(opts)
	appendAll(t, b, Record{Timestamp: 1, Value: text(500)}, Record{Offset: 1, Timestamp: 2, Value: text(500)})
	fields := Fields(b.Build())
	last := fields[len(fields)-1]
	if last.Name != CompressedRecords || last.Offset != HeaderSize || last.Note != "2 records in one block" {
		t.Errorf("%+v", last)
	}
}

func TestLongValuesAreCutBetweenCharacters(t *testing.T) {
	b := NewBuilder(Defaults())
	appendAll(t, b, Record{Value: []byte(strings.Repeat("é", 40) + "x")}, Record{Offset: 1, Value: []byte("x" + strings.Repeat("é", 40))})
	for _, f := range Fields(b.Build()) {
		if f.Name == "value" && (!strings.HasPrefix(f.Value, `"`) || !strings.HasSuffix(f.Value, `"…`)) {
			t.Errorf("value %s", f.Value)
		}
	}
}

// Whatever records a batch has, their fields add up to its bytes, and the names
// of a record's fields are those of the protocol.
func TestFieldsCoverBuiltBatches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		opts := Defaults()
		opts.BaseOffset = rapid.Int64Range(0, 1<<40).Draw(t, "base")
		opts.Codec = rapid.SampledFrom([]Codec{None, None, None, Gzip, Snappy, LZ4, Zstd}).Draw(t, "codec")
		b := NewBuilder(opts)
		some := rapid.SliceOfN(rapid.Byte(), 0, 80)
		n := rapid.IntRange(1, 8).Draw(t, "records")
		for range n {
			key, value := some.Draw(t, "key"), some.Draw(t, "value")
			if rapid.Bool().Draw(t, "null key") {
				key = nil
			}
			if rapid.Bool().Draw(t, "null value") {
				value = nil
			}
			var headers []Header
			for range rapid.IntRange(0, 2).Draw(t, "headers") {
				headers = append(headers, Header{Key: rapid.StringN(0, 4, -1).Draw(t, "header"), Value: some.Draw(t, "header value")})
			}
			if _, err := b.Append(rapid.Int64Range(0, 1<<44).Draw(t, "time"), key, value, headers...); err != nil {
				t.Fatal(err)
			}
		}
		batch := b.Build()
		fields := Fields(batch)
		if why := covered(fields, batch); why != "" {
			t.Fatal(why)
		}
		records := 0
		for _, f := range fields {
			if f.Name == Unreadable {
				t.Fatalf("unreadable: %s", f.Note)
			}
			if f.Name == "headersCount" {
				records++
			}
		}
		if opts.Codec == None && records != n {
			t.Fatalf("%d records named, %d are there", records, n)
		}
	})
}

// FuzzFields: whatever the bytes, each has exactly one name.
func FuzzFields(f *testing.F) {
	for _, b := range seeds(f) {
		f.Add([]byte(b))
		f.Add([]byte(b[:len(b)-3]))
	}
	f.Add([]byte{})
	many := bytes.Clone(seeds(f)[0])
	binary.BigEndian.PutUint32(many[countAt:], 1<<31-1)
	f.Add(many)
	f.Fuzz(func(t *testing.T, data []byte) {
		if why := covered(Fields(data), data); why != "" {
			t.Fatal(why)
		}
	})
}
