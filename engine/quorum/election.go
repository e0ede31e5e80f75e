package quorum

import (
	"slices"

	"kafkalab/engine/config"
	"kafkalab/engine/metadata"
	"kafkalab/engine/sim"
	"kafkalab/engine/trace"
)

// election is how a leader is looked for (PartitionChangeBuilder.Election).
type election uint8

const (
	electPreferred election = iota // the first replica, if it may
	electOnline                    // whoever may, the leader of now first
	electUnclean                   // as a last resort one outside the ISR
)

// elect finds the leader for a partition whose ISR is to be isr: it has to be
// active and in the ISR. An unclean one is outside and may lack committed
// records; metadata.NoLeader is nobody.
// Source: PartitionChangeBuilder#electLeader.
func (c *Controller) elect(p *metadata.PartitionImage, isr []int32, how election) (leader int32, unclean bool) {
	valid := func(id int32) bool { return slices.Contains(isr, id) && c.image.Active(id) }
	if how == electPreferred && valid(p.Replicas[0]) {
		return p.Replicas[0], false
	}
	if valid(p.Leader) {
		return p.Leader, false
	}
	for _, id := range p.Replicas {
		if valid(id) {
			return id, false
		}
	}
	if how == electUnclean {
		for _, id := range p.Replicas {
			if c.image.Active(id) {
				return id, true
			}
		}
	}
	return metadata.NoLeader, false
}

// change makes the record that gives a partition an ISR and the leader that
// follows from it, nil if nothing changes.
func (c *Controller) change(t *metadata.TopicImage, n int32, isr []int32, how election) *metadata.PartitionChange {
	p := t.Partitions[n]
	rec := &metadata.PartitionChange{PartitionID: n, TopicID: t.ID}
	leader, unclean := c.elect(p, isr, how)
	if unclean {
		isr = []int32{leader}
		recovering := int8(1)
		rec.Recovery = &recovering
	}
	if leader != p.Leader {
		rec.Leader = &leader
	}
	if !slices.Equal(isr, p.Isr) {
		rec.Isr = isr
	}
	if rec.Leader == nil && rec.Isr == nil {
		return nil
	}
	return rec
}

// onlineElection is unclean where a topic allows that.
func (c *Controller) onlineElection(topic string) election {
	if config.NewTopic(c.image.TopicConfigs(topic), c.configs()).Bool("unclean.leader.election.enable") {
		return electUnclean
	}
	return electOnline
}

// withoutBroker are the changes that follow when a broker may no longer lead
// or be in ISRs. The last member of an ISR stays in it, without a leader.
// Source: ReplicationControlManager#generateLeaderAndIsrUpdates.
func (c *Controller) withoutBroker(id int32) []metadata.Record {
	var records []metadata.Record
	b := c.image.Brokers[id]
	was := b.Fenced
	b.Fenced = true // for the elections that follow
	defer func() { b.Fenced = was }()
	for _, t := range c.image.Topics() {
		for n, p := range t.Partitions {
			if p.Leader != id && !slices.Contains(p.Isr, id) {
				continue
			}
			isr := slices.DeleteFunc(slices.Clone(p.Isr), func(r int32) bool { return r == id })
			if len(isr) == 0 {
				isr = p.Isr
			}
			if rec := c.change(t, int32(n), isr, c.onlineElection(t.Name)); rec != nil {
				records = append(records, rec)
			}
		}
	}
	return records
}

// electWhereNone tries partitions without a leader again, as a broker comes
// back.
func (c *Controller) electWhereNone(ctx *sim.Ctx) {
	var records []metadata.Record
	for _, t := range c.image.Topics() {
		for n, p := range t.Partitions {
			if p.Leader != metadata.NoLeader {
				continue
			}
			if rec := c.change(t, int32(n), p.Isr, c.onlineElection(t.Name)); rec != nil {
				records = append(records, rec)
			}
		}
	}
	if len(records) > 0 {
		c.append(ctx, records...)
		c.tellChanges(ctx, records)
	}
	c.armBalance(ctx)
}

// tellChanges emits what changed of partitions, once it is in the log.
func (c *Controller) tellChanges(ctx *sim.Ctx, records []metadata.Record) {
	for _, r := range records {
		rec, ok := r.(*metadata.PartitionChange)
		if !ok {
			continue
		}
		t := c.image.TopicByID(rec.TopicID)
		p := t.Partitions[rec.PartitionID]
		name := partitionName(t.Name, rec.PartitionID)
		if rec.Leader != nil {
			ctx.Emit(trace.LeaderElected{Partition: name, Leader: p.Leader, Epoch: p.LeaderEpoch, Unclean: rec.Recovery != nil && *rec.Recovery == 1})
		}
		if rec.Isr != nil {
			ctx.Emit(trace.IsrChanged{Partition: name, Isr: p.Isr, PartitionEpoch: p.PartitionEpoch})
		}
	}
	c.armBalance(ctx)
}

// armBalance sets the next run of the task that gives preferred replicas their
// leadership back, on its grid, if it has something to do. Source:
// QuorumController, auto.leader.rebalance.enable.
func (c *Controller) armBalance(ctx *sim.Ctx) {
	if len(c.imbalanced()) == 0 {
		ctx.CancelTimer("imbalance")
		return
	}
	interval := c.int("leader.imbalance.check.interval.seconds") * 1000
	if interval > 0 {
		ctx.SetPeriodic("imbalance", interval-ctx.Now()%interval)
	}
}

// imbalanced are the changes that would give preferred replicas in the ISR
// the lead.
func (c *Controller) imbalanced() []metadata.Record {
	var records []metadata.Record
	for _, t := range c.image.Topics() {
		for n, p := range t.Partitions {
			if p.Leader == p.Replicas[0] || p.Leader == metadata.NoLeader {
				continue
			}
			if rec := c.change(t, int32(n), p.Isr, electPreferred); rec != nil {
				records = append(records, rec)
			}
		}
	}
	return records
}

func (c *Controller) balanceLeaders(ctx *sim.Ctx) {
	if records := c.imbalanced(); len(records) > 0 {
		c.append(ctx, records...)
		c.tellChanges(ctx, records)
	}
}
