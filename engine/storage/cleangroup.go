package storage

import (
	"errors"
	"io"
	"io/fs"
	"math"
	"time"
)

// groupSegments puts segments together that fit into one, so that a log does
// not end up with many small ones. Source: Cleaner#groupSegmentsBySize.
func groupSegments(segments []*segment, config Config, firstUncleanable int64) [][]*segment {
	var groups [][]*segment
	for i := 0; i < len(segments); {
		n := i + 1
		bytes := int64(segments[i].size)
		offsets, times := segments[i].offsets.size, segments[i].times.size
		for ; n < len(segments); n++ {
			s := segments[n]
			bytes, offsets, times = bytes+int64(s.size), offsets+s.offsets.size, times+s.times.size
			if bytes > int64(config.SegmentBytes) || offsets > int64(config.SegmentIndexBytes) || times > int64(config.SegmentIndexBytes) ||
				s.size > 0 && lastOffsetOf(segments, n, firstUncleanable)-segments[i].base > math.MaxInt32 {
				break
			}
		}
		groups = append(groups, segments[i:n:n])
		i = n
	}
	return groups
}

// lastOffsetOf is the largest offset that a segment may have: the one before
// the next begins (Cleaner#lastOffsetForFirstSegment).
func lastOffsetOf(segments []*segment, i int, firstUncleanable int64) int64 {
	if i+1 < len(segments) {
		return segments[i+1].base - 1
	}
	return firstUncleanable - 1
}

// copyGroup copies a group of segments into one of its own, beside them, and
// has it synced. Source: Cleaner#cleanSegments.
func (c *Cleaner) copyGroup(l *Log, group []*segment) (*segment, error) {
	into, err := l.cleanedSegment(group[0].base)
	if err != nil {
		return nil, err
	}
	if err := c.copyInto(l, group, into); err != nil {
		return nil, errors.Join(err, into.discard())
	}
	return into, nil
}

func (c *Cleaner) copyInto(l *Log, group []*segment, into *segment) error {
	c.filter.begin(l, into.aborted.append)
	modified := time.Time{}
	for i, s := range group {
		upper := l.nextBase(s)
		if i+1 < len(group) {
			upper = group[i+1].base
		}
		c.filter.txns.add(l.AbortedBetween(s.base, s.base, upper))
		if err := c.copySegment(s, into); err != nil {
			return err
		}
		info, err := s.file.Stat()
		if err != nil {
			return err
		}
		modified = info.ModTime()
	}
	if err := errors.Join(into.deactivate(), into.flush()); err != nil {
		return err
	}
	return l.fs.Chtimes(into.name(logSuffix), modified, modified)
}

// nextBase is where the segment behind another begins; of the last, the end of
// the log.
func (l *Log) nextBase(s *segment) int64 {
	if i := l.floor(s.base); i+1 < len(l.segments) {
		return l.segments[i+1].base
	}
	return l.end
}

// cleanedSegment makes the files that a group is copied into. What an earlier
// attempt left is removed (UnifiedLog#createNewCleanedSegment).
func (l *Log) cleanedSegment(base int64) (*segment, error) {
	for _, suffix := range segmentSuffixes {
		name := FileName(base, suffix) + cleanedSuffix
		if err := l.remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	o := l.segmentOptions()
	o.ext = cleanedSuffix
	s, _, err := openSegment(o, base)
	if err != nil {
		return nil, err
	}
	return s, s.activate(&l.config)
}

// copySegment takes what the filter keeps of a segment over into another, in large
// writes.
func (c *Cleaner) copySegment(from, into *segment) error {
	c.reader.reset(from, 0)
	out, headers := c.out[:0], c.headers[:0]
	flush := func() error {
		err := into.append(nil, out, headers)
		out, headers = out[:0], headers[:0]
		return err
	}
	for {
		b, err := c.reader.batch()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		kept, err := c.filter.batch(b)
		if err != nil {
			return &DamageError{File: from.name(logSuffix), Position: c.reader.position(b), Err: err}
		}
		if kept == nil {
			continue
		}
		if len(out)+len(kept) > cleanerBufferBytes && len(out) > 0 {
			if err := flush(); err != nil {
				return err
			}
		}
		headers = append(headers, headerOf(kept, kept))
		out = append(out, kept...)
	}
	c.out, c.headers = out, headers
	if len(out) == 0 {
		return nil
	}
	return flush()
}

// replace puts a copy in the place of its sources. Each rename leaves files
// from which opening the log makes the same, whenever the broker dies:
// .cleaned is not complete and goes, .swap is and comes in.
// Source: LocalLog#replaceSegments.
func (l *Log) replace(into *segment, sources []*segment) error {
	if err := into.rename(swapSuffix); err != nil {
		return err
	}
	at := l.floor(sources[0].base)
	var gone []*segment
	for _, s := range sources {
		if s.base != into.base {
			gone = append(gone, s)
			continue
		}
		if err := l.deleteSegment(s, DeletedByCleaner); err != nil {
			return err
		}
	}
	if err := l.deleteSegments(gone, DeletedByCleaner); err != nil {
		return err
	}
	tail := l.segments[at+len(sources):]
	l.segments = append(append(l.segments[:at:at], into), tail...)
	if err := into.rename(""); err != nil {
		return err
	}
	return errors.Join(into.releaseIndexes(), l.fs.SyncDir(l.dir))
}
