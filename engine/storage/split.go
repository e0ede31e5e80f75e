package storage

import (
	"errors"
	"io"
	"io/fs"
	"slices"

	"kafkalab/engine/record"
)

// splitChunk is how much of a segment a split copies at once; a larger batch is
// copied by itself (LogSegment#appendChunkFromFile).
const splitChunk = 1 << 20

// retryOnOverflow runs a part of loading; each time it meets a batch whose offset
// its segment cannot hold, the segment is split and the part begins anew. Such
// segments once came of compaction (KAFKA-6264). Today it is a damaged base
// offset, which no checksum covers, that looks like one
// (LogLoader#retryOnOffsetOverflow).
func (l *Log) retryOnOverflow(part func() error) error {
	last := int64(NoOffset)
	for {
		err := part()
		overflow, ok := errors.AsType[*overflowError](err)
		if !ok {
			return err
		}
		s := overflow.segment
		if s.base == last {
			return damaged(s.name(logSuffix), -1, throw(illegalState, "%v: a split did not help, Kafka would try it for ever", err))
		}
		last = s.base
		if err := l.split(s); err != nil {
			return err
		}
	}
}

// split replaces a segment by several that can hold all its offsets: a new one
// begins at each batch that does not go into the last. Kafka insists that the
// last batch of all is one that lies too far, and dies where it is another
// (LocalLog#splitOverflowedSegment).
func (l *Log) split(s *segment) error {
	next, err := s.nextOffset()
	if err != nil {
		return err
	}
	if next <= s.base || s.fits(next-1) {
		return damaged(s.name(logSuffix), -1, throw(illegalArgument, "Split operation is only permitted for segments with overflow: the base offset of a batch is not of this segment, but that of the last batch is"))
	}
	parts, err := l.splitInto(s)
	if err != nil {
		for _, part := range parts {
			err = errors.Join(err, part.discard())
		}
		return err
	}
	return l.replaceSplit(s, parts)
}

// splitInto copies the batches of a segment into new ones.
func (l *Log) splitInto(s *segment) (parts []*segment, err error) {
	info, err := s.file.Stat()
	if err != nil {
		return nil, err
	}
	total := int32(0)
	for at := int64(0); at < int64(s.size); {
		h, err := s.headers(at).next()
		if err == io.EOF {
			err = throw("NoSuchElementException", "%d bytes are left that are no batch", int64(s.size)-at)
		}
		first, err := s.batchAt(h, err)
		if err != nil {
			return parts, s.damage(at, err)
		}
		if slices.ContainsFunc(parts, func(p *segment) bool { return p.base == first.base }) {
			// Kafka makes the file anew, and then misses the one that was renamed.
			return parts, &fs.PathError{Op: "rename", Path: parts[0].name(logSuffix), Err: fs.ErrNotExist}
		}
		part, err := l.newPart(first.base)
		if err != nil {
			return parts, err
		}
		parts = append(parts, part)
		n, err := part.appendFrom(s, at)
		if err != nil {
			return parts, err
		}
		if n == 0 {
			return parts, s.damage(at, throw(illegalState, "Failed to append records: no segment can hold this batch"))
		}
		at, total = at+n, total+part.size
		if err := errors.Join(part.deactivate(), part.flush()); err != nil {
			return parts, err
		}
		// Retention counts from here where the records have no timestamps.
		if err := l.fs.Chtimes(part.name(logSuffix), info.ModTime(), info.ModTime()); err != nil {
			return parts, err
		}
	}
	if total != s.size {
		return parts, s.damage(0, throw(illegalState, "Inconsistent segment sizes after split before: %d after: %d", s.size, total))
	}
	return parts, nil
}

// newPart makes an empty segment whose files are not part of the log yet.
func (l *Log) newPart(base int64) (*segment, error) {
	o := l.segmentOptions()
	o.ext = cleanedSuffix
	leftover := segment{fs: o.fs, dir: o.dir, base: base, ext: o.ext}
	if err := leftover.discard(); err != nil {
		return nil, err
	}
	part, _, err := openSegment(o, base)
	if err != nil {
		return nil, err
	}
	return part, part.activate(&l.config)
}

// appendFrom appends the batches of another segment from a position on, as far as
// this one can hold their offsets, and tells how many bytes they are.
func (s *segment) appendFrom(from *segment, start int64) (int64, error) {
	at := start
	for at < int64(from.size) {
		size, err := s.chunk(from, at)
		if err != nil || size == 0 {
			return at - start, err
		}
		b, err := from.read(at, size)
		if err != nil {
			return at - start, err
		}
		headers, err := splitHeaders(b)
		if err != nil {
			return at - start, from.damage(at, err)
		}
		if err := s.append(b, nil, headers); err != nil {
			return at - start, err
		}
		at += int64(size)
	}
	return at - start, nil
}

// chunk is the size of the batches from a position on that go into the segment
// together.
func (s *segment) chunk(from *segment, at int64) (int, error) {
	size := 0
	scan := from.headers(at)
	for {
		h, err := scan.next()
		if err == io.EOF {
			return size, nil
		}
		last := int64(0)
		if err == nil {
			last, err = h.last()
		}
		if err != nil {
			return 0, from.damage(scan.pos, err)
		}
		if !s.fits(last) || size > 0 && size+int(h.size) >= splitChunk {
			return size, nil
		}
		size += int(h.size)
	}
}

// splitHeaders are the headers of whole batches. In memory Kafka holds the format
// against those that it knows, in a file it does not
// (ByteBufferLogInputStream#nextBatchSize).
func splitHeaders(b []byte) ([]batchHeader, error) {
	var list []batchHeader
	for len(b) > 0 {
		size, err := record.PeekSize(b)
		if err != nil || size > len(b) {
			return list, err
		}
		batch := record.Batch(b[:size:size])
		if magic := batch.Magic(); magic < 0 || magic > record.MagicV2 {
			return list, record.MagicError{Magic: magic}
		}
		if batch.Magic() == record.MagicV2 && size < record.HeaderSize {
			return list, throw(outOfBounds, "a batch of %d bytes, its header has %d", size, record.HeaderSize)
		}
		list = append(list, recoveredHeader(batch))
		b = b[size:]
	}
	return list, nil
}

// replaceSplit puts the parts of a segment in its place. A segment that is still
// being loaded is in no list; its file is replaced by that of the first part
// (LocalLog#replaceSegments).
func (l *Log) replaceSplit(old *segment, parts []*segment) error {
	for _, part := range slices.Backward(parts) {
		if err := part.rename(swapSuffix); err != nil {
			return err
		}
	}
	if slices.Contains(l.segments, old) {
		l.segments = slices.DeleteFunc(l.segments, func(s *segment) bool { return s == old })
		if err := l.deleteSegment(old, DeletedBySplit); err != nil {
			return err
		}
	} else if err := old.close(); err != nil {
		return err
	}
	same := false
	for _, part := range parts {
		if err := part.rename(""); err != nil {
			return err
		}
		l.insertSegment(part)
		same = same || part.base == old.base
	}
	if !same && l.producers.forgetSnapshot(old.base) {
		if err := l.deleteLater(l.producers.snapshotFile(old.base)); err != nil {
			return err
		}
	}
	return l.fs.SyncDir(l.dir)
}

// insertSegment puts a segment into the list; one of the same base goes.
func (l *Log) insertSegment(s *segment) {
	i := l.floor(s.base)
	if i >= 0 && l.segments[i].base == s.base {
		l.segments[i] = s
		return
	}
	l.segments = slices.Insert(l.segments, i+1, s)
}
