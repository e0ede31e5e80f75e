package storage

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"kafkalab/engine/disk"
	"kafkalab/engine/record"
)

// seedFiles adds the files with a suffix that Kafka wrote.
func seedFiles(f *testing.F, suffix string) {
	f.Helper()
	err := filepath.WalkDir(filepath.Join("testdata", "golden"), func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, suffix) {
			return err
		}
		data, err := os.ReadFile(name)
		if err == nil && len(data) < 8192 {
			f.Add(data)
		}
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte{})
}

func FuzzOffsetIndex(f *testing.F) {
	seedFiles(f, indexSuffix)
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, used := ParseOffsetIndex(data)
		var back []byte
		last := IndexEntry{Relative: -1}
		for _, e := range entries {
			if e.Relative <= last.Relative || e.Position <= last.Position {
				t.Fatalf("entry %v after %v", e, last)
			}
			last = e
			back = AppendOffsetEntry(back, e)
		}
		if int64(len(back)) != used || !bytes.HasPrefix(data, back) {
			t.Fatalf("%d bytes used, written back as %x", used, back)
		}
	})
}

func FuzzTimeIndex(f *testing.F) {
	seedFiles(f, timeIndexSuffix)
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, used := ParseTimeIndex(data)
		var back []byte
		last := TimeIndexEntry{Timestamp: -1}
		for _, e := range entries {
			if e.Timestamp <= last.Timestamp || e.Relative < last.Relative {
				t.Fatalf("entry %v after %v", e, last)
			}
			last = e
			back = AppendTimeEntry(back, e)
		}
		if int64(len(back)) != used || !bytes.HasPrefix(data, back) {
			t.Fatalf("%d bytes used, written back as %x", used, back)
		}
	})
}

func FuzzTxnIndex(f *testing.F) {
	seedFiles(f, txnIndexSuffix)
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := ParseTxnIndex(data)
		var back []byte
		for _, a := range list {
			back = AppendTxnEntry(back, a)
		}
		if !bytes.HasPrefix(data, back) || err == nil && len(back) != len(data) {
			t.Fatalf("%d entries, %v: written back as %x", len(list), err, back)
		}
	})
}

func FuzzSnapshot(f *testing.F) {
	seedFiles(f, snapshotSuffix)
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := ParseSnapshot(data)
		if err != nil {
			return
		}
		again, err := ParseSnapshot(FormatSnapshot(list))
		if err != nil || !reflect.DeepEqual(list, again) {
			t.Fatalf("%+v is read back as %+v, %v", list, again, err)
		}
	})
}

func FuzzCheckpoints(f *testing.F) {
	seedFiles(f, "-checkpoint")
	f.Fuzz(func(t *testing.T, data []byte) {
		if c, err := ParseOffsetCheckpoint(data); err == nil {
			if again, err := ParseOffsetCheckpoint(c.Format()); err != nil || !reflect.DeepEqual(c, again) {
				t.Fatalf("%v is read back as %v, %v", c, again, err)
			}
		}
		if list, err := ParseLeaderEpochs(data); err == nil {
			if again, err := ParseLeaderEpochs(FormatLeaderEpochs(list)); err != nil || !reflect.DeepEqual(list, again) {
				t.Fatalf("%v is read back as %v, %v", list, again, err)
			}
		}
	})
}

func FuzzMetadata(f *testing.F) {
	seedFiles(f, partitionMetadataFile)
	seedFiles(f, MetaPropertiesFile)
	f.Fuzz(func(t *testing.T, data []byte) {
		if id, err := ParsePartitionMetadata(data); err == nil {
			if again, err := ParsePartitionMetadata(FormatPartitionMetadata(id)); err != nil || again != id {
				t.Fatalf("%v is read back as %v, %v", id, again, err)
			}
		}
		if m, err := ParseMetaProperties(data); err == nil {
			if again, err := ParseMetaProperties(m.Format(0)); err != nil || again != m {
				t.Fatalf("%+v is read back as %+v, %v", m, again, err)
			}
		}
	})
}

func FuzzDirName(f *testing.F) {
	f.Add("orders-0")
	f.Add("a-b-12.0123456789abcdef0123456789abcdef-delete")
	f.Fuzz(func(t *testing.T, name string) {
		topic, partition, deleted, ok := ParseDirName(name)
		if !ok || deleted {
			return
		}
		if topic2, partition2, _, ok := ParseDirName(DirName(topic, partition)); !ok || topic2 != topic || partition2 != partition {
			t.Fatalf("%q is %q %d, which is written %q", name, topic, partition, DirName(topic, partition))
		}
	})
}

// FuzzRecovery recovers a folder whose files hold anything: it must open, keep a
// valid prefix, and open again to the same.
func FuzzRecovery(f *testing.F) {
	for _, dir := range []string{"transactions/txn-mixed", "torn/cut-0-before", "segments/sparse-t10", "compaction/compact-txn-3-pass3"} {
		entries, err := os.ReadDir(filepath.Join("testdata", "golden", filepath.FromSlash(dir)))
		if err != nil {
			f.Fatal(err)
		}
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), logSuffix) {
				data, err := os.ReadFile(filepath.Join("testdata", "golden", filepath.FromSlash(dir), e.Name()))
				if err != nil {
					f.Fatal(err)
				}
				base, _ := offsetOfName(e.Name())
				f.Add(base, data, uint16(3), byte(0))
				f.Add(base, data, uint16(len(data)/2), byte(1))
			}
		}
	}
	f.Fuzz(func(t *testing.T, base int64, data []byte, at uint16, mask byte) {
		if base < 0 || base > 1<<40 || len(data) > 1<<16 {
			return
		}
		if len(data) > 0 {
			data[int(at)%len(data)] ^= mask
		}
		d := disk.NewMem(func() time.Time { return time.UnixMilli(0) })
		if err := d.Mkdir("t-0", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := disk.WriteFileAtomic(d, "t-0/"+FileName(base, logSuffix), data); err != nil {
			t.Fatal(err)
		}
		o := Options{FS: d, Dir: "t-0", Topic: "t", Config: testConfig(), Now: func() int64 { return 0 }}
		log, err := Open(o)
		if err != nil {
			t.Fatal(err)
		}
		end, size := log.LogEndOffset(), log.Size()
		left, err := log.segments[0].read(0, int(log.segments[0].size))
		if err != nil || !bytes.HasPrefix(data, left) {
			t.Fatalf("what is left is no prefix: %v", err)
		}
		for rest := []byte(left); len(rest) > 0; {
			b, err := record.Next(rest)
			if err != nil || b.Valid() != nil {
				t.Fatalf("what is left is not valid: %v", err)
			}
			rest = rest[len(b):]
		}
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
		before := files(t, d, "t-0")
		o.CleanShutdown = false
		if log, err = Open(o); err != nil {
			t.Fatal(err)
		}
		if log.LogEndOffset() != end || log.Size() != size {
			t.Fatalf("recovered again: log end %d, %d bytes; before %d, %d", log.LogEndOffset(), log.Size(), end, size)
		}
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
		after := files(t, d, "t-0")
		delete(before, leaderEpochFile) // an epoch that began at the end is forgotten
		delete(after, leaderEpochFile)
		if !reflect.DeepEqual(before, after) {
			t.Fatalf("a second recovery changes files: %v, %v", sortedNames(before), sortedNames(after))
		}
	})
}
