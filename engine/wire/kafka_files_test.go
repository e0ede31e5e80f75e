//go:build kafka

package wire

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
)

// seeSegments fills a topic of small segments and dense indexes.
func seeSegments(o *observer) {
	o.create("segments", [][]int32{{1, 2, 3}, {2, 3, 1}}, "segment.bytes=1048576", "index.interval.bytes=1000", "segment.index.bytes=1024")
	o.create("rolled.by.time", [][]int32{{3, 1, 2}}, "segment.ms=60000", "index.interval.bytes=100")
	for _, codec := range []int{0, 1, 4} {
		cl := o.producer(kgo.ProducerBatchCompression(kgoCodecs[codec]))
		for n := 0; n < 60; n++ {
			var batch []*kgo.Record
			for i := range 20 {
				r := fixedRecord("segments", int32(n%2), n*20+i)
				r.Value = bytes.Repeat(fmt.Appendf(nil, "%x", n*i*7919), 40+i)
				batch = append(batch, r)
			}
			o.send(cl, "segments", batch...)
			if n%3 == 0 {
				o.send(cl, "rolled", fixedRecord("rolled.by.time", 0, n*5))
			}
		}
		cl.Close()
	}
	o.sawBatches("segments", 1, false)
	for _, topic := range []string{"segments", "rolled.by.time"} {
		for _, ms := range []int64{0, 100, 300, 599, 1000, 1190} {
			listed, err := o.adm.ListOffsetsAfterMilli(o.ctx, fixedTime+ms*1000, topic)
			o.saw(fmt.Sprintf("%s after %d", topic, ms), listed, err)
		}
	}
}

// sameFiles are topics to which the same bytes were appended: their batches
// carry no id and no time of a cluster's own.
func sameFiles(topic string) bool {
	for _, prefix := range []string{"codec-", "read-", "segments-", "rolled.by.time-", "small-", "usual-", "unsafe-", "to.uncompressed", "to.producer"} {
		if strings.HasPrefix(topic, prefix) {
			return true
		}
	}
	return false
}

// compareEpochs compares the files of leader epochs while the clusters still
// serve: who leads while brokers shut down, and so begins an epoch, is a matter
// of moments.
func compareEpochs(t *testing.T, lab, kafka *judged) {
	for node := 1; node <= 3; node++ {
		for _, pattern := range []string{"read-*", "codec-*", "segments-*"} {
			found, err := filepath.Glob(filepath.Join(kafka.dir, fmt.Sprintf("node-%d", node), pattern))
			if err != nil || len(found) == 0 {
				t.Errorf("%d folders %s, %v", len(found), pattern, err)
			}
			for _, folder := range found {
				ours := readFile(t, lab.dir, fmt.Sprintf("broker-%d", node), filepath.Base(folder), epochsFile)
				if theirs := readFile(t, folder, epochsFile); !bytes.Equal(ours, theirs) {
					t.Errorf("broker %d, %s: leader epochs %q, Kafka's %q", node, filepath.Base(folder), ours, theirs)
				}
			}
		}
	}
}

const epochsFile = "leader-epoch-checkpoint"

// compareFiles shuts both clusters down and compares what is in the folders of
// partitions, on every broker.
func compareFiles(t *testing.T, lab, kafka *judged) {
	bothAtOnce(lab, kafka, func(j *judged) { j.end() })
	same := 0
	for node := 1; node <= 3; node++ {
		ours, theirs := filepath.Join(lab.dir, fmt.Sprintf("broker-%d", node)), filepath.Join(kafka.dir, fmt.Sprintf("node-%d", node))
		folders, err := os.ReadDir(theirs)
		if err != nil {
			t.Fatal(err)
		}
		for _, folder := range folders {
			if !folder.IsDir() || !sameFiles(folder.Name()) {
				continue
			}
			a, b := filesOf(t, filepath.Join(ours, folder.Name())), filesOf(t, filepath.Join(theirs, folder.Name()))
			if !slices.Equal(a, b) {
				t.Errorf("broker %d, %s: files %v, Kafka's %v", node, folder.Name(), a, b)
			}
			for _, name := range b {
				if !slices.Contains(a, name) || name == "partition.metadata" || name == epochsFile || strings.HasSuffix(name, ".snapshot") {
					continue
				}
				x, y := readFile(t, ours, folder.Name(), name), readFile(t, theirs, folder.Name(), name)
				if bytes.Equal(x, y) {
					same++
				} else {
					t.Errorf("broker %d, %s/%s: %d bytes, Kafka's %d; the first that differs is %d", node, folder.Name(), name, len(x), len(y), firstDifference(x, y))
				}
			}
		}
	}
	t.Logf("%d files are the same to the byte", same)
}

func filesOf(t *testing.T, dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Error(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func readFile(t *testing.T, path ...string) []byte {
	data, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Error(err)
	}
	return data
}

func firstDifference(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}
