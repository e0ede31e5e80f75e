package engine

import (
	"fmt"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// rawTime is the timestamp of records in raw requests: 2023-11-14T22:13:20Z,
// before the time of either cluster.
const rawTime int64 = 1700000000000

var rawGroups = []rawGroup{
	{name: "versions", cases: versionCases},
	{name: "metadata", cases: metadataCases},
	{name: "create", cases: createCases},
	{name: "topic-configs", cases: func() []rawCase { return topicConfigCases(someValues) }},
	{name: "all-topic-configs", cases: func() []rawCase { return topicConfigCases(manyValues) }, live: true},
	{name: "broker-configs", cases: brokerConfigCases, live: true},
	{name: "change-topics", cases: changeTopicCases},
	{name: "configs", cases: configCases},
	{name: "cluster", cases: clusterCases},
	{name: "election", cases: electionCases},
	{name: "produce", cases: produceCases},
	{name: "offsets", cases: offsetCases},
	{name: "fetch", cases: fetchCases},
	{name: "producers", cases: producerCases},
	{name: "broker-down", cases: brokerDownCases},
	{name: "static", cases: staticCases, static: map[string]string{
		"auto.leader.rebalance.enable": "false", "share.coordinator.state.topic.min.isr": "1", "delete.topic.enable": "false", "auto.create.topics.enable": "false",
		"num.partitions": "4", "log.retention.hours": "5", "log.roll.ms": "700000", "message.max.bytes": "2000", "min.insync.replicas": "2",
		"log.cleanup.policy": "compact,delete", "compression.type": "zstd", "log.message.timestamp.type": "LogAppendTime",
		"remote.log.storage.system.enable": "false", "max.request.partition.size.limit": "3",
	}},
	{name: "static-auto", cases: staticAutoCases, static: map[string]string{"num.partitions": "3", "delete.topic.enable": "true", "share.coordinator.state.topic.min.isr": "1"}},
}

func ptr[T any](v T) *T { return &v }

// fixed is a request that does not depend on what was answered before.
func fixed(req kmsg.Request) func(*rawWorld) kmsg.Request {
	return func(*rawWorld) kmsg.Request { return req }
}

// every makes a case of each version from first to last.
func every(first, last int16, name string, req func(w *rawWorld) kmsg.Request) []rawCase {
	var out []rawCase
	for v := first; v <= last; v++ {
		out = append(out, rawCase{name: fmt.Sprintf("v%d %s", v, name), req: func(w *rawWorld) kmsg.Request {
			r := req(w)
			r.SetVersion(v)
			return r
		}})
	}
	return out
}

// newTopic asks for a topic; its replicas are given by hand, so that both
// clusters have the same.
type newTopic struct {
	name    string
	parts   int32
	factor  int16
	configs []string // name=value; name! for a null
	placed  [][]int32
}

func create(version int16, validate bool, topics ...newTopic) *kmsg.CreateTopicsRequest {
	req := kmsg.NewPtrCreateTopicsRequest()
	req.Version, req.TimeoutMillis, req.ValidateOnly = version, 10000, validate
	for _, t := range topics {
		n := kmsg.NewCreateTopicsRequestTopic()
		n.Topic, n.NumPartitions, n.ReplicationFactor = t.name, t.parts, t.factor
		for i, replicas := range t.placed {
			n.ReplicaAssignment = append(n.ReplicaAssignment, kmsg.CreateTopicsRequestTopicReplicaAssignment{Partition: int32(i), Replicas: replicas})
		}
		for _, c := range t.configs {
			cfg := kmsg.NewCreateTopicsRequestTopicConfig()
			name, value, ok := strings.Cut(c, "=")
			cfg.Name = name
			if ok {
				cfg.Value = &value
			} else {
				cfg.Name = strings.TrimSuffix(name, "!")
			}
			n.Configs = append(n.Configs, cfg)
		}
		req.Topics = append(req.Topics, n)
	}
	return req
}

// made creates topics for the cases that follow.
func made(topics ...newTopic) rawCase {
	names := []string{}
	for i := range topics {
		topics[i].parts, topics[i].factor = -1, -1
		names = append(names, topics[i].name)
	}
	return rawCase{name: "create " + strings.Join(names, ", "), req: fixed(create(4, false, topics...)), changes: true}
}

func on(name string, replicas ...[]int32) newTopic { return newTopic{name: name, placed: replicas} }

func (t newTopic) with(configs ...string) newTopic { t.configs = configs; return t }

func versionCases() []rawCase {
	ask := func(version int16, edit func(w *rawWorld, r *kmsg.ApiVersionsRequest)) func(*rawWorld) kmsg.Request {
		return func(w *rawWorld) kmsg.Request {
			r := kmsg.NewPtrApiVersionsRequest()
			r.Version, r.ClientSoftwareName, r.ClientSoftwareVersion = version, "lab", "1.0"
			if edit != nil {
				edit(w, r)
			}
			return r
		}
	}
	learn := rawCase{name: "what the cluster is called", req: fixed(&kmsg.MetadataRequest{Version: 12, Topics: []kmsg.MetadataRequestTopic{}})}
	cases := []rawCase{learn}
	for v := int16(0); v <= 5; v++ {
		cases = append(cases, rawCase{name: fmt.Sprintf("v%d", v), req: ask(v, nil)})
	}
	for _, name := range []string{"", "-lab", "lab-", "l", "la b", "lab/1"} {
		cases = append(cases, rawCase{name: fmt.Sprintf("v3 software %q", name), req: ask(3, func(_ *rawWorld, r *kmsg.ApiVersionsRequest) { r.ClientSoftwareName = name })})
	}
	return append(cases,
		rawCase{name: "v3 no software version", req: ask(3, func(_ *rawWorld, r *kmsg.ApiVersionsRequest) { r.ClientSoftwareVersion = "" })},
		rawCase{name: "v5 cluster and node", req: ask(5, func(w *rawWorld, r *kmsg.ApiVersionsRequest) { r.ClusterID, r.NodeID = &w.clusterID, 1 })},
		rawCase{name: "v5 cluster and another node", req: ask(5, func(w *rawWorld, r *kmsg.ApiVersionsRequest) { r.ClusterID, r.NodeID = &w.clusterID, 2 })},
		rawCase{name: "v5 another cluster", req: ask(5, func(_ *rawWorld, r *kmsg.ApiVersionsRequest) { r.ClusterID, r.NodeID = ptr("other"), 1 })},
		rawCase{name: "v5 node without cluster", req: ask(5, func(_ *rawWorld, r *kmsg.ApiVersionsRequest) { r.NodeID = 1 })},
		rawCase{name: "v5 cluster without node", req: ask(5, func(w *rawWorld, r *kmsg.ApiVersionsRequest) { r.ClusterID = &w.clusterID })},
	)
}

func metadataOf(version int16, create bool, topics ...string) *kmsg.MetadataRequest {
	r := kmsg.NewPtrMetadataRequest()
	r.Version, r.AllowAutoTopicCreation, r.Topics = version, create, []kmsg.MetadataRequestTopic{}
	for _, t := range topics {
		n := kmsg.NewMetadataRequestTopic()
		n.Topic = ptr(t)
		r.Topics = append(r.Topics, n)
	}
	return r
}

func metadataCases() []rawCase {
	cases := []rawCase{made(on("m", []int32{1, 2, 3}, []int32{2, 3, 1}), on("m-two", []int32{2}))}
	cases = append(cases, every(0, 13, "one topic", func(*rawWorld) kmsg.Request { return metadataOf(0, false, "m") })...)
	cases = append(cases, every(0, 13, "no topic", func(*rawWorld) kmsg.Request { return metadataOf(0, false) })...)
	cases = append(cases, every(1, 13, "all topics", func(*rawWorld) kmsg.Request { return kmsg.NewPtrMetadataRequest() })...)
	cases = append(cases, every(4, 13, "unknown topics, none made", func(*rawWorld) kmsg.Request {
		return metadataOf(0, false, "nosuch", "m", "bad name", "", "..", strings.Repeat("x", 250))
	})...)
	cases = append(cases, every(8, 13, "authorized operations", func(*rawWorld) kmsg.Request {
		r := metadataOf(0, false, "m", "nosuch")
		r.IncludeClusterAuthorizedOperations, r.IncludeTopicAuthorizedOperations = true, true
		return r
	})...)
	byID := func(version int16, ids func(w *rawWorld) []kmsg.MetadataRequestTopic) func(*rawWorld) kmsg.Request {
		return func(w *rawWorld) kmsg.Request {
			r := metadataOf(version, true)
			r.Topics = ids(w)
			return r
		}
	}
	for v := int16(10); v <= 13; v++ {
		cases = append(cases,
			rawCase{name: fmt.Sprintf("v%d by id", v), req: byID(v, func(w *rawWorld) []kmsg.MetadataRequestTopic {
				return []kmsg.MetadataRequestTopic{{TopicID: w.ids["m"]}, {TopicID: [16]byte{1, 15: 9}}}
			})},
			rawCase{name: fmt.Sprintf("v%d by id and name", v), req: byID(v, func(w *rawWorld) []kmsg.MetadataRequestTopic {
				return []kmsg.MetadataRequestTopic{{TopicID: w.ids["m"], Topic: ptr("m")}, {Topic: ptr("m-two")}}
			})},
			rawCase{name: fmt.Sprintf("v%d neither name nor id", v), req: byID(v, func(w *rawWorld) []kmsg.MetadataRequestTopic {
				return []kmsg.MetadataRequestTopic{{}}
			})})
	}
	return append(cases,
		rawCase{name: "a topic twice", req: fixed(metadataOf(12, false, "m", "m"))},
		rawCase{name: "topics to be made", req: fixed(metadataOf(12, true, "auto-1", "auto.2", "bad name", "m")), changes: true},
		rawCase{name: "and they are there", req: fixed(metadataOf(12, false, "auto-1", "auto.2")), to: 2, anywhere: true},
		rawCase{name: "topics of the coordinators", req: fixed(metadataOf(12, true, "__consumer_offsets", "__transaction_state", "__share_group_state")), changes: true},
		rawCase{node: func(w *rawWorld) { w.settle(); w.settle(); w.settle() }}, // 150 partitions take their time
		rawCase{name: "they are there too", req: fixed(metadataOf(12, false, "__consumer_offsets", "__transaction_state", "__share_group_state")), anywhere: true},
		rawCase{name: "configs of the offsets", req: fixed(describeConfigs(4, true, resTopic, "__consumer_offsets"))},
		rawCase{name: "configs of the transactions", req: fixed(describeConfigs(4, true, resTopic, "__transaction_state"))},
		rawCase{name: "configs of the share groups", req: fixed(describeConfigs(4, true, resTopic, "__share_group_state"))},
		rawCase{name: "v0 makes topics", req: fixed(metadataOf(0, false, "auto-v0")), changes: true},
		rawCase{name: "v3 makes topics", req: fixed(metadataOf(3, false, "auto-v3")), changes: true},
		rawCase{name: "one that collides", req: fixed(metadataOf(12, true, "auto_2")), changes: true},
		rawCase{name: "what was made", req: fixed(metadataOf(12, false, "auto-v0", "auto-v3", "auto_2")), anywhere: true},
	)
}

func createCases() []rawCase {
	long := strings.Repeat("a", 250)
	check := func(name string, topics ...newTopic) rawCase {
		return rawCase{name: name, req: fixed(create(7, true, topics...))}
	}
	one := func(name string) newTopic { return newTopic{name: name, parts: 1, factor: 1} }
	cases := []rawCase{
		made(on("t", []int32{1, 2, 3}, []int32{2, 3, 1}, []int32{3, 1, 2}), on("t.dot", []int32{1}), on("u_1", []int32{1})),
	}
	cases = append(cases, every(2, 7, "create one", func(*rawWorld) kmsg.Request {
		return create(0, true, newTopic{name: "fresh", parts: 2, factor: 2, configs: []string{"retention.ms=5"}}, one("t"))
	})...)
	return append(cases,
		check("names", one(""), one("."), one(".."), one(long), one(long[:249]), one("sp ace"), one("a/b"), one("ü"), one("__x"), one("a:b"), one("a\nb")),
		check("internal names", one("__consumer_offsets"), one("__transaction_state"), one("__share_group_state")),
		check("the metadata log", one("__cluster_metadata"), one("ok")),
		check("existing", one("t"), one("t.dot"), one("t_dot"), one("u.1"), one("u_1")),
		check("two that collide with each other", one("x.y"), one("x_y")),
		check("one name twice", one("twice"), one("twice"), one("once")),
		check("one name thrice", one("thrice"), one("thrice"), one("thrice")),
		check("counts", newTopic{"p0", 0, 1, nil, nil}, newTopic{"p-2", -2, 1, nil, nil}, newTopic{"r0", 1, 0, nil, nil}, newTopic{"r-2", 1, -2, nil, nil},
			newTopic{"both", 0, 0, nil, nil}, newTopic{"default", -1, -1, nil, nil}, newTopic{"r4", 1, 4, nil, nil}, newTopic{"r3", 3, 3, nil, nil}),
		check("10001 partitions", newTopic{"many", 10001, 1, nil, nil}, one("few")),
		check("10001 partitions in two", newTopic{"many", 6000, 1, nil, nil}, newTopic{"more", 4001, 1, nil, nil}),
		check("10000 partitions", newTopic{"most", 10000, 1, nil, nil}),
		check("assignments", newTopic{"a-dup", -1, -1, nil, [][]int32{{1, 1}}}, newTopic{"a-unknown", -1, -1, nil, [][]int32{{1, 9}}},
			newTopic{"a-differ", -1, -1, nil, [][]int32{{1, 2}, {1}}}, newTopic{"a-empty", -1, -1, nil, [][]int32{{}}}, newTopic{"a-negative", -1, -1, nil, [][]int32{{-1}}},
			newTopic{"a-factor", -1, 2, nil, [][]int32{{1, 2}}}, newTopic{"a-count", 1, -1, nil, [][]int32{{1, 2}}}, newTopic{"a-good", -1, -1, nil, [][]int32{{3, 1}, {1, 2}}}),
		rawCase{name: "assignment with a gap", req: fixed(gaps(0, 2))},
		rawCase{name: "assignment from 1", req: fixed(gaps(1, 2))},
		rawCase{name: "assignment with one partition twice", req: fixed(gaps(0, 1, 1))},
		rawCase{name: "assignment out of order", req: fixed(gaps(1, 0))},
		rawCase{name: "assignment with a negative partition", req: fixed(gaps(-1, 0))},
		check("a config that is null", one("null-1").with("retention.ms!"), one("null-2").with("retention.ms!", "cleanup.policy!", "retention.bytes=1")),
		check("unknown configs", one("unknown").with("no.such=1"), one("unknown-2").with("no.such=1", "nor.this=2", "retention.ms=x"), one("of-broker").with("num.io.threads=4")),
		check("one config twice", one("again").with("retention.ms=1", "retention.ms=2")),
		check("what two configs are to each other", one("lag").with("max.compaction.lag.ms=5", "min.compaction.lag.ms=10"), one("tiered").with("remote.storage.enable=true"),
			one("local").with("local.retention.ms=100", "retention.ms=10")),
		rawCase{name: "no topics", req: fixed(create(7, false))},
	)
}

// gaps assigns the partitions of these numbers.
func gaps(numbers ...int32) *kmsg.CreateTopicsRequest {
	req := create(7, true, newTopic{name: "gaps", parts: -1, factor: -1})
	for _, n := range numbers {
		req.Topics[0].ReplicaAssignment = append(req.Topics[0].ReplicaAssignment, kmsg.CreateTopicsRequestTopicReplicaAssignment{Partition: n, Replicas: []int32{1}})
	}
	return req
}
