package storage

import (
	"fmt"
	"math"

	"kafkalab/engine/record"
)

// Cleanable is what a log has for the cleaner (LogToClean). Sizes are in bytes
// of .log files.
type Cleanable struct {
	FirstDirty       int64 // first offset that no pass has looked at yet
	FirstUncleanable int64 // where a pass has to stop: base of a segment
	CleanBytes       int64 // of segments that begin before FirstDirty
	CleanableBytes   int64 // of the dirty ones that may be cleaned
	Must             bool  // max.compaction.lag.ms is over for some of them
	Reset            bool  // the checkpoint did not fit the log, FirstDirty is its start
	Limit            string
}

// Why a pass stops where it does.
const (
	LimitActive   = "the active segment is never cleaned"
	LimitUnstable = "records from the last stable offset on may not be decided yet"
	LimitLag      = "min.compaction.lag.ms is not over"
)

// Ratio is the dirty part of what may be cleaned and what is clean, 0 to 1.
func (c Cleanable) Ratio() float64 {
	if total := c.CleanBytes + c.CleanableBytes; total > 0 {
		return float64(c.CleanableBytes) / float64(total)
	}
	return 0
}

// Refused tells why the cleaner leaves a log alone, "" if it takes it
// (LogCleanerManager#grabFilthiestCompactedLog).
func (l *Log) Refused(c Cleanable) string {
	switch {
	case !l.config.Compact:
		return "cleanup.policy is " + l.config.policy()
	case c.CleanableBytes == 0:
		return "nothing to clean: " + c.Limit
	case c.Must || c.Ratio() > l.config.MinCleanableDirtyRatio:
		return ""
	}
	return fmt.Sprintf("ratio %.2f not above %g", c.Ratio(), l.config.MinCleanableDirtyRatio)
}

func (c *Config) policy() string {
	switch {
	case c.Compact && c.Delete:
		return "compact,delete"
	case c.Compact:
		return "compact"
	case c.Delete:
		return "delete"
	}
	return "empty"
}

// Cleanable says what a pass would find now. checkpoint is the log's first dirty
// offset as the cleaner last wrote it; NoOffset if it never did. The last stable
// offset bounds it, so that no record of an open transaction is touched.
// Source: LogCleanerManager#cleanableOffsets, LogToClean.
func (l *Log) Cleanable(checkpoint int64) Cleanable {
	c := Cleanable{FirstDirty: checkpoint}
	if checkpoint == NoOffset || checkpoint < l.start || checkpoint > l.end {
		c.FirstDirty, c.Reset = l.start, checkpoint != NoOffset
	}
	limit := l.cleanLimit(&c)
	c.FirstUncleanable = l.baseAtOrBefore(limit)
	for i, s := range l.segments {
		if s.base < c.FirstDirty {
			c.CleanBytes += int64(s.size)
		}
		if i >= max(l.floor(c.FirstDirty), 0) && s.base < c.FirstUncleanable {
			c.CleanableBytes += int64(s.size)
		}
	}
	c.Must = l.overdue(c.FirstDirty)
	return c
}

// cleanLimit is the first offset that may not be cleaned.
func (l *Log) cleanLimit(c *Cleanable) int64 {
	limit := l.active().base
	c.Limit = LimitActive
	if lso := l.LastStableOffset(); lso < limit {
		limit, c.Limit = lso, LimitUnstable
	}
	if lag := l.config.MinCompactionLagMs; lag > 0 {
		for _, s := range l.dirty(c.FirstDirty) {
			if s.largestTimestamp() > l.now()-lag {
				if s.base < limit {
					limit, c.Limit = s.base, LimitLag
				}
				break
			}
		}
	}
	return max(limit, c.FirstDirty)
}

// dirty are the segments from the one that holds an offset on, without the
// active one (UnifiedLog#nonActiveLogSegmentsFrom).
func (l *Log) dirty(from int64) []*segment {
	i := max(l.floor(from), 0)
	return l.segments[min(i, len(l.segments)-1) : len(l.segments)-1]
}

// baseAtOrBefore is the base of the segment that holds an offset.
func (l *Log) baseAtOrBefore(offset int64) int64 {
	if i := l.floor(offset); i >= 0 && i < len(l.segments)-1 {
		return l.segments[i].base
	}
	return l.active().base
}

// overdue tells whether a dirty segment holds records that have waited longer
// than max.compaction.lag.ms (LogCleanerManager#maxCompactionDelay).
func (l *Log) overdue(firstDirty int64) bool {
	lag := l.config.MaxCompactionLagMs
	if lag == math.MaxInt64 {
		return false
	}
	for _, s := range l.dirty(firstDirty) {
		if first := s.firstMs(); first > 0 && first != record.NoTimestamp && first < l.now()-lag {
			return true
		}
	}
	return false
}
