package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"kafkalab/engine/disk"
	"kafkalab/engine/trace"
)

// Open opens the log in a partition's folder, which is made if it is not there.
// After an unclean shutdown the segments from the recovery point on are
// recovered: read, checked, cut at the first damage, and indexed anew.
//
// An error is a FatalError where Kafka's start dies of what is in the folder, a
// TextError for a text file that cannot be read, or one of the disk, which takes
// the log directory offline.
// Source: UnifiedLog#create, LogLoader#load.
func Open(o Options) (*Log, error) {
	if o.ProducerIDExpirationMs == 0 {
		o.ProducerIDExpirationMs = defaultProducerExpirationMs
	}
	l := newLog(o)
	_, missing := o.FS.Stat(l.dir)
	if err := l.prepare(o.TopicID); err != nil {
		return nil, l.openError(err)
	}
	if err := l.load(o); err != nil {
		return nil, errors.Join(l.openError(err), l.Abandon())
	}
	l.lastFlushMs = l.now()
	l.tell(trace.LogOpened{
		Partition: l.label, Start: l.start, End: l.end, Segments: len(l.segments), Clean: o.CleanShutdown, New: missing != nil,
	})
	return l, nil
}

// prepare makes the folder and its fixed files.
func (l *Log) prepare(id [16]byte) error {
	if err := l.fs.MkdirAll(l.dir, 0o755); err != nil {
		return err
	}
	if err := l.openMetadata(id); err != nil {
		return err
	}
	var err error
	l.epochs, err = openEpochs(l.fs, path.Join(l.dir, leaderEpochFile))
	return err
}

// openMetadata reads the topic's id from the folder, or writes it there, before
// any record is.
func (l *Log) openMetadata(id [16]byte) error {
	file := path.Join(l.dir, partitionMetadataFile)
	data, err := disk.ReadFile(l.fs, file)
	if errors.Is(err, fs.ErrNotExist) {
		if id == [16]byte{} {
			return nil
		}
		return disk.WriteFileAtomic(l.fs, file, FormatPartitionMetadata(id))
	}
	if err != nil {
		return err
	}
	have, err := ParsePartitionMetadata(data)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if id != [16]byte{} && id != have {
		return fmt.Errorf("%s: topic id is %s, expected %s", file, FormatUUID(have), FormatUUID(id))
	}
	l.topicID = have
	return nil
}

// load brings the log to the state that its files tell.
func (l *Log) load(o Options) (err error) {
	// Kafka asks for the names of the snapshots before it touches anything.
	if l.producers, err = l.openProducers(o); err != nil {
		return err
	}
	if err := l.finishSwaps(); err != nil {
		return err
	}
	if err := l.retryOnOverflow(func() error { return l.loadSegments(o) }); err != nil {
		return err
	}
	var recoveryPoint, end int64
	err = l.retryOnOverflow(func() (err error) {
		recoveryPoint, end, err = l.recover(o)
		return err
	})
	if err != nil {
		return err
	}
	for _, s := range l.segments[:len(l.segments)-1] {
		if err := s.releaseIndexes(); err != nil {
			return err
		}
	}
	if err := l.active().activate(&l.config); err != nil {
		return err
	}
	l.start = max(o.LogStartOffset, l.segments[0].base)
	l.end, l.recoveryPoint = end, max(recoveryPoint, l.start)
	l.highWatermark = l.start
	if err := l.epochs.truncateFromEnd(end); err != nil {
		return err
	}
	if err := l.epochs.truncateFromStart(o.LogStartOffset); err != nil {
		return err
	}
	// Recovery may have removed and made snapshots: look again.
	if l.producers, err = l.openProducers(o); err != nil {
		return err
	}
	if err := l.producers.removeStray(l.bases()); err != nil {
		return err
	}
	if err := l.rebuildProducers(l.producers, l.segments, l.start, end, o.CleanShutdown); err != nil {
		return err
	}
	l.opened = end
	if err := l.checkFirstUnstable(); err != nil {
		return err
	}
	l.refreshFirstUnstable()
	return nil
}

func (l *Log) openProducers(o Options) (*producers, error) {
	return openProducers(&l.folder, l.name, o.ProducerIDExpirationMs)
}

func (l *Log) bases() []int64 {
	bases := make([]int64, len(l.segments))
	for i, s := range l.segments {
		bases[i] = s.base
	}
	return bases
}

// loadSegments opens the segments in the order of their names. One whose indexes
// cannot be used is recovered (LogLoader#loadSegmentFiles).
func (l *Log) loadSegments(o Options) error {
	for _, s := range l.segments { // of a try before
		if err := s.close(); err != nil {
			return err
		}
	}
	l.segments = nil
	names, err := l.folder.files()
	if err != nil {
		return err
	}
	logs := map[int64]bool{}
	for _, name := range names {
		if base, err := leadingOffset(name); err == nil && name == paddedName(base, logSuffix) {
			logs[base] = true
		}
	}
	for _, name := range names {
		switch path.Ext(name) {
		case indexSuffix, timeIndexSuffix, txnIndexSuffix:
			err = l.removeOrphan(name, logs)
		case logSuffix:
			var base int64
			if base, err = offsetOf(l.dir, name); err == nil {
				err = l.loadSegment(o, base)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// removeOrphan removes an index without a log.
func (l *Log) removeOrphan(name string, logs map[int64]bool) error {
	base, err := offsetOf(l.dir, name)
	if err != nil || logs[base] || l.folder.others[paddedName(base, logSuffix)] {
		return err
	}
	return l.remove(name)
}

// loadSegment opens a segment. Its offset index must be there, and no entry of its
// transaction index may end before its base; whether the other indexes are good
// Kafka does not ask: above the recovery point they are rebuilt anyway
// (LogSegment#sanityCheck).
func (l *Log) loadSegment(o Options, base int64) error {
	s, indexed, err := openSegment(l.segmentOptions(), base)
	if err != nil {
		return err
	}
	problem := errNoIndex
	if indexed {
		if problem, err = s.aborted.check(); err == nil {
			err = s.times.make()
		}
		if err != nil {
			return errors.Join(err, s.close())
		}
	}
	if problem != nil {
		if _, err := l.recoverSegment(o, s); err != nil {
			if _, ok := errors.AsType[*overflowError](err); ok {
				return err // who splits the segment reads it
			}
			return errors.Join(err, s.close())
		}
	}
	l.insertSegment(s)
	return nil
}

var errNoIndex = errors.New("the offset index is missing")

// recover checks what may not have reached the disk, and makes sure that there
// is an active segment. It gives the recovery point and the log's end.
func (l *Log) recover(o Options) (recoveryPoint, end int64, err error) {
	if !o.CleanShutdown {
		if err := l.recoverFrom(o); err != nil {
			return 0, 0, err
		}
	}
	if len(l.segments) > 0 {
		end, err = l.active().nextOffset()
		if err != nil {
			return 0, 0, err
		}
		if end >= o.LogStartOffset {
			if o.CleanShutdown {
				return end, end, nil
			}
			return min(o.RecoveryPoint, end), end, nil
		}
		// All that is left is below the log's start.
		if err := l.dropAll(); err != nil {
			return 0, 0, err
		}
	}
	if err := l.addSegment(o.LogStartOffset); err != nil {
		return 0, 0, err
	}
	return min(o.RecoveryPoint, o.LogStartOffset), o.LogStartOffset, nil
}

// recoverFrom recovers the segments from the recovery point on. The first one
// that loses bytes ends the log: what comes after a hole is of no use.
func (l *Log) recoverFrom(o Options) error {
	for i := max(l.floor(o.RecoveryPoint), 0); i < len(l.segments); i++ {
		s := l.segments[i]
		lost, err := l.recoverOrEmpty(o, s)
		if err != nil {
			return err
		}
		if lost == 0 {
			continue
		}
		// Kafka logs up to which offset the segment was cut, and if that cannot be
		// read it dies before anything is deleted.
		if _, err := s.nextOffset(); err != nil {
			return err
		}
		gone := slices.Clone(l.segments[i+1:])
		l.segments = slices.Delete(l.segments, i+1, len(l.segments))
		return l.deleteSegments(gone, DeletedByRecovery)
	}
	return nil
}

// dropAll empties a log that ends before it starts. Its snapshots go at once: the
// list of segments by which Kafka marks them for deletion is a view, empty by then
// (LogLoader#removeAndDeleteSegmentsAsync).
func (l *Log) dropAll() error {
	gone := l.segments
	l.segments = nil
	for _, s := range gone {
		if err := l.deleteSegment(s, DeletedByRecovery); err != nil {
			return err
		}
	}
	return errors.Join(l.producers.removeSnapshots(func(int64) bool { return true }), l.epochs.clear())
}
