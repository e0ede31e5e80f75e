package quorum

import (
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/metadata"
	"kafkalab/engine/sim"
)

// createPartitions adds partitions to topics; there is no way to have fewer.
// Source: ControllerApis#createPartitions, ReplicationControlManager#createPartitions.
func (c *Controller) createPartitions(ctx *sim.Ctx, msg *kmsg.CreatePartitionsRequest) *kmsg.CreatePartitionsResponse {
	resp := kmsg.NewPtrCreatePartitionsResponse()
	answer := func(topic string, kerr *kerror.Error) {
		out := kmsg.NewCreatePartitionsResponseTopic()
		out.Topic = topic
		if kerr != nil {
			out.ErrorCode, out.ErrorMessage = int16(kerr.Code), message(kerr)
		}
		resp.Topics = append(resp.Topics, out)
	}
	count := map[string]int{}
	for i := range msg.Topics {
		count[msg.Topics[i].Topic]++
	}
	var topics []*kmsg.CreatePartitionsRequestTopic
	for i := range msg.Topics {
		t := &msg.Topics[i]
		if count[t.Topic] > 1 {
			answer(t.Topic, kerror.New(kerror.InvalidRequest, "Duplicate topic name."))
			count[t.Topic] = 0
		} else if count[t.Topic] == 1 {
			topics = append(topics, t)
		}
	}
	if c.tooMuchGrowth(topics) {
		resp.Topics = nil
		for i := range msg.Topics {
			answer(msg.Topics[i].Topic, kerror.New(kerror.PolicyViolation, "Excessively large number of additional partitions per request."))
		}
		return resp
	}
	var records []metadata.Record
	for _, t := range topics {
		more, kerr := c.growTopic(ctx, t)
		records = append(records, more...)
		answer(t.Topic, kerr)
	}
	if !msg.ValidateOnly && len(records) > 0 {
		c.append(ctx, records...)
	}
	return resp
}

func (c *Controller) tooMuchGrowth(topics []*kmsg.CreatePartitionsRequestTopic) bool {
	total := int64(0)
	for _, t := range topics {
		if topic := c.image.Topic(t.Topic); topic != nil && int(t.Count) > len(topic.Partitions) {
			total += int64(t.Count) - int64(len(topic.Partitions))
		}
	}
	return total > maxPartitionsPerRequest
}

// growTopic gives the records of a topic's new partitions.
func (c *Controller) growTopic(ctx *sim.Ctx, t *kmsg.CreatePartitionsRequestTopic) ([]metadata.Record, *kerror.Error) {
	topic := c.image.Topic(t.Topic)
	if topic == nil {
		return nil, &kerror.Error{Code: kerror.UnknownTopicOrPartition}
	}
	have := int32(len(topic.Partitions))
	more := t.Count - have
	switch {
	case t.Count == have:
		return nil, kerror.New(kerror.InvalidPartitions, "Topic already has %d partition(s).", have)
	case t.Count < have:
		return nil, kerror.New(kerror.InvalidPartitions, "The topic %s currently has %d partition(s); %d would not be an increase.", t.Topic, have, t.Count)
	case t.Assignment != nil && int32(len(t.Assignment)) != more:
		return nil, kerror.New(kerror.InvalidReplicaAssignment, "Attempted to add %d additional partition(s), but only %d assignment(s) were specified.", more, len(t.Assignment))
	}
	factor := len(topic.Partitions[0].Replicas)
	var placed [][]int32
	if t.Assignment == nil {
		var kerr *kerror.Error
		if placed, kerr = c.stripe(ctx, int(more), factor); kerr != nil {
			return nil, kerr
		}
	}
	for i, a := range t.Assignment {
		if kerr := c.checkAssignment(have+int32(i), a.Replicas, factor); kerr != nil {
			return nil, kerr
		}
		placed = append(placed, a.Replicas)
	}
	var records []metadata.Record
	for i, replicas := range placed {
		records = append(records, c.newPartition(topic.ID, have+int32(i), replicas))
	}
	return records, nil
}
