package broker

import (
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/sim"
	"kafkalab/engine/trace"
)

// isrChange is an ISR that a leader has proposed and the controller has not
// committed yet (PendingPartitionChange, KIP-497).
type isrChange struct {
	isr    []int32 // as proposed, ascending
	expand bool
	sent   bool
}

// maximalIsr is the ISR that the high watermark waits for: with a member that
// is about to join, and with one that is about to leave.
func (p *Partition) maximalIsr() []int32 {
	if p.change != nil && p.change.expand {
		return p.change.isr
	}
	return p.isr
}

// maybeExpandIsr proposes a follower that has caught up for the ISR. How long
// it lagged does not matter.
// Source: Partition#maybeExpandIsr, #isFollowerInSync, #isReplicaIsrEligible.
func (b *Broker) maybeExpandIsr(p *Partition, id int32) {
	r := p.remotes[id]
	if p.change != nil || slices.Contains(p.isr, id) || r == nil {
		return
	}
	start := int64(0)
	for _, e := range p.log.Epochs() {
		if e.Epoch == p.leaderEpoch {
			start = e.Start
		}
	}
	if r.leo < p.log.HighWatermark() || r.leo < start || !b.eligible(id, r) {
		return
	}
	b.emit(trace.IsrExpanded{Partition: p.String(), Broker: id, LEO: r.leo, HW: p.log.HighWatermark()})
	isr := slices.Sorted(slices.Values(append(slices.Clone(p.isr), id)))
	b.propose(p, &isrChange{isr: isr, expand: true})
}

// eligible tells whether a broker may be in an ISR: registered, neither fenced
// nor leaving, and the one that fetched is the one that is registered.
func (b *Broker) eligible(id int32, r *remote) bool {
	if !b.image.Active(id) {
		return false
	}
	return r.epoch == -1 || r.epoch == b.image.Brokers[id].Epoch
}

// caughtUp tells whether a follower has everything, or had it not long ago.
// Source: ReplicaState#isCaughtUp.
func (b *Broker) caughtUp(p *Partition, r *remote) bool {
	return r.leo == p.log.LogEndOffset() || b.ctx.Now()-r.lastCaughtUp <= b.lagLimit()
}

func (b *Broker) lagLimit() int64 { return b.configs().Int("replica.lag.time.max.ms") }

// armShrink sets the ISR check for the first of its runs at which a follower
// of p could be found lagging. The check runs every half of
// replica.lag.time.max.ms, from the broker's start on; runs that cannot find
// anything are skipped.
func (b *Broker) armShrink(p *Partition) {
	if !p.leads(b.ID) {
		return
	}
	grid := max(b.lagLimit()/2, 1)
	for _, id := range p.isr {
		r := p.remotes[id]
		if r == nil || r.leo == p.log.LogEndOffset() {
			continue
		}
		over := max(r.lastCaughtUp+b.lagLimit(), b.ctx.Now()) - b.started
		at := b.started + (over/grid+1)*grid
		if b.shrinkAt == 0 || b.shrinkAt <= b.ctx.Now() || at < b.shrinkAt {
			b.shrinkAt = at
			b.ctx.SetPeriodic("isr", at-b.ctx.Now())
		}
	}
}

// shrinkIsrs is one run of the check (ReplicaManager#maybeShrinkIsr).
func (b *Broker) shrinkIsrs() {
	b.shrinkAt = 0
	for _, p := range b.sorted() {
		if p.leads(b.ID) {
			b.maybeShrinkIsr(p)
			b.armShrink(p)
		}
	}
}

func (b *Broker) maybeShrinkIsr(p *Partition) {
	if p.change != nil {
		return
	}
	isr := slices.Clone(p.isr)
	for _, id := range p.isr {
		r := p.remotes[id]
		if r == nil || b.caughtUp(p, r) {
			continue
		}
		isr = slices.DeleteFunc(isr, func(x int32) bool { return x == id })
		b.emit(trace.IsrShrunk{
			Partition: p.String(), Broker: id, LastCaughtUp: r.lastCaughtUp, LagMs: b.ctx.Now() - r.lastCaughtUp, TimeMs: b.ctx.Now(),
			LimitMs: b.lagLimit(), LEO: r.leo, LeaderLEO: p.log.LogEndOffset(),
		})
	}
	if len(isr) < len(p.isr) {
		slices.Sort(isr)
		b.propose(p, &isrChange{isr: isr})
	}
}

// propose sends an ISR to the controller, together with others that wait: one
// request at a time, one change of a partition at a time
// (DefaultAlterPartitionManager).
func (b *Broker) propose(p *Partition, change *isrChange) {
	p.change = change
	b.sendChanges()
}

func (b *Broker) sendChanges() {
	if b.altering != 0 {
		return
	}
	req := kmsg.NewPtrAlterPartitionRequest()
	req.Version, req.BrokerID, req.BrokerEpoch = 3, b.ID, b.epoch
	for _, p := range b.sorted() {
		if p.change == nil || p.change.sent {
			continue
		}
		p.change.sent = true
		in := kmsg.NewAlterPartitionRequestTopicPartition()
		in.Partition, in.LeaderEpoch, in.PartitionEpoch = p.partition, p.leaderEpoch, p.partitionEpoch
		for _, id := range p.change.isr {
			m := kmsg.NewAlterPartitionRequestTopicPartitionNewEpochISR()
			m.BrokerID, m.BrokerEpoch = id, -1
			if im := b.image.Brokers[id]; im != nil {
				m.BrokerEpoch = im.Epoch
			}
			in.NewEpochISR = append(in.NewEpochISR, m)
		}
		if n := len(req.Topics); n == 0 || req.Topics[n-1].TopicID != p.topicID {
			t := kmsg.NewAlterPartitionRequestTopic()
			t.TopicID = p.topicID
			req.Topics = append(req.Topics, t)
		}
		t := &req.Topics[len(req.Topics)-1]
		t.Partitions = append(t.Partitions, in)
	}
	if len(req.Topics) > 0 {
		b.altering = b.ctx.Send(b.Controller, sim.ConnPartition, req)
	}
}

// altered takes the controller's answer. Source:
// Partition#handleAlterPartitionUpdate, #handleAlterPartitionError.
func (b *Broker) altered(ev sim.Response) {
	if ev.Correlation != b.altering {
		return
	}
	b.altering = 0
	msg := ev.Msg.(*kmsg.AlterPartitionResponse)
	if msg.ErrorCode != 0 {
		b.resendChanges()
		return
	}
	for ti := range msg.Topics {
		for pi := range msg.Topics[ti].Partitions {
			in := &msg.Topics[ti].Partitions[pi]
			p := b.find(msg.Topics[ti].TopidID, in.Partition)
			if p != nil && p.change != nil && p.change.sent {
				b.settleChange(p, in)
			}
		}
	}
	b.sendChanges()
}

// retryChangesMs is how long the broker waits after a request that failed as a
// whole.
const retryChangesMs = 50

func (b *Broker) resendChanges() {
	for _, p := range b.sorted() {
		if p.change != nil {
			p.change.sent = false
		}
	}
	b.ctx.SetTimer("alter", retryChangesMs)
}

func (b *Broker) settleChange(p *Partition, in *kmsg.AlterPartitionResponseTopicPartition) {
	code := kerror.Code(in.ErrorCode)
	b.emit(trace.IsrSettled{Partition: p.String(), Isr: in.ISR, Error: code.String()})
	switch code {
	case kerror.None:
		if in.LeaderEpoch != p.leaderEpoch || in.PartitionEpoch < p.partitionEpoch {
			return
		}
		p.change = nil
		p.isr, p.partitionEpoch = in.ISR, in.PartitionEpoch
		b.isrChanged(p)
	case kerror.OperationNotAttempted, kerror.IneligibleReplica:
		p.change = nil
	case kerror.UnknownTopicId, kerror.UnknownTopicOrPartition, kerror.FencedLeaderEpoch, kerror.InvalidUpdateVersion,
		kerror.InvalidRequest, kerror.NewLeaderElected:
		// The metadata that says what is so is on its way.
	default:
		p.change.sent = false
		b.ctx.SetTimer("alter", retryChangesMs)
	}
}

// isrChanged looks again at what waits for the in-sync replicas.
func (b *Broker) isrChanged(p *Partition) {
	if b.maybeMoveHW(p) {
		b.hwMoved(p)
	} else {
		b.tryProduces(p)
	}
	b.armShrink(p)
	b.promiseAll()
}
