package client

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// The hashes and partitions of Kafka 4.4.0's own classes.
func TestPartitionForKey(t *testing.T) {
	b, err := os.ReadFile("testdata/murmur2.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, line := range strings.Split(strings.TrimSuffix(string(b), "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 7 {
			t.Fatalf("not read: %q", line)
		}
		if got := strconv.Itoa(int(int32(murmur2([]byte(f[0]))))); got != f[1] {
			t.Errorf("murmur2(%q) = %s, want %s", f[0], got, f[1])
		}
		for i, partitions := range []int{3, 6, 12, 20, 50} {
			if got := strconv.Itoa(int(PartitionForKey([]byte(f[0]), partitions))); got != f[2+i] {
				t.Errorf("%q of %d: partition %s, want %s", f[0], partitions, got, f[2+i])
			}
		}
		rows++
	}
	if rows < 40 {
		t.Errorf("%d rows were compared", rows)
	}
}

// Records without a key stay with one partition until batch.size bytes have
// gone there, then another is drawn; the stream decides, not the clock.
func TestStickyPartition(t *testing.T) {
	var s stickyPartition
	r := rand.New(rand.NewPCG(1, 2))
	var runs []int32
	bytes := 0
	for range 200 {
		p := s.next("t", 6, 1000, r)
		if len(runs) == 0 || runs[len(runs)-1] != p {
			if len(runs) > 0 && bytes < defaultBatchSize {
				t.Fatalf("left partition %d after %d bytes", runs[len(runs)-1], bytes)
			}
			runs, bytes = append(runs, p), 0
		}
		bytes += 1000
	}
	if len(runs) < 5 {
		t.Errorf("200 000 bytes went to %d partitions in turn only", len(runs))
	}
	if first := s.next("other", 6, 1, r); s.topic != "other" || first < 0 || first > 5 {
		t.Errorf("another topic begins at partition %d", first)
	}
}
