package client

import (
	"maps"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/record"
	"kafkalab/engine/sim"
)

// Produce is a call that writes records to a topic.
type Produce struct {
	Topic     string
	Partition int32 // -1: the partitioner decides
	Count     int
	Key       *string // {n} is the running number; nil for a null key
	Value     string
	Size      int // bytes of the value instead, -1 for none
	Tombstone bool
	Headers   []record.Header
	Timestamp *int64 // ms since the Unix epoch; nil for the time of the call
	Acks      int16  // 0, 1, -1 for all
	Batch     int    // records a batch, 0 for one batch a partition
	TimeoutMs int32  // request.timeout.ms
	NoWait    bool   // the call is over when the requests are on their way
}

// Produced is what came of a Produce.
type Produced struct {
	Topic     string
	Acks      int16
	Parts     []ProducedPart // in the order in which partitions were first written
	Err       *kerror.Error  // of the topic as a whole
	LatencyMs int64          // from the first request to the last answer
	Answered  bool
}

// ProducedPart is one partition's share.
type ProducedPart struct {
	Partition int32
	Base      int64 // first offset given, -1 when unknown
	Count     int   // records
	Err       *kerror.Error
}

type producing struct {
	Produce
	out      Produced
	route    route
	pending  []outgoing
	underway map[int32]outgoing // by correlation id
	calledMs int64
	first    sim.Time
	sent     bool
	attempt  int
}

type outgoing struct {
	partition int32
	count     int
	batch     record.Batch
	sent      sim.Time
}

// maxInFlight is max.in.flight.requests.per.connection.
const maxInFlight = 5

func (p Produce) begin() call {
	return &producing{Produce: p, underway: map[int32]outgoing{}, out: Produced{Topic: p.Topic, Acks: p.Acks}}
}

func (k *producing) finished() bool {
	return k.out.Answered || (k.NoWait && k.sent && len(k.pending) == 0)
}

// outcome is what came of the call so far: of what is still under way, only
// that it was sent.
func (k *producing) outcome() *Produced {
	out := k.out
	for _, corr := range slices.Sorted(maps.Keys(k.underway)) {
		o := k.underway[corr]
		out.Parts = append(out.Parts, ProducedPart{Partition: o.partition, Base: -1, Count: o.count})
	}
	return &out
}

func (k *producing) start(c *Client, ctx *sim.Ctx) {
	k.calledMs = ctx.WallMs()
	c.askMetadata(ctx, k, k.Topic, 0)
}

// lost tries another broker when nobody has told the metadata; a produce that
// is not answered is not tried again: this client has no retries.
func (k *producing) lost(c *Client, ctx *sim.Ctx, corr int32, code kerror.Code) {
	if !k.sent {
		if k.attempt++; k.attempt < len(c.Bootstrap) {
			c.askMetadata(ctx, k, k.Topic, k.attempt)
			return
		}
		k.fail(c, &kerror.Error{Code: code})
		return
	}
	out, ok := k.underway[corr]
	if !ok {
		return
	}
	delete(k.underway, corr)
	c.inFlight--
	c.latency = ctx.Now() - out.sent
	k.settle(c, out, -1, &kerror.Error{Code: code})
	k.sendMore(c, ctx)
}

func (k *producing) answer(c *Client, ctx *sim.Ctx, ev sim.Response) {
	switch msg := ev.Msg.(type) {
	case *kmsg.MetadataResponse:
		k.routed(c, ctx, msg)
	case *kmsg.ProduceResponse:
		k.produced(c, ctx, ev, msg)
	}
}

// routed makes the batches, now that the partitions and their leaders are
// known, and sends the first of them.
func (k *producing) routed(c *Client, ctx *sim.Ctx, msg *kmsg.MetadataResponse) {
	var kerr *kerror.Error
	if k.route, kerr = readMetadata(msg); kerr == nil && int(k.Partition) >= len(k.route.leaders) {
		kerr = &kerror.Error{Code: kerror.UnknownTopicOrPartition}
	}
	if kerr != nil {
		k.fail(c, kerr)
		return
	}
	if err := k.build(c, ctx); err != nil {
		k.fail(c, kerror.New(kerror.InvalidRecord, "%v", err))
		return
	}
	k.first = ctx.Now()
	k.sendMore(c, ctx)
}

func (k *producing) fail(c *Client, kerr *kerror.Error) {
	k.out.Err, k.out.Answered = kerr, true
	c.failed += k.Count
	c.lastError = kerr.Code
}

// sendMore sends what may be on its way at once.
func (k *producing) sendMore(c *Client, ctx *sim.Ctx) {
	for len(k.pending) > 0 && len(k.underway) < maxInFlight {
		out := k.pending[0]
		k.pending = k.pending[1:]
		k.send(c, ctx, out)
	}
	k.sent = true
	if len(k.pending) == 0 && len(k.underway) == 0 && !k.out.Answered {
		k.out.Answered = true
		k.out.LatencyMs = ctx.Now() - k.first
	}
}

func (k *producing) send(c *Client, ctx *sim.Ctx, out outgoing) {
	leader := k.route.leaders[out.partition]
	if leader < 0 {
		k.settle(c, out, -1, &kerror.Error{Code: kerror.LeaderNotAvailable})
		return
	}
	req := kmsg.NewPtrProduceRequest()
	req.Version, req.Acks, req.TimeoutMillis = 13, k.Acks, k.TimeoutMs
	t := kmsg.NewProduceRequestTopic()
	t.TopicID = k.route.id
	p := kmsg.NewProduceRequestTopicPartition()
	p.Partition, p.Records = out.partition, out.batch
	t.Partitions = append(t.Partitions, p)
	req.Topics = append(req.Topics, t)
	out.sent = ctx.Now()
	to := c.Name(leader)
	switch {
	case k.Acks != 0:
		k.underway[c.send(ctx, k, to, sim.ConnClient, req)] = out
	case !c.reached[to]:
		k.underway[c.knock(ctx, k, to)] = out
	default:
		ctx.Cast(to, sim.ConnClient, req)
		k.settle(c, out, -1, nil)
		return
	}
	c.inFlight++
}

// reached sends a produce that waited for a connection.
func (k *producing) reached(c *Client, ctx *sim.Ctx, corr int32) {
	out := k.underway[corr]
	delete(k.underway, corr)
	c.inFlight--
	k.send(c, ctx, out)
	k.sendMore(c, ctx)
}

func (k *producing) produced(c *Client, ctx *sim.Ctx, ev sim.Response, msg *kmsg.ProduceResponse) {
	out, ok := k.underway[ev.Correlation]
	if !ok {
		return
	}
	delete(k.underway, ev.Correlation)
	c.inFlight--
	c.latency = ctx.Now() - out.sent
	p := &msg.Topics[0].Partitions[0]
	var kerr *kerror.Error
	if p.ErrorCode != 0 {
		kerr = &kerror.Error{Code: kerror.Code(p.ErrorCode)}
		if p.ErrorMessage != nil {
			kerr.Message = *p.ErrorMessage
		}
	}
	k.settle(c, out, p.BaseOffset, kerr)
	k.sendMore(c, ctx)
}

// settle books one batch's end. Batches of a partition that follow one another
// are one part of the outcome.
func (k *producing) settle(c *Client, out outgoing, base int64, kerr *kerror.Error) {
	c.lastError = kerror.None
	if kerr != nil {
		c.failed += out.count
		c.lastError = kerr.Code
	} else {
		c.acked += out.count
	}
	for i := range k.out.Parts {
		part := &k.out.Parts[i]
		if part.Partition != out.partition || (part.Err == nil) != (kerr == nil) {
			continue
		}
		if kerr != nil && part.Err.Code == kerr.Code {
			part.Count += out.count
			return
		}
		if kerr == nil && (base < 0 || part.Base+int64(part.Count) == base) {
			part.Count += out.count
			return
		}
	}
	k.out.Parts = append(k.out.Parts, ProducedPart{Partition: out.partition, Base: base, Count: out.count, Err: kerr})
}
