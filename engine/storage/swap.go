package storage

import (
	"errors"
	"math"
	"os"
	"path"
	"strings"
)

// kraftSnapshotDeleted is the end of the name of a snapshot of the metadata log
// that waits to be unlinked; others look after it (LogLoader).
const kraftSnapshotDeleted = ".checkpoint" + deletedSuffix

// finishSwaps cleans up what a dying broker may have left: files that were to be
// unlinked, compaction output that is not complete, and complete output that
// was not yet swapped in (LogLoader#load, its first three passes).
func (l *Log) finishSwaps() error {
	swaps, err := l.removeTemporary()
	if err != nil {
		return err
	}
	from, to, err := l.swapRange(swaps)
	if err != nil {
		return err
	}
	return l.swapIn(from, to)
}

func (l *Log) remove(name string) error { return l.fs.Remove(path.Join(l.dir, name)) }

func (l *Log) removeAll(names []string) error {
	var err error
	for _, name := range names {
		err = errors.Join(err, l.remove(name))
	}
	return err
}

// removeTemporary removes what is of no use, and gives the complete output. A
// swap at or above output that is not complete is not complete either: segments
// are renamed from the last to the first
// (LogLoader#removeTempFilesAndCollectSwapFiles).
func (l *Log) removeTemporary() (swaps []string, err error) {
	names, err := l.folder.files()
	if err != nil {
		return nil, err
	}
	var all, gone, cleaned []string
	minCleaned := int64(math.MaxInt64)
	for _, name := range names {
		switch {
		case strings.HasSuffix(name, deletedSuffix) && !strings.HasSuffix(name, kraftSnapshotDeleted):
			if err := l.remove(name); err != nil {
				return nil, err
			}
		case strings.HasSuffix(name, cleanedSuffix):
			offset, err := offsetOf(l.dir, name)
			if err != nil {
				return nil, err
			}
			cleaned, minCleaned = append(cleaned, name), min(minCleaned, offset)
		case strings.HasSuffix(name, swapSuffix):
			all = append(all, name)
		}
	}
	for _, name := range all {
		offset, err := offsetOf(l.dir, name)
		if err != nil {
			return nil, err
		}
		if offset >= minCleaned {
			gone = append(gone, name)
		} else {
			swaps = append(swaps, name)
		}
	}
	return swaps, l.removeAll(append(gone, cleaned...))
}

// swapIn replaces the files that complete compaction output was made from, and
// takes the suffix off whatever still has it.
func (l *Log) swapIn(from, to int64) error {
	names, err := l.folder.files()
	if err != nil {
		return err
	}
	some := false
	for _, name := range names {
		if strings.HasSuffix(name, swapSuffix) {
			some = true
			continue
		}
		offset, err := leadingOffset(name)
		if err != nil || offset < from || offset >= to {
			continue
		}
		if err := l.remove(name); err != nil {
			return err
		}
	}
	if !some {
		return nil
	}
	for _, name := range names {
		old := path.Join(l.dir, name)
		if !strings.HasSuffix(name, swapSuffix) {
			continue
		}
		if err := l.unswap(old, strings.TrimSuffix(old, swapSuffix)); err != nil {
			return err
		}
	}
	return l.fs.SyncDir(l.dir)
}

// unswap renames a file. In the way may be a folder, or there may be no name left
// without the suffix: Kafka does not look whether it succeeded (File#renameTo).
func (l *Log) unswap(old, name string) error {
	if info, err := l.fs.Stat(name); err == nil && info.IsDir() {
		return nil
	}
	return l.fs.Rename(old, name)
}

// swapRange is the range of offsets that the output covers, from above to below
// when there is none.
func (l *Log) swapRange(swaps []string) (from, to int64, err error) {
	from, to = math.MaxInt64, math.MinInt64
	for _, name := range swaps {
		if !strings.HasSuffix(name, logSuffix+swapSuffix) {
			continue
		}
		base, err := offsetOf(l.dir, name)
		if err != nil {
			return 0, 0, err
		}
		next, err := l.swapEnd(base)
		if err != nil {
			return 0, 0, err
		}
		from, to = min(from, base), max(to, next)
	}
	return from, to, nil
}

// swapEnd is the offset after the last batch of complete output. The offset index
// is asked for it, and made if it is not there: it will be taken for one that is
// full of zeros (AbstractIndex#createAndAssignMmap).
func (l *Log) swapEnd(base int64) (int64, error) {
	o := l.segmentOptions()
	o.ext = swapSuffix
	s, indexed, err := openSegment(o, base)
	if err != nil {
		return 0, err
	}
	if !indexed {
		err = l.preallocate(s.name(indexSuffix))
	}
	next := base
	if err == nil {
		next, err = s.nextOffset()
	}
	return next, errors.Join(err, s.close())
}

func (l *Log) preallocate(name string) error {
	f, err := l.fs.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	size := l.config.maxIndexEntries(offsetEntrySize) * offsetEntrySize
	return errors.Join(f.Truncate(int64(size)), f.Close())
}
