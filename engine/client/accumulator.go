package client

import (
	"slices"

	"kafkalab/engine/kerror"
	"kafkalab/engine/record"
	"kafkalab/engine/sim"
	"kafkalab/engine/trace"
)

// outBatch is a batch of a producer's, from its first record to its end.
type outBatch struct {
	topic      string
	partition  int32
	builder    *record.Builder // while it is open
	bytes      record.Batch    // when it is closed
	count      int
	created    sim.Time
	readyAt    sim.Time // not to be sent before, after an error
	sequence   int32    // of its first record, NoSequence until it is first sent
	sequenced  bool
	attempts   int
	renumbered bool       // its sequence is not the first that it had
	resent     bool       // by the command retry, not by the producer itself
	expired    bool       // given up after delivery.timeout.ms
	underWay   bool       // sent, and not answered
	done       bool       // it has its end
	calls      []*sending // the calls whose records are in it, one entry a record

	// For views alone: nothing is decided by what follows.
	reason   string      // why it takes no more records
	closedAt sim.Time    // when it was closed
	base     int64       // its first offset, -1 until it is known
	code     kerror.Code // of its newest answer
	event    trace.ID    // that tells of it
}

func (b *outBatch) key() partitionKey { return partitionKey{b.topic, b.partition} }

func (b *outBatch) name() string { return partitionText(b.topic, b.partition) }

// partitionKey names a partition.
type partitionKey struct {
	topic     string
	partition int32
}

// accumulator gathers records into batches, a queue of them for each partition
// (RecordAccumulator).
type accumulator struct {
	queues map[partitionKey][]*outBatch
	order  []partitionKey // in which partitions were first written to
}

func (a *accumulator) queue(k partitionKey) []*outBatch {
	if _, ok := a.queues[k]; !ok {
		a.order = append(a.order, k)
		a.queues[k] = nil
	}
	return a.queues[k]
}

// append adds a record to the open batch of its partition, or to a new one
// when that has no room: a batch takes batch.size bytes, or one record.
func (p *Producer) append(ctx *sim.Ctx, call *sending, partition int32, timestamp int64, key, value []byte, headers []record.Header) error {
	k := partitionKey{call.Topic, partition}
	queue := p.acc.queue(k)
	var open *outBatch
	if n := len(queue); n > 0 && queue[n-1].builder != nil {
		open = queue[n-1]
	}
	size := len(key) + len(value) + recordOverhead
	if open != nil && open.builder.Size()+size > p.batchSize {
		p.closeBatch(ctx, open, ReasonFull)
		open = nil
	}
	if open == nil {
		o := record.Defaults()
		o.Codec = p.codec
		open = &outBatch{topic: call.Topic, partition: partition, builder: record.NewBuilder(o), created: ctx.Now(), sequence: record.NoSequence, base: -1}
	}
	if _, err := open.builder.Append(timestamp, key, value, headers...); err != nil {
		return err
	}
	if open.count == 0 {
		p.acc.queues[k] = append(queue, open)
	}
	open.count++
	open.calls = append(open.calls, call)
	switch {
	case open.builder.Size() >= p.batchSize:
		p.closeBatch(ctx, open, ReasonFull)
	case call.Batch > 0 && open.count >= call.Batch:
		p.closeBatch(ctx, open, ReasonCount)
	}
	return nil
}

// recordOverhead is what a record takes beside its key and value, at most, as
// the producer reckons it.
const recordOverhead = 21

func (p *Producer) closeBatch(ctx *sim.Ctx, b *outBatch, reason string) {
	b.bytes, b.builder = b.builder.Build(), nil
	b.reason, b.closedAt = reason, ctx.Now()
	p.keep(b)
	b.event = ctx.Emit(trace.BatchClosed{Partition: b.name(), Records: b.count, Bytes: b.bytes.Size(), Reason: reason, AgeMs: ctx.Now() - b.created})
}

// requeue puts a batch that is to be sent again where its sequence belongs.
func (a *accumulator) requeue(b *outBatch) {
	queue := a.queue(b.key())
	at := slices.IndexFunc(queue, func(x *outBatch) bool {
		return !x.sequenced || (b.sequenced && record.AddSequence(x.sequence, 0) > b.sequence)
	})
	if at < 0 {
		at = len(queue)
	}
	a.queues[b.key()] = slices.Insert(queue, at, b)
}
