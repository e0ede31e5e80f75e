package broker

import (
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/metadata"
	"kafkalab/engine/sim"
	"kafkalab/engine/trace"
)

// metadataMaxWaitMs is how long a fetch of the metadata log may be parked
// (KafkaRaftClient#MAX_FETCH_WAIT_MS).
const metadataMaxWaitMs = 500

// fetchMetadata asks the controller for the metadata log from where the broker
// has got to. Brokers follow it by fetching, as observers of the quorum.
func (b *Broker) fetchMetadata() {
	req := kmsg.NewPtrFetchRequest()
	req.Version = 17
	req.ClusterID = kmsg.StringPtr(b.meta.ClusterID)
	req.ReplicaState.ID, req.ReplicaState.Epoch = b.ID, -1
	req.MaxWaitMillis, req.MinBytes, req.MaxBytes = metadataMaxWaitMs, 0, 8<<20
	req.SessionEpoch = -1
	t := kmsg.NewFetchRequestTopic()
	t.TopicID = metadata.TopicID
	p := kmsg.NewFetchRequestTopicPartition()
	p.CurrentLeaderEpoch, p.FetchOffset, p.LastFetchedEpoch = -1, b.metaOffset, -1
	p.PartitionMaxBytes = 8 << 20
	t.Partitions = append(t.Partitions, p)
	req.Topics = append(req.Topics, t)
	b.metaSent = b.ctx.Now()
	b.ctx.CancelTimer("remeta")
	b.metaOff = b.ctx.Send(b.Controller, sim.ConnMetadata, req)
}

// metadataFetched replays what came of the metadata log and brings the
// broker's partitions into line with it.
func (b *Broker) metadataFetched(ev sim.Response) {
	msg := ev.Msg.(*kmsg.FetchResponse)
	if ev.Correlation != b.metaOff || msg.ErrorCode != 0 || len(msg.Topics) == 0 {
		return
	}
	p := &msg.Topics[0].Partitions[0]
	next, err := metadata.Replay(b.image, p.RecordBatches, b.metaOffset)
	if err != nil {
		b.err = err
		return
	}
	if next > b.metaOffset {
		b.metaOffset = next
		b.emit(trace.MetadataApplied{Broker: b.ID, Offset: next})
		b.caughtUpWithItself()
	}
	b.fetchMetadata()
}

// caughtUpWithItself applies the image once the broker has replayed its own
// registration. What the log says before that is about an earlier life: a
// broker that led then, and may have lost records since, must not go on leading
// (BrokerServer waits for initialCatchUpFuture before it publishes metadata).
func (b *Broker) caughtUpWithItself() {
	if b.epoch < 0 || b.metaOffset <= b.epoch {
		return
	}
	b.applyImage()
	if b.fenced {
		b.heartbeat()
	}
}

// applyImage creates, changes and removes replicas until they are what the
// image says (BrokerMetadataPublisher, ReplicaManager#applyDelta).
func (b *Broker) applyImage() {
	if !b.applied {
		b.applied = true
		b.findStrays()
	}
	b.reconfigureCleaner()
	wanted := map[tp]bool{}
	for _, t := range b.image.Topics() {
		for i, p := range t.Partitions {
			if !slices.Contains(p.Replicas, b.ID) {
				continue
			}
			key := tp{t.Name, int32(i)}
			if have := b.partitions[key]; have != nil && have.topicID != t.ID {
				b.remove(key) // deleted and created again between two fetches
			}
			wanted[key] = true
			b.applyPartition(key, t.ID, p)
			if b.failed() {
				return
			}
		}
	}
	for _, p := range b.sorted() {
		if !wanted[p.tp] {
			b.remove(p.tp)
		}
	}
	b.afterRemovals()
	b.balanceFetchers()
	b.promiseAll()
}
