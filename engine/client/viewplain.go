package client

import (
	"cmp"
	"maps"
	"slices"

	"kafkalab/engine/record"
	"kafkalab/engine/sim"
)

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
