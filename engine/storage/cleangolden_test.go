package storage

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"kafkalab/engine/record"
)

// goldenRetention is delete.retention.ms of the compacted golden topics.
const goldenRetention = 4000

// Kafka's cleaner went over these folders; ours makes the same bytes of them:
// logs, indexes and the index of aborted transactions.
func TestCleanerMakesKafkasBytes(t *testing.T) {
	for _, step := range []struct {
		before, after string
		dirty         int64 // first dirty offset before the pass
	}{
		{"compaction/compact-0-before", "compaction/compact-1-pass1", NoOffset},
		{"compaction/compact-1-pass1", "compaction/compact-2-pass2", 6},
		{"compaction/compact-txn-0-before", "compaction/compact-txn-1-pass1", NoOffset},
		{"compaction/compact-txn-1-pass1", "compaction/compact-txn-2-pass2", 14},
		{"compaction/compact-txn-2-pass2", "compaction/compact-txn-3-pass3", 15},
	} {
		t.Run(strings.TrimPrefix(step.after, "compaction/"), func(t *testing.T) {
			after := goldenFixture(t, step.after)
			f := goldenFixture(t, step.before, func(o *Options) { o.Config.DeleteRetentionMs = goldenRetention })
			f.growTo(after)
			f.log.UpdateHighWatermark(f.log.LogEndOffset())
			f.now = passTime(f, after)
			f.clean(step.dirty)
			f.sameAs(after, golden(t, step.after))
		})
	}
}

// growTo appends what came to a log between two passes, each batch in a segment
// of its own: the passes put them together.
func (f *fixture) growTo(after *fixture) {
	f.t.Helper()
	for _, b := range after.batches() {
		if b.BaseOffset() < f.log.LogEndOffset() {
			continue
		}
		f.roll()
		if _, kerr := f.log.AppendAsFollower(slices.Clone(b), b.PartitionLeaderEpoch()); kerr != nil {
			f.t.Fatal(kerr)
		}
	}
	if f.log.active().size > 0 && after.log.active().size == 0 {
		f.roll()
	}
}

func (f *fixture) batches() []record.Batch {
	f.t.Helper()
	var out []record.Batch
	for _, s := range f.log.segments {
		var r windowReader
		r.reset(s, 0)
		for b, err := r.batch(); err == nil; b, err = r.batch() {
			out = append(out, slices.Clone(b))
		}
	}
	return out
}

// passTime is when Kafka made the pass, by the horizons that it set; if it set
// none, when all that were set had passed.
func passTime(before, after *fixture) int64 {
	had, last := map[int64]bool{}, int64(0)
	for _, b := range before.batches() {
		if ms, set := b.DeleteHorizon(); set {
			had[ms], last = true, max(last, ms)
		}
	}
	for _, b := range after.batches() {
		if ms, set := b.DeleteHorizon(); set && !had[ms] {
			return ms - goldenRetention
		}
	}
	return last
}

// sameAs compares the files of the segments that a pass has written.
func (f *fixture) sameAs(after *fixture, made map[string][]byte) {
	f.t.Helper()
	if got, want := f.contents(), after.contents(); got != want {
		f.t.Fatalf("records:\n%s\nwant\n%s", got, want)
	}
	var bases, want []int64
	for _, s := range f.log.segments {
		bases = append(bases, s.base)
	}
	for _, s := range after.log.segments {
		want = append(want, s.base)
	}
	if !slices.Equal(bases, want) {
		f.t.Errorf("segments %v, want %v", bases, want)
	}
	have := files(f.t, f.disk, "t-0")
	for _, name := range slices.Sorted(maps.Keys(made)) {
		base, ok := offsetOfName(name)
		if !ok || base == want[len(want)-1] || strings.HasSuffix(name, snapshotSuffix) {
			continue // the active segment's indexes are preallocated
		}
		if !bytes.Equal(have[name], made[name]) {
			f.t.Errorf("%s: %d B, want %d B\n% x\n% x", name, len(have[name]), len(made[name]), have[name], made[name])
		}
	}
}
