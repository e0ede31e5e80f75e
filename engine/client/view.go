package client

import (
	"cmp"
	"maps"
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

// Why a batch takes no more records, as trace.BatchClosed has it.
const (
	ReasonFull    = "full"    // batch.size: the next record has no room, or none is left
	ReasonLinger  = "linger"  // linger.ms was over when it was sent
	ReasonCount   = "count"   // the call asked for so many records a batch
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
	leader, known := p.leader(k)
	switch {
	case p.idempotent && p.id < 0:
		return HoldID
	case !known:
		return HoldLeader
	case queue[0].readyAt > now:
		return HoldBackoff
	case queue[0].builder != nil && now-queue[0].created < p.lingerMs:
		return HoldLinger
	case p.inFlight[leader] >= p.maxInFlight:
		return HoldInFlight
	case p.muted(k):
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
	keys := slices.Clone(p.acc.order)
	slices.SortFunc(keys, func(a, b partitionKey) int {
		return cmp.Or(cmp.Compare(a.topic, b.topic), cmp.Compare(a.partition, b.partition))
	})
	for _, k := range keys {
		v.Queues = append(v.Queues, p.queueView(now, k))
	}
	v.Brokers = p.flights(now)
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
	if leader, ok := p.leader(k); ok {
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
		v.BackoffMs = max(0, b.readyAt-now)
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
	for _, id := range slices.Sorted(maps.Keys(p.inFlight)) {
		list = append(list, FlightView{Broker: id})
	}
	for _, corr := range slices.Sorted(maps.Keys(p.requests)) {
		r := p.requests[corr]
		i, _ := slices.BinarySearchFunc(list, r.broker, func(f FlightView, id int32) int { return cmp.Compare(f.Broker, id) })
		f := &list[i]
		if f.Count++; f.Count > ListedBatches {
			continue
		}
		v := RequestView{Correlation: corr, SentMs: now - r.sent, LeftMs: max(0, r.deadline-now)}
		for _, b := range r.batches {
			v.Batches = append(v.Batches, p.batchView(now, b))
		}
		f.Requests = append(f.Requests, v)
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

// View copies what the plain client's produces hold: batches that a call has
// cut and not sent, and those under way.
func (c *Client) View(now sim.Time) ProducerView {
	v := ProducerView{Plain: true, ID: record.NoProducerID, Epoch: record.NoProducerEpoch, Stats: c.Stats()}
	seen := map[*producing]bool{}
	for _, corr := range slices.Sorted(maps.Keys(c.requests)) {
		k, ok := c.requests[corr].call.(*producing)
		if !ok {
			continue
		}
		if out, sent := k.underway[corr]; sent {
			v.fly(k, corr, out, now, c.requests[corr].deadline)
		} else if !k.sent {
			v.Unrouted = append(v.Unrouted, UnroutedView{Topic: k.Topic, Records: k.Count, LeftMs: max(0, c.requests[corr].deadline-now)})
		}
		if !seen[k] {
			seen[k] = true
			for _, out := range k.pending {
				v.enqueue(k, out)
			}
		}
	}
	slices.SortFunc(v.Brokers, func(a, b FlightView) int { return cmp.Compare(a.Broker, b.Broker) })
	slices.SortStableFunc(v.Queues, func(a, b QueueView) int {
		return cmp.Or(cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Partition, b.Partition))
	})
	return v
}

func (v *ProducerView) fly(k *producing, corr int32, out outgoing, now, deadline sim.Time) {
	leader := k.route.leaders[out.partition]
	i := slices.IndexFunc(v.Brokers, func(f FlightView) bool { return f.Broker == leader })
	if i < 0 {
		i = len(v.Brokers)
		v.Brokers = append(v.Brokers, FlightView{Broker: leader})
	}
	f := &v.Brokers[i]
	if f.Count++; f.Count > ListedBatches {
		return
	}
	b := k.batchView(out, BatchInFlight)
	b.Attempts, b.CreatedAt = 1, out.sent
	f.Requests = append(f.Requests, RequestView{Correlation: corr, SentMs: now - out.sent, LeftMs: max(0, deadline-now), Batches: []BatchView{b}})
}

func (v *ProducerView) enqueue(k *producing, out outgoing) {
	i := slices.IndexFunc(v.Queues, func(q QueueView) bool { return q.Topic == k.Topic && q.Partition == out.partition })
	if i < 0 {
		i = len(v.Queues)
		v.Queues = append(v.Queues, QueueView{Topic: k.Topic, Partition: out.partition, Leader: k.route.leaders[out.partition], Next: record.NoSequence})
	}
	q := &v.Queues[i]
	q.Count++
	q.Records += out.count
	if len(q.Waiting) < ListedBatches {
		b := k.batchView(out, BatchWaiting)
		b.Waits = HoldInFlight
		q.Waiting = append(q.Waiting, b)
	}
}

func (k *producing) batchView(out outgoing, state BatchState) BatchView {
	b := BatchView{
		Topic: k.Topic, Partition: out.partition, State: state, Records: out.count, Bytes: len(out.batch), Reason: ReasonCall,
		CreatedAt: -1, ClosedAt: -1, Sequence: record.NoSequence, Base: -1,
	}
	if out.count == k.Batch {
		b.Reason = ReasonCount
	}
	return b
}
