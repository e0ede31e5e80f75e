package storage

import (
	"errors"
	"io"
	"math"

	"kafkalab/engine/disk"
	"kafkalab/engine/record"
)

// headers starts a scan of the segment's batches at a position.
func (s *segment) headers(pos int64) *scanner {
	s.scan.reset(s.file, pos, int64(s.size))
	return s.scan
}

// found is a batch that a search came to.
type found struct {
	base, last int64
	position   int32
	size       int32
	epoch      int32
}

// find gives the first batch whose last offset is at or past an offset. ok is
// false when there is none in this segment.
func (s *segment) find(offset int64) (f found, ok bool, err error) {
	_, e := s.lookup(offset)
	return s.findFrom(offset, int64(e.Position))
}

// lookup asks the offset index for the place from which to scan.
func (s *segment) lookup(offset int64) (slot int, e IndexEntry) {
	return s.offsets.lookup(int32(min(max(offset-s.base, 0), math.MaxInt32)))
}

func (s *segment) findFrom(offset, pos int64) (f found, ok bool, err error) {
	scan := s.headers(pos)
	for {
		head, at, err := scan.next()
		if errors.Is(err, io.EOF) || errors.Is(err, record.ErrTruncated) {
			return found{}, false, nil
		}
		if err != nil {
			return found{}, false, s.damage(at, err)
		}
		if head.LastOffset() >= offset {
			return foundBatch(head, at), true, nil
		}
	}
}

func foundBatch(head record.Batch, at int64) found {
	return found{
		base: head.BaseOffset(), last: head.LastOffset(), position: int32(at),
		size: int32(head.Size()), epoch: head.PartitionLeaderEpoch(),
	}
}

// read gives the bytes of batches, which the disk may have lent.
func (s *segment) read(pos int64, size int) (record.Batch, error) {
	b, err := disk.Slice(s.file, pos, size)
	if err != nil {
		return nil, s.damage(pos, err)
	}
	return b, nil
}

// damage says where in which file a scan met something that is no batch.
func (s *segment) damage(at int64, err error) error {
	return &DamageError{File: s.name(logSuffix), Position: at, Err: err}
}

// nextOffset is the offset after the last batch, or the base of an empty
// segment.
func (s *segment) nextOffset() (int64, error) {
	pos := int64(0)
	if n := len(s.offsets.entries); n > 0 {
		pos = int64(s.offsets.entries[n-1].Position)
	}
	next := s.base
	scan := s.headers(pos)
	for {
		head, at, err := scan.next()
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, record.ErrTruncated):
			return next, nil
		case err != nil:
			return next, s.damage(at, err)
		}
		next = head.NextOffset()
	}
}

// firstMs is the largest timestamp of the first batch, record.NoTimestamp if
// there is none.
func (s *segment) firstMs() int64 {
	if !s.first.known && s.size > 0 {
		if head, _, err := s.headers(0).next(); err == nil {
			s.first = firstTimestamp{head.MaxTimestamp(), true}
		}
	}
	if !s.first.known {
		return record.NoTimestamp
	}
	return s.first.ms
}

// largestTimestamp is that of the records or, when none has one, the time at
// which the file was last written.
func (s *segment) largestTimestamp() int64 {
	if s.largest.timestamp >= 0 {
		return s.largest.timestamp
	}
	info, err := s.file.Stat()
	if err != nil {
		return record.NoTimestamp
	}
	return info.ModTime().UnixMilli()
}

// findLargestTime looks for the largest timestamp anew: in the last entry of the
// time index, and in the batches behind it (LogSegment#readLargestTimestamp).
// Kafka does not if nobody had asked for it before, and then may index a smaller
// one for a later offset.
func (s *segment) findLargestTime() error {
	s.largest = s.lastIndexedTime()
	_, e := s.lookup(s.largest.offset)
	scan := s.headers(int64(e.Position))
	for {
		head, at, err := scan.next()
		if isCutOff(err) {
			return nil
		}
		if err != nil {
			return s.damage(at, err)
		}
		if head.MaxTimestamp() > s.largest.timestamp {
			s.largest = timestampOffset{head.MaxTimestamp(), head.LastOffset()}
		}
	}
}
