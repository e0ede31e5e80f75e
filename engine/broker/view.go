package broker

import (
	"kafkalab/engine/config"
	"kafkalab/engine/metadata"
	"kafkalab/engine/storage"
)

// What others may look at. Nothing here changes anything.

// Image is the cluster as this broker has replayed it.
func (b *Broker) Image() *metadata.Image { return b.image }

// DiskFailed tells whether the broker's log directory cannot be written any
// more.
func (b *Broker) DiskFailed() bool { return b.diskFailed }

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

// Topic, Number, Log, Leader, LeaderEpoch and MinIsr tell of a replica.
func (p *Partition) Topic() string      { return p.topic }
func (p *Partition) Number() int32      { return p.partition }
func (p *Partition) Log() *storage.Log  { return p.log }
func (p *Partition) Leader() int32      { return p.leader }
func (p *Partition) LeaderEpoch() int32 { return p.leaderEpoch }
func (p *Partition) MinIsr() int        { return p.minIsr }

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
