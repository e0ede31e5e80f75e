package storage

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kafkalab/engine/disk"
	"kafkalab/engine/kerror"
	"kafkalab/engine/record"
)

// storedBatch is what the model knows of a batch in the log.
type storedBatch struct {
	base, last int64
	bytes      []byte
}

// machine drives a log at random, beside a model that is a list of batches.
type machine struct {
	*fixture
	rt      *rapid.T
	batches []storedBatch
	last    map[int64]int32 // last sequence number of each producer, epoch 0
	sent    map[int64][]record.Batch
	placed  map[int64][]int64 // base offsets of sent
}

func newMachine(t *testing.T, rt *rapid.T) *machine {
	m := &machine{rt: rt, last: map[int64]int32{}, sent: map[int64][]record.Batch{}, placed: map[int64][]int64{}}
	m.fixture = newFixture(t, withConfig(func(c *Config) {
		c.IndexIntervalBytes = rapid.Int32Range(0, 400).Draw(rt, "index.interval.bytes")
		c.SegmentBytes = rapid.SampledFrom([]int32{400, 1500, 1 << 20}).Draw(rt, "segment.bytes")
		c.SegmentIndexBytes = rapid.SampledFrom([]int32{60, 4096}).Draw(rt, "segment.index.bytes")
		c.SegmentMs = rapid.SampledFrom([]int64{300, 1 << 40}).Draw(rt, "segment.ms")
	}))
	return m
}

func (m *machine) records() []rec {
	n := rapid.IntRange(1, 5).Draw(m.rt, "records")
	out := make([]rec, n)
	for i := range out {
		ts := m.now + rapid.Int64Range(-200, 200).Draw(m.rt, "timestamp")
		out[i] = r(ts, "k", strings.Repeat("v", rapid.IntRange(0, 50).Draw(m.rt, "value")))
	}
	return out
}

// appended takes an append into the model.
func (m *machine) appended(info AppendInfo) {
	b, err := m.log.BatchBytes(info.FirstOffset)
	if err != nil {
		m.rt.Fatal(err)
	}
	m.batches = append(m.batches, storedBatch{info.FirstOffset, info.LastOffset, slices.Clone(b)})
	if m.log.LogEndOffset() != info.LastOffset+1 {
		m.rt.Fatalf("log end %d after an append up to %d", m.log.LogEndOffset(), info.LastOffset)
	}
}

func (m *machine) lead(b record.Batch) bool {
	before := m.log.LogEndOffset()
	info, err := m.log.AppendAsLeader(b, 0, Client)
	switch {
	case err != nil:
		if m.log.LogEndOffset() != before {
			m.rt.Fatalf("a refused append moved the log end from %d to %d", before, m.log.LogEndOffset())
		}
		return false
	case info.Duplicate:
		if m.log.LogEndOffset() != before {
			m.rt.Fatal("a duplicate was appended")
		}
		return false
	}
	m.appended(info)
	return true
}

func (m *machine) plain(*rapid.T) { m.lead(plain(m.t, m.records()...)) }

func (m *machine) broken(*rapid.T) {
	b := plain(m.t, m.records()...)
	b[len(b)-1] ^= 1
	if m.lead(b) {
		m.rt.Fatal("a damaged batch was appended")
	}
}

// next sends the next batch of an idempotent producer, at times a wrong one.
func (m *machine) next(*rapid.T) {
	pid := rapid.Int64Range(1, 3).Draw(m.rt, "producer")
	seq := int32(0)
	if last, ok := m.last[pid]; ok {
		seq = last + 1
	}
	gap := rapid.Int32Range(0, 6).Draw(m.rt, "gap")
	_, known := m.log.Producer(pid)
	b := idempotent(m.t, pid, 0, seq+gap/6, m.records()...)
	ok := m.lead(b)
	if gap == 6 && known && ok {
		m.rt.Fatal("a gap in the sequence numbers was accepted")
	}
	if gap < 6 && !ok {
		m.rt.Fatal("the next sequence number was refused")
	}
	if !ok {
		return
	}
	m.last[pid] = b.LastSequence()
	m.sent[pid], m.placed[pid] = append(m.sent[pid], b), append(m.placed[pid], m.log.LogEndOffset()-int64(b.Count()))
}

// again sends one of the last five batches of a producer a second time.
func (m *machine) again(*rapid.T) {
	pid := rapid.Int64Range(1, 3).Draw(m.rt, "producer")
	state, _ := m.log.Producer(pid)
	if len(state.Batches) == 0 {
		return
	}
	back := rapid.IntRange(1, len(state.Batches)).Draw(m.rt, "back")
	i := len(m.sent[pid]) - back
	if i < 0 {
		return // known from a snapshot that a crash brought back
	}
	before := m.log.LogEndOffset()
	info, err := m.log.AppendAsLeader(m.sent[pid][i], 0, Client)
	if err != nil || !info.Duplicate || info.FirstOffset != m.placed[pid][i] || m.log.LogEndOffset() != before {
		m.rt.Fatalf("sent again: %+v, %v; want a duplicate at %d", info, err, m.placed[pid][i])
	}
}

func (m *machine) follow(*rapid.T) {
	var all []byte
	var list []storedBatch
	next := m.log.LogEndOffset()
	for range rapid.IntRange(1, 4).Draw(m.rt, "batches") {
		o := record.Defaults()
		o.BaseOffset, o.LeaderEpoch = next+rapid.Int64Range(0, 2).Draw(m.rt, "gap"), 0
		b := batchOf(m.t, o, m.records()...)
		all = append(all, b...)
		list = append(list, storedBatch{b.BaseOffset(), b.LastOffset(), b})
		next = b.NextOffset()
	}
	if _, err := m.log.AppendAsFollower(all, 0); err != nil {
		wantCode(m.t, err, kerror.RecordListTooLarge)
		return
	}
	m.batches = append(m.batches, list...)
	if m.log.LogEndOffset() != next {
		m.rt.Fatalf("log end %d, want %d", m.log.LogEndOffset(), next)
	}
}

func (m *machine) roll(*rapid.T) {
	if err := m.log.Roll(); err != nil {
		m.rt.Fatal(err)
	}
}

func (m *machine) commit(*rapid.T) {
	m.log.UpdateHighWatermark(rapid.Int64Range(m.log.HighWatermark(), m.log.LogEndOffset()).Draw(m.rt, "high watermark"))
}

func (m *machine) tick(*rapid.T) { m.now += rapid.Int64Range(0, 400).Draw(m.rt, "ms") }

func (m *machine) truncate(*rapid.T) {
	offset := max(m.log.LogEndOffset()-rapid.Int64Range(0, 15).Draw(m.rt, "back"), 0)
	if err := m.log.TruncateTo(offset); err != nil {
		m.rt.Fatal(err)
	}
	if err := m.disk.SyncDir("/"); err != nil { // or a crash may bring back what was cut
		m.rt.Fatal(err)
	}
	m.batches = slices.DeleteFunc(m.batches, func(b storedBatch) bool { return b.last >= offset })
	m.forgetSent()
}

// forgetSent makes the model know of the producers what the log knows, after
// something that may have taken batches away.
func (m *machine) forgetSent() {
	for pid := int64(1); pid <= 3; pid++ {
		state, ok := m.log.Producer(pid)
		i := slices.IndexFunc(m.sent[pid], func(b record.Batch) bool { return b.LastSequence() == state.LastSequence() })
		m.sent[pid], m.placed[pid] = m.sent[pid][:i+1], m.placed[pid][:i+1]
		if !ok {
			delete(m.last, pid)
			continue
		}
		m.last[pid] = state.LastSequence()
	}
}

func (m *machine) moveStart(*rapid.T) {
	m.log.IncrementLogStartOffset(rapid.Int64Range(m.log.LogStartOffset(), m.log.HighWatermark()).Draw(m.rt, "log start"))
}

// retain deletes what lies wholly below the log's start: it may not be whole
// after a crash.
func (m *machine) retain() {
	n, err := m.log.DeleteOldSegments()
	if err != nil {
		m.rt.Fatal(err)
	}
	if n == 0 {
		return
	}
	if err := m.disk.SyncDir("/"); err != nil { // or a crash may bring back what was deleted
		m.rt.Fatal(err)
	}
	base := m.log.Segments()[0].Base
	m.batches = slices.DeleteFunc(m.batches, func(b storedBatch) bool { return b.base < base })
}

// restart closes and opens: nothing is scanned, cut or changed but snapshots
// that are of no more use.
func (m *machine) restart(*rapid.T) {
	end := m.logEnd()
	if err := m.log.Close(); err != nil {
		m.rt.Fatal(err)
	}
	before := files(m.t, m.disk, "t-0")
	m.opts.CleanShutdown, m.opts.RecoveryPoint, m.opts.LogStartOffset = true, m.log.RecoveryPoint(), m.log.LogStartOffset()
	m.open()
	if end < m.log.LogStartOffset() {
		m.batches, end = nil, m.log.LogStartOffset() // all that was left is below the start
	}
	after := files(m.t, m.disk, "t-0")
	for name, data := range before {
		if len(m.batches) > 0 && name != leaderEpochFile && !strings.HasSuffix(name, snapshotSuffix) && !strings.HasSuffix(name, deletedSuffix) && !bytes.Equal(after[name], data) {
			m.rt.Fatalf("opening changed %s", name)
		}
	}
	if m.log.LogEndOffset() != end {
		m.rt.Fatalf("log end %d, want %d", m.log.LogEndOffset(), end)
	}
	m.forgetSent()
}

// logEnd is where the log ends after a restart: a truncation within a batch is
// forgotten, because the end is read from the files.
func (m *machine) logEnd() int64 {
	if n := len(m.batches); n > 0 {
		if base := m.log.Segments()[m.log.SegmentCount()-1].Base; base > m.batches[n-1].last {
			return base
		}
		return m.batches[n-1].last + 1
	}
	return m.log.Segments()[m.log.SegmentCount()-1].Base
}

// kill ends the process, takes the indexes of what was not flushed away, and
// recovers; doing it twice gives the same files.
func (m *machine) kill(*rapid.T) {
	rp := m.log.RecoveryPoint()
	for _, s := range m.log.segments[max(m.log.floor(rp), 0):] {
		if rapid.Bool().Draw(m.rt, "lose indexes") {
			for _, suffix := range []string{indexSuffix, timeIndexSuffix} {
				if err := m.disk.Remove(s.name(suffix)); err != nil {
					m.rt.Fatal(err)
				}
			}
		}
	}
	end := m.logEnd()
	m.reopenUnclean(rp)
	if end < m.log.LogStartOffset() {
		m.batches = nil
	}
	first := files(m.t, m.disk, "t-0")
	m.reopenUnclean(rp)
	second := files(m.t, m.disk, "t-0")
	for name := range first {
		if strings.HasSuffix(name, deletedSuffix) {
			delete(first, name) // of the first recovery; the second one unlinks it
		}
	}
	if m.log.LogEndOffset() == m.log.LogStartOffset() {
		// The epoch is forgotten, because it begins at the end, and found again.
		delete(first, leaderEpochFile)
		delete(second, leaderEpochFile)
	}
	if !reflect.DeepEqual(first, second) {
		m.rt.Fatalf("a second recovery changes files: %v, %v", sortedNames(first), sortedNames(second))
	}
	m.forgetSent()
}

// crash loses a part of what was not synced.
func (m *machine) crash(*rapid.T) {
	rp, start := m.log.RecoveryPoint(), m.log.LogStartOffset()
	err := m.disk.Crash(disk.Keep{
		Ops:  func(n int) int { return rapid.IntRange(0, n).Draw(m.rt, "changes kept") },
		Tail: func(_ string, n int64) int64 { return rapid.Int64Range(0, n).Draw(m.rt, "bytes kept") },
	})
	if err != nil {
		m.rt.Fatal(err)
	}
	m.opts.CleanShutdown, m.opts.RecoveryPoint, m.opts.LogStartOffset = false, rp, start
	m.open()
	end, base := m.log.LogEndOffset(), m.log.Segments()[0].Base
	m.batches = slices.DeleteFunc(m.batches, func(b storedBatch) bool {
		gone := b.last >= end || b.base < base
		if gone && b.last < rp && b.last >= start {
			m.rt.Fatalf("log end %d after a crash, batch %d-%d was flushed", end, b.base, b.last)
		}
		return gone
	})
	m.forgetSent()
}

func TestInvariants(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := newMachine(t, rt)
		rt.Repeat(map[string]func(*rapid.T){
			"": m.check, "plain": m.plain, "broken": m.broken, "next": m.next, "next again": m.next, "again": m.again,
			"follow": m.follow, "roll": m.roll, "commit": m.commit, "tick": m.tick, "truncate": m.truncate,
			"move start": m.moveStart, "restart": m.restart, "kill": m.kill, "crash": m.crash,
		})
	})
}

// TestWarmLookupEqualsPlain: with any number of entries, of any size.
func TestWarmLookupEqualsPlain(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(0, 5000).Draw(rt, "entries")
		size := rapid.SampledFrom([]int{offsetEntrySize, timeEntrySize, 512, 4096}).Draw(rt, "entry size")
		step := rapid.IntRange(1, 5).Draw(rt, "step")
		for range 20 {
			target := rapid.IntRange(-1, n*step+1).Draw(rt, "target")
			compare := func(i int) int { return compareInt64(int64(i*step), int64(target)) }
			want := sort.Search(n, func(i int) bool { return i*step > target }) - 1
			if got := floorSlot(n, size, compare); got != want {
				rt.Fatalf("floor %d, want %d", got, want)
			}
			want = sort.Search(n, func(i int) bool { return i*step >= target })
			got := ceilingSlot(n, size, compare)
			if got == -1 {
				got = n
			}
			if passed := want < n && want*step == target && got == want+1; got != want && !passed {
				rt.Fatalf("ceiling %d, want %d", got, want)
			}
		}
	})
}

// TestSequencesAreContiguous: whatever a client sends, what is stored of one
// producer and epoch counts on without a gap, over 2147483647 to 0.
func TestSequencesAreContiguous(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := newFixture(t)
		start := rapid.SampledFrom([]int32{0, 5, 2147483640}).Draw(rt, "first sequence")
		next := start
		for i := range 30 {
			n := rapid.IntRange(1, 4).Draw(rt, "records")
			seq := record.AddSequence(next, rapid.Int32Range(0, 3).Draw(rt, "gap")/3)
			records := make([]rec, n)
			for i := range records {
				records[i] = r(1000, "k", "v")
			}
			info, err := f.log.AppendAsLeader(idempotent(t, 1, 0, seq, records...), 0, Client)
			if (err == nil) != (seq == next || i == 0) {
				rt.Fatalf("sequence %d, expected %d: %+v, %v", seq, next, info, err)
			}
			if err == nil {
				next = record.AddSequence(seq, int32(n))
			}
		}
		list, err := f.log.Batches(0, 1000)
		if err != nil {
			rt.Fatal(err)
		}
		for i := 1; i < len(list); i++ {
			if list[i].BaseSequence != record.AddSequence(list[i-1].LastSequence, 1) {
				rt.Fatalf("batch %d begins at %d, the one before ends at %d", i, list[i].BaseSequence, list[i-1].LastSequence)
			}
		}
	})
}

// TestStateFromSnapshotEqualsReplay: producers loaded from a snapshot and the
// batches behind it are those that a replay of the whole log gives.
func TestStateFromSnapshotEqualsReplay(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := newFixture(t)
		seq := map[int64]int32{}
		open := map[int64]bool{}
		for range rapid.IntRange(1, 30).Draw(rt, "steps") {
			pid := rapid.Int64Range(1, 4).Draw(rt, "producer")
			switch rapid.IntRange(0, 5).Draw(rt, "what") {
			case 0:
				f.mustMarker(pid, 0, rapid.Bool().Draw(rt, "commit"))
				open[pid] = false
			case 1:
				if err := f.log.Roll(); err != nil {
					rt.Fatal(err)
				}
			default:
				if rapid.Bool().Draw(rt, "transactional") || open[pid] {
					f.append(transactional(t, pid, 0, seq[pid], r(1000, "k", "v")))
					open[pid] = true
				} else {
					f.append(idempotent(t, pid, 0, seq[pid], r(1000, "k", "v")))
				}
				seq[pid]++
			}
		}
		want := fmt.Sprint(lastOnly(f.log.Producers()), f.log.producers.ongoing)
		f.reopen()
		if got := fmt.Sprint(lastOnly(f.log.Producers()), f.log.producers.ongoing); got != want {
			rt.Fatalf("from the snapshot %s, want %s", got, want)
		}
		f.log.producers.snapshots = nil
		for name := range files(t, f.disk, "t-0") {
			if strings.HasSuffix(name, snapshotSuffix) {
				if err := f.disk.Remove("t-0/" + name); err != nil {
					rt.Fatal(err)
				}
			}
		}
		f.reopenUnclean(f.log.LogEndOffset())
		if got := fmt.Sprint(lastOnly(f.log.Producers()), f.log.producers.ongoing); got != want {
			rt.Fatalf("replayed %s, want %s", got, want)
		}
	})
}

// lastOnly cuts the producers to what a snapshot keeps, in a fixed order: the
// last batch, without its timestamp, for which the producer's stands.
func lastOnly(list []ProducerState) []ProducerState {
	for i := range list {
		if n := len(list[i].Batches); n > 0 {
			list[i].Batches = list[i].Batches[n-1:]
			list[i].Batches[0].Timestamp = 0
		}
	}
	slices.SortFunc(list, func(a, b ProducerState) int { return compareInt64(a.ID, b.ID) })
	return list
}
