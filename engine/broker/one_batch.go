package broker

import (
	"encoding/binary"

	"kafkalab/engine/kerror"
	"kafkalab/engine/record"
)

// Where a batch, and every older format of it, has its length and its version.
const (
	lengthAt    = 8
	magicAt     = 16
	upToMagic   = magicAt + 1
	minOverhead = 14 // of a record of magic 0, the smallest thing there is
)

// nextBatch takes the batch at the head of some bytes, none if it is not all
// there. What cannot be a batch of any version is an error.
// Source: ByteBufferLogInputStream#nextBatch.
func nextBatch(records []byte) (record.Batch, *kerror.Error) {
	if len(records) < record.LogOverhead {
		return nil, nil
	}
	size := int32(binary.BigEndian.Uint32(records[lengthAt:]))
	if size < minOverhead {
		return nil, kerror.New(kerror.CorruptMessage, "Record size %d is less than the minimum record overhead (%d)", size, minOverhead)
	}
	if len(records) < upToMagic {
		return nil, nil
	}
	if magic := int8(records[magicAt]); magic < 0 || magic > record.MagicV2 {
		return nil, kerror.New(kerror.CorruptMessage, "Invalid magic found in record: %d", magic)
	}
	if whole := int64(size) + record.LogOverhead; int64(len(records)) >= whole {
		return record.Batch(records[:whole]), nil
	}
	return nil, nil
}

// zstdSince is the first version of Produce that may carry zstd (KIP-110).
const zstdSince = 7

// oneBatch takes the one batch that a produce may carry for a partition out of
// its records field: nothing less, nothing more. What comes behind it and is no
// whole batch is dropped.
// Source: ProduceRequest#validateRecords.
func oneBatch(records []byte, version int16) (record.Batch, *kerror.Error) {
	batch, kerr := nextBatch(records)
	switch {
	case kerr != nil:
		return nil, kerr
	case batch == nil:
		return nil, kerror.New(kerror.InvalidRecord, "Produce requests with version %d must have at least one record batch per partition", version)
	case batch.Magic() != record.MagicV2:
		return nil, kerror.New(kerror.InvalidRecord, "Produce requests with version %d are only allowed to contain record batches with magic version 2", version)
	case len(batch) < record.HeaderSize:
		return nil, kerror.New(kerror.CorruptMessage, "Record batch is corrupted (the size %d is smaller than the minimum allowed overhead %d)", len(batch), record.HeaderSize)
	case version < zstdSince && batch.Codec() == record.Zstd:
		return nil, kerror.New(kerror.UnsupportedCompressionType, "Produce requests with version %d are not allowed to use ZStandard compression", version)
	}
	second, kerr := nextBatch(records[len(batch):])
	if kerr != nil {
		return nil, kerr
	}
	if second != nil {
		return nil, kerror.New(kerror.InvalidRecord, "Produce requests with version %d are only allowed to contain exactly one record batch per partition", version)
	}
	return batch, nil
}
