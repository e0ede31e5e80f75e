package storage

import (
	"encoding/binary"
	"fmt"
	"slices"

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

// ParseOffsetIndex reads the entries of an .index file. They end where one does
// not lie beyond the one before it, which is where the zeros of a preallocated
// file begin; used is the number of bytes that are entries.
func ParseOffsetIndex(data []byte) (entries []IndexEntry, used int64) {
	entries = make([]IndexEntry, 0, len(data)/offsetEntrySize)
	last := IndexEntry{}
	for ; len(data) >= offsetEntrySize; data = data[offsetEntrySize:] {
		e := IndexEntry{
			Relative: int32(binary.BigEndian.Uint32(data)),
			Position: int32(binary.BigEndian.Uint32(data[4:])),
		}
		// The first batch of a segment is never indexed, so no entry is (0, 0).
		if e.Position <= last.Position || e.Relative < last.Relative || e.Relative == last.Relative && len(entries) > 0 {
			break
		}
		entries = append(entries, e)
		last = e
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

// append adds an entry. Offsets must grow strictly.
func (x *offsetIndex) append(e IndexEntry) error {
	if n := len(x.entries); n > 0 && e.Relative <= x.entries[n-1].Relative {
		return &offsetOrderError{x.path, x.entries[n-1].Relative, e.Relative}
	}
	if err := x.indexFile.append(AppendOffsetEntry(x.entry[:0], e)); err != nil {
		return err
	}
	x.entries = append(x.entries, e)
	return nil
}

// offsetOrderError is an entry whose offset contradicts the last one: offsets in
// the file do not grow. Recovery then drops the segment (InvalidOffsetException);
// while appending, the entry is left out.
type offsetOrderError struct {
	file       string
	last, next int32 // relative to the segment's base
}

func (e *offsetOrderError) Error() string {
	return fmt.Sprintf("%s: entry for relative offset %d after %d: offsets must grow", e.file, e.next, e.last)
}

// lookup finds the last entry at or below a relative offset; slot is -1 and
// the position 0 when there is none.
func (x *offsetIndex) lookup(relative int32) (slot int, e IndexEntry) {
	slot = floorSlot(len(x.entries), offsetEntrySize, func(i int) int {
		return compareInt64(int64(x.entries[i].Relative), int64(relative))
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
	n, _ := slices.BinarySearchFunc(x.entries, relative, func(e IndexEntry, r int64) int {
		return compareInt64(int64(e.Relative), r)
	})
	x.entries = x.entries[:n]
	return x.truncate(int64(n * offsetEntrySize))
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
