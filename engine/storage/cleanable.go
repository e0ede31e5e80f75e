package storage

import (
	"fmt"
	"math"

	"kafkalab/engine/record"
)

// Cleanable is what a log has for the cleaner (LogToClean). Sizes are in bytes
// of .log files.
type Cleanable struct {
	FirstDirty       int64   // first offset that no pass has looked at yet
	FirstUncleanable int64   // where a pass has to stop: base of a segment
	CleanBytes       int64   // of segments that begin before FirstDirty
	CleanableBytes   int64   // of the dirty ones that may be cleaned
	Must             bool    // max.compaction.lag.ms is over for some of them
	Reset            bool    // the checkpoint did not fit the log, FirstDirty is its start
	Limit            Refusal // why a pass stops where it does
}

// Refusal is why the cleaner does not take a log, or goes no further in it.
type Refusal string

// The refusals, by the names that scripts know them by.
const (
	RefusedPolicy   Refusal = "policy"           // cleanup.policy does not have compact
	RefusedActive   Refusal = "active"           // what is dirty is in the active segment, which is never cleaned
	RefusedRatio    Refusal = "ratio"            // not dirtier than min.cleanable.dirty.ratio
	RefusedLag      Refusal = "lag"              // min.compaction.lag.ms is not over
	RefusedUnstable Refusal = "open-transaction" // from the last stable offset on nothing is decided yet
	RefusedClean    Refusal = "nothing-dirty"
)

// Ratio is the dirty part of what may be cleaned and what is clean, 0 to 1.
func (c Cleanable) Ratio() float64 {
	if total := c.CleanBytes + c.CleanableBytes; total > 0 {
		return float64(c.CleanableBytes) / float64(total)
	}
	return 0
}

// Refused tells why the cleaner leaves a log alone, in a word and in a few; ""
// if it takes it (LogCleanerManager#grabFilthiestCompactedLog).
func (l *Log) Refused(c Cleanable) (Refusal, string) {
	limit := l.config.MinCleanableDirtyRatio
	switch {
	case !l.config.Compact:
		return RefusedPolicy, "cleanup.policy is " + l.config.Policy()
	case c.CleanableBytes == 0 && c.FirstDirty >= l.end:
		return RefusedClean, "nothing is dirty"
	case c.CleanableBytes == 0:
		return c.Limit, refusalText[c.Limit]
	case c.Must || c.Ratio() > limit:
		return "", ""
	case c.Ratio() == limit:
		return RefusedRatio, fmt.Sprintf("ratio %.2f not above %g", c.Ratio(), limit)
	}
	return RefusedRatio, fmt.Sprintf("ratio %.2f below %g", c.Ratio(), limit)
}

var refusalText = map[Refusal]string{
	RefusedActive:   "all that is dirty is in the active segment",
	RefusedUnstable: "an open transaction holds the last stable offset back",
	RefusedLag:      "min.compaction.lag.ms is not over",
}

// Policy is cleanup.policy as it is written; empty stands for no policy.
func (c *Config) Policy() string {
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
	if l.check() != nil {
		c.Limit = RefusedClean
		return c
	}
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
	c.Limit = RefusedActive
	if lso := l.LastStableOffset(); lso < limit {
		limit, c.Limit = lso, RefusedUnstable
	}
	if lag := l.config.MinCompactionLagMs; lag > 0 {
		for _, s := range l.dirty(c.FirstDirty) {
			if s.largestTimestamp() > l.now()-lag {
				if s.base < limit {
					limit, c.Limit = s.base, RefusedLag
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

// CleanDue is the first moment (ms) at which the cleaner would take the log if
// nothing else happens to it; false when that is not to be foreseen.
func (l *Log) CleanDue(checkpoint int64) (ms int64, ok bool) {
	if l.check() != nil || !l.config.Compact || len(l.segments) < 2 {
		return 0, false
	}
	c := l.Cleanable(checkpoint)
	if why, _ := l.Refused(c); why == "" {
		return l.now(), true
	}
	if lag := l.config.MaxCompactionLagMs; lag < math.MaxInt64 && c.CleanableBytes > 0 {
		for _, s := range l.dirty(c.FirstDirty) {
			if first := s.firstMs(); first > 0 && (!ok || first+lag+1 < ms) {
				ms, ok = max(first+lag+1, l.now()), true
			}
		}
	}
	if c.Limit == RefusedLag {
		if s := l.segmentAt(c.FirstUncleanable); s != nil {
			if over := max(s.largestTimestamp()+l.config.MinCompactionLagMs, l.now()); !ok || over < ms {
				ms, ok = over, true
			}
		}
	}
	return ms, ok
}
