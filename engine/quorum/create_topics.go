package quorum

import (
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/config"
	"kafkalab/engine/kerror"
	"kafkalab/engine/metadata"
	"kafkalab/engine/sim"
	"kafkalab/engine/trace"
)

// maxPartitionsPerRequest bounds how many partitions one request may create, and
// maxRecordsPerRequest how many records it may cause
// (ReplicationControlManager#MAX_PARTITIONS_PER_BATCH, QuorumController#MAX_RECORDS_PER_USER_OP).
const (
	maxPartitionsPerRequest = 10_000
	maxRecordsPerRequest    = 10_000
)

// createTopics checks each topic of a request, places its partitions, and
// writes the records of all that passed.
// Source: ControllerApis#createTopics, ReplicationControlManager#createTopics.
func (c *Controller) createTopics(ctx *sim.Ctx, msg *kmsg.CreateTopicsRequest) *kmsg.CreateTopicsResponse {
	resp := kmsg.NewPtrCreateTopicsResponse()
	topics, refused := c.distinct(msg)
	if c.tooManyPartitions(topics) {
		return refuseTopics(msg, kerror.New(kerror.PolicyViolation, "Excessively large number of partitions per request."))
	}
	var made []newTopic
	records := 0
	for _, t := range topics {
		out, n := c.newTopic(ctx, t)
		if n != nil {
			made = append(made, *n)
			records += 1 + len(n.overrides) + len(n.placed)
		}
		resp.Topics = append(resp.Topics, out)
	}
	if records > maxRecordsPerRequest {
		return refuseTopics(msg, kerror.New(kerror.PolicyViolation, "Unable to perform excessively large batch operation."))
	}
	if !msg.ValidateOnly && len(made) > 0 {
		c.writeTopics(ctx, made)
	}
	resp.Topics = append(resp.Topics, refused...)
	return resp
}

// writeTopics writes all topics of a request in one batch.
func (c *Controller) writeTopics(ctx *sim.Ctx, made []newTopic) {
	var records []metadata.Record
	for _, n := range made {
		records = append(records, c.topicRecords(n)...)
	}
	c.append(ctx, records...)
	for _, n := range made {
		ctx.Emit(trace.TopicCreated{Topic: n.asked.Topic, Partitions: len(n.placed), Replicas: len(n.placed[0])})
	}
}

// distinct are the topics that are named once; the others, and the metadata
// log's own, are refused.
func (c *Controller) distinct(msg *kmsg.CreateTopicsRequest) (topics []*kmsg.CreateTopicsRequestTopic, refused []kmsg.CreateTopicsResponseTopic) {
	count := map[string]int{}
	for i := range msg.Topics {
		count[msg.Topics[i].Topic]++
	}
	for i := range msg.Topics {
		t := &msg.Topics[i]
		switch n := count[t.Topic]; {
		case n > 1:
			refused = append(refused, refusedTopic(t.Topic, kerror.New(kerror.InvalidRequest, "Duplicate topic name.")))
			count[t.Topic] = 0
		case n == 0: // told already
		case t.Topic == metadata.TopicName:
			refused = append(refused, refusedTopic(t.Topic, kerror.New(kerror.InvalidRequest, "Creation of internal topic %s is prohibited.", t.Topic)))
		default:
			topics = append(topics, t)
		}
	}
	return topics, refused
}

func (c *Controller) tooManyPartitions(topics []*kmsg.CreateTopicsRequestTopic) bool {
	total := int64(0)
	for _, t := range topics {
		switch {
		case len(t.ReplicaAssignment) > 0:
			total += int64(len(t.ReplicaAssignment))
		case t.NumPartitions == -1:
			total += c.int("num.partitions")
		case t.NumPartitions > 0:
			total += int64(t.NumPartitions)
		}
	}
	return total > maxPartitionsPerRequest
}

// refuseTopics answers a request as a whole (CreateTopicsRequest#getErrorResponse).
func refuseTopics(msg *kmsg.CreateTopicsRequest, kerr *kerror.Error) *kmsg.CreateTopicsResponse {
	resp := kmsg.NewPtrCreateTopicsResponse()
	for i := range msg.Topics {
		resp.Topics = append(resp.Topics, refusedTopic(msg.Topics[i].Topic, kerr))
	}
	return resp
}

func refusedTopic(name string, kerr *kerror.Error) kmsg.CreateTopicsResponseTopic {
	out := kmsg.NewCreateTopicsResponseTopic()
	out.Topic, out.NumPartitions, out.ReplicationFactor = name, -1, -1
	out.ErrorCode, out.ErrorMessage = int16(kerr.Code), message(kerr)
	return out
}

// newTopic is a topic that has passed all checks.
type newTopic struct {
	asked     *kmsg.CreateTopicsRequestTopic
	id        [16]byte
	overrides map[string]string
	placed    [][]int32
}

func (c *Controller) newTopic(ctx *sim.Ctx, t *kmsg.CreateTopicsRequestTopic) (kmsg.CreateTopicsResponseTopic, *newTopic) {
	overrides, kerr := c.checkTopic(t)
	var placed [][]int32
	if kerr == nil {
		placed, kerr = c.place(ctx, t)
	}
	if kerr != nil {
		return refusedTopic(t.Topic, kerr), nil
	}
	n := &newTopic{asked: t, id: sim.UUID(ctx.Rand("topic.id")), overrides: overrides, placed: placed}
	out := kmsg.NewCreateTopicsResponseTopic()
	out.Topic, out.TopicID, out.NumPartitions, out.ReplicationFactor = t.Topic, n.id, int32(len(placed)), int16(len(placed[0]))
	out.Configs = c.describeNewTopic(overrides)
	return out, n
}

// topicRecords are a topic's id, its configs and its partitions: Kafka writes
// them in this order, in one batch, so that no broker sees half a topic.
func (c *Controller) topicRecords(n newTopic) []metadata.Record {
	records := []metadata.Record{&metadata.Topic{Name: n.asked.Topic, ID: n.id}}
	written := map[string]bool{}
	for _, cfg := range n.asked.Configs {
		if written[cfg.Name] {
			continue // given twice: the last holds
		}
		written[cfg.Name] = true
		value := n.overrides[cfg.Name]
		records = append(records, &metadata.Config{ResourceType: metadata.ResourceTopic, ResourceName: n.asked.Topic, Name: cfg.Name, Value: &value})
	}
	for p, replicas := range n.placed {
		records = append(records, c.newPartition(n.id, int32(p), replicas))
	}
	return records
}

// newPartition is led by the first of its replicas that is active, and has the
// active ones in its ISR.
func (c *Controller) newPartition(id [16]byte, p int32, replicas []int32) *metadata.Partition {
	rec := &metadata.Partition{PartitionID: p, TopicID: id, Replicas: replicas, Isr: []int32{}, Leader: metadata.NoLeader}
	for _, r := range replicas {
		var dir [16]byte
		if b := c.image.Brokers[r]; b != nil && len(b.LogDirs) > 0 {
			dir = b.LogDirs[0]
		}
		rec.Directories = append(rec.Directories, dir)
		if !c.image.Active(r) {
			continue
		}
		rec.Isr = append(rec.Isr, r)
		if rec.Leader == metadata.NoLeader {
			rec.Leader = r
		}
	}
	return rec
}

// checkTopic holds a new topic's name and configs against the rules.
func (c *Controller) checkTopic(t *kmsg.CreateTopicsRequestTopic) (overrides map[string]string, kerr *kerror.Error) {
	if kerr := metadata.CheckTopicName(t.Topic); kerr != nil {
		return nil, kerr
	}
	if c.image.Topic(t.Topic) != nil {
		return nil, kerror.New(kerror.TopicAlreadyExists, "Topic '%s' already exists.", t.Topic)
	}
	for _, other := range c.image.Topics() {
		if metadata.TopicNamesCollide(other.Name, t.Topic) {
			return nil, kerror.New(kerror.InvalidTopicException, "Topic '%s' collides with existing topic: %s", t.Topic, other.Name)
		}
	}
	overrides = map[string]string{}
	var nulls []string
	for _, cfg := range t.Configs {
		if cfg.Value == nil {
			nulls = append(nulls, cfg.Name)
		} else {
			overrides[cfg.Name] = *cfg.Value
		}
	}
	if len(nulls) > 0 {
		return nil, kerror.New(kerror.InvalidConfig, "Null value not supported for topic configs: %s", strings.Join(nulls, ","))
	}
	if len(overrides) == 0 {
		return overrides, nil
	}
	return overrides, config.ValidateTopicOn(c.configs(), overrides)
}

func (c *Controller) describeNewTopic(overrides map[string]string) []kmsg.CreateTopicsResponseTopicConfig {
	var out []kmsg.CreateTopicsResponseTopicConfig
	for _, d := range config.NewTopic(overrides, c.configs()).Created() {
		e := kmsg.NewCreateTopicsResponseTopicConfig()
		e.Name, e.Value, e.ReadOnly, e.Source, e.IsSensitive = d.Name, d.Value, d.ReadOnly, int8(d.Source), d.Sensitive
		out = append(out, e)
	}
	return out
}

// message is an error's text as it goes on the wire, null when it has none.
func message(e *kerror.Error) *string {
	if e == nil || e.Message == "" {
		return nil
	}
	return &e.Message
}
