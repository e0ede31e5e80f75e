package storage

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kafkalab/engine/disk"
	"kafkalab/engine/record"
)

// goldenNow lies after all records and markers of the folders that Kafka wrote.
const goldenNow = 1795977460000

// goldenConfig is what the topics of the golden folders were made with.
func goldenConfig(dir string) Config {
	c := DefaultConfig()
	c.SegmentIndexBytes, c.RetentionMs = 4096, -1
	switch path := filepath.Base(dir); {
	case path == "roll-time":
		c.SegmentMs = 10000
	case path == "roll-size":
		c.SegmentBytes, c.IndexIntervalBytes = 10000, 2000
	case path == "roll-index":
		c.SegmentIndexBytes, c.IndexIntervalBytes = 48, 1
	case path == "delete-records" || path == "retention-time" || path == "retention-size":
		c.SegmentMs = 1000
	case strings.HasPrefix(path, "compact-txn"):
		c.SegmentBytes, c.Compact, c.Delete = 450, true, false
	case strings.HasPrefix(path, "compact"):
		c.SegmentMs, c.Compact, c.Delete = 1000, true, false
	case strings.HasPrefix(dir, "torn"):
		c.SegmentMs, c.IndexIntervalBytes, c.SegmentIndexBytes = 5000, 100, 240
	}
	return c
}

// goldenFixture opens a copy of a folder that Kafka wrote.
func goldenFixture(t *testing.T, dir string, change ...func(*Options)) *fixture {
	t.Helper()
	f := &fixture{t: t, now: goldenNow}
	f.disk = disk.NewMem(func() time.Time { return time.UnixMilli(f.now).UTC() })
	put(t, f.disk, "t-0", golden(t, dir))
	f.opts = Options{
		FS: f.disk, Dir: "t-0", Topic: "t", Config: goldenConfig(dir), Now: func() int64 { return f.now },
		CleanShutdown:          !strings.HasSuffix(dir, "pass1"), // copied after kill -9: the indexes are full of zeros
		ProducerIDExpirationMs: 1 << 50,                          // the records are from 2023
	}
	for _, c := range change {
		c(&f.opts)
	}
	f.open()
	return f
}

func goldenDirs(t *testing.T, groups ...string) []string {
	t.Helper()
	var dirs []string
	for _, group := range groups {
		entries, err := os.ReadDir(filepath.Join("testdata", "golden", group))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			dirs = append(dirs, group+"/"+e.Name())
		}
	}
	return dirs
}

// TestGoldenOpenAndClose opens every folder that a clean stop of Kafka left:
// closing it again changes nothing.
func TestGoldenOpenAndClose(t *testing.T) {
	dirs := goldenDirs(t, "segments", "codecs", "transactions", "retention", "compaction")
	dirs = append(dirs, "root/epochs", "torn/cut-1-after", "torn/zeros-1-after", "torn/noindex-1-after")
	for _, dir := range dirs {
		if strings.HasSuffix(dir, "pass1") {
			continue // copied after kill -9
		}
		t.Run(dir, func(t *testing.T) {
			f := goldenFixture(t, dir)
			end := newestSnapshot(golden(t, dir))
			want := afterNextStart(t, golden(t, dir), end)
			if err := f.log.Close(); err != nil {
				t.Fatal(err)
			}
			wantFiles(t, files(t, f.disk, "t-0"), want)
			if f.log.LogEndOffset() != end {
				t.Errorf("log end %d, the newest snapshot is at %d", f.log.LogEndOffset(), end)
			}
		})
	}
}

// afterNextStart is what a start of Kafka makes of a clean folder: files marked
// for deletion go, and snapshots that belong to no segment or lie at the log's
// start, and epochs that begin at its end.
func afterNextStart(t *testing.T, content map[string][]byte, end int64) map[string][]byte {
	t.Helper()
	start := end
	for _, name := range sortedNames(content) {
		if offset, ok := offsetOfName(name); ok && strings.HasSuffix(name, logSuffix) {
			start = min(start, offset)
		}
	}
	for _, name := range sortedNames(content) {
		offset, _ := offsetOfName(name)
		isBase := content[FileName(offset, logSuffix)] != nil
		stray := strings.HasSuffix(name, snapshotSuffix) && (!isBase && offset != end || offset <= start)
		if stray || strings.HasSuffix(name, deletedSuffix) {
			delete(content, name)
		}
	}
	epochs, err := ParseLeaderEpochs(content[leaderEpochFile])
	if err != nil {
		t.Fatal(err)
	}
	for len(epochs) > 0 && epochs[len(epochs)-1].Start >= end {
		epochs = epochs[:len(epochs)-1]
	}
	content[leaderEpochFile] = FormatLeaderEpochs(epochs)
	return content
}

func newestSnapshot(content map[string][]byte) int64 {
	newest := int64(-1)
	for name := range maps.Keys(content) {
		if offset, ok := offsetOfName(name); ok && strings.HasSuffix(name, snapshotSuffix) {
			newest = max(newest, offset)
		}
	}
	return newest
}

// storedBatches lists the batches of a folder's .log files, in order.
func storedBatches(t *testing.T, content map[string][]byte) []record.Batch {
	t.Helper()
	var list []record.Batch
	for _, name := range sortedNames(content) {
		if !strings.HasSuffix(name, logSuffix) {
			continue
		}
		for data := content[name]; len(data) > 0; {
			b, err := record.Next(data)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			list = append(list, b)
			data = data[len(b):]
		}
	}
	return list
}

// TestGoldenAppend appends what Kafka's producers and coordinators sent: after a
// clean close the folder is Kafka's, byte for byte.
func TestGoldenAppend(t *testing.T) {
	for _, dir := range append(goldenDirs(t, "segments", "codecs", "transactions"), "compaction/compact-0-before") {
		t.Run(dir, func(t *testing.T) {
			want := golden(t, dir)
			id, err := ParsePartitionMetadata(want[partitionMetadataFile])
			if err != nil {
				t.Fatal(err)
			}
			f := newFixture(t, func(o *Options) { o.Config, o.TopicID = goldenConfig(dir), id })
			f.now = goldenNow
			for _, stored := range storedBatches(t, want) {
				sent := slices.Clone(stored)
				sent.SetBaseOffset(0)
				sent.SetPartitionLeaderEpoch(-1)
				origin := Client
				if sent.IsControl() || strings.HasSuffix(dir, "transaction_state") {
					origin = Coordinator
				}
				before := slices.Clone(sent)
				info, kerr := f.log.AppendWith(sent, stored.PartitionLeaderEpoch(), AppendOptions{Origin: origin, TxnVersion: 2})
				if kerr != nil {
					t.Fatalf("batch at offset %d: %v", stored.BaseOffset(), kerr)
				}
				if info.FirstOffset != stored.BaseOffset() || info.LastOffset != stored.LastOffset() {
					t.Fatalf("appended at %d-%d, Kafka at %d-%d", info.FirstOffset, info.LastOffset, stored.BaseOffset(), stored.LastOffset())
				}
				if !slices.Equal(before, sent) {
					t.Fatal("the batch that was sent has changed")
				}
				f.log.UpdateHighWatermark(f.log.LogEndOffset())
			}
			if err := f.log.Close(); err != nil {
				t.Fatal(err)
			}
			wantFiles(t, files(t, f.disk, "t-0"), want)
		})
	}
}

// TestGoldenFollower copies the same folders as a follower does, in fetches of
// different sizes that may cut a batch.
func TestGoldenFollower(t *testing.T) {
	for _, dir := range goldenDirs(t, "segments", "codecs", "transactions") {
		for _, size := range []int32{1, 3000, 1 << 20} {
			t.Run(fmt.Sprint(dir, "/", size), func(t *testing.T) {
				leader := goldenFixture(t, dir)
				leader.log.UpdateHighWatermark(leader.log.LogEndOffset())
				f := newFixture(t, func(o *Options) { o.Config, o.TopicID = goldenConfig(dir), leader.log.TopicID() })
				f.now = goldenNow
				for f.log.LogEndOffset() < leader.log.LogEndOffset() {
					data, err := leader.log.Read(f.log.LogEndOffset(), size, leader.log.LogEndOffset(), true)
					if err != nil {
						t.Fatal(err)
					}
					if _, err := f.log.AppendAsFollower(data.Records, 0); err != nil {
						t.Fatal(err)
					}
				}
				if err := f.log.Close(); err != nil {
					t.Fatal(err)
				}
				want := golden(t, dir)
				if dir == "transactions/txn-mixed" && size > 1 {
					// A follower that gets the marker and the next transaction in one
					// fetch notes where that one began, not the offset after the marker.
					want[FileName(4, txnIndexSuffix)] = AppendTxnEntry(nil, AbortedTxn{6, 2, 6, 8})
				}
				wantFiles(t, files(t, f.disk, "t-0"), want)
			})
		}
	}
}

// TestGoldenRecoveryRebuildsTheSameFiles takes all indexes and snapshots away
// and recovers: what comes back is what Kafka had written while appending.
func TestGoldenRecoveryRebuildsTheSameFiles(t *testing.T) {
	for _, dir := range append(goldenDirs(t, "segments", "codecs", "transactions"), "compaction/compact-0-before") {
		t.Run(dir, func(t *testing.T) {
			want := golden(t, dir)
			bare := map[string][]byte{}
			for name, data := range want {
				if strings.HasSuffix(name, logSuffix) || name == partitionMetadataFile {
					bare[name] = data
				}
			}
			f := newFixture(t)
			f.now, f.opts.Config = goldenNow, goldenConfig(dir)
			f.opts.ProducerIDExpirationMs = 1 << 50
			if err := f.disk.RemoveAll("t-0"); err != nil {
				t.Fatal(err)
			}
			put(t, f.disk, "t-0", bare)
			f.opts.CleanShutdown = false
			f.open()
			if err := f.log.Close(); err != nil {
				t.Fatal(err)
			}
			got := files(t, f.disk, "t-0")
			dropOldSnapshots(got, want)
			wantFiles(t, got, want)
		})
	}
}

// dropOldSnapshots makes two folders comparable: recovery keeps the snapshots of
// every segment that it recovers, as appending does, but not that at an offset
// at which the folder once ended.
func dropOldSnapshots(got, want map[string][]byte) {
	for name := range got {
		if strings.HasSuffix(name, snapshotSuffix) && want[name] == nil {
			delete(got, name)
		}
	}
}

// TestOnARealFolder does to a folder of the real disk what the other tests do to
// one in memory: append, roll, truncate, stop, start, crash.
func TestOnARealFolder(t *testing.T) {
	run := func(d disk.FS) (map[string][]byte, []int64) {
		o := Options{FS: d, Dir: "t-0", Topic: "t", Config: goldenConfig("segments/roll-size"), Now: func() int64 { return goldenNow }, CleanShutdown: true}
		log, err := Open(o)
		if err != nil {
			t.Fatal(err)
		}
		for _, stored := range storedBatches(t, golden(t, "segments/roll-size")) {
			sent := slices.Clone(stored)
			sent.SetBaseOffset(0)
			if _, err := log.AppendAsLeader(sent, 0, Client); err != nil {
				t.Fatal(err)
			}
		}
		ends := []int64{log.LogEndOffset()}
		if err := log.TruncateTo(45); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, log.LogEndOffset())
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
		if log, err = Open(o); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, log.LogEndOffset())
		if _, err := log.AppendAsLeader(sized(t, 1000, 2, goldenNow), 0, Client); err != nil {
			t.Fatal(err)
		}
		o.RecoveryPoint, o.CleanShutdown = log.RecoveryPoint(), false
		if err := d.Crash(disk.Keep{Tail: func(_ string, n int64) int64 { return n / 2 }}); err != nil {
			t.Fatal(err)
		}
		if log, err = Open(o); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, log.LogEndOffset())
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
		return files(t, d, "t-0"), ends
	}
	clock := func() time.Time { return time.UnixMilli(goldenNow) }
	real, err := disk.NewDir(t.TempDir(), clock)
	if err != nil {
		t.Fatal(err)
	}
	got, ends := run(real)
	want, wantEnds := run(disk.NewMem(clock))
	wantFiles(t, got, want)
	if !slices.Equal(ends, wantEnds) || !slices.Equal(ends, []int64{48, 45, 44, 44}) {
		t.Errorf("log ends %v on a real folder, %v in memory, want 48 45 44 44", ends, wantEnds)
	}
	if info, err := real.Stat("t-0/" + FileName(0, logSuffix)); err != nil || info.ModTime().UnixMilli() != goldenNow {
		t.Errorf("a file's time is not virtual: %v, %v", info.ModTime(), err)
	}
}
