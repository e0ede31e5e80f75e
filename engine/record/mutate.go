package record

import "encoding/binary"

// SetBaseOffset gives the batch its place in the log. The checksum does not
// cover it.
func (b Batch) SetBaseOffset(offset int64) {
	binary.BigEndian.PutUint64(b[baseOffsetAt:], uint64(offset))
}

// SetPartitionLeaderEpoch stamps the epoch of the appending leader. The
// checksum does not cover it.
func (b Batch) SetPartitionLeaderEpoch(epoch int32) {
	binary.BigEndian.PutUint32(b[leaderEpochAt:], uint32(epoch))
}

// SetProducer gives the batch its producer and the sequence of its first
// record, as a producer does just before it sends it for the first time; the
// checksum is computed anew (Kafka: DefaultRecordBatch, ProducerBatch#setProducerState).
func (b Batch) SetProducer(id int64, epoch int16, sequence int32) {
	binary.BigEndian.PutUint64(b[producerIDAt:], uint64(id))
	binary.BigEndian.PutUint16(b[producerEpochAt:], uint16(epoch))
	binary.BigEndian.PutUint32(b[baseSequenceAt:], uint32(sequence))
	binary.BigEndian.PutUint32(b[crcAt:], b.Checksum())
}

// SetMaxTimestamp sets timestamp type and max timestamp (ms). If either differs
// from what is stored the checksum is computed anew and attribute bits that
// have no meaning are cleared; otherwise not a byte changes (Kafka:
// DefaultRecordBatch.setMaxTimestamp).
func (b Batch) SetMaxTimestamp(t TimestampType, ms int64) {
	if b.TimestampType() == t && b.MaxTimestamp() == ms {
		return
	}
	flags := uint16(b.flags()) & knownAttributeSet &^ timestampTypeBit
	if t == LogAppendTime {
		flags |= timestampTypeBit
	}
	binary.BigEndian.PutUint16(b[attributesAt:], flags)
	binary.BigEndian.PutUint64(b[maxTimestampAt:], uint64(ms))
	binary.BigEndian.PutUint32(b[crcAt:], b.Checksum())
}
