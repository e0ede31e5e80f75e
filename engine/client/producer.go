package client

import (
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/config"
	"kafkalab/engine/kerror"
	"kafkalab/engine/record"
	"kafkalab/engine/sim"
	"kafkalab/engine/trace"
)

// Producer is a producer as applications have them: it gathers records into
// batches, lets them linger, sends up to five requests at a time to a broker,
// and sends again what failed, in order and without duplicates.
// Source: KafkaProducer, RecordAccumulator, Sender, TransactionManager.
type Producer struct {
	Options
	acks       int16
	idempotent bool
	batchSize  int
	codec      record.Codec

	lingerMs, requestMs, deliveryMs, backoffMs, backoffMaxMs, maxBlockMs int64
	retries, maxInFlight, maxRequest                                     int

	id        int64
	epoch     int16
	idAsked   bool
	sequences map[partitionKey]*sequences
	routes    map[string]route
	acc       accumulator
	calls     map[int64]*sending
	waiting   []*sending // calls whose topic is not known yet
	asked     map[int32]question
	requests  map[int32]*request
	inFlight  map[int32]int // requests by broker
	sticky    stickyPartition
	attempt   int
	askAt     sim.Time // no questions before: nobody was there to answer the last one
	lastSent  *outBatch
	closed    []*outBatch // the newest closed ones, oldest first, for views
	stats     Stats
}

// question is a request for metadata or a producer id that is under way.
type question struct {
	topic    string // empty for a producer id
	deadline sim.Time
}

// request is a produce that is under way.
type request struct {
	broker   int32
	batches  []*outBatch
	sent     sim.Time
	deadline sim.Time
}

// sending is one call of the application's.
type sending struct {
	Produce
	out      Produced
	left     int // records that have no end yet
	started  sim.Time
	calledMs int64
	retrying bool
}

// NewProducer makes a producer with settings that config.ValidateClient has
// accepted.
func NewProducer(o Options, v config.Values) *Producer {
	codec, _ := record.ParseCodec(v.String("compression.type"))
	p := &Producer{
		Options: o, acks: acksOf(v.String("acks")), idempotent: v.Bool("enable.idempotence"),
		batchSize: int(v.Int("batch.size")), codec: codec, lingerMs: v.Int("linger.ms"),
		requestMs: v.Int("request.timeout.ms"), deliveryMs: v.Int("delivery.timeout.ms"), maxBlockMs: v.Int("max.block.ms"),
		backoffMs: v.Int("retry.backoff.ms"), backoffMaxMs: v.Int("retry.backoff.max.ms"), retries: int(v.Int("retries")),
		maxInFlight: int(v.Int("max.in.flight.requests.per.connection")), maxRequest: int(v.Int("max.request.size")),
		id: record.NoProducerID, epoch: record.NoProducerEpoch, sequences: map[partitionKey]*sequences{}, routes: map[string]route{},
		acc: accumulator{queues: map[partitionKey][]*outBatch{}}, calls: map[int64]*sending{}, asked: map[int32]question{},
		requests: map[int32]*request{}, inFlight: map[int32]int{}, stats: Stats{LatencyMs: -1},
	}
	return p
}

// acksOf reads the acks setting; all and -1 are the same.
func acksOf(s string) int16 {
	switch s {
	case "0":
		return 0
	case "1":
		return 1
	}
	return -1
}

// Retry is a call that has the producer send its last batch again, as after a
// lost answer.
type Retry struct{}

// Handle implements sim.Node.
func (p *Producer) Handle(ctx *sim.Ctx, ev sim.Event) {
	switch ev := ev.(type) {
	case sim.Call:
		p.call(ctx, ev)
	case sim.Response:
		p.response(ctx, ev)
	case sim.Disconnected:
		for _, corr := range ev.Correlations {
			p.lost(ctx, corr, kerror.NetworkException)
		}
	case sim.Timer:
		p.expire(ctx)
	}
	p.resolve(ctx)
	p.drain(ctx)
	p.arm(ctx)
}

func (p *Producer) call(ctx *sim.Ctx, ev sim.Call) {
	switch body := ev.Body.(type) {
	case Produce:
		k := &sending{Produce: body, left: body.Count, started: ctx.Now(), calledMs: ctx.WallMs(), out: Produced{Topic: body.Topic, Acks: p.acks}}
		p.calls[ev.ID] = k
		p.start(ctx, k)
	case Retry:
		k := &sending{left: 0, started: ctx.Now(), retrying: true, out: Produced{Acks: p.acks}}
		p.calls[ev.ID] = k
		p.again(ctx, k)
	}
}

// start gives a call's records their partitions, or asks for metadata first.
func (p *Producer) start(ctx *sim.Ctx, k *sending) {
	if p.idempotent && p.id < 0 && !p.idAsked {
		p.askID(ctx)
	}
	r, known := p.routes[k.Topic]
	if !known || len(r.leaders) == 0 {
		p.waiting = append(p.waiting, k)
		p.askMetadata(ctx, k.Topic)
		return
	}
	if int(k.Partition) >= len(r.leaders) {
		p.fail(k, kerror.New(kerror.UnknownTopicOrPartition, "Partition %d of topic %s with partition count %d is not present in metadata.", k.Partition, k.Topic, len(r.leaders)))
		return
	}
	timestamp := k.calledMs
	if k.Timestamp != nil {
		timestamp = *k.Timestamp
	}
	named := producing{Produce: k.Produce}
	for n := range k.Count {
		key, value := named.record(n)
		partition := k.Partition
		switch {
		case partition >= 0:
		case key != nil:
			partition = PartitionForKey(key, len(r.leaders))
		case len(r.leaders) == 1:
			partition = 0
		default:
			partition = p.sticky.next(k.Topic, len(r.leaders), len(value), ctx.Rand("partitioner"))
		}
		if size := len(key) + len(value) + record.HeaderSize + recordOverhead; size > p.maxRequest {
			p.fail(k, kerror.New(kerror.MessageTooLarge, "The message is %d bytes when serialized which is larger than %d, which is the value of the max.request.size configuration.", size, p.maxRequest))
			return
		}
		if err := p.append(ctx, k, partition, timestamp, key, value, k.Headers); err != nil {
			p.fail(k, kerror.New(kerror.InvalidRecord, "%v", err))
			return
		}
	}
}

func (p *Producer) fail(k *sending, kerr *kerror.Error) {
	k.out.Err, k.out.Answered = kerr, true
	p.stats.Failed += k.left
	p.stats.LastError = kerr.Code
	k.left = 0
}

func (p *Producer) askMetadata(ctx *sim.Ctx, topic string) {
	if ctx.Now() < p.askAt {
		return // the next wake-up asks
	}
	// order: only asks whether any matches.
	for _, q := range p.asked {
		if q.topic == topic {
			return
		}
	}
	req := kmsg.NewPtrMetadataRequest()
	req.Version = 13
	t := kmsg.NewMetadataRequestTopic()
	t.Topic = &topic
	req.Topics = append(req.Topics, t)
	to := p.Bootstrap[p.attempt%len(p.Bootstrap)]
	p.asked[ctx.Send(to, sim.ConnBootstrap, req)] = question{topic, ctx.Now() + p.requestMs}
}

func (p *Producer) askID(ctx *sim.Ctx) {
	if ctx.Now() < p.askAt {
		return // the next wake-up asks
	}
	p.idAsked = true
	req := kmsg.NewPtrInitProducerIDRequest()
	req.Version, req.ProducerID, req.ProducerEpoch = 4, -1, -1
	req.TransactionTimeoutMillis = 2147483647
	to := p.Bootstrap[p.attempt%len(p.Bootstrap)]
	p.asked[ctx.Send(to, sim.ConnBootstrap, req)] = question{"", ctx.Now() + p.requestMs}
}

func (p *Producer) response(ctx *sim.Ctx, ev sim.Response) {
	switch msg := ev.Msg.(type) {
	case *kmsg.MetadataResponse:
		q := p.asked[ev.Correlation]
		delete(p.asked, ev.Correlation)
		p.learn(ctx, q.topic, msg)
	case *kmsg.InitProducerIDResponse:
		delete(p.asked, ev.Correlation)
		if msg.ErrorCode != 0 {
			p.idAsked = false // asked again with the next wake-up
			return
		}
		p.id, p.epoch = msg.ProducerID, msg.ProducerEpoch
		ctx.Emit(trace.ProducerIDGranted{ID: p.id, Epoch: p.epoch})
	case *kmsg.ProduceResponse:
		p.answered(ctx, ev.Correlation, msg)
	}
}

// learn takes metadata of a topic and lets the calls go on that waited for it.
// A topic that is not there is asked for again, for max.block.ms.
func (p *Producer) learn(ctx *sim.Ctx, topic string, msg *kmsg.MetadataResponse) {
	r, kerr := readMetadata(msg)
	if kerr == nil {
		p.routes[topic] = r
	}
	waiting := p.waiting
	p.waiting = nil
	for _, k := range waiting {
		switch {
		case k.Topic != topic:
			p.waiting = append(p.waiting, k)
		case kerr == nil:
			p.start(ctx, k)
		case ctx.Now()-k.started >= p.maxBlockMs:
			p.fail(k, kerror.New(kerror.RequestTimedOut, "Topic %s not present in metadata after %d ms.", topic, p.maxBlockMs))
		default:
			p.waiting = append(p.waiting, k)
		}
	}
}

// Finished tells whether a call has its outcome.
func (p *Producer) Finished(id int64) bool {
	k := p.calls[id]
	return k != nil && (k.out.Answered || (k.NoWait && k.started >= 0))
}

// Outcome gives what came of a call, and forgets it.
func (p *Producer) Outcome(id int64) any {
	k := p.calls[id]
	if k == nil {
		return nil
	}
	delete(p.calls, id)
	if !k.out.Answered && len(k.out.Parts) == 0 {
		k.out.Parts = append(k.out.Parts, ProducedPart{Partition: max(k.Partition, 0), Base: -1, Count: k.Count})
	}
	return &k.out
}

// Stats counts records since the start.
func (p *Producer) Stats() Stats {
	s := p.stats
	s.InFlight = len(p.requests)
	return s
}

// ID is the producer id and epoch, -1 before they are granted.
func (p *Producer) ID() (id int64, epoch int16) { return p.id, p.epoch }

// NextSequence is the sequence that the next record for a partition gets; ok is
// false without idempotence.
func (p *Producer) NextSequence(topic string, partition int32) (sequence int32, ok bool) {
	if !p.idempotent {
		return 0, false
	}
	if s := p.sequences[partitionKey{topic, partition}]; s != nil {
		return s.next, true
	}
	return 0, true
}

// State is the producer's state as TransactionManager names it.
func (p *Producer) State() string {
	switch {
	case !p.idempotent:
		return "not-idempotent"
	case p.id < 0:
		return "initializing"
	default:
		return "ready"
	}
}

func partitionText(topic string, n int32) string { return fmt.Sprintf("%s/%d", topic, n) }
