package client

import (
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/sim"
	"kafkalab/engine/trace"
)

// produceRequest is a produce that is under way.
type produceRequest struct {
	batches []*outBatch
	ids     [][16]byte // of their topics, as they were when it was sent
}

// send puts batches into one request to the leader of all of them.
func (p *Producer) send(ctx *sim.Ctx, leader int32, batches []*outBatch) {
	req := kmsg.NewPtrProduceRequest()
	req.Version, req.Acks, req.TimeoutMillis = 13, p.acks, int32(p.requestMs)
	r := &produceRequest{batches: batches}
	for _, b := range batches {
		id := p.meta.topics[b.topic].id
		r.ids = append(r.ids, id)
		if n := len(req.Topics); n == 0 || req.Topics[n-1].TopicID != id {
			t := kmsg.NewProduceRequestTopic()
			t.TopicID = id
			req.Topics = append(req.Topics, t)
		}
		part := kmsg.NewProduceRequestTopicPartition()
		part.Partition, part.Records = b.partition, b.bytes
		t := &req.Topics[len(req.Topics)-1]
		t.Partitions = append(t.Partitions, part)
		b.attempts++
		b.underWay = true
		b.event = ctx.Emit(trace.BatchSent{Partition: b.name(), Leader: leader, Records: b.count, Sequence: b.sequence, Attempt: b.attempts})
		p.lastSent = b
	}
	f := p.net.send(ctx, leader, req, r, p.acks != 0)
	p.net.links[leader].produced = true
	if p.acks == 0 {
		p.answered(ctx, r, f)
	}
}

// answered takes the end of a request: an answer, or none with acks=0, or the
// end of its connection (Sender#handleProduceResponse).
func (p *Producer) answered(ctx *sim.Ctx, r *produceRequest, f *flight) {
	msg, _ := f.answer.(*kmsg.ProduceResponse)
	if msg != nil {
		p.stats.LatencyMs = ctx.Now() - f.sent
	}
	for i, b := range r.batches {
		switch {
		case f.code == kerror.RequestTimedOut:
			p.complete(ctx, b, -1, kerror.New(f.code, "Disconnected from node %d due to timeout", f.node))
		case f.code != kerror.None:
			p.complete(ctx, b, -1, kerror.New(f.code, "Disconnected from node %d", f.node))
		case msg == nil:
			p.complete(ctx, b, -1, nil)
		default:
			p.readPart(ctx, b, findPart(msg, r.ids[i], b.partition))
		}
	}
	if msg == nil {
		return
	}
	var endpoints []int32
	for i := range msg.Brokers {
		endpoints = append(endpoints, msg.Brokers[i].NodeID)
	}
	for i, b := range r.batches {
		part := findPart(msg, r.ids[i], b.partition)
		if part == nil || !leaderMoved(kerror.Code(part.ErrorCode)) {
			continue
		}
		p.meta.moved(b.key(), part.CurrentLeader.LeaderID, part.CurrentLeader.LeaderEpoch, endpoints)
	}
}

// leaderMoved tells whether an error comes with the name of the new leader
// (KIP-951).
func leaderMoved(code kerror.Code) bool {
	return code == kerror.NotLeaderOrFollower || code == kerror.FencedLeaderEpoch
}

func (p *Producer) readPart(ctx *sim.Ctx, b *outBatch, part *kmsg.ProduceResponseTopicPartition) {
	if part == nil {
		p.complete(ctx, b, -1, kerror.New(kerror.UnknownServerError, "the answer says nothing of %s", b.name()))
		return
	}
	var kerr *kerror.Error
	if code := kerror.Code(part.ErrorCode); code != kerror.None {
		kerr = &kerror.Error{Code: code}
		if part.ErrorMessage != nil {
			kerr.Message = *part.ErrorMessage
		}
	}
	p.complete(ctx, b, part.BaseOffset, kerr)
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

// complete takes what came of a batch that was sent: its offset, another
// attempt, or its end (Sender#completeBatch).
func (p *Producer) complete(ctx *sim.Ctx, b *outBatch, base int64, kerr *kerror.Error) {
	switch {
	case kerr == nil || kerr.Code == kerror.DuplicateSequenceNumber:
		p.finish(ctx, b, base, nil)
	case p.canRetry(ctx, b, kerr.Code):
		p.sendLater(ctx, b, kerr.Code)
	default:
		p.finish(ctx, b, -1, kerr)
	}
	if kerr != nil && invalidMetadata(kerr.Code) {
		p.meta.full = true
	}
}

// canRetry tells whether the error, the number of attempts and the time left
// allow a batch to be sent again (Sender#canRetry).
func (p *Producer) canRetry(ctx *sim.Ctx, b *outBatch, code kerror.Code) bool {
	if b.done || b.retried >= p.retries || ctx.Now()-b.created >= p.deliveryMs {
		return false
	}
	return code.Retriable() || p.idempotent && p.retriable(b, code)
}

// sendLater puts a batch back into its queue, to be sent again after a back-off.
func (p *Producer) sendLater(ctx *sim.Ctx, b *outBatch, code kerror.Code) {
	b.retried++
	b.waits = ctx.Now()
	b.underWay, b.code = false, code
	p.stats.LastError = code
	if b.resent {
		p.again = append(p.again, b)
	} else {
		p.requeue(b)
	}
	b.event = ctx.Emit(trace.BatchRetried{Partition: b.name(), Error: code.String(), BackoffMs: p.backoff.after(b.retried-1, nil)})
}

// finish books a batch's end for each call that has records in it. A batch has
// one end: what is heard of it later counts for its sequences alone.
func (p *Producer) finish(ctx *sim.Ctx, b *outBatch, base int64, kerr *kerror.Error) {
	code := kerror.None
	if kerr != nil {
		code = kerr.Code
	}
	if b.done {
		if kerr == nil {
			p.acknowledge(b)
		}
		return
	}
	if kerr != nil {
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

// sendAgain makes a copy of the last batch, with the sequence that it had, to be
// sent once more.
func (p *Producer) sendAgain(ctx *sim.Ctx, k *sending) {
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
	b.created, b.waits, b.retried = ctx.Now(), ctx.Now(), 0
	b.underWay, b.done, b.base, b.code, b.resent = false, false, -1, kerror.None, true
	p.meta.add(b.topic, ctx.Now())
	p.again = append(p.again, &b)
}

// sendRetries sends what the command retry asked for.
func (p *Producer) sendRetries(ctx *sim.Ctx) (sent bool) {
	left := p.again[:0:0]
	for _, b := range p.again {
		leader, epoch, known := p.meta.leader(b.key())
		b.news(epoch)
		switch {
		case !known:
			p.meta.full = true
			left = append(left, b)
		case p.backingOff(ctx.Now(), b) || !p.reach(ctx, leader):
			left = append(left, b)
		default:
			p.send(ctx, leader, []*outBatch{b})
			sent = true
		}
	}
	p.again = left
	return sent
}
