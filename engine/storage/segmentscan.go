package storage

import (
	"errors"
	"fmt"
	"io"

	"kafkalab/engine/disk"
	"kafkalab/engine/record"
)

// headers starts a scan of the segment's batches at a position.
func (s *segment) headers(pos int64) *scanner {
	s.scan.reset(s.file, pos, int64(s.size))
	return s.scan
}

// found is a batch that a search came to. last is known only if short is false:
// see head.
type found struct {
	base, last int64
	position   int32
	size       int32
	short      bool
}

// find gives the batch that holds an offset, or the first one past it. ok is
// false when there is none in this segment.
func (s *segment) find(offset int64) (f found, ok bool, err error) {
	_, e := s.lookup(offset)
	return s.findFrom(offset, max(int64(e.Position), 0))
}

// lookup asks the offset index for the place from which to scan.
func (s *segment) lookup(offset int64) (slot int, e IndexEntry) {
	return s.offsets.lookup(offset - s.base)
}

// findFrom looks for the batch from a position on. It compares base offsets: the
// first batch that begins past the offset is the one, unless the batch before it
// holds the offset. Kafka 4.4 does so because a base offset is among the bytes
// that it reads of every batch, a last offset is not
// (FileRecords#searchForOffsetFromPosition).
func (s *segment) findFrom(offset, pos int64) (found, bool, error) {
	scan := s.headers(pos)
	var before found
	known := false
	for {
		h, err := scan.next()
		if err == io.EOF {
			break
		}
		if err == nil && h.offset() < offset && len(h.bytes) == record.HeaderSize && !h.legacy() {
			before.base, before.last, before.position, before.size = h.offset(), h.bytes.LastOffset(), int32(h.at), h.size
			before.short, known = false, true
			continue // nearly always
		}
		f, err := s.batchAt(h, err)
		if err != nil {
			return found{}, false, err
		}
		if f.base >= offset {
			if f.base > offset && known {
				if holds, err := s.holds(before, offset); holds || err != nil {
					return before, holds, err
				}
			}
			return f, true, nil
		}
		before, known = f, true
	}
	if !known {
		return found{}, false, nil
	}
	holds, err := s.holds(before, offset)
	return before, holds, err
}

// batchAt makes a find of a header.
func (s *segment) batchAt(h head, err error) (found, error) {
	if err != nil {
		return found{}, s.damage(s.scan.pos, err)
	}
	f := found{base: h.offset(), position: int32(h.at), size: h.size}
	if h.legacy() {
		f.last = f.base
		f.base, err = s.legacyBase(h)
		return f, err
	}
	if f.short = len(h.bytes) < record.HeaderSize; !f.short {
		f.last = h.bytes.LastOffset()
	}
	return f, nil
}

// holds tells whether a batch ends at or past an offset.
func (s *segment) holds(f found, offset int64) (bool, error) {
	if f.short {
		return false, s.damage(int64(f.position), throw(kafkaException, "the file ends before a header of %d bytes does", record.HeaderSize))
	}
	return f.last >= offset, nil
}

// legacyBase reads a whole batch of an old format for its base offset.
func (s *segment) legacyBase(h head) (int64, error) {
	b, err := s.read(h.at, int(h.size))
	if err != nil {
		return 0, err
	}
	base, err := legacyBase(b)
	return base, s.damage(h.at, err)
}

// read gives the bytes of batches, which the disk may have lent.
func (s *segment) read(pos int64, size int) (record.Batch, error) {
	b, err := disk.Slice(s.file, pos, size)
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		err = fmt.Errorf("%w: %d bytes are wanted", record.ErrTruncated, size)
	}
	if err != nil {
		return nil, s.damage(pos, err)
	}
	return b, nil
}

// damage says where in the segment's .log file bytes are wrong. An error of the
// disk passes.
func (s *segment) damage(at int64, err error) error {
	if err == nil {
		return nil
	}
	return damaged(s.name(logSuffix), at, err)
}

// nextOffset is the offset after the last batch, or the base of an empty
// segment. The last entry of the offset index tells from where to look for it,
// and where that entry lies past all batches, the segment counts as empty
// (LogSegment#readNextOffset).
func (s *segment) nextOffset() (int64, error) {
	f, ok, err := s.find(s.base + s.offsets.lastRelative())
	if err != nil || !ok {
		return s.base, err
	}
	last, at := s.base-1, int64(0)
	scan := s.headers(int64(f.position))
	for {
		h, next := scan.next()
		if next == io.EOF {
			return last + 1, s.damage(at, err)
		}
		if next != nil {
			return s.base, s.damage(scan.pos, next)
		}
		at = h.at
		last, err = h.last() // of all but the last batch nobody asks
	}
}

// firstMs is readFirstMs for who does not care why there is none.
func (s *segment) firstMs() int64 {
	ms, err := s.readFirstMs()
	if err != nil {
		return record.NoTimestamp
	}
	return ms
}

// readFirstMs is the largest timestamp of the first batch, record.NoTimestamp if
// there is none.
func (s *segment) readFirstMs() (int64, error) {
	if s.first.known {
		return s.first.ms, nil
	}
	h, err := s.headers(0).next()
	if err == io.EOF {
		return record.NoTimestamp, nil
	}
	ms := int64(record.NoTimestamp)
	if err == nil {
		ms, err = h.maxTimestamp()
	}
	if err != nil {
		return ms, s.damage(h.at, err)
	}
	s.first = firstTimestamp{ms, true}
	return ms, nil
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
	largest := s.lastIndexedTime()
	_, e := s.lookup(largest.offset)
	scan := s.headers(int64(e.Position))
	for {
		h, err := scan.next()
		if err == io.EOF {
			s.largest = largest
			return nil
		}
		if err != nil {
			return s.damage(scan.pos, err)
		}
		ms, err := h.maxTimestamp()
		if err == nil && ms > largest.timestamp {
			largest.timestamp = ms
			largest.offset, err = h.last()
		}
		if err != nil {
			return s.damage(h.at, err)
		}
	}
}
