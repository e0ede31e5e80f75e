package client

import (
	"fmt"

	"kafkalab/engine/config"
	"kafkalab/engine/kerror"
	"kafkalab/engine/record"
	"kafkalab/engine/sim"
)

// Producer is a producer as applications have them: it gathers records into
// batches, lets them linger, sends up to five requests at a time to a broker,
// and sends again what failed, in order and without duplicates. It begins to
// talk to the cluster with its first record; Kafka's does when it is made.
// Source: KafkaProducer, RecordAccumulator, Sender, TransactionManager.
type Producer struct {
	Options
	acks       int16
	idempotent bool
	batchSize  int
	codec      record.Codec
	backoff    backoff // of batches and of requests for a producer id

	lingerMs, deliveryMs, maxBlockMs int64
	requestMs                        int64
	retries, maxInFlight, maxRequest int

	net         *network
	meta        *producerMetadata
	acc         accumulator
	partitioner partitioner

	id        int64
	epoch     int16
	idAsked   bool
	idAt      sim.Time // no question before
	warmUntil sim.Time // till then it tries to learn of the brokers and to get an id, though there is nothing to send
	sequences map[partitionKey]*sequences

	calls    map[int64]*sending
	waiting  []*sending  // calls whose partition is not known yet
	again    []*outBatch // that retry has sent again, and not under way yet
	lastSent *outBatch
	closed   []*outBatch // the newest closed ones, oldest first, for views
	stats    Stats
}

// idRequest is what a request for a producer id is known by.
type idRequest struct{}

// sending is one call of the application's.
type sending struct {
	Produce
	out      Produced
	chosen   []ProducedPart // the partitions of its records
	left     int            // records that have no end yet
	started  sim.Time
	calledMs int64
	placed   bool // its records are in batches
}

// NewProducer makes a producer with settings that config.ValidateClient has
// accepted.
func NewProducer(o Options, v config.Values) *Producer {
	codec, _ := record.ParseCodec(v.String("compression.type"))
	p := &Producer{
		Options: o, acks: acksOf(v.String("acks")), idempotent: v.Bool("enable.idempotence"),
		batchSize: int(v.Int("batch.size")), codec: codec, lingerMs: v.Int("linger.ms"),
		requestMs: v.Int("request.timeout.ms"), deliveryMs: v.Int("delivery.timeout.ms"), maxBlockMs: v.Int("max.block.ms"),
		backoff: backoff{first: v.Int("retry.backoff.ms"), most: v.Int("retry.backoff.max.ms")}, retries: int(v.Int("retries")),
		maxInFlight: int(v.Int("max.in.flight.requests.per.connection")), maxRequest: int(v.Int("max.request.size")),
		id: record.NoProducerID, epoch: record.NoProducerEpoch, sequences: map[partitionKey]*sequences{},
		acc:         accumulator{queues: map[partitionKey][]*outBatch{}, turns: map[int32]int{}, nodes: map[int32]*nodeTimes{}, ratios: ratios{}},
		partitioner: newPartitioner(v), calls: map[int64]*sending{}, stats: Stats{LatencyMs: -1}, meta: newMetadata(v, len(o.Bootstrap)),
	}
	p.net = newNetwork(v, p.address)
	return p
}

func newPartitioner(v config.Values) partitioner {
	return partitioner{
		adaptive: v.Bool("partitioner.adaptive.partitioning.enable"), availableMs: v.Int("partitioner.availability.timeout.ms"),
		ignoreKeys: v.Bool("partitioner.ignore.keys"), roundRobin: v.String("partitioner.class") == RoundRobin,
		topics: map[string]*sticky{}, counters: map[string]int{},
	}
}

// address is where a node listens: a broker by its id, a bootstrap address by
// -1, -2 and so on.
func (p *Producer) address(node int32) (sim.NodeID, sim.Conn) {
	if node < 0 {
		return p.Bootstrap[-1-node], sim.ConnBootstrap
	}
	return p.Name(node), sim.ConnClient
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
	p.net.closeIdle(ctx)
	switch ev := ev.(type) {
	case sim.Start:
		p.warmUntil = ctx.Now() + p.maxBlockMs
	case sim.Call:
		p.call(ctx, ev)
	}
	done, lost := p.net.handle(ctx, ev)
	p.over(ctx, done, lost)
	done, lost = p.net.timeouts(ctx)
	p.over(ctx, done, lost)
	p.block(ctx)
	p.run(ctx)
	p.arm(ctx)
}

func (p *Producer) call(ctx *sim.Ctx, ev sim.Call) {
	switch body := ev.Body.(type) {
	case Produce:
		k := &sending{Produce: body, left: body.Count, started: ctx.Now(), calledMs: ctx.WallMs(), out: Produced{Topic: body.Topic, Acks: p.acks}}
		p.calls[ev.ID] = k
		p.start(ctx, k)
	case Retry:
		k := &sending{started: ctx.Now(), placed: true, out: Produced{Acks: p.acks}}
		p.calls[ev.ID] = k
		p.sendAgain(ctx, k)
	}
}

// start gives a call's records their partitions, or waits for metadata first
// (KafkaProducer#doSend, #waitOnMetadata).
func (p *Producer) start(ctx *sim.Ctx, k *sending) {
	p.meta.add(k.Topic, ctx.Now())
	partitions := len(p.meta.topics[k.Topic].leaders)
	if partitions == 0 || int(k.Partition) >= partitions {
		p.meta.want(k.Topic)
		p.waiting = append(p.waiting, k)
		return
	}
	k.placed = true
	timestamp := k.calledMs
	if k.Timestamp != nil {
		timestamp = *k.Timestamp
	}
	named := producing{Produce: k.Produce}
	available := p.meta.available(k.Topic)
	for n := range k.Count {
		key, value := named.record(n)
		if size := serializedSize(key, value, k.Headers); size > p.maxRequest {
			p.fail(k, kerror.New(kerror.MessageTooLarge, "The message is %d bytes when serialized which is larger than %d, which is the value of the max.request.size configuration.", size, p.maxRequest))
			return
		}
		partition, chosen := p.partitioner.choose(k.Topic, k.Partition, key, partitions, available)
		partition, err := p.append(ctx, k, partition, !chosen, outRecord{timestamp, key, value, k.Headers})
		if err != nil {
			p.fail(k, kerror.New(kerror.InvalidRecord, "%v", err))
			return
		}
		k.choose(partition)
	}
}

// choose notes the partition of one record.
func (k *sending) choose(partition int32) {
	for i := range k.chosen {
		if k.chosen[i].Partition == partition {
			k.chosen[i].Count++
			return
		}
	}
	k.chosen = append(k.chosen, ProducedPart{Partition: partition, Base: -1, Count: 1})
}

func (p *Producer) fail(k *sending, kerr *kerror.Error) {
	k.out.Err, k.out.Answered = kerr, true
	p.stats.Failed += k.left
	p.stats.LastError = kerr.Code
	k.left = 0
}

// block ends the calls that have waited for metadata for max.block.ms.
func (p *Producer) block(ctx *sim.Ctx) {
	waiting := p.waiting
	p.waiting = nil
	for _, k := range waiting {
		partitions := len(p.meta.topics[k.Topic].leaders)
		switch {
		case ctx.Now()-k.started < p.maxBlockMs:
			p.waiting = append(p.waiting, k)
		case partitions > 0:
			p.fail(k, kerror.New(kerror.RequestTimedOut, "Partition %d of topic %s with partition count %d is not present in metadata after %d ms.", k.Partition, k.Topic, partitions, p.maxBlockMs))
		default:
			p.fail(k, kerror.New(kerror.RequestTimedOut, "Topic %s not present in metadata after %d ms.", k.Topic, p.maxBlockMs))
		}
	}
}

// goOn takes up the calls that waited for metadata, now that there is news.
func (p *Producer) goOn(ctx *sim.Ctx) {
	waiting := p.waiting
	p.waiting = nil
	for _, k := range waiting {
		if p.meta.errors[k.Topic] == kerror.InvalidTopicException {
			p.fail(k, kerror.New(kerror.InvalidTopicException, "Invalid topics: [%s]", k.Topic))
			continue
		}
		p.start(ctx, k)
	}
}

// Finished tells whether a call has its outcome. One that waits for no answer
// is over when its records have their partitions, as Kafka's send is.
func (p *Producer) Finished(id int64) bool {
	k := p.calls[id]
	return k != nil && (k.out.Answered || k.NoWait && k.placed)
}

// Outcome gives what came of a call, and forgets it.
func (p *Producer) Outcome(id int64) any {
	k := p.calls[id]
	if k == nil {
		return nil
	}
	delete(p.calls, id)
	if !k.out.Answered && len(k.out.Parts) == 0 {
		k.out.Parts = append(k.out.Parts, k.chosen...)
	}
	return &k.out
}

// Stats counts records since the start.
func (p *Producer) Stats() Stats {
	s := p.stats
	// order: a sum is the same in any
	for _, l := range p.net.links {
		for _, f := range l.flights {
			if _, ok := f.what.(*produceRequest); ok {
				s.InFlight++
			}
		}
	}
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
