package storage

import (
	"kafkalab/engine/kerror"
	"kafkalab/engine/record"
	"kafkalab/engine/trace"
)

// Origin tells who appends, and with it what is checked (AppendOrigin).
type Origin int8

// The origins of an append.
const (
	Client      Origin = iota // a producer: everything is checked
	Coordinator               // a coordinator of this broker: markers and its own records
	RaftLeader                // the leader of the metadata log, which assigns offsets itself
	Replication               // a follower, or recovery: what the leader accepted is taken
)

// AppendOptions are what an append may need beside its batch.
type AppendOptions struct {
	Origin Origin
	// TxnVersion is the transaction version of a marker's coordinator: with 2
	// a marker must bump the producer's epoch.
	TxnVersion int16
	// Verify asks for Guard on the first append of a transaction
	// (transaction.partition.verification.enable).
	Verify bool
	Guard  Guard
}

// RecordError is what is wrong with one record of a refused batch (KIP-467).
type RecordError struct {
	Index   int // in the batch, from 0
	Message string
}

// AppendInfo is what an append did (LogAppendInfo).
type AppendInfo struct {
	FirstOffset, LastOffset int64
	MaxTimestamp            int64 // ms, the largest of the records
	LogAppendTime           int64 // ms, record.NoTimestamp unless the topic uses it
	LogStartOffset          int64
	Count, Bytes            int
	// Duplicate tells that nothing was appended: the batch was in the log
	// already, and the offsets are those it has. LogAppendTime then is the
	// stored batch's timestamp, whatever the topic's timestamp type.
	Duplicate    bool
	RecordErrors []RecordError
	Rolled       bool  // the append went into a new segment
	Segment      int64 // base of the segment it went into
	Position     int32 // of the first byte in that segment's .log file
}

// AppendAsLeader appends a batch: it is checked, gets the next offsets and this
// leader's epoch, and is written. All or nothing is appended. The batch is left
// as it was: what changes in its header changes in the log only.
// Source: UnifiedLog#append, LogValidator.
func (l *Log) AppendAsLeader(batch record.Batch, leaderEpoch int32, origin Origin) (AppendInfo, *kerror.Error) {
	return l.AppendWith(batch, leaderEpoch, AppendOptions{Origin: origin})
}

// AppendWith is AppendAsLeader with all that may be said about an append.
func (l *Log) AppendWith(batch record.Batch, leaderEpoch int32, o AppendOptions) (AppendInfo, *kerror.Error) {
	info := AppendInfo{FirstOffset: NoOffset, LastOffset: NoOffset, MaxTimestamp: record.NoTimestamp, LogAppendTime: record.NoTimestamp, LogStartOffset: l.start}
	if err := l.check(); err != nil {
		return info, err
	}
	if err := l.checkBatch(batch, leaderEpoch, o.Origin); err != nil {
		return info, err
	}
	if o.Origin == RaftLeader {
		if err := l.checkFollows(batch.BaseOffset(), batch.LastOffset()); err != nil {
			return info, err
		}
		return info, l.appendBatch(batch, o, &info)
	}
	v, err := l.validate(batch, o.Origin)
	info.RecordErrors = v.errors
	if err != nil {
		return info, err
	}
	if v.resized && v.batch.Size() > int(l.config.MaxMessageBytes) {
		return info, l.tooLarge(v.batch.Size())
	}
	info.LogAppendTime = v.appendTime
	head := record.Batch(l.head[:copy(l.head[:], v.batch)])
	head.SetBaseOffset(l.end)
	head.SetPartitionLeaderEpoch(leaderEpoch)
	return info, l.appendWithHead(head, v.batch, o, &info)
}

// checkBatch looks at the batch as a whole, before the log is touched.
func (l *Log) checkBatch(b record.Batch, leaderEpoch int32, origin Origin) *kerror.Error {
	if len(b) < record.HeaderSize || b.Size() != len(b) || b.Magic() != record.MagicV2 {
		return l.corrupt(b)
	}
	if origin == RaftLeader && b.PartitionLeaderEpoch() != leaderEpoch {
		return kerror.New(kerror.InvalidRecord, "Append from Raft leader did not set the batch epoch correctly, expected %d but the batch has %d", leaderEpoch, b.PartitionLeaderEpoch())
	}
	if origin == Client && b.BaseOffset() != 0 {
		return kerror.New(kerror.InvalidRecord, "The baseOffset of the record batch in the append to %s should be 0, but it is %d", l.name, b.BaseOffset())
	}
	if origin != RaftLeader && len(b) > int(l.config.MaxMessageBytes) {
		return l.tooLarge(len(b))
	}
	if b.Checksum() != b.CRC() {
		return l.corrupt(b)
	}
	return nil
}

func (l *Log) tooLarge(size int) *kerror.Error {
	return kerror.New(kerror.MessageTooLarge, "The record batch size in the append to %s is %d bytes which exceeds the maximum configured value of %d.", l.name, size, l.config.MaxMessageBytes)
}

func (l *Log) corrupt(b record.Batch) *kerror.Error {
	reason := "no valid batch"
	if err := b.Valid(); err != nil {
		reason = err.Error()
	}
	return kerror.New(kerror.CorruptMessage, "Record is corrupt (%s) in topic partition %s", reason, l.name)
}

// checkFollows refuses offsets that are in the log already.
func (l *Log) checkFollows(first, last int64) *kerror.Error {
	if first >= l.end {
		return nil
	}
	return kerror.New(kerror.UnknownServerError, "Unexpected offset in append to %s. First offset %d is less than the next offset %d. Last offset in append: %d. Log start offset = %d",
		l.name, first, l.end, last, l.start)
}

// appendBatch appends a batch whose header is as it shall be.
func (l *Log) appendBatch(b record.Batch, o AppendOptions, info *AppendInfo) *kerror.Error {
	return l.appendWithHead(b[:record.HeaderSize], b, o, info)
}

// appendWithHead appends the records of batch behind a header of their own.
func (l *Log) appendWithHead(head, batch record.Batch, o AppendOptions, info *AppendInfo) *kerror.Error {
	l.headers = append(l.headers[:0], headerOf(head, batch))
	return l.write(head, batch.Payload(), o, info)
}

// AppendAsFollower appends what a leader sent: whole batches with their
// offsets, which may have gaps. A batch that is cut off at the end is dropped;
// so is all from the first batch on whose epoch is above leaderEpoch, because
// it comes from a leader that this follower does not follow yet (KAFKA-18723).
// The log may keep the slice: it must not be changed any more.
// Offsets below the log's end are refused with UNKNOWN_SERVER_ERROR, and info
// then tells the offsets of the first batch. Source:
// UnifiedLog#appendAsFollower.
func (l *Log) AppendAsFollower(records []byte, leaderEpoch int32) (AppendInfo, *kerror.Error) {
	info := AppendInfo{FirstOffset: NoOffset, LastOffset: NoOffset, MaxTimestamp: record.NoTimestamp, LogAppendTime: record.NoTimestamp, LogStartOffset: l.start}
	if err := l.check(); err != nil {
		return info, err
	}
	size, err := l.takeBatches(records, leaderEpoch)
	if err != nil || size == 0 {
		return info, err
	}
	first := l.headers[0]
	if err := l.checkFollows(first.base, first.last); err != nil {
		info.FirstOffset, info.LastOffset = first.base, first.last
		return info, err
	}
	return info, l.write(records[:size], nil, AppendOptions{Origin: Replication}, &info)
}

// takeBatches checks the batches of a follower's append, keeps their headers in
// l.headers and returns how many bytes of records they are.
func (l *Log) takeBatches(records []byte, leaderEpoch int32) (int, *kerror.Error) {
	l.headers = l.headers[:0]
	size, last := 0, int64(-1)
	for size < len(records) {
		b, err := record.Next(records[size:])
		if isCutOff(err) || err == nil && b.PartitionLeaderEpoch() > leaderEpoch {
			break
		}
		if err == nil {
			err = b.Valid()
		}
		if err != nil {
			return 0, kerror.New(kerror.CorruptMessage, "Record is corrupt (%s) in topic partition %s", err.Error(), l.name)
		}
		if b.LastOffset() <= last {
			return 0, kerror.New(kerror.UnknownServerError, "Out of order offsets found in append to %s: last offset %d after %d", l.name, b.LastOffset(), last)
		}
		last = b.LastOffset()
		l.headers = append(l.headers, headerOf(b, b))
		size += len(b)
	}
	return size, nil
}

// write is the second half of every append: epochs, size, roll, producers, disk.
// head and body are the bytes for the disk, l.headers their batches; without a
// body the disk may keep head. What was done before an error stays done, as in
// Kafka: a duplicate may roll the log.
func (l *Log) write(head, body []byte, o AppendOptions, info *AppendInfo) *kerror.Error {
	defer clear(l.headers) // the records are the caller's
	size := len(head) + len(body)
	for i := range l.headers {
		b := &l.headers[i]
		if err := l.assignEpoch(b.epoch, b.base); err != nil {
			return err
		}
		info.MaxTimestamp = max(info.MaxTimestamp, b.maxTimestamp)
		info.Count += int(b.count)
	}
	first, last := l.headers[0].base, l.headers[len(l.headers)-1].last
	if size > int(l.config.SegmentBytes) {
		return kerror.New(kerror.RecordListTooLarge, "Message batch size is %d bytes in append to partition %s, which exceeds the maximum configured segment size of %d.", size, l.name, l.config.SegmentBytes)
	}
	rolled, err := l.maybeRoll(rollParams{size: int32(size), first: first, last: last, maxTimestamp: info.MaxTimestamp})
	if err != nil {
		return l.rollError(err)
	}
	info.Rolled = rolled
	changes, duplicate, kerr := l.analyzeProducers(o)
	if kerr != nil {
		return kerr
	}
	if duplicate != nil {
		l.answerDuplicate(*duplicate, info)
		return nil
	}
	s := l.active()
	info.FirstOffset, info.LastOffset, info.Bytes = first, last, size
	info.Segment, info.Position = s.base, s.size
	if body == nil {
		err = s.adopt(head, l.headers)
	} else {
		err = s.append(head, body, l.headers)
	}
	if err != nil {
		return l.storageError("appending records to", err)
	}
	l.end = last + 1
	if l.emit != nil {
		l.tell(l.appended(info))
	}
	return l.finish(changes)
}

func (l *Log) answerDuplicate(b ProducerBatch, info *AppendInfo) {
	info.Duplicate = true
	info.FirstOffset, info.LastOffset = b.FirstOffset(), b.LastOffset
	info.LogAppendTime, info.LogStartOffset = b.Timestamp, l.start
	l.tell(trace.DuplicateIgnored{Partition: l.label, Base: info.FirstOffset, Last: info.LastOffset})
}

func (l *Log) appended(info *AppendInfo) trace.RecordsAppended {
	return trace.RecordsAppended{
		Partition: l.label, Base: info.FirstOffset, Last: info.LastOffset, Count: info.Count,
		Segment: info.Segment, Position: info.Position, Bytes: info.Bytes, Epoch: l.headers[len(l.headers)-1].epoch,
	}
}

// finish takes the producers' changes in, once the records are in the file.
func (l *Log) finish(changes producerChanges) *kerror.Error {
	l.producers.apply(&changes)
	for _, a := range changes.appends {
		for _, t := range a.started {
			l.tell(trace.TransactionStarted{Partition: l.label, Producer: t.producerID, First: t.firstOffset})
		}
	}
	for _, done := range changes.completed {
		if err := l.completeTxn(done); err != nil {
			if isDamage(err) {
				return l.readError(err)
			}
			return l.storageError("updating the transaction index of", err)
		}
	}
	l.producers.mapEnd = l.end
	l.refreshFirstUnstable()
	if l.end-l.recoveryPoint >= l.config.FlushMessages {
		if err := l.flush(l.end); err != nil {
			return l.storageError("flushing log for", err)
		}
	}
	return nil
}

// completeTxn closes a transaction. An aborted one is listed in the transaction
// index of the segment that has its marker.
func (l *Log) completeTxn(done completedTxn) error {
	stable := l.producers.stableAfter(done)
	if err := l.producers.complete(done); err != nil {
		return err
	}
	if done.aborted {
		err := l.active().aborted.append(AbortedTxn{done.producerID, done.firstOffset, done.lastOffset, stable})
		if err != nil {
			return err
		}
	}
	l.tell(trace.TransactionEnded{
		Partition: l.label, Producer: done.producerID, First: done.firstOffset, Marker: done.lastOffset, Aborted: done.aborted,
	})
	return nil
}
