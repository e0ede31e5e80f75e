package storage

// Cleaner makes the passes of compaction, one log at a time. It keeps the
// offset map's memory between them (org.apache.kafka.storage.internals.log.Cleaner).
type Cleaner struct {
	Map    *OffsetMap
	Watch  func(CleanVerdict)             // told of each record that a pass looks at, if set
	Noted  func(key []byte, offset int64) // told of each entry that goes into the map, if set
	reader windowReader
	filter batchFilter

	aims    []aim  // of a batch's records
	notes   []note // the same records
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

// Clean makes a whole pass over a log, all phases of Begin at once.
func (c *Cleaner) Clean(l *Log, todo Cleanable) (CleanStats, error) {
	p, err := c.Begin(l, todo)
	for done := false; !done && err == nil; {
		done, err = p.Step()
	}
	if err != nil {
		return CleanStats{}, err
	}
	return p.stats, nil
}
