package storage

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"kafkalab/engine/disk"
)

func TestOffsetCheckpoint(t *testing.T) {
	c := OffsetCheckpoint{}
	c.Set("b", 0, 7)
	c.Set("a", 10, 5)
	c.Set("a", 2, 1<<40)
	c.Set("gone", 0, 1)
	c.Remove("gone", 0)
	want := "0\n3\na 2 1099511627776\na 10 5\nb 0 7\n"
	if got := string(c.Format()); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	back, err := ParseOffsetCheckpoint(c.Format())
	if err != nil || !reflect.DeepEqual(back, c) || back.Get("a", 10) != 5 || back.Get("none", 0) != 0 {
		t.Errorf("%v, %v", back, err)
	}
	if got := string(OffsetCheckpoint(nil).Format()); got != "0\n0\n" {
		t.Errorf("no entries: %q", got)
	}
}

func TestGoldenCheckpoints(t *testing.T) {
	for _, dir := range []string{"root/after-kill", "root/after-clean-stop"} {
		for name, data := range golden(t, dir) {
			if !strings.HasSuffix(name, "-checkpoint") {
				continue
			}
			c, err := ParseOffsetCheckpoint(data)
			if err != nil {
				t.Errorf("%s/%s: %v", dir, name, err)
				continue
			}
			// Kafka's entries stand in the order of a hash map.
			lines := func(b []byte) []string {
				list := strings.Split(string(b), "\n")
				slices.Sort(list)
				return list
			}
			if !slices.Equal(lines(c.Format()), lines(data)) {
				t.Errorf("%s/%s is read as %v", dir, name, c)
			}
		}
	}
	c, err := ParseOffsetCheckpoint(golden(t, "root/after-clean-stop")[RecoveryPointFile])
	if err != nil || len(c) != 29 || c.Get("__transaction_state", 0) != 30 {
		t.Errorf("%d entries, %v", len(c), err)
	}
}

func TestBrokenCheckpoints(t *testing.T) {
	for text, want := range map[string]string{
		"1\n0\n":             "line 1",
		"x\n0\n":             "line 1",
		"0\n-1\n":            "line 2",
		"0\n2\na 0 1\n":      "line 2",
		"0\n0\na 0 1\n":      "line 2",
		"0\n1\na 0\n":        "line 3",
		"0\n1\na zero 1\n":   "line 3",
		"0\n1\na 0 one\n":    "line 3",
		"0\n1\na 0 1 extra ": "line 3",
	} {
		if _, err := ParseOffsetCheckpoint([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want something about %s", text, err, want)
		}
	}
	// What Kafka's reader takes: nothing, a version alone, Windows' line ends.
	for text, want := range map[string]int{"": 0, "0": 0, "0\n": 0, "0\r\n1\r\na 0 1\r\n": 1, "0\n1\na\t0  1 \n": 1} {
		if c, err := ParseOffsetCheckpoint([]byte(text)); err != nil || len(c) != want {
			t.Errorf("%q: %v, %v", text, c, err)
		}
	}
	// What Kafka meets as an exception that is not one of the disk.
	for text, want := range map[string]bool{"0\n1\na 0 x\n": true, "0\n-1\n": true, "0\n1\n a 0 1\n": false, "x\n": false, "0\n2\na 0 1\n": false} {
		var bad *TextError
		if _, err := ParseOffsetCheckpoint([]byte(text)); !errors.As(err, &bad) || bad.Unchecked != want {
			t.Errorf("%q: %v, unchecked should be %v", text, err, want)
		}
	}
	for _, text := range []string{"0\n1\n-1 0\n", "0\n1\n0 -5\n", "0\n1\n0\n", "0\n1\n0 x\n"} {
		if _, err := ParseLeaderEpochs([]byte(text)); err == nil || !strings.Contains(err.Error(), "line 3") {
			t.Errorf("epochs %q: %v", text, err)
		}
	}
}

func TestPartitionMetadata(t *testing.T) {
	data := golden(t, "root/epochs")[partitionMetadataFile]
	id, err := ParsePartitionMetadata(data)
	if err != nil {
		t.Fatal(err)
	}
	if got := FormatPartitionMetadata(id); !slices.Equal(got, data) {
		t.Errorf("%q, want %q", got, data)
	}
	for _, text := range []string{
		"", "version: 0\n", "version: -1\ntopic_id: " + FormatUUID(id), "version: 0\nid: x", "version: 0\ntopic_id: short",
		"version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAA", "version:0\ntopic_id: " + FormatUUID(id),
	} {
		if _, err := ParsePartitionMetadata([]byte(text)); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

func TestPartitionMetadataByHand(t *testing.T) {
	id := [16]byte{1, 2, 3}
	for _, text := range []string{"version: 1\ntopic_id: ", "version:   0\ntopic_id: ", "v: 0\r\nid:\t"} {
		for _, rest := range []string{"", "\n", "\nmore"} {
			if got, err := ParsePartitionMetadata([]byte(text + FormatUUID(id) + rest)); err != nil || got != id {
				t.Errorf("%q: %v, %v", text+rest, got, err)
			}
		}
	}
}

func TestTopicIDOfAFolder(t *testing.T) {
	id := [16]byte{1, 2, 3}
	f := newFixture(t, func(o *Options) { o.TopicID = id })
	if err := f.log.Close(); err != nil {
		t.Fatal(err)
	}
	f.opts.TopicID = [16]byte{}
	f.open()
	if f.log.TopicID() != id {
		t.Errorf("topic id %v, want %v", f.log.TopicID(), id)
	}
	f.opts.TopicID = [16]byte{9}
	if _, err := Open(f.opts); err == nil || !strings.Contains(err.Error(), FormatUUID(id)) {
		t.Errorf("the folder of another topic is opened: %v", err)
	}
}

func TestMetaProperties(t *testing.T) {
	m, err := ParseMetaProperties(golden(t, "root/after-kill")[MetaPropertiesFile])
	if err != nil || m.NodeID != 1 || m.ClusterID != "oracleAAAAAAAAAAAAAAAA" || FormatUUID(m.DirectoryID) != "qOdFOCmC-NNJn0fGVKxCwA" {
		t.Errorf("%+v, %v", m, err)
	}
	text := string(m.Format(1795977426000))
	if want := "#\n#Sun Nov 29 18:37:06 UTC 2026\ncluster.id=oracleAAAAAAAAAAAAAAAA\ndirectory.id=qOdFOCmC-NNJn0fGVKxCwA\nnode.id=1\nversion=1\n"; text != want {
		t.Errorf("%q, want %q", text, want)
	}
	if back, err := ParseMetaProperties([]byte(text)); err != nil || back != m {
		t.Errorf("%+v, %v", back, err)
	}
	for _, broken := range []string{
		"", "version=0\nnode.id=1\ncluster.id=x\ndirectory.id=qOdFOCmC-NNJn0fGVKxCwA", "version=1\nnode.id=-1\ncluster.id=x\ndirectory.id=qOdFOCmC-NNJn0fGVKxCwA",
		"version=1\nnode.id=1\ncluster.id=x", "version=1\nnode.id=1\ndirectory.id=qOdFOCmC-NNJn0fGVKxCwA", "nonsense",
	} {
		if _, err := ParseMetaProperties([]byte(broken)); err == nil {
			t.Errorf("%q is accepted", broken)
		}
	}
}

func TestFormatOrRead(t *testing.T) {
	d := disk.NewMem(nil)
	want := MetaProperties{NodeID: 3, ClusterID: "c", DirectoryID: [16]byte{7}}
	if m, err := FormatOrRead(d, want, 0); err != nil || m != want {
		t.Fatal(m, err)
	}
	names, err := disk.Names(d, "/")
	if fresh := []string{".lock", CleanerOffsetFile, LogStartOffsetFile, MetaPropertiesFile, RecoveryPointFile, HighWatermarkFile}; err != nil || !slices.Equal(names, fresh) {
		t.Errorf("a fresh root has %v, want %v", names, fresh)
	}
	if m, err := FormatOrRead(d, MetaProperties{NodeID: 3}, 0); err != nil || m != want {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := FormatOrRead(d, MetaProperties{NodeID: 4}, 0); err == nil {
		t.Error("another node's folder is taken")
	}
	if _, err := FormatOrRead(d, MetaProperties{NodeID: 3, ClusterID: "other"}, 0); err == nil {
		t.Error("another cluster's folder is taken")
	}
}

func TestCleanShutdownFile(t *testing.T) {
	d := disk.NewMem(nil)
	if clean, epoch, err := TakeCleanShutdown(d); clean || epoch != NoBrokerEpoch || err != nil {
		t.Errorf("without the file: %v, %d, %v", clean, epoch, err)
	}
	if err := WriteCleanShutdown(d, 434); err != nil {
		t.Fatal(err)
	}
	got, err := disk.ReadFile(d, cleanShutdownFile)
	want, err2 := os.ReadFile(filepath.Join("testdata", "golden", "root", "after-clean-stop", cleanShutdownFile))
	if err != nil || err2 != nil || !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if clean, epoch, err := TakeCleanShutdown(d); !clean || epoch != 434 || err != nil {
		t.Errorf("%v, %d, %v", clean, epoch, err)
	}
	if clean, _ := ReadCleanShutdown(d); clean {
		t.Error("the file is left: a start that dies would not be unclean")
	}
	if err := disk.WriteFileAtomic(d, cleanShutdownFile, []byte("?")); err != nil {
		t.Fatal(err)
	}
	if clean, epoch := ReadCleanShutdown(d); !clean || epoch != NoBrokerEpoch {
		t.Errorf("a file without an epoch: %v, %d", clean, epoch)
	}
}

func TestNames(t *testing.T) {
	if got := FileName(1234, logSuffix); got != "00000000000000001234.log" {
		t.Errorf("%q", got)
	}
	for name, want := range map[string]int64{
		"00000000000000001234.log": 1234, "00000000000000000007.index.deleted": 7, "leader-epoch-checkpoint": -1,
		"partition.metadata": -1, "-1.log": -1, ".lock": -1,
	} {
		if got, ok := offsetOfName(name); ok != (want >= 0) || ok && got != want {
			t.Errorf("%s: %d, %v", name, got, ok)
		}
	}
	for name, want := range map[string]string{
		"orders-0": "orders 0 false true", "my-topic-12": "my-topic 12 false true", "orders": " 0 false false", "-0": " 0 false false",
		"orders-x": " 0 false false", "orders--1": "orders- 1 false true",
		"orders-0.0123456789abcdef0123456789abcdef-delete": "orders 0 true true", "orders-0.0123-delete": "orders 0 true true",
		"orders-0-delete": " 0 false false", "orders-0.0123-stray": " 0 false false", "orders-0.01 23-delete": " 0 false false",
	} {
		topic, n, deleted, ok := ParseDirName(name)
		if got := fmt.Sprintln(topic, n, deleted, ok); got != want+"\n" {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	long := strings.Repeat("t", 249) + "-0"
	if got := DeleteDirName(long, strings.Repeat("a", 32)); len(got) != maxNameLength || !strings.HasSuffix(got, "-delete") {
		t.Errorf("%d characters: %s", len(got), got)
	}
}

func TestJitter(t *testing.T) {
	c := DefaultConfig()
	if got := c.jitterMs(func() int32 { return 7 }); got != 0 {
		t.Errorf("no segment.jitter.ms: %d", got)
	}
	c.SegmentJitterMs = 1000
	for draw, want := range map[int32]int64{7: 7, -7: 7, 1007: 7, -2147483648: 0} {
		if got := c.jitterMs(func() int32 { return draw }); got != want {
			t.Errorf("%d drawn: %d, want %d", draw, got, want)
		}
	}
	c.SegmentMs = 5
	if got := c.jitterMs(func() int32 { return 7 }); got != 2 {
		t.Errorf("segment.ms below segment.jitter.ms: %d, want 2", got)
	}
}

// TestSnapshotOrder: Kafka writes producers in the order of a HashMap<Long, …>.
func TestSnapshotOrder(t *testing.T) {
	f := newFixture(t)
	for _, pid := range []int64{1000, 17, 1, 16, 33, 0} {
		f.append(idempotent(t, pid, 0, 0, r(1, "a", "b")))
	}
	var got []int64
	for _, p := range f.log.Producers() {
		got = append(got, p.ID)
	}
	// 16 buckets: 1000 is 8 modulo 16.
	if want := []int64{16, 0, 17, 1, 33, 1000}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for pid := int64(100); pid < 107; pid++ { // the 13th makes the table double
		f.append(idempotent(t, pid, 0, 0, r(1, "a", "b")))
	}
	got = got[:0]
	for _, p := range f.log.Producers() {
		got = append(got, p.ID)
	}
	if want := []int64{0, 1, 33, 100, 101, 102, 103, 1000, 104, 105, 106, 16, 17}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A log directory may hold folders of partitions, and files of anybody's.
func TestForeignFolders(t *testing.T) {
	for name, foreign := range map[string]bool{
		"orders-0": false, "orders-0.01-delete": false, "orders-0.01-stray": false, "orders-0.01-future": false, "remote-log-index-cache": false,
		"lost+found": true, "backup": true, ".hidden": true, "foo-bar": true, "-5": true, "orders-0-delete": true, "orders-": true,
	} {
		d := disk.NewMem(func() time.Time { return time.Time{} })
		for _, dir := range []string{"t-0", name} {
			if err := d.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := disk.WriteFileAtomic(d, "hello.txt", nil); err != nil {
			t.Fatal(err)
		}
		dirs, _, err := PartitionDirs(d)
		var bad *ForeignError
		if errors.As(err, &bad) != foreign || foreign && bad.Dir != name {
			t.Errorf("%s: %v, %v", name, dirs, err)
		}
	}
}
