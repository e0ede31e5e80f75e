package client

import (
	"maps"
	"math"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/sim"
	"kafkalab/engine/trace"
)

// drain sends what is ready: one request for each leader, in it at most one
// batch of a partition (Sender#sendProducerData, RecordAccumulator#drain).
func (p *Producer) drain(ctx *sim.Ctx) {
	for {
		byLeader := map[int32][]*outBatch{}
		var leaders []int32
		for _, k := range p.acc.order {
			if p.hold(ctx.Now(), k) != HoldNone {
				continue
			}
			leader, _ := p.leader(k)
			if byLeader[leader] == nil {
				leaders = append(leaders, leader)
			}
			b := p.acc.queues[k][0]
			p.acc.queues[k] = p.acc.queues[k][1:]
			byLeader[leader] = append(byLeader[leader], b)
		}
		if len(leaders) == 0 {
			return
		}
		for _, leader := range leaders {
			p.send(ctx, leader, byLeader[leader])
		}
	}
}

func (p *Producer) leader(k partitionKey) (int32, bool) {
	r, ok := p.routes[k.topic]
	if !ok || int(k.partition) >= len(r.leaders) || r.leaders[k.partition] < 0 {
		return 0, false
	}
	return r.leaders[k.partition], true
}

// muted tells whether a partition waits for a batch of its own that is under
// way: with one request in flight for order's sake, an idempotent producer by
// what its sequences allow.
func (p *Producer) muted(k partitionKey) bool {
	if p.idempotent && p.holds(k, p.acc.queues[k][0]) {
		return true
	}
	if p.maxInFlight > 1 {
		return false
	}
	// order: any one decides
	for _, r := range p.requests {
		for _, b := range r.batches {
			if b.key() == k && !b.done {
				return true
			}
		}
	}
	return false
}

func (p *Producer) send(ctx *sim.Ctx, leader int32, batches []*outBatch) {
	req := kmsg.NewPtrProduceRequest()
	req.Version, req.Acks, req.TimeoutMillis = 13, p.acks, int32(p.requestMs)
	for _, b := range batches {
		if b.builder != nil {
			p.closeBatch(ctx, b, ReasonLinger)
		}
		p.number(b)
		b.attempts++
		id := p.routes[b.topic].id
		if n := len(req.Topics); n == 0 || req.Topics[n-1].TopicID != id {
			t := kmsg.NewProduceRequestTopic()
			t.TopicID = id
			req.Topics = append(req.Topics, t)
		}
		part := kmsg.NewProduceRequestTopicPartition()
		part.Partition, part.Records = b.partition, b.bytes
		t := &req.Topics[len(req.Topics)-1]
		t.Partitions = append(t.Partitions, part)
		b.underWay = true
		b.event = ctx.Emit(trace.BatchSent{Partition: b.name(), Leader: leader, Records: b.count, Sequence: b.sequence, Attempt: b.attempts})
		p.lastSent = b
	}
	if p.acks == 0 {
		ctx.Cast(p.Name(leader), sim.ConnClient, req)
		for _, b := range batches {
			p.finish(ctx, b, -1, nil)
		}
		return
	}
	corr := ctx.Send(p.Name(leader), sim.ConnClient, req)
	p.requests[corr] = &request{broker: leader, batches: batches, sent: ctx.Now(), deadline: ctx.Now() + p.requestMs}
	p.inFlight[leader]++
}

func (p *Producer) answered(ctx *sim.Ctx, corr int32, msg *kmsg.ProduceResponse) {
	r := p.requests[corr]
	if r == nil {
		return
	}
	p.forget(corr, r)
	p.stats.LatencyMs = ctx.Now() - r.sent
	for _, b := range r.batches {
		if b.done {
			continue // it was given up before
		}
		part := findPart(msg, p.routes[b.topic].id, b.partition)
		if part == nil {
			p.retryOrFail(ctx, b, kerror.New(kerror.UnknownServerError, "the answer says nothing of %s", b.name()))
			continue
		}
		code := kerror.Code(part.ErrorCode)
		switch {
		case code == kerror.None || code == kerror.DuplicateSequenceNumber:
			p.finish(ctx, b, part.BaseOffset, nil)
		default:
			kerr := &kerror.Error{Code: code}
			if part.ErrorMessage != nil {
				kerr.Message = *part.ErrorMessage
			}
			p.retryOrFail(ctx, b, kerr)
		}
	}
}

func (p *Producer) forget(corr int32, r *request) {
	delete(p.requests, corr)
	p.inFlight[r.broker]--
}

func findPart(msg *kmsg.ProduceResponse, id [16]byte, partition int32) *kmsg.ProduceResponseTopicPartition {
	for ti := range msg.Topics {
		if msg.Topics[ti].TopicID != id {
			continue
		}
		for pi := range msg.Topics[ti].Partitions {
			if msg.Topics[ti].Partitions[pi].Partition == partition {
				return &msg.Topics[ti].Partitions[pi]
			}
		}
	}
	return nil
}

// retryOrFail sends a batch again if the error and the time left allow it.
// Source: Sender#completeBatch, #canRetry.
func (p *Producer) retryOrFail(ctx *sim.Ctx, b *outBatch, kerr *kerror.Error) {
	left := b.attempts <= p.retries && ctx.Now()-b.created < p.deliveryMs
	again := kerr.Code.Retriable() || left && p.idempotent && kerr.Code == kerror.OutOfOrderSequenceNumber && p.retriable(b)
	if !again || !left {
		p.finish(ctx, b, -1, kerr)
		return
	}
	wait := min(p.backoffMs<<min(b.attempts-1, 20), p.backoffMaxMs)
	b.readyAt = ctx.Now() + wait
	b.underWay, b.code = false, kerr.Code
	b.event = ctx.Emit(trace.BatchRetried{Partition: b.name(), Error: kerr.Code.String(), BackoffMs: wait})
	p.stats.LastError = kerr.Code
	p.acc.requeue(b)
	p.attempt++
	p.askMetadata(ctx, b.topic)
}

// finish books a batch's end for each call that has records in it.
func (p *Producer) finish(ctx *sim.Ctx, b *outBatch, base int64, kerr *kerror.Error) {
	code := kerror.None
	if kerr != nil {
		code = kerr.Code
		p.stats.Failed += b.count
	} else {
		p.stats.Acked += b.count
	}
	p.stats.LastError = code
	p.ended(b, code)
	if b.builder != nil {
		b.reason, b.closedAt = ReasonExpired, ctx.Now()
		p.keep(b)
	}
	b.underWay, b.done, b.base, b.code = false, true, base, code
	b.event = ctx.Emit(trace.BatchDone{Partition: b.name(), Records: b.count, Base: base, Error: code.String(), AgeMs: ctx.Now() - b.created})
	for i := 0; i < len(b.calls); {
		n := 1
		for i+n < len(b.calls) && b.calls[i+n] == b.calls[i] {
			n++
		}
		at := base
		if base >= 0 {
			at += int64(i)
		}
		b.calls[i].book(ctx, b.partition, at, n, kerr)
		i += n
	}
}

// book adds n records' end to a call's outcome.
func (k *sending) book(ctx *sim.Ctx, partition int32, base int64, n int, kerr *kerror.Error) {
	k.left -= n
	joined := false
	for i := range k.out.Parts {
		part := &k.out.Parts[i]
		if part.Partition == partition && part.Err == nil && kerr == nil && part.Base >= 0 && part.Base+int64(part.Count) == base {
			part.Count += n
			joined = true
		}
	}
	if !joined {
		k.out.Parts = append(k.out.Parts, ProducedPart{Partition: partition, Base: base, Count: n, Err: kerr})
	}
	if k.left <= 0 && !k.out.Answered {
		k.out.Answered, k.out.LatencyMs = true, ctx.Now()-k.started
	}
}

// again sends the last batch once more with the sequence that it had.
func (p *Producer) again(ctx *sim.Ctx, k *sending) {
	if p.lastSent == nil {
		p.fail(k, kerror.New(kerror.InvalidRequest, "this producer has sent nothing yet"))
		return
	}
	b := *p.lastSent
	k.Topic, k.out.Topic, k.left = b.topic, b.topic, b.count
	b.calls = make([]*sending, b.count)
	for i := range b.calls {
		b.calls[i] = k
	}
	b.created, b.readyAt = ctx.Now(), 0
	b.done, b.base, b.code, b.resent = false, -1, kerror.None, true
	leader, ok := p.leader(b.key())
	if !ok {
		p.fail(k, &kerror.Error{Code: kerror.LeaderNotAvailable})
		return
	}
	p.send(ctx, leader, []*outBatch{&b})
}

// lost is a request without an answer.
func (p *Producer) lost(ctx *sim.Ctx, corr int32, code kerror.Code) {
	if r := p.requests[corr]; r != nil {
		p.forget(corr, r)
		for _, b := range r.batches {
			if !b.done {
				p.retryOrFail(ctx, b, &kerror.Error{Code: code})
			}
		}
		return
	}
	if q, ok := p.asked[corr]; ok {
		delete(p.asked, corr)
		p.attempt++
		p.askAt = ctx.Now() + p.backoffMs
		if q.topic == "" {
			p.idAsked = false
		}
	}
}

// expire gives up what has taken too long: requests after request.timeout.ms,
// batches after delivery.timeout.ms; and asks again for what is still missing.
func (p *Producer) expire(ctx *sim.Ctx) {
	for _, corr := range slices.Sorted(maps.Keys(p.requests)) {
		if r := p.requests[corr]; r != nil && r.deadline <= ctx.Now() {
			p.lost(ctx, corr, kerror.RequestTimedOut)
		}
	}
	for _, corr := range slices.Sorted(maps.Keys(p.asked)) {
		if p.asked[corr].deadline <= ctx.Now() {
			p.lost(ctx, corr, kerror.RequestTimedOut)
		}
	}
	for _, corr := range slices.Sorted(maps.Keys(p.requests)) {
		for _, b := range p.requests[corr].batches {
			if !b.done {
				p.giveUp(ctx, b)
			}
		}
	}
	for _, k := range p.acc.order {
		p.acc.queues[k] = slices.DeleteFunc(p.acc.queues[k], func(b *outBatch) bool { return p.giveUp(ctx, b) })
	}
	p.waiting = slices.DeleteFunc(p.waiting, func(k *sending) bool {
		if ctx.Now()-k.started < p.maxBlockMs {
			return false
		}
		p.fail(k, kerror.New(kerror.RequestTimedOut, "Topic %s not present in metadata after %d ms.", k.Topic, p.maxBlockMs))
		return true
	})
	if p.idempotent && p.id < 0 && !p.idAsked && (len(p.waiting) > 0 || len(p.acc.order) > 0) {
		p.askID(ctx)
	}
	for _, k := range p.waiting {
		p.askMetadata(ctx, k.Topic)
	}
	for _, k := range p.acc.order {
		if _, ok := p.leader(k); !ok && len(p.acc.queues[k]) > 0 {
			p.askMetadata(ctx, k.topic)
		}
	}
}

// giveUp ends a batch after delivery.timeout.ms, queued or under way
// (Sender#sendProducerData).
func (p *Producer) giveUp(ctx *sim.Ctx, b *outBatch) bool {
	age := ctx.Now() - b.created
	if age < p.deliveryMs {
		return false
	}
	b.expired = true
	p.finish(ctx, b, -1, kerror.New(kerror.RequestTimedOut, "Expiring %d record(s) for %s-%d:%d ms has passed since batch creation. The request has not been sent, or no server response has been received yet.", b.count, b.topic, b.partition, age))
	return true
}

// arm sets the timer for the next thing that is due.
func (p *Producer) arm(ctx *sim.Ctx) {
	next, due := int64(math.MaxInt64), false
	soon := func(at sim.Time, work bool) {
		if at < next {
			next, due = at, work
		}
	}
	for _, k := range p.acc.order {
		for i, b := range p.acc.queues[k] {
			soon(b.created+p.deliveryMs, false)
			if i > 0 {
				continue
			}
			if _, ok := p.leader(k); !ok {
				soon(ctx.Now()+p.backoffMs, true)
			} else if at := max(b.readyAt, lingered(b, p.lingerMs)); at > ctx.Now() {
				soon(at, true)
			}
		}
	}
	// order: the earliest is the earliest in any
	for _, r := range p.requests {
		soon(r.deadline, false)
		for _, b := range r.batches {
			if !b.done {
				soon(b.created+p.deliveryMs, false)
			}
		}
	}
	// order: the earliest is the earliest in any
	for _, q := range p.asked {
		soon(q.deadline, false)
	}
	for _, k := range p.waiting {
		soon(k.started+p.maxBlockMs, false)
	}
	if len(p.waiting) > 0 || (p.idempotent && p.id < 0 && !p.idAsked) {
		if len(p.asked) == 0 {
			soon(ctx.Now()+p.backoffMs, true)
		}
	}
	switch {
	case next == math.MaxInt64:
		ctx.CancelTimer("wake")
	case due:
		ctx.SetTimer("wake", max(next-ctx.Now(), 0))
	default:
		ctx.SetPeriodic("wake", max(next-ctx.Now(), 0))
	}
}

func lingered(b *outBatch, lingerMs int64) sim.Time {
	if b.builder == nil {
		return 0
	}
	return b.created + lingerMs
}
