package storage

import (
	"errors"
	"fmt"
	"io"

	"kafkalab/engine/record"
	"kafkalab/engine/trace"
)

// recoverSegment recovers one segment with what was known of the producers at
// its base, and keeps what is known of them at its end in a snapshot, so that
// the next segment need not begin from afar. It returns the bytes lost
// (LogLoader#recoverSegment).
func (l *Log) recoverSegment(o Options, s *segment) (int32, error) {
	p, err := l.openProducers(o)
	if err != nil {
		return 0, err
	}
	if err := l.rebuildProducers(p, l.segments, o.LogStartOffset, s.base, false); err != nil {
		return 0, err
	}
	before := s.size
	damage, err := l.rebuildSegment(s, p)
	if isOffsetError(err) {
		// Offsets that cannot be indexed: nothing in the segment can be trusted.
		damage, err = err, s.empty(l.now())
	} else if err == nil {
		err = p.takeSnapshot(true)
	}
	if err != nil {
		return 0, err
	}
	lost := before - s.size
	text := ""
	if damage != nil {
		text = damage.Error()
	}
	l.tell(trace.SegmentRecovered{Partition: l.label, Base: s.base, Bytes: int64(s.size), Lost: int64(lost), Damage: text})
	return lost, nil
}

func isOffsetError(err error) bool {
	var order *offsetOrderError
	var outside *offsetRangeError
	return errors.As(err, &order) || errors.As(err, &outside)
}

// empty takes everything out of a segment.
func (s *segment) empty(now int64) error {
	err := errors.Join(s.offsets.truncateTo(0), s.times.truncateTo(0), s.aborted.reset(), s.cut(0))
	s.created, s.first, s.bytesSinceIndex = now, firstTimestamp{}, 0
	s.largest = s.lastIndexedTime()
	return err
}

// rebuildSegment reads a segment from its first byte, cuts it at the first that
// is no valid batch, and builds its indexes anew: the same ones that the
// appends made. damage tells what ended it, nil if nothing did
// (LogSegment#recover).
func (l *Log) rebuildSegment(s *segment, p *producers) (damage, err error) {
	err = errors.Join(s.offsets.truncateTo(0), s.times.truncateTo(0), s.aborted.reset(), s.offsets.open(), s.times.open())
	if err != nil {
		return nil, err
	}
	s.first, s.bytesSinceIndex = firstTimestamp{}, 0
	s.largest = s.lastIndexedTime()
	valid, sinceIndex := int64(0), int32(0)
	reader := batchReader{file: s.file, end: int64(s.size)}
	for {
		b, err := reader.next(valid)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			if !isBatchError(err) {
				return nil, err
			}
			damage = s.damage(valid, err)
			break
		}
		if err := l.takeRecovered(s, p, b, int32(valid), &sinceIndex); err != nil {
			return nil, err
		}
		valid += int64(len(b))
	}
	err = errors.Join(s.cut(int32(valid)), s.times.maybeAppend(s.timeEntry()), s.deactivate())
	if err != nil {
		return damage, err
	}
	// Below the recovery point nobody will look at the indexes again: they must
	// not be lost now.
	return damage, errors.Join(s.offsets.sync(), s.times.sync(), s.aborted.sync())
}

// takeRecovered indexes one batch of a segment under recovery, and feeds it to
// the leader epochs and the producers.
func (l *Log) takeRecovered(s *segment, p *producers, b record.Batch, pos int32, since *int32) error {
	if !s.fits(b.LastOffset()) {
		return &offsetRangeError{s.base, b.LastOffset()}
	}
	h := headerOf(b, b)
	if !s.first.known {
		s.first = firstTimestamp{h.maxTimestamp, true}
	}
	if err := s.index(&h, pos, since); err != nil {
		return err
	}
	*since += h.size
	if last, ok := l.epochs.latest(); !ok || h.epoch > last.Epoch {
		if _, err := l.epochs.assign(h.epoch, h.base); err != nil {
			return err
		}
	}
	done, stable := p.replay(b)
	if done != nil && done.aborted {
		return s.aborted.append(AbortedTxn{done.producerID, done.firstOffset, done.lastOffset, stable})
	}
	return nil
}

// offsetRangeError is an offset that a segment cannot index.
type offsetRangeError struct{ base, offset int64 }

func (e *offsetRangeError) Error() string {
	return fmt.Sprintf("offset %d is not within 2147483647 of the segment's base %d", e.offset, e.base)
}

// isBatchError tells whether an error is about bytes, not about the disk.
func isBatchError(err error) bool {
	return errors.Is(err, record.ErrCorrupt) || errors.Is(err, record.ErrTruncated) || errors.Is(err, record.ErrInvalid)
}

// isCutOff tells whether an error means that a batch's end is missing.
func isCutOff(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, record.ErrTruncated) }

// batchReader reads whole batches of a file one after the other.
type batchReader struct {
	file io.ReaderAt
	end  int64
	buf  []byte
}

// next reads the batch at a position and checks it. It is good until the next
// call.
func (r *batchReader) next(pos int64) (record.Batch, error) {
	left := r.end - pos
	if left <= 0 {
		return nil, io.EOF
	}
	if err := r.fill(pos, min(left, record.HeaderSize)); err != nil {
		return nil, err
	}
	size := int64(len(r.buf))
	if head, err := record.PeekHeader(r.buf); err == nil {
		size = int64(head.Size())
	} else if !isCutOff(err) || left > record.HeaderSize {
		return nil, err
	}
	if size > left {
		return nil, record.ErrTruncated
	}
	if err := r.fill(pos, size); err != nil {
		return nil, err
	}
	b, err := record.Next(r.buf)
	if err != nil {
		return nil, err
	}
	return b, b.Valid()
}

// fill reads size bytes at a position into buf.
func (r *batchReader) fill(pos, size int64) error {
	if int64(cap(r.buf)) < size {
		r.buf = make([]byte, size, 2*size)
	}
	r.buf = r.buf[:size]
	if _, err := r.file.ReadAt(r.buf, pos); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}
