package storage

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"kafkalab/engine/disk"
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
		for _, e := range entries {
			back = AppendOffsetEntry(back, e)
		}
		if int64(len(back)) != used || !bytes.HasPrefix(data, back) || len(data)-len(back) >= offsetEntrySize {
			t.Fatalf("%d bytes used, written back as %x", used, back)
		}
	})
}

func FuzzTimeIndex(f *testing.F) {
	seedFiles(f, timeIndexSuffix)
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, used := ParseTimeIndex(data)
		var back []byte
		for _, e := range entries {
			back = AppendTimeEntry(back, e)
		}
		if int64(len(back)) != used || !bytes.HasPrefix(data, back) || len(data)-len(back) >= timeEntrySize {
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
		if !bytes.HasPrefix(data, back) || (err == nil) != (len(data)-len(back) < txnEntrySize) {
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

// checkRecovered looks whether a segment holds valid batches of those in data. A
// split orders its parts by their offsets.
func checkRecovered(t *testing.T, s *segment, data []byte, only bool) {
	t.Helper()
	left, err := s.read(0, int(s.size))
	if err != nil || only && !bytes.HasPrefix(data, left) || !bytes.Contains(data, left) {
		t.Fatalf("what is left is no part of what was: %v", err)
	}
	reader := batchReader{file: s.file, end: int64(s.size)}
	for at := int64(0); at < int64(s.size); {
		b, err := reader.next(at)
		if err != nil {
			t.Fatalf("what is left is not valid: %v", err)
		}
		at += int64(len(b))
	}
}

// FuzzRecovery recovers a folder whose files hold anything: it must open, keep
// valid batches only, and open again to the same; or tell what Kafka would die of.
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
		if _, fatal := errors.AsType[*FatalError](err); fatal {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		end, size := log.LogEndOffset(), log.Size()
		for _, s := range log.segments {
			checkRecovered(t, s, data, len(log.segments) == 1)
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
		maps.DeleteFunc(before, func(name string, _ []byte) bool { return strings.HasSuffix(name, deletedSuffix) })
		if !reflect.DeepEqual(before, after) {
			t.Fatalf("a second recovery changes files: %v, %v", sortedNames(before), sortedNames(after))
		}
	})
}
