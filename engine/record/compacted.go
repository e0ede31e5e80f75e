package record

// EmptyHeader is what compaction leaves of a batch when all of its records are
// gone but its place has to be remembered: the 61 bytes of the header. What
// tells the producer's state, the leader's epoch and the offsets stays.
// Source: DefaultRecordBatch#writeEmptyHeader.
func EmptyHeader(b Batch) Batch {
	out := make(Batch, HeaderSize)
	writeHeader(out, &Options{
		BaseOffset: b.BaseOffset(), TimestampType: b.TimestampType(), ProducerID: b.ProducerID(), ProducerEpoch: b.ProducerEpoch(),
		BaseSequence: b.BaseSequence(), LeaderEpoch: b.PartitionLeaderEpoch(), Transactional: b.IsTransactional(), Control: b.IsControl(),
		LogAppendTime: b.MaxTimestamp(),
	}, b.LastOffset(), NoTimestamp, b.MaxTimestamp(), 0)
	return out
}

// Compacted starts a batch for those records of another that compaction keeps:
// offsets, codec, producer and epochs are the old ones, and so is its end, which
// Finish sets. horizon (ms) is when its tombstones and markers may go, if set.
// Source: MemoryRecords#buildRetainedRecordsInto.
func (b *Builder) Compacted(old Batch, horizon int64, set bool) {
	o := Options{
		BaseOffset: old.BaseOffset(), Codec: old.Codec(), TimestampType: old.TimestampType(), LogAppendTime: NoTimestamp,
		ProducerID: old.ProducerID(), ProducerEpoch: old.ProducerEpoch(), BaseSequence: old.BaseSequence(),
		LeaderEpoch: old.PartitionLeaderEpoch(), Transactional: old.IsTransactional(), Control: old.IsControl(),
		DeleteHorizon: horizon, HasDeleteHorizon: set,
	}
	if o.TimestampType == LogAppendTime {
		o.LogAppendTime = old.MaxTimestamp()
	}
	b.Reset(o)
}

// ControlTypeOf reads which marker a control batch holds; false when it is
// empty or broken.
func ControlTypeOf(b Batch) (ControlType, bool) {
	it := b.Iterator()
	if !it.Next() {
		return 0, false
	}
	_, kind, err := ParseControlKey(it.Record().Key)
	return kind, err == nil
}
