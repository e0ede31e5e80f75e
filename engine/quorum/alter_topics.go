package quorum

import (
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/metadata"
	"kafkalab/engine/sim"
	"kafkalab/engine/trace"
)

// deleteTopics takes topics out of the metadata, by name or by id. Their logs
// go when the brokers hear of it.
func (c *Controller) deleteTopics(ctx *sim.Ctx, msg *kmsg.DeleteTopicsRequest) *kmsg.DeleteTopicsResponse {
	resp := kmsg.NewPtrDeleteTopicsResponse()
	if !c.bool("delete.topic.enable") {
		for _, t := range msg.Topics {
			out := kmsg.NewDeleteTopicsResponseTopic()
			out.Topic, out.TopicID, out.ErrorCode = t.Topic, t.TopicID, int16(kerror.TopicDeletionDisabled)
			resp.Topics = append(resp.Topics, out)
		}
		return resp
	}
	for _, t := range msg.Topics {
		out := kmsg.NewDeleteTopicsResponseTopic()
		out.Topic, out.TopicID = t.Topic, t.TopicID
		var topic *metadata.TopicImage
		unknown := kerror.New(kerror.UnknownTopicOrPartition, "This server does not host this topic-partition.")
		if t.Topic != nil {
			topic = c.image.Topic(*t.Topic)
		} else {
			topic = c.image.TopicByID(t.TopicID)
			unknown = kerror.New(kerror.UnknownTopicId, "This server does not host this topic ID.")
		}
		if topic == nil {
			out.ErrorCode, out.ErrorMessage = int16(unknown.Code), message(unknown)
		} else {
			out.Topic, out.TopicID = &topic.Name, topic.ID
			c.append(ctx, &metadata.RemoveTopic{ID: topic.ID})
			ctx.Emit(trace.TopicDeleted{Topic: topic.Name})
		}
		resp.Topics = append(resp.Topics, out)
	}
	return resp
}

// createPartitions adds partitions to a topic; there is no way to have fewer.
// Source: ReplicationControlManager#createPartitions.
func (c *Controller) createPartitions(ctx *sim.Ctx, msg *kmsg.CreatePartitionsRequest) *kmsg.CreatePartitionsResponse {
	resp := kmsg.NewPtrCreatePartitionsResponse()
	for i := range msg.Topics {
		t := &msg.Topics[i]
		out := kmsg.NewCreatePartitionsResponseTopic()
		out.Topic = t.Topic
		if kerr := c.addPartitions(ctx, t, msg.ValidateOnly); kerr != nil {
			out.ErrorCode, out.ErrorMessage = int16(kerr.Code), message(kerr)
		}
		resp.Topics = append(resp.Topics, out)
	}
	return resp
}

func (c *Controller) addPartitions(ctx *sim.Ctx, t *kmsg.CreatePartitionsRequestTopic, validateOnly bool) *kerror.Error {
	topic := c.image.Topic(t.Topic)
	if topic == nil {
		return &kerror.Error{Code: kerror.UnknownTopicOrPartition}
	}
	have := int32(len(topic.Partitions))
	more := t.Count - have
	switch {
	case more == 0:
		return kerror.New(kerror.InvalidPartitions, "Topic already has %d partition(s).", have)
	case more < 0:
		return kerror.New(kerror.InvalidPartitions, "The topic %s currently has %d partition(s); %d would not be an increase.", t.Topic, have, t.Count)
	case more > maxPartitionsPerRequest:
		return kerror.New(kerror.PolicyViolation, "Excessively large number of partitions per request.")
	case len(t.Assignment) > 0 && int32(len(t.Assignment)) != more:
		return kerror.New(kerror.InvalidReplicaAssignment, "Attempted to add %d additional partition(s), but only %d assignment(s) were specified.", more, len(t.Assignment))
	}
	factor := len(topic.Partitions[0].Replicas)
	var placed [][]int32
	if len(t.Assignment) == 0 {
		var kerr *kerror.Error
		if placed, kerr = c.stripe(ctx, int(more), factor); kerr != nil {
			return kerr
		}
	}
	for _, a := range t.Assignment {
		if kerr := c.checkAssignment(a.Replicas, factor); kerr != nil {
			return kerr
		}
		placed = append(placed, a.Replicas)
	}
	if validateOnly {
		return nil
	}
	var records []metadata.Record
	for i, replicas := range placed {
		records = append(records, c.newPartition(topic.ID, have+int32(i), replicas))
	}
	c.append(ctx, records...)
	return nil
}
