package storage

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kafkalab/engine/record"
)

// everyGoldenFolder lists all partition folders that Kafka wrote.
func everyGoldenFolder(t *testing.T) []string {
	t.Helper()
	root := filepath.Join("testdata", "golden")
	var dirs []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == partitionMetadataFile {
			dir, relErr := filepath.Rel(root, filepath.Dir(path))
			dirs, err = append(dirs, filepath.ToSlash(dir)), relErr
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}

// TestGoldenEveryFolder opens every folder that Kafka left, after clean stops,
// kills and damage, as after a crash in which nothing was flushed. What is
// recovered are the whole batches that lie before the first damage, in order;
// recovering again changes no byte (invariants 2, 3, 14, 15 and 17).
func TestGoldenEveryFolder(t *testing.T) {
	ends := map[string]int64{"torn/cut-0-before": 16, "torn/flip-0-before": 8}
	for _, dir := range everyGoldenFolder(t) {
		t.Run(dir, func(t *testing.T) {
			want, ok := ends[dir]
			if !ok {
				want = max(newestSnapshot(golden(t, dir)), logicalEnd(golden(t, dir)))
			}
			f := goldenFixture(t, dir, func(o *Options) { o.CleanShutdown, o.RecoveryPoint = false, 0 })
			if got := f.log.LogEndOffset(); got != want {
				t.Fatalf("log end %d, want %d", got, want)
			}
			f.inOrder()
			if err := f.log.Close(); err != nil {
				t.Fatal(err)
			}
			first := files(t, f.disk, "t-0")
			f.open()
			if err := f.log.Close(); err != nil {
				t.Fatal(err)
			}
			for name := range first {
				if strings.HasSuffix(name, deletedSuffix) {
					delete(first, name) // of the first recovery; the second one unlinks it
				}
			}
			wantFiles(t, files(t, f.disk, "t-0"), first)
		})
	}
}

// logicalEnd is the offset after the last whole batch of a folder's logs, or the
// last segment's base.
func logicalEnd(content map[string][]byte) int64 {
	end := int64(0)
	for _, name := range sortedNames(content) {
		base, _ := offsetOfName(name)
		if !strings.HasSuffix(name, logSuffix) {
			continue
		}
		end = max(end, base)
		for data := content[name]; len(data) > 0; {
			b, err := nextWhole(data)
			if err != nil {
				break
			}
			end, data = b.NextOffset(), data[len(b):]
		}
	}
	return end
}

// inOrder holds the segments and batches against invariants 2, 3 and 5.
func (f *fixture) inOrder() {
	f.t.Helper()
	last := int64(-1)
	for i, s := range f.log.segments {
		if s.base <= last {
			f.t.Errorf("segment %d after offset %d", s.base, last)
		}
		data, err := s.read(0, int(s.size))
		if err != nil {
			f.t.Fatal(err)
		}
		for rest := []byte(data); len(rest) > 0; {
			b, err := nextWhole(rest)
			if err != nil {
				f.t.Fatalf("segment %d: %v", s.base, err)
			}
			rest = rest[len(b):]
			if b.BaseOffset() < s.base || b.BaseOffset() <= last {
				f.t.Errorf("segment %d of %d: batch %d-%d after offset %d", s.base, i, b.BaseOffset(), b.LastOffset(), last)
			}
			last = b.LastOffset()
		}
	}
}

// TestGoldenFlippedAndStopped opens the folder in which Kafka's recovery marked
// the last segment for deletion: the start unlinks it, and nothing else changes.
func TestGoldenFlippedAndStopped(t *testing.T) {
	const dir = "torn/flip-1-after"
	marked := slices.DeleteFunc(sortedNames(golden(t, dir)), func(name string) bool { return !strings.HasSuffix(name, deletedSuffix) })
	if len(marked) != 3 {
		t.Fatalf("marked for deletion: %v", marked)
	}
	f := goldenFixture(t, dir)
	if f.log.LogEndOffset() != 8 || fmt.Sprint(f.log.bases()) != "[0 6]" {
		t.Errorf("log end %d, segments %v", f.log.LogEndOffset(), f.log.bases())
	}
	if err := f.log.Close(); err != nil {
		t.Fatal(err)
	}
	wantFiles(t, files(t, f.disk, "t-0"), afterNextStart(t, golden(t, dir), 8))
}

// TestGoldenIsComplete: the folders of all groups are here.
func TestGoldenIsComplete(t *testing.T) {
	groups := map[string]int{}
	for _, dir := range everyGoldenFolder(t) {
		group, _, _ := strings.Cut(dir, "/")
		groups[group]++
	}
	want := map[string]int{"codecs": 9, "segments": 7, "compaction": 7, "transactions": 3, "retention": 3, "torn": 8, "root": 1}
	for group, n := range want {
		if groups[group] != n {
			t.Errorf("%s: %d folders, want %d", group, groups[group], n)
		}
	}
	if _, err := os.Stat(filepath.Join("testdata", "golden", "root", "after-kill")); err != nil {
		t.Error(err)
	}
}

// nextWhole is the next batch, whole and with its checksum right.
func nextWhole(data []byte) (record.Batch, error) {
	b, err := record.Next(data)
	if err != nil {
		return nil, err
	}
	return b, b.Valid()
}
