package storage

import (
	"fmt"
	"math"

	"kafkalab/engine/kerror"
	"kafkalab/engine/record"
)

// completedTxn is a transaction that a marker has just closed.
type completedTxn struct {
	producerID  int64
	firstOffset int64
	lastOffset  int64 // of the marker
	aborted     bool
}

// openTxn is a transaction that has begun in this partition.
type openTxn struct {
	producerID  int64
	firstOffset int64
	lastOffset  int64 // of its marker, once it is decided; NoTxn before
}

// producerAppend is what one append will change about one producer. Nothing is
// changed before the whole append is known to be good (ProducerAppendInfo).
type producerAppend struct {
	partition    string // for messages
	origin       Origin
	current      ProducerState // as it is
	updated      ProducerState // as it will be, with the new batches only
	started      []openTxn
	verification *verification // of the transaction's first batch, if it is awaited
}

func newProducerAppend(partition string, origin Origin, current ProducerState, v *verification) *producerAppend {
	updated := current
	updated.Batches = nil
	return &producerAppend{partition: partition, origin: origin, current: current, updated: updated, verification: v}
}

// add takes a batch in, of which head is the header as it is stored. A marker
// that closes a transaction gives it.
func (a *producerAppend) add(head, batch record.Batch, txnVersion int16) (*completedTxn, *kerror.Error) {
	if head.IsControl() {
		return a.addMarker(head, batch, txnVersion)
	}
	return nil, a.addData(head)
}

// replay is add for a batch that is in the log already. Nobody can refuse it any
// more, so what is wrong with it is damage.
func (a *producerAppend) replay(head, batch record.Batch) (*completedTxn, error) {
	if head.IsControl() && head.Count() != 0 {
		if err := markerError(batch); err != nil {
			return nil, err
		}
	}
	done, refused := a.add(head, batch, 0)
	if refused == nil {
		return done, nil
	}
	return nil, throw(exceptionOf(refused.Code), "%s", refused.Error())
}

// markerError tells what is wrong with a marker (EndTransactionMarker#deserialize).
func markerError(b record.Batch) error {
	switch {
	case len(b) < record.HeaderSize:
		return throw(outOfBounds, "a control batch of %d bytes, its header has %d", len(b), record.HeaderSize)
	case !b.Codec().Known():
		return throw(illegalArgument, "Unknown compression type id: %d", b.Codec())
	}
	it := b.Iterator()
	if !it.Next() {
		return it.Err()
	}
	v := it.Record()
	_, kind, err := record.ParseControlKey(v.Key)
	switch {
	case v.Key == nil:
		return throw("NullPointerException", "a control record without a key")
	case err != nil:
		return err
	case kind != record.Abort && kind != record.Commit:
		return throw(illegalArgument, "Invalid control record type for end transaction marker %v", kind)
	case v.Value == nil:
		return throw("NullPointerException", "a transaction marker without a value")
	case len(v.Value) < 6:
		return throw("BufferUnderflowException", "a transaction marker of %d bytes, at least 6 are needed", len(v.Value))
	}
	_, err = record.ParseEndTxnMarker(v.Key, v.Value)
	return err
}

// exceptionOf is the class of the exception that an error code stands for, among
// those that a batch in the log can meet.
func exceptionOf(code kerror.Code) string {
	if code == kerror.InvalidTxnState {
		return "InvalidTxnStateException"
	}
	return "InvalidRecordException"
}

func (a *producerAppend) addData(b record.Batch) *kerror.Error {
	epoch, offset := b.ProducerEpoch(), b.BaseOffset()
	if err := a.checkEpoch(epoch, offset, epoch < a.updated.Epoch); err != nil {
		return err
	}
	if a.origin == Client {
		if err := a.checkSequence(epoch, b.BaseSequence(), offset); err != nil {
			return err
		}
	}
	a.updated.addBatch(epoch, ProducerBatch{
		LastSequence: b.LastSequence(), LastOffset: b.LastOffset(),
		OffsetDelta: b.LastOffsetDelta(), Timestamp: b.MaxTimestamp(),
	})
	open := a.updated.TxnFirstOffset != NoTxn
	switch {
	case open && !b.IsTransactional():
		return kerror.New(kerror.InvalidTxnState, "Expected transactional write from producer %d at offset %d in partition %s", a.updated.ID, offset, a.partition)
	case !open && b.IsTransactional():
		a.updated.TxnFirstOffset = offset
		a.started = append(a.started, openTxn{a.updated.ID, offset, NoTxn})
	}
	return nil
}

// checkEpoch refuses an epoch that is stale. What the leader has accepted, a
// follower takes (ProducerAppendInfo#checkProducerEpoch).
func (a *producerAppend) checkEpoch(epoch int16, offset int64, stale bool) *kerror.Error {
	if !stale || a.origin == Replication {
		return nil
	}
	return kerror.New(kerror.InvalidProducerEpoch, "Epoch of producer %d at offset %d in %s is %d, which is smaller than the last seen epoch %d",
		a.updated.ID, offset, a.partition, epoch, a.updated.Epoch)
}

// checkSequence holds a client to its sequence numbers: they go on from the
// last one, a new epoch begins at 0, and a producer that is not known may
// begin anywhere (ProducerAppendInfo#checkSequence).
func (a *producerAppend) checkSequence(epoch int16, first int32, offset int64) *kerror.Error {
	if v := a.verification; v != nil {
		if v.epochBump && first != 0 && len(a.current.Batches) == 0 {
			return kerror.New(kerror.OutOfOrderSequenceNumber, "Invalid sequence number for producer %d at offset %d in partition %s: %d (incoming seq. number). Expected sequence 0 for transactions v2 idempotent producer with no existing state.",
				a.updated.ID, offset, a.partition, first)
		}
		if first > v.lowestSequence {
			return kerror.New(kerror.OutOfOrderSequenceNumber, "Out of order sequence number for producer %d at offset %d in partition %s: %d (incoming seq. number), %d (earliest seen sequence)",
				a.updated.ID, offset, a.partition, first, v.lowestSequence)
		}
	}
	if epoch != a.updated.Epoch {
		if first == 0 || a.updated.Epoch == record.NoProducerEpoch {
			return nil
		}
		return kerror.New(kerror.OutOfOrderSequenceNumber, "Invalid sequence number for new epoch of producer %d at offset %d in partition %s: %d (request epoch), %d (seq. number), %d (current producer epoch)",
			a.updated.ID, offset, a.partition, epoch, first, a.updated.Epoch)
	}
	last := int32(record.NoSequence)
	switch {
	case len(a.updated.Batches) > 0:
		last = a.updated.LastSequence()
	case epoch == a.current.Epoch:
		last = a.current.LastSequence()
	}
	if a.current.Epoch == record.NoProducerEpoch || inSequence(last, first) {
		return nil
	}
	return kerror.New(kerror.OutOfOrderSequenceNumber, "Out of order sequence number for producer %d at offset %d in partition %s: %d (incoming seq. number), %d (current end sequence number)",
		a.updated.ID, offset, a.partition, first, last)
}

func inSequence(last, next int32) bool {
	return int64(next) == int64(last)+1 || next == 0 && last == math.MaxInt32
}

// addMarker closes the producer's open transaction, if there is one, and moves
// to the marker's epoch. A control batch without records is what compaction
// left of one, and ends nothing (ProducerAppendInfo#appendEndTxnMarker).
func (a *producerAppend) addMarker(head, batch record.Batch, txnVersion int16) (*completedTxn, *kerror.Error) {
	if head.Count() == 0 {
		return nil, nil
	}
	marker, timestamp, err := markerOf(batch)
	if err != nil {
		return nil, kerror.New(kerror.InvalidRecord, "%s", err.Error())
	}
	epoch, offset := head.ProducerEpoch(), head.BaseOffset()
	if err := a.checkEpoch(epoch, offset, a.staleMarker(epoch, txnVersion)); err != nil {
		return nil, err
	}
	if a.updated.CoordinatorEpoch > marker.CoordinatorEpoch && a.origin != Replication {
		return nil, kerror.New(kerror.TransactionCoordinatorFenced, "Invalid coordinator epoch for producerId %d at offset %d in partition %s: %d (zombie), %d (current)",
			a.updated.ID, offset, a.partition, marker.CoordinatorEpoch, a.updated.CoordinatorEpoch)
	}
	var done *completedTxn
	if a.updated.TxnFirstOffset != NoTxn {
		done = &completedTxn{a.updated.ID, a.updated.TxnFirstOffset, offset, marker.Type == record.Abort}
	}
	a.updated.setEpoch(epoch)
	a.updated.TxnFirstOffset = NoTxn
	a.updated.CoordinatorEpoch = marker.CoordinatorEpoch
	a.updated.LastTimestamp = timestamp
	return done, nil
}

// markerOf is the marker in a control batch, with the timestamp of its record (ms).
func markerOf(b record.Batch) (m record.EndTxnMarker, timestamp int64, err error) {
	it := b.Iterator()
	if !it.Next() {
		if err := it.Err(); err != nil {
			return m, 0, err
		}
		return m, 0, fmt.Errorf("%w: control batch without a record", record.ErrInvalid)
	}
	v := it.Record()
	m, err = record.ParseEndTxnMarker(v.Key, v.Value)
	return m, v.Timestamp, err
}

// staleMarker tells whether a marker's epoch is too low. Under transaction
// version 2 the epoch grows with each transaction, so a marker must be above
// the data's; one that comes a second time finds nothing open and is harmless
// (KIP-890, KIP-1228).
func (a *producerAppend) staleMarker(epoch int16, txnVersion int16) bool {
	if txnVersion < 2 || a.origin == Replication {
		return epoch < a.updated.Epoch
	}
	again := epoch == a.updated.Epoch && a.updated.TxnFirstOffset == NoTxn
	return epoch <= a.updated.Epoch && !again
}
