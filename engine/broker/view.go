package broker

import (
	"slices"

	"kafkalab/engine/config"
	"kafkalab/engine/metadata"
	"kafkalab/engine/storage"
)

// What others may look at. Nothing here changes anything.

// Image is the cluster as this broker has replayed it.
func (b *Broker) Image() *metadata.Image { return b.image }

// MetadataOffset is the next offset of the metadata log it will ask for.
func (b *Broker) MetadataOffset() int64 { return b.metaOffset }

// State is the broker's state by Kafka's name (BrokerState).
func (b *Broker) State() string {
	switch {
	case b.epoch < 0:
		return "STARTING"
	case b.fenced:
		return "RECOVERY"
	default:
		return "RUNNING"
	}
}

// TopicConfigs are a topic's effective configs on this broker.
func (b *Broker) TopicConfigs(topic string) config.Values { return b.topicConfigs(topic) }

// Configs are the broker's own effective configs.
func (b *Broker) Configs() config.Values { return b.configs() }

// Replica finds one of the broker's replicas, nil if it has none of that name.
func (b *Broker) Replica(topic string, partition int32) *Partition {
	return b.partitions[tp{topic, partition}]
}

// Replicas lists the broker's replicas by topic and partition.
func (b *Broker) Replicas() []*Partition { return b.sorted() }

// Waiting counts the requests in the broker's purgatories: produces, and
// fetches of consumers.
func (b *Broker) Waiting() (produces, fetches int) {
	for _, d := range b.parked {
		if d.replica < 0 {
			fetches++
		}
	}
	return len(b.produces), fetches
}

// WaitingProduce is a produce in the purgatory, as of one partition.
type WaitingProduce struct {
	From     string  // who sent it
	Required int64   // the high watermark that it waits for
	Deadline int64   // virtual ms
	Missing  []int32 // the members of the maximal ISR that do not have its records
}

// WaitingProduces lists the produces that wait for a partition, oldest first.
func (b *Broker) WaitingProduces(p *Partition) []WaitingProduce {
	var out []WaitingProduce
	for _, d := range b.produces {
		for _, part := range d.parts {
			if part.tp != p.tp || part.done {
				continue
			}
			w := WaitingProduce{From: string(d.origin.From), Required: part.required, Deadline: d.deadline}
			for _, id := range p.maximalIsr() {
				if r := p.remotes[id]; r != nil && r.leo < part.required {
					w.Missing = append(w.Missing, id)
				}
			}
			out = append(out, w)
		}
	}
	return out
}

// ISRState is what a leader knows and plans of a partition's ISR.
type ISRState struct {
	Maximal   []int32         // what the high watermark waits for
	Proposed  []int32         // sent to the controller and not answered, nil for none
	Known     map[int32]int64 // log end of each follower as the leader knows it, -1 before its first fetch
	NextCheck int64           // virtual ms of the next run of the check, on its grid
	LimitMs   int64           // replica.lag.time.max.ms
}

// ISRState gives a leader's view of the ISR of a partition at nowMs.
func (b *Broker) ISRState(p *Partition, nowMs int64) ISRState {
	limit := b.lagLimit()
	grid := max(limit/2, 1)
	s := ISRState{Maximal: p.maximalIsr(), Known: map[int32]int64{}, LimitMs: limit, NextCheck: b.started + ((nowMs-b.started)/grid+1)*grid}
	if p.change != nil {
		s.Proposed = p.change.isr
	}
	// order: into a map
	for id, r := range p.remotes {
		s.Known[id] = r.leo
	}
	return s
}

// Topic, Number, Log, Leader, LeaderEpoch and MinIsr tell of a replica.
func (p *Partition) Topic() string      { return p.topic }
func (p *Partition) Number() int32      { return p.partition }
func (p *Partition) Log() *storage.Log  { return p.log }
func (p *Partition) Leader() int32      { return p.leader }
func (p *Partition) LeaderEpoch() int32 { return p.leaderEpoch }

// ISR is the last committed one that the leader knows, as it stands in the metadata.
func (p *Partition) ISR() []int32 { return slices.Clone(p.isr) }
func (p *Partition) MinIsr() int  { return p.minIsr }

// LastCaughtUp is the virtual time in ms at which a follower was last known to
// have everything; ok is false on a replica that does not lead. Rounds of its
// fetch that were skipped since count as having been run.
func (b *Broker) LastCaughtUp(p *Partition, follower int32, nowMs int64) (ms int64, ok bool) {
	r := p.remotes[follower]
	if r == nil {
		return 0, false
	}
	for _, d := range b.parked {
		if d.replica == follower && r.leo >= p.log.LogEndOffset() {
			return max(r.lastCaughtUp, d.rounds.Last(nowMs)), true
		}
	}
	return r.lastCaughtUp, true
}

// LastPass is what became of the cleaner's newest look at the log that an
// operator asked for, or that was its own.
func (p *Partition) LastPass() Pass { return p.pass }

// Retained are the bases of the segments that an operator's retention check
// deleted last.
func (p *Partition) Retained() []int64 { return slices.Clone(p.retained) }

// FirstDirty is the first offset that the cleaner has not looked at yet, and
// what a pass would find now.
func (b *Broker) FirstDirty(p *Partition) (int64, storage.Cleanable) {
	c := p.log.Cleanable(b.firstDirty(p))
	return c.FirstDirty, c
}

// Chores are the virtual times at which the cleaner and the retention task will
// next find something to do, 0 when that is not to be foreseen.
func (b *Broker) Chores() (clean, retain int64) { return b.chores.cleanAt, b.chores.retainAt }
