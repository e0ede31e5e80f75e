package engine

import (
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// brokerDownCases ask two brokers while the third is dead: partitions without a
// leader, replicas that are offline, elections that cannot be held.
func brokerDownCases() []rawCase {
	elect := func(kind int8, topic string, parts ...int32) func(*rawWorld) kmsg.Request {
		return func(*rawWorld) kmsg.Request {
			r := kmsg.NewPtrElectLeadersRequest()
			r.Version, r.ElectionType, r.TimeoutMillis = 2, kind, 10000
			if topic != "" {
				r.Topics = []kmsg.ElectLeadersRequestTopic{{Topic: topic, Partitions: parts}}
			}
			return r
		}
	}
	cluster := func(version int16, fenced bool) func(*rawWorld) kmsg.Request {
		return func(*rawWorld) kmsg.Request {
			r := kmsg.NewPtrDescribeClusterRequest()
			r.Version, r.IncludeFencedBrokers = version, fenced
			return r
		}
	}
	partitions := func(*rawWorld) kmsg.Request {
		r := kmsg.NewPtrDescribeTopicPartitionsRequest()
		r.ResponsePartitionLimit, r.Topics = 100, []kmsg.DescribeTopicPartitionsRequestTopic{{Topic: "w"}}
		return r
	}
	cases := []rawCase{
		made(on("w", []int32{3, 1}, []int32{1, 3}, []int32{1, 2}), on("lonely", []int32{3})),
		learned("w", "lonely"),
		{name: "records", req: produceTo(13, -1, "w", 1, rawBatch(2, nil)), changes: true},
		{node: func(w *rawWorld) { w.kill(3) }},
	}
	for v := int16(0); v <= 13; v++ {
		cases = append(cases, rawCase{name: fmt.Sprintf("metadata v%d", v), req: fixed(metadataOf(v, false, "w", "lonely"))})
	}
	for v := int16(0); v <= 2; v++ {
		cases = append(cases, rawCase{name: fmt.Sprintf("cluster v%d", v), req: cluster(v, false)})
	}
	cases = append(cases,
		rawCase{name: "cluster with fenced brokers", req: cluster(2, true)},
		rawCase{name: "partitions", req: partitions, ordered: true},
		rawCase{name: "produce without a leader", req: produceTo(13, -1, "lonely", 0, rawBatch(1, nil))},
		rawCase{name: "offsets without a leader", req: listOffsets(10, -1, "lonely", 0, -1)},
		rawCase{name: "acks of an ISR of one", req: produceTo(13, -1, "w", 1, rawBatch(1, nil))},
		rawCase{name: "preferred of the dead", req: elect(0, "w", 0)},
		rawCase{name: "preferred of the living", req: elect(0, "w", 1)},
		rawCase{name: "unclean with a leader", req: elect(1, "w", 0)},
		rawCase{name: "unclean of a lonely one", req: elect(1, "lonely", 0)},
		rawCase{name: "preferred of a lonely one", req: elect(0, "lonely", 0)},
		rawCase{name: "topic on the dead only", req: fixed(create(7, true, newTopic{name: "dead", parts: -1, factor: -1, placed: [][]int32{{3}}}))},
		rawCase{name: "topic on the dead too", req: fixed(create(4, false, newTopic{name: "half-dead", parts: -1, factor: -1, placed: [][]int32{{3, 2}}})), changes: true},
		rawCase{name: "the half dead topic", req: fixed(metadataOf(12, false, "half-dead"))},
		rawCase{name: "three replicas of two brokers", req: fixed(create(4, true, newTopic{name: "three", parts: 1, factor: 3}))},
		rawCase{name: "four replicas", req: fixed(create(4, true, newTopic{name: "four", parts: 1, factor: 4}))},
		rawCase{name: "a partition on the dead", req: grow(true, growth{"lonely", 2, [][]int32{{3}}})},
		rawCase{name: "a partition more", req: grow(true, growth{"w", 4, nil})},
		rawCase{name: "delete records without a replica", req: func(*rawWorld) kmsg.Request {
			r := kmsg.NewPtrDeleteRecordsRequest()
			r.Version, r.TimeoutMillis = 2, 1000
			r.Topics = []kmsg.DeleteRecordsRequestTopic{{Topic: "w", Partitions: []kmsg.DeleteRecordsRequestTopicPartition{{Partition: 1, Offset: 1}}}}
			return r
		}},
		rawCase{node: func(w *rawWorld) { w.start(3) }},
		rawCase{name: "it is back", req: fixed(metadataOf(12, false, "w", "lonely", "half-dead"))},
		rawCase{name: "preferred of who is back", req: elect(0, "w", 0), changes: true},
		rawCase{name: "it leads", req: fixed(metadataOf(12, false, "w"))},
	)
	return append(cases, newEpochCases()...)
}

// newEpochCases ask of a partition that broker 3 leads in epoch 2, after broker
// 1 in epoch 1, in which nothing was written.
func newEpochCases() []rawCase {
	cases := []rawCase{
		{name: "two records in the new epoch", to: 3, req: produceTo(13, -1, "w", 0, rawBatch(2, nil))},
		{name: "to who led before", req: produceTo(13, 1, "w", 0, rawBatch(1, nil))},
		{name: "to who led before, v9", req: produceTo(9, 1, "w", 0, rawBatch(1, nil))},
		{name: "offsets of who led before", req: listOffsets(10, -1, "w", 0, -1)},
	}
	for epoch := int32(0); epoch <= 3; epoch++ {
		cases = append(cases,
			rawCase{name: fmt.Sprintf("offsets in epoch %d", epoch), to: 3, req: withEpoch(listOffsets(10, -1, "w", 0, -1), epoch)},
			rawCase{name: fmt.Sprintf("the end of epoch %d", epoch), to: 3, req: endOf(4, "w", 0, -1, epoch)},
			rawCase{name: fmt.Sprintf("the end in epoch %d", epoch), to: 3, req: endOf(4, "w", 0, epoch, 2)})
		for _, v := range []int16{9, 12, 15, 17} {
			cases = append(cases, rawCase{name: fmt.Sprintf("fetch v%d in epoch %d", v, epoch), to: 3, req: withEpoch(fetchAt(v, "w", 0, 0), epoch)})
		}
	}
	return cases
}
