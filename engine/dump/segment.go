package dump

import (
	"sort"

	"kafkalab/engine/record"
)

// segment is the log beside an index; all that it says about a missing log is
// that nothing is wrong.
type segment struct {
	log     *source
	name    string
	chain   []int64 // where batches begin, from the start on
	end     *Damage // what follows them, nil for nothing
	chained bool
}

func openSegment(f *file) (*segment, error) {
	log, name, err := openBeside(f.fsys, f.beside(".log"))
	return &segment{log: log, name: parseName(name).base}, err
}

func (s *segment) close() { s.log.close() }

func (s *segment) isEmpty() bool { return s.log != nil && s.log.size == 0 }

// missing tells why no whole batch begins at a position; nothing if one does.
func (s *segment) missing(position int64) string {
	if s.log == nil {
		return ""
	}
	if position < 0 || position > s.log.size {
		return s.name + " does not reach there"
	}
	if position == s.log.size {
		return s.name + " ends there"
	}
	scan := scanner{source: s.log}
	if _, damage := scan.sizeAt(position); damage != nil {
		return s.name + ": " + damage.Error()
	}
	return ""
}

// tail is the damage that a scan from a position to the end of the log meets; a
// torn end is none.
func (s *segment) tail(position int64) *Damage {
	if !s.chained {
		s.chained = true
		s.chain, s.end = follow(s.log, 0)
	}
	i := sort.Search(len(s.chain), func(i int) bool { return s.chain[i] >= position })
	if i < len(s.chain) && s.chain[i] == position {
		return s.end
	}
	_, end := follow(s.log, position)
	return end
}

// follow goes from batch to batch by their sizes.
func follow(log *source, position int64) (starts []int64, end *Damage) {
	scan := scanner{source: log}
	for position < log.size {
		size, damage := scan.sizeAt(position)
		if scan.torn {
			return starts, nil
		}
		if damage != nil {
			return starts, damage
		}
		starts = append(starts, position)
		position += int64(size)
	}
	return starts, nil
}

// find is the first batch from a position on that ends at an offset or later;
// nil if there is none.
func (s *segment) find(position, offset int64) (record.Batch, int64, *Damage) {
	scan := scanner{source: s.log, position: position}
	for scan.position < s.log.size {
		at := scan.position
		size, damage := scan.sizeAt(at)
		if scan.torn {
			return nil, 0, nil
		}
		if damage != nil {
			return nil, 0, damage
		}
		if damage := formatAt(at, scan.buf); damage != nil {
			return nil, 0, damage
		}
		if record.Batch(scan.buf).LastOffset() < offset {
			scan.position += int64(size)
			continue
		}
		if !scan.next() {
			return nil, 0, scan.damage
		}
		return scan.batch, at, nil
	}
	return nil, 0, nil
}
