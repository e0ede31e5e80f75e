package storage

import (
	"bytes"
	"sort"

	"pgregory.net/rapid"

	"kafkalab/engine/record"
)

// check holds the log against the model and the invariants.
func (m *machine) check(*rapid.T) {
	m.retain()
	l := m.log
	if !(l.start <= l.LastStableOffset() && l.LastStableOffset() <= l.highWatermark && l.highWatermark <= l.end && l.recoveryPoint <= l.end) {
		m.rt.Fatalf("start %d, LSO %d, high watermark %d, end %d, recovery point %d", l.start, l.LastStableOffset(), l.highWatermark, l.end, l.recoveryPoint)
	}
	m.checkSegments()
	for i := range l.segments {
		m.checkIndexes(l.segments[i])
	}
	m.checkReads()
}

// checkSegments: the files hold the model's batches, each in its segment.
func (m *machine) checkSegments() {
	i := 0
	for n, s := range m.log.segments {
		data, err := s.read(0, int(s.size))
		if err != nil {
			m.rt.Fatal(err)
		}
		for rest := []byte(data); len(rest) > 0; i++ {
			b, err := record.Next(rest)
			if err != nil || b.Valid() != nil || i >= len(m.batches) || !bytes.Equal(b, m.batches[i].bytes) {
				m.rt.Fatalf("segment %d, batch %d: %v is not what was appended", s.base, i, err)
			}
			if b.BaseOffset() < s.base || i > 0 && b.BaseOffset() <= m.batches[i-1].last ||
				n+1 < len(m.log.segments) && b.LastOffset() >= m.log.segments[n+1].base {
				m.rt.Fatalf("batch %d-%d does not belong into segment %d", b.BaseOffset(), b.LastOffset(), s.base)
			}
			rest = rest[len(b):]
		}
	}
	if i != len(m.batches) {
		m.rt.Fatalf("%d batches in the files, want %d", i, len(m.batches))
	}
}

// checkIndexes: every entry is true, and no closer to the last one than allowed.
func (m *machine) checkIndexes(s *segment) {
	starts, lastOf := []int64{}, map[int64]storedBatch{}
	pos := int64(0)
	for _, b := range m.batches {
		if m.log.segmentAt(s.base) == s && b.base >= s.base && m.log.segments[m.log.floor(b.base)] == s {
			starts, lastOf[pos] = append(starts, pos), b
			pos += int64(len(b.bytes))
		}
	}
	before := int64(0)
	for i, e := range s.offsets.entries {
		b, ok := lastOf[int64(e.Position)]
		if !ok || b.last != s.base+int64(e.Relative) {
			m.rt.Fatalf("segment %d: entry %v is no batch", s.base, e)
		}
		if int64(e.Position)-before <= int64(s.interval) {
			m.rt.Fatalf("segment %d: entries %d bytes apart", s.base, int64(e.Position)-before)
		}
		if i > 0 && (e.Relative <= s.offsets.entries[i-1].Relative || e.Position <= s.offsets.entries[i-1].Position) {
			m.rt.Fatalf("segment %d: entries do not grow", s.base)
		}
		before = int64(e.Position)
	}
	for i, e := range s.times.entries {
		if i > 0 && (e.Timestamp <= s.times.entries[i-1].Timestamp || e.Relative < s.times.entries[i-1].Relative) {
			m.rt.Fatalf("segment %d: time entries do not grow", s.base)
		}
		for _, at := range starts {
			if b := lastOf[at]; b.last <= s.base+int64(e.Relative) && record.Batch(b.bytes).MaxTimestamp() > e.Timestamp {
				m.rt.Fatalf("segment %d: time entry %v, but batch %d-%d is later", s.base, e, b.base, b.last)
			}
		}
	}
}

// checkReads: a read begins with the first batch that is not before its offset,
// ends before its limit, and is at least one batch if it may be.
func (m *machine) checkReads() {
	l := m.log
	offset := rapid.Int64Range(l.start, l.end).Draw(m.rt, "offset")
	limit := rapid.SampledFrom([]int64{l.end, l.highWatermark, l.LastStableOffset()}).Draw(m.rt, "limit")
	size := rapid.Int32Range(0, 600).Draw(m.rt, "size")
	minOne := rapid.Bool().Draw(m.rt, "min one")
	got, err := l.Read(offset, size, limit, minOne)
	if err != nil {
		m.rt.Fatal(err)
	}
	first := sort.Search(len(m.batches), func(i int) bool { return m.batches[i].last >= offset })
	var want []byte
	for i := first; i < len(m.batches) && offset < limit && m.batches[i].last < limit && l.floor(m.batches[i].base) == l.floor(m.batches[first].base); i++ {
		want = append(want, m.batches[i].bytes...)
	}
	most := int(size)
	if minOne && len(want) > 0 {
		most = max(most, len(m.batches[first].bytes))
	}
	want = want[:min(most, len(want))]
	if !bytes.Equal(got.Records, want) {
		m.rt.Fatalf("read from %d, limit %d, size %d: %d bytes, want %d", offset, limit, size, len(got.Records), len(want))
	}
	look, err := l.Lookup(offset)
	if err != nil {
		m.rt.Fatal(err)
	}
	if found := first < len(m.batches); look.Found != found || found && (look.Base != m.batches[first].base || look.Size != int32(len(m.batches[first].bytes))) {
		m.rt.Fatalf("lookup of %d: %+v, want batch %d of %d", offset, look, first, len(m.batches))
	}
	m.checkLookup(look)
}

// checkLookup: the index search ends where a plain one does, whatever it tried
// first, and the account adds up.
func (m *machine) checkLookup(look Lookup) {
	entries := m.log.segmentAt(look.SegmentBase).offsets.entries
	want := sort.Search(len(entries), func(i int) bool { return entries[i].Relative > look.Relative }) - 1
	if look.Slot != want {
		m.rt.Fatalf("slot %d, a plain search finds %d", look.Slot, want)
	}
	alone := len(look.Segments) == 1
	if look.Found && (look.Scanned[len(look.Scanned)-1].Base != look.Base || alone && int64(look.Position)-int64(look.Start) != look.ScannedBytes()) {
		m.rt.Fatalf("the account does not add up: %+v", look)
	}
	for _, p := range look.Probes {
		if (p.Verdict == EntryAbove) != (p.Relative > look.Relative) || entries[p.Slot].Position != p.Position {
			m.rt.Fatalf("probe %+v for %d", p, look.Relative)
		}
	}
}
