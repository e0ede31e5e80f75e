package dump

// OffsetEntry says at which byte of the log the batch lies that ends at an offset.
type OffsetEntry struct {
	Offset   int64 `json:"offset"` // absolute; the file has it relative to its name
	Position int32 `json:"position"`
}

const offsetEntrySize = 8

// offsetLayout is an entry of an offset index (Kafka: OffsetIndex.append).
var offsetLayout = layout{
	{"relative offset", "int32", nil},
	{"position", "int32", nil},
}

// Line implements Entry.
func (e OffsetEntry) Line() string {
	var l line
	l.int("offset: ", e.Offset)
	l.int(" position: ", int64(e.Position))
	return string(l)
}

// offsetIndex is an offset index, read by slot. It may be missing: then it has
// no entries.
type offsetIndex struct {
	*source
	base int64
}

func (x offsetIndex) entries() int {
	if x.source == nil {
		return 0
	}
	return int(x.size / offsetEntrySize)
}

func (x offsetIndex) entry(slot int) (OffsetEntry, *Damage) {
	p, damage := x.read(nil, int64(slot)*offsetEntrySize, offsetEntrySize)
	if damage != nil {
		return OffsetEntry{}, damage
	}
	return readOffsetEntry(x.base, p), nil
}

func readOffsetEntry(base int64, p []byte) OffsetEntry {
	var room [2]int64
	v := offsetLayout.read(room[:0], p)
	return OffsetEntry{base + v[0], int32(v[1])}
}

// warmEntries are the entries of the last 8 KiB, in which Kafka looks first so
// that a lookup near the end touches no cold page (KAFKA-6432). In an index that
// is not in order, as one with preallocated zeros, this decides what is found.
const warmEntries = 8192 / offsetEntrySize

// lookup finds the position for an offset: that of the last entry that is not
// beyond it (Kafka: AbstractIndex.largestLowerBoundSlotFor).
func (x offsetIndex) lookup(offset int64) (int64, *Damage) {
	n := x.entries()
	if n == 0 {
		return 0, nil
	}
	var damage *Damage
	key := func(slot int) int64 {
		e, d := x.entry(slot)
		if d != nil {
			damage = d
		}
		return e.Offset
	}
	low, high := 0, n-1
	hot := max(0, n-1-warmEntries)
	switch {
	case key(hot) < offset:
		low = hot
	case key(0) > offset:
		return 0, damage
	default:
		high = hot
	}
	for low < high && damage == nil {
		mid := int(uint(low+high+1) >> 1)
		switch at := key(mid); {
		case at > offset:
			high = mid - 1
		case at < offset:
			low = mid
		default:
			low, high = mid, mid
		}
	}
	e, d := x.entry(low)
	if damage == nil {
		damage = d
	}
	return int64(e.Position), damage
}

// dumpOffsetIndex tells an offset index up to its first entry that is not used
// yet, checking each against the log.
func dumpOffsetIndex(f *file) {
	base, damage := f.baseOffset()
	if damage != nil {
		f.out.damage(damage)
		return
	}
	index := offsetIndex{f.source, base}
	if f.opt.IndexSanity {
		offsetIndexSanity(f, index)
		return
	}
	if index.entries() == 0 {
		f.out.note(f.path + " is empty.")
		f.out.damage(oddEnd(f, offsetEntrySize))
		return
	}
	segment, err := openSegment(f)
	if err != nil {
		f.out.damage(damagef(0, "its log cannot be read: %s", reason(err)))
	}
	defer segment.close()
	for slot := range index.entries() {
		at := int64(slot) * offsetEntrySize
		e, damage := index.entry(slot)
		if damage != nil {
			f.out.damage(damage)
			return
		}
		// Files are preallocated with zeros, and an entry for the base offset
		// is never the second one.
		if e.Offset == base && (slot > 0 || segment.isEmpty()) {
			break
		}
		if why := segment.missing(int64(e.Position)); why != "" {
			f.out.damage(damagef(at, "offset %d, position %d: %s", e.Offset, e.Position, why))
			return
		}
		f.out.entry(e)
	}
	f.out.damage(oddEnd(f, offsetEntrySize))
}

// oddEnd is the damage of a file that ends within an entry.
func oddEnd(f *file, entry int64) *Damage {
	if odd := f.size % entry; odd != 0 {
		return damagef(f.size-odd, "%d bytes of an entry of %d", odd, entry)
	}
	return nil
}
