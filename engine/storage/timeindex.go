package storage

import (
	"encoding/binary"
	"math"

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

// ParseTimeIndex reads the entries of a .timeindex file, as ParseOffsetIndex does
// those of an .index file.
func ParseTimeIndex(data []byte) (entries []TimeIndexEntry, used int64) {
	entries = make([]TimeIndexEntry, 0, len(data)/timeEntrySize)
	for ; len(data) >= timeEntrySize; data = data[timeEntrySize:] {
		entries = append(entries, TimeIndexEntry{
			Timestamp: int64(binary.BigEndian.Uint64(data)),
			Relative:  int32(binary.BigEndian.Uint32(data[8:])),
		})
	}
	return entries, int64(len(entries) * timeEntrySize)
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
// for a smaller offset or with a smaller timestamp than the last contradicts it.
// The slot that is kept may be used when the segment is closed
// (TimeIndex#maybeAppend).
func (x *timeIndex) maybeAppend(timestamp, relative int64, closing bool) error {
	last := x.last()
	switch some := len(x.entries) > 0; {
	case !closing && x.full():
		return damaged(x.path, -1, throw(illegalArgument, "Attempt to append to a full time index (size = %d).", len(x.entries)))
	case some && relative < int64(last.Relative):
		return damaged(x.path, -1, throw(invalidOffset, "entry for relative offset %d after %d: offsets must grow", relative, last.Relative))
	case some && timestamp < last.Timestamp:
		return damaged(x.path, -1, throw(illegalState, "entry for timestamp %d after %d: timestamps must grow", timestamp, last.Timestamp))
	case timestamp <= last.Timestamp:
		return nil
	case relative < 0 || relative > math.MaxInt32:
		return damaged(x.path, -1, relativeOverflow(relative))
	}
	e := TimeIndexEntry{Timestamp: timestamp, Relative: int32(relative)}
	if err := x.indexFile.append(AppendTimeEntry(x.entry[:0], e)); err != nil {
		return err
	}
	x.entries = append(x.entries, e)
	return nil
}

// truncateTo drops the entries at or above a relative offset.
func (x *timeIndex) truncateTo(relative int64) error {
	n := floorSlot(len(x.entries), timeEntrySize, func(i int) int {
		return compareInt64(int64(x.entries[i].Relative), relative)
	})
	if n < 0 || int64(x.entries[n].Relative) != relative {
		n++
	}
	x.entries = x.entries[:n]
	return x.truncate(int64(n * timeEntrySize))
}

// reset drops all entries.
func (x *timeIndex) reset() error {
	x.entries = x.entries[:0]
	return x.truncate(0)
}

// resize lets the index grow to so many entries from now on.
func (x *timeIndex) resize(maxEntries int) error {
	x.maxEntries = maxEntries
	return x.indexFile.resize(maxEntries * timeEntrySize)
}
