package quorum

import (
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/metadata"
	"kafkalab/engine/sim"
)

// electLeaders holds elections by hand: of the partitions that are named, or of
// all, of which only those are told where one was held or failed.
// Source: ReplicationControlManager#electLeaders.
func (c *Controller) electLeaders(ctx *sim.Ctx, msg *kmsg.ElectLeadersRequest) *kmsg.ElectLeadersResponse {
	if msg.ElectionType != 0 && msg.ElectionType != 1 {
		return refuseElections(msg, kerror.New(kerror.InvalidRequest, "Unknown election type %d", msg.ElectionType))
	}
	resp := kmsg.NewPtrElectLeadersResponse()
	var records []metadata.Record
	asked := msg.Topics
	if asked == nil {
		asked = c.allPartitions()
	}
	for i := range asked {
		t := &asked[i]
		out := kmsg.NewElectLeadersResponseTopic()
		out.Topic = t.Topic
		for _, n := range t.Partitions {
			rec, kerr := c.electByHand(t.Topic, n, msg.ElectionType == 1)
			if kerr == nil {
				records = append(records, rec)
			} else if msg.Topics == nil && kerr.Code == kerror.ElectionNotNeeded {
				continue
			}
			out.Partitions = append(out.Partitions, electionResult(n, kerr))
		}
		resp.Topics = append(resp.Topics, out)
	}
	if len(records) > 0 {
		c.append(ctx, records...)
		c.tellChanges(ctx, records)
	}
	return resp
}

func (c *Controller) allPartitions() (all []kmsg.ElectLeadersRequestTopic) {
	for _, t := range c.image.Topics() {
		one := kmsg.ElectLeadersRequestTopic{Topic: t.Name}
		for n := range t.Partitions {
			one.Partitions = append(one.Partitions, int32(n))
		}
		all = append(all, one)
	}
	return all
}

func electionResult(n int32, kerr *kerror.Error) kmsg.ElectLeadersResponseTopicPartition {
	out := kmsg.NewElectLeadersResponseTopicPartition()
	out.Partition = n
	if kerr != nil {
		out.ErrorCode, out.ErrorMessage = int16(kerr.Code), message(kerr)
	}
	return out
}

// refuseElections answers a request as a whole (ElectLeadersRequest#getErrorResponse).
func refuseElections(msg *kmsg.ElectLeadersRequest, kerr *kerror.Error) *kmsg.ElectLeadersResponse {
	resp := kmsg.NewPtrElectLeadersResponse()
	resp.ErrorCode = int16(kerr.Code)
	for _, t := range msg.Topics {
		out := kmsg.NewElectLeadersResponseTopic()
		out.Topic = t.Topic
		for _, n := range t.Partitions {
			out.Partitions = append(out.Partitions, electionResult(n, kerr))
		}
		resp.Topics = append(resp.Topics, out)
	}
	return resp
}

func (c *Controller) electByHand(topic string, n int32, unclean bool) (*metadata.PartitionChange, *kerror.Error) {
	t := c.image.Topic(topic)
	if t == nil {
		return nil, kerror.New(kerror.UnknownTopicOrPartition, "No such topic as %s", topic)
	}
	if n < 0 || int(n) >= len(t.Partitions) {
		return nil, kerror.New(kerror.UnknownTopicOrPartition, "No such partition as %s-%d", topic, n)
	}
	p, how := t.Partitions[n], electPreferred
	notNeeded := kerror.New(kerror.ElectionNotNeeded, "Leader election not needed for topic partition.")
	if unclean {
		if p.Leader != metadata.NoLeader {
			return nil, notNeeded
		}
		how = electUnclean
	} else if p.Leader == p.Replicas[0] {
		return nil, notNeeded
	}
	rec := c.change(t, n, p.Isr, how)
	switch {
	case rec != nil && rec.Leader != nil && (unclean || *rec.Leader == p.Replicas[0]):
		return rec, nil
	case unclean:
		return nil, kerror.New(kerror.EligibleLeadersNotAvailable, "Eligible topic partition leaders are not available.")
	default:
		return nil, kerror.New(kerror.PreferredLeaderNotAvailable, "The preferred leader was not available.")
	}
}
