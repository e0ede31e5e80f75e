package client

import (
	"math"
	"slices"

	"kafkalab/engine/kerror"
	"kafkalab/engine/record"
	"kafkalab/engine/sim"
	"kafkalab/engine/trace"
)

// sequences are an idempotent producer's numbers in one partition: the broker
// takes a batch only if its first number follows the last one that it has
// (TransactionManager, TxnPartitionEntry).
type sequences struct {
	id         int64 // the producer id and epoch that they are counted under
	epoch      int16
	next       int32
	acked      int32       // of the newest acknowledged record, -1 for none
	flying     []*outBatch // numbered and without an end, in their order
	unresolved int32       // what would follow a batch that was given up while nobody knows whether it is in the log; -1 for none
	restart    bool        // begins anew with the next epoch
}

func (p *Producer) sequencesOf(k partitionKey) *sequences {
	s := p.sequences[k]
	if s == nil {
		s = &sequences{acked: -1, unresolved: -1, id: p.id, epoch: p.epoch}
		p.sequences[k] = s
	}
	return s
}

// number gives a batch its producer id and sequence, the first time that it is
// sent; it keeps them when it is sent again.
func (p *Producer) number(b *outBatch) {
	if !p.idempotent || b.sequenced {
		return
	}
	s := p.sequencesOf(b.key())
	if p.stale(s) && len(s.flying) == 0 {
		s.begin(p.id, p.epoch)
	}
	s.flying = append(s.flying, b)
	s.take(b)
}

func (s *sequences) take(b *outBatch) {
	b.sequenced, b.sequence = true, s.next
	s.next = record.AddSequence(s.next, int32(b.count))
	b.bytes.SetProducer(s.id, s.epoch, b.sequence)
}

// begin counts from 0 again, under a new epoch; what has no end yet is
// numbered anew (TxnPartitionEntry#startSequencesAtBeginning).
func (s *sequences) begin(id int64, epoch int16) {
	s.id, s.epoch, s.next, s.acked, s.unresolved, s.restart = id, epoch, 0, -1, -1, false
	for _, b := range s.flying {
		s.take(b)
		b.renumbered = true
	}
}

func (p *Producer) stale(s *sequences) bool { return s.id != p.id || s.epoch != p.epoch }

// follows tells whether a sequence is the one after the newest acknowledged.
func (s *sequences) follows(sequence int32) bool { return sequence == record.AddSequence(s.acked, 1) }

// holds tells whether the first batch of a queue may not be sent yet: of those
// that are sent again only the oldest may, and no new one while an earlier
// epoch or a batch of unknown fate is in the way
// (RecordAccumulator#shouldStopDrainBatchesForPartition).
func (p *Producer) holds(k partitionKey, first *outBatch) bool {
	s := p.sequences[k]
	switch {
	case s == nil:
		return false
	case !first.sequenced:
		return len(s.flying) > 0 && p.stale(s) || s.unresolved >= 0
	}
	return len(s.flying) > 0 && s.flying[0] != first
}

// retriable tells whether an idempotent producer sends a batch again after an
// error that says that its sequence does not fit. It always does; when there is
// a gap for sure, or the broker knows nothing of the producer, under a new epoch
// (TransactionManager#canRetry, KIP-360).
func (p *Producer) retriable(b *outBatch, code kerror.Code) bool {
	s := p.sequencesOf(b.key())
	switch {
	case b.resent:
		return false
	case code == kerror.UnknownProducerId:
		s.restart = s.restart || !b.renumbered
		return true
	case code != kerror.OutOfOrderSequenceNumber:
		return false
	case s.unresolved < 0 && (b.renumbered || !s.follows(b.sequence)):
		return true // one before it is under way still, or its answer has been lost
	case s.unresolved < 0 || s.unresolved == b.sequence:
		s.restart = true
	}
	return true
}

// acknowledge books the numbers of a batch that is in the log.
func (p *Producer) acknowledge(b *outBatch) {
	if b.sequenced && !b.resent {
		s := p.sequencesOf(b.key())
		s.acked = max(s.acked, record.AddSequence(b.sequence, int32(b.count)-1))
	}
}

// ended books a numbered batch's end. After an error that leaves a hole in the
// sequences the partition begins anew with the next epoch; not so when the
// attempts are used up or the time is over, for then the record may be in the
// log (TransactionManager#handleFailedBatch, #markSequenceUnresolved).
func (p *Producer) ended(b *outBatch, code kerror.Code) {
	if !b.sequenced || b.resent {
		return
	}
	s := p.sequencesOf(b.key())
	s.flying = slices.DeleteFunc(s.flying, func(x *outBatch) bool { return x == b })
	switch {
	case code == kerror.None:
		p.acknowledge(b)
	case b.expired:
		if b.retried > 0 {
			s.unresolved = max(s.unresolved, record.AddSequence(b.sequence, int32(b.count)))
		}
	case code == kerror.OutOfOrderSequenceNumber || code == kerror.UnknownProducerId || b.retried < p.retries:
		s.restart = true
	}
}

// resolve finds out about given up batches, once nothing is under way behind
// them, and raises the epoch if a partition has to begin anew
// (TransactionManager#maybeResolveSequences, #bumpIdempotentEpochAndResetIdIfNeeded).
func (p *Producer) resolve(ctx *sim.Ctx) {
	if !p.idempotent || p.id < 0 {
		return
	}
	var anew []partitionKey
	for _, k := range p.acc.order {
		s := p.sequences[k]
		if s == nil {
			continue
		}
		if s.unresolved >= 0 && len(s.flying) == 0 {
			s.restart = s.restart || !s.follows(s.next)
			s.unresolved = -1
		}
		if s.restart {
			anew = append(anew, k)
		}
	}
	if len(anew) == 0 {
		return
	}
	if p.epoch == math.MaxInt16 {
		p.id, p.epoch = record.NoProducerID, record.NoProducerEpoch
		for _, k := range anew {
			p.sequences[k].restart = false // the new id is a reason of its own
		}
		return
	}
	p.epoch++
	for _, k := range anew {
		p.sequences[k].begin(p.id, p.epoch)
		ctx.Emit(trace.ProducerEpochBumped{ID: p.id, Epoch: p.epoch, Partition: partitionText(k.topic, k.partition)})
	}
}
