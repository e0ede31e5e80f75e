package storage

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"kafkalab/engine/record"
)

// keyed appends one record as a batch of its own; a nil value is a tombstone.
func (f *fixture) keyed(key string, value []byte) {
	f.t.Helper()
	b := record.NewBuilder(record.Defaults())
	if _, err := b.Append(f.now, []byte(key), value); err != nil {
		f.t.Fatal(err)
	}
	if _, kerr := f.log.AppendAsLeader(b.Build(), 0, Client); kerr != nil {
		f.t.Fatal(kerr)
	}
	f.log.UpdateHighWatermark(f.log.LogEndOffset())
}

func (f *fixture) roll() {
	f.t.Helper()
	if err := f.log.Roll(); err != nil {
		f.t.Fatal(err)
	}
}

// contents are the records of a log: offset, key and value, with the horizon of
// their batch if it has one.
func (f *fixture) contents() string {
	f.t.Helper()
	var out []string
	for _, s := range f.log.segments {
		var r windowReader
		r.reset(s, 0)
		for b, err := r.batch(); err == nil; b, err = r.batch() {
			horizon := ""
			if ms, set := b.DeleteHorizon(); set {
				horizon = fmt.Sprintf("(%d)", ms)
			}
			if b.Count() == 0 {
				out = append(out, fmt.Sprintf("%d-%d empty", b.BaseOffset(), b.LastOffset()))
			}
			it := b.Iterator()
			for it.Next() {
				v := it.Record()
				value := string(v.Value)
				if v.Value == nil {
					value = "null"
				}
				out = append(out, fmt.Sprintf("%d %s=%s%s", v.Offset, v.Key, value, horizon))
			}
		}
	}
	return strings.Join(out, ", ")
}

// clean makes a pass from a first dirty offset and gives the next one.
func (f *fixture) clean(from int64) CleanStats {
	f.t.Helper()
	return f.cleanWith(NewOffsetMap(1<<21, 0.9), from)
}

func (f *fixture) cleanWith(m *OffsetMap, from int64) CleanStats {
	f.t.Helper()
	c := &Cleaner{Map: m}
	stats, err := c.Clean(f.log, f.log.Cleanable(from))
	if err != nil {
		f.t.Fatal(err)
	}
	return stats
}

func compacted(t testing.TB) *fixture {
	f := newFixture(t, func(o *Options) { o.Config.Compact, o.Config.Delete = true, false })
	return f
}

// Vector T24: a tombstone gets its horizon in the first pass that keeps it, and
// goes in a pass at or after the horizon.
func TestVectorT24Tombstone(t *testing.T) {
	f := compacted(t)
	f.now = 1000
	f.keyed("K1", []byte("a"))
	f.keyed("K2", []byte("b"))
	f.keyed("K1", []byte("c"))
	f.roll()
	f.keyed("K3", []byte("d"))
	f.keyed("K2", nil)
	f.keyed("K1", []byte("e"))
	f.roll()
	f.keyed("K4", []byte("f"))
	stats := f.clean(NoOffset)
	if got, want := f.contents(), "3 K3=d, 4 K2=null(86401000), 5 K1=e, 6 K4=f"; got != want {
		t.Fatalf("after pass 1: %s, want %s", got, want)
	}
	if stats.EndOffset != 6 || stats.Read != 6 || stats.Kept != 3 || len(f.log.segments) != 2 || f.log.segments[0].base != 0 {
		t.Errorf("%+v, %d segments from %d", stats, len(f.log.segments), f.log.segments[0].base)
	}
	f.keyed("K5", []byte("g"))
	f.roll()
	f.now = 86400999
	stats = f.clean(stats.EndOffset)
	if got, want := f.contents(), "3 K3=d, 4 K2=null(86401000), 5 K1=e, 6 K4=f, 7 K5=g"; got != want {
		t.Fatalf("a millisecond before the horizon: %s, want %s", got, want)
	}
	f.now++
	f.keyed("K6", nil)
	f.roll()
	f.clean(stats.EndOffset)
	if got, want := f.contents(), "3 K3=d, 5 K1=e, 6 K4=f, 7 K5=g, 8 K6=null(172801000)"; got != want {
		t.Fatalf("at the horizon: %s, want %s", got, want)
	}
	f.reopen()
	if got := f.log.LogStartOffset(); got != 0 || f.log.LogEndOffset() != 9 {
		t.Errorf("opened again: %d to %d, want 0 to 9", got, f.log.LogEndOffset())
	}
}

// Vector T29: a full map ends the pass in the middle of a segment.
func TestVectorT29FullMap(t *testing.T) {
	f := compacted(t)
	for i, key := range []string{"A", "B", "A", "C", "A"} {
		f.keyed(key, fmt.Append(nil, i))
	}
	f.roll()
	m := NewOffsetMap(3*mapEntrySize, 0.9) // floor(2.7) entries
	stats := f.cleanWith(m, NoOffset)
	if got, want := f.contents(), "0 A=0, 1 B=1, 2 A=2, 3 C=3, 4 A=4"; got != want || stats.EndOffset != 2 || !stats.MapFull {
		t.Errorf("pass 1: %s, %+v", got, stats)
	}
	stats = f.cleanWith(m, stats.EndOffset)
	if got, want := f.contents(), "1 B=1, 2 A=2, 3 C=3, 4 A=4"; got != want || stats.EndOffset != 4 || !stats.MapFull {
		t.Errorf("pass 2: %s, %+v", got, stats)
	}
}

// Vector T23: Kafka's table, and where the first probe of a key looks.
func TestVectorT23OffsetMap(t *testing.T) {
	m := NewOffsetMap(128<<20, 0.9)
	if m.Slots() != 5592405 || m.Usable() != 5033164 || m.FirstSlot([]byte("K1")) != 4478702 {
		t.Errorf("%d slots, %d usable, K1 in slot %d", m.Slots(), m.Usable(), m.FirstSlot([]byte("K1")))
	}
	if m.Bytes() != 0 {
		t.Errorf("%d B before the first pass", m.Bytes())
	}
}

// Vector T30: the lags bound what may be cleaned, and force it.
func TestVectorT30Lags(t *testing.T) {
	f := compacted(t)
	for _, s := range []struct{ next, ms int64 }{{10, 1000}, {20, 5000}, {30, 9000}} {
		for f.log.LogEndOffset() < s.next {
			f.now = s.ms
			f.keyed("k", []byte("v"))
		}
		f.roll()
	}
	f.now = 10_000
	for _, want := range []struct{ lag, uncleanable int64 }{{0, 30}, {4000, 20}, {5000, 20}, {5001, 10}, {9001, 0}} {
		f.log.config.MinCompactionLagMs = want.lag
		if c := f.log.Cleanable(NoOffset); c.FirstUncleanable != want.uncleanable {
			t.Errorf("min lag %d: uncleanable from %d, want %d (%s)", want.lag, c.FirstUncleanable, want.uncleanable, c.Limit)
		}
	}
	f.log.config.MinCompactionLagMs = 0
	f.log.config.MaxCompactionLagMs = 2000
	for ms, want := range map[int64]bool{7000: true, 8000: false} {
		for _, s := range f.log.segments {
			s.first = firstTimestamp{ms, true}
		}
		if c := f.log.Cleanable(NoOffset); c.Must != want {
			t.Errorf("first batch of %d: must be cleaned: %v", ms, c.Must)
		}
	}
}

// Vector T22: the ratio has to be exceeded.
func TestVectorT22Ratio(t *testing.T) {
	f := compacted(t)
	for _, want := range []struct {
		clean, dirty int64
		refused      bool
	}{{600, 400, true}, {600, 600, true}, {600, 601, false}, {0, 1, false}, {0, 0, true}} {
		c := Cleanable{CleanBytes: want.clean, CleanableBytes: want.dirty}
		if why, _ := f.log.Refused(c); (why != "") != want.refused {
			t.Errorf("%d clean, %d dirty: %q", want.clean, want.dirty, why)
		}
	}
	f.log.config.MinCleanableDirtyRatio = 1
	if _, why := f.log.Refused(Cleanable{CleanableBytes: 5}); why != "ratio 1.00 not above 1" {
		t.Errorf("a ratio of 1 holds the cleaner back: %q", why)
	}
	if why, _ := f.log.Refused(Cleanable{CleanableBytes: 5, Must: true}); why != "" {
		t.Errorf("max.compaction.lag.ms goes before the ratio: %q", why)
	}
	if c := f.log.Cleanable(math.MaxInt64); !c.Reset || c.FirstDirty != 0 {
		t.Errorf("a checkpoint beyond the log's end: %+v", c)
	}
}

// A batch that compresses well holds many more keys than its bytes suggest: the
// map has room for them all.
func TestManyKeysInFewBytes(t *testing.T) {
	f := compacted(t)
	o := record.Defaults()
	o.Codec = record.Gzip
	b := record.NewBuilder(o)
	const keys = 20_000
	for i := range keys {
		if _, err := b.Append(f.now, fmt.Appendf(nil, "k%d", i), nil); err != nil {
			t.Fatal(err)
		}
	}
	f.append(b.Build())
	f.roll()
	if stats := f.clean(NoOffset); stats.MapSize != keys || stats.Kept != keys {
		t.Errorf("%d keys in the map, %d records kept, want %d of both", stats.MapSize, stats.Kept, keys)
	}
}
