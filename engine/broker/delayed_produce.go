package broker

import (
	"slices"
	"strconv"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/sim"
	"kafkalab/engine/trace"
)

// delayedProduce is a produce with acks=all that waits until the in-sync
// replicas have its records (DelayedProduce).
type delayedProduce struct {
	id       int64
	origin   sim.Origin
	resp     *kmsg.ProduceResponse
	deadline sim.Time
	parts    []producedPart
}

// producedPart is one partition of a produce: what it waits for, and its place
// in the response.
type producedPart struct {
	tp       tp
	required int64 // high watermark at which it is done
	topic    int
	index    int
	done     bool
}

// appended does what an append may set free: fetches that wait for data, and
// the high watermark where the leader is alone.
func (b *Broker) appended(parts []producedPart) {
	for _, part := range parts {
		p := b.partitions[part.tp]
		moved := b.maybeMoveHW(p)
		b.tryFetches(p)
		if moved {
			b.hwMoved(p)
		}
		b.armShrink(p)
		b.logChanged(p)
	}
	b.points.dirty(b, checkpointRecovery)
}

func (b *Broker) parkProduce(req sim.Request, msg *kmsg.ProduceRequest, resp *kmsg.ProduceResponse, parts []producedPart) {
	b.waiting++
	d := &delayedProduce{id: b.waiting, origin: req.Origin, resp: resp, parts: parts, deadline: b.ctx.Now() + int64(msg.TimeoutMillis)}
	if b.tryProduce(d) {
		return
	}
	b.produces = append(b.produces, d)
	b.ctx.SetTimer("produce/"+strconv.FormatInt(d.id, 10), int64(msg.TimeoutMillis))
	for _, part := range parts {
		b.emit(trace.ProduceParked{Partition: part.tp.String(), Required: part.required, TimeoutMs: int64(msg.TimeoutMillis)})
	}
}

// tryProduce answers a delayed produce if each of its partitions is done.
// Source: DelayedProduce#tryComplete, Partition#checkEnoughReplicasReachOffset.
func (b *Broker) tryProduce(d *delayedProduce) bool {
	all := true
	for i := range d.parts {
		part := &d.parts[i]
		if part.done {
			continue
		}
		code, done := b.checkProduced(part)
		if !done {
			all = false
			continue
		}
		part.done = true
		if code != kerror.None {
			d.answer(part).ErrorCode = int16(code)
		}
	}
	if all {
		b.answerProduce(d.origin, d.resp)
	}
	return all
}

func (b *Broker) checkProduced(part *producedPart) (kerror.Code, bool) {
	p := b.partitions[part.tp]
	switch {
	case p == nil && b.image.Topic(part.tp.topic) == nil:
		return kerror.UnknownTopicOrPartition, true
	case p == nil || !p.leads(b.ID):
		return kerror.NotLeaderOrFollower, true
	case p.log.HighWatermark() < part.required:
		return kerror.None, false
	case len(p.maximalIsr()) < p.effectiveMinIsr():
		return kerror.NotEnoughReplicasAfterAppend, true
	}
	return kerror.None, true
}

func (d *delayedProduce) answer(part *producedPart) *kmsg.ProduceResponseTopicPartition {
	return &d.resp.Topics[part.topic].Partitions[part.index]
}

// tryProduces looks at the produces that wait for a partition.
func (b *Broker) tryProduces(p *Partition) {
	b.produces = slices.DeleteFunc(b.produces, func(d *delayedProduce) bool {
		if !slices.ContainsFunc(d.parts, func(part producedPart) bool { return part.tp == p.tp }) || !b.tryProduce(d) {
			return false
		}
		b.ctx.CancelTimer("produce/" + strconv.FormatInt(d.id, 10))
		return true
	})
}

// produceTimedOut answers REQUEST_TIMED_OUT for what is not done; the records
// stay in the log and may be committed later.
func (b *Broker) produceTimedOut(key string) {
	b.produces = slices.DeleteFunc(b.produces, func(d *delayedProduce) bool {
		if strconv.FormatInt(d.id, 10) != key {
			return false
		}
		for i := range d.parts {
			if !d.parts[i].done {
				d.answer(&d.parts[i]).ErrorCode = int16(kerror.RequestTimedOut)
				b.refuse("Produce", d.parts[i].tp, &kerror.Error{Code: kerror.RequestTimedOut})
			}
		}
		b.answerProduce(d.origin, d.resp)
		return true
	})
}
