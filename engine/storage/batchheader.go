package storage

import "kafkalab/engine/record"

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
