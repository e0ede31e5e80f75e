package engine

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kafkalab/engine/client"
	"kafkalab/engine/metadata"
	"kafkalab/engine/storage"
)

// story is what the tests of this file do with a cluster.
func story(c *probed) {
	c.create("orders", 2, 3, setting("internal.segment.bytes", "900"), setting("index.interval.bytes", "200"))
	c.do(Produce{client.Produce{Topic: "orders", Partition: 1, Count: 40, Size: 50, Acks: -1, Batch: 2, TimeoutMs: 30000}})
	c.tick(7_000)
	c.produce("orders", 3, 1)
	c.do(Truncate{client.DeleteRecords{Topic: "orders", Partition: 1, Before: 3}})
	c.tick(1_000)
}

func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		info, _ := d.Info()
		files[strings.TrimPrefix(path, root)] = string(b) + info.ModTime().UTC().String()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func inDir(t *testing.T, dir string, seed uint64) *probed {
	o := Defaults()
	o.DataDir, o.Seed = dir, seed
	return newProbed(t, o)
}

func (c *probed) shut() {
	c.t.Helper()
	if err := c.Close(); err != nil {
		c.t.Fatal(err)
	}
}

// Two runs with one seed leave the same files, to the byte and to the time;
// another seed leaves others.
func TestSameSeedSameBytes(t *testing.T) {
	var trees []map[string]string
	for _, seed := range []uint64{5, 5, 6} {
		dir := t.TempDir()
		c := inDir(t, dir, seed)
		story(c)
		c.shut()
		trees = append(trees, tree(t, dir))
	}
	if d := cmp.Diff(trees[0], trees[1]); d != "" {
		t.Errorf("two runs with one seed differ:\n%s", d)
	}
	if cmp.Equal(trees[0], trees[2]) {
		t.Error("another seed gives the same files, ids and all")
	}
}

// The folders have Kafka's layout and file names.
func TestDataDirLayout(t *testing.T) {
	dir := t.TempDir()
	c := inDir(t, dir, 1)
	story(c)
	c.shut()
	var names []string
	for name := range tree(t, dir) {
		names = append(names, strings.TrimPrefix(name, "/"))
	}
	for _, want := range []string{
		"broker-1/meta.properties", "broker-1/recovery-point-offset-checkpoint", "broker-1/log-start-offset-checkpoint",
		"broker-1/replication-offset-checkpoint", "broker-1/.kafka_cleanshutdown",
		"broker-1/orders-1/partition.metadata", "broker-1/orders-1/leader-epoch-checkpoint",
		"broker-1/orders-1/00000000000000000000.log", "broker-1/orders-1/00000000000000000000.index", "broker-1/orders-1/00000000000000000000.timeindex",
		"broker-3/orders-0/00000000000000000000.log", "controller-1/__cluster_metadata-0/00000000000000000000.log", "controller-1/meta.properties",
	} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is missing", want)
		}
	}
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if got, want := read("broker-2/replication-offset-checkpoint"), "0\n2\norders 0 3\norders 1 40\n"; got != want {
		t.Errorf("replication-offset-checkpoint is %q, want %q", got, want)
	}
	if got, want := read("broker-2/log-start-offset-checkpoint"), "0\n1\norders 1 3\n"; got != want {
		t.Errorf("log-start-offset-checkpoint is %q, want %q: only a start inside the first segment", got, want)
	}
	if got := read("broker-1/.kafka_cleanshutdown"); !strings.HasPrefix(got, `{"version":0,"brokerEpoch":`) {
		t.Errorf(".kafka_cleanshutdown is %q", got)
	}
}

// A folder that has data is opened: the same topics and records, nothing
// scanned or lost, and writing goes on at the end.
func TestReopenDataDir(t *testing.T) {
	dir := t.TempDir()
	c := inDir(t, dir, 1)
	story(c)
	before := c.View()
	logs := map[string]string{}
	c.shut()
	for name, content := range tree(t, dir) {
		if strings.HasSuffix(name, ".log") && !strings.Contains(name, metadata.TopicName) {
			logs[name] = content
		}
	}
	c = inDir(t, dir, 2)
	after := c.View()
	for i := range after.Topics[0].Partitions {
		was, is := before.Topics[0].Partitions[i], after.Topics[0].Partitions[i]
		if is.LEO != was.LEO || is.HW != was.HW || is.Start != was.Start {
			t.Errorf("partition %d: LEO %d HW %d start %d, was %d %d %d", i, is.LEO, is.HW, is.Start, was.LEO, was.HW, was.Start)
		}
	}
	if before.Topics[0].ID != after.Topics[0].ID {
		t.Error("the topic has another id")
	}
	now := tree(t, dir)
	for name, content := range logs {
		if now[name] != content {
			t.Errorf("%s has changed by being opened", name)
		}
	}
	if p := c.produce("orders", 2, -1); p.Parts[0].Base != before.Topics[0].Partitions[0].LEO {
		t.Errorf("the next record gets offset %d, want %d", p.Parts[0].Base, before.Topics[0].Partitions[0].LEO)
	}
	c.shut()
}

// A folder that cannot be used says so: which file, and what is wrong.
func TestDataDirOfAnotherNode(t *testing.T) {
	dir := t.TempDir()
	inDir(t, dir, 1).shut()
	name := filepath.Join(dir, "broker-2", "meta.properties")
	for _, row := range []struct{ content, want string }{
		{"version=1\nnode.id=7\ncluster.id=x\n", "meta.properties"},
		{"garbage", "meta.properties"},
	} {
		if err := os.WriteFile(name, []byte(row.content), 0o600); err != nil {
			t.Fatal(err)
		}
		o := Defaults()
		o.DataDir = dir
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), row.want) || !strings.Contains(err.Error(), "broker-2") {
			t.Errorf("meta.properties %q: %v, want an error that names node and file", row.content, err)
		}
	}
}

// High watermarks are written each 5 s from the broker's start on, and only when
// there is news.
func TestCheckpointFiles(t *testing.T) {
	c := newProbed(t, Defaults())
	c.create("t", 1, 2)
	c.produce("t", 4, -1)
	hw := func(broker int32) int64 {
		o, err := storage.ReadOffsetCheckpoint(c.broker(broker).FS, storage.HighWatermarkFile)
		if err != nil {
			t.Fatal(err)
		}
		return o.Get("t", 0)
	}
	c.tick(4_990 - c.Now())
	if hw(1) != 0 {
		t.Errorf("before 5 s the file says %d", hw(1))
	}
	c.tick(10)
	if hw(1) != 4 || hw(2) != 4 {
		t.Errorf("at 5 s the files say %d and %d, want 4", hw(1), hw(2))
	}
	info, err := c.broker(1).FS.Stat(storage.HighWatermarkFile)
	if err != nil {
		t.Fatal(err)
	}
	if at := info.ModTime().UnixMilli() - Epoch; at != 5_000 {
		t.Errorf("the file was written at %d ms, want 5000: files have virtual times", at)
	}
	handled := c.Handled()
	c.tick(600_000)
	if n := c.Handled() - handled; n > 10 {
		t.Errorf("%d events in ten idle minutes: there is nothing to do", n)
	}
}

func TestBrokersAreUnfencedAtTimeZero(t *testing.T) {
	for brokers := 1; brokers <= MaxBrokers; brokers++ {
		o := Defaults()
		o.Brokers = brokers
		c := newProbed(t, o)
		if c.Now() != 0 || c.Step() != 0 {
			t.Errorf("%d brokers: a new cluster is at %d ms, step %d", brokers, c.Now(), c.Step())
		}
		seen := map[int64]bool{}
		for id := int32(1); id <= int32(brokers); id++ {
			b := c.controller.Image().Brokers[id]
			if b == nil || b.Fenced || seen[b.Epoch] {
				t.Fatalf("%d brokers: broker %d is %+v", brokers, id, b)
			}
			seen[b.Epoch] = true
		}
	}
	for _, o := range []Options{{Brokers: 0, Controllers: 1}, {Brokers: 10, Controllers: 1}, {Brokers: 1, Controllers: 0}} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}

// A new metadata log begins as a formatted cluster's does, without the
// feature of eligible leader replicas.
func TestBootstrapRecords(t *testing.T) {
	c := newProbed(t, Defaults())
	f := c.controller.Image().Features
	if f["metadata.version"] != 33 || f["transaction.version"] != 2 || f["group.version"] != 1 {
		t.Errorf("features %v", f)
	}
	if _, on := f["eligible.leader.replicas.version"]; on {
		t.Error("eligible.leader.replicas.version is finalized")
	}
	batches, err := c.controller.Log().Batches(0, 3)
	if err != nil || len(batches) != 3 {
		t.Fatalf("%d batches, %v", len(batches), err)
	}
	if !batches[0].Control || batches[0].Base != 0 || batches[1].Base != 1 || batches[1].Count != 7 {
		t.Errorf("the log begins with %+v and %+v, want a leader change and seven records in one batch", batches[0], batches[1])
	}
}

// An idle controller writes nothing.
func TestIdleMetadataLog(t *testing.T) {
	c := newProbed(t, Defaults())
	end := c.controller.EndOffset()
	c.tick(8 * 24 * 3600 * 1000)
	if got := c.controller.EndOffset(); got != end {
		t.Errorf("the metadata log went from %d to %d in eight idle days", end, got)
	}
}

// Eight idle days of the default cluster with a replicated topic are a handful
// of events, those of retention among them: its records are a week old then.
func TestIdleTimeIsCheap(t *testing.T) {
	c := newProbed(t, Defaults())
	c.create("t", 3, 3)
	c.produce("t", 10, -1)
	c.tick(1_000)
	handled := c.Handled()
	c.tick(8 * 24 * 3600 * 1000)
	if n := c.Handled() - handled; n > 40 {
		t.Errorf("%d events in eight idle days", n)
	}
}
