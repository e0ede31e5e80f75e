package record

import (
	"encoding/binary"
	"fmt"
)

// EndTxnMarker is the control record that ends a transaction on one partition
// (Kafka: EndTransactionMarker).
type EndTxnMarker struct {
	Type             ControlType // Abort or Commit
	CoordinatorEpoch int32       // leader epoch of the coordinator's partition
}

// ParseEndTxnMarker reads a marker from a control record's key and value.
func ParseEndTxnMarker(key, value []byte) (EndTxnMarker, error) {
	_, t, err := ParseControlKey(key)
	if err != nil {
		return EndTxnMarker{}, err
	}
	if t != Abort && t != Commit {
		return EndTxnMarker{}, fmt.Errorf("%w: control record %v is no transaction marker", ErrInvalid, t)
	}
	if len(value) < 6 {
		return EndTxnMarker{}, fmt.Errorf("%w: marker of %d bytes, at least 6 are needed", ErrInvalid, len(value))
	}
	if version := int16(binary.BigEndian.Uint16(value)); version < 0 {
		return EndTxnMarker{}, fmt.Errorf("%w: marker version %d", ErrInvalid, version)
	}
	return EndTxnMarker{t, int32(binary.BigEndian.Uint32(value[2:]))}, nil
}

// Marker reads the transaction marker that a control batch holds.
func (b Batch) Marker() (EndTxnMarker, error) {
	it := b.Iterator()
	if !it.Next() {
		if err := it.Err(); err != nil {
			return EndTxnMarker{}, err
		}
		return EndTxnMarker{}, fmt.Errorf("%w: control batch without a record", ErrInvalid)
	}
	v := it.Record()
	return ParseEndTxnMarker(v.Key, v.Value)
}

// MarkerBatch is the batch of one marker, 78 bytes as of leader epoch, producer
// and time (ms) given (Kafka: MemoryRecords.withEndTransactionMarker).
func MarkerBatch(offset, timestamp int64, leaderEpoch int32, producerID int64, producerEpoch int16, m EndTxnMarker) Batch {
	opts := Defaults()
	opts.BaseOffset, opts.LeaderEpoch = offset, leaderEpoch
	opts.ProducerID, opts.ProducerEpoch = producerID, producerEpoch
	opts.Transactional, opts.Control = true, true
	value := binary.BigEndian.AppendUint16(nil, 0)
	value = binary.BigEndian.AppendUint32(value, uint32(m.CoordinatorEpoch))
	return controlBatch(opts, timestamp, m.Type, value)
}

// EmptyBatch is what compaction leaves of a batch whose records are all gone
// when the producer's last sequence number or the end of the log must stay
// known: its header, 61 bytes (Kafka: DefaultRecordBatch.writeEmptyHeader).
func EmptyBatch(of Batch) Batch {
	opts := Options{
		BaseOffset: of.BaseOffset(), LeaderEpoch: of.PartitionLeaderEpoch(), TimestampType: of.TimestampType(),
		ProducerID: of.ProducerID(), ProducerEpoch: of.ProducerEpoch(), BaseSequence: of.BaseSequence(),
		Transactional: of.IsTransactional(), Control: of.IsControl(),
	}
	b := make(Batch, HeaderSize)
	writeHeader(b, &opts, of.LastOffset(), NoTimestamp, of.MaxTimestamp(), 0)
	return b
}

// controlBatch is a batch of one control record.
func controlBatch(opts Options, timestamp int64, t ControlType, value []byte) Batch {
	timestamp = max(timestamp, NoTimestamp)
	b := NewBuilder(opts)
	if _, err := b.Append(timestamp, AppendControlKey(nil, t), value); err != nil {
		// A clock before 1970 is cut above; nothing else can be refused.
		return nil
	}
	return b.Build()
}
