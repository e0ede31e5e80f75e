//go:build kafka

package wire

import (
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

func seeCluster(o *observer) {
	brokers, err := o.adm.BrokerMetadata(o.ctx)
	o.saw("brokers", brokers, err)
	versions, err := o.adm.ApiVersions(o.ctx)
	if err != nil {
		o.note("versions: %v", err)
		return
	}
	for _, v := range versions.Sorted() {
		for _, key := range requestsOfClients {
			low, _ := v.KeyMinVersion(key)
			high, ok := v.KeyMaxVersion(key)
			o.note("broker %d request %d: %d to %d %v", v.NodeID, key, low, high, ok)
		}
	}
}

// requestsOfClients are those that are served so far.
var requestsOfClients = []int16{0, 1, 2, 3, 18, 19, 20, 21, 22, 23, 32, 33, 35, 37, 43, 44, 60, 75}

func values(pairs ...string) map[string]*string {
	m := map[string]*string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		m[pairs[i]] = &pairs[i+1]
	}
	return m
}

func seeTopics(o *observer) {
	anywhere := showing{anywhere: true}
	created := func(what string, parts int32, factor int16, configs map[string]*string, topics ...string) {
		r, err := o.adm.CreateTopics(o.ctx, parts, factor, configs, topics...)
		o.saw("create "+what, r, err)
		v, err := o.adm.ValidateCreateTopics(o.ctx, parts, factor, configs, append(topics, "t.other")...)
		o.saw("validate "+what, v, err)
	}
	created("two topics", 3, 3, values("retention.ms", "60000", "cleanup.policy", "compact,delete"), "t.a", "t.b")
	created("with defaults", -1, -1, nil, "t.default")
	created("what is there and what cannot be", 1, 1, nil, "t.a", "t a", "..", "", "t_a")
	created("too many replicas", 1, 4, nil, "t.x")
	created("no partition", 0, 1, nil, "t.x")
	created("no replica", 1, 0, nil, "t.x")
	created("unknown config", 1, 1, values("no.such", "1"), "t.x")
	created("bad value", 1, 1, values("retention.ms", "soon"), "t.x")
	created("null value", 1, 1, map[string]*string{"retention.ms": nil}, "t.x")
	o.settle()
	topics, err := o.adm.ListTopics(o.ctx, "t.a", "t.b", "t.default", "nosuch", "t a")
	o.sawWith(anywhere, "topics", topics, err)

	added, err := o.adm.CreatePartitions(o.ctx, 2, "t.a", "nosuch")
	o.saw("add partitions", added, err)
	for _, n := range []int{0, 4, 5} {
		added, err = o.adm.UpdatePartitions(o.ctx, n, "t.a")
		o.saw("set partitions", added, err)
		added, err = o.adm.ValidateUpdatePartitions(o.ctx, n+3, "t.a", "t.default")
		o.saw("validate partitions", added, err)
	}
	o.settle()
	topics, err = o.adm.ListTopics(o.ctx, "t.a")
	o.sawWith(anywhere, "after partitions", topics, err)

	deleted, err := o.adm.DeleteTopics(o.ctx, "t.b", "nosuch")
	o.saw("delete", deleted, err)
	o.settle()
	topics, err = o.adm.ListTopics(o.ctx, "t.b")
	o.sawWith(anywhere, "after delete", topics, err)

	o.create("t.placed", [][]int32{{1, 2}, {2, 3}, {3, 1}}, "min.insync.replicas=2")
	topics, err = o.adm.ListTopics(o.ctx, "t.placed")
	o.saw("placed", topics, err)
}

func seeConfigs(o *observer) {
	o.create("c.a", [][]int32{{1, 2, 3}})
	change := func(what string, configs []kadm.AlterConfig, topics ...string) {
		valid, err := o.adm.ValidateAlterTopicConfigs(o.ctx, configs, topics...)
		o.saw("validate "+what, valid, err)
		altered, err := o.adm.AlterTopicConfigs(o.ctx, configs, topics...)
		o.saw("alter "+what, altered, err)
	}
	text := func(s string) *string { return &s }
	change("set", []kadm.AlterConfig{{Op: kadm.SetConfig, Name: "retention.ms", Value: text("5000")}, {Op: kadm.SetConfig, Name: "max.message.bytes", Value: text("2000")}}, "c.a", "nosuch")
	change("append", []kadm.AlterConfig{{Op: kadm.AppendConfig, Name: "cleanup.policy", Value: text("compact")}}, "c.a")
	change("append to no list", []kadm.AlterConfig{{Op: kadm.AppendConfig, Name: "retention.ms", Value: text("1")}}, "c.a")
	change("bad value", []kadm.AlterConfig{{Op: kadm.SetConfig, Name: "min.insync.replicas", Value: text("0")}}, "c.a")
	change("unknown", []kadm.AlterConfig{{Op: kadm.SetConfig, Name: "no.such", Value: text("0")}}, "c.a")
	change("null", []kadm.AlterConfig{{Op: kadm.SetConfig, Name: "retention.ms"}}, "c.a")
	o.settle()
	described, err := o.adm.DescribeTopicConfigs(o.ctx, "c.a", "nosuch")
	o.saw("configs", described, err)
	change("delete", []kadm.AlterConfig{{Op: kadm.DeleteConfig, Name: "retention.ms"}, {Op: kadm.SubtractConfig, Name: "cleanup.policy", Value: text("delete")}}, "c.a")
	o.settle()
	described, err = o.adm.DescribeTopicConfigs(o.ctx, "c.a")
	o.saw("configs after", described, err)
	state, err := o.adm.AlterTopicConfigsState(o.ctx, []kadm.AlterConfig{{Name: "segment.bytes", Value: text("1048576")}}, "c.a", "nosuch")
	o.saw("whole state", state, err)
	o.settle()
	described, err = o.adm.DescribeTopicConfigs(o.ctx, "c.a")
	o.saw("configs of the state", described, err)
}

func seeBrokerConfigs(o *observer) {
	own := showing{broker: true}
	described, err := o.adm.DescribeBrokerConfigs(o.ctx, 1, 2, 3)
	o.sawWith(own, "brokers", described, err)
	text := func(s string) *string { return &s }
	for _, c := range []kadm.AlterConfig{
		{Name: "log.retention.bytes", Value: text("888000")}, {Name: "log.cleaner.threads", Value: text("2")}, {Name: "num.partitions", Value: text("5")},
		{Name: "log.cleaner.threads", Value: text("99")}, {Name: "message.max.bytes", Value: text("-1")}, {Name: "no.such", Value: text("x")},
	} {
		altered, err := o.adm.AlterBrokerConfigs(o.ctx, []kadm.AlterConfig{c}, 2)
		o.saw("broker 2 "+c.Name, altered, err)
		if *c.Value == "99" {
			continue // whether that is too much depends on what the broker has that is asked: any of the three
		}
		altered, err = o.adm.AlterBrokerConfigs(o.ctx, []kadm.AlterConfig{c})
		o.saw("all brokers "+c.Name, altered, err)
	}
	o.settle()
	for _, brokers := range [][]int32{nil, {2}, {3}} {
		described, err = o.adm.DescribeBrokerConfigs(o.ctx, brokers...)
		o.sawWith(own, "after", described, err)
	}
	for _, name := range []string{"log.retention.bytes", "log.cleaner.threads", "no.such"} {
		c := []kadm.AlterConfig{{Op: kadm.DeleteConfig, Name: name}}
		altered, err := o.adm.AlterBrokerConfigs(o.ctx, c, 2)
		o.saw("delete of 2 "+name, altered, err)
		altered, err = o.adm.AlterBrokerConfigs(o.ctx, c)
		o.saw("delete "+name, altered, err)
	}
}

func seeAutomaticTopics(o *observer) {
	anywhere := showing{anywhere: true}
	allowed := o.producer(kgo.AllowAutoTopicCreation(), kgo.UnknownTopicRetries(1000), kgo.RecordRetries(1000))
	defer allowed.Close()
	o.send(allowed, "allowed", &kgo.Record{Topic: "auto.made", Value: []byte("first"), Timestamp: fixedRecord("", 0, 0).Timestamp})
	few := o.producer(kgo.AllowAutoTopicCreation())
	defer few.Close()
	o.send(few, "impossible name", &kgo.Record{Topic: "auto made", Value: []byte("first")})
	denied := o.producer()
	defer denied.Close()
	o.send(denied, "not allowed", &kgo.Record{Topic: "auto.denied", Value: []byte("first")})
	topics, err := o.adm.ListTopics(o.ctx, "auto.made", "auto.denied")
	o.sawWith(anywhere, "topics", topics, err)
	described, err := o.adm.DescribeTopicConfigs(o.ctx, "auto.made")
	o.saw("configs", described, err)
}

func seeElections(o *observer) {
	o.create("e", [][]int32{{1, 2, 3}, {2, 1, 3}})
	var set kadm.TopicsSet
	set.Add("e", 0, 1, 7)
	set.Add("nosuch", 0)
	for _, how := range []kadm.ElectLeadersHow{kadm.ElectPreferredReplica, kadm.ElectLiveReplica} {
		elected, err := o.adm.ElectLeaders(o.ctx, how, set)
		o.saw("elected", elected, err)
	}
	ask := kadm.OffsetForLeaderEpochRequest{}
	ask.Add("e", 0, 0)
	ask.Add("e", 1, 3)
	ask.Add("e", 9, 0)
	epochs, err := o.adm.OffsetForLeaderEpoch(o.ctx, ask)
	o.saw("epochs", epochs, err)
}

func seeLogDirs(o *observer) {
	var set kadm.TopicsSet
	for _, topic := range []string{"codec-0-0", "codec-4--1", "read", "t.placed", "segments", "nosuch"} {
		set.Add(topic, 0, 1, 2)
	}
	dirs, err := o.adm.DescribeAllLogDirs(o.ctx, set)
	o.saw("log directories", dirs, err)
}
