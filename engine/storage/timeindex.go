package storage

import (
	"encoding/binary"
	"slices"

	"kafkalab/engine/disk"
	"kafkalab/engine/record"
)

const timeEntrySize = 12

// TimeIndexEntry is an entry of a time index: the largest timestamp (ms) of the
// segment up to and including an offset, which is relative to the segment's
// base (TimeIndex).
type TimeIndexEntry struct {
	Timestamp int64
	Relative  int32
}

// ParseTimeIndex reads the entries of a .timeindex file. They end where one
// does not lie beyond the one before it, which is where the zeros of a
// preallocated file begin; used is the number of bytes that are entries.
func ParseTimeIndex(data []byte) (entries []TimeIndexEntry, used int64) {
	entries = make([]TimeIndexEntry, 0, len(data)/timeEntrySize)
	last := TimeIndexEntry{Timestamp: record.NoTimestamp}
	for whole := len(data); len(data) >= timeEntrySize; data = data[timeEntrySize:] {
		e := TimeIndexEntry{
			Timestamp: int64(binary.BigEndian.Uint64(data)),
			Relative:  int32(binary.BigEndian.Uint32(data[8:])),
		}
		if e.Timestamp <= last.Timestamp || e.Relative < last.Relative {
			break
		}
		// A first entry of zeros may be real, but not with a preallocated tail.
		if len(entries) == 0 && e == (TimeIndexEntry{}) && whole > timeEntrySize && allZero(data) {
			break
		}
		entries = append(entries, e)
		last = e
	}
	return entries, int64(len(entries) * timeEntrySize)
}

func allZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// AppendTimeEntry writes an entry as it stands in the file.
func AppendTimeEntry(dst []byte, e TimeIndexEntry) []byte {
	dst = binary.BigEndian.AppendUint64(dst, uint64(e.Timestamp))
	return binary.BigEndian.AppendUint32(dst, uint32(e.Relative))
}

// timeIndex maps timestamps to offsets, sparsely.
type timeIndex struct {
	indexFile
	entries    []TimeIndexEntry
	maxEntries int
}

// loadTimeIndex reads the file of an index, which may be missing.
func loadTimeIndex(d disk.FS, path string, maxEntries int) (x timeIndex, exists bool, err error) {
	x = timeIndex{indexFile: indexFile{fs: d, path: path}, maxEntries: maxEntries}
	data, exists, err := x.load()
	x.entries, x.size = ParseTimeIndex(data)
	x.dirty = x.size < int64(len(data))
	return x, exists, err
}

// full tells whether the segment must be rolled; the last slot is kept for the
// entry that is made then.
func (x *timeIndex) full() bool { return len(x.entries) >= x.maxEntries-1 }

// last is the last entry; of an empty index no timestamp, at the base.
func (x *timeIndex) last() TimeIndexEntry {
	if len(x.entries) == 0 {
		return TimeIndexEntry{Timestamp: record.NoTimestamp}
	}
	return x.entries[len(x.entries)-1]
}

// maybeAppend adds an entry if its timestamp is larger than the last one's. One
// with a larger timestamp for a smaller offset contradicts it
// (TimeIndex#maybeAppend).
func (x *timeIndex) maybeAppend(e TimeIndexEntry) error {
	last := x.last()
	if e.Timestamp <= last.Timestamp {
		return nil
	}
	if e.Relative < last.Relative {
		return &offsetOrderError{x.path, last.Relative, e.Relative}
	}
	if err := x.indexFile.append(AppendTimeEntry(x.entry[:0], e)); err != nil {
		return err
	}
	x.entries = append(x.entries, e)
	return nil
}

// truncateTo drops the entries at or above a relative offset.
func (x *timeIndex) truncateTo(relative int64) error {
	n, _ := slices.BinarySearchFunc(x.entries, relative, func(e TimeIndexEntry, r int64) int {
		return compareInt64(int64(e.Relative), r)
	})
	x.entries = x.entries[:n]
	return x.truncate(int64(n * timeEntrySize))
}
