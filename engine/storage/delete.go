package storage

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"kafkalab/engine/disk"
	"kafkalab/engine/trace"
)

// PendingFile is a file that was renamed to .deleted and waits to be unlinked:
// readers that had it open may finish (file.delete.delay.ms).
type PendingFile struct {
	Path string
	Due  int64 // ms
}

// Pending lists the files that wait to be unlinked, earliest first.
func (l *Log) Pending() []PendingFile { return slices.Clone(l.pending) }

// NextDue tells when DeleteExpired will have something to do.
func (l *Log) NextDue() (ms int64, ok bool) {
	if len(l.pending) == 0 {
		return 0, false
	}
	return l.pending[0].Due, true
}

// DeleteExpired unlinks the files whose time has come.
func (l *Log) DeleteExpired() error {
	var names []string
	for len(l.pending) > 0 && l.pending[0].Due <= l.now() {
		file := l.pending[0].Path
		if err := l.fs.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		l.pending = l.pending[1:]
		names = append(names, path.Base(file))
	}
	if len(names) > 0 {
		l.tell(trace.FilesRemoved{Partition: l.label, Files: names})
	}
	return nil
}

// deleteLater renames a file to .deleted, if it is there, and notes when it is
// to be unlinked.
func (l *Log) deleteLater(file string) error {
	gone := file + deletedSuffix
	if err := l.fs.Rename(file, gone); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	l.pending = slices.DeleteFunc(l.pending, func(p PendingFile) bool { return p.Path == gone })
	l.pending = append(l.pending, PendingFile{gone, l.now() + l.config.FileDeleteDelayMs})
	slices.SortStableFunc(l.pending, func(a, b PendingFile) int { return cmp.Compare(a.Due, b.Due) })
	return nil
}

// deleteSegment closes a segment and marks its files for deletion. It is out of
// the list already, or will be before anyone reads.
func (l *Log) deleteSegment(s *segment, reason string) error {
	if err := s.close(); err != nil {
		return err
	}
	for _, suffix := range segmentSuffixes {
		if err := l.deleteLater(s.name(suffix)); err != nil {
			return err
		}
	}
	l.tell(trace.SegmentDeleted{Partition: l.label, Base: s.base, Bytes: int64(s.size), Reason: reason})
	return nil
}

// deleteSegments marks segments for deletion, with the snapshots at their bases.
func (l *Log) deleteSegments(list []*segment, reason string) error {
	for _, s := range list {
		if err := l.deleteSegment(s, reason); err != nil {
			return err
		}
		if l.producers.forgetSnapshot(s.base) {
			if err := l.deleteLater(l.producers.snapshotFile(s.base)); err != nil {
				return err
			}
		}
	}
	return nil
}

// The reasons for which segments are deleted.
const (
	DeletedByLogStart = "log start offset" // all below the log start offset
	DeletedBySize     = "retention.bytes"
	DeletedByTime     = "retention.ms"
	DeletedByTruncate = "truncation"
	DeletedByRecovery = "recovery"
	DeletedByCleaner  = "compaction"
	DeletedBySplit    = "split"
	DeletedByRoll     = "roll" // an empty active segment, replaced by another one
)

// deleteOldest deletes the first n segments. One always remains: if all are to
// go, a new one is rolled first. The log start moves before files are touched
// (UnifiedLog#deleteSegments).
func (l *Log) deleteOldest(n int, reason string) error {
	if n == 0 {
		return nil
	}
	if n == len(l.segments) {
		if l.active().base == l.end { // empty: it is its own successor
			n--
		} else if err := l.roll(0, RollDeletion); err != nil {
			return err
		}
	}
	if n == 0 {
		return nil
	}
	gone := slices.Clone(l.segments[:n])
	if err := l.moveStart(l.segments[n].base); err != nil {
		return err
	}
	l.segments = slices.Delete(l.segments, 0, n)
	return l.deleteSegments(gone, reason)
}

// IncrementLogStartOffset moves the start of the log, after DeleteRecords or
// because the leader's has moved, and tells whether it did. It never moves
// back, nor beyond the high watermark. Files go later, at the next retention
// check: see DeleteOldSegments.
// Source: UnifiedLog#maybeIncrementLogStartOffset.
func (l *Log) IncrementLogStartOffset(offset int64) bool {
	if l.check() != nil || offset > l.highWatermark || offset <= l.start {
		return false
	}
	if err := l.moveStart(offset); err != nil {
		l.storageError("moving the log start of", err)
		return false
	}
	return true
}

// moveStart moves the log's start forward.
func (l *Log) moveStart(offset int64) error {
	if offset <= l.start {
		return nil
	}
	from := l.start
	l.setStart(offset)
	if err := l.epochs.truncateFromStart(offset); err != nil {
		return err
	}
	l.producers.logStartMoved(offset)
	l.refreshFirstUnstable()
	l.tell(trace.LogStartMoved{Partition: l.label, From: from, To: offset})
	return nil
}

// MarkDeleted closes the log of a deleted partition and renames its folder, so
// that a new one of the same name can be made at once. id, 32 hex digits in
// Kafka, makes the name unique. The folder, whose new name it returns, is to be
// removed after file.delete.delay.ms (UnifiedLog#renameDir,
// LogManager#asyncDelete).
func (l *Log) MarkDeleted(id string) (dir string, err error) {
	if err := l.abortCleaning(); err != nil {
		return "", err
	}
	if err := l.Abandon(); err != nil {
		return "", err
	}
	dir = path.Join(path.Dir(l.dir), DeleteDirName(path.Base(l.dir), id))
	if err := l.fs.Rename(l.dir, dir); err != nil {
		return "", err
	}
	l.dir, l.pending = dir, nil
	return dir, l.fs.SyncDir(path.Dir("/" + dir))
}

// RemoveFolder removes the folder of a deleted partition with all its files.
// It refuses a folder that does not have the name of one.
func RemoveFolder(d disk.FS, dir string) error {
	if _, _, deleted, ok := ParseDirName(path.Base(dir)); !ok || !deleted {
		return &fs.PathError{Op: "remove", Path: dir, Err: errors.New("not the folder of a deleted partition")}
	}
	return d.RemoveAll(strings.TrimPrefix(dir, "/"))
}
