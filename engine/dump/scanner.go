package dump

import (
	"errors"
	"fmt"

	"kafkalab/engine/record"
)

// scanner goes over the batches of a log, holding one of them.
type scanner struct {
	*source
	position int64        // of the next batch
	start    int64        // of batch
	batch    record.Batch // the current one
	torn     bool         // the log ends within a batch
	damage   *Damage      // what ended the scan, nil at the end of a sound log
	buf      []byte
}

// next moves to the next batch.
func (s *scanner) next() bool {
	if s.position >= s.size {
		return false
	}
	s.start = s.position
	size, damage := s.sizeAt(s.position)
	if damage == nil {
		s.buf, damage = s.read(s.buf, s.position, size)
	}
	if damage != nil {
		s.damage = damage
		return false
	}
	if !isLegacy(s.buf) {
		if damage := formatAt(s.position, s.buf); damage != nil {
			s.damage = damage
			return false
		}
	}
	s.batch = record.Batch(s.buf)
	s.position += int64(size)
	return true
}

// formatAt tells why a batch, of which the header is there, is not laid out as
// one of format 2. A later format is taken for it, as Kafka does: the format
// lies outside the checksum.
func formatAt(position int64, batch []byte) *Damage {
	if len(batch) < record.HeaderSize {
		return damagef(position, "%v: %d bytes, a batch has at least %d", record.ErrCorrupt, len(batch), record.HeaderSize)
	}
	if magic := record.Batch(batch).Magic(); magic < record.MagicV2 {
		return damagef(position, "%v", record.MagicError{Magic: magic})
	}
	return nil
}

// sizeAt is the size of the batch at a position, which must lie in the log as a
// whole; torn tells whether it does not.
func (s *scanner) sizeAt(at int64) (int, *Damage) {
	head, damage := s.read(s.buf, at, record.HeaderSize)
	if damage != nil {
		return 0, damage
	}
	s.buf = head
	size, err := record.PeekSize(head)
	if err == nil && int64(size) > s.size-at {
		err = fmt.Errorf("%w: declares %d bytes, %d are left", record.ErrTruncated, size, s.size-at)
	}
	s.torn = errors.Is(err, record.ErrTruncated)
	if err != nil {
		return 0, damagef(at, "%v", err)
	}
	return size, nil
}
