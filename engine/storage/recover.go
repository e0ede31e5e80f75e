package storage

import (
	"encoding/binary"
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
	if err == nil {
		err = p.takeSnapshot(true)
	}
	if err != nil {
		return 0, err
	}
	l.tellRecovered(s, before-s.size, damage)
	return before - s.size, nil
}

func (l *Log) tellRecovered(s *segment, lost int32, damage error) {
	text := ""
	if damage != nil {
		text = damage.Error()
	}
	l.tell(trace.SegmentRecovered{Partition: l.label, Base: s.base, Bytes: int64(s.size), Lost: int64(lost), Damage: text})
}

// recoverOrEmpty is recoverSegment for a segment that is in the log's list.
// Offsets that go back, so that an index refuses them, cost the whole segment
// (LogLoader#recoverLog).
func (l *Log) recoverOrEmpty(o Options, s *segment) (int32, error) {
	lost, err := l.recoverSegment(o, s)
	if !isClass(err, invalidOffset) {
		return lost, err
	}
	damage := err
	if lost, err = s.truncateTo(s.base, l.now(), &l.config); err == nil {
		l.tellRecovered(s, lost, damage)
	}
	return lost, err
}

// rebuildSegment reads a segment from its first byte, cuts it at the first that
// is no valid batch, and builds its indexes anew: the same ones that the
// appends made. damage tells what ended it, nil if nothing did
// (LogSegment#recover).
func (l *Log) rebuildSegment(s *segment, p *producers) (damage, err error) {
	err = errors.Join(s.offsets.reset(), s.times.reset(), s.aborted.reset(), s.activate(&l.config))
	if err != nil {
		return nil, err
	}
	s.first, s.bytesSinceIndex = firstTimestamp{}, 0
	s.largest = s.lastIndexedTime()
	r := rebuild{log: l, segment: s, producers: p}
	damage, err = r.all()
	if err != nil {
		return nil, err
	}
	if err := s.cut(int32(r.valid)); err != nil {
		return damage, err
	}
	if err := s.deactivate(); err != nil {
		return damage, err
	}
	// Below the recovery point nobody will look at the indexes again: they must
	// not be lost now.
	return damage, errors.Join(s.offsets.sync(), s.times.sync(), s.aborted.sync())
}

// rebuild is a segment under recovery.
type rebuild struct {
	log       *Log
	segment   *segment
	producers *producers
	valid     int64 // bytes read so far that stay
	since     int32 // bytes since the last index entry
}

// all takes in batches until there is none, or one that is not valid.
func (r *rebuild) all() (damage, err error) {
	reader := batchReader{file: r.segment.file, end: int64(r.segment.size)}
	for {
		b, err := reader.next(r.valid)
		switch {
		case errors.Is(err, io.EOF):
			return nil, nil
		case err == nil:
			err = r.take(b)
		}
		if err == nil {
			continue
		}
		err = r.segment.damage(r.valid, err)
		// Kafka looks for these two and dies of all others.
		if errors.Is(err, record.ErrCorrupt) || errors.Is(err, record.ErrTruncated) || errors.Is(err, record.ErrInvalid) {
			return err, nil
		}
		return nil, err
	}
}

// take indexes one batch, and feeds it to the leader epochs and the producers.
func (r *rebuild) take(b record.Batch) error {
	s := r.segment
	h := recoveredHeader(b)
	if !s.fits(h.last) {
		return &overflowError{s, h.last}
	}
	if !s.first.known {
		s.first = firstTimestamp{h.maxTimestamp, true}
	}
	if err := s.index(&h, int32(r.valid), &r.since); err != nil {
		return err
	}
	r.since += h.size
	at := r.valid
	r.valid += int64(h.size)
	if b.Magic() < record.MagicV2 {
		return nil
	}
	epochs := r.log.epochs
	if last, ok := epochs.latest(); !ok || h.epoch > last.Epoch {
		if h.epoch >= 0 && h.base < 0 {
			return s.damage(at, throw(illegalArgument, "leader epoch %d begins at offset %d: offsets are not negative", h.epoch, h.base))
		}
		if _, err := epochs.assign(h.epoch, h.base); err != nil {
			return err
		}
	}
	return s.damage(at, r.follow(b))
}

// recoveredHeader is the header of a batch that may be of an old format.
func recoveredHeader(b record.Batch) batchHeader {
	if b.Magic() >= record.MagicV2 {
		return headerOf(b, b)
	}
	ms := int64(record.NoTimestamp)
	if b.Magic() != 0 {
		ms = int64(binary.BigEndian.Uint64(b[legacyTimestampAt:])) // of a whole message nobody asks for its format
	}
	return batchHeader{
		head: b, records: b, last: b.BaseOffset(), maxTimestamp: ms, size: int32(b.Size()), epoch: record.NoLeaderEpoch,
	}
}

// follow feeds a batch to the producers (LogSegment#updateProducerState).
func (r *rebuild) follow(b record.Batch) error {
	done, stable, err := r.producers.replay(b)
	if err != nil {
		return err
	}
	if done != nil {
		if done.aborted {
			err = r.segment.aborted.append(AbortedTxn{done.producerID, done.firstOffset, done.lastOffset, stable})
		}
		if err == nil {
			err = r.producers.complete(*done)
		}
	}
	if err == nil {
		r.producers.mapEnd = b.NextOffset()
	}
	return err
}

// overflowError is a batch whose last offset a segment cannot index. Kafka then
// splits the segment (LogSegmentOffsetOverflowException).
type overflowError struct {
	segment *segment
	offset  int64
}

func (e *overflowError) Error() string {
	return fmt.Sprintf("offset %d is not within 2147483647 of the segment's base %d", e.offset, e.segment.base)
}

// batchReader reads whole batches of a file one after the other.
type batchReader struct {
	file io.ReaderAt
	end  int64
	buf  []byte
}

// next reads the batch at a position and checks it as recovery does: its size
// and its checksum, which does not cover the magic. The batch is good until the
// next call. io.EOF ends the file; bytes that are left and no batch make
// ErrTruncated or ErrCorrupt.
func (r *batchReader) next(pos int64) (record.Batch, error) {
	left := r.end - pos
	if left <= 0 {
		return nil, io.EOF
	}
	if left <= upToMagic {
		return nil, fmt.Errorf("%w: %d bytes are left", record.ErrTruncated, left)
	}
	if err := r.fill(pos, min(left, record.HeaderSize)); err != nil {
		return nil, err
	}
	size, err := record.PeekSize(r.buf)
	if err != nil {
		return nil, err
	}
	if int64(size) > left {
		return nil, fmt.Errorf("%w: declares %d bytes, %d are left", record.ErrTruncated, size, left)
	}
	if err := r.fill(pos, int64(size)); err != nil {
		return nil, err
	}
	b := record.Batch(r.buf)
	if b.Magic() < record.MagicV2 {
		return b, legacyValid(b)
	}
	return b, b.Valid()
}

// fill reads size bytes at a position into buf.
func (r *batchReader) fill(pos, size int64) error {
	if int64(cap(r.buf)) < size {
		r.buf = make([]byte, size, 2*size)
	}
	r.buf = r.buf[:size]
	n, err := r.file.ReadAt(r.buf, pos)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if int64(n) < size {
		return fmt.Errorf("%w: the file ends", record.ErrTruncated)
	}
	return nil
}
