package storage

import (
	"math"
)

// DeleteOldSegments is a retention check: it deletes segments below the log
// start offset and, where cleanup.policy has delete, those that retention.bytes
// and retention.ms let go, and returns their number. Each rule walks from the
// oldest segment and stops at the first that it does not meet, so that a young
// segment shields what is behind it. The active segment may go too; an empty
// one takes its place.
// Source: UnifiedLog#deleteOldSegments.
func (l *Log) DeleteOldSegments() (int, error) {
	if err := l.checkErr(); err != nil {
		return 0, err
	}
	if l.cleaning != nil {
		return 0, nil
	}
	deleted := 0
	for _, rule := range []struct {
		reason string
		count  func() int
	}{
		{DeletedByLogStart, l.belowStart}, {DeletedBySize, l.overSize}, {DeletedByTime, l.overTime},
	} {
		n := rule.count()
		before := len(l.segments)
		if err := l.deleteOldest(n, rule.reason); err != nil {
			return deleted, l.storageError("deleting segments of", err)
		}
		if n > 0 && n == before {
			before++ // one was rolled for those that went
		}
		deleted += before - len(l.segments)
	}
	return deleted, nil
}

// deletable counts the oldest segments for which gone holds. Whatever the rule,
// a segment stays while records of it are not replicated, and an empty last one
// is never counted. Source: UnifiedLog#deletableSegments.
func (l *Log) deletable(gone func(s *segment, next int64) bool) int {
	for i, s := range l.segments {
		next, last := l.end, i+1 == len(l.segments)
		if !last {
			next = l.segments[i+1].base
		}
		if l.highWatermark < next || last && s.size == 0 || !gone(s, next) {
			return i
		}
	}
	return len(l.segments)
}

func (l *Log) belowStart() int {
	last := l.active()
	return l.deletable(func(s *segment, next int64) bool { return s != last && next <= l.start })
}

func (l *Log) overSize() int {
	if !l.config.Delete || l.config.RetentionBytes < 0 {
		return 0
	}
	excess := l.Size() - l.config.RetentionBytes
	if excess < 0 {
		return 0
	}
	return l.deletable(func(s *segment, _ int64) bool {
		excess -= int64(s.size)
		return excess >= 0
	})
}

func (l *Log) overTime() int {
	if !l.config.Delete || l.config.RetentionMs < 0 {
		return 0
	}
	return l.deletable(func(s *segment, _ int64) bool { return l.now()-s.largestTimestamp() > l.config.RetentionMs })
}

// RetentionDue is the first moment (ms) at which a check would delete something
// if nothing else happens to the log; false when that is not to be foreseen.
func (l *Log) RetentionDue() (ms int64, ok bool) {
	if l.check() != nil {
		return 0, false
	}
	if l.belowStart() > 0 || l.overSize() > 0 {
		return l.now(), true
	}
	first := l.segments[0]
	keep := l.config.RetentionMs
	if !l.config.Delete || keep < 0 || l.deletable(func(s *segment, _ int64) bool { return s == first }) == 0 {
		return 0, false
	}
	largest := first.largestTimestamp()
	if largest > math.MaxInt64-keep-1 {
		return 0, false
	}
	return max(largest+keep+1, l.now()), true
}

// RetentionOf tells of a segment how long it has been out of date by
// retention.ms (negative: how long until then), in ms; false without a limit.
func (l *Log) RetentionOf(base int64) (overMs int64, ok bool) {
	s := l.segmentAt(base)
	if s == nil || !l.config.Delete || l.config.RetentionMs < 0 || l.closed {
		return 0, false
	}
	return l.now() - s.largestTimestamp() - l.config.RetentionMs, true
}
