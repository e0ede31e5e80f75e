package record

import (
	"errors"
	"fmt"
)

// What can be wrong with bytes that should be batches. All errors of this
// package about input match one of these with errors.Is; their text says what
// was found and what is allowed.
var (
	// ErrCorrupt is a batch that is damaged as a whole: a size that cannot
	// be, a checksum that does not fit (Kafka: CorruptRecordException, on the
	// wire CORRUPT_MESSAGE).
	ErrCorrupt = errors.New("corrupt record batch")

	// ErrTruncated is a batch whose end is missing: the torn tail of a log, or
	// the last batch of a fetch that was cut by its byte limit.
	ErrTruncated = errors.New("truncated record batch")

	// ErrInvalid is a sound batch whose records are not encoded as they
	// should be (Kafka: InvalidRecordException, on the wire INVALID_RECORD).
	ErrInvalid = errors.New("invalid record")

	// ErrCompression is a sound batch whose records cannot be decompressed:
	// the block is broken or the codec unknown (Kafka: KafkaException, on the
	// wire UNKNOWN_SERVER_ERROR).
	ErrCompression = errors.New("broken compression")

	// ErrTooLarge is a batch whose records would grow beyond the limit given
	// by the reader.
	ErrTooLarge = errors.New("decompressed records too large")
)

// MagicError is a batch of another format than 2 where the format is looked at.
// Kafka 4 reads formats 0 and 1 from old logs and refuses to write them (KIP-724);
// this engine does not read their records. It matches ErrCorrupt.
type MagicError struct{ Magic int8 }

// Error says which format was found.
func (e MagicError) Error() string {
	return fmt.Sprintf("%v: magic %d, only magic 2 is allowed", ErrCorrupt, e.Magic)
}

// Unwrap makes the error match ErrCorrupt.
func (e MagicError) Unwrap() error { return ErrCorrupt }
