package storage

import (
	"crypto/md5"
	"encoding/binary"
	"fmt"
	"math"
)

// OffsetMap says for each key of the dirty part of a log at which offset it
// was written last. Keys are kept as their MD5 sum, 16 bytes, and compared by
// it alone, so that an entry has 24 bytes however long the key is. Deletions do
// not exist, and when the map is full the pass ends there: the rest of the log
// waits for the next (SkimpyOffsetMap).
//
// Kafka allocates log.cleaner.dedupe.buffer.size at once. Here the table has as
// many slots as the records to come may need, and never more than Kafka's: which
// slot an entry lies in makes no difference to what is found.
type OffsetMap struct {
	slots  int // of Kafka's table
	usable int // entries that it takes before it counts as full
	table  []mapEntry
	size   int
	latest int64
	seen   int64 // of approach
}

// mapEntry is free while both halves are zero, as in Kafka.
type mapEntry struct {
	hash   [md5.Size]byte
	offset int64
}

const mapEntrySize = md5.Size + 8

func (e *mapEntry) free() bool { return e.hash == [md5.Size]byte{} && e.offset == 0 }

// NewOffsetMap makes a map for memory bytes (log.cleaner.dedupe.buffer.size /
// log.cleaner.threads) and a load factor (log.cleaner.io.buffer.load.factor).
func NewOffsetMap(memory int64, loadFactor float64) *OffsetMap {
	slots := int(min(memory, math.MaxInt32) / mapEntrySize)
	return &OffsetMap{slots: slots, usable: javaInt(float64(slots) * loadFactor), latest: -1}
}

// javaInt is Java's conversion of a double to an int: what is no number is 0,
// what is too large the largest there is.
func javaInt(f float64) int {
	switch {
	case f != f:
		return 0
	case f > math.MaxInt32:
		return math.MaxInt32
	case f < math.MinInt32:
		return math.MinInt32
	}
	return int(f)
}

// Slots is the number of entries that Kafka's table has room for, Usable how
// many of them a pass fills.
func (m *OffsetMap) Slots() int  { return m.slots }
func (m *OffsetMap) Usable() int { return m.usable }

// Size is the number of keys, Latest the last offset that was looked at, -1
// before the first.
func (m *OffsetMap) Size() int     { return m.size }
func (m *OffsetMap) Latest() int64 { return m.latest }

// Bytes is the memory that the table takes.
func (m *OffsetMap) Bytes() int64 { return int64(len(m.table)) * mapEntrySize }

// reset empties the map for a pass over at most so many records.
func (m *OffsetMap) reset(records int64) {
	want := int(min(records*3/2+8, int64(max(m.slots, 1))))
	if want > len(m.table) {
		m.table = make([]mapEntry, want)
	} else {
		clear(m.table)
	}
	m.size, m.latest = 0, -1
}

func (m *OffsetMap) full() bool { return m.size >= m.usable }

// probe is the slot that a hash is looked for in at the i-th try: four bytes of
// the hash, further along with each try, then one slot after the other
// (SkimpyOffsetMap#positionOf).
func probe(hash *[md5.Size]byte, i, slots int) int {
	at := min(i, md5.Size-4)
	n := int32(binary.BigEndian.Uint32(hash[at:])) + int32(max(0, i-md5.Size+4))
	if n == math.MinInt32 {
		n = 0
	}
	return int(uint32(max(n, -n)) % uint32(slots)) // slots are at most 2^31-1 / 24
}

// aim is a key on its way into the map: its hash, and the slot in which it is
// looked for first.
type aim struct {
	hash [md5.Size]byte
	slot uint32
}

func (m *OffsetMap) aim(key []byte, a *aim) {
	a.hash = md5.Sum(key)
	if len(m.table) > 0 {
		a.slot = uint32(probe(&a.hash, 0, len(m.table)))
	}
}

// approach reads the first slots of many keys before any of them is looked at.
// A table of a million keys does not fit into a processor's cache; this way it
// waits for many slots at the same time and not for one after the other.
func (m *OffsetMap) approach(aims []aim) {
	if len(m.table) == 0 {
		return
	}
	seen := int64(0)
	for i := range aims {
		seen |= m.table[aims[i].slot].offset
	}
	for i := range aims { // where another key lies, the next slot too
		if e, a := &m.table[aims[i].slot], &aims[i]; e.hash != a.hash && !e.free() {
			seen |= m.table[probe(&a.hash, 1, len(m.table))].offset
		}
	}
	m.seen = seen
}

// put notes a key's offset, the newest if it is known already. It refuses when
// each slot of Kafka's table is taken, which a load factor above 1 leads to.
func (m *OffsetMap) put(a *aim, offset int64) error {
	if m.size >= m.slots {
		return fmt.Errorf("storage: a new entry for a full offset map: %d entries, %d slots", m.size, m.slots)
	}
	for i, slot := 0, int(a.slot); ; {
		e := &m.table[slot]
		if free := e.free(); free || e.hash == a.hash {
			if free {
				m.size++
				e.hash = a.hash
			}
			e.offset = offset
			m.latest = max(m.latest, offset)
			return nil
		}
		i++
		slot = probe(&a.hash, i, len(m.table))
	}
}

// get is the newest offset of a key, -1 if it is not in the map.
func (m *OffsetMap) get(a *aim) int64 {
	if m.size == 0 {
		return -1
	}
	for i, slot := 0, int(a.slot); i < len(m.table)+md5.Size; {
		e := &m.table[slot]
		switch {
		case e.hash == a.hash && !e.free():
			return e.offset
		case e.free():
			return -1
		}
		i++
		slot = probe(&a.hash, i, len(m.table))
	}
	return -1
}

// FirstSlot is the slot of Kafka's table in which a key is looked for first.
func (m *OffsetMap) FirstSlot(key []byte) int {
	hash := md5.Sum(key)
	return probe(&hash, 0, m.slots)
}
