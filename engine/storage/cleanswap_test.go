package storage

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kafkalab/engine/disk"
)

// Invariant 18: wherever a pass breaks off, because the disk fails, the process
// dies or the machine does, each group of segments is opened again either as it
// was or as the pass leaves it, never both and never neither.
func TestLawOfTheSwap(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := newFixture(t, withConfig(func(c *Config) {
			c.Compact, c.Delete, c.IndexIntervalBytes = true, false, 80
			c.SegmentBytes = rapid.SampledFrom([]int32{250, 600, 1 << 20}).Draw(rt, "segment.bytes")
		}))
		for range rapid.IntRange(2, 25).Draw(rt, "appends") {
			key := string(rune('a' + rapid.IntRange(0, 3).Draw(rt, "key")))
			value := strings.Repeat("v", rapid.IntRange(0, 60).Draw(rt, "value"))
			f.append(idempotent(t, 1, 0, int32(f.log.LogEndOffset()), r(f.now, key, value)))
			if rapid.IntRange(0, 3).Draw(rt, "roll") == 0 {
				f.roll()
			}
		}
		f.roll()
		if err := f.log.Flush(); err != nil {
			rt.Fatal(err)
		}
		old := f.segmentContents()
		cleaned := f.twin()
		cleaned.clean(NoOffset)
		made := cleaned.segmentContents()
		f.breakPass(rt)
		got := f.segmentContents()
		for i, s := range made {
			end := f.log.LogEndOffset() + 1
			if i+1 < len(made) {
				end = made[i+1].base
			}
			have := between(got, s.base, end)
			if was := between(old, s.base, end); !slices.Equal(have, was) && !slices.Equal(have, []segmentContent{s}) {
				rt.Fatalf("group from %d to %d is %v, was %v, made is %v", s.base, end, have, was, s)
			}
		}
		if len(between(got, made[0].base, f.log.LogEndOffset()+1)) != len(got) || f.log.LogEndOffset() != cleaned.log.LogEndOffset() {
			rt.Fatalf("segments %v", got)
		}
	})
}

// segmentContent is a segment and the bytes of its .log file, in hex.
type segmentContent struct {
	base int64
	data string
}

func (f *fixture) segmentContents() []segmentContent {
	f.t.Helper()
	var out []segmentContent
	for _, s := range f.log.segments {
		data, err := s.read(0, int(s.size))
		if err != nil {
			f.t.Fatal(err)
		}
		out = append(out, segmentContent{s.base, fmt.Sprintf("%x", data)})
	}
	return out
}

// between are the segments whose base lies in [from, end).
func between(list []segmentContent, from, end int64) []segmentContent {
	return slices.DeleteFunc(slices.Clone(list), func(s segmentContent) bool { return s.base < from || s.base >= end })
}

// twin is a log with the same files.
func (f *fixture) twin() *fixture {
	f.t.Helper()
	twin := newFixture(f.t, func(o *Options) { o.Config = f.opts.Config })
	twin.now = f.now
	if err := twin.disk.RemoveAll("t-0"); err != nil {
		f.t.Fatal(err)
	}
	put(f.t, twin.disk, "t-0", files(f.t, f.disk, "t-0"))
	twin.opts.RecoveryPoint, twin.opts.CleanShutdown = f.log.RecoveryPoint(), false
	twin.open()
	twin.log.UpdateHighWatermark(twin.log.LogEndOffset())
	return twin
}

// breakPass makes a pass on a disk that fails after some bytes or not at all,
// ends the process or the machine, and opens the log again.
func (f *fixture) breakPass(rt *rapid.T) {
	if rapid.IntRange(0, 3).Draw(rt, "disk") > 0 {
		f.disk.SetFaults(disk.Faults{Limited: true, Budget: rapid.Int64Range(0, 3000).Draw(rt, "budget")})
	}
	_, _ = (&Cleaner{Map: NewOffsetMap(1<<20, 0.9)}).Clean(f.log, f.log.Cleanable(NoOffset)) // it may fail
	f.disk.SetFaults(disk.Faults{})
	rp := f.log.RecoveryPoint()
	_ = f.log.Abandon()
	if rapid.Bool().Draw(rt, "machine") {
		keep := disk.Keep{
			Ops:  func(n int) int { return rapid.IntRange(0, n).Draw(rt, "ops") },
			Tail: func(_ string, unsynced int64) int64 { return rapid.Int64Range(0, unsynced).Draw(rt, "tail") },
		}
		if err := f.disk.Crash(keep); err != nil {
			rt.Fatal(err)
		}
	}
	f.opts.CleanShutdown, f.opts.RecoveryPoint = false, rp
	f.open()
	f.log.UpdateHighWatermark(f.log.LogEndOffset())
}
