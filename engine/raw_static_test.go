package engine

import (
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// staticCases ask a single broker whose properties say other than the defaults.
func staticCases() []rawCase {
	plain := newTopic{name: "plain", parts: -1, factor: -1}
	cases := []rawCase{
		{name: "no topic is made", req: fixed(metadataOf(12, true, "auto")), changes: true},
		{name: "none was", req: fixed(metadataOf(12, false, "auto"))},
		{name: "create with the defaults", req: fixed(create(7, false, plain)), changes: true},
		{name: "create with configs", req: fixed(create(7, true, newTopic{name: "own", parts: 1, factor: 1, configs: []string{"retention.ms=1", "compression.type=gzip"}}))},
		{name: "create what conflicts with the broker's", req: fixed(create(7, true, newTopic{name: "lag", parts: 1, factor: 1, configs: []string{"min.compaction.lag.ms=9223372036854775807", "max.compaction.lag.ms=9"}}))},
		{name: "its partitions", req: fixed(metadataOf(12, false, "plain"))},
		{name: "its configs", req: fixed(describeConfigs(4, true, resTopic, "plain"))},
		{name: "the broker's configs", req: fixed(describeConfigs(4, true, resBroker, "1", "num.partitions", "log.retention.hours", "log.retention.ms", "log.retention.minutes", "log.roll.ms", "log.roll.hours",
			"message.max.bytes", "delete.topic.enable", "min.insync.replicas", "compression.type"))},
		{name: "a limit of partitions", ordered: true, req: func(*rawWorld) kmsg.Request {
			r := kmsg.NewPtrDescribeTopicPartitionsRequest()
			r.ResponsePartitionLimit = 100
			return r
		}},
		{name: "too large for the broker", req: produceTo(12, 1, "plain", 0, sized(2100))},
		{name: "the broker's timestamps and codec", req: produceTo(12, 1, "plain", 0, rawBatch(3, nil))},
		{name: "fewer than two in sync", req: produceTo(12, -1, "plain", 1, rawBatch(3, nil))},
	}
	for v := int16(1); v <= 6; v++ {
		cases = append(cases, rawCase{name: fmt.Sprintf("delete v%d", v), req: remove(v, "plain", "nosuch")})
	}
	return append(cases, rawCase{name: "append to a broker's list that is static", req: fixed(incremental(1, true, alter{resBroker, "1", []string{"+log.cleanup.policy=compact"}}))},
		rawCase{name: "threads of a static pool", req: fixed(incremental(1, true, alter{resBroker, "1", []string{"=num.io.threads=17"}}))},
		rawCase{name: "append to a topic's list", req: fixed(incremental(1, false, alter{resTopic, "plain", []string{"+cleanup.policy=compact"}})), changes: true},
		rawCase{name: "what came of it", req: fixed(describeConfigs(4, true, resTopic, "plain", "cleanup.policy"))})
}

// staticAutoCases make topics on a broker that has its own number of partitions.
func staticAutoCases() []rawCase {
	return []rawCase{
		{name: "a topic is made", req: fixed(metadataOf(12, true, "auto")), changes: true},
		{name: "with three partitions", req: fixed(metadataOf(12, false, "auto"))},
		{name: "one with the default", req: fixed(create(7, true, newTopic{name: "plain", parts: -1, factor: -1}))},
	}
}
