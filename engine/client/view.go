package client

import (
	"slices"

	"kafkalab/engine/kerror"
	"kafkalab/engine/record"
	"kafkalab/engine/sim"
	"kafkalab/engine/trace"
)

// ProducerView is what a producer holds at one moment: a copy. What is left of
// a time-out or a wait is in ms from that moment on, and 0 when it is over.
type ProducerView struct {
	Plain       bool // the plain client of produce without as=: no queues, no retries, no settings of its own
	Idempotent  bool
	ID          int64 // producer id, -1 before it is granted
	Epoch       int16 // -1 before it is granted
	State       string
	Acks        int16 // -1 for all
	BatchSize   int   // batch.size in bytes
	LingerMs    int64 // linger.ms
	DeliveryMs  int64 // delivery.timeout.ms
	MaxInFlight int   // max.in.flight.requests.per.connection, 0 for the plain client
	Queues      []QueueView
	Brokers     []FlightView   // to which it has sent, by id
	Links       []LinkView     // its connections, those to the bootstrap addresses first
	Unrouted    []UnroutedView // by when the first of their calls was made
	Closed      []BatchView    // the newest closed batches, newest first, KeptClosed at most
	Stats       Stats          // LastError is of the newest answer
}

// QueueView is what a producer holds for one partition and has not under way.
// Queues are ordered by topic and number.
type QueueView struct {
	Topic     string
	Partition int32
	Leader    int32       // as the producer knows it, -1 for none
	Next      int32       // sequence of the next record that is sent first, -1 without idempotence
	Filling   *BatchView  // to which records are still added, nil for none
	Waiting   []BatchView // closed and not under way, the next one first, ListedBatches at most
	Count     int         // of waiting batches in all
	Records   int         // in all waiting batches
}

// FlightView is what is on its way to one broker.
type FlightView struct {
	Broker   int32
	Count    int           // of requests in all
	Requests []RequestView // oldest first, ListedBatches at most
}

// LinkView is a connection to one node.
type LinkView struct {
	Node      string
	Bootstrap bool // to an address that the producer was given, rather than to a broker that it has learned of
	State     LinkState
	Requests  int   // of any kind that are under way on it
	AgainMs   int64 // left until it may be tried again, when it is disconnected
}

// RequestView is a produce request without an answer.
type RequestView struct {
	Correlation int32
	SentMs      int64 // since it was sent
	LeftMs      int64 // of request.timeout.ms
	Batches     []BatchView
}

// UnroutedView is what waits for a topic's metadata: it has no partition yet.
type UnroutedView struct {
	Topic   string
	Records int
	LeftMs  int64 // of max.block.ms, for the oldest call
}

// BatchView is one batch of a producer's.
type BatchView struct {
	Topic      string
	Partition  int32
	State      BatchState
	Records    int
	Bytes      int    // header and records, compressed when it is closed
	Reason     string // why it takes no more records, see ReasonFull and so on; empty while it fills
	Waits      Hold   // why it is not under way, of one that fills or waits
	CreatedAt  int64  // virtual ms since the start, when it got its first record; the plain client: when it was sent, or -1
	ClosedAt   int64  // virtual ms since the start, -1 while it fills
	LingerMs   int64  // left until it is sent though it is not full, 0 when it is closed
	BackoffMs  int64  // left until it may be sent again
	DeliveryMs int64  // left of delivery.timeout.ms, 0 when it has its end
	Sequence   int32  // of its first record, -1 before it is sent and without idempotence
	Attempts   int    // how often it was sent
	Base       int64  // first offset, -1 when unknown
	Error      kerror.Code
	Event      trace.ID // newest event that tells of it, 0 for none
}

// BatchState is where a batch is between its first record and its end.
type BatchState string

// The states of a batch.
const (
	BatchFilling  BatchState = "filling"
	BatchWaiting  BatchState = "waiting" // closed, not under way
	BatchInFlight BatchState = "in flight"
	BatchAcked    BatchState = "acked"
	BatchFailed   BatchState = "failed"
)

// Why a batch takes no more records, as trace.BatchClosed has it. One that
// waited longer than linger.ms names the Hold that kept it.
const (
	ReasonFull    = "full"    // batch.size: the next record has no room, or none is left
	ReasonLinger  = "linger"  // linger.ms was over when it was sent
	ReasonCount   = "count"   // the call asked for so many records a batch
	ReasonAlong   = "along"   // before linger.ms was over: it goes with another batch to the same broker
	ReasonExpired = "expired" // delivery.timeout.ms was over while it filled; no event of its own
	ReasonCall    = "call"    // plain client: its call had no more records
)

// Hold is what keeps the first batch of a partition from being sent.
// Source: RecordAccumulator#ready, #drainBatchesForOneNode, Sender#sendProducerData.
type Hold string

// The holds. HoldTurn is that of a batch with others before it.
const (
	HoldNone     Hold = ""
	HoldEmpty    Hold = "empty"
	HoldID       Hold = "producer id"   // none is granted yet
	HoldLeader   Hold = "leader"        // no leader of its partition is known
	HoldBackoff  Hold = "back-off"      // after an error
	HoldLinger   Hold = "linger"        // it is not full, and linger.ms is not over
	HoldLink     Hold = "connection"    // there is none to the leader
	HoldInFlight Hold = "in flight"     // the broker has max.in.flight requests already
	HoldEarlier  Hold = "earlier batch" // one of its partition that is under way
	HoldTurn     Hold = "turn"
)

// Bounds of a view.
const (
	KeptClosed    = 16
	ListedBatches = 32
)

// hold is what keeps the first batch of a partition from being sent now.
func (p *Producer) hold(now sim.Time, k partitionKey) Hold {
	queue := p.acc.queues[k]
	if len(queue) == 0 {
		return HoldEmpty
	}
	leader, _, known := p.meta.leader(k)
	link := p.net.links[leader]
	switch {
	case p.idempotent && p.id < 0:
		return HoldID
	case !known:
		return HoldLeader
	case p.backingOff(now, queue[0]):
		return HoldBackoff
	case p.sendable(now, queue) > now:
		return HoldLinger
	case link == nil || link.state != LinkReady:
		return HoldLink
	case len(link.flights) >= p.maxInFlight:
		return HoldInFlight
	case p.muted(k) || p.idempotent && p.holds(k, queue[0]):
		return HoldEarlier
	}
	return HoldNone
}

// View copies what the producer holds; it changes nothing.
func (p *Producer) View(now sim.Time) ProducerView {
	v := ProducerView{
		Idempotent: p.idempotent, ID: p.id, Epoch: p.epoch, State: p.State(), Acks: p.acks, BatchSize: p.batchSize,
		LingerMs: p.lingerMs, DeliveryMs: p.deliveryMs, MaxInFlight: p.maxInFlight, Stats: p.Stats(),
	}
	for _, k := range p.acc.order {
		v.Queues = append(v.Queues, p.queueView(now, k))
	}
	v.Brokers, v.Links = p.flights(now), p.linkViews(now)
	for _, k := range p.waiting {
		i := slices.IndexFunc(v.Unrouted, func(u UnroutedView) bool { return u.Topic == k.Topic })
		if i < 0 {
			i = len(v.Unrouted)
			v.Unrouted = append(v.Unrouted, UnroutedView{Topic: k.Topic, LeftMs: max(0, k.started+p.maxBlockMs-now)})
		}
		v.Unrouted[i].Records += k.Count
	}
	for i := len(p.closed) - 1; i >= 0; i-- {
		v.Closed = append(v.Closed, p.batchView(now, p.closed[i]))
	}
	return v
}

func (p *Producer) queueView(now sim.Time, k partitionKey) QueueView {
	q := QueueView{Topic: k.topic, Partition: k.partition, Leader: -1, Next: record.NoSequence}
	if leader, _, ok := p.meta.leader(k); ok {
		q.Leader = leader
	}
	if next, ok := p.NextSequence(k.topic, k.partition); ok {
		q.Next = next
	}
	for i, b := range p.acc.queues[k] {
		switch {
		case b.builder != nil:
			v := p.queued(now, i, b)
			q.Filling = &v
			continue
		case len(q.Waiting) < ListedBatches:
			q.Waiting = append(q.Waiting, p.queued(now, i, b))
		}
		q.Count++
		q.Records += b.count
	}
	return q
}

// queued is the i-th batch of a queue.
func (p *Producer) queued(now sim.Time, i int, b *outBatch) BatchView {
	v := p.batchView(now, b)
	if v.Waits = HoldTurn; i == 0 {
		v.Waits = p.hold(now, b.key())
	}
	return v
}

func (p *Producer) batchView(now sim.Time, b *outBatch) BatchView {
	v := BatchView{
		Topic: b.topic, Partition: b.partition, State: b.state(), Records: b.count, Bytes: len(b.bytes), Reason: b.reason,
		CreatedAt: b.created, ClosedAt: b.closedAt, Sequence: b.sequence, Attempts: b.attempts, Base: b.base, Error: b.code, Event: b.event,
	}
	if b.builder != nil {
		v.Bytes = b.builder.Size()
	}
	switch v.State {
	case BatchFilling:
		v.ClosedAt, v.LingerMs = -1, max(0, b.created+p.lingerMs-now)
	case BatchWaiting:
		if p.backingOff(now, b) {
			v.BackoffMs = b.waits + p.backoff.after(b.retried-1, nil) - now
		}
	case BatchAcked, BatchFailed:
		return v
	}
	v.DeliveryMs = max(0, b.created+p.deliveryMs-now)
	return v
}

// state is told from what the batch itself remembers.
func (b *outBatch) state() BatchState {
	switch {
	case b.done && b.code != kerror.None:
		return BatchFailed
	case b.done:
		return BatchAcked
	case b.builder != nil:
		return BatchFilling
	case b.underWay:
		return BatchInFlight
	}
	return BatchWaiting
}

// flights lists what is under way, by broker.
func (p *Producer) flights(now sim.Time) []FlightView {
	var list []FlightView
	for _, l := range p.net.all() {
		if !l.produced {
			continue
		}
		v := FlightView{Broker: l.node}
		for _, f := range l.flights {
			r, ok := f.what.(*produceRequest)
			if !ok {
				continue
			}
			if v.Count++; v.Count > ListedBatches {
				continue
			}
			q := RequestView{Correlation: f.correlation, SentMs: now - f.sent, LeftMs: max(0, f.deadline-now)}
			for _, b := range r.batches {
				q.Batches = append(q.Batches, p.batchView(now, b))
			}
			v.Requests = append(v.Requests, q)
		}
		list = append(list, v)
	}
	return list
}

func (p *Producer) linkViews(now sim.Time) []LinkView {
	var list []LinkView
	for _, l := range p.net.all() {
		to, _ := p.address(l.node)
		v := LinkView{Node: string(to), Bootstrap: l.node < 0, State: l.state, Requests: len(l.flights)}
		if l.state == LinkDown {
			v.AgainMs = max(0, l.nextAttempt()-now)
		}
		list = append(list, v)
	}
	return list
}

// keep remembers a closed batch, for views.
func (p *Producer) keep(b *outBatch) {
	p.closed = append(p.closed, b)
	if n := len(p.closed) - KeptClosed; n > 0 {
		p.closed = slices.Delete(p.closed, 0, n)
	}
}
