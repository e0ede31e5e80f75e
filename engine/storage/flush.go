package storage

import (
	"errors"

	"kafkalab/engine/trace"
)

// Flush makes all records durable. Every segment from the recovery point on is
// synced, and the folder too if one of them is new (LocalLog#flush).
func (l *Log) Flush() error { return l.FlushTo(l.end) }

// FlushTo makes the records below an offset durable, and moves the recovery
// point there.
func (l *Log) FlushTo(offset int64) error {
	if err := l.checkErr(); err != nil {
		return err
	}
	if offset <= l.recoveryPoint {
		return nil
	}
	if err := l.flush(offset); err != nil {
		return l.storageError("flushing log for", err)
	}
	return nil
}

func (l *Log) flush(offset int64) error {
	from := max(l.floor(l.recoveryPoint), 0)
	fresh := false
	for _, s := range l.segments[from:] {
		if s.base >= offset && s.base > l.recoveryPoint {
			break
		}
		if err := s.flush(); err != nil {
			return err
		}
		fresh = fresh || s.base >= l.recoveryPoint
	}
	if fresh {
		if err := l.fs.SyncDir(l.dir); err != nil {
			return err
		}
	}
	l.tell(trace.LogFlushed{Partition: l.label, From: l.recoveryPoint, To: offset})
	l.recoveryPoint = offset
	if offset == l.end {
		l.lastFlushMs = l.now()
	}
	return nil
}

// Close ends the log's life cleanly: all is flushed, the producers' state is
// kept in a snapshot at the log's end, the indexes get their last entries and
// their final size. The recovery point is the log's end then, and the next
// start needs to scan nothing (LogManager#shutdown).
func (l *Log) Close() error {
	if l.closed {
		return nil
	}
	if l.broken != nil {
		return l.Abandon()
	}
	err := l.dropCleaning()
	if err == nil {
		err = l.active().deactivate()
	}
	if err == nil && l.end > l.recoveryPoint {
		err = l.flush(l.end)
	}
	if err == nil {
		err = l.active().flush() // the last index entry
	}
	if err == nil {
		err = l.producers.takeSnapshot(true)
	}
	if err != nil {
		l.broken = err
		return errors.Join(err, l.Abandon())
	}
	return l.Abandon()
}

// Abandon lets go of the files without writing anything: what the death of the
// process does.
func (l *Log) Abandon() error {
	l.closed = true
	err := l.dropCleaning()
	for _, s := range l.segments {
		err = errors.Join(err, s.close())
	}
	if l.broken != nil {
		return nil
	}
	return err
}
