package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"

	"kafkalab/engine/kerror"
	"kafkalab/engine/trace"
)

// The reasons for which a log rolls (LogSegment#shouldRoll). Kafka tests them in
// this order; the first that holds is told.
const (
	RollSize        = "size"              // the append would make the segment larger than segment.bytes
	RollTime        = "time"              // the append is segment.ms younger than the segment's first batch
	RollOffsetIndex = "offset index full" // segment.index.bytes
	RollTimeIndex   = "time index full"   // segment.index.bytes, the last slot being kept
	RollOffsetRange = "offset range"      // the offset is more than 2147483647 past the segment's base
	RollForced      = "forced"            // by Log.Roll
	RollDeletion    = "deletion"          // the active segment is to be deleted: one must remain
)

// rollParams is the append that comes (RollParams).
type rollParams struct {
	size         int32
	first, last  int64
	maxTimestamp int64
}

// shouldRoll tells why an append must not go into a segment, "" if it may. It is
// asked before each append and at no other time: an idle log never rolls.
func (l *Log) shouldRoll(s *segment, p rollParams) (string, error) {
	c := &l.config
	waited, err := l.waited(s, p)
	switch {
	case err != nil:
		return "", err
	case int64(s.size) > int64(c.SegmentBytes)-int64(p.size):
		return RollSize, nil
	case s.size > 0 && waited > c.maxSegmentMs()-s.jitterMs:
		return RollTime, nil
	case s.offsets.full():
		return RollOffsetIndex, nil
	case s.times.full():
		return RollTimeIndex, nil
	case p.last-s.base < 0 || p.last-s.base > math.MaxInt32:
		return RollOffsetRange, nil
	}
	return "", nil
}

// waited is the age of a segment as an append sees it, in ms: how much later
// its records are than those of the segment's first batch. Only if these have
// no timestamp does the clock count (LogSegment#timeWaitedForRoll).
func (l *Log) waited(s *segment, p rollParams) (int64, error) {
	first, err := s.readFirstMs()
	if err != nil || first >= 0 {
		return p.maxTimestamp - first, err
	}
	return l.now() - s.created, nil
}

// maybeRoll makes a new active segment if the append does not go into this one.
func (l *Log) maybeRoll(p rollParams) (bool, error) {
	reason, err := l.shouldRoll(l.active(), p)
	if reason == "" || err != nil {
		return false, err
	}
	return true, l.roll(p.first, reason)
}

// Roll closes the active segment and begins a new one at the log's end, even
// if the present one is empty but for its base.
func (l *Log) Roll() error {
	if err := l.checkErr(); err != nil {
		return err
	}
	if err := l.roll(0, RollForced); err != nil {
		return l.rollError(err)
	}
	return nil
}

// rollError tells a roll that may not be, and damage met on the way, from a disk
// that fails.
func (l *Log) rollError(err error) *kerror.Error {
	if exists, ok := errors.AsType[segmentExistsError](err); ok {
		return kerror.New(kerror.UnknownServerError, "%s", exists.Error())
	}
	if isDamage(err) {
		return l.readError(err)
	}
	return l.storageError("rolling log segment for", err)
}

// roll makes a segment at the next offset that may be written. Kafka flushes
// the old one on another thread; here it is done at once. Until it is, the
// records behind the roll depend on the other replicas alone.
// Source: LocalLog#roll, UnifiedLog#roll.
func (l *Log) roll(atLeast int64, reason string) error {
	old := l.active()
	base := max(atLeast, l.end)
	if base <= old.base {
		if err := l.replaceEmpty(old, base); err != nil {
			return err
		}
	} else {
		err := errors.Join(l.removeLeftovers(base), old.deactivate())
		if err != nil {
			return err
		}
		if err := l.addSegment(base); err != nil {
			return err
		}
	}
	// A snapshot at the base lets recovery begin with this segment.
	l.producers.mapEnd = base
	if err := l.producers.takeSnapshot(false); err != nil {
		return err
	}
	l.tell(trace.SegmentRolled{
		Partition: l.label, Base: base, Previous: old.base, Reason: reason, Bytes: int64(old.size),
	})
	if err := l.producers.syncSnapshot(base); err != nil {
		return err
	}
	if base > l.recoveryPoint {
		if err := l.flush(base); err != nil {
			return err
		}
	}
	return old.releaseIndexes()
}

// replaceEmpty replaces an empty active segment by one at a base that is not
// beyond it. It comes to this on demand; when segment.index.bytes has no room
// for a single entry; and when a follower rolled for records behind a gap that
// were then refused (Kafka cannot go on from there).
func (l *Log) replaceEmpty(old *segment, base int64) error {
	if old.size > 0 {
		return segmentExistsError{log: l.name, active: old.base, size: old.size, base: base}
	}
	if err := l.deleteSegment(old, DeletedByRoll); err != nil {
		return err
	}
	last := len(l.segments) - 1
	return l.putSegment(l.segments[:last:last], base)
}

// segmentExistsError is a roll to an offset at or below the base of an active
// segment that has records. It is no failure of the disk: the append is
// refused, the log stays as it is. Source: the KafkaException of LocalLog#roll.
type segmentExistsError struct {
	log    string
	active int64
	size   int32
	base   int64
}

// Error implements error.
func (e segmentExistsError) Error() string {
	return fmt.Sprintf("Trying to roll a new log segment for topic partition %s with start offset %d while the active segment begins at %d, with size %d.", e.log, e.base, e.active, e.size)
}

// addSegment opens a new active segment.
func (l *Log) addSegment(base int64) error { return l.putSegment(l.segments, base) }

// putSegment opens a new active segment behind others. Should that fail the log
// is broken, and its list of segments stays as it was: there is always one.
func (l *Log) putSegment(others []*segment, base int64) error {
	s, _, err := openSegment(l.segmentOptions(), base)
	if err != nil {
		return err
	}
	l.segments = append(others, s)
	return s.activate(&l.config)
}

// removeLeftovers unlinks files that have a new segment's name.
func (l *Log) removeLeftovers(base int64) error {
	for _, suffix := range segmentSuffixes {
		err := l.fs.Remove(path.Join(l.dir, FileName(base, suffix)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
