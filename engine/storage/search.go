package storage

// warmBytes is the end of an index that is searched first. Lookups of readers
// that keep up with the log stay within these pages, so that an older page is
// never touched for them; a plain binary search would, in its first probes
// (AbstractIndex#warmEntries, KAFKA-6432).
const warmBytes = 8192

// Verdict is what one probe of a search found: how the entry's key compares
// with the target.
type Verdict string

// The verdicts of a probe.
const (
	EntryBelow Verdict = "below" // the entry's key is lower than the target
	EntryEqual Verdict = "equal"
	EntryAbove Verdict = "above"
)

func verdictOf(c int) Verdict {
	switch {
	case c < 0:
		return EntryBelow
	case c > 0:
		return EntryAbove
	}
	return EntryEqual
}

// firstHot is the slot at which the warm section of an index begins.
func firstHot(entries, entrySize int) int { return max(0, entries-1-warmBytes/entrySize) }

// floorSlot finds the last slot whose key is at or below the target, -1 for
// none. compare tells how the key of a slot compares with the target; it is
// called once a probe, in Kafka's order
// (AbstractIndex#indexSlotRangeFor).
func floorSlot(entries, entrySize int, compare func(slot int) int) int {
	slot, _ := search(entries, entrySize, compare)
	return slot
}

// ceilingSlot finds the first slot whose key is at or above the target, -1 for
// none. As in Kafka, an entry that is equal to the target but was not met by the
// halving is passed over for the next one; who asks wants a bound, and a later
// one is as good.
func ceilingSlot(entries, entrySize int, compare func(slot int) int) int {
	slot, met := search(entries, entrySize, compare)
	switch {
	case met:
		return slot
	case slot+1 >= entries:
		return -1
	}
	return slot + 1
}

// search gives the last slot at or below the target, -1 for none. met tells that
// the halving came upon an equal entry.
func search(entries, entrySize int, compare func(slot int) int) (slot int, met bool) {
	if entries == 0 {
		return -1, false
	}
	hot := firstHot(entries, entrySize)
	if compare(hot) < 0 {
		return halve(hot, entries-1, compare)
	}
	if compare(0) > 0 {
		return -1, false
	}
	return halve(0, hot, compare)
}

func halve(lo, hi int, compare func(slot int) int) (slot int, met bool) {
	for lo < hi {
		mid := (lo + hi + 1) / 2
		switch c := compare(mid); {
		case c > 0:
			hi = mid - 1
		case c < 0:
			lo = mid
		default:
			return mid, true
		}
	}
	return lo, false
}
