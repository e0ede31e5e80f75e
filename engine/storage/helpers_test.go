package storage

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kafkalab/engine/disk"
	"kafkalab/engine/kerror"
	"kafkalab/engine/record"
	"kafkalab/engine/trace"
)

// fixture is a log on a disk in memory, with a clock that stands still.
type fixture struct {
	t      testing.TB
	disk   *disk.Mem
	log    *Log
	opts   Options
	now    int64
	events []trace.Body
}

// testConfig is Kafka's, but takes records of any time.
func testConfig() Config {
	c := DefaultConfig()
	c.TimestampAfterMaxMs = math.MaxInt64
	return c
}

func newFixture(t testing.TB, change ...func(*Options)) *fixture {
	t.Helper()
	f := &fixture{t: t, now: 1000}
	f.disk = disk.NewMem(func() time.Time { return time.UnixMilli(f.now).UTC() })
	f.opts = Options{
		FS: f.disk, Dir: "t-0", Topic: "t", Config: testConfig(), Now: func() int64 { return f.now }, CleanShutdown: true,
		Emit: func(b trace.Body) { f.events = append(f.events, b) },
	}
	for _, c := range change {
		c(&f.opts)
	}
	f.open()
	return f
}

// withConfig changes the configuration of a fixture.
func withConfig(change func(*Config)) func(*Options) {
	return func(o *Options) { change(&o.Config) }
}

func (f *fixture) open() {
	f.t.Helper()
	log, err := Open(f.opts)
	if err != nil {
		f.t.Fatal(err)
	}
	f.log = log
}

// reopen closes the log and opens it again.
func (f *fixture) reopen() {
	f.t.Helper()
	if err := f.log.Close(); err != nil {
		f.t.Fatal(err)
	}
	f.opts.CleanShutdown, f.opts.RecoveryPoint = true, f.log.RecoveryPoint()
	f.opts.LogStartOffset = f.log.LogStartOffset()
	f.open()
}

// reopenUnclean opens the log again as after kill -9; the recovery point is
// what a checkpoint may have said.
func (f *fixture) reopenUnclean(recoveryPoint int64) {
	f.t.Helper()
	if err := f.log.Abandon(); err != nil {
		f.t.Fatal(err)
	}
	f.opts.CleanShutdown, f.opts.RecoveryPoint = false, recoveryPoint
	f.opts.LogStartOffset = f.log.LogStartOffset()
	f.open()
}

// append appends as a client and raises the high watermark to the log's end.
func (f *fixture) append(b record.Batch) AppendInfo {
	f.t.Helper()
	info, err := f.log.AppendAsLeader(b, 0, Client)
	if err != nil {
		f.t.Fatalf("append: %v", err)
	}
	f.log.UpdateHighWatermark(f.log.LogEndOffset())
	return info
}

// marker appends the end of a transaction.
func (f *fixture) marker(pid int64, epoch int16, commit bool, txnVersion int16) *kerror.Error {
	f.t.Helper()
	kind := record.Abort
	if commit {
		kind = record.Commit
	}
	b := record.MarkerBatch(0, 1, -1, pid, epoch, record.EndTxnMarker{Type: kind})
	_, err := f.log.AppendWith(b, 0, AppendOptions{Origin: Coordinator, TxnVersion: txnVersion})
	return err
}

func (f *fixture) mustMarker(pid int64, epoch int16, commit bool) {
	f.t.Helper()
	if err := f.marker(pid, epoch, commit, 0); err != nil {
		f.t.Fatalf("marker: %v", err)
	}
}

// rec is a record for a test.
type rec struct {
	ts         int64
	key, value []byte
}

func r(ts int64, key, value string) rec { return rec{ts, []byte(key), []byte(value)} }

// batchOf builds a batch of records with options.
func batchOf(t testing.TB, o record.Options, records ...rec) record.Batch {
	t.Helper()
	b := record.NewBuilder(o)
	for _, r := range records {
		if _, err := b.Append(r.ts, r.key, r.value); err != nil {
			t.Fatal(err)
		}
	}
	return slices.Clone(b.Build())
}

func plain(t testing.TB, records ...rec) record.Batch {
	t.Helper()
	return batchOf(t, record.Defaults(), records...)
}

func idempotent(t testing.TB, pid int64, epoch int16, seq int32, records ...rec) record.Batch {
	t.Helper()
	o := record.Defaults()
	o.ProducerID, o.ProducerEpoch, o.BaseSequence = pid, epoch, seq
	return batchOf(t, o, records...)
}

func transactional(t testing.TB, pid int64, epoch int16, seq int32, records ...rec) record.Batch {
	t.Helper()
	o := record.Defaults()
	o.ProducerID, o.ProducerEpoch, o.BaseSequence, o.Transactional = pid, epoch, seq, true
	return batchOf(t, o, records...)
}

// sized builds a plain batch of an exact size: n records without keys, the last
// of which is filled up.
func sized(t testing.TB, size, n int, ts int64) record.Batch {
	t.Helper()
	for pad := max(0, size-record.HeaderSize-10*n-12); ; pad++ {
		records := make([]rec, n)
		for i := range records {
			records[i] = rec{ts, nil, []byte("v")}
		}
		records[n-1].value = make([]byte, pad)
		b := plain(t, records...)
		if len(b) == size {
			return b
		}
		if len(b) > size {
			t.Fatalf("no batch of %d records has %d bytes", n, size)
		}
	}
}

// t8 appends the batches of vector T8.
func (f *fixture) t8() {
	f.t.Helper()
	for _, ts := range []int64{100, 105, 103, 110, 108, 109, 120, 115, 118, 119, 117, 130, 125} {
		f.append(sized(f.t, 1000, 10, ts))
	}
}

// indexText shows both indexes of a segment, with absolute offsets.
func (f *fixture) indexText(base int64) string {
	var b strings.Builder
	b.WriteString("offset:")
	for _, e := range f.log.IndexEntries(base) {
		fmt.Fprintf(&b, " (%d,%d)", base+int64(e.Relative), e.Position)
	}
	b.WriteString(" time:")
	for _, e := range f.log.TimeIndexEntries(base) {
		fmt.Fprintf(&b, " (%d,%d)", e.Timestamp, base+int64(e.Relative))
	}
	return b.String()
}

// show lists segments and batches: [base bytesB] first-last…
func (f *fixture) show() string {
	f.t.Helper()
	var out []string
	for _, s := range f.log.Segments() {
		text := fmt.Sprintf("[%d %dB]", s.Base, s.Bytes)
		list, err := f.log.Batches(s.Base, math.MaxInt32)
		if err != nil {
			f.t.Fatal(err)
		}
		for _, b := range list {
			if b.Segment == s.Base {
				text += fmt.Sprintf(" %d-%d", b.Base, b.Last)
			}
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

// files reads a folder: name to contents.
func files(t testing.TB, d disk.FS, dir string) map[string][]byte {
	t.Helper()
	names, err := disk.Names(d, dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, name := range names {
		data, err := disk.ReadFile(d, path.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		out[name] = data
	}
	return out
}

// golden reads a folder that Kafka wrote.
func golden(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	root := filepath.Join("testdata", "golden", filepath.FromSlash(dir))
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(root, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out[e.Name()] = data
	}
	return out
}

// wantFiles compares folders, byte for byte.
func wantFiles(t testing.TB, got, want map[string][]byte) {
	t.Helper()
	for _, name := range sortedNames(want) {
		have, ok := got[name]
		switch {
		case !ok:
			t.Errorf("%s is missing", name)
		case !bytes.Equal(have, want[name]):
			t.Errorf("%s differs:\n got %d bytes %s\nwant %d bytes %s", name, len(have), clip(have), len(want[name]), clip(want[name]))
		}
	}
	for _, name := range sortedNames(got) {
		if _, ok := want[name]; !ok {
			t.Errorf("%s should not be there", name)
		}
	}
}

func clip(b []byte) string {
	const most = 120
	if len(b) > most {
		return fmt.Sprintf("%x…", b[:most])
	}
	return fmt.Sprintf("%x", b)
}

func sortedNames(m map[string][]byte) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// put writes files into a folder of a disk.
func put(t testing.TB, d disk.FS, dir string, content map[string][]byte) {
	t.Helper()
	if err := d.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range sortedNames(content) {
		if err := disk.WriteFileAtomic(d, path.Join(dir, name), content[name]); err != nil {
			t.Fatal(err)
		}
	}
}

// wantCode checks the code of an error.
func wantCode(t testing.TB, err *kerror.Error, want kerror.Code) {
	t.Helper()
	got := kerror.None
	if err != nil {
		got = err.Code
	}
	if got != want {
		t.Errorf("error is %v (%v), want %v", got, err, want)
	}
}

// OffsetForTimestamp is LookupTimestamp without the account. found is false when
// no record is as late.
func (l *Log) OffsetForTimestamp(timestamp int64) (ts, offset int64, leaderEpoch int32, found bool) {
	out, err := l.LookupTimestamp(timestamp)
	if err != nil || !out.Found {
		return record.NoTimestamp, NoOffset, NoEpoch, false
	}
	return out.Timestamp, out.Offset, out.LeaderEpoch, true
}
