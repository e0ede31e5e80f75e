package config

import (
	"maps"
	"os"
	"strings"
	"testing"

	"kafkalab/engine/kerror"
)

// replay is one node of the golden session, with what was set on it so far.
type replay struct {
	layers Layers
	topics map[string]map[string]string
}

func newReplay() *replay {
	return &replay{
		layers: Layers{
			Static: map[string]string{
				"node.id": "1", "log.retention.hours": "24", "log.roll.ms": "7200000", "log.flush.scheduler.interval.ms": "60000",
				"compression.type": "lz4", "log.cleanup.policy": "compact, delete", "log.preallocate": "TRUE",
				"message.max.bytes": "+2000000", "log.cleaner.min.cleanable.ratio": ".25", "broker.rack": "r1",
				"process.roles": "broker,controller", "controller.listener.names": "CONTROLLER", "group.initial.rebalance.delay.ms": "0",
				"offsets.topic.replication.factor": "1", "transaction.state.log.replication.factor": "1",
				"transaction.state.log.min.isr": "1", "share.coordinator.state.topic.replication.factor": "1",
				"share.coordinator.state.topic.min.isr": "1", "offsets.topic.num.partitions": "50", "transaction.state.log.num.partitions": "50",
			},
			ClusterWide: map[string]string{"min.insync.replicas": "1"}, // set when ELR is enabled
			PerBroker:   map[string]string{},
		},
		topics: map[string]map[string]string{
			"t1": settings("segment.bytes= 1048576 ;retention.bytes=+5;cleanup.policy= compact , delete ;preallocate=TRUE;min.cleanable.dirty.ratio=.5;internal.segment.bytes=0100"),
			"t2": {},
		},
	}
}

func (r *replay) broker() Values { return NewBroker(r.layers) }

// alter answers as Kafka's AdminClient shows it, and keeps what was accepted.
func (r *replay) alter(resource, configs string) string {
	change := settings(configs)
	if strings.HasPrefix(resource, "t") {
		maps.Copy(r.topics[resource], change)
		if err := ValidateTopicOn(r.broker(), r.topics[resource]); err != nil {
			return "InvalidConfigurationException: " + err.Message
		}
		return "ok"
	}
	level := r.layers.PerBroker
	if resource == "-" {
		level = r.layers.ClusterWide
	}
	next := maps.Clone(level)
	maps.Copy(next, change)
	if err := r.broker().ValidateDynamic(resource != "-", next); err != nil {
		if err.Code != kerror.InvalidRequest {
			return err.Error()
		}
		return "InvalidRequestException: " + err.Message
	}
	maps.Copy(level, change)
	return "ok"
}

func (r *replay) describe(resource string) []Description {
	switch {
	case resource == "-":
		return r.broker().DescribeDefaults()
	case strings.HasPrefix(resource, "t"):
		return NewTopic(r.topics[resource], r.broker()).Describe()
	}
	return r.broker().Describe()
}

func orNull(s *string) string {
	if s == nil {
		return "null"
	}
	return *s
}

func synonymsText(synonyms []Synonym) string {
	var texts []string
	for _, s := range synonyms {
		texts = append(texts, s.Source.String()+":"+s.Name+"="+orNull(s.Value))
	}
	return strings.Join(texts, ", ")
}

// row is a description as the golden writes it.
func (d Description) row(resource string) string {
	access, sensitive, typ := "rw", "-", "UNKNOWN"
	if d.ReadOnly {
		access = "ro"
	}
	if d.Sensitive {
		sensitive = "sensitive"
	}
	if d.TypeCode > 0 {
		typ = string(typeCodes[d.TypeCode-1])
	}
	return strings.Join([]string{"describe", resource, d.Name, orNull(d.Value), d.Source.String(), access, sensitive, typ, synonymsText(d.Synonyms)}, "\t")
}

// TestCluster replays a session with a running Kafka: topics created, configs
// altered and described, right and wrong.
func TestCluster(t *testing.T) {
	r := newReplay()
	created := map[string]Description{}
	for _, d := range NewTopic(r.topics["t1"], r.broker()).Created() {
		created[d.Name] = d
	}
	if len(created) != 38 { // 37, and internal.segment.bytes since it is set
		t.Errorf("%d configs of the created topic", len(created))
	}
	for _, row := range vectorLines(t, "cluster.txt") {
		got, want := "", row[len(row)-1]
		switch row[0] {
		case "create":
			if got = answer(ValidateTopicOn(r.broker(), settings(row[1]))); got != "ok" {
				got = "InvalidConfigurationException: " + got
			}
			if row[1] == "BB=1;Aa=1" { // see TestTopics
				want = strings.ReplaceAll(want, "BB", "Aa")
			}
		case "created":
			d := created[row[2]]
			got, want = orNull(d.Value)+" "+d.Source.String(), row[3]+" "+row[4]
		case "alter":
			got = r.alter(row[1], row[2])
		case "describe":
			want = strings.Join(row, "\t")
			for _, d := range r.describe(row[1]) {
				if d.Name == row[2] {
					got = d.row(row[1])
				}
			}
		}
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", strings.Join(row, " "), got, want)
		}
	}
}

// toolRows are the lines of a kafka-configs output, without their indent.
func toolRows(t *testing.T, file string) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	masked := strings.NewReplacer("<CONTROLLER-1>", "c1:9093", "<CONTROLLER-2>", "c2:9093", "<CONTROLLER-3>", "c3:9093")
	var rows []string
	for _, line := range strings.Split(masked.Replace(string(data)), "\n") {
		if row, ok := strings.CutPrefix(line, "  "); ok {
			rows = append(rows, row)
		}
	}
	return rows
}

// toolText is how kafka-configs --describe --all prints a description.
func toolText(d Description) string {
	sensitive := "false"
	if d.Sensitive {
		sensitive = "true"
	}
	return d.Name + "=" + orNull(d.Value) + " sensitive=" + sensitive + " synonyms={" + synonymsText(d.Synonyms) + "}"
}

func compareTool(t *testing.T, file string, got []Description) {
	t.Helper()
	rows := toolRows(t, file)
	if len(rows) != len(got) {
		t.Errorf("%s: %d configs, Kafka has %d", file, len(got), len(rows))
	}
	for i := range min(len(rows), len(got)) {
		if text := toolText(got[i]); text != rows[i] {
			t.Errorf("%s:\n got %s\nwant %s", file, text, rows[i])
		}
	}
}

func TestDescribeTopic(t *testing.T) {
	set := map[string]string{"min.insync.replicas": "2"}
	clusterWide := map[string]string{"min.insync.replicas": "1"}
	topic := NewTopic(set, NewBroker(Layers{ClusterWide: clusterWide}))
	compareTool(t, "configs-describe-topic-all.txt", topic.Describe())
	if n := len(NewTopic(nil, Values{}).Created()); n != 37 {
		t.Errorf("%d configs of a new topic, want 37", n)
	}

	clusterWide["log.retention.ms"] = "777000"
	topic = NewTopic(set, NewBroker(Layers{ClusterWide: clusterWide}))
	compareTool(t, "configs-describe-topic-with-cluster-default.txt", topic.Describe())
}

// TestDescribeBroker takes the broker's properties from the output itself:
// what it says was STATIC_BROKER_CONFIG.
func TestDescribeBroker(t *testing.T) {
	static := map[string]string{}
	for _, row := range toolRows(t, "configs-describe-broker-all.txt") {
		if _, rest, found := strings.Cut(row, "STATIC_BROKER_CONFIG:"); found {
			name, value, _ := strings.Cut(rest, "=")
			value, _, _ = strings.Cut(strings.TrimSuffix(value, "}"), ", DEFAULT_CONFIG:")
			static[name] = value
		}
	}
	delete(static, "broker.id") // Kafka takes it from node.id
	if len(static) < 10 {
		t.Fatalf("only %d properties", len(static))
	}
	broker := NewBroker(Layers{Static: static, ClusterWide: map[string]string{"min.insync.replicas": "1"}})
	compareTool(t, "configs-describe-broker-all.txt", broker.Describe())
}

func TestDescribeClient(t *testing.T) {
	if d := NewClient(Producer, map[string]string{"acks": "1"}).Describe(); d != nil {
		t.Errorf("a client's configs are described: %v", d)
	}
}
