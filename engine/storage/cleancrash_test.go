package storage

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"kafkalab/engine/disk"
	"kafkalab/engine/record"
)

// compactor is a compacted log under random appends and passes that break off
// anywhere, beside what its readers must find in it.
type compactor struct {
	*fixture
	rt     *rapid.T
	newest map[string]int64 // offset of the newest record of each key
	values map[int64]string // by offset; "" for a tombstone
	dirty  int64
}

// Whatever happens to the disk in the middle of a pass, after the log is opened
// again the newest value of every key can be read, nothing that is newest has
// moved, no offset is given twice, and the next pass goes through.
func TestPassesBreakOffAnywhere(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := newFixture(t, withConfig(func(c *Config) {
			c.Compact, c.Delete, c.SegmentBytes, c.IndexIntervalBytes, c.DeleteRetentionMs = true, false, 600, 80, 50
		}))
		m := &compactor{fixture: f, rt: rt, newest: map[string]int64{}, values: map[int64]string{}, dirty: NoOffset}
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			m.now += rapid.Int64Range(0, 40).Draw(rt, "later")
			switch rapid.IntRange(0, 6).Draw(rt, "step") {
			case 6:
				m.slowPass()
			case 0:
				m.roll()
			case 1:
				m.pass()
			case 2:
				m.brokenPass()
			default:
				m.write()
			}
			m.look()
		}
		m.pass()
		m.look()
	})
}

func (m *compactor) write() {
	b := record.NewBuilder(record.Defaults())
	first := m.log.LogEndOffset()
	for i := range rapid.IntRange(1, 4).Draw(m.rt, "records") {
		key := string(rune('a' + rapid.IntRange(0, 4).Draw(m.rt, "key")))
		offset := first + int64(i)
		value := fmt.Appendf(nil, "%s%d", key, offset)
		if rapid.IntRange(0, 4).Draw(m.rt, "tombstone") == 0 {
			value = nil
		}
		if _, err := b.Append(m.now, []byte(key), value); err != nil {
			m.rt.Fatal(err)
		}
		m.newest[key], m.values[offset] = offset, string(value)
	}
	if _, kerr := m.log.AppendAsLeader(b.Build(), 0, Client); kerr != nil {
		m.rt.Fatal(kerr)
	}
	m.log.UpdateHighWatermark(m.log.LogEndOffset())
}

func (m *compactor) pass() {
	c := &Cleaner{Map: NewOffsetMap(1<<20, 0.9)}
	stats, err := c.Clean(m.log, m.log.Cleanable(m.dirty))
	if err != nil {
		m.rt.Fatal(err)
	}
	m.dirty = stats.EndOffset
}

// slowPass makes a pass while the log goes on: between its phases records are
// written and segments rolled, and it may end anywhere with the process.
func (m *compactor) slowPass() {
	c := &Cleaner{Map: NewOffsetMap(1<<20, 0.9)}
	p, err := c.Begin(m.log, m.log.Cleanable(m.dirty))
	for done := false; !done && err == nil; done, err = p.Step() {
		m.look()
		switch rapid.IntRange(0, 9).Draw(m.rt, "between") {
		case 0, 1, 2:
			m.write()
		case 3:
			m.roll()
		case 4:
			end := m.log.LogEndOffset()
			_ = m.log.Abandon()
			m.opts.CleanShutdown, m.opts.RecoveryPoint = false, 0
			m.open()
			m.log.UpdateHighWatermark(end)
			return
		}
	}
	if err != nil {
		m.rt.Fatal(err)
	}
	m.dirty = p.Stats().EndOffset
}

// brokenPass makes a pass on a disk that fails after some bytes, and then has
// the process or the machine die. All had been synced before: the cleaner must
// not lose what was safe.
func (m *compactor) brokenPass() {
	m.log.Flush()
	m.disk.SetFaults(disk.Faults{Limited: true, Budget: rapid.Int64Range(0, 2000).Draw(m.rt, "budget")})
	c := &Cleaner{Map: NewOffsetMap(1<<20, 0.9)}
	_, _ = c.Clean(m.log, m.log.Cleanable(m.dirty)) // the checkpoint is not written: the pass is as if it had not been
	m.disk.SetFaults(disk.Faults{})
	end := m.log.LogEndOffset()
	_ = m.log.Abandon()
	if rapid.Bool().Draw(m.rt, "machine") {
		keep := disk.Keep{
			Ops:  func(n int) int { return rapid.IntRange(0, n).Draw(m.rt, "ops") },
			Tail: func(_ string, unsynced int64) int64 { return rapid.Int64Range(0, unsynced).Draw(m.rt, "tail") },
		}
		if err := m.disk.Crash(keep); err != nil {
			m.rt.Fatal(err)
		}
	}
	m.opts.CleanShutdown, m.opts.RecoveryPoint = false, 0
	m.open()
	if got := m.log.LogEndOffset(); got != end {
		m.rt.Fatalf("the log ended at %d, and ends at %d when it is opened again", end, got)
	}
	m.log.UpdateHighWatermark(end)
}

// look reads the log from its start.
func (m *compactor) look() {
	seen := map[string]int64{}
	last := int64(-1)
	for _, b := range m.batches() {
		it := b.Iterator()
		for it.Next() {
			r := it.Record()
			if r.Offset <= last {
				m.rt.Fatalf("offset %d after %d: %s", r.Offset, last, m.contents())
			}
			last = r.Offset
			if want := m.values[r.Offset]; string(r.Value) != want {
				m.rt.Fatalf("offset %d has %q, written was %q", r.Offset, r.Value, want)
			}
			seen[string(r.Key)] = r.Offset
		}
	}
	for key, offset := range m.newest {
		if at, ok := seen[key]; ok && at == offset || !ok && m.values[offset] == "" {
			continue
		}
		m.rt.Fatalf("newest of %s is %d, found %d: %s", key, offset, seen[key], m.contents())
	}
}
