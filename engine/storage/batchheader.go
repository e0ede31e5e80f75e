package storage

import (
	"fmt"

	"kafkalab/engine/record"
)

// batchHeader is what an append needs of each of its batches, taken out once.
type batchHeader struct {
	head         record.Batch // as it goes to the disk: the header, at least
	records      record.Batch // the whole batch; its offset and epoch may not be set yet
	base, last   int64
	maxTimestamp int64
	size         int32
	count        int32
	epoch        int32
}

func headerOf(b, records record.Batch) batchHeader {
	return batchHeader{
		head: b, records: records, base: b.BaseOffset(), last: b.LastOffset(), maxTimestamp: b.MaxTimestamp(),
		size: int32(b.Size()), count: b.Count(), epoch: b.PartitionLeaderEpoch(),
	}
}

// DamageError is something in a log file that is no batch.
type DamageError struct {
	File     string
	Position int64 // in bytes
	Err      error
}

func (e *DamageError) Error() string {
	return fmt.Sprintf("%s: position %d: %v", e.File, e.Position, e.Err)
}

func (e *DamageError) Unwrap() error { return e.Err }
