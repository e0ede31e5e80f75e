package dump

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"kafkalab/engine/record"
)

var updateParts = flag.Bool("update-parts", false, "write testdata/parts anew")

// wholeParts tells what is wrong with parts as a way over every byte of a file.
func wholeParts(x *Parts, data []byte) string {
	at := int64(0)
	for i, p := range x.Window(0, x.Len()) {
		from, to := x.Bounds(i)
		switch {
		case p.At != at || from != at || to <= from:
			return fmt.Sprintf("part %d is at %d, want %d", i, p.At, at)
		case !bytes.Equal(p.Data, data[from:to]):
			return fmt.Sprintf("part %d has other bytes", i)
		case p.Title == "":
			return fmt.Sprintf("part %d has no title", i)
		case x.At(from) != i || x.At(to-1) != i:
			return fmt.Sprintf("part %d is not found by its bytes", i)
		}
		if why := namedBytes(p.Fields, len(p.Data), x.Text()); why != "" {
			return p.Title + ": " + why
		}
		if p.Unpacked != nil {
			if why := namedBytes(p.Unpacked.Fields, len(p.Unpacked.Data), false); why != "" {
				return p.Title + " unpacked: " + why
			}
		}
		at = to
	}
	if at != int64(len(data)) {
		return fmt.Sprintf("%d of %d bytes are in parts", at, len(data))
	}
	return ""
}

// namedBytes tells what is wrong with fields as names of each of n bytes; in a
// text, blanks need none.
func namedBytes(fields []record.Field, n int, text bool) string {
	at := 0
	for _, f := range fields {
		if f.Offset < at || !text && f.Offset != at || f.Size <= 0 || f.Name == "" || f.Type == "" {
			return fmt.Sprintf("field %+v at %d", f, at)
		}
		at = f.Offset + f.Size
	}
	if at > n || !text && at != n {
		return fmt.Sprintf("%d of %d bytes have names", at, n)
	}
	return ""
}

// partsText is the parts of a file, written out.
func partsText(x *Parts) string {
	var b strings.Builder
	for _, p := range x.Window(0, x.Len()) {
		fmt.Fprintf(&b, "%d %s: %s\n", p.At, p.Title, p.Summary)
		if c := p.CRC; c != nil {
			fmt.Fprintf(&b, "  crc at %d over %d to %d: stored %08x, computed %08x, right %v\n", c.At, c.From, c.To, c.Stored, c.Computed, c.Right())
		}
		if p.Damage != nil {
			fmt.Fprintf(&b, "  damage %v\n", p.Damage)
		}
		fieldLines(&b, p.Fields)
		if p.Unpacked != nil {
			fmt.Fprintf(&b, "  unpacked, %d bytes\n", len(p.Unpacked.Data))
			fieldLines(&b, p.Unpacked.Fields)
		}
	}
	return b.String()
}

func fieldLines(b *strings.Builder, fields []record.Field) {
	for _, f := range fields {
		fmt.Fprintf(b, "  %d+%d %s %s = %s", f.Offset, f.Size, f.Name, f.Type, f.Value)
		if f.Note != "" {
			b.WriteString("  (" + f.Note + ")")
		}
		b.WriteByte('\n')
	}
}

// Files that Apache Kafka wrote are named byte for byte, as testdata/parts has
// it.
func TestPartsOfGoldens(t *testing.T) {
	for golden, name := range map[string]string{
		"log-markers":    "testdata/storage/transactions/txn-nested/00000000000000000000.log",
		"index":          "testdata/storage/torn/cut-0-before/00000000000000000012.index",
		"timeindex":      "testdata/storage/torn/cut-0-before/00000000000000000012.timeindex",
		"txnindex":       "testdata/storage/transactions/txn-nested/00000000000000000002.txnindex",
		"snapshot":       "testdata/storage/transactions/txn-nested/00000000000000000008.snapshot",
		"epochs":         "testdata/storage/root/epochs/leader-epoch-checkpoint",
		"recovery-point": "testdata/storage/root/after-kill/recovery-point-offset-checkpoint",
		"metadata":       "testdata/special/metadata/partition.metadata",
		"meta":           "testdata/special/metadata/meta.properties",
		"clean-shutdown": "testdata/special/metadata/.kafka_cleanshutdown",
		"quorum-state":   "testdata/special/metadata/quorum-state",
		"kraft":          "testdata/special/kraft/00000000000000000012-0000000007.checkpoint",
	} {
		x, err := Take(afero.NewOsFs(), name)
		if err != nil {
			t.Fatal(err)
		}
		got, file := partsText(x), filepath.Join("testdata", "parts", golden+".txt")
		if *updateParts {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// On every file that Apache Kafka wrote, the parts are the batches and entries
// that a dump has, and what it finds sound is sound here.
func TestPartsAreWhatADumpTells(t *testing.T) {
	seen := 0
	for _, pattern := range []string{"testdata/storage/*/*/*", "testdata/storage/*/*/.kafka*", "testdata/special/*/*", "testdata/special/*/.kafka*"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if decoderOf(parseName(name).kind) == nil {
				continue
			}
			seen++
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			x, err := Take(afero.NewOsFs(), name)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if why := wholeParts(x, data); why != "" {
				t.Errorf("%s: %s", name, why)
			}
			c := Read(afero.NewOsFs(), name, Options{Deep: true})
			comparePartsWithDump(t, name, x, c)
		}
	}
	if seen < 100 {
		t.Errorf("only %d files", seen)
	}
}

func comparePartsWithDump(t *testing.T, name string, x *Parts, c Content) {
	t.Helper()
	told, damaged := 0, false
	for _, p := range x.Window(0, x.Len()) {
		damaged = damaged || p.Damage != nil
		switch word, _, _ := strings.Cut(p.Title, " "); {
		case p.Damage == nil && (word == "batch" || word == "entry" || word == "producer" || word == "object"):
			told++
		case x.Text() && p.Damage == nil && word == "line":
			if n := x.name.kind; n == propertiesKind && !isComment(p.Summary) || n != propertiesKind && len(strings.Fields(p.Summary)) > 1 {
				told++
			}
		}
	}
	if want := len(c.Batches) + len(c.Entries); c.Damage == nil && (told != want || damaged) {
		t.Errorf("%s: %d parts, a dump has %d; damage %v", name, told, want, damaged)
	} else if c.Damage != nil && !damaged && x.name.kind != timeIndexKind { // a dump of that tells of damage in the log
		t.Errorf("%s: no damage, a dump has %v", name, c.Damage)
	}
}

func TestPartsOfDamagedFiles(t *testing.T) {
	two := join(one(t, 0, record.None), one(t, 5, record.None))
	size := len(one(t, 0, record.None))
	entry := func(relative, position uint32) []byte {
		return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, relative), position)
	}
	torn := two[:len(two)-4]
	for _, tt := range []struct {
		name, file string
		data       []byte
		parts      int
		at         int // the part that is damaged
		want       string
	}{
		{"a flipped offset", "0.log", spoil(two, size, 1), 2, 1, "offset 72057594037927941 is none of this segment"},
		{"offsets that go back", "0.log", join(two, one(t, 5, record.None)), 3, 2, "offset 5 is not above that of the batch before, 5"},
		{"a flipped bit", "0.log", spoil(two, size+size-1, 0xff), 2, 1, fmt.Sprintf("at %d: ", size+crcAt)},
		{"a torn batch", "0.log", torn, 2, 1, fmt.Sprintf("at %d: ", size)},
		{"a torn header", "0.log", two[:size+30], 2, 1, "declares"},
		{"a few bytes", "0.log", two[:size+5], 2, 1, "5 bytes are left"},
		{"no length", "0.log", spoil(two, size+8, 0xff), 2, 1, "length field"},
		{"another format", "0.log", spoil(two, size+16, 1), 2, 1, "magic"},
		{"half an entry", "0.index", join(entry(3, 100), entry(6, 200)[:5]), 2, 1, "at 8: 5 bytes"},
		{"a smaller offset", "0.index", join(entry(6, 100), entry(3, 200)), 2, 1, "offset 3 is not above that of the entry before, 6"},
		{"a version", "0.txnindex", spoil(make([]byte, 34), 1, 7), 1, 0, "version 7 of an entry, 0 is known"},
		{"a wrong crc", "0.snapshot", spoil(producers(1, make([]byte, 46)), 2, 0xaa), 2, 0, "stored crc"},
		{"too many producers", "0.snapshot", producers(9, make([]byte, 46)), 2, 0, "9 producers, the file has room for 1"},
		{"a rest", "0.snapshot", producers(1, make([]byte, 50)), 3, 2, "4 bytes behind 1 producers"},
		{"a word", "leader-epoch-checkpoint", []byte("0\n1\n1 x\n"), 3, 2, `"1 x" is not an epoch and an offset`},
		{"a count", "leader-epoch-checkpoint", []byte("0\n2\n1 0\n"), 3, 1, "2 entries are declared, 1 are there"},
		{"no property", "meta.properties", []byte("a=b\nx\n"), 2, 1, `"x" is not name=value`},
		{"no object", ".kafka_cleanshutdown", []byte("{]"), 1, 0, "no JSON object"},
	} {
		x, err := TakeBytes(tt.file, tt.data)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if why := wholeParts(x, tt.data); why != "" || x.Len() != tt.parts {
			t.Errorf("%s: %d parts %s", tt.name, x.Len(), why)
			continue
		}
		for i, p := range x.Window(0, x.Len()) {
			if (p.Damage != nil) != (i == tt.at) || i == tt.at && !strings.Contains(p.Damage.Error(), tt.want) {
				t.Errorf("%s: part %d: damage %v, want %q in part %d", tt.name, i, p.Damage, tt.want, tt.at)
			}
		}
	}
}

// The batch of an index entry is looked up in the log beside it.
func TestPartsOfAnIndexBesideItsLog(t *testing.T) {
	fsys := afero.NewMemMapFs()
	log := join(one(t, 0, record.None), one(t, 1, record.None))
	size := uint32(len(one(t, 0, record.None)))
	write := func(name string, data []byte) {
		if err := afero.WriteFile(fsys, name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("0.log", log)
	for _, tt := range []struct {
		relative, position uint32
		want, note         string
	}{
		{1, size, "", "byte of the .log where that batch begins: 1"},
		{0, size, "offset 0, and the batch at byte", ""},
		{1, size + 3, "0.log", ""},
		{1, 9999, "0.log does not reach there", ""},
	} {
		write("0.index", binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, tt.relative), tt.position))
		x, err := Take(fsys, "0.index")
		if err != nil {
			t.Fatal(err)
		}
		p := x.Part(0)
		if (p.Damage != nil) != (tt.want != "") || p.Damage != nil && !strings.Contains(p.Damage.Error(), tt.want) {
			t.Errorf("%+v: damage %v", tt, p.Damage)
		}
		if tt.note != "" && p.Fields[1].Note != tt.note {
			t.Errorf("%+v: %q", tt, p.Fields[1].Note)
		}
	}
}

func TestPartsOfPreallocatedIndexes(t *testing.T) {
	for _, tt := range []struct {
		log  string
		data []byte
		want string
	}{
		{"", make([]byte, 80), "entry 0, not used yet"},
		{"x", make([]byte, 80), "entry 0, not used yet"},
		{"empty", make([]byte, 80), "not used yet"},
		{"", append([]byte{0, 0, 0, 5, 0, 0, 0, 9}, make([]byte, 8)...), "entry 0, not used yet"},
		{"", nil, ""},
	} {
		fsys := afero.NewMemMapFs()
		_ = afero.WriteFile(fsys, "0.index", tt.data, 0o600)
		if tt.log != "" {
			_ = afero.WriteFile(fsys, "0.log", []byte(strings.TrimPrefix(tt.log, "empty")), 0o600)
		}
		x, err := Take(fsys, "0.index")
		if err != nil {
			t.Fatal(err)
		}
		var titles []string
		for _, p := range x.Window(0, x.Len()) {
			titles = append(titles, p.Title)
		}
		if got := strings.Join(titles, ", "); got != tt.want {
			t.Errorf("log %q, %d bytes: %s, want %s", tt.log, len(tt.data), got, tt.want)
		}
	}
}

// The records of a compressed batch are named in what decompressing gives.
func TestPartsUnpack(t *testing.T) {
	for _, codec := range []record.Codec{record.Gzip, record.Snappy, record.LZ4, record.Zstd} {
		x, err := TakeBytes("0.log", one(t, 7, codec))
		if err != nil {
			t.Fatal(err)
		}
		p := x.Part(0)
		if p.Unpacked == nil || p.Damage != nil {
			t.Fatalf("%v: %+v", codec, p)
		}
		plain, _ := TakeBytes("0.log", one(t, 7, record.None))
		want := plain.Part(0)
		if !bytes.Equal(p.Unpacked.Data, want.Data[record.HeaderSize:]) {
			t.Errorf("%v: other bytes", codec)
		}
		var got, names []string
		for _, f := range p.Unpacked.Fields {
			got = append(got, f.Name+"="+f.Value)
		}
		for _, f := range want.Fields {
			if f.Record >= 0 {
				names = append(names, f.Name+"="+f.Value)
			}
		}
		if diff := cmp.Diff(names, got); diff != "" {
			t.Errorf("%v: %s", codec, diff)
		}
	}
}

func TestTakeSaysWhy(t *testing.T) {
	if _, err := Take(afero.NewMemMapFs(), "0.log"); err == nil || err.Error() != "no such file" {
		t.Errorf("%v", err)
	}
	x, err := TakeBytes(".lock", []byte("?"))
	if err != nil || x.Len() != 1 || x.Part(0).Fields[0].Name != record.Unreadable {
		t.Errorf("%v %+v", err, x)
	}
}

// FuzzParts: whatever the bytes, a file comes apart into parts that have every
// byte of it once.
func FuzzParts(f *testing.F) {
	names := append([]string{"0.log", "0-0.checkpoint", "0.index", "0.timeindex", "0.txnindex", "0.snapshot", "x.log", ".lock"}, checkpointNames...)
	for i, name := range []string{
		"testdata/special/bytes/00000000000000000000.log",
		"testdata/special/kraft/00000000000000000012-0000000007.checkpoint",
		"testdata/storage/torn/cut-0-before/00000000000000000012.index",
		"testdata/storage/torn/cut-0-before/00000000000000000012.timeindex",
		"testdata/storage/transactions/txn-nested/00000000000000000002.txnindex",
		"testdata/storage/torn/cut-0-before/00000000000000000012.snapshot",
	} {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), data)
	}
	for i := range checkpointNames {
		f.Add(uint8(8+i), []byte("0\n2\n1 0\nt 0 \r\n"))
		f.Add(uint8(8+i), []byte(`{"version":0,"a":[1, 2]}`))
	}
	f.Fuzz(func(t *testing.T, kind uint8, data []byte) {
		name := names[int(kind)%len(names)]
		x, err := TakeBytes(name, data)
		if err != nil {
			t.Fatal(err)
		}
		if why := wholeParts(x, data); why != "" {
			t.Errorf("%s: %s", name, why)
		}
	})
}

// BenchmarkParts opens a log of 10 000 batches and decodes what a screen shows.
func BenchmarkParts(b *testing.B) {
	var log []byte
	for i := range 10_000 {
		log = append(log, one(b, int64(i), record.None)...)
	}
	fsys := memory("0.log", log)
	b.SetBytes(int64(len(log)))
	for b.Loop() {
		x, err := Take(fsys, "0.log")
		if err != nil || x.Len() != 10_000 {
			b.Fatal(err)
		}
		x.Window(5_000, 40)
	}
}
