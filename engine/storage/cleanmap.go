package storage

import (
	"errors"
	"io"

	"kafkalab/engine/record"
)

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
	txns.add(l.AbortedBetween(todo.FirstDirty, l.start, todo.FirstUncleanable)) // the first dirty offset may lie in the middle of one
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
			_, err = txns.marker(b)
		case txns.data(b):
		default:
			full, err = c.mapBatch(b, from)
		}
		if err != nil {
			return false, &DamageError{File: s.name(logSuffix), Position: c.reader.position(b), Err: err}
		}
		if full {
			return true, nil
		}
		if b.LastOffset() >= from {
			c.Map.latest = max(c.Map.latest, b.LastOffset())
		}
	}
}

// note is a record that goes into the map.
type note struct {
	key    []byte
	offset int64
}

func (c *Cleaner) mapBatch(b record.Batch, from int64) (full bool, err error) {
	c.aims, c.notes = c.aims[:0], c.notes[:0]
	it := b.Iterator()
	for it.Next() {
		if key, offset := it.Key(); key != nil && offset >= from {
			c.aims, c.notes = append(c.aims, aim{}), append(c.notes, note{key, offset})
			c.Map.aim(key, &c.aims[len(c.aims)-1])
		}
	}
	c.Map.approach(c.aims)
	for i, n := range c.notes {
		if c.Map.full() {
			return true, nil
		}
		if err := c.Map.put(&c.aims[i], n.offset); err != nil {
			return false, err
		}
		if c.Noted != nil {
			c.Noted(n.key, n.offset)
		}
	}
	return false, it.Err()
}
