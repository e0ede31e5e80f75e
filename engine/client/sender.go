package client

import (
	"math"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/sim"
	"kafkalab/engine/trace"
)

// run does what can be done now, until nothing more can: it is one round of
// Kafka's sender thread after the other (Sender#runOnce).
func (p *Producer) run(ctx *sim.Ctx) {
	for more := true; more; {
		p.resolve(ctx)
		p.askID(ctx)
		p.refresh(ctx)
		more = p.sendProducerData(ctx)
		more = p.expire(ctx) || more
	}
}

// busy tells whether the producer has something to do. Kafka's sender goes on
// for ever to look for brokers that are gone, and to ask for the producer id;
// here it does so for max.block.ms, and then waits until there is something to
// send, so that idle time costs nothing.
func (p *Producer) busy(now sim.Time) bool {
	return p.pressing() || p.warming(now) || p.net.requests() > 0
}

// pressing tells whether the application waits for something to be sent.
func (p *Producer) pressing() bool {
	return len(p.waiting) > 0 || len(p.again) > 0 || p.acc.undrained()
}

// warming tells whether what a new producer needs is still missing.
func (p *Producer) warming(now sim.Time) bool {
	return now < p.warmUntil && (len(p.meta.brokers) == 0 || p.idempotent && p.id < 0)
}

// refresh asks for metadata when it is time to (NetworkClient's
// DefaultMetadataUpdater#maybeUpdate).
func (p *Producer) refresh(ctx *sim.Ctx) {
	now := ctx.Now()
	if !p.meta.due(now) || !p.busy(now) && !p.meta.retains(now) {
		return
	}
	node, ok := p.net.leastLoaded(now, p.meta.nodes())
	switch {
	case !ok:
	case p.net.canSend(node):
		req, what := p.meta.request()
		p.net.send(ctx, node, req, what, true)
	case !p.net.connecting():
		p.net.connect(ctx, node)
	}
}

// askID asks any broker for a producer id, after an error not before
// retry.backoff.ms have passed (Sender#maybeSendAndPollTransactionalRequest).
func (p *Producer) askID(ctx *sim.Ctx) {
	if !p.idempotent || p.id >= 0 || p.idAsked || ctx.Now() < p.idAt || !p.busy(ctx.Now()) {
		return
	}
	node, ok := p.net.leastLoaded(ctx.Now(), p.meta.nodes())
	switch {
	case !ok:
	case p.net.canSend(node):
		req := kmsg.NewPtrInitProducerIDRequest()
		req.Version, req.ProducerID, req.ProducerEpoch = 4, -1, -1
		req.TransactionTimeoutMillis = math.MaxInt32
		p.idAsked = true
		p.net.send(ctx, node, req, idRequest{}, true)
	default:
		p.net.connect(ctx, node)
	}
}

// sendProducerData sends a request to each node for which there is something
// to send, if its connection is there and has room; a missing connection is
// begun, a missing leader asked for (Sender#sendProducerData).
func (p *Producer) sendProducerData(ctx *sim.Ctx) (sent bool) {
	now := ctx.Now()
	nodes, leaderless := p.readyNodes(now)
	for _, topic := range leaderless {
		p.meta.add(topic, now)
		p.meta.full = true
	}
	if len(leaderless) > 0 {
		p.refresh(ctx)
	}
	sent = p.sendRetries(ctx)
	for _, node := range nodes {
		if !p.reach(ctx, node) {
			continue
		}
		if batches := p.drain(ctx, node); len(batches) > 0 {
			p.send(ctx, node, batches)
			sent = true
		}
	}
	return sent
}

// reach tells whether a node can be sent to, and begins a connection if there
// is none. While metadata is due it comes first (NetworkClient#ready).
func (p *Producer) reach(ctx *sim.Ctx, node int32) bool {
	times := p.acc.nodes[node]
	if times == nil {
		times = &nodeTimes{ready: ctx.Now(), drained: ctx.Now()}
		p.acc.nodes[node] = times
	}
	times.ready = ctx.Now()
	if p.net.canSend(node) && !p.meta.due(ctx.Now()) {
		times.drained = ctx.Now()
		return true
	}
	p.net.connect(ctx, node)
	return false
}

// muted tells whether a partition waits for a request of its own that is under
// way: with one request in flight, for order's sake
// (RecordAccumulator#mutePartition).
func (p *Producer) muted(k partitionKey) bool {
	if p.maxInFlight > 1 {
		return false
	}
	// order: any one decides
	for _, l := range p.net.links {
		for _, f := range l.flights {
			if r, ok := f.what.(*produceRequest); ok && slices.ContainsFunc(r.batches, func(b *outBatch) bool { return b.key() == k }) {
				return true
			}
		}
	}
	return false
}

// over handles the requests that came to their end, and the end of
// connections.
func (p *Producer) over(ctx *sim.Ctx, done []*flight, lost bool) {
	if lost {
		if p.meta.due(ctx.Now()) {
			p.meta.failed(ctx.Now())
		}
		p.meta.full = true
	}
	for _, f := range done {
		switch what := f.what.(type) {
		case metadataRequest:
			p.learn(ctx, what, f)
		case idRequest:
			p.identified(ctx, f)
		case *produceRequest:
			p.answered(ctx, what, f)
		}
	}
}

func (p *Producer) learn(ctx *sim.Ctx, what metadataRequest, f *flight) {
	msg, ok := f.answer.(*kmsg.MetadataResponse)
	if !ok {
		p.meta.failed(ctx.Now())
		p.net.turn++
		return
	}
	if p.meta.learn(ctx.Now(), what, msg); p.meta.same > 1 {
		p.net.turn++ // another one may know more
	}
	p.goOn(ctx)
}

func (p *Producer) identified(ctx *sim.Ctx, f *flight) {
	p.idAsked = false
	msg, ok := f.answer.(*kmsg.InitProducerIDResponse)
	if !ok || msg.ErrorCode != 0 {
		p.idAt = ctx.Now() + p.backoff.first
		return
	}
	p.id, p.epoch = msg.ProducerID, msg.ProducerEpoch
	ctx.Emit(trace.ProducerIDGranted{ID: p.id, Epoch: p.epoch})
}

// expire gives up the batches whose delivery.timeout.ms is over: those in the
// queues first, then those under way, whose requests go on.
func (p *Producer) expire(ctx *sim.Ctx) (any bool) {
	for _, k := range p.acc.order {
		for len(p.acc.queues[k]) > 0 && p.giveUp(ctx, p.acc.queues[k][0]) {
			p.acc.queues[k], any = p.acc.queues[k][1:], true
		}
	}
	for len(p.again) > 0 && p.giveUp(ctx, p.again[0]) {
		p.again, any = p.again[1:], true
	}
	for _, l := range p.net.all() {
		for _, f := range l.flights {
			r, ok := f.what.(*produceRequest)
			if !ok {
				continue
			}
			for _, b := range r.batches {
				any = !b.done && p.giveUp(ctx, b) || any
			}
		}
	}
	return any
}

func (p *Producer) giveUp(ctx *sim.Ctx, b *outBatch) bool {
	age := ctx.Now() - b.created
	if age < p.deliveryMs {
		return false
	}
	b.expired = true
	p.finish(ctx, b, -1, kerror.New(kerror.RequestTimedOut, "Expiring %d record(s) for %s-%d:%d ms has passed since batch creation. The request has not been sent, or no server response has been received yet.", b.count, b.topic, b.partition, age))
	return true
}
