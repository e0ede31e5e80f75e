package storage

import (
	"io"
	"math"

	"kafkalab/engine/kerror"
)

// Probe is one look into an index during a search.
type Probe struct {
	Slot     int
	Relative int32 // the entry's offset, relative to the segment's base
	Position int32
	Verdict  Verdict
}

// ScannedBatch is a batch whose header was read during a search.
type ScannedBatch struct {
	Base, Last int64
	Position   int32
	Size       int32
	Segment    int64 // base of the segment it lies in
}

// Lookup is the account of how a read finds an offset: which segment, which
// index entry, which batches it walks over. Nothing is read into a result, and
// nothing is moved.
type Lookup struct {
	Target      int64
	Segments    []int64 // bases of the segments looked into: more than one if the first has nothing at or past the target
	SegmentBase int64   // the last of them
	Relative    int32   // the target, relative to that base
	Entries     int     // in that segment's offset index
	WarmStart   int     // the slot at which its warm section begins
	Probes      []Probe // of that index, in the order in which they were made
	HasEntry    bool    // an entry at or below the target was found
	Slot        int     // its slot, -1 for none
	Entry       IndexEntry
	Start       int32          // where in the .log file the scan begins
	Scanned     []ScannedBatch // headers read, the hit being the last; where the target is no base offset, Kafka 4.4 has read one more to know
	Found       bool           // there is a batch at or past the target
	Base, Last  int64          // of that batch
	Position    int32
	Size        int32
}

// ScannedBytes is the size of the batches that the scan walked over, the hit left
// out.
func (l *Lookup) ScannedBytes() int64 {
	total := int64(0)
	for _, b := range l.Scanned {
		total += int64(b.Size)
	}
	if l.Found {
		total -= int64(l.Size)
	}
	return total
}

// Lookup finds an offset as Read does and tells each step.
func (l *Log) Lookup(offset int64) (Lookup, *kerror.Error) {
	if err := l.check(); err != nil {
		return Lookup{}, err
	}
	at, kerr := l.bounds(offset)
	if kerr != nil {
		return Lookup{}, kerr
	}
	out := Lookup{Target: offset, Slot: -1}
	for _, s := range l.segments[at:] {
		out.Segments = append(out.Segments, s.base)
		if err := s.account(offset, &out); err != nil {
			return Lookup{}, l.readError(err)
		}
		if out.Found {
			break
		}
	}
	return out, nil
}

// account searches one segment and writes down what it did.
func (s *segment) account(offset int64, out *Lookup) error {
	entries := s.offsets.entries
	out.SegmentBase, out.Entries, out.WarmStart = s.base, len(entries), firstHot(len(entries), offsetEntrySize)
	relative := offset - s.base
	out.Relative, out.Probes = int32(min(max(relative, 0), math.MaxInt32)), nil
	out.Slot = floorSlot(len(entries), offsetEntrySize, func(i int) int {
		e := entries[i]
		c := compareInt64(int64(e.Relative), relative)
		// The warm section of a short index begins at slot 0, which is then
		// compared twice in a row: one look.
		if n := len(out.Probes); n == 0 || out.Probes[n-1].Slot != i {
			out.Probes = append(out.Probes, Probe{i, e.Relative, e.Position, verdictOf(c)})
		}
		return c
	})
	out.HasEntry, out.Entry = out.Slot >= 0, IndexEntry{}
	if out.HasEntry {
		out.Entry = entries[out.Slot]
	}
	out.Start = max(out.Entry.Position, 0)
	f, ok, err := s.findFrom(offset, int64(out.Start))
	if err != nil {
		return err
	}
	if ok {
		out.Found, out.Base, out.Last, out.Position, out.Size = true, f.base, f.last, f.position, f.size
	}
	return s.walk(f, ok, out)
}

// walk lists the batches that a search walked over, up to the one that it found.
func (s *segment) walk(f found, ok bool, out *Lookup) error {
	scan := s.headers(int64(out.Start))
	for {
		h, err := scan.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return s.damage(scan.pos, err)
		}
		out.Scanned = append(out.Scanned, s.scanned(h))
		if ok && int32(h.at) == f.position {
			return nil
		}
	}
}

// Locate is Lookup without the account: the segment and the position of the
// batch that holds an offset, or the first one past it. It allocates nothing.
func (l *Log) Locate(offset int64) (segment int64, position int32, kerr *kerror.Error) {
	if err := l.check(); err != nil {
		return 0, 0, err
	}
	at, kerr := l.bounds(offset)
	if kerr != nil {
		return 0, 0, kerr
	}
	for _, s := range l.segments[at:] {
		f, ok, err := s.find(offset)
		if err != nil {
			return 0, 0, l.readError(err)
		}
		if ok {
			return s.base, f.position, nil
		}
	}
	return l.active().base, l.active().size, nil
}
