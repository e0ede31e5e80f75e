package storage

import (
	"encoding/binary"
	"math"

	"kafkalab/engine/disk"
)

const offsetEntrySize = 8

// IndexEntry is an entry of an offset index: the last offset of a batch,
// relative to the segment's base, and the position in the .log file at which
// that batch begins (OffsetIndex).
type IndexEntry struct {
	Relative int32
	Position int32
}

// ParseOffsetIndex reads the entries of an .index file: all that it has room
// for, whatever they are. Kafka looks at no entry when it opens an index, so the
// zeros of a preallocated file are entries, and a damaged entry stays one until
// the segment is recovered. used is the number of bytes that are entries; less
// than one entry may be left (AbstractIndex#createMappedBuffer).
func ParseOffsetIndex(data []byte) (entries []IndexEntry, used int64) {
	entries = make([]IndexEntry, 0, len(data)/offsetEntrySize)
	for ; len(data) >= offsetEntrySize; data = data[offsetEntrySize:] {
		entries = append(entries, IndexEntry{
			Relative: int32(binary.BigEndian.Uint32(data)),
			Position: int32(binary.BigEndian.Uint32(data[4:])),
		})
	}
	return entries, int64(len(entries) * offsetEntrySize)
}

// AppendOffsetEntry writes an entry as it stands in the file.
func AppendOffsetEntry(dst []byte, e IndexEntry) []byte {
	dst = binary.BigEndian.AppendUint32(dst, uint32(e.Relative))
	return binary.BigEndian.AppendUint32(dst, uint32(e.Position))
}

// offsetIndex maps offsets to positions, sparsely.
type offsetIndex struct {
	indexFile
	entries    []IndexEntry
	maxEntries int
}

// loadOffsetIndex reads the file of an index, which may be missing.
func loadOffsetIndex(d disk.FS, path string, maxEntries int) (x offsetIndex, exists bool, err error) {
	x = offsetIndex{indexFile: indexFile{fs: d, path: path}, maxEntries: maxEntries}
	data, exists, err := x.load()
	x.entries, x.size = ParseOffsetIndex(data)
	x.dirty = x.size < int64(len(data))
	return x, exists, err
}

func (x *offsetIndex) full() bool { return len(x.entries) >= x.maxEntries }

// lastRelative is the offset of the last entry, relative to the segment's base;
// 0 of an empty index.
func (x *offsetIndex) lastRelative() int64 {
	if n := len(x.entries); n > 0 {
		return int64(x.entries[n-1].Relative)
	}
	return 0
}

// append adds an entry of a relative offset. Offsets must grow strictly, the
// index must not be full, and the offset must be one that an entry can hold
// (OffsetIndex#append).
func (x *offsetIndex) append(relative int64, position int32) error {
	switch {
	case x.full():
		return damaged(x.path, -1, throw(illegalArgument, "Attempt to append to a full index (size = %d).", len(x.entries)))
	case len(x.entries) > 0 && relative <= x.lastRelative():
		return damaged(x.path, -1, throw(invalidOffset, "entry for relative offset %d after %d: offsets must grow", relative, x.lastRelative()))
	case relative < 0 || relative > math.MaxInt32:
		return damaged(x.path, -1, relativeOverflow(relative))
	}
	e := IndexEntry{Relative: int32(relative), Position: position}
	if err := x.indexFile.append(AppendOffsetEntry(x.entry[:0], e)); err != nil {
		return err
	}
	x.entries = append(x.entries, e)
	return nil
}

func relativeOverflow(relative int64) error {
	return throw("IndexOffsetOverflowException", "relative offset %d: an entry holds 0 to 2147483647", relative)
}

// lookup finds the last entry at or below a relative offset; slot is -1 and
// the position 0 when there is none.
func (x *offsetIndex) lookup(relative int64) (slot int, e IndexEntry) {
	slot = floorSlot(len(x.entries), offsetEntrySize, func(i int) int {
		return compareInt64(int64(x.entries[i].Relative), relative)
	})
	if slot < 0 {
		return slot, IndexEntry{}
	}
	return slot, x.entries[slot]
}

// firstAt finds the first entry whose position is at or past a position.
func (x *offsetIndex) firstAt(position int64) (IndexEntry, bool) {
	slot := ceilingSlot(len(x.entries), offsetEntrySize, func(i int) int {
		return compareInt64(int64(x.entries[i].Position), position)
	})
	if slot < 0 {
		return IndexEntry{}, false
	}
	return x.entries[slot], true
}

// truncateTo drops the entries at or above a relative offset.
func (x *offsetIndex) truncateTo(relative int64) error {
	n, e := x.lookup(relative)
	if n < 0 || int64(e.Relative) != relative {
		n++
	}
	x.entries = x.entries[:n]
	return x.truncate(int64(n * offsetEntrySize))
}

// reset drops all entries.
func (x *offsetIndex) reset() error {
	x.entries = x.entries[:0]
	return x.truncate(0)
}

// resize lets the index grow to so many entries from now on.
func (x *offsetIndex) resize(maxEntries int) error {
	x.maxEntries = maxEntries
	return x.indexFile.resize(maxEntries * offsetEntrySize)
}

func compareInt64(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
