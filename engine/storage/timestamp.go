package storage

import (
	"io"

	"kafkalab/engine/kerror"
	"kafkalab/engine/record"
)

// TimeProbe is one look into a time index during a search.
type TimeProbe struct {
	Slot      int
	Timestamp int64 // ms
	Relative  int32
	Verdict   Verdict
}

// SegmentTime is a segment that a search by time looked at, with the largest
// timestamp that it holds.
type SegmentTime struct {
	Base             int64
	LargestTimestamp int64 // ms
}

// TimestampLookup is the account of how a record is found by its timestamp: the
// first segment that has one as large, the time index of that segment, its
// offset index, then the batches.
type TimestampLookup struct {
	Target      int64         // ms
	Segments    []SegmentTime // looked at, the last one being that used if HasSegment
	HasSegment  bool
	SegmentBase int64
	Entries     int // in the segment's time index
	WarmStart   int // the slot at which its warm section begins
	Probes      []TimeProbe
	HasEntry    bool // an entry at or below the target was found
	Slot        int  // its slot, -1 for none
	Entry       TimeIndexEntry
	From        int64      // the offset that was then looked up in the offset index
	OffsetSlot  int        // slot of the entry used there, -1 for none
	OffsetEntry IndexEntry // that entry
	Start       int32      // where in the .log file the scan begins
	Scanned     []ScannedBatch
	Found       bool  // there is a record as late
	Timestamp   int64 // of that record, ms
	Offset      int64
	LeaderEpoch int32 // of its batch
}

// LookupTimestamp finds the first record, from the log's start on, whose
// timestamp is at or past a time, in the first segment that has one as large.
// Source: UnifiedLog#fetchOffsetByTimestamp, LogSegment#findOffsetByTimestamp.
func (l *Log) LookupTimestamp(timestamp int64) (TimestampLookup, *kerror.Error) {
	out := TimestampLookup{Target: timestamp, Slot: -1, OffsetSlot: -1, Offset: NoOffset, Timestamp: record.NoTimestamp, LeaderEpoch: NoEpoch}
	if err := l.check(); err != nil {
		return out, err
	}
	for _, s := range l.segments {
		largest := s.largestTimestamp()
		out.Segments = append(out.Segments, SegmentTime{s.base, largest})
		if largest < timestamp {
			continue
		}
		out.HasSegment, out.SegmentBase = true, s.base
		if err := s.accountTime(timestamp, l.start, &out); err != nil {
			return out, l.readError(err)
		}
		break
	}
	return out, nil
}

// OffsetOfMaxTimestamp finds the first record with the largest timestamp of all. found
// is false when no record has a timestamp.
func (l *Log) OffsetOfMaxTimestamp() (ts, offset int64, leaderEpoch int32, found bool) {
	var best *segment
	for _, s := range l.segments {
		if s.largest.timestamp > record.NoTimestamp && (best == nil || s.largest.timestamp > best.largest.timestamp) {
			best = s
		}
	}
	if best == nil || l.check() != nil {
		return record.NoTimestamp, NoOffset, NoEpoch, false
	}
	_, e := best.lookup(best.largest.offset)
	hit, err := best.firstAt(best.largest.timestamp, 0, int64(e.Position), nil)
	if err != nil || !hit.found {
		return record.NoTimestamp, NoOffset, NoEpoch, false
	}
	return hit.timestamp, hit.offset, hit.epoch, true
}

// EpochOf tells in which leader epoch an offset was written, NoEpoch if that is
// not known.
func (l *Log) EpochOf(offset int64) int32 { return l.epochs.forOffset(offset) }

// accountTime searches one segment by time and writes down what it did.
func (s *segment) accountTime(timestamp, logStart int64, out *TimestampLookup) error {
	entries := s.times.entries
	out.Entries, out.WarmStart = len(entries), firstHot(len(entries), timeEntrySize)
	out.Slot = floorSlot(len(entries), timeEntrySize, func(i int) int {
		c := compareInt64(entries[i].Timestamp, timestamp)
		if n := len(out.Probes); n == 0 || out.Probes[n-1].Slot != i {
			out.Probes = append(out.Probes, TimeProbe{i, entries[i].Timestamp, entries[i].Relative, verdictOf(c)})
		}
		return c
	})
	out.HasEntry, out.Entry = out.Slot >= 0, TimeIndexEntry{Timestamp: record.NoTimestamp}
	if out.HasEntry {
		out.Entry = entries[out.Slot]
	}
	out.From = max(s.base+int64(out.Entry.Relative), logStart)
	out.OffsetSlot, out.OffsetEntry = s.lookup(out.From)
	out.Start = out.OffsetEntry.Position
	hit, err := s.firstAt(timestamp, logStart, int64(out.Start), &out.Scanned)
	if err != nil || !hit.found {
		return err
	}
	out.Found, out.Timestamp, out.Offset, out.LeaderEpoch = true, hit.timestamp, hit.offset, hit.epoch
	return nil
}

// timeHit is a record found by its timestamp.
type timeHit struct {
	found             bool
	timestamp, offset int64
	epoch             int32
}

// firstAt scans from a position for the first record at or past both a time and
// an offset; only batches that can have one are opened
// (FileRecords#searchForTimestamp).
func (s *segment) firstAt(timestamp, from, pos int64, scanned *[]ScannedBatch) (timeHit, error) {
	scan := s.headers(pos)
	for {
		h, err := scan.next()
		if err == io.EOF {
			return timeHit{}, nil
		}
		if err != nil {
			return timeHit{}, s.damage(scan.pos, err)
		}
		ms, err := h.maxTimestamp()
		if err != nil {
			return timeHit{}, s.damage(h.at, err)
		}
		if scanned != nil {
			*scanned = append(*scanned, s.scanned(h))
		}
		if ms < timestamp {
			continue
		}
		if hit, err := s.firstIn(h, timestamp, from); hit.found || err != nil {
			return hit, err
		}
	}
}

// firstIn looks for the record in one batch.
func (s *segment) firstIn(h head, timestamp, from int64) (timeHit, error) {
	if h.legacy() {
		return s.firstInLegacy(h, timestamp, from)
	}
	at := h.at
	batch, err := s.read(at, int(h.size))
	if err != nil {
		return timeHit{}, err
	}
	if len(batch) < record.HeaderSize {
		return timeHit{}, s.damage(at, throw(outOfBounds, "a batch of %d bytes, its header has %d", len(batch), record.HeaderSize))
	}
	if !batch.Codec().Known() && batch.Count() != 0 {
		return timeHit{}, s.damage(at, throw(illegalArgument, "Unknown compression type id: %d", batch.Codec()))
	}
	it := batch.Iterator()
	for it.Next() {
		if r := it.Record(); r.Timestamp >= timestamp && r.Offset >= from {
			return timeHit{true, r.Timestamp, r.Offset, batch.PartitionLeaderEpoch()}, nil
		}
	}
	return timeHit{}, s.damage(at, it.Err())
}

// firstInLegacy is firstIn for a message of an old format.
func (s *segment) firstInLegacy(h head, timestamp, from int64) (timeHit, error) {
	base, err := s.legacyBase(h)
	if err != nil {
		return timeHit{}, err
	}
	ms, err := h.maxTimestamp()
	if err != nil {
		return timeHit{}, s.damage(h.at, err)
	}
	return timeHit{ms >= timestamp && base >= from, ms, base, record.NoLeaderEpoch}, nil
}

// scanned is the account of a batch that was read on the way.
func (s *segment) scanned(h head) ScannedBatch {
	last, err := h.last()
	if err != nil {
		last = h.offset()
	}
	return ScannedBatch{h.offset(), last, int32(h.at), h.size, s.base}
}
