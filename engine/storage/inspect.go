package storage

import (
	"errors"
	"io"
	"slices"

	"kafkalab/engine/record"
)

// SegmentInfo is what there is to tell of a segment.
type SegmentInfo struct {
	Base, Next       int64 // Next is the base of the segment behind it, or the log's end
	Bytes            int32 // of the .log file
	FirstTimestamp   int64 // ms, largest of the first batch, from which the age counts; record.NoTimestamp if none
	LargestTimestamp int64 // ms, by which retention.ms goes
	Created          int64 // ms, when it was opened or made
	JitterMs         int64 // taken off segment.ms
	IndexEntries     int
	TimeIndexEntries int
	AbortedTxns      int
	Active           bool
}

// Segments lists the segments, oldest first.
func (l *Log) Segments() []SegmentInfo {
	out := make([]SegmentInfo, len(l.segments))
	for i, s := range l.segments {
		next := l.end
		if i+1 < len(l.segments) {
			next = l.segments[i+1].base
		}
		out[i] = SegmentInfo{
			Base: s.base, Next: next, Bytes: s.size, FirstTimestamp: record.NoTimestamp, LargestTimestamp: record.NoTimestamp,
			Created: s.created, JitterMs: s.jitterMs,
			IndexEntries: len(s.offsets.entries), TimeIndexEntries: len(s.times.entries),
			AbortedTxns: len(s.aborted.entries), Active: i+1 == len(l.segments),
		}
		if !l.closed {
			out[i].FirstTimestamp, out[i].LargestTimestamp = s.firstMs(), s.largestTimestamp()
		}
	}
	return out
}

// SegmentCount is the number of segments, the active one included.
func (l *Log) SegmentCount() int { return len(l.segments) }

// segmentAt finds the segment of a base offset.
func (l *Log) segmentAt(base int64) *segment {
	if i := l.floor(base); i >= 0 && l.segments[i].base == base {
		return l.segments[i]
	}
	return nil
}

// IndexEntries lists the offset index of the segment with a base offset, nil if
// there is no such segment.
func (l *Log) IndexEntries(base int64) []IndexEntry {
	if s := l.segmentAt(base); s != nil {
		return slices.Clone(s.offsets.entries)
	}
	return nil
}

// TimeIndexEntries lists the time index of the segment with a base offset.
func (l *Log) TimeIndexEntries(base int64) []TimeIndexEntry {
	if s := l.segmentAt(base); s != nil {
		return slices.Clone(s.times.entries)
	}
	return nil
}

// AbortedTxns lists the transaction index of the segment with a base offset.
func (l *Log) AbortedTxns(base int64) []AbortedTxn {
	if s := l.segmentAt(base); s != nil {
		return slices.Clone(s.aborted.entries)
	}
	return nil
}

// BatchInfo is what a batch's header tells.
type BatchInfo struct {
	Base, Last       int64
	Segment          int64 // base of the segment it lies in
	Position         int32
	Size             int32
	Epoch            int32 // of the leader that appended it
	Count            int32
	BaseTimestamp    int64 // ms
	MaxTimestamp     int64 // ms
	TimestampType    record.TimestampType
	ProducerID       int64
	ProducerEpoch    int16
	BaseSequence     int32
	LastSequence     int32
	Codec            record.Codec
	Transactional    bool
	Control          bool
	HasDeleteHorizon bool
	DeleteHorizon    int64 // ms
	CRC              uint32
}

func batchInfo(head record.Batch, segment, at int64) BatchInfo {
	horizon, set := head.DeleteHorizon()
	return BatchInfo{
		Base: head.BaseOffset(), Last: head.LastOffset(), Segment: segment, Position: int32(at), Size: int32(head.Size()),
		Epoch: head.PartitionLeaderEpoch(), Count: head.Count(),
		BaseTimestamp: head.BaseTimestamp(), MaxTimestamp: head.MaxTimestamp(), TimestampType: head.TimestampType(),
		ProducerID: head.ProducerID(), ProducerEpoch: head.ProducerEpoch(),
		BaseSequence: head.BaseSequence(), LastSequence: head.LastSequence(),
		Codec: head.Codec(), Transactional: head.IsTransactional(), Control: head.IsControl(),
		HasDeleteHorizon: set, DeleteHorizon: horizon, CRC: head.CRC(),
	}
}

// Batches lists up to limit batches from the one that holds an offset on, or
// the first past it, across segments. Only headers are read. What lies before
// the log's start but is still in the files is listed too.
func (l *Log) Batches(from int64, limit int) ([]BatchInfo, error) {
	if err := l.checkErr(); err != nil {
		return nil, err
	}
	var out []BatchInfo
	for _, s := range l.segments[max(l.floor(from), 0):] {
		if len(out) >= limit {
			break
		}
		var err error
		if out, err = s.list(out, from, limit); err != nil {
			return out, err
		}
	}
	return out, nil
}

// list appends the batches of the segment to out.
func (s *segment) list(out []BatchInfo, from int64, limit int) ([]BatchInfo, error) {
	_, e := s.lookup(from)
	scan := s.headers(int64(e.Position))
	for len(out) < limit {
		h, err := scan.next()
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return out, s.damage(scan.pos, err)
		}
		b, err := h.header()
		if err != nil {
			return out, s.damage(h.at, err)
		}
		if b.LastOffset() >= from {
			out = append(out, batchInfo(b, s.base, h.at))
		}
	}
	return out, nil
}

// ErrNoBatch is what BatchBytes gives for an offset that no batch holds.
var ErrNoBatch = errors.New("storage: no batch holds this offset")

// BatchBytes reads the batch that holds an offset.
func (l *Log) BatchBytes(offset int64) (record.Batch, error) {
	if err := l.checkErr(); err != nil {
		return nil, err
	}
	at := l.floor(offset)
	if at < 0 {
		return nil, ErrNoBatch
	}
	s := l.segments[at]
	f, ok, err := s.find(offset)
	if err != nil {
		return nil, err
	}
	if !ok || f.base > offset {
		return nil, ErrNoBatch
	}
	return s.read(int64(f.position), int(f.size))
}

// HorizonInfo is a batch with a delete horizon, in ms since the Unix epoch.
type HorizonInfo struct {
	Base, Last int64
	AtMs       int64
}

// Horizons lists the first batches that have a delete horizon, at most so many.
// Compaction sets it; logs without compaction are not looked at.
func (l *Log) Horizons(most int) []HorizonInfo {
	var out []HorizonInfo
	if !l.config.Compact || l.closed {
		return out
	}
	for _, s := range l.segments {
		scan := s.headers(0)
		for len(out) < most {
			h, err := scan.next()
			if err != nil {
				break
			}
			if b, err := h.header(); err == nil {
				if ms, set := b.DeleteHorizon(); set {
					out = append(out, HorizonInfo{b.BaseOffset(), b.LastOffset(), ms})
				}
			}
		}
	}
	return out
}
