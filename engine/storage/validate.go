package storage

import (
	"errors"
	"fmt"
	"strings"

	"kafkalab/engine/kerror"
	"kafkalab/engine/record"
)

// validated is a batch that a leader may append.
type validated struct {
	batch      record.Batch // as sent, or a copy with another header or codec
	appendTime int64        // ms, record.NoTimestamp under CreateTime
	resized    bool         // compressed anew: it may be too large now
	errors     []RecordError
}

// validate holds a batch to the topic's rules, record by record, and brings
// timestamp type, largest timestamp and codec into line with its settings
// (LogValidator#validateMessagesAndAssignOffsets). Every record must keep the
// rules, or the batch is refused as a whole.
func (l *Log) validate(b record.Batch, origin Origin) (validated, *kerror.Error) {
	out := validated{batch: b, appendTime: record.NoTimestamp}
	if !b.Codec().Known() {
		return out, kerror.New(kerror.UnknownServerError, "Unknown compression type id: %d", int8(b.Codec()))
	}
	if err := checkClientBatch(b, origin); err != nil {
		return out, err
	}
	now := l.now()
	maxTimestamp, err := l.validateRecords(b, now, &out)
	if err != nil {
		return out, err
	}
	stamp := maxTimestamp
	if l.config.TimestampType == record.LogAppendTime {
		stamp, out.appendTime = now, now
	}
	if target := l.targetCodec(b); target != b.Codec() {
		out.batch, err = l.recompress(b, target, stamp)
		out.resized = true
		return out, err
	}
	if b.TimestampType() != l.config.TimestampType || b.MaxTimestamp() != stamp {
		out.batch = append(record.Batch(nil), b...)
		out.batch.SetMaxTimestamp(l.config.TimestampType, stamp)
	}
	return out, nil
}

// checkClientBatch is what only producers are held to
// (LogValidator#validateBatch).
func checkClientBatch(b record.Batch, origin Origin) *kerror.Error {
	if origin != Client {
		return nil
	}
	count, span := b.Count(), int64(b.LastOffsetDelta())+1
	switch {
	case span <= 0:
		return kerror.New(kerror.InvalidRecord, "Batch has an invalid offset range: [%d, %d]", b.BaseOffset(), b.LastOffset())
	case count <= 0:
		return kerror.New(kerror.InvalidRecord, "Invalid reported count for record batch: %d", count)
	case span != int64(count):
		return kerror.New(kerror.InvalidRecord, "Inconsistent batch offset range [%d, %d] and count of records %d", b.BaseOffset(), b.LastOffset(), count)
	case b.IsControl():
		return kerror.New(kerror.InvalidRecord, "Clients are not allowed to write control records")
	case b.ProducerID() != record.NoProducerID && b.BaseSequence() < 0:
		return kerror.New(kerror.InvalidRecord, "Invalid sequence number %d in record batch with producerId %d", b.BaseSequence(), b.ProducerID())
	}
	return nil
}

// validateRecords looks at every record and gives the largest timestamp. What
// is wrong with single records goes into out.errors.
//
// Kafka 4.4 does not look at the offset deltas of an uncompressed batch, and
// fails in an unplanned way on wrong ones in a compressed batch; either lets a
// broken client damage what others read. Here both are refused.
func (l *Log) validateRecords(b record.Batch, now int64, out *validated) (int64, *kerror.Error) {
	maxTimestamp, invalidTime, i := int64(record.NoTimestamp), false, 0
	compressed := b.Codec() != record.None
	it := b.IteratorWithin(record.DefaultLimit)
	for it.Next() {
		r := it.Record()
		maxTimestamp = max(maxTimestamp, r.Timestamp)
		if r.Offset != b.BaseOffset()+int64(i) {
			return 0, kerror.New(kerror.InvalidRecord, "Record %d of the batch has offset delta %d, want %d", i, r.Offset-b.BaseOffset(), i)
		}
		switch {
		case compressed && r.Size > int(l.config.MaxDecompressedMessageBytes):
			return 0, kerror.New(kerror.InvalidRecord, "Record size %d exceeds the maximum decompressed size of %d", r.Size, l.config.MaxDecompressedMessageBytes)
		case l.config.Compact && r.Key == nil && !b.IsControl():
			out.errors = append(out.errors, RecordError{i, "Compacted topic cannot accept message without key in topic partition " + l.name})
		default:
			if problem := l.checkTime(b, r.Offset, r.Timestamp, now); problem != "" {
				invalidTime = true
				out.errors = append(out.errors, RecordError{i, problem})
			}
		}
		i++
	}
	if err := it.Err(); err != nil {
		return 0, recordError(err)
	}
	return maxTimestamp, refusal(out.errors, invalidTime)
}

// recordError says which of Kafka's errors a broken record is.
func recordError(err error) *kerror.Error {
	if errors.Is(err, record.ErrInvalid) {
		return kerror.New(kerror.InvalidRecord, "%s", err.Error())
	}
	return kerror.New(kerror.UnknownServerError, "%s", err.Error())
}

// checkTime says what is wrong with a record's timestamp
// (LogValidator#validateTimestamp; KIP-937).
func (l *Log) checkTime(b record.Batch, offset, timestamp, now int64) string {
	c := &l.config
	if c.TimestampType == record.CreateTime && timestamp != record.NoTimestamp {
		if now-timestamp > c.TimestampBeforeMaxMs || timestamp-now > c.TimestampAfterMaxMs {
			return fmt.Sprintf("Timestamp %d of message with offset %d is out of range. The timestamp should be within [%d, %d]",
				timestamp, offset, now-c.TimestampBeforeMaxMs, now+c.TimestampAfterMaxMs)
		}
		return ""
	}
	if b.TimestampType() == record.LogAppendTime {
		return fmt.Sprintf("Invalid timestamp type in message with offset %d. Producer should not set timestamp type to LogAppendTime.", offset)
	}
	return ""
}

// errorsShown is how many of the record errors go into the message of a batch.
const errorsShown = 3

// refusal turns record errors into the error of the batch. A wrong timestamp
// counts most.
func refusal(list []RecordError, invalidTime bool) *kerror.Error {
	switch {
	case len(list) == 0:
		return nil
	case invalidTime:
		return kerror.New(kerror.InvalidTimestamp, "One or more records have been rejected due to invalid timestamp")
	}
	shown := make([]string, 0, errorsShown)
	for _, e := range list[:min(errorsShown, len(list))] {
		shown = append(shown, fmt.Sprintf("RecordError(batchIndex=%d, message='%s')", e.Index, e.Message))
	}
	return kerror.New(kerror.InvalidRecord, "One or more records have been rejected due to %d record errors in total, and only showing the first three errors at most: [%s]",
		len(list), strings.Join(shown, ", "))
}

// targetCodec is how the topic wants a batch compressed. Control records stay
// as they are (BrokerCompressionType).
func (l *Log) targetCodec(b record.Batch) record.Codec {
	switch name := l.config.CompressionType; name {
	case "", "producer":
		return b.Codec()
	case "uncompressed":
		return record.None
	default:
		codec, err := record.ParseCodec(name)
		if err != nil || b.IsControl() && b.Codec() == record.None {
			return b.Codec()
		}
		return codec
	}
}

// recompress makes the batch anew with another codec.
func (l *Log) recompress(b record.Batch, codec record.Codec, stamp int64) (record.Batch, *kerror.Error) {
	builder := record.NewBuilder(record.Options{
		BaseOffset: b.BaseOffset(), Codec: codec, TimestampType: l.config.TimestampType, LogAppendTime: stamp,
		ProducerID: b.ProducerID(), ProducerEpoch: b.ProducerEpoch(), BaseSequence: b.BaseSequence(),
		LeaderEpoch: b.PartitionLeaderEpoch(), Transactional: b.IsTransactional(), Control: b.IsControl(),
	})
	it := b.IteratorWithin(record.DefaultLimit)
	for it.Next() {
		r := it.Record()
		if err := builder.AppendView(r); err != nil {
			return nil, kerror.New(kerror.InvalidRecord, "%s", err.Error())
		}
	}
	if err := it.Err(); err != nil {
		return nil, recordError(err)
	}
	return builder.Build(), nil
}
