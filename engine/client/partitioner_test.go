package client

import (
	"math/rand/v2"
	"os"
	"slices"
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
// gone there and its batch is full, or twice as many; then another is drawn.
func TestSticky(t *testing.T) {
	for _, c := range []struct {
		bytes, add int
		full, want bool
	}{{0, 999, true, false}, {900, 100, true, true}, {900, 100, false, false}, {1900, 99, false, false}, {1900, 100, false, true}} {
		s := sticky{bytes: c.bytes}
		if got := s.wrote(c.add, 1000, c.full); got != c.want {
			t.Errorf("%d and %d bytes of 1000, full %v: leave %v", c.bytes, c.add, c.full, got)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	drawn := map[int32]int{}
	var s sticky
	for range 300 {
		drawn[s.next(r, 6, []int32{1, 4, 5})]++
	}
	if len(drawn) != 3 || drawn[1]+drawn[4]+drawn[5] != 300 {
		t.Errorf("partitions without a leader were drawn: %v", drawn)
	}
}

// A partition with a long queue is drawn less often; equal queues are no reason
// to weigh, unless a partition is left out (BuiltInPartitioner#updatePartitionLoadStats).
func TestStickyLoads(t *testing.T) {
	var s sticky
	s.load([]int32{0, 1, 2}, []int{3, 3, 3}, 3)
	if s.loaded != nil {
		t.Errorf("equal queues are weighed: %v", s.sums)
	}
	s.load([]int32{0, 2}, []int{3, 3}, 3)
	if !slices.Equal(s.loaded, []int32{0, 2}) || !slices.Equal(s.sums, []int{1, 2}) {
		t.Errorf("one is left out: %v %v", s.loaded, s.sums)
	}
	s.load([]int32{0, 1, 2}, []int{0, 3, 1}, 3)
	if !slices.Equal(s.sums, []int{4, 5, 8}) {
		t.Errorf("weights %v", s.sums)
	}
	r := rand.New(rand.NewPCG(1, 2))
	var drawn [3]int
	for range 8000 {
		drawn[s.next(r, 3, nil)]++
	}
	for i, want := range []int{4000, 1000, 3000} {
		if drawn[i] < want-200 || drawn[i] > want+200 {
			t.Errorf("partition %d was drawn %d times of 8000, want about %d", i, drawn[i], want)
		}
	}
}
