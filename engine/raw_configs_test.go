package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/config"
)

// manyValues are given to every config: what is no number, what is too small or
// too large for one type or another, and words that some config takes.
var manyValues = []string{
	"", " ", "abc", "-2", "-1", "0", "1", "1.0", "0.5", "1.5", " 7 ", "+7", "0x10", "1e3", "1048576", "2147483647", "2147483648", "9223372036854775807", "9223372036854775808",
	"true", "FALSE", "yes", "compact", "delete,compact", "delete,delete", "compact, delete", ",", "gzip", "zstd", "none", "producer", "CreateTime", "LogAppendTime", "*", "0:1,1:2", "1:-1",
	"a,b", "org.apache.kafka.Nothing", "NaN",
}

// someValues of them are enough for every day.
var someValues = []string{"", "abc", "-2", "-1", "0", "1", "1.5", "2147483648", "true", "delete,compact", "gzip", "CreateTime"}

// topicConfigCases give each topic config each value. Version 4 answers with
// code and message alone.
func topicConfigCases(values []string) []rawCase {
	var cases []rawCase
	for _, key := range config.Keys(config.Topic) {
		var topics []newTopic
		for i, value := range values {
			topics = append(topics, newTopic{name: fmt.Sprintf("v%02d", i), parts: 1, factor: 1, configs: []string{key.Name + "=" + value}})
		}
		cases = append(cases, rawCase{name: key.Name, req: fixed(create(4, true, topics...))})
	}
	return cases
}

// withoutEffect are configs about what the lab's brokers do not have: listeners
// of several kinds, limits of connections, plug-ins. They are kept as they are.
var withoutEffect = []string{
	"listeners", "listener.security.protocol.map", "max.connection.creation.rate", "max.connections", "max.connections.per.ip.overrides", "metric.reporters",
}

// brokerConfigCases give each dynamic config of a broker each value, for the
// broker and for all; nothing is changed.
func brokerConfigCases() []rawCase {
	var cases []rawCase
	for _, key := range config.Keys(config.Broker) {
		security := strings.HasPrefix(key.Name, "ssl.") || strings.HasPrefix(key.Name, "sasl.")
		if key.UpdateMode == config.ReadOnly || security || slices.Contains(withoutEffect, key.Name) {
			continue
		}
		for _, value := range someValues {
			op := "=" + key.Name + "=" + value
			cases = append(cases, rawCase{name: op[1:], req: fixed(incremental(1, true, alter{resBroker, "1", []string{op}}, alter{resBroker, "", []string{op}}))})
		}
	}
	return cases
}

const (
	resTopic  = kmsg.ConfigResourceTypeTopic
	resBroker = kmsg.ConfigResourceTypeBroker
)

// alter is one operation on configs.
type alter struct {
	kind kmsg.ConfigResourceType
	name string
	ops  []string // =name=value and so on: = set, + append, - subtract, ! delete, ? unknown
}

func incremental(version int16, validate bool, resources ...alter) *kmsg.IncrementalAlterConfigsRequest {
	req := kmsg.NewPtrIncrementalAlterConfigsRequest()
	req.Version, req.ValidateOnly = version, validate
	kinds := map[byte]kmsg.IncrementalAlterConfigOp{'=': 0, '!': 1, '+': 2, '-': 3, '?': 9}
	for _, a := range resources {
		r := kmsg.NewIncrementalAlterConfigsRequestResource()
		r.ResourceType, r.ResourceName = a.kind, a.name
		for _, op := range a.ops {
			c := kmsg.NewIncrementalAlterConfigsRequestResourceConfig()
			name, value, has := cutOp(op[1:])
			c.Name, c.Op = name, kinds[op[0]]
			if has {
				c.Value = &value
			}
			r.Configs = append(r.Configs, c)
		}
		req.Resources = append(req.Resources, r)
	}
	return req
}

func cutOp(text string) (name, value string, has bool) {
	for i := range text {
		if text[i] == '=' {
			return text[:i], text[i+1:], true
		}
	}
	return text, "", false
}

func legacy(version int16, validate bool, resources ...alter) *kmsg.AlterConfigsRequest {
	req := kmsg.NewPtrAlterConfigsRequest()
	req.Version, req.ValidateOnly = version, validate
	for _, a := range resources {
		r := kmsg.NewAlterConfigsRequestResource()
		r.ResourceType, r.ResourceName = a.kind, a.name
		for _, op := range a.ops {
			c := kmsg.NewAlterConfigsRequestResourceConfig()
			name, value, has := cutOp(op)
			c.Name = name
			if has {
				c.Value = &value
			}
			r.Configs = append(r.Configs, c)
		}
		req.Resources = append(req.Resources, r)
	}
	return req
}

func describeConfigs(version int16, synonyms bool, kind kmsg.ConfigResourceType, name string, keys ...string) *kmsg.DescribeConfigsRequest {
	req := kmsg.NewPtrDescribeConfigsRequest()
	req.Version, req.IncludeSynonyms = version, synonyms
	r := kmsg.NewDescribeConfigsRequestResource()
	r.ResourceType, r.ResourceName, r.ConfigNames = kind, name, keys
	req.Resources = append(req.Resources, r)
	return req
}

func configCases() []rawCase {
	topic := func(name string, ops ...string) alter { return alter{kind: resTopic, name: name, ops: ops} }
	broker := func(name string, ops ...string) alter { return alter{kind: resBroker, name: name, ops: ops} }
	try := func(name string, a ...alter) rawCase {
		return rawCase{name: name, req: fixed(incremental(1, true, a...))}
	}
	set := func(name string, a ...alter) rawCase {
		return rawCase{name: name, req: fixed(incremental(1, false, a...)), changes: true}
	}
	describe := func(name string, kind kmsg.ConfigResourceType, resource string, keys ...string) rawCase {
		return rawCase{name: "describe " + name, req: fixed(describeConfigs(4, true, kind, resource, keys...))}
	}
	cases := []rawCase{made(on("c", []int32{1}).with("retention.ms=100000", "cleanup.policy=compact,delete"), on("plain", []int32{1}))}
	cases = append(cases, every(1, 4, "describe a topic", func(*rawWorld) kmsg.Request { return describeConfigs(0, true, resTopic, "c") })...)
	cases = append(cases, every(1, 4, "describe without synonyms", func(*rawWorld) kmsg.Request {
		return describeConfigs(0, false, resTopic, "c", "retention.ms", "cleanup.policy", "segment.bytes")
	})...)
	cases = append(cases, every(0, 1, "change two", func(*rawWorld) kmsg.Request {
		return incremental(0, true, topic("c", "=retention.ms=5"), topic("nosuch", "=retention.ms=5"))
	})...)
	cases = append(cases, every(0, 2, "the old way", func(*rawWorld) kmsg.Request {
		return legacy(0, true, topic("c", "retention.ms=5"), topic("nosuch", "retention.ms=5"), topic("plain", "retention.ms=x"))
	})...)
	cases = append(cases,
		describe("a topic without overrides", resTopic, "plain"),
		describe("no keys", resTopic, "plain", []string{}...),
		describe("keys that are not there", resTopic, "plain", "no.such", "retention.ms"),
		describe("an unknown topic", resTopic, "nosuch"),
		describe("a topic with a bad name", resTopic, "bad name"),
		describe("no topic", resTopic, ""),
		describe("the broker", resBroker, "1"),
		describe("another broker", resBroker, "2"),
		describe("a broker that is none", resBroker, "x"),
		describe("a broker by a large number", resBroker, "99999999999"),
		describe("all brokers", resBroker, ""),
		describe("a resource of an unknown kind", 77, "x"),
		describe("a resource of kind 0", 0, "x"),
		describe("a logger of nobody", 8, ""),
		describe("a logger of another", 8, "2"),
		describe("client metrics without a name", 16, ""),
		describe("a group without a name", 32, ""),

		try("wrong value", topic("c", "=retention.ms=abc")),
		try("unknown name", topic("c", "=no.such=1")),
		try("unknown name deleted", topic("c", "!no.such")),
		try("unknown name appended", topic("c", "+no.such=1")),
		try("two unknown names", topic("c", "=no.such=1", "=nor.this=2", "=retention.ms=x")),
		try("append to a number", topic("c", "+retention.ms=5")),
		try("subtract from a number", topic("c", "-retention.ms=5")),
		try("append what is there", topic("c", "+cleanup.policy=compact")),
		try("append what is wrong", topic("c", "+cleanup.policy=foo")),
		try("subtract all", topic("c", "-cleanup.policy=compact,delete")),
		try("delete what is not set", topic("c", "!segment.bytes")),
		try("delete with a value", topic("c", "!retention.ms=7")),
		try("set null", topic("c", "=retention.ms")),
		try("set two nulls", topic("c", "=retention.ms", "+cleanup.policy")),
		try("unknown operation", topic("c", "?retention.ms=1")),
		try("unknown operation of a broker", broker("1", "?log.retention.ms=1")),
		try("one key twice", topic("c", "=retention.ms=1", "=retention.ms=2")),
		try("one topic twice", topic("c", "=retention.ms=1"), topic("c", "=retention.ms=2"), topic("plain", "=retention.ms=3")),
		try("no operations", topic("c")),
		try("no operations on an unknown topic", topic("nosuch")),
		try("no topic", topic("", "=retention.ms=1")),
		try("bad name", topic("bad name", "=retention.ms=1")),
		try("kind 77", alter{kind: 77, name: "x", ops: []string{"=a=1"}}),
		try("kind 0", alter{kind: 0, name: "x", ops: []string{"=a=1"}}),
		try("conflict with what is set", topic("c", "=min.compaction.lag.ms=9223372036854775807", "=max.compaction.lag.ms=1")),
		try("another broker", broker("2", "=log.retention.ms=1")),
		try("a broker that is none", broker("abc", "=log.retention.ms=1")),
		try("a broker nobody knows", broker("9", "=log.retention.ms=1")),
		try("a broker's config", broker("1", "=log.retention.ms=1")),
		try("a read-only config", broker("1", "=num.partitions=3")),
		try("two read-only configs", broker("", "=num.partitions=3", "=node.id=7")),
		try("a wrong value of a broker's", broker("1", "=log.retention.ms=x")),
		try("a range of a broker's", broker("1", "=num.io.threads=0")),
		try("threads more than double", broker("1", "=num.io.threads=100")),
		try("threads less than half", broker("1", "=num.network.threads=1")),
		try("cluster-wide what is of one broker", broker("", "=listeners=PLAINTEXT://:1")),
		try("a name nobody knows", broker("1", "=my.plugin.secret=x")),
		try("append to a broker's number", broker("1", "+log.retention.ms=5")),
		try("append to a broker's list", broker("1", "+log.cleanup.policy=compact")),
		try("min.insync.replicas of all", broker("", "=min.insync.replicas=2")),
		try("min.insync.replicas of one", broker("1", "=min.insync.replicas=2")),
		rawCase{name: "nothing", req: fixed(incremental(1, false))},

		set("set, append and delete", topic("c", "=retention.ms=200000", "-cleanup.policy=compact", "!segment.bytes", "=segment.ms=60000")),
		describe("what was set", resTopic, "c", "retention.ms", "cleanup.policy", "segment.bytes", "segment.ms"),
		set("set for all brokers", broker("", "=log.retention.ms=300000", "=min.insync.replicas=1")),
		set("set for one broker", broker("1", "=log.retention.ms=400000", "=log.roll.ms=500000", "=my.plugin.secret=x")),
		describe("the topic below it", resTopic, "plain", "retention.ms", "segment.ms", "min.insync.replicas"),
		describe("the topic below it and above", resTopic, "c", "retention.ms", "segment.ms"),
		describe("the broker", resBroker, "1", "log.retention.ms", "log.roll.ms", "log.roll.hours", "log.retention.hours", "min.insync.replicas", "my.plugin.secret"),
		describe("all brokers", resBroker, ""),
		describe("one key of all brokers", resBroker, "", "log.retention.ms"),
		rawCase{name: "describe another broker", to: 2, req: fixed(describeConfigs(4, true, resBroker, "2", "log.retention.ms", "log.roll.ms"))},
		set("take it back", broker("", "!log.retention.ms", "!min.insync.replicas")),
		set("take it back for one", broker("1", "!log.retention.ms", "!log.roll.ms", "!my.plugin.secret")),
		describe("nothing is left", resBroker, "", []string{}...),
	)
	old := func(name string, validate bool, a ...alter) rawCase {
		return rawCase{name: "old: " + name, req: fixed(legacy(2, validate, a...)), changes: !validate}
	}
	return append(cases,
		old("wrong value", true, topic("c", "retention.ms=abc")),
		old("null", true, topic("c", "retention.ms")),
		old("one key twice", true, topic("c", "retention.ms=1", "retention.ms=2")),
		old("unknown name", true, topic("c", "no.such=1")),
		old("kind 77", true, alter{kind: 77, name: "x", ops: []string{"a=1"}}),
		old("another broker", true, broker("2", "log.retention.ms=1")),
		old("a read-only config", true, broker("1", "num.partitions=3")),
		old("a broker's wrong value", true, broker("1", "log.retention.ms=x")),
		old("no topic", true, topic("", "retention.ms=1")),
		old("takes the place of all", false, topic("c", "segment.ms=70000")),
		describe("what the old way left", resTopic, "c", "retention.ms", "cleanup.policy", "segment.ms"),
		old("and of a broker's", false, broker("1", "log.roll.ms=600000")),
		describe("what the old way left of a broker's", resBroker, "1", "log.roll.ms"),
		old("nothing", false, broker("1"), topic("c")),
		describe("nothing is left of a topic's", resTopic, "c", "segment.ms"),
		describe("nothing is left of a broker's", resBroker, "1", "log.roll.ms"),
	)
}
