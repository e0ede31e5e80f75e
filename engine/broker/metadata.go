package broker

import (
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/metadata"
	"kafkalab/engine/sim"
)

// metadataRequest tells clients which brokers there are and who leads what, of
// all topics, of some by name, or (from version 12 on) by id. Topics that are
// not there are asked for on the way, where the request and
// auto.create.topics.enable allow it.
// Source: KafkaApis#handleTopicMetadataRequest, KRaftMetadataCache.
func (b *Broker) metadataRequest(req sim.Request, msg *kmsg.MetadataRequest) {
	if code := checkMetadata(msg); code != kerror.None {
		b.reply(req.Origin, refuseMetadata(msg, code))
		return
	}
	resp := kmsg.NewPtrMetadataResponse()
	resp.ClusterID, resp.ControllerID = kmsg.StringPtr(b.meta.ClusterID), b.anyBroker("metadata.controller")
	for _, id := range b.image.BrokerIDs() {
		if im := b.image.Brokers[id]; b.image.Live(id) {
			mb := kmsg.NewMetadataResponseBroker()
			mb.NodeID, mb.Host, mb.Port, mb.Rack = id, im.Host, im.Port, im.Rack
			resp.Brokers = append(resp.Brokers, mb)
		}
	}
	resp.Topics = b.topicsMetadata(req, msg)
	if msg.Version >= 8 && msg.Version <= 10 && msg.IncludeClusterAuthorizedOperations {
		resp.AuthorizedOperations = clusterOperations
	}
	b.reply(req.Origin, resp)
}

// anyBroker is a live broker by chance: clients never meet the controller, any
// broker forwards to it (KRaftMetadataCache#getRandomAliveBrokerId).
func (b *Broker) anyBroker(stream string) int32 {
	var live []int32
	for _, id := range b.image.BrokerIDs() {
		if b.image.Live(id) {
			live = append(live, id)
		}
	}
	if len(live) == 0 {
		return -1
	}
	return live[b.ctx.Rand(stream).IntN(len(live))]
}

func allTopics(msg *kmsg.MetadataRequest) bool {
	return msg.Topics == nil || len(msg.Topics) == 0 && msg.Version == 0
}

// checkMetadata refuses what a request of its version cannot ask. A topic with
// neither name nor id makes a Kafka broker stumble over the null.
func checkMetadata(msg *kmsg.MetadataRequest) kerror.Code {
	none, ids := [16]byte{}, false
	for i := range msg.Topics {
		t := &msg.Topics[i]
		if msg.Version < 12 && (t.Topic == nil || t.TopicID != none) {
			return kerror.InvalidRequest
		}
		ids = ids || t.TopicID != none
	}
	for i := range msg.Topics {
		if !ids && msg.Topics[i].Topic == nil {
			return kerror.UnknownServerError
		}
	}
	return kerror.None
}

// refuseMetadata is MetadataRequest#getErrorResponse.
func refuseMetadata(msg *kmsg.MetadataRequest, code kerror.Code) *kmsg.MetadataResponse {
	resp := kmsg.NewPtrMetadataResponse()
	resp.ControllerID, resp.ErrorCode = -1, int16(code)
	for i := range msg.Topics {
		out := kmsg.NewMetadataResponseTopic()
		out.Topic, out.TopicID, out.ErrorCode = msg.Topics[i].Topic, msg.Topics[i].TopicID, int16(code)
		if out.Topic == nil {
			out.Topic = kmsg.StringPtr("")
		}
		resp.Topics = append(resp.Topics, out)
	}
	return resp
}

// topicsMetadata describes what was asked for, each topic once. If any is asked
// for by id, names are not looked at.
func (b *Broker) topicsMetadata(req sim.Request, msg *kmsg.MetadataRequest) (topics []kmsg.MetadataResponseTopic) {
	operations := msg.Version >= 8 && msg.IncludeTopicAuthorizedOperations
	if allTopics(msg) {
		for _, t := range b.image.Topics() {
			topics = append(topics, b.describeTopic(t, msg.Version, operations))
		}
		return topics
	}
	if slices.ContainsFunc(msg.Topics, func(t kmsg.MetadataRequestTopic) bool { return t.TopicID != [16]byte{} }) {
		return b.topicsByID(msg, operations)
	}
	var missing []string
	seen := map[string]bool{}
	for i := range msg.Topics {
		name := *msg.Topics[i].Topic
		if seen[name] {
			continue
		}
		seen[name] = true
		if t := b.image.Topic(name); t != nil {
			topics = append(topics, b.describeTopic(t, msg.Version, operations))
		} else {
			missing = append(missing, name)
		}
	}
	for _, name := range missing {
		out := kmsg.NewMetadataResponseTopic()
		out.Topic, out.IsInternal, out.ErrorCode = &name, metadata.Internal(name), int16(kerror.UnknownTopicOrPartition)
		if kerr := metadata.CheckTopicName(name); kerr != nil {
			out.ErrorCode = int16(kerr.Code)
		}
		if operations {
			out.AuthorizedOperations = topicOperations
		}
		topics = append(topics, out)
	}
	if b.configs().Bool("auto.create.topics.enable") && (msg.AllowAutoTopicCreation || msg.Version < 4) {
		b.autoCreate(req, missing)
	}
	return topics
}

func (b *Broker) topicsByID(msg *kmsg.MetadataRequest, operations bool) (topics []kmsg.MetadataResponseTopic) {
	var known []kmsg.MetadataResponseTopic
	seen := map[[16]byte]bool{{}: true}
	for i := range msg.Topics {
		id := msg.Topics[i].TopicID
		if seen[id] {
			continue
		}
		seen[id] = true
		if t := b.image.TopicByID(id); t != nil {
			known = append(known, b.describeTopic(t, msg.Version, operations))
			continue
		}
		out := kmsg.NewMetadataResponseTopic()
		out.TopicID, out.ErrorCode = id, int16(kerror.UnknownTopicId)
		topics = append(topics, out)
	}
	return append(topics, known...)
}

func (b *Broker) describeTopic(t *metadata.TopicImage, version int16, operations bool) kmsg.MetadataResponseTopic {
	out := kmsg.NewMetadataResponseTopic()
	out.Topic, out.TopicID, out.IsInternal = &t.Name, t.ID, metadata.Internal(t.Name)
	if operations {
		out.AuthorizedOperations = topicOperations
	}
	for i, p := range t.Partitions {
		mp := kmsg.NewMetadataResponseTopicPartition()
		mp.Partition, mp.Leader, mp.LeaderEpoch = int32(i), p.Leader, p.LeaderEpoch
		mp.Replicas, mp.ISR, mp.OfflineReplicas = slices.Clone(p.Replicas), slices.Clone(p.Isr), b.offline(p)
		if version == 0 {
			mp.Replicas, mp.ISR = b.live(p.Replicas), b.live(p.Isr)
		}
		switch {
		case b.image.Brokers[p.Leader] == nil:
			mp.Leader, mp.ErrorCode = metadata.NoLeader, int16(kerror.LeaderNotAvailable)
		case len(mp.Replicas) < len(p.Replicas) || len(mp.ISR) < len(p.Isr):
			mp.ErrorCode = int16(kerror.ReplicaNotAvailable)
		}
		out.Partitions = append(out.Partitions, mp)
	}
	return out
}

// live keeps the brokers that are not fenced: a client of version 0 is told of
// no other.
func (b *Broker) live(ids []int32) []int32 {
	return slices.DeleteFunc(slices.Clone(ids), func(id int32) bool { return !b.image.Live(id) })
}

// offline are the replicas of a partition whose brokers are fenced or gone.
func (b *Broker) offline(p *metadata.PartitionImage) []int32 {
	out := []int32{}
	for _, id := range p.Replicas {
		if !b.image.Live(id) {
			out = append(out, id)
		}
	}
	return out
}
