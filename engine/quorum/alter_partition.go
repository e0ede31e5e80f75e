package quorum

import (
	"fmt"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/metadata"
	"kafkalab/engine/sim"
)

// alterPartition writes the ISRs that a leader proposes, if they may be.
// Source: ReplicationControlManager#alterPartition, KIP-497.
func (c *Controller) alterPartition(ctx *sim.Ctx, msg *kmsg.AlterPartitionRequest) *kmsg.AlterPartitionResponse {
	resp := kmsg.NewPtrAlterPartitionResponse()
	if b := c.image.Brokers[msg.BrokerID]; b == nil || b.Epoch != msg.BrokerEpoch {
		resp.ErrorCode = int16(kerror.StaleBrokerEpoch)
		return resp
	}
	var records []metadata.Record
	for ti := range msg.Topics {
		t := &msg.Topics[ti]
		out := kmsg.NewAlterPartitionResponseTopic()
		out.TopidID = t.TopicID
		for pi := range t.Partitions {
			in := &t.Partitions[pi]
			answer := kmsg.NewAlterPartitionResponseTopicPartition()
			answer.Partition = in.Partition
			p, isr, code := c.checkAlter(msg.BrokerID, t.TopicID, in)
			if code != kerror.None {
				answer.ErrorCode = int16(code)
				out.Partitions = append(out.Partitions, answer)
				continue
			}
			rec := &metadata.PartitionChange{PartitionID: in.Partition, TopicID: t.TopicID}
			answer.LeaderID, answer.LeaderEpoch, answer.ISR, answer.PartitionEpoch = p.Leader, p.LeaderEpoch, isr, p.PartitionEpoch
			if !slices.Equal(isr, p.Isr) {
				rec.Isr = isr
			}
			if p.Recovering && in.LeaderRecoveryState == 0 {
				recovered := int8(0)
				rec.Recovery = &recovered
			}
			if rec.Isr != nil || rec.Recovery != nil {
				records = append(records, rec)
				answer.PartitionEpoch++
			}
			out.Partitions = append(out.Partitions, answer)
		}
		resp.Topics = append(resp.Topics, out)
	}
	if len(records) > 0 {
		c.append(ctx, records...)
		c.tellChanges(ctx, records)
	}
	return resp
}

// checkAlter holds a proposal against the rules, in Kafka's order.
// Source: ReplicationControlManager#validateAlterPartitionData.
func (c *Controller) checkAlter(from int32, id [16]byte, in *kmsg.AlterPartitionRequestTopicPartition) (*metadata.PartitionImage, []int32, kerror.Code) {
	if c.image.TopicByID(id) == nil {
		return nil, nil, kerror.UnknownTopicId
	}
	p := c.image.Partition(id, in.Partition)
	var isr []int32
	for _, m := range in.NewEpochISR {
		isr = append(isr, m.BrokerID)
	}
	sorted := slices.Sorted(slices.Values(isr))
	foreign := func(r int32) bool { return p != nil && !slices.Contains(p.Replicas, r) }
	switch {
	case p == nil:
		return nil, nil, kerror.UnknownTopicOrPartition
	case in.LeaderEpoch > p.LeaderEpoch || in.PartitionEpoch > p.PartitionEpoch:
		return nil, nil, kerror.NotController
	case in.LeaderEpoch < p.LeaderEpoch:
		return nil, nil, kerror.FencedLeaderEpoch
	case from != p.Leader:
		return nil, nil, kerror.InvalidRequest
	case in.PartitionEpoch < p.PartitionEpoch:
		return nil, nil, kerror.InvalidUpdateVersion
	case slices.ContainsFunc(isr, foreign), len(slices.Compact(sorted)) != len(isr), !slices.Contains(isr, p.Leader):
		return nil, nil, kerror.InvalidRequest
	case in.LeaderRecoveryState == 1 && (len(isr) > 1 || !p.Recovering):
		return nil, nil, kerror.InvalidRequest
	}
	for _, m := range in.NewEpochISR {
		b := c.image.Brokers[m.BrokerID]
		if !c.image.Active(m.BrokerID) || (m.BrokerEpoch != -1 && m.BrokerEpoch != b.Epoch) {
			return nil, nil, kerror.IneligibleReplica
		}
	}
	return p, isr, kerror.None
}

func partitionName(topic string, n int32) string { return fmt.Sprintf("%s/%d", topic, n) }
