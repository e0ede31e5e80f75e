package record

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// Sizes in bytes and values that mean "none" (Kafka: RecordBatch, Records).
const (
	// HeaderSize is a batch without records.
	HeaderSize = 61
	// LogOverhead is base offset and length, which the length does not count.
	LogOverhead = 12
	// MagicV2 is the only batch format that Kafka 4 writes.
	MagicV2 = 2

	NoProducerID    = -1
	NoProducerEpoch = -1
	NoSequence      = -1
	NoTimestamp     = -1
	NoLeaderEpoch   = -1
)

// Where the header's fields lie.
const (
	baseOffsetAt      = 0
	lengthAt          = 8
	leaderEpochAt     = 12
	magicAt           = 16
	crcAt             = 17
	attributesAt      = 21
	lastOffsetDeltaAt = 23
	baseTimestampAt   = 27
	maxTimestampAt    = 35
	producerIDAt      = 43
	producerEpochAt   = 51
	baseSequenceAt    = 53
	countAt           = 57
)

// Bits of the attributes.
const (
	codecMask         = 0x07
	timestampTypeBit  = 0x08
	transactionalBit  = 0x10
	controlBit        = 0x20
	deleteHorizonBit  = 0x40
	knownAttributeSet = 0x7f
)

// castagnoli is CRC-32C, which processors compute in hardware.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Batch is the bytes of exactly one batch, at least HeaderSize of them: get one
// from Next or a Builder. The accessors of anything shorter panic.
type Batch []byte

// BaseOffset is the offset of the first record the batch was written with.
func (b Batch) BaseOffset() int64 { return b.int64(baseOffsetAt) }

// Size is the whole batch in bytes, the 12 of offset and length included.
func (b Batch) Size() int { return int(b.int32(lengthAt)) + LogOverhead }

// PartitionLeaderEpoch is the epoch of the leader that appended the batch, -1
// in what a producer sends.
func (b Batch) PartitionLeaderEpoch() int32 { return b.int32(leaderEpochAt) }

// Magic is the batch format, 2.
func (b Batch) Magic() int8 { return int8(b[magicAt]) }

// CRC is the stored checksum; Valid compares it with the content.
func (b Batch) CRC() uint32 { return binary.BigEndian.Uint32(b[crcAt:]) }

// Attributes are the flags as stored, unused bits included.
func (b Batch) Attributes() int16 { return int16(binary.BigEndian.Uint16(b[attributesAt:])) }

// Codec is the compression of the records. It may be unknown: see Codec.Known.
func (b Batch) Codec() Codec { return Codec(b.flags() & codecMask) }

// TimestampType tells whose clock the timestamps are.
func (b Batch) TimestampType() TimestampType {
	if b.flags()&timestampTypeBit != 0 {
		return LogAppendTime
	}
	return CreateTime
}

// IsTransactional tells whether the batch belongs to a transaction; markers do.
func (b Batch) IsTransactional() bool { return b.flags()&transactionalBit != 0 }

// IsControl tells whether the batch holds a control record, which consumers
// never see.
func (b Batch) IsControl() bool { return b.flags()&controlBit != 0 }

// DeleteHorizon is the time in ms from which the cleaner may drop the
// tombstones or the marker of this batch (KIP-534). set is false before the
// first cleaning.
func (b Batch) DeleteHorizon() (ms int64, set bool) {
	if b.flags()&deleteHorizonBit == 0 {
		return 0, false
	}
	return b.BaseTimestamp(), true
}

// LastOffsetDelta is LastOffset less BaseOffset; compaction never changes it.
func (b Batch) LastOffsetDelta() int32 { return b.int32(lastOffsetDeltaAt) }

// LastOffset is the last offset the batch was written with, even if compaction
// has taken that record since.
func (b Batch) LastOffset() int64 { return b.BaseOffset() + int64(b.LastOffsetDelta()) }

// NextOffset is the offset after the batch.
func (b Batch) NextOffset() int64 { return b.LastOffset() + 1 }

// BaseTimestamp is what the records' timestamp deltas count from, in ms: the
// first record's time, or the delete horizon when one is set.
func (b Batch) BaseTimestamp() int64 { return b.int64(baseTimestampAt) }

// MaxTimestamp is the largest timestamp of the records in ms, or the append
// time of all of them under LogAppendTime.
func (b Batch) MaxTimestamp() int64 { return b.int64(maxTimestampAt) }

// ProducerID is the id of an idempotent producer, or NoProducerID.
func (b Batch) ProducerID() int64 { return b.int64(producerIDAt) }

// ProducerEpoch is the epoch of that producer, or NoProducerEpoch.
func (b Batch) ProducerEpoch() int16 {
	return int16(binary.BigEndian.Uint16(b[producerEpochAt:]))
}

// BaseSequence is the sequence number of the first record, or NoSequence.
func (b Batch) BaseSequence() int32 { return b.int32(baseSequenceAt) }

// LastSequence is the sequence number of the last record, or NoSequence. It
// wraps to 0 after 2147483647.
func (b Batch) LastSequence() int32 {
	if b.BaseSequence() == NoSequence {
		return NoSequence
	}
	return AddSequence(b.BaseSequence(), b.LastOffsetDelta())
}

// Count is the number of records left in the batch. It is 0 only after
// compaction, and negative only in a broken batch.
func (b Batch) Count() int32 { return b.int32(countAt) }

// Payload is the records as stored: compressed unless Codec is None.
func (b Batch) Payload() []byte { return b[HeaderSize:] }

// Checksum computes the CRC-32C that CRC should be.
func (b Batch) Checksum() uint32 { return crc32.Checksum(b[attributesAt:], castagnoli) }

// Valid tells what is wrong with the batch as a whole: too short for a header,
// another length than it declares, or a checksum that does not fit. Every error
// matches ErrCorrupt. It does not look into the records, and not at the magic,
// which lies before what the checksum covers: in a file, Kafka takes whatever has
// a magic of 2 or more for format 2 (Kafka: DefaultRecordBatch.ensureValid,
// FileLogInputStream.nextBatch). Next is what refuses other formats.
func (b Batch) Valid() error {
	if len(b) < HeaderSize {
		return fmt.Errorf("%w: %d bytes, a batch has at least %d", ErrCorrupt, len(b), HeaderSize)
	}
	if b.Size() != len(b) {
		return fmt.Errorf("%w: declares %d bytes, has %d", ErrCorrupt, b.Size(), len(b))
	}
	if sum := b.Checksum(); sum != b.CRC() {
		return fmt.Errorf("%w: stored crc %d, computed %d", ErrCorrupt, b.CRC(), sum)
	}
	return nil
}

// AddSequence counts on from a sequence number; 2147483647 is followed by 0
// (Kafka: DefaultRecordBatch.incrementSequence).
func AddSequence(sequence, n int32) int32 {
	if sequence > 1<<31-1-n {
		return n - (1<<31 - 1 - sequence) - 1
	}
	return sequence + n
}

// flags is the half of the attributes that has a meaning.
func (b Batch) flags() byte { return b[attributesAt+1] }

func (b Batch) int64(at int) int64 { return int64(binary.BigEndian.Uint64(b[at:])) }
func (b Batch) int32(at int) int32 { return int32(binary.BigEndian.Uint32(b[at:])) }
