package dump

// The checks that decide, when a broker starts, whether an index is made anew
// (Kafka: OffsetIndex.sanityCheck, TimeIndex.sanityCheck).

func offsetIndexSanity(f *file, x offsetIndex) {
	if x.entries() == 0 {
		f.out.note(f.path + " is empty.")
		return
	}
	last, damage := x.entry(x.entries() - 1)
	if damage == nil && last.Offset < x.base {
		damage = damagef(f.size-offsetEntrySize, "last offset %d is less than the base offset %d", last.Offset, x.base)
	}
	sane(f, damage, offsetEntrySize)
}

func timeIndexSanity(f *file, x timeIndex) {
	if x.entries() == 0 {
		sane(f, nil, timeEntrySize)
		return
	}
	first, damage := x.entry(0)
	last, damage2 := x.entry(x.entries() - 1)
	at := int64(x.entries()-1) * timeEntrySize
	switch {
	case damage != nil:
	case damage2 != nil:
		damage = damage2
	case last.Timestamp < first.Timestamp:
		damage = damagef(at, "last timestamp %d is less than the first timestamp %d", last.Timestamp, first.Timestamp)
	case last.Offset < x.base:
		damage = damagef(at, "last offset %d is less than the base offset %d", last.Offset, x.base)
	}
	sane(f, damage, timeEntrySize)
}

// sane ends a check.
func sane(f *file, damage *Damage, entry int64) {
	if damage == nil {
		damage = oddEnd(f, entry)
	}
	if damage != nil {
		f.out.damage(damage)
		return
	}
	f.out.note(f.path + " passed sanity check.")
}
