package quorum

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/config"
	"kafkalab/engine/kerror"
	"kafkalab/engine/metadata"
	"kafkalab/engine/sim"
	"kafkalab/engine/trace"
)

// maxPartitionsPerRequest bounds how many partitions one request may create
// (ReplicationControlManager#MAX_PARTITIONS_PER_BATCH).
const maxPartitionsPerRequest = 10_000

// createTopics checks each topic of a request, places its partitions, and
// writes the records of all that passed.
// Source: ReplicationControlManager#createTopics.
func (c *Controller) createTopics(ctx *sim.Ctx, msg *kmsg.CreateTopicsRequest) *kmsg.CreateTopicsResponse {
	resp := kmsg.NewPtrCreateTopicsResponse()
	for i := range msg.Topics {
		resp.Topics = append(resp.Topics, c.createTopic(ctx, &msg.Topics[i], msg.ValidateOnly))
	}
	return resp
}

func (c *Controller) createTopic(ctx *sim.Ctx, t *kmsg.CreateTopicsRequestTopic, validateOnly bool) kmsg.CreateTopicsResponseTopic {
	out := kmsg.NewCreateTopicsResponseTopic()
	out.Topic, out.NumPartitions, out.ReplicationFactor = t.Topic, -1, -1
	overrides, kerr := c.checkTopic(t)
	var placed [][]int32
	if kerr == nil {
		placed, kerr = c.place(ctx, t)
	}
	if kerr != nil {
		out.ErrorCode, out.ErrorMessage = int16(kerr.Code), message(kerr)
		return out
	}
	out.NumPartitions, out.ReplicationFactor = int32(len(placed)), int16(len(placed[0]))
	out.Configs = describeNewTopic(overrides)
	if validateOnly {
		return out
	}
	out.TopicID = sim.UUID(ctx.Rand("topic.id"))
	c.append(ctx, c.topicRecords(t, out.TopicID, placed)...)
	ctx.Emit(trace.TopicCreated{Topic: t.Topic, Partitions: len(placed), Replicas: len(placed[0])})
	return out
}

// topicRecords are a topic's configs, its id and its partitions: Kafka writes
// them in this order, in one batch, so that no broker sees half a topic.
func (c *Controller) topicRecords(t *kmsg.CreateTopicsRequestTopic, id [16]byte, placed [][]int32) []metadata.Record {
	records := []metadata.Record{&metadata.Topic{Name: t.Topic, ID: id}}
	for _, cfg := range t.Configs {
		records = append(records, &metadata.Config{ResourceType: metadata.ResourceTopic, ResourceName: t.Topic, Name: cfg.Name, Value: cfg.Value})
	}
	for p, replicas := range placed {
		records = append(records, c.newPartition(id, int32(p), replicas))
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

var legalTopic = regexp.MustCompile(`^[a-zA-Z0-9._-]+$`)

// checkName holds a name against Topic#validate; the words are Kafka's.
func checkName(name string) *kerror.Error {
	reason := ""
	switch {
	case name == "":
		reason = "the empty string is not allowed"
	case name == "." || name == "..":
		reason = fmt.Sprintf("'%s' is not allowed", name)
	case len([]rune(name)) > 249:
		reason = fmt.Sprintf("the length of '%s' is longer than the max allowed length 249", name)
	case !legalTopic.MatchString(name):
		reason = fmt.Sprintf("'%s' contains one or more characters other than ASCII alphanumerics, '.', '_' and '-'", name)
	}
	if reason == "" {
		return nil
	}
	return kerror.New(kerror.InvalidTopicException, "Topic name is invalid: %s", reason)
}

func (c *Controller) checkTopic(t *kmsg.CreateTopicsRequestTopic) (overrides map[string]string, kerr *kerror.Error) {
	if t.Topic == metadata.TopicName {
		return nil, kerror.New(kerror.InvalidRequest, "Creation of internal topic %s is prohibited.", metadata.TopicName)
	}
	if kerr := checkName(t.Topic); kerr != nil {
		return nil, kerr
	}
	if c.image.Topic(t.Topic) != nil {
		return nil, kerror.New(kerror.TopicAlreadyExists, "Topic '%s' already exists.", t.Topic)
	}
	for _, other := range c.image.Topics() {
		if collides(other.Name, t.Topic) {
			return nil, kerror.New(kerror.InvalidTopicException, "Topic '%s' collides with existing topic: %s", t.Topic, other.Name)
		}
	}
	if t.NumPartitions > maxPartitionsPerRequest {
		return nil, kerror.New(kerror.PolicyViolation, "Excessively large number of partitions per request.")
	}
	overrides = map[string]string{}
	for _, cfg := range t.Configs {
		if cfg.Value == nil {
			return nil, kerror.New(kerror.InvalidConfig, "Null value not supported for topic configs: %s", cfg.Name)
		}
		overrides[cfg.Name] = *cfg.Value
	}
	return overrides, config.ValidateTopic(overrides)
}

// collides tells whether two names are one in the names of metrics, in which a
// dot becomes an underscore (Topic#hasCollision).
func collides(a, b string) bool {
	return strings.ReplaceAll(a, ".", "_") == strings.ReplaceAll(b, ".", "_")
}

func describeNewTopic(overrides map[string]string) []kmsg.CreateTopicsResponseTopicConfig {
	var out []kmsg.CreateTopicsResponseTopicConfig
	for _, d := range config.NewTopic(overrides, config.NewBroker(config.Layers{})).Created() {
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
