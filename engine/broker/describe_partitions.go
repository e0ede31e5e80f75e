package broker

import (
	"maps"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/metadata"
)

// describeTopicPartitions describes topics partition by partition, sorted by
// name, up to a number of partitions; a cursor says where the next request is to
// go on (KIP-966).
// Source: DescribeTopicPartitionsRequestHandler, KRaftMetadataCache#describeTopicResponse.
func (b *Broker) describeTopicPartitions(msg *kmsg.DescribeTopicPartitionsRequest) *kmsg.DescribeTopicPartitionsResponse {
	resp := kmsg.NewPtrDescribeTopicPartitionsResponse()
	all := len(msg.Topics) == 0
	names, ok := b.topicsFromCursor(msg)
	if !ok {
		for i := range msg.Topics {
			resp.Topics = append(resp.Topics, unknownPartitions(msg.Topics[i].Topic, kerror.InvalidRequest))
		}
		return resp
	}
	left := max(min(int(b.configs().Int("max.request.partition.size.limit")), int(msg.ResponsePartitionLimit)), 1)
	for _, name := range names {
		if left == 0 {
			resp.NextCursor = &kmsg.DescribeTopicPartitionsResponseNextCursor{Topic: name}
			break
		}
		t := b.image.Topic(name)
		if t == nil {
			if !all {
				resp.Topics = append(resp.Topics, missingPartitions(name))
			}
			continue
		}
		first := 0
		if msg.Cursor != nil && msg.Cursor.Topic == name {
			first = int(msg.Cursor.Partition)
		}
		end := min(len(t.Partitions), first+left)
		out := b.describePartitions(t, first, end)
		resp.Topics = append(resp.Topics, out)
		if end < len(t.Partitions) {
			resp.NextCursor = &kmsg.DescribeTopicPartitionsResponseNextCursor{Topic: name, Partition: int32(end)}
			break
		}
		left -= len(out.Partitions)
	}
	return resp
}

// topicsFromCursor are the names asked for, sorted, from the cursor's on; ok is
// false for a cursor that does not go with them.
func (b *Broker) topicsFromCursor(msg *kmsg.DescribeTopicPartitionsRequest) (names []string, ok bool) {
	from := ""
	if msg.Cursor != nil {
		from = msg.Cursor.Topic
	}
	set := map[string]bool{}
	for i := range msg.Topics {
		set[msg.Topics[i].Topic] = true
	}
	if msg.Cursor != nil && (len(set) > 0 && !set[from] || msg.Cursor.Partition < 0) {
		return nil, false
	}
	if len(set) == 0 {
		for _, t := range b.image.Topics() {
			set[t.Name] = true
		}
	}
	names = slices.Sorted(maps.Keys(set))
	at, _ := slices.BinarySearch(names, from)
	return names[at:], true
}

func (b *Broker) describePartitions(t *metadata.TopicImage, first, end int) kmsg.DescribeTopicPartitionsResponseTopic {
	out := kmsg.NewDescribeTopicPartitionsResponseTopic()
	out.Topic, out.TopicID, out.IsInternal, out.AuthorizedOperations = &t.Name, t.ID, metadata.Internal(t.Name), topicOperations
	for n := first; n < end; n++ {
		p := t.Partitions[n]
		x := kmsg.NewDescribeTopicPartitionsResponseTopicPartition()
		x.Partition, x.LeaderID, x.LeaderEpoch = int32(n), p.Leader, p.LeaderEpoch
		x.Replicas, x.ISR, x.OfflineReplicas = slices.Clone(p.Replicas), slices.Clone(p.Isr), b.offline(p)
		x.EligibleLeaderReplicas, x.LastKnownELR = []int32{}, []int32{} // of a cluster without KIP-966
		if b.image.Brokers[p.Leader] == nil {
			x.LeaderID = metadata.NoLeader
		}
		out.Partitions = append(out.Partitions, x)
	}
	return out
}

// missingPartitions answers a name that is no topic's.
func missingPartitions(name string) kmsg.DescribeTopicPartitionsResponseTopic {
	code := kerror.UnknownTopicOrPartition
	if kerr := metadata.CheckTopicName(name); kerr != nil {
		code = kerr.Code
	}
	out := unknownPartitions(name, code)
	out.IsInternal, out.AuthorizedOperations = metadata.Internal(name), topicOperations
	return out
}

func unknownPartitions(name string, code kerror.Code) kmsg.DescribeTopicPartitionsResponseTopic {
	out := kmsg.NewDescribeTopicPartitionsResponseTopic()
	out.Topic, out.ErrorCode = &name, int16(code)
	return out
}
