package storage

import (
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"kafkalab/engine/disk"
)

// finishSwaps cleans up what a dying broker may have left: files that were to be
// unlinked, compaction output that is not complete, and complete output that
// was not yet swapped in.
func (l *Log) finishSwaps() error {
	names, err := disk.Names(l.fs, l.dir)
	if err != nil {
		return err
	}
	var swaps, cleaned []string
	minCleaned := int64(math.MaxInt64)
	for _, name := range names {
		offset, _ := offsetOfName(name)
		switch path.Ext(name) {
		case deletedSuffix:
			err = errors.Join(err, l.remove(name))
		case cleanedSuffix:
			cleaned, minCleaned = append(cleaned, name), min(minCleaned, offset)
		case swapSuffix:
			swaps = append(swaps, name)
		}
	}
	// A swap at or above output that is not complete is not complete either.
	for _, name := range swaps {
		if offset, _ := offsetOfName(name); offset >= minCleaned {
			err = errors.Join(err, l.remove(name))
		}
	}
	swaps = slices.DeleteFunc(swaps, func(name string) bool {
		offset, _ := offsetOfName(name)
		return offset >= minCleaned
	})
	for _, name := range cleaned {
		err = errors.Join(err, l.remove(name))
	}
	if err != nil || len(swaps) == 0 {
		return err
	}
	return l.swapIn(swaps)
}

func (l *Log) remove(name string) error { return l.fs.Remove(path.Join(l.dir, name)) }

// swapIn replaces the files that complete compaction output was made from.
func (l *Log) swapIn(swaps []string) error {
	from, to, err := l.swapRange(swaps)
	if err != nil {
		return err
	}
	names, err := disk.Names(l.fs, l.dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		offset, ok := offsetOfName(name)
		if !ok || strings.HasSuffix(name, swapSuffix) || offset < from || offset >= to {
			continue
		}
		if err := l.remove(name); err != nil {
			return err
		}
	}
	for _, name := range swaps {
		old := path.Join(l.dir, name)
		if err := l.fs.Rename(old, strings.TrimSuffix(old, swapSuffix)); err != nil {
			return err
		}
	}
	return l.fs.SyncDir(l.dir)
}

// swapRange is the range of offsets that the output covers.
func (l *Log) swapRange(swaps []string) (from, to int64, err error) {
	from, to = math.MaxInt64, math.MinInt64
	for _, name := range swaps {
		if !strings.HasSuffix(name, logSuffix+swapSuffix) {
			continue
		}
		base, ok := offsetOfName(name)
		if !ok {
			return 0, 0, fmt.Errorf("%s: the name does not begin with an offset", name)
		}
		file, err := l.fs.Open(path.Join(l.dir, name))
		if err != nil {
			return 0, 0, err
		}
		info, err := file.Stat()
		if err != nil {
			return 0, 0, errors.Join(err, file.Close())
		}
		s := segment{base: base, file: file, size: int32(min(info.Size(), math.MaxInt32)), scan: &l.scan, dir: l.dir}
		next, err := s.nextOffset()
		if err = errors.Join(err, file.Close()); err != nil {
			return 0, 0, err
		}
		from, to = min(from, base), max(to, next)
	}
	return from, to, nil
}
