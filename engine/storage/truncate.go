package storage

import (
	"fmt"
	"slices"

	"kafkalab/engine/trace"
)

// TruncateTo drops all records at or above an offset: what a follower does with
// records that its leader does not have. The cut is at the start of the batch
// that holds the offset, so the file may end before the log does
// (UnifiedLog#truncateTo).
func (l *Log) TruncateTo(offset int64) error {
	if err := l.checkErr(); err != nil {
		return err
	}
	if offset < 0 {
		return fmt.Errorf("storage: truncation of %s to offset %d: offsets are not negative", l.name, offset)
	}
	return l.truncateError(l.truncateTo(offset))
}

// truncateError breaks the log if the disk failed. Of damage it only tells: Kafka
// marks the partition of the fetcher as failed and goes on with the others
// (AbstractFetcherThread#truncatePartitionAfterLogTruncation).
func (l *Log) truncateError(err error) error {
	if err == nil || isDamage(err) {
		return err
	}
	return l.storageError("truncating", err)
}

func (l *Log) truncateTo(offset int64) error {
	if offset >= l.end {
		// Nothing to cut, but this replica may have begun an epoch, as leader,
		// in which it wrote nothing.
		return l.epochs.truncateFromEnd(l.end)
	}
	if l.segments[0].base > offset {
		return l.restartAt(offset, offset)
	}
	if offset < l.active().base {
		if err := l.abortCleaning(); err != nil {
			return err
		}
	}
	from := l.end
	l.limits = limitCache{}
	keep := l.floor(offset) + 1
	gone := slices.Clone(l.segments[keep:])
	l.segments = slices.Delete(l.segments, keep, len(l.segments))
	if err := l.deleteSegments(gone, DeletedByTruncate); err != nil {
		return err
	}
	if _, err := l.active().truncateTo(offset, l.now(), &l.config); err != nil {
		return err
	}
	if err := l.active().activate(&l.config); err != nil {
		return err
	}
	l.setEnd(offset)
	if err := l.epochs.truncateFromEnd(offset); err != nil {
		return err
	}
	l.start = min(l.start, offset)
	if err := l.rebuildProducers(l.producers, l.segments, l.start, offset, false); err != nil {
		return err
	}
	l.opened, l.stable = offset, limitCache{}
	// Kafka looks for the last stable offset anew only when the high watermark is
	// touched the next time; here it is right at once.
	l.UpdateHighWatermark(min(l.highWatermark, offset))
	l.tell(trace.LogTruncated{Partition: l.label, From: from, To: offset})
	return nil
}

// TruncateFullyAndStartAt drops everything; the log is empty and goes on at an
// offset. A follower does so when all that it has is older than its leader's
// log start.
func (l *Log) TruncateFullyAndStartAt(offset int64) error {
	return l.TruncateFullyWithStart(offset, offset)
}

// TruncateFullyWithStart is TruncateFullyAndStartAt with a log start offset of
// its own: when the leader's log starts inside a batch, the follower must hold
// the whole batch (UnifiedLog#truncateFullyAndStartAt).
func (l *Log) TruncateFullyWithStart(offset, logStart int64) error {
	if err := l.checkErr(); err != nil {
		return err
	}
	if offset < 0 || logStart < offset {
		return fmt.Errorf("storage: restart of %s at offset %d, log start %d: want 0 <= offset <= log start", l.name, offset, logStart)
	}
	return l.truncateError(l.restartAt(offset, logStart))
}

func (l *Log) restartAt(offset, logStart int64) error {
	if err := l.abortCleaning(); err != nil {
		return err
	}
	from := l.end
	l.limits = limitCache{}
	for _, s := range l.segments {
		if err := l.deleteSegment(s, DeletedByTruncate); err != nil {
			return err
		}
	}
	if err := l.putSegment(nil, offset); err != nil {
		return err
	}
	if err := l.producers.restart(offset); err != nil {
		return err
	}
	if err := l.epochs.clear(); err != nil {
		return err
	}
	l.start, l.end = logStart, offset
	l.highWatermark, l.firstUnstable = logStart, NoOffset // beyond the end until the batch that holds it comes
	l.recoveryPoint = min(l.recoveryPoint, offset)
	if err := l.rebuildProducers(l.producers, l.segments, logStart, offset, false); err != nil {
		return err
	}
	l.tell(trace.LogTruncated{Partition: l.label, From: from, To: offset})
	return nil
}
