package storage

import (
	"errors"
	"io"
	"math"

	"kafkalab/engine/record"
	"kafkalab/engine/trace"
)

// Cleaner makes the passes of compaction, one log at a time. It keeps the
// offset map's memory between them (org.apache.kafka.storage.internals.log.Cleaner).
type Cleaner struct {
	Map    *OffsetMap
	Watch  func(CleanVerdict)             // told of each record that a pass looks at, if set
	Noted  func(key []byte, offset int64) // told of each entry that goes into the map, if set
	reader windowReader
	filter batchFilter

	out     []byte // copied and not written yet
	headers []batchHeader
}

// CleanVerdict is what a pass decides about a record.
type CleanVerdict struct {
	Offset int64
	Key    []byte // good during the call
	Kept   bool
	Why    string // one of the Why constants
}

// CleanStats is what a pass did. Sizes are in bytes of .log files.
type CleanStats struct {
	FirstDirty, EndOffset   int64 // EndOffset is the new first dirty offset
	Read, Kept              int64 // records
	BytesBefore, BytesAfter int64
	SegmentsBefore          int
	SegmentsAfter           int
	MapSize                 int  // keys
	MapFull                 bool // the pass ended early because of it
	Invalid                 int64
}

// Clean makes a pass over a log: it notes for each key of the dirty part the
// newest offset, then copies all segments before the end of what it has noted,
// leaving out what is out of date, and puts the copies in place of the sources.
// The caller writes EndOffset to the cleaner's checkpoint. An error that is not
// the log's own leaves the log as it was.
// Source: Cleaner#doClean.
func (c *Cleaner) Clean(l *Log, todo Cleanable) (CleanStats, error) {
	stats := CleanStats{FirstDirty: todo.FirstDirty, EndOffset: todo.FirstDirty}
	if err := l.checkErr(); err != nil {
		return stats, err
	}
	full, err := c.buildMap(l, todo)
	if err != nil {
		return stats, err
	}
	stats.MapSize, stats.MapFull, stats.EndOffset = c.Map.size, full, c.Map.latest+1
	sources := l.segments[:max(l.floor(stats.EndOffset-1)+1, 0)]
	c.filter = newBatchFilter(l, c)
	for _, group := range groupSegments(sources, l.config, todo.FirstUncleanable) {
		if err := c.cleanGroup(l, group, &stats); err != nil {
			return stats, err
		}
	}
	l.limits = limitCache{}
	stats.Read, stats.Kept, stats.Invalid = c.filter.read, c.filter.kept, c.filter.invalid
	l.tell(trace.LogCleaned{
		Partition: l.label, FirstDirty: stats.FirstDirty, End: stats.EndOffset, Read: stats.Read, Kept: stats.Kept,
		BytesBefore: stats.BytesBefore, BytesAfter: stats.BytesAfter, Keys: stats.MapSize, MapFull: full,
	})
	return stats, nil
}

// buildMap notes the newest offset of each key from the first dirty offset on.
// full tells that the map had no room for another key.
// Source: Cleaner#buildOffsetMap.
func (c *Cleaner) buildMap(l *Log, todo Cleanable) (full bool, err error) {
	segments := l.segments[max(l.floor(todo.FirstDirty), 0):]
	for len(segments) > 0 && segments[len(segments)-1].base >= todo.FirstUncleanable {
		segments = segments[:len(segments)-1]
	}
	c.Map.reset(todo.FirstUncleanable - todo.FirstDirty) // no more records than offsets
	c.Map.latest = todo.FirstDirty - 1
	txns := newCleanedTxns()
	txns.add(l.AbortedBetween(todo.FirstDirty, todo.FirstDirty, todo.FirstUncleanable))
	for i, s := range segments {
		if full, err = c.mapSegment(s, todo.FirstDirty, txns); full || err != nil {
			return full, err
		}
		next := todo.FirstUncleanable
		if i+1 < len(segments) {
			next = segments[i+1].base
		}
		c.Map.latest = max(c.Map.latest, next-1)
	}
	return false, nil
}

func (c *Cleaner) mapSegment(s *segment, from int64, txns *cleanedTxns) (full bool, err error) {
	_, e := s.lookup(from)
	c.reader.reset(s, int64(e.Position))
	for {
		b, err := c.reader.batch()
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		switch {
		case b.IsControl():
			if _, err := txns.marker(b); err != nil {
				return false, err
			}
		case txns.data(b):
		default:
			if full, err := c.mapBatch(b, from); full || err != nil {
				return full, err
			}
		}
		if b.LastOffset() >= from {
			c.Map.latest = max(c.Map.latest, b.LastOffset())
		}
	}
}

func (c *Cleaner) mapBatch(b record.Batch, from int64) (full bool, err error) {
	it := b.Iterator()
	for it.Next() {
		r := it.Record()
		if r.Key == nil || r.Offset < from {
			continue
		}
		if c.Map.full() {
			return true, nil
		}
		c.Map.put(r.Key, r.Offset)
		if c.Noted != nil {
			c.Noted(r.Key, r.Offset)
		}
	}
	return false, it.Err()
}

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
