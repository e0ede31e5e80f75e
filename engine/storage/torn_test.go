package storage

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"
	"testing"

	"kafkalab/engine/disk"
	"kafkalab/engine/kerror"
	"kafkalab/engine/record"
)

// TestGoldenTorn starts on the folders that were damaged after kill -9, and
// stops cleanly: the folder is then what Kafka made of it.
func TestGoldenTorn(t *testing.T) {
	for name, recoveryPoint := range map[string]int64{"cut": 12, "zeros": 12, "flip": 0, "noindex": 12} {
		t.Run(name, func(t *testing.T) {
			f := goldenFixture(t, "torn/"+name+"-0-before", func(o *Options) {
				o.CleanShutdown, o.RecoveryPoint = false, recoveryPoint
			})
			want := golden(t, "torn/"+name+"-1-after")
			// The single node began two epochs more, one of them before the stop.
			f.log.AssignEpoch(2, f.log.LogEndOffset())
			if err := f.log.Close(); err != nil {
				t.Fatal(err)
			}
			wantFiles(t, files(t, f.disk, "t-0"), want)
		})
	}
}

// TestGoldenAfterKill opens folders that were copied after kill -9: the active
// segment's indexes are preallocated, and are read as if they were not.
func TestGoldenAfterKill(t *testing.T) {
	for _, dir := range []string{"compaction/compact-1-pass1", "compaction/compact-txn-1-pass1"} {
		for _, clean := range []bool{false, true} {
			t.Run(fmt.Sprint(dir, "/", clean), func(t *testing.T) {
				f := goldenFixture(t, dir, func(o *Options) { o.CleanShutdown, o.RecoveryPoint = clean, math.MaxInt64 })
				for _, s := range f.log.segments {
					size := int64(len(golden(t, dir)[FileName(s.base, indexSuffix)]))
					if used := int64(len(s.offsets.entries)) * offsetEntrySize; used > size || s.offsets.size != used {
						t.Errorf("segment %d: %d bytes of entries, %d used, file of %d", s.base, used, s.offsets.size, size)
					}
				}
				if err := f.log.Close(); err != nil {
					t.Fatal(err)
				}
				last := f.log.segments[len(f.log.segments)-1]
				if got := files(t, f.disk, "t-0")[FileName(last.base, indexSuffix)]; len(got) != len(last.offsets.entries)*offsetEntrySize {
					t.Errorf("the active index has %d bytes after a clean stop, %d entries", len(got), len(last.offsets.entries))
				}
			})
		}
	}
}

// damagedLog is a closed log with an aborted transaction in its first segment.
func damagedLog(t *testing.T) *fixture {
	t.Helper()
	f := newFixture(t, withConfig(func(c *Config) { c.IndexIntervalBytes = 50 }))
	f.append(transactional(t, 2, 0, 0, r(200, "x", "y")))
	b := record.MarkerBatch(0, 201, -1, 2, 0, record.EndTxnMarker{Type: record.Abort})
	if _, err := f.log.AppendAsLeader(b, 0, Coordinator); err != nil {
		t.Fatal(err)
	}
	f.append(idempotent(t, 3, 0, 0, r(202, "x", "y")))
	f.append(plain(t, r(203, "x", "y")))
	if err := f.log.Roll(); err != nil {
		t.Fatal(err)
	}
	f.append(plain(t, r(204, "x", "y")))
	if err := f.log.Close(); err != nil {
		t.Fatal(err)
	}
	return f
}

// TestDamageBelowTheRecoveryPoint: what is flushed is not looked at again, so
// most damage there stays.
func TestDamageBelowTheRecoveryPoint(t *testing.T) {
	const index, times = "offset: (1,70) (2,148) (3,218)", " time: (201,1) (202,2) (203,3)"
	aborted := []AbortedTxn{{2, 0, 1, 2}}
	for _, tt := range []struct {
		what, want   string
		aborted      []AbortedTxn
		producers    int // after a clean start
		afterUnclean int // and after an unclean one
	}{
		{"index", index + times, aborted, 2, 2},
		{"timeindex", index + " time:", aborted, 2, 2},
		{"txnindex", index + times, nil, 2, 2},
		{"snapshot", index + times, aborted, 0, 2},
		{"badsnapshot", index + times, aborted, 2, 2},
		{"badindex", "offset:" + times, aborted, 2, 2},
		{"badtime", index + " time:", aborted, 2, 2},
		{"badtxn", index + times, []AbortedTxn{{0, 0, 0, 0}}, 2, 2},
	} {
		for _, clean := range []bool{true, false} {
			t.Run(fmt.Sprint(tt.what, "/", clean), func(t *testing.T) {
				f := damagedLog(t)
				damage(t, f.disk, tt.what)
				f.opts.CleanShutdown, f.opts.RecoveryPoint = clean, 5
				f.open()
				if got := f.indexText(0); got != tt.want {
					t.Errorf("%s, want %s", got, tt.want)
				}
				if got := f.log.AbortedTxns(0); !slices.Equal(got, tt.aborted) {
					t.Errorf("transaction index %v, want %v", got, tt.aborted)
				}
				want := tt.afterUnclean
				if clean {
					want = tt.producers
				}
				if got := len(f.log.Producers()); got != want {
					t.Errorf("%d producers, want %d", got, want)
				}
				if !slices.Equal(f.log.producers.snapshots, []int64{4, 5}) {
					t.Errorf("snapshots at %v, want 4 and 5", f.log.producers.snapshots)
				}
				if f.log.LogEndOffset() != 5 {
					t.Errorf("log end %d, want 5", f.log.LogEndOffset())
				}
			})
		}
	}
}

func damage(t *testing.T, d *disk.Mem, what string) {
	t.Helper()
	write := func(name string, data []byte) {
		if err := disk.WriteFileAtomic(d, path.Join("t-0", name), data); err != nil {
			t.Fatal(err)
		}
	}
	all := files(t, d, "t-0")
	switch what {
	case "snapshot":
		for _, name := range sortedNames(all) {
			if strings.HasSuffix(name, snapshotSuffix) {
				if err := d.Remove(path.Join("t-0", name)); err != nil {
					t.Fatal(err)
				}
			}
		}
	case "badsnapshot":
		if err := d.Flip(path.Join("t-0", FileName(5, snapshotSuffix)), 20, 1); err != nil {
			t.Fatal(err)
		}
	case "badindex":
		write(FileName(0, indexSuffix), []byte{1, 2, 3, 4, 5, 6, 7})
	case "badtime":
		write(FileName(0, timeIndexSuffix), []byte{1, 2, 3, 4, 5, 6, 7})
	case "badtxn":
		write(FileName(0, txnIndexSuffix), make([]byte, txnEntrySize))
	default:
		if err := d.Remove(path.Join("t-0", FileName(0, "."+what))); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTxnIndexThatCannotBeTrue: an entry that ends before the segment begins
// makes the segment be recovered, even after a clean shutdown. Half an entry is not
// looked at, and what it told is lost; an entry of another version ends the start.
func TestTxnIndexThatCannotBeTrue(t *testing.T) {
	f := newFixture(t, func(o *Options) { o.LogStartOffset = 10 })
	f.append(transactional(t, 2, 0, 0, r(200, "x", "y")))
	f.mustMarker(2, 0, false)
	if err := f.log.Close(); err != nil {
		t.Fatal(err)
	}
	name := path.Join("t-0", FileName(10, txnIndexSuffix))
	for _, tt := range []struct {
		what string
		data []byte
		want []AbortedTxn
	}{
		{"ends before the base", AppendTxnEntry(nil, AbortedTxn{2, 0, 9, 10}), []AbortedTxn{{2, 10, 11, 12}}},
		{"half an entry", make([]byte, 10), nil},
		{"unknown version", append([]byte{0, 7}, make([]byte, txnEntrySize-2)...), nil},
	} {
		if err := disk.WriteFileAtomic(f.disk, name, tt.data); err != nil {
			t.Fatal(err)
		}
		if tt.what == "unknown version" {
			f.opts.CleanShutdown = true
			_, err := Open(f.opts)
			if fatal, ok := errors.AsType[*FatalError](err); !ok || fatal.Damage.Exception() != kafkaException {
				t.Errorf("%s: %v", tt.what, err)
			}
			return
		}
		f.open()
		if got := f.log.AbortedTxns(10); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.what, got, tt.want)
		}
		if err := f.log.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSwapFiles: compaction output that was complete replaces its sources;
// output that was not is dropped; what was marked for deletion goes.
func TestSwapFiles(t *testing.T) {
	for _, tt := range []struct{ suffix, want string }{
		{swapSuffix, "[0 70B] 1-1 [2 70B] 2-2"},
		{cleanedSuffix, "[0 70B] 0-0 [1 70B] 1-1 [2 70B] 2-2"},
		{deletedSuffix, "[0 70B] 0-0 [1 70B] 1-1 [2 70B] 2-2"},
	} {
		f := newFixture(t)
		for i := range 3 {
			if i > 0 {
				if err := f.log.Roll(); err != nil {
					t.Fatal(err)
				}
			}
			f.append(plain(t, r(1, "A", fmt.Sprint(i))))
		}
		if err := f.log.Close(); err != nil {
			t.Fatal(err)
		}
		all := files(t, f.disk, "t-0")
		for _, suffix := range []string{logSuffix, indexSuffix, timeIndexSuffix} {
			data := []byte{}
			if suffix == logSuffix {
				data = all[FileName(1, logSuffix)]
			}
			if err := disk.WriteFileAtomic(f.disk, path.Join("t-0", FileName(0, suffix)+tt.suffix), data); err != nil {
				t.Fatal(err)
			}
		}
		f.open()
		if got := f.show(); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.suffix, got, tt.want)
		}
		for name := range maps.Keys(files(t, f.disk, "t-0")) {
			if strings.HasSuffix(name, tt.suffix) {
				t.Errorf("%s is left", name)
			}
		}
	}
}

// TestCrashKeepsAPrefix crashes the machine at random points: what is left is a
// prefix of what was appended, at least up to the recovery point.
func TestCrashKeepsAPrefix(t *testing.T) {
	for keep := range int64(12) {
		f := newFixture(t, withConfig(func(c *Config) { c.SegmentBytes, c.IndexIntervalBytes = 500, 100 }))
		var written []byte
		for i := range 17 {
			b := idempotent(t, 1, 0, int32(i), r(int64(100+i), "key", fmt.Sprintf("value %d", i)))
			f.append(b)
			stored, err := f.log.BatchBytes(int64(i))
			if err != nil {
				t.Fatal(err)
			}
			written = append(written, stored...)
		}
		flushed := f.log.RecoveryPoint()
		if flushed == 0 {
			t.Fatal("nothing was flushed by rolling")
		}
		err := f.disk.Crash(disk.Keep{
			Ops:  func(n int) int { return int(keep) % (n + 1) },
			Tail: func(_ string, n int64) int64 { return keep * 13 % (n + 1) },
		})
		if err != nil {
			t.Fatal(err)
		}
		f.opts.CleanShutdown, f.opts.RecoveryPoint = false, flushed
		f.open()
		if f.log.LogEndOffset() < flushed {
			t.Errorf("keep %d: log end %d, but %d was flushed", keep, f.log.LogEndOffset(), flushed)
		}
		var left []byte
		for _, s := range f.log.segments {
			b, err := s.read(0, int(s.size))
			if err != nil {
				t.Fatal(err)
			}
			left = append(left, b...)
		}
		if !bytes.HasPrefix(written, left) {
			t.Errorf("keep %d: the log is not a prefix of what was written", keep)
		}
		if got := f.seqTry(1, 0, int32(f.log.LogEndOffset()), 1); strings.HasPrefix(got, "OUT") {
			t.Errorf("keep %d: the producer cannot go on: %s", keep, got)
		}
	}
}

// TestFullDisk: a failed write breaks the log, as Kafka takes its directory
// offline; after a restart the torn batch is cut off.
func TestFullDisk(t *testing.T) {
	f := newFixture(t)
	f.append(plain(t, r(1, "a", "b")))
	f.disk.SetFaults(disk.Faults{Limited: true, Budget: 30})
	_, err := f.log.AppendAsLeader(plain(t, r(1, "c", "d")), 0, Client)
	wantCode(t, err, kerror.KafkaStorageError)
	f.disk.SetFaults(disk.Faults{})
	_, err = f.log.AppendAsLeader(plain(t, r(1, "c", "d")), 0, Client)
	wantCode(t, err, kerror.KafkaStorageError)
	if _, err := f.log.Read(0, 100, 1, true); err == nil || f.log.Err() == nil {
		t.Error("a broken log can be read")
	}
	if f.log.LogEndOffset() != 1 {
		t.Errorf("log end %d, want 1", f.log.LogEndOffset())
	}
	f.reopenUnclean(0)
	if f.log.LogEndOffset() != 1 || f.log.Size() != 70 {
		t.Errorf("after the restart: log end %d, %d bytes", f.log.LogEndOffset(), f.log.Size())
	}
	f.append(plain(t, r(1, "c", "d")))
}
