package storage

import (
	"kafkalab/engine/kerror"
	"kafkalab/engine/record"
)

// Guard ties the first append of a transaction to the question that the
// partition's leader asked the transaction coordinator before it. A marker that
// comes in between takes the guard away, so that a late answer cannot open a
// transaction that nobody will close (VerificationGuard, KIP-890). NoGuard
// stands for none.
type Guard int64

// NoGuard is the guard of an append that needs none
// (VerificationGuard#SENTINEL).
const NoGuard Guard = 0

// verification is a transaction whose coordinator is being asked
// (VerificationStateEntry).
type verification struct {
	guard          Guard
	epoch          int16
	lowestSequence int32 // of the batches that came in meanwhile
	epochBump      bool  // the producer speaks transaction version 2
	since          int64 // ms
}

// StartVerification gives the guard for a producer's next transactional append:
// NoGuard when its transaction is open here already. Asking again for the same
// epoch gives the same guard. epochBump tells that the producer speaks
// transaction version 2 (UnifiedLog#maybeStartTransactionVerification).
func (l *Log) StartVerification(producerID int64, epoch int16, sequence int32, epochBump bool) Guard {
	if l.HasOngoingTransaction(producerID, epoch) {
		return NoGuard
	}
	p := l.producers
	v := p.verifications[producerID]
	if v == nil || epoch > v.epoch {
		l.guards++
		v = &verification{guard: l.guards, epoch: epoch, lowestSequence: sequence, epochBump: epochBump, since: l.now()}
		p.verifications[producerID] = v
	}
	v.lowestSequence = min(v.lowestSequence, sequence)
	return v.guard
}

// HasOngoingTransaction tells whether a producer has a transaction open here,
// in this epoch.
func (l *Log) HasOngoingTransaction(producerID int64, epoch int16) bool {
	have := l.producers.byID[producerID]
	return have != nil && have.TxnFirstOffset != NoTxn && have.Epoch == epoch
}

// checkTransaction refuses a transactional batch that would open a transaction
// which its coordinator does not know of, or that comes from an epoch that is
// over. Batches of an open transaction pass.
func (l *Log) checkTransaction(b record.Batch, o AppendOptions) *kerror.Error {
	id, epoch := b.ProducerID(), b.ProducerEpoch()
	if !b.IsTransactional() || l.HasOngoingTransaction(id, epoch) {
		return nil
	}
	if have := l.producers.byID[id]; have != nil && epoch < have.Epoch {
		return kerror.New(kerror.InvalidProducerEpoch, "Epoch of producer %d is %d, which is smaller than the last seen epoch %d", id, epoch, have.Epoch)
	}
	if !o.Verify || b.IsControl() {
		return nil
	}
	if v := l.producers.verifications[id]; v == nil || v.guard != o.Guard {
		return kerror.New(kerror.InvalidTxnState, "Record was not part of an ongoing transaction")
	}
	return nil
}
