package client

import (
	"math"

	"kafkalab/engine/sim"
)

// alarm is the next thing that is due, and whether it is work: settling waits
// for work, but not for a time-out that may never be needed.
type alarm struct {
	now, at sim.Time
	work    bool
}

// soon notes something that is due later; what is due now has been done, or
// waits for the network.
func (a *alarm) soon(at sim.Time, work bool) {
	if at > a.now && at < a.at {
		a.at, a.work = at, work
	}
}

// arm sets the timer for the next thing that is due. A producer with nothing to
// do has none, but for the refresh of its metadata while it writes to a topic
// now and then.
func (p *Producer) arm(ctx *sim.Ctx) {
	now, a := ctx.Now(), alarm{now: ctx.Now(), at: math.MaxInt64}
	a.soon(p.net.nextTimeout(), false)
	p.armQueues(now, &a)
	for _, k := range p.waiting {
		a.soon(k.started+p.maxBlockMs, false)
	}
	if work := p.pressing() || p.warming(now); !p.meta.asking && (p.busy(now) || p.meta.retains(now)) {
		a.soon(p.meta.dueAt(now), work && (p.meta.full || p.meta.partial))
		if p.meta.due(now) {
			a.soon(p.net.nextAttempt(now, p.meta.nodes()), work)
		}
	}
	if p.idempotent && p.id < 0 && !p.idAsked && p.busy(now) {
		a.soon(p.idAt, true)
		a.soon(p.net.nextAttempt(now, p.meta.nodes()), true)
	}
	switch {
	case a.at == math.MaxInt64:
		ctx.CancelTimer("wake")
	case a.work:
		ctx.SetTimer("wake", max(a.at-now, 0))
	default:
		ctx.SetPeriodic("wake", max(a.at-now, 0))
	}
}

// armQueues looks at what waits in the queues and at what is under way.
func (p *Producer) armQueues(now sim.Time, a *alarm) {
	for _, k := range p.acc.order {
		queue := p.acc.queues[k]
		if len(queue) == 0 {
			continue
		}
		a.soon(queue[0].created+p.deliveryMs, false)
		if leader, _, known := p.meta.leader(k); known {
			p.armNode(now, leader, p.sendable(now, queue), a)
		}
	}
	for _, b := range p.again {
		a.soon(b.created+p.deliveryMs, false)
		if leader, _, known := p.meta.leader(b.key()); known {
			p.armNode(now, leader, b.waits+p.backoff.after(max(b.retried-1, 0), nil), a)
		}
	}
	// order: the earliest is the earliest in any
	for _, l := range p.net.links {
		for _, f := range l.flights {
			if r, ok := f.what.(*produceRequest); ok {
				for _, b := range r.batches {
					if !b.done {
						a.soon(b.created+p.deliveryMs, false)
					}
				}
			}
		}
	}
}

// armNode wakes the producer when something can be sent to a node: when it is
// ready, or when the connection may be tried again.
func (p *Producer) armNode(now sim.Time, node int32, ready sim.Time, a *alarm) {
	if ready > now {
		a.soon(ready, true)
		return
	}
	a.soon(p.net.nextAttempt(now, []int32{node}), true)
}
