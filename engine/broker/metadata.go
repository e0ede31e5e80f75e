package broker

import (
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/metadata"
)

// metadataResponse tells clients which brokers there are and who leads what.
// Topics are not created on the way: a client that asks for that gets the same
// answer as one that does not.
// Source: KafkaApis#handleTopicMetadataRequest, KRaftMetadataCache.
func (b *Broker) metadataResponse(msg *kmsg.MetadataRequest) *kmsg.MetadataResponse {
	resp := kmsg.NewPtrMetadataResponse()
	resp.ClusterID = kmsg.StringPtr(b.meta.ClusterID)
	var active []int32
	for _, id := range b.image.BrokerIDs() {
		if !b.image.Live(id) {
			continue
		}
		active = append(active, id)
		im := b.image.Brokers[id]
		mb := kmsg.NewMetadataResponseBroker()
		mb.NodeID, mb.Host, mb.Port, mb.Rack = id, im.Host, im.Port, im.Rack
		resp.Brokers = append(resp.Brokers, mb)
	}
	resp.ControllerID = -1
	if len(active) > 0 {
		// Clients never meet the controller: any live broker forwards to it.
		resp.ControllerID = active[b.ctx.Rand("metadata.controller").IntN(len(active))]
	}
	if msg.Topics == nil {
		for _, t := range b.image.Topics() {
			resp.Topics = append(resp.Topics, b.describeTopic(t))
		}
		return resp
	}
	for i := range msg.Topics {
		resp.Topics = append(resp.Topics, b.topicMetadata(&msg.Topics[i]))
	}
	return resp
}

func (b *Broker) topicMetadata(asked *kmsg.MetadataRequestTopic) kmsg.MetadataResponseTopic {
	var t *metadata.TopicImage
	unknown := kerror.UnknownTopicOrPartition
	if asked.Topic != nil {
		t = b.image.Topic(*asked.Topic)
	} else {
		t = b.image.TopicByID(asked.TopicID)
		unknown = kerror.UnknownTopicId
	}
	if t == nil {
		out := kmsg.NewMetadataResponseTopic()
		out.Topic, out.TopicID, out.ErrorCode = asked.Topic, asked.TopicID, int16(unknown)
		return out
	}
	return b.describeTopic(t)
}

func (b *Broker) describeTopic(t *metadata.TopicImage) kmsg.MetadataResponseTopic {
	out := kmsg.NewMetadataResponseTopic()
	out.Topic, out.TopicID = &t.Name, t.ID
	out.IsInternal = t.Name == "__consumer_offsets" || t.Name == "__transaction_state"
	for i, p := range t.Partitions {
		mp := kmsg.NewMetadataResponseTopicPartition()
		mp.Partition, mp.Leader, mp.LeaderEpoch = int32(i), p.Leader, p.LeaderEpoch
		mp.Replicas, mp.ISR = slices.Clone(p.Replicas), slices.Clone(p.Isr)
		mp.OfflineReplicas = []int32{}
		for _, r := range p.Replicas {
			if !b.image.Live(r) {
				mp.OfflineReplicas = append(mp.OfflineReplicas, r)
			}
		}
		if p.Leader == metadata.NoLeader {
			mp.ErrorCode = int16(kerror.LeaderNotAvailable)
		}
		out.Partitions = append(out.Partitions, mp)
	}
	return out
}
