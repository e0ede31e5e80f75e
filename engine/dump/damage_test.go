package dump

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"kafkalab/engine/record"
)

const zero = "00000000000000000000"

// one is a batch of one record at an offset.
func one(t testing.TB, offset int64, codec record.Codec) record.Batch {
	t.Helper()
	opts := record.Defaults()
	opts.BaseOffset, opts.LeaderEpoch, opts.Codec = offset, 0, codec
	b := record.NewBuilder(opts)
	if _, err := b.Append(1000+offset, []byte("k"), []byte("v")); err != nil {
		t.Fatal(err)
	}
	return b.Build()
}

// spoil gives a copy with one byte changed.
func spoil(p []byte, at int, to byte) []byte {
	p = bytes.Clone(p)
	p[at] = to
	return p
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// producers is a sound snapshot around these bytes of producers.
func producers(count uint32, body []byte) []byte {
	rest := append(binary.BigEndian.AppendUint32(nil, count), body...)
	p := binary.BigEndian.AppendUint16(nil, 1)
	p = binary.BigEndian.AppendUint32(p, crc32.Checksum(rest, castagnoli))
	return append(p, rest...)
}

// resum gives a batch the checksum of its bytes.
func resum(b record.Batch) []byte {
	binary.BigEndian.PutUint32(b[17:], b.Checksum())
	return b
}

func TestDamage(t *testing.T) {
	first, second := one(t, 0, record.None), one(t, 1, record.None)
	packed := one(t, 1, record.Gzip)
	control := record.MarkerBatch(1, 5, 0, 1, 1, record.EndTxnMarker{Type: record.Commit})
	unknownCodec := resum(spoil(first, 22, 5))
	brokenRecord := resum(spoil(second, 69, 9)) // the header count
	aborted := make([]byte, abortedTxnSize)
	tests := []struct {
		name  string
		file  string
		data  []byte
		lines int      // after "Dumping"
		want  []string // without the file's name
	}{
		{"empty log", zero + ".log", nil, 1, nil},
		{"sound log", zero + ".log", join(first, second), 5, nil},
		{"torn log", zero + ".log", join(first, second[:20]), 4, []string{"at 70: truncated record batch: declares 70 bytes, 20 are left"}},
		{"few bytes more", zero + ".log", join(first, second[:17]), 4, []string{"at 70: truncated record batch: 17 bytes are left"}},
		{"zeros behind", zero + ".log", join(first, make([]byte, 100)), 3, []string{"at 70: corrupt record batch: length field 0, the least is 14"}},
		{"short batch", zero + ".log", join(first, spoil(second, 11, 48)), 3, []string{"at 70: corrupt record batch: 60 bytes, a batch has at least 61"}},
		{"old format", zero + ".log", join(first, spoil(second, 16, 1)), 4, []string{
			"at 70: corrupt record batch: stored crc 0, computed 33180385, as of a message of format 1",
			"at 70: what a message of format 1 holds is not read, format 2 is",
		}},
		{"no format", zero + ".log", join(first, spoil(second, 16, 0xff)), 3, []string{"at 70: corrupt record batch: magic -1, only magic 2 is allowed"}},
		{"checksum, the rest is told", zero + ".log", join(spoil(first, 68, 'w'), second), 5, []string{"at 0: corrupt record batch: stored crc"}},
		{"record", zero + ".log", join(first, brokenRecord), 4, []string{"at 131: invalid record: record 1 of 1: header count -5, 0 bytes are left"}},
		{"compressed block", zero + ".log", join(first, resum(spoil(packed, 75, packed[75]^0xff))), 4, []string{"at 70: "}},
		{"codec", zero + ".log", join(unknownCodec, second), 2, []string{"at 0: codec 5, 0 to 4 are known"}},
		{"marker", zero + ".log", resum(spoil(control, 71, 0xff)), 2, []string{"at 61: invalid record: "}},
		{"name of a log", "orders.log", first, 0, []string{"at 0: the name must begin with an offset, as 00000000000000000000.log"}},
		{"name of a KRaft snapshot", zero + ".checkpoint", first, 0, []string{"at 0: the name must be an offset and an epoch"}},
		{"bootstrap", "bootstrap.checkpoint", first, 3, nil},
		{"log to be deleted", zero + ".log.deleted", first, 3, nil},
		{"cleaner's log", zero + ".log.cleaned", first, 3, nil},
		{"cleaner's log, swapped in", zero + ".log.swap", first, 3, nil},
		{"index", zero + ".index", []byte{0, 0, 0, 9, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 1, nil},
		{"empty index", zero + ".index", nil, 1, nil},
		{"half an entry", zero + ".index", []byte{0, 0, 0, 9, 0, 0, 1, 0, 7, 7}, 1, []string{"at 8: 2 bytes of an entry of 8"}},
		{"index to be deleted", "7.index.deleted", []byte{0, 0, 0, 9, 0, 0, 1, 0}, 1, nil},
		{"name of an index", "x.index", nil, 0, []string{"at 0: the name must begin with an offset, as 00000000000000000000.index"}},
		{"half a time", zero + ".timeindex", make([]byte, 17), 1, []string{"at 12: 5 bytes of an entry of 12"}},
		{"aborted", zero + ".txnindex", aborted, 1, nil},
		{"version of an aborted", zero + ".txnindex", join(aborted, spoil(aborted, 1, 1)), 1, []string{"at 34: version 1 of an entry, 0 is known"}},
		{"half an aborted", zero + ".txnindex", join(aborted, aborted[:9]), 1, []string{"at 34: 9 bytes of an entry of 34"}},
		{"no producers", zero + ".snapshot", producers(0, nil), 0, nil},
		{"a producer", zero + ".snapshot", producers(1, make([]byte, 46)), 1, nil},
		{"empty snapshot", zero + ".snapshot", nil, 0, []string{"at 0: the file ends here, a snapshot has at least 10 bytes"}},
		{"version of a snapshot", zero + ".snapshot", spoil(producers(0, nil), 1, 2), 0, []string{"at 0: version 2, 1 is known"}},
		{"checksum of a snapshot", zero + ".snapshot", spoil(producers(0, nil), 9, 1), 0, []string{"at 2: stored crc "}},
		{"count of producers", zero + ".snapshot", producers(2, make([]byte, 46)), 0, []string{"at 6: 2 producers, the file has room for 1"}},
		{"negative count", zero + ".snapshot", producers(1<<31, nil), 0, []string{"at 6: -2147483648 producers, the file has room for 0"}},
		{"behind the producers", zero + ".snapshot", producers(1, make([]byte, 50)), 1, []string{"at 56: 4 bytes behind 1 producers"}},
		{"no kind", "notes.txt", first, 0, []string{"at 0: not known by its name: "}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fsys := memory(tt.file, tt.data)
			lines, damages, _ := dumped(t, fsys, tt.file, Options{Records: true})
			if len(lines)-1 != tt.lines {
				t.Errorf("%d lines, want %d: %q", len(lines)-1, tt.lines, lines)
			}
			if len(damages) != len(tt.want) {
				t.Fatalf("damages %q, want %q", damages, tt.want)
			}
			for i, want := range tt.want {
				if !strings.HasPrefix(damages[i], tt.file+": "+want) {
					t.Errorf("damage %q, want %q", damages[i], want)
				}
			}
		})
	}
}

// The torn folders of Apache Kafka: what is wrong, and where.
func TestDamageOfGoldens(t *testing.T) {
	// order: each is tested alone
	for file, want := range map[string][]string{
		"cut/00000000000000000012.log":   {"at 238: truncated record batch: declares 119 bytes, 89 are left"},
		"cut/00000000000000000012.index": {"at 8: offset 17, position 238: 00000000000000000012.log: at 238: truncated record batch: declares 119 bytes, 89 are left"},
		"zeros/00000000000000000012.log": {"at 357: corrupt record batch: length field 0, the least is 14"},
		"zeros/00000000000000000012.timeindex": {
			"at 0: timestamp 1700000010007, offset 15: 00000000000000000012.log: at 357: corrupt record batch: length field 0, the least is 14",
		},
		"flip/00000000000000000006.log": {
			"at 119: corrupt record batch: stored crc 307650674, computed 1743635497",
			"at 238: invalid record: record 3 of 258: length: ends too early",
		},
		"flip/00000000000000000006.timeindex": {
			"at 0: timestamp 1700000005004, offset 9: 00000000000000000006.log: at 238: invalid record: record 3 of 258: length: ends too early",
		},
	} {
		dir, name := filepath.Split(file)
		fsys := afero.NewBasePathFs(afero.NewOsFs(), "testdata/storage/torn/"+filepath.Clean(dir)+"-0-before")
		_, damages, _ := dumped(t, fsys, name, Options{Records: true})
		for i := range want {
			want[i] = name + ": " + want[i]
		}
		if diff := cmp.Diff(want, damages); diff != "" {
			t.Errorf("%s: %s", file, diff)
		}
	}
}

// A file that cannot be read does not keep the others from being read.
func TestUnreadable(t *testing.T) {
	fsys := memory("d/"+zero+".log", one(t, 0, record.None))
	if err := fsys.MkdirAll("d/5.log", 0o700); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if Files(&b, fsys, []string{"d/9.log", "d/5.log", "d//" + zero + ".log", ""}, Options{}) {
		t.Error("ok")
	}
	lines := strings.Split(b.String(), "\n")
	for i, want := range []string{
		"Dumping d/9.log", "d/9.log: at 0: no such file",
		"Dumping d/5.log", "d/5.log: at 0: is a folder",
		"Dumping d/" + zero + ".log", "Log starting offset: 0", "baseOffset: 0 lastOffset: 0 count: 1 ",
		"Dumping ", ": at 0: not known by its name",
	} {
		if !strings.HasPrefix(lines[i], want) {
			t.Errorf("line %d is %q, want %q", i, lines[i], want)
		}
	}
}

// failing is a file system whose files break off.
type failing struct{ afero.Fs }

type failingFile struct{ afero.File }

func (f failing) Open(name string) (afero.File, error) {
	file, err := f.Fs.Open(name)
	return failingFile{file}, err
}

func (f failingFile) ReadAt(p []byte, at int64) (int, error) {
	if at >= 70 {
		return 0, &os.PathError{Op: "read", Path: "x", Err: os.ErrClosed}
	}
	return f.File.ReadAt(p, at)
}

func TestReadError(t *testing.T) {
	name := zero + ".log"
	fsys := failing{memory(name, join(one(t, 0, record.None), one(t, 1, record.None)))}
	lines, damages, _ := dumped(t, fsys, name, Options{})
	if len(lines) != 3 || len(damages) != 1 || damages[0] != name+": at 70: cannot be read: file already closed" {
		t.Errorf("%q, %q", lines, damages)
	}
}

// An index is compared with the log of its own stage, or with the one that has
// none; without any it is told as it is.
func TestIndexBesideLog(t *testing.T) {
	index := []byte{0, 0, 0, 0, 0, 0, 0, 70}
	log := one(t, 0, record.None)
	for _, tt := range []struct {
		name string
		logs []string
		file string
		ok   bool
	}{
		{"no log", nil, "0.index", true},
		{"log", []string{"0.log"}, "0.index", false},
		{"both to be deleted", []string{"0.log.deleted"}, "0.index.deleted", false},
		{"only the index to be deleted", []string{"0.log"}, "0.index.deleted", false},
		{"another stage", []string{"0.log.swap"}, "0.index.deleted", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fsys := memory(tt.file, index)
			for _, name := range tt.logs {
				if err := afero.WriteFile(fsys, name, log, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			_, damages, ok := dumped(t, fsys, tt.file, Options{})
			if ok != tt.ok || !ok && !strings.HasSuffix(damages[0], "offset 0, position 70: "+tt.logs[0]+" ends there") {
				t.Errorf("ok %v, %q", ok, damages)
			}
		})
	}
}

// The index of an active segment is preallocated with zeros. The first of them
// looks like an entry for the base offset; in an empty log there is none.
func TestPreallocated(t *testing.T) {
	fsys := memory("5.index", make([]byte, 240))
	if err := afero.WriteFile(fsys, "5.timeindex", make([]byte, 240), 0o600); err != nil {
		t.Fatal(err)
	}
	check := func(name string, want ...string) {
		t.Helper()
		got, damages, _ := dumped(t, fsys, name, Options{})
		if diff := cmp.Diff(append([]string{"Dumping " + name}, want...), got); diff != "" || damages != nil {
			t.Errorf("%s%q", diff, damages)
		}
	}
	log := func(data []byte) {
		t.Helper()
		if err := afero.WriteFile(fsys, "5.log", data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	log(nil)
	check("5.index")
	check("5.timeindex", "timestamp: 0 offset: 5")
	log(one(t, 5, record.None))
	check("5.index", "offset: 5 position: 0")
	check("5.timeindex", "timestamp: 0 offset: 5")
}
