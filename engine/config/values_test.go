package config

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// TestRetentionResolution: for any settings of the three names at the three
// levels of a broker, and of the topic, what is in force is what Kafka's rules
// say one by one.
func TestRetentionResolution(t *testing.T) {
	names := []string{"log.retention.ms", "log.retention.minutes", "log.retention.hours"}
	factors := []int64{1, 60_000, 3_600_000}
	level := rapid.Custom(func(t *rapid.T) map[string]string {
		set := map[string]string{}
		for _, name := range names {
			if rapid.Bool().Draw(t, "set") {
				set[name] = strconv.Itoa(rapid.IntRange(-2, 1000).Draw(t, name))
			}
		}
		return set
	})
	rapid.Check(t, func(t *rapid.T) {
		l := Layers{Static: level.Draw(t, "static"), ClusterWide: level.Draw(t, "cluster-wide"), PerBroker: level.Draw(t, "per broker")}
		want := int64(604_800_000)
		for i, name := range slices.Backward(names) {
			if n, err := strconv.ParseInt(l.Static[name], 10, 64); err == nil {
				want = max(n*factors[i], -1)
			}
		}
		for _, dynamic := range []map[string]string{l.ClusterWide, l.PerBroker} {
			if n, err := strconv.ParseInt(dynamic["log.retention.ms"], 10, 64); err == nil { // minutes and hours need a restart
				want = max(n, -1)
			}
		}
		topic := map[string]string{}
		if rapid.Bool().Draw(t, "overridden") {
			want = rapid.Int64Range(-1, math.MaxInt64).Draw(t, "topic")
			topic["retention.ms"] = strconv.FormatInt(want, 10)
		}
		if got := NewTopic(topic, NewBroker(l)).Int("retention.ms"); got != want {
			t.Fatalf("%v %v: %d, want %d", l, topic, got, want)
		}
	})
}

// TestDescriptionAgrees: a description's value is what the getters give, its
// source that of its first synonym.
func TestDescriptionAgrees(t *testing.T) {
	v := NewTopic(map[string]string{"segment.ms": "5", "cleanup.policy": "compact"}, NewBroker(Layers{
		Static:    map[string]string{"message.max.bytes": "7", "log.roll.jitter.hours": "1"},
		PerBroker: map[string]string{"compression.type": "zstd"},
	}))
	for _, d := range v.Describe() {
		if d.Value == nil || *d.Value != v.String(d.Name) {
			t.Errorf("%s: described as %s, is %s", d.Name, orNull(d.Value), v.String(d.Name))
		}
		if len(d.Synonyms) > 0 && d.Synonyms[0].Source != d.Source {
			t.Errorf("%s: source %s, first synonym %v", d.Name, d.Source, d.Synonyms[0])
		}
	}
	if v.Int("segment.jitter.ms") != 3_600_000 || v.Int("max.message.bytes") != 7 || v.String("compression.type") != "zstd" {
		t.Error("inherited values are wrong")
	}
}

func TestGetters(t *testing.T) {
	topic := NewTopic(map[string]string{"internal.segment.bytes": "100", "cleanup.policy": " compact,delete,compact "}, Values{})
	if !topic.Has("internal.segment.bytes") || topic.Int("internal.segment.bytes") != 100 {
		t.Error("internal.segment.bytes")
	}
	if NewTopic(nil, Values{}).Has("internal.segment.bytes") {
		t.Error("internal.segment.bytes is set though nobody did")
	}
	if got := topic.List("cleanup.policy"); !slices.Equal(got, []string{"compact", "delete"}) {
		t.Errorf("cleanup.policy %v", got)
	}
	if topic.Float("min.cleanable.dirty.ratio") != 0.5 || topic.Float("min.insync.replicas") != 1 {
		t.Error("Float")
	}
	if topic.Bool("unclean.leader.election.enable") || topic.Scope() != Topic {
		t.Error("Bool")
	}
	broker := NewBroker(Layers{Static: map[string]string{"node.id": "3"}})
	if broker.Int("broker.id") != 3 || broker.Has("log.retention.ms") || broker.String("log.retention.ms") != "" {
		t.Error("broker")
	}
	if NewBroker(Layers{Static: map[string]string{"broker.id": "4"}}).Int("node.id") != 4 {
		t.Error("node.id is not taken from broker.id")
	}
	want := []string{"org.apache.kafka.clients.consumer.RangeAssignor", "org.apache.kafka.clients.consumer.CooperativeStickyAssignor"}
	if got := NewClient(Consumer, nil).List("partition.assignment.strategy"); !slices.Equal(got, want) {
		t.Errorf("assignors %v", got)
	}
}

// TestListIsACopy: who changes a list that was handed out changes nothing.
func TestListIsACopy(t *testing.T) {
	v := NewTopic(nil, Values{})
	v.List("cleanup.policy")[0] = "compact"
	if got := v.String("cleanup.policy"); got != "delete" {
		t.Errorf("cleanup.policy is %s now", got)
	}
}

func TestUnknownNameStopsTheProgrammer(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a misspelled name was answered")
		}
	}()
	NewTopic(nil, Values{}).Int("log.segment.bytes")
}

// TestUnusableDynamic: what a broker ignores is neither in force nor
// described.
func TestUnusableDynamic(t *testing.T) {
	given := Layers{
		ClusterWide: map[string]string{"log.retention.ms": "abc", "num.partitions": "3", "cordoned.log.dirs": "/x", "custom.thing": "1"},
		PerBroker:   map[string]string{"ssl.keystore.type": "PEM", "cordoned.log.dirs": "/x"},
	}
	v := NewBroker(given)
	if v.Has("log.retention.ms") || v.Int("num.partitions") != 1 || v.String("ssl.keystore.type") != "JKS" {
		t.Error("an unusable config is in force")
	}
	if v.String("cordoned.log.dirs") != "/x" {
		t.Error("a per-broker config is not in force")
	}
	if d := v.DescribeDefaults(); len(d) != 1 || d[0].Name != "custom.thing" || d[0].Value != nil || !d[0].Sensitive {
		t.Errorf("defaults described as %v", d)
	}
	if len(given.ClusterWide) != 4 || len(given.PerBroker) != 2 {
		t.Error("the caller's maps were changed")
	}
}

// TestWrongValueIsPassedOver: Values made of what was never checked do not
// fail.
func TestWrongValueIsPassedOver(t *testing.T) {
	v := NewTopic(map[string]string{"segment.bytes": "4KiB"}, NewBroker(Layers{Static: map[string]string{"log.segment.bytes": "2097152", "log.roll.ms": "x"}}))
	if v.Int("segment.bytes") != 2097152 || v.Int("segment.ms") != 604_800_000 {
		t.Errorf("segment.bytes %d, segment.ms %d", v.Int("segment.bytes"), v.Int("segment.ms"))
	}
}

// TestZeroValues: they stand for Kafka's defaults wherever Values are asked
// for.
func TestZeroValues(t *testing.T) {
	if err := (Values{}).ValidateDynamic(true, map[string]string{"num.io.threads": "16"}); err != nil {
		t.Error(err)
	}
	if err := (Values{}).ValidateDynamic(false, map[string]string{"num.io.threads": "17"}); err == nil {
		t.Error("more than twice the default of 8 threads was taken")
	}
	if n := len((Values{}).Describe()); n != 37 {
		t.Errorf("%d configs", n)
	}
	if len((Values{}).DescribeDefaults()) != 0 {
		t.Error("something is set for all brokers")
	}
}

func TestDeliveryTimeout(t *testing.T) {
	for _, c := range []struct {
		set  string
		want int64
	}{
		{"", 120000},
		{"request.timeout.ms=200000", 200005},
		{"linger.ms=9223372036854775807", math.MaxInt32},
		{"delivery.timeout.ms=40000", 40000},
	} {
		if got := NewClient(Producer, settings(c.set)).Int("delivery.timeout.ms"); got != c.want {
			t.Errorf("%s: %d, want %d", c.set, got, c.want)
		}
	}
}

func BenchmarkReadTable(b *testing.B) {
	b.ReportAllocs()
	for range b.N {
		for s := range scopeNames {
			readScope(Scope(s))
		}
	}
}

func BenchmarkInt(b *testing.B) {
	v := NewTopic(map[string]string{"retention.ms": "1000"}, NewBroker(Layers{Static: map[string]string{"log.segment.bytes": "1048576"}}))
	b.ReportAllocs()
	for range b.N {
		if v.Int("retention.ms")+v.Int("segment.bytes") == 0 {
			b.Fatal()
		}
	}
}

func BenchmarkValidateTopic(b *testing.B) {
	overrides := map[string]string{"retention.ms": "1000", "cleanup.policy": "compact", "internal.segment.bytes": "4096"}
	b.ReportAllocs()
	for range b.N {
		if err := ValidateTopic(overrides); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDescribeBroker(b *testing.B) {
	v := NewBroker(Layers{Static: map[string]string{"node.id": "1"}})
	b.ReportAllocs()
	for range b.N {
		v.Describe()
	}
}
