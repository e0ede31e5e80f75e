package client

import (
	"cmp"
	"slices"

	"kafkalab/engine/record"
	"kafkalab/engine/sim"
	"kafkalab/engine/trace"
)

// accumulator gathers records into batches, a queue of them for each partition
// (RecordAccumulator).
type accumulator struct {
	queues map[partitionKey][]*outBatch
	order  []partitionKey // by topic and number
	turns  map[int32]int  // of each node, the partition with which its next request begins
	nodes  map[int32]*nodeTimes
	ratios ratios
}

// nodeTimes tell how long a node has been too busy to be sent to.
type nodeTimes struct{ ready, drained sim.Time }

func (a *accumulator) queue(k partitionKey) []*outBatch {
	queue, ok := a.queues[k]
	if !ok {
		a.queues[k] = nil
		at, _ := slices.BinarySearchFunc(a.order, k, comparePartitions)
		a.order = slices.Insert(a.order, at, k)
	}
	return queue
}

func comparePartitions(a, b partitionKey) int {
	return cmp.Or(cmp.Compare(a.topic, b.topic), cmp.Compare(a.partition, b.partition))
}

// undrained tells whether a batch waits to be sent.
func (a *accumulator) undrained() bool {
	// order: only asks whether there is one
	for _, queue := range a.queues {
		if len(queue) > 0 {
			return true
		}
	}
	return false
}

// open is the batch to which a partition's records are added, nil for none.
func (a *accumulator) open(k partitionKey) *outBatch {
	if queue := a.queue(k); len(queue) > 0 && queue[len(queue)-1].builder != nil {
		return queue[len(queue)-1]
	}
	return nil
}

// place finds the partition of a record that goes to the sticky one. The sticky
// partition is left when enough has gone there, but not while its batch could
// take more: half-filled batches are what it is there to prevent
// (RecordAccumulator#partitionChanged).
func (p *Producer) place(ctx *sim.Ctx, topic string) int32 {
	s := p.partitioner.sticky(topic)
	if s.chosen {
		open := p.acc.open(partitionKey{topic, s.partition})
		if full := open == nil || open.full(p.batchSize); !full || !s.wrote(0, p.batchSize, true) {
			return s.partition
		}
	}
	p.unstick(ctx, topic)
	return s.partition
}

// unstick draws the next sticky partition.
func (p *Producer) unstick(ctx *sim.Ctx, topic string) {
	s := p.partitioner.sticky(topic)
	s.partition = s.next(ctx.Rand("partitioner"), len(p.meta.topics[topic].leaders), p.meta.available(topic))
	s.bytes, s.chosen = 0, true
}

// outRecord is a record on its way into a batch.
type outRecord struct {
	timestamp  int64
	key, value []byte
	headers    []record.Header
}

// append adds a record to the open batch of its partition, or to a new one
// when that has no room: a batch takes batch.size bytes, or one record. A
// record that goes to the sticky partition may find, when a new batch is
// needed, that it is time for another partition (RecordAccumulator#append).
func (p *Producer) append(ctx *sim.Ctx, call *sending, partition int32, sticks bool, r outRecord) (int32, error) {
	if sticks {
		partition = p.place(ctx, call.Topic)
	}
	open := p.acc.open(partitionKey{call.Topic, partition})
	if open != nil && !open.hasRoom(p.batchSize, open.next(r)) {
		p.closeBatch(ctx, open, ReasonFull)
		open = nil
		if sticks {
			partition = p.place(ctx, call.Topic)
			open = p.acc.open(partitionKey{call.Topic, partition})
		}
	}
	before := 0
	if open == nil {
		open = p.newBatch(ctx, partitionKey{call.Topic, partition})
	} else {
		before = open.size()
	}
	if _, err := open.builder.Append(r.timestamp, r.key, r.value, r.headers...); err != nil {
		return partition, err
	}
	if open.count == 0 {
		p.acc.queues[open.key()] = append(p.acc.queue(open.key()), open)
		open.first = r.timestamp
	}
	open.count++
	open.calls = append(open.calls, call)
	added := open.size() - before
	switch {
	case open.full(p.batchSize):
		p.closeBatch(ctx, open, ReasonFull)
	case call.Batch > 0 && open.count >= call.Batch:
		p.closeBatch(ctx, open, ReasonCount)
	}
	if sticks && p.partitioner.sticky(call.Topic).wrote(added, p.batchSize, open.full(p.batchSize)) {
		p.unstick(ctx, call.Topic)
	}
	return partition, nil
}

func (p *Producer) newBatch(ctx *sim.Ctx, k partitionKey) *outBatch {
	o := record.Defaults()
	o.Codec = p.codec
	return &outBatch{
		topic: k.topic, partition: k.partition, builder: record.NewBuilder(o), created: ctx.Now(), waits: ctx.Now(), sequence: record.NoSequence,
		base: -1, leaderEpoch: -1, ratio: p.acc.ratios.estimate(ratioKey{k.topic, p.codec}),
	}
}

// next is what a record would take in the batch.
func (b *outBatch) next(r outRecord) int {
	return recordSize(b.count, r.timestamp-b.first, r.key, r.value, r.headers)
}

func (p *Producer) closeBatch(ctx *sim.Ctx, b *outBatch, reason string) {
	plain := b.builder.Size() - record.HeaderSize
	b.bytes, b.builder = b.builder.Build(), nil
	p.acc.ratios.observe(ratioKey{b.topic, p.codec}, float64(len(b.bytes)-record.HeaderSize)/float64(plain))
	b.reason, b.closedAt = reason, ctx.Now()
	p.keep(b)
	b.event = ctx.Emit(trace.BatchClosed{Partition: b.name(), Records: b.count, Bytes: b.bytes.Size(), Reason: reason, AgeMs: ctx.Now() - b.created})
}

// requeue puts a batch that is to be sent again where its sequence belongs,
// before all that was not sent yet. Without sequences it goes to the front:
// when several come back together, their order is turned round
// (RecordAccumulator#reenqueue).
func (p *Producer) requeue(b *outBatch) {
	queue, at := p.acc.queue(b.key()), 0
	for p.idempotent && at < len(queue) && queue[at].sequenced && queue[at].sequence < b.sequence {
		at++
	}
	p.acc.queues[b.key()] = slices.Insert(queue, at, b)
}

// backingOff tells whether a batch that failed waits before it is sent again
// (RecordAccumulator#shouldBackoff).
func (p *Producer) backingOff(now sim.Time, b *outBatch) bool {
	return b.retried > 0 && !b.newLeader() && now-b.waits < p.backoff.after(b.retried-1, nil)
}

// sendable is when the first batch of a queue may be sent, if its leader can be
// sent to: at once if it is full or another waits behind it, else when it has
// lingered (RecordAccumulator#batchReady).
func (p *Producer) sendable(now sim.Time, queue []*outBatch) sim.Time {
	b := queue[0]
	switch {
	case p.backingOff(now, b):
		return b.waits + p.backoff.after(b.retried-1, nil)
	case len(queue) > 1, b.full(p.batchSize):
		return now
	}
	return b.waits + p.lingerMs
}

// readyNodes lists the nodes for which there is something to send now, and the
// topics of which a leader is missing (RecordAccumulator#ready).
func (p *Producer) readyNodes(now sim.Time) (nodes []int32, leaderless []string) {
	for _, k := range p.acc.order {
		queue := p.acc.queues[k]
		if len(queue) == 0 {
			continue
		}
		leader, epoch, known := p.meta.leader(k)
		queue[0].news(epoch)
		if h := p.hold(now, k); h != HoldNone && h != HoldLinger {
			queue[0].held = h
		}
		switch {
		case !known:
			if !slices.Contains(leaderless, k.topic) {
				leaderless = append(leaderless, k.topic)
			}
		case !p.muted(k) && p.sendable(now, queue) <= now && !slices.Contains(nodes, leader):
			nodes = append(nodes, leader)
		}
	}
	for i, k := range p.acc.order {
		if i == 0 || p.acc.order[i-1].topic != k.topic {
			p.weigh(k.topic)
		}
	}
	return nodes, leaderless
}

// drain takes the batches of one request to a node: the first one of each
// partition that it leads, whether or not it has lingered, as far as
// max.request.size goes. Where it stops the next request begins
// (RecordAccumulator#drainBatchesForOneNode).
func (p *Producer) drain(ctx *sim.Ctx, node int32) []*outBatch {
	parts := p.meta.ledBy(node)
	if len(parts) == 0 {
		return nil
	}
	var batches []*outBatch
	size, start := 0, p.acc.turns[node]%len(parts)
	for i := range parts {
		at := (start + i) % len(parts)
		k := parts[at]
		p.acc.turns[node] = at
		queue := p.acc.queues[k]
		if len(queue) == 0 || p.muted(k) {
			continue
		}
		b := queue[0]
		_, epoch, _ := p.meta.leader(k)
		b.news(epoch)
		if p.backingOff(ctx.Now(), b) {
			continue
		}
		if size+b.size() > p.maxRequest && len(batches) > 0 || p.idempotent && (p.id < 0 || p.holds(k, b)) {
			break
		}
		p.acc.queues[k] = queue[1:]
		if b.builder != nil {
			p.closeBatch(ctx, b, p.whyNow(ctx.Now(), b))
		}
		p.number(b)
		size += len(b.bytes)
		batches = append(batches, b)
	}
	return batches
}

// whyNow is why an open batch is sent: it has lingered, it goes along with
// another one to the same node, or what it waited for longer has come.
func (p *Producer) whyNow(now sim.Time, b *outBatch) string {
	switch age := now - b.created; {
	case age < p.lingerMs:
		return ReasonAlong
	case age > p.lingerMs && b.held == HoldNone:
		return string(HoldTurn)
	case age > p.lingerMs:
		return string(b.held)
	}
	return ReasonLinger
}

// weigh tells the partitioner how long the queues of a topic's partitions are;
// one that a node has been too busy for is left out when
// partitioner.availability.timeout.ms says so (RecordAccumulator#partitionReady).
func (p *Producer) weigh(topic string) {
	if !p.partitioner.adaptive || p.partitioner.topics[topic] == nil {
		return
	}
	var parts []int32
	var queues []int
	all := 0
	for _, k := range p.acc.order {
		if k.topic != topic {
			continue
		}
		all++
		leader, _, known := p.meta.leader(k)
		if n := p.acc.nodes[leader]; !known || n != nil && p.partitioner.availableMs > 0 && n.ready-n.drained > p.partitioner.availableMs {
			continue
		}
		parts, queues = append(parts, k.partition), append(queues, len(p.acc.queues[k]))
	}
	if all < len(p.meta.topics[topic].leaders) {
		parts, queues = nil, nil
	}
	p.partitioner.sticky(topic).load(parts, queues, all)
}
