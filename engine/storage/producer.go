package storage

import (
	"math"

	"kafkalab/engine/record"
)

// cachedBatches is how many of a producer's last batches a partition remembers.
// It is the most that an idempotent producer may have in flight, so any of them
// may be sent again (ProducerStateEntry#NUM_BATCHES_TO_RETAIN).
const cachedBatches = 5

// ProducerBatch is what is remembered of one batch of a producer.
type ProducerBatch struct {
	LastSequence int32
	LastOffset   int64
	OffsetDelta  int32 // last offset less first offset
	Timestamp    int64 // ms, the largest of the batch
}

// FirstSequence is the sequence number of the batch's first record.
func (b ProducerBatch) FirstSequence() int32 { return subtractSequence(b.LastSequence, b.OffsetDelta) }

// FirstOffset is the offset of the batch's first record.
func (b ProducerBatch) FirstOffset() int64 { return b.LastOffset - int64(b.OffsetDelta) }

// subtractSequence counts back from a sequence number; 0 comes after
// 2147483647 (DefaultRecordBatch#decrementSequence).
func subtractSequence(sequence, n int32) int32 {
	if sequence < n {
		return math.MaxInt32 - (n - sequence) + 1
	}
	return sequence - n
}

// NoTxn is the first offset of the open transaction of a producer without one.
const NoTxn = -1

// ProducerState is what a partition knows of one producer (ProducerStateEntry).
type ProducerState struct {
	ID               int64
	Epoch            int16 // record.NoProducerEpoch until it is known
	CoordinatorEpoch int32 // of the last marker, -1 before the first
	LastTimestamp    int64 // ms, of the last batch or marker
	TxnFirstOffset   int64 // where its open transaction began, NoTxn if none
	Batches          []ProducerBatch
}

func newProducerState(id int64) ProducerState {
	return ProducerState{
		ID: id, Epoch: record.NoProducerEpoch, CoordinatorEpoch: -1,
		LastTimestamp: record.NoTimestamp, TxnFirstOffset: NoTxn,
	}
}

// LastSequence is the sequence number of the last record, record.NoSequence if
// no batch of this epoch is remembered.
func (p *ProducerState) LastSequence() int32 {
	if n := len(p.Batches); n > 0 {
		return p.Batches[n-1].LastSequence
	}
	return record.NoSequence
}

// LastOffset is the offset of the last record, -1 if no batch is remembered.
func (p *ProducerState) LastOffset() int64 {
	if n := len(p.Batches); n > 0 {
		return p.Batches[n-1].LastOffset
	}
	return -1
}

func (p *ProducerState) lastOffsetDelta() int32 {
	if n := len(p.Batches); n > 0 {
		return p.Batches[n-1].OffsetDelta
	}
	return 0
}

// setEpoch moves to an epoch; the batches of another one are of no use.
func (p *ProducerState) setEpoch(epoch int16) {
	if epoch != p.Epoch {
		p.Epoch = epoch
		p.Batches = p.Batches[:0]
	}
}

// addBatch remembers a batch and forgets the oldest of too many.
func (p *ProducerState) addBatch(epoch int16, b ProducerBatch) {
	p.setEpoch(epoch)
	p.remember(b)
	p.LastTimestamp = b.Timestamp
}

func (p *ProducerState) remember(b ProducerBatch) {
	if len(p.Batches) == cachedBatches {
		copy(p.Batches, p.Batches[1:])
		p.Batches = p.Batches[:cachedBatches-1]
	}
	if p.Batches == nil {
		p.Batches = make([]ProducerBatch, 0, cachedBatches)
	}
	p.Batches = append(p.Batches, b)
}

// duplicate finds the remembered batch that has exactly the sequence numbers of
// a batch of the same epoch (ProducerStateEntry#findDuplicateBatch).
func (p *ProducerState) duplicate(b record.Batch) (ProducerBatch, bool) {
	if b.ProducerEpoch() != p.Epoch {
		return ProducerBatch{}, false
	}
	first, last := b.BaseSequence(), b.LastSequence()
	for _, have := range p.Batches {
		if have.FirstSequence() == first && have.LastSequence == last {
			return have, true
		}
	}
	return ProducerBatch{}, false
}

// expired tells whether the producer is to be forgotten: it has no open
// transaction, and its last record is too old, by the record's own timestamp
// (ProducerStateManager#isProducerExpired, KIP-854).
func (p *ProducerState) expired(now, expirationMs int64) bool {
	return p.TxnFirstOffset == NoTxn && now-p.LastTimestamp >= expirationMs
}

func (p *ProducerState) clone() ProducerState {
	c := *p
	c.Batches = append([]ProducerBatch(nil), p.Batches...)
	return c
}
