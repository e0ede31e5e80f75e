package dump

// TimeEntry says that no record up to an offset has a later timestamp.
type TimeEntry struct {
	Timestamp int64 `json:"timestamp"` // ms
	Offset    int64 `json:"offset"`    // absolute; the file has it relative to its name
}

const timeEntrySize = 12

// timeLayout is an entry of a time index (Kafka: TimeIndex.maybeAppend).
var timeLayout = layout{
	{"timestamp", "int64", nil},
	{"relative offset", "int32", nil},
}

// Line implements Entry.
func (e TimeEntry) Line() string {
	var l line
	l.int("timestamp: ", e.Timestamp)
	l.int(" offset: ", e.Offset)
	return string(l)
}

// timeIndex is a time index, read by slot.
type timeIndex struct {
	*source
	base int64
}

func (x timeIndex) entries() int { return int(x.size / timeEntrySize) }

func (x timeIndex) entry(slot int) (TimeEntry, *Damage) {
	p, damage := x.read(nil, int64(slot)*timeEntrySize, timeEntrySize)
	if damage != nil {
		return TimeEntry{}, damage
	}
	return readTimeEntry(x.base, p), nil
}

func readTimeEntry(base int64, p []byte) TimeEntry {
	var room [2]int64
	v := timeLayout.read(room[:0], p)
	return TimeEntry{v[0], base + v[1]}
}

// dumpTimeIndex tells a time index up to its first entry that is not used yet,
// checking each against the log, which it finds through the offset index.
func dumpTimeIndex(f *file) {
	base, damage := f.baseOffset()
	if damage != nil {
		f.out.damage(damage)
		return
	}
	index := timeIndex{f.source, base}
	if f.opt.IndexSanity {
		timeIndexSanity(f, index)
		return
	}
	segment, err := openSegment(f)
	if err != nil {
		f.out.damage(damagef(0, "its log cannot be read: %s", reason(err)))
	}
	defer segment.close()
	beside, _, err := openBeside(f.fsys, f.beside(".index"))
	if err != nil {
		f.out.damage(damagef(0, "its offset index cannot be read: %s", reason(err)))
	}
	defer beside.close()
	for slot := range index.entries() {
		e, damage := index.entry(slot)
		if damage != nil {
			f.out.damage(damage)
			return
		}
		if e.Offset == base && slot > 0 {
			break
		}
		if damage := checkTime(segment, offsetIndex{beside, base}, e); damage != nil {
			f.out.damage(damagef(int64(slot)*timeEntrySize, "timestamp %d, offset %d: %s: %v", e.Timestamp, e.Offset, segment.name, damage))
			return
		}
		f.out.entry(e)
	}
	f.out.damage(oddEnd(f, timeEntrySize))
}

// checkTime reads the batch that an entry stands for, and the log behind it, as
// Kafka's tool does. That it is missing or has another timestamp is a warning
// there; that the log cannot be read is damage.
func checkTime(s *segment, index offsetIndex, e TimeEntry) *Damage {
	if s.log == nil {
		return nil
	}
	position, damage := index.lookup(e.Offset)
	if damage != nil {
		return damage
	}
	if position < 0 || position > s.log.size {
		return damagef(position, "it does not reach there")
	}
	if damage := s.tail(position); damage != nil {
		return damage
	}
	batch, at, damage := s.find(position, e.Offset)
	if damage != nil || batch == nil || batch.LastOffset() != e.Offset {
		return damage
	}
	_, damage = tellRecords(batch, at, false)
	return damage
}
