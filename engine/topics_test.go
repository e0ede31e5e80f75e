package engine

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/client"
	"kafkalab/engine/kerror"
	"kafkalab/engine/metadata"
	"kafkalab/engine/record"
)

var (
	createRow = regexp.MustCompile(`^create name="(.*?)" partitions=(-?\d+) rf=(-?\d+) config=map\[(.*?)\] assignment=\[(.*)\] -> (\w+)(?:\(\d+\))? \| (.*) \| parts (-?\d+) rf (-?\d+) configs (\d+)$`)
	growRow   = regexp.MustCompile(`^createPartitions (\S+) (-?\d+) \[(.*)\] -> (\w+)(?:\(\d+\))? \| (.*)$`)
	idList    = regexp.MustCompile(`\[([-\d ]*)\]`)
	repeated  = regexp.MustCompile(`^(\d+) x (.)$`)
)

func ids(text string) []int32 {
	list := []int32{}
	for _, w := range strings.Fields(text) {
		n, _ := strconv.Atoi(w)
		list = append(list, int32(n))
	}
	return list
}

// TestCreateTopicAnswers asks what Kafka 4.4.0 was asked, on a cluster of three
// with a topic orders of three partitions, and wants the same answers: codes,
// words, and how many partitions, replicas and configs.
func TestCreateTopicAnswers(t *testing.T) {
	c := newProbed(t, Defaults())
	c.create("orders", 3, 3)
	f, err := os.Open("testdata/validation.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows := 0
	for scan := bufio.NewScanner(f); scan.Scan(); {
		switch line := scan.Text(); {
		case createRow.MatchString(line):
			checkCreate(t, c, createRow.FindStringSubmatch(line))
			rows++
		case growRow.MatchString(line):
			checkGrow(t, c, growRow.FindStringSubmatch(line))
			rows++
		default:
			t.Errorf("not read: %s", line)
		}
	}
	if rows < 45 {
		t.Errorf("%d rows were compared", rows)
	}
}

func checkCreate(t *testing.T, c *probed, m []string) {
	name := m[1]
	if r := repeated.FindStringSubmatch(name); r != nil {
		n, _ := strconv.Atoi(r[1])
		name = strings.Repeat(r[2], n)
	}
	partitions, _ := strconv.Atoi(m[2])
	factor, _ := strconv.Atoi(m[3])
	req := kmsg.NewPtrCreateTopicsRequest()
	req.Version, req.ValidateOnly = 7, true
	topic := kmsg.NewCreateTopicsRequestTopic()
	topic.Topic, topic.NumPartitions, topic.ReplicationFactor = name, int32(partitions), int16(factor)
	for _, w := range strings.Fields(m[4]) {
		key, value, _ := strings.Cut(w, ":")
		cfg := kmsg.NewCreateTopicsRequestTopicConfig()
		cfg.Name, cfg.Value = key, &value
		topic.Configs = append(topic.Configs, cfg)
	}
	for p, a := range idList.FindAllStringSubmatch(m[5], -1) {
		ra := kmsg.NewCreateTopicsRequestTopicReplicaAssignment()
		ra.Partition, ra.Replicas = int32(p), ids(a[1])
		topic.ReplicaAssignment = append(topic.ReplicaAssignment, ra)
	}
	req.Topics = append(req.Topics, topic)
	got := c.ask("broker-2", req).(*kmsg.CreateTopicsResponse).Topics[0]
	text := fmt.Sprintf("%s | %s | parts %d rf %d configs %d", kerror.Code(got.ErrorCode), words(got.ErrorMessage), got.NumPartitions, got.ReplicationFactor, len(got.Configs))
	want := fmt.Sprintf("%s | %s | parts %s rf %s configs %s", m[6], m[7], m[8], m[9], m[10])
	if text != want {
		t.Errorf("create %q partitions=%d rf=%d %s %s:\n got %s\nwant %s", m[1], partitions, factor, m[4], m[5], text, want)
	}
}

func checkGrow(t *testing.T, c *probed, m []string) {
	count, _ := strconv.Atoi(m[2])
	req := kmsg.NewPtrCreatePartitionsRequest()
	req.Version, req.ValidateOnly = 3, true
	topic := kmsg.NewCreatePartitionsRequestTopic()
	topic.Topic, topic.Count = m[1], int32(count)
	for _, a := range idList.FindAllStringSubmatch(m[3], -1) {
		ra := kmsg.NewCreatePartitionsRequestTopicAssignment()
		ra.Replicas = ids(a[1])
		topic.Assignment = append(topic.Assignment, ra)
	}
	req.Topics = append(req.Topics, topic)
	got := c.ask("broker-1", req).(*kmsg.CreatePartitionsResponse).Topics[0]
	if text, want := fmt.Sprintf("%s | %s", kerror.Code(got.ErrorCode), words(got.ErrorMessage)), m[4]+" | "+m[5]; text != want {
		t.Errorf("createPartitions %s %d %s:\n got %s\nwant %s", m[1], count, m[3], text, want)
	}
}

func words(s *string) string {
	if s == nil {
		return "null"
	}
	return *s
}

// Over the wire, each run of as many partitions as there are brokers gives
// every broker one to lead, the followers come next in the ring, and another
// seed draws another start.
func TestPlacementStripes(t *testing.T) {
	starts := map[int32]bool{}
	for seed := range uint64(12) {
		o := Defaults()
		o.Seed, o.Brokers = seed, 4
		c := newProbed(t, o)
		req := kmsg.NewPtrCreateTopicsRequest()
		req.Version = 7
		topic := kmsg.NewCreateTopicsRequestTopic()
		topic.Topic, topic.NumPartitions, topic.ReplicationFactor = "t", 8, 3
		req.Topics = append(req.Topics, topic)
		c.ask("broker-1", req)
		partitions := c.controller.Image().Topic("t").Partitions
		for run := 0; run < 8; run += 4 {
			var leaders []int32
			for _, p := range partitions[run : run+4] {
				leaders = append(leaders, p.Replicas[0])
			}
			for i, p := range partitions[run : run+4] {
				if want := []int32{leaders[i], leaders[(i+1)%4], leaders[(i+2)%4]}; !slices.Equal(p.Replicas, want) {
					t.Errorf("seed %d, partition %d on %v, want %v", seed, run+i, p.Replicas, want)
				}
			}
			slices.Sort(leaders)
			if !slices.Equal(leaders, []int32{1, 2, 3, 4}) {
				t.Errorf("seed %d: partitions %d to %d are led by %v", seed, run, run+3, leaders)
			}
		}
		starts[partitions[0].Leader] = true
	}
	if len(starts) < 3 {
		t.Errorf("twelve seeds put partition 0 on %d brokers only", len(starts))
	}
}

// A script's topic is dealt out from broker-1 on, whatever the seed.
func TestScriptPlacement(t *testing.T) {
	c := newProbed(t, Defaults())
	c.create("t", 4, 2)
	for p, want := range [][]int32{{1, 2}, {2, 3}, {3, 1}, {1, 2}} {
		if v, _ := c.PartitionView("t", int32(p)); !slices.Equal(v.Replicas, want) || v.Leader != want[0] {
			t.Errorf("t/%d on %v led by %d, want %v", p, v.Replicas, v.Leader, want)
		}
	}
	res := c.do(CreateTopic{client.CreateTopic{Topic: "u", Partitions: 1, Replicas: 4}})
	if kerr := ErrorOf(res); kerr == nil || kerr.Code != kerror.InvalidReplicationFactor {
		t.Errorf("four replicas on three brokers: %v", kerr)
	}
}

func TestDeleteTopic(t *testing.T) {
	c := newProbed(t, Defaults())
	c.create("t", 1, 2)
	c.produce("t", 3, -1)
	fs := c.broker(1).FS
	c.do(DeleteTopic{client.DeleteTopic{Topic: "t"}})
	if _, ok := c.PartitionView("t", 0); ok {
		t.Error("the topic is still in the metadata")
	}
	left := func() (names []string) {
		dir, err := fs.Open(".")
		if err != nil {
			t.Fatal(err)
		}
		all, err := dir.Readdirnames(-1)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range all {
			if strings.HasPrefix(n, "t-0") {
				names = append(names, n)
			}
		}
		return names
	}
	if got := left(); len(got) != 1 || !regexp.MustCompile(`^t-0\.[0-9a-f]{32}-delete$`).MatchString(got[0]) {
		t.Errorf("right after the delete there is %v, want one folder renamed", got)
	}
	c.tick(59_000)
	if len(left()) != 1 {
		t.Error("the folder went before file.delete.delay.ms")
	}
	c.tick(2_000)
	if got := left(); len(got) != 0 {
		t.Errorf("after file.delete.delay.ms there is %v", got)
	}
	c.create("t", 1, 2)
	if v, _ := c.PartitionView("t", 0); v.LEO != 0 {
		t.Errorf("a topic of the same name begins at %d", v.LEO)
	}
}

func TestAlterConfigAnswers(t *testing.T) {
	c := newProbed(t, Defaults())
	c.create("t", 1, 1)
	const set, del, add = kmsg.IncrementalAlterConfigOpSet, kmsg.IncrementalAlterConfigOpDelete, kmsg.IncrementalAlterConfigOpAppend
	for _, row := range []struct {
		kind        int8
		name, key   string
		op          kmsg.IncrementalAlterConfigOp
		value, want string
	}{
		{metadata.ResourceTopic, "t", "retention.ms", set, "abc", "INVALID_CONFIG: Invalid value abc for configuration retention.ms: Not a number of type LONG"},
		{metadata.ResourceTopic, "t", "retention.ms", add, "5", "INVALID_CONFIG: Can't APPEND to key retention.ms because its type is not LIST."},
		{metadata.ResourceTopic, "t", "cleanup.policy", add, "compact", "NONE: null"},
		{metadata.ResourceTopic, "t", "cleanup.policy", add, "compact", "NONE: null"},
		{metadata.ResourceTopic, "t", "retention.ms", del, "", "NONE: null"},
		{metadata.ResourceTopic, "t", "no.such", set, "1", "INVALID_CONFIG: Unknown topic config name: no.such"},
		{metadata.ResourceTopic, "nosuch", "retention.ms", set, "1", "UNKNOWN_TOPIC_OR_PARTITION: The topic 'nosuch' does not exist."},
		{metadata.ResourceBroker, "abc", "log.retention.ms", set, "1", "INVALID_REQUEST: Node id must be an integer, but it is: abc"},
		{metadata.ResourceBroker, "9", "log.retention.ms", set, "1", "INVALID_REQUEST: Unexpected broker id, expected 1, but received 9"},
		{metadata.ResourceBroker, "", "log.retention.ms", set, "5000", "NONE: null"},
	} {
		req := kmsg.NewPtrIncrementalAlterConfigsRequest()
		req.Version = 1
		r := kmsg.NewIncrementalAlterConfigsRequestResource()
		r.ResourceType, r.ResourceName = kmsg.ConfigResourceType(row.kind), row.name
		cfg := kmsg.NewIncrementalAlterConfigsRequestResourceConfig()
		cfg.Name, cfg.Op, cfg.Value = row.key, row.op, &row.value
		r.Configs = append(r.Configs, cfg)
		req.Resources = append(req.Resources, r)
		got := c.ask("broker-1", req).(*kmsg.IncrementalAlterConfigsResponse).Resources[0]
		if text := kerror.Code(got.ErrorCode).String() + ": " + words(got.ErrorMessage); text != row.want {
			t.Errorf("%s %q %s %s %s:\n got %s\nwant %s", map[int8]string{2: "topic", 4: "broker"}[row.kind], row.name, row.key, row.op, row.value, text, row.want)
		}
	}
	c.brokersKnow()
	p, _ := ParsePath("t.config(cleanup.policy)")
	if got := p.Eval(c.Cluster).String(); got != "delete,compact" {
		t.Errorf("cleanup.policy is %s", got)
	}
	p, _ = ParsePath("t.config(retention.ms)")
	if got := p.Eval(c.Cluster).String(); got != "5000" {
		t.Errorf("retention.ms is %s, want what all brokers were given", got)
	}
}

// DeleteRecords moves the start on every replica; the segments below it go
// with the next run of the retention task.
func TestTruncateMovesTheStart(t *testing.T) {
	c := newProbed(t, Defaults())
	c.create("t", 1, 3, setting("internal.segment.bytes", "700"))
	c.do(Produce{client.Produce{Topic: "t", Partition: 0, Count: 30, Size: 100, Acks: -1, Batch: 3, TimeoutMs: 30000}})
	res := c.do(Truncate{client.DeleteRecords{Topic: "t", Partition: 0, Before: 13}})
	if tr, ok := res.(Truncated); !ok || tr.Start != 13 {
		t.Fatalf("truncate yields %+v", res)
	}
	v, _ := c.PartitionView("t", 0)
	for _, r := range v.Logs {
		if r.Start != 13 {
			t.Errorf("broker-%d starts at %d, want 13: the answer waits for all", r.Broker, r.Start)
		}
		if s := c.Segments(ReplicaName{"t", 0, r.Broker}); s[0].Base != 0 {
			t.Errorf("broker-%d: first segment %d, want 0: no task has run yet", r.Broker, s[0].Base)
		}
	}
	c.tick(30_000)
	for _, r := range v.Logs {
		if s := c.Segments(ReplicaName{"t", 0, r.Broker}); s[0].Base != 12 {
			t.Errorf("broker-%d: first segment %d after the task's first run, want the one that holds 13", r.Broker, s[0].Base)
		}
	}
	for _, row := range []struct {
		before int64
		code   kerror.Code
	}{{31, kerror.OffsetOutOfRange}, {-2, kerror.OffsetOutOfRange}, {5, kerror.None}, {-1, kerror.None}} {
		res := c.do(Truncate{client.DeleteRecords{Topic: "t", Partition: 0, Before: row.before}})
		got := kerror.None
		if kerr := ErrorOf(res); kerr != nil {
			got = kerr.Code
		}
		if got != row.code {
			t.Errorf("before=%d: %s, want %s", row.before, got, row.code)
		}
	}
	if v, _ := c.PartitionView("t", 0); v.Start != 30 {
		t.Errorf("start %d after before=-1, want the high watermark, 30", v.Start)
	}
}

// The client drops what a batch holds before the offset asked for.
func TestReaderDropsWhatLiesBefore(t *testing.T) {
	c := newProbed(t, Defaults())
	c.create("t", 1, 1)
	c.produce("t", 10, -1)
	r, _ := c.do(Consume{client.Consume{Topic: "t", Partition: 0, From: client.From{Kind: client.FromOffset, Number: 7}}}).(Consumed)
	if len(r.Records) != 3 || r.Records[0].Offset != 7 || r.Parts[0].Dropped != 7 || r.Parts[0].Next != 10 {
		t.Errorf("%d records from %+v, want 7, 8, 9 and seven dropped", len(r.Records), r.Parts[0])
	}
	p, _ := c.fetchOne("broker-1", c.fetchRequest("t", 7))
	if b, err := record.Next(p.RecordBatches); err != nil || b.BaseOffset() != 0 {
		t.Errorf("the broker sends the whole batch: base %d, %v", b.BaseOffset(), err)
	}
}
