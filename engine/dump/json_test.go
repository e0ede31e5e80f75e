package dump

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"kafkalab/engine/record"
)

func TestJSON(t *testing.T) {
	opts := record.Defaults()
	opts.HasDeleteHorizon, opts.DeleteHorizon = true, 99
	b := record.NewBuilder(opts)
	for _, value := range [][]byte{nil, []byte("<é>"), {0xff}} {
		if _, err := b.Append(7, []byte{}, value, record.Header{Key: "h"}); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if !Bytes(&out, "3.log", b.Build(), Options{Records: true, JSON: true}) {
		t.Error("damage")
	}
	crc := b.Build().CRC()
	want := `{"file":"3.log","batches":[{"baseOffset":0,"lastOffset":2,"count":3,"baseSequence":-1,"lastSequence":-1,` +
		`"producerId":-1,"producerEpoch":-1,"partitionLeaderEpoch":-1,"isTransactional":false,"isControl":false,` +
		`"deleteHorizonMs":99,"position":0,"timestampType":"CreateTime","maxTimestamp":7,"size":` + compactJSON(len(b.Build())) +
		`,"magic":2,"compresscodec":"none","crc":` + compactJSON(crc) + `,"isvalid":true,"records":[` +
		`{"offset":0,"timestamp":7,"keySize":0,"valueSize":-1,"sequence":-1,"headerKeys":["h"],"key":""},` +
		`{"offset":1,"timestamp":7,"keySize":0,"valueSize":4,"sequence":-1,"headerKeys":["h"],"key":"","payload":"<é>"},` +
		`{"offset":2,"timestamp":7,"keySize":0,"valueSize":1,"sequence":-1,"headerKeys":["h"],"key":"","payload":"` + "\ufffd" + `","payloadBytes":"/w=="}]}]}` + "\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

// The JSON of every golden file is one object a line, has as many batches, records
// and entries as the text has lines, and is what Read gives.
func TestJSONOfGoldens(t *testing.T) {
	files, err := filepath.Glob("testdata/storage/*/*/*")
	if err != nil {
		t.Fatal(err)
	}
	opt := Options{Records: true}
	for _, file := range files {
		if parseName(file).kind == unknownKind {
			continue
		}
		var text, object bytes.Buffer
		ok := Files(&text, afero.NewOsFs(), []string{file}, opt)
		if Files(&object, afero.NewOsFs(), []string{file}, Options{Records: true, JSON: true}) != ok {
			t.Errorf("%s: ok as text %v, as JSON not so", file, ok)
		}
		var c struct {
			File    string
			Batches []struct{ Records []any }
			Entries []any
			Damage  []Damage
		}
		if err := json.Unmarshal(object.Bytes(), &c); err != nil || strings.Count(object.String(), "\n") != 1 {
			t.Errorf("%s: %v in %s", file, err, object.Bytes())
		}
		if c.File != file || (c.Batches == nil) == (c.Entries == nil) || ok != (c.Damage == nil) {
			t.Errorf("%s: %s", file, object.Bytes())
		}
		batches, records := strings.Count(text.String(), "\nbaseOffset: "), strings.Count(text.String(), "\n| offset: ")
		for _, b := range c.Batches {
			batches, records = batches-1, records-len(b.Records)
		}
		if batches != 0 || records != 0 {
			t.Errorf("%s: %d batches and %d records are missing", file, batches, records)
		}
		value, err := json.Marshal(Read(afero.NewOsFs(), file, opt))
		if err != nil {
			t.Fatal(err)
		}
		var a, b any
		if json.Unmarshal(value, &a) != nil || json.Unmarshal(object.Bytes(), &b) != nil || !cmp.Equal(a, b) {
			t.Errorf("%s: the value is another than the object printed", file)
		}
	}
}

func TestFilesKeepTheirOrder(t *testing.T) {
	fsys := afero.NewBasePathFs(afero.NewOsFs(), "testdata/storage/torn/cut-0-before")
	names := []string{"00000000000000000012.log", "leader-epoch-checkpoint", "00000000000000000000.timeindex"}
	var b bytes.Buffer
	Files(&b, fsys, names, Options{JSON: true})
	for i, l := range strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n") {
		if !strings.HasPrefix(l, `{"file":"`+names[i]+`"`) {
			t.Errorf("line %d is %s", i, l)
		}
	}
}

// FuzzBytes: whatever the bytes, every kind of file is told without a panic, in
// whole lines, and JSON stays JSON.
func FuzzBytes(f *testing.F) {
	names := append([]string{
		"0.log", "0-0.checkpoint", "0.index", "0.timeindex", "0.txnindex", "0.snapshot", "9.log.deleted",
	}, checkpointNames...)
	for i, name := range []string{
		"testdata/special/bytes/00000000000000000000.log",
		"testdata/special/kraft/00000000000000000012-0000000007.checkpoint",
		"testdata/storage/torn/cut-0-before/00000000000000000012.index",
		"testdata/storage/torn/cut-0-before/00000000000000000012.timeindex",
		"testdata/storage/transactions/txn-nested/00000000000000000002.txnindex",
		"testdata/storage/torn/cut-0-before/00000000000000000012.snapshot",
		"testdata/storage/torn/cut-0-before/00000000000000000012.log",
		"testdata/storage/root/epochs/leader-epoch-checkpoint",
		"testdata/storage/root/after-kill/recovery-point-offset-checkpoint",
	} {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), data)
	}
	f.Fuzz(func(t *testing.T, kind uint8, data []byte) {
		name := names[int(kind)%len(names)]
		var b bytes.Buffer
		Bytes(&b, name, data, Options{Records: true})
		if !strings.HasPrefix(b.String(), "Dumping "+name+"\n") || !strings.HasSuffix(b.String(), "\n") {
			t.Errorf("%q", b.String())
		}
		b.Reset()
		ok := Bytes(&b, name, data, Options{Records: true, JSON: true})
		if !json.Valid(b.Bytes()) || ok == strings.Contains(b.String(), `"damage":[{"at":`) {
			t.Errorf("ok %v: %s", ok, b.String())
		}
		Bytes(&b, name, data, Options{IndexSanity: true})
	})
}

func BenchmarkLog(b *testing.B) {
	opts := record.Defaults()
	builder := record.NewBuilder(opts)
	var log []byte
	for len(log) < 1<<20 {
		builder.Reset(opts)
		for range 50 {
			if _, err := builder.Append(1, []byte("key"), make([]byte, 100)); err != nil {
				b.Fatal(err)
			}
		}
		opts.BaseOffset += 50
		log = append(log, builder.Build()...)
	}
	// order: each is measured alone
	for name, opt := range map[string]Options{"batches": {}, "records": {Records: true}, "json": {Records: true, JSON: true}} {
		b.Run(name, func(b *testing.B) {
			fsys := memory("0.log", log)
			b.SetBytes(int64(len(log)))
			for b.Loop() {
				var n count
				if !Files(&n, fsys, []string{"0.log"}, opt) || n == 0 {
					b.Fatal("damage")
				}
			}
		})
	}
}

// count counts what is written.
type count int

func (c *count) Write(p []byte) (int, error) {
	*c += count(len(p))
	return len(p), nil
}
