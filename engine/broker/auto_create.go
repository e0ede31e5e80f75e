package broker

import (
	"strconv"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/metadata"
	"kafkalab/engine/sim"
)

// autoCreate asks the controller for topics that a client has named and that
// are not there. The client is not made to wait: it hears of an unknown topic,
// asks again, and finds it. A topic that has been asked for is not asked for
// again while the answer is out.
// Source: DefaultAutoTopicCreationManager.
func (b *Broker) autoCreate(req sim.Request, topics []string) {
	create := kmsg.NewPtrCreateTopicsRequest()
	create.Version = 7
	create.TimeoutMillis = int32(b.configs().Int("request.timeout.ms"))
	for _, name := range topics {
		if metadata.CheckTopicName(name) != nil || b.beingCreated(name) {
			continue
		}
		b.creating[name] = b.ctx.Now()
		create.Topics = append(create.Topics, b.creatable(name))
	}
	if len(create.Topics) == 0 {
		return
	}
	f := forwarding{own: true}
	for i := range create.Topics {
		f.creating = append(f.creating, create.Topics[i].Topic)
	}
	b.envelope(create, req.ClientID, f)
}

// beingCreated tells whether a topic was asked for and the answer may still
// come.
func (b *Broker) beingCreated(topic string) bool {
	asked, ok := b.creating[topic]
	return ok && b.ctx.Now()-asked < b.configs().Int("request.timeout.ms")
}

// creatable is the topic as it is asked for: a coordinator's with the configs
// of its own, any other with what the controller holds for the default, unless
// this broker's properties say otherwise.
func (b *Broker) creatable(name string) kmsg.CreateTopicsRequestTopic {
	t := kmsg.NewCreateTopicsRequestTopic()
	t.Topic, t.NumPartitions, t.ReplicationFactor = name, -1, -1
	c := b.configs()
	prefix := ""
	switch name {
	case metadata.ConsumerOffsets:
		prefix = "offsets.topic."
		set(&t, "cleanup.policy", "compact", "compression.type", "producer")
	case metadata.TransactionState:
		prefix = "transaction.state.log."
		set(&t, "cleanup.policy", "compact", "compression.type", "uncompressed", "unclean.leader.election.enable", "false",
			"min.insync.replicas", strconv.FormatInt(c.Int(prefix+"min.isr"), 10))
	case metadata.ShareGroupState:
		prefix = "share.coordinator.state.topic."
		set(&t, "cleanup.policy", "delete", "compression.type", "producer", "retention.ms", "-1",
			"min.insync.replicas", strconv.FormatInt(c.Int(prefix+"min.isr"), 10))
	default:
		if _, given := b.Static["num.partitions"]; given {
			t.NumPartitions = int32(c.Int("num.partitions"))
		}
		if _, given := b.Static["default.replication.factor"]; given {
			t.ReplicationFactor = int16(c.Int("default.replication.factor"))
		}
		return t
	}
	set(&t, "segment.bytes", strconv.FormatInt(c.Int(prefix+"segment.bytes"), 10))
	t.NumPartitions, t.ReplicationFactor = int32(c.Int(prefix+"num.partitions")), int16(c.Int(prefix+"replication.factor"))
	return t
}

// set adds configs, given as names and values in turn.
func set(t *kmsg.CreateTopicsRequestTopic, pairs ...string) {
	for i := 0; i+1 < len(pairs); i += 2 {
		c := kmsg.NewCreateTopicsRequestTopicConfig()
		c.Name, c.Value = pairs[i], &pairs[i+1]
		t.Configs = append(t.Configs, c)
	}
}
