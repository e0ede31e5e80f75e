package storage

import (
	"fmt"
	"strings"
	"testing"
)

// sized appends one record in a segment of its own whose .log has so many
// bytes.
func (f *fixture) sized(ms int64, bytes int) {
	f.t.Helper()
	f.now = ms
	f.append(plain(f.t, r(ms, "", strings.Repeat("v", bytes-70))))
	f.log.UpdateHighWatermark(f.log.LogEndOffset())
}

// segmentsText is each segment's base and size.
func (f *fixture) segmentsText() string {
	var out []string
	for _, s := range f.log.segments {
		out = append(out, fmt.Sprintf("%d:%d", s.base, s.size))
	}
	return strings.Join(out, " ")
}

// Four one-record segments of which all are too old: one new one remains, at
// the log end (Kafka: golden/storage/retention/retention-time).
func TestRetentionTakesTheActiveSegment(t *testing.T) {
	f := newFixture(t, withConfig(func(c *Config) { c.RetentionMs = 60_000 }))
	for i := range 4 {
		f.sized(int64(1000+i), 100)
		if i < 3 {
			f.roll()
		}
	}
	due, ok := f.log.RetentionDue()
	if !ok || due != 61_001 {
		t.Errorf("due at %d, %v; want 61001", due, ok)
	}
	f.now = due - 1
	if n, err := f.log.DeleteOldSegments(); n != 0 || err != nil {
		t.Errorf("a millisecond early: %d, %v", n, err)
	}
	f.now = 61_004
	if n, err := f.log.DeleteOldSegments(); n != 4 || err != nil {
		t.Errorf("%d deleted, %v; want 4", n, err)
	}
	if got := f.segmentsText(); got != "4:0" || f.log.LogStartOffset() != 4 || f.log.LogEndOffset() != 4 {
		t.Errorf("left: %s, %d to %d", got, f.log.LogStartOffset(), f.log.LogEndOffset())
	}
	if n, err := f.log.DeleteOldSegments(); n != 0 || err != nil {
		t.Errorf("once more: %d, %v", n, err)
	}
	if _, ok := f.log.RetentionDue(); ok {
		t.Error("an empty log has nothing due")
	}
}

// Sizes 1000, 1000, 1000, 500 with retention.bytes=2000: one goes, 2500 B stay;
// the log never falls below the limit (golden/storage/retention/retention-size).
func TestRetentionBySize(t *testing.T) {
	f := newFixture(t, withConfig(func(c *Config) { c.RetentionBytes, c.RetentionMs = 2000, -1 }))
	for i, bytes := range []int{1000, 1000, 1000, 500} {
		f.sized(1000, bytes)
		if i < 3 {
			f.roll()
		}
	}
	if got := f.segmentsText(); got != "0:1000 1:1000 2:1000 3:500" {
		t.Fatalf("made: %s", got)
	}
	if n, err := f.log.DeleteOldSegments(); n != 1 || err != nil {
		t.Errorf("%d deleted, %v; want 1", n, err)
	}
	if got := f.segmentsText(); got != "1:1000 2:1000 3:500" || f.log.LogStartOffset() != 1 {
		t.Errorf("left: %s, start %d", got, f.log.LogStartOffset())
	}
}

// What shields a segment: a young one before it, a high watermark below its end,
// a policy without delete, a timestamp in the future.
func TestRetentionLeavesAlone(t *testing.T) {
	old := func(f *fixture) {
		for i := range 3 {
			f.sized(int64(1000+i), 100)
			f.roll()
		}
		f.now = 1_000_000
	}
	for _, test := range []struct {
		name   string
		config func(*Config)
		stage  func(*fixture)
		want   int
	}{
		{"all old", func(*Config) {}, old, 3},
		{"compact only", func(c *Config) { c.Compact, c.Delete = true, false }, old, 0},
		{"compact,delete", func(c *Config) { c.Compact = true }, old, 3},
		{"for ever", func(c *Config) { c.RetentionMs = -1 }, old, 0},
		{"not replicated", func(*Config) {}, func(f *fixture) { old(f); f.log.UpdateHighWatermark(1) }, 1},
		{"a young one first", func(*Config) {}, func(f *fixture) { f.sized(990_000, 100); f.roll(); f.sized(10, 100); f.roll(); f.now = 1_000_000 }, 0},
		{"log start moved", func(c *Config) { c.RetentionMs = -1 }, func(f *fixture) { old(f); f.log.IncrementLogStartOffset(2) }, 2},
		{"log start inside a segment", func(c *Config) { c.RetentionMs = -1 }, func(f *fixture) {
			f.now = 5
			f.append(plain(f.t, r(5, "", "a"), r(5, "", "b")))
			f.log.UpdateHighWatermark(2)
			f.roll()
			f.log.IncrementLogStartOffset(1)
		}, 0},
	} {
		f := newFixture(t, withConfig(func(c *Config) { c.RetentionMs = 60_000; test.config(c) }))
		test.stage(f)
		due, ok := f.log.RetentionDue()
		if ok && due <= f.now != (test.want > 0) || !ok && test.want > 0 {
			t.Errorf("%s: due %d, %v at %d", test.name, due, ok, f.now)
		}
		if n, err := f.log.DeleteOldSegments(); n != test.want || err != nil {
			t.Errorf("%s: %d deleted, %v; want %d", test.name, n, err, test.want)
		}
	}
}
