//go:build kafka

package main

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/console"
	"kafkalab/engine/kerror"
)

// world is a cluster of three brokers to compare: the lab's or Apache Kafka's.
type world interface {
	create(topic string, minISR int)
	produce(topic string, acks int16) string // the code and the offset
	state(topic string) string               // leader, leader epoch and ISR
	hw(topic string) string
	pass() // a little time
	node(action string, id int)
}

const (
	lagMs = 3000 // replica.lag.time.max.ms of both
	acks0 = int16(0)
)

// replicationStory is one life of a cluster: a stall, a kill, a restart, a
// preferred election and a controlled shutdown, with a client at each acks.
// It returns a line for each thing that a client or an operator sees.
func replicationStory(t *testing.T, w world) []string {
	var seen []string
	say := func(format string, args ...any) { seen = append(seen, fmt.Sprintf(format, args...)) }
	all := []string{"two", "three"}
	produce := func(acks ...int16) {
		for _, topic := range all {
			for _, a := range acks {
				say("produce %s acks=%d: %s", topic, a, w.produce(topic, a))
			}
		}
	}
	last := map[string]string{}
	// reach waits until topics are as wanted and says which states each passed.
	reach := func(want string, topics ...string) {
		passed := map[string][]string{}
		there := 0
		for range 4000 {
			there = 0
			for _, topic := range topics {
				if now := w.state(topic); now != last[topic] {
					last[topic] = now
					passed[topic] = append(passed[topic], now)
				}
				if last[topic] == want {
					there++
				}
			}
			if there == len(topics) {
				break
			}
			w.pass()
		}
		for _, topic := range topics {
			say("%s: %s", topic, strings.Join(passed[topic], ", "))
		}
		if there < len(topics) {
			t.Fatalf("%q is not reached; so far:\n%s", want, strings.Join(seen, "\n"))
		}
	}
	reachAll := func(want string) { reach(want, all...) }
	hws := func(want ...int) {
		for i, topic := range all {
			for range 500 {
				if w.hw(topic) == strconv.Itoa(want[i]) {
					break
				}
				w.pass()
			}
			say("%s: high watermark %s", topic, w.hw(topic))
		}
	}

	w.create("two", 2)
	w.create("three", 3)
	reachAll("leader 1 epoch 0 isr 1,2,3")
	produce(acks0, 1, -1)
	hws(3, 3)

	say("-- broker 3 stalls")
	w.node("stall", 3)
	produce(1)
	say("two: high watermark %s", w.hw("two"))
	say("produce two acks=-1: %s", w.produce("two", -1)) // answered when 3 has left the ISR
	reachAll("leader 1 epoch 0 isr 1,2")
	produce(-1, 1)
	hws(7, 3)
	w.node("resume", 3)
	reachAll("leader 1 epoch 0 isr 1,2,3")
	produce(-1)

	say("-- broker 1 is killed")
	w.node("kill", 1)
	reachAll("leader 2 epoch 1 isr 2,3")
	produce(1, -1)
	w.node("restart", 1)
	reachAll("leader 2 epoch 1 isr 1,2,3")
	produce(-1)

	say("-- preferred election")
	w.node("prefer", 1)
	reachAll("leader 1 epoch 2 isr 1,2,3")
	produce(-1)

	say("-- broker 2 shuts down")
	w.node("shutdown", 2)
	reachAll("leader 1 epoch 2 isr 1,3")
	produce(-1)
	w.node("restart", 2)
	reachAll("leader 1 epoch 2 isr 1,2,3")

	say("-- the leader shuts down")
	w.node("shutdown", 1)
	reachAll("leader 2 epoch 3 isr 2,3")
	produce(1, -1)
	return seen
}

// The lab and Apache Kafka tell one story of stall, kill, restart, election
// and shutdown: the same answers, offsets, ISR, leaders and epochs in the same
// order.
func TestKafkaReplicatesAsWeDo(t *testing.T) {
	ours := replicationStory(t, newLabWorld(t))
	theirs := replicationStory(t, newKafkaWorld(t))
	for i := range max(len(ours), len(theirs)) {
		a, b := "", ""
		if i < len(ours) {
			a = ours[i]
		}
		if i < len(theirs) {
			b = theirs[i]
		}
		if a != b {
			t.Errorf("line %d: the lab %q, Kafka %q", i+1, a, b)
		}
		t.Logf("%-60s %s", a, b)
	}
}

// labWorld is the lab's own cluster.
type labWorld struct {
	t *testing.T
	s *console.Session
}

func newLabWorld(t *testing.T) *labWorld {
	w := &labWorld{t, console.NewSession(console.Options{})}
	t.Cleanup(func() { w.s.Close() })
	w.exec("cluster brokers=3 replica.lag.time.max.ms=%d", lagMs)
	return w
}

func (w *labWorld) exec(format string, args ...any) console.Output {
	out, err := w.s.Exec(fmt.Sprintf(format, args...))
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

func (w *labWorld) eval(expr string) string {
	v, err := w.s.Eval(expr)
	if err != nil {
		w.t.Fatal(err)
	}
	return v.String()
}

func (w *labWorld) create(topic string, minISR int) {
	w.exec("topic create %s assignment=1,2,3 min.insync.replicas=%d", topic, minISR)
}

func (w *labWorld) produce(topic string, acks int16) string {
	if acks == acks0 {
		w.exec("produce %s acks=0 wait=false", topic)
		w.exec("tick 100ms")
		return "no answer"
	}
	if out := w.exec("produce %s acks=%d", topic, acks); out.Err != nil {
		return out.Err.Code.String()
	}
	return "offset " + w.eval("last.offset")
}

func (w *labWorld) state(topic string) string {
	return fmt.Sprintf("leader %s epoch %s isr %s", w.eval(topic+"/0.leader"), w.eval(topic+"/0.epoch"), w.eval(topic+"/0.isr"))
}

func (w *labWorld) hw(topic string) string { return w.eval(topic + "/0.hw") }
func (w *labWorld) pass()                  { w.exec("tick 20ms") }

func (w *labWorld) node(action string, id int) {
	if action == "prefer" {
		w.exec("elect preferred two/0")
		w.exec("elect preferred three/0")
		return
	}
	w.exec("%s broker-%d", action, id)
}

// kafkaWorld is Apache Kafka, spoken to over plain connections.
type kafkaWorld struct {
	t    *testing.T
	dir  string
	port int
	ids  map[string][16]byte
}

func newKafkaWorld(t *testing.T) *kafkaWorld {
	w := &kafkaWorld{t: t, dir: filepath.Join(t.TempDir(), "kafka"), port: 21492, ids: map[string][16]byte{}}
	if os.Getenv("KAFKALAB_ORACLE") == "" {
		t.Skip("KAFKALAB_ORACLE does not name a script that starts Apache Kafka")
	}
	t.Cleanup(func() { w.oracle("down", w.dir) })
	w.oracle("up", "3", w.dir, strconv.Itoa(w.port), fmt.Sprintf("replica.lag.time.max.ms=%d", lagMs), "auto.leader.rebalance.enable=false")
	return w
}

func (w *kafkaWorld) oracle(args ...string) {
	cmd := exec.Command(os.Getenv("KAFKALAB_ORACLE"), args...)
	cmd.Env = append(os.Environ(), "ORACLE_FEATURES=eligible.leader.replicas.version=0")
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	defer null.Close()
	cmd.Stdout, cmd.Stderr = null, null // not a pipe: the nodes would keep it open
	if err := cmd.Run(); err != nil {
		if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() == 3 {
			w.t.Skip("Apache Kafka cannot run here")
		}
		w.t.Fatalf("%v: %v", args, err)
	}
}

func (w *kafkaWorld) ask(broker int, req kmsg.Request, answers bool) (kmsg.Response, error) {
	conn, err := net.DialTimeout("tcp", fmt.Sprintf("127.0.0.1:%d", w.port+broker-1), time.Second)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(40 * time.Second))
	if _, err := conn.Write(kmsg.NewRequestFormatter(kmsg.FormatterClientID("compare")).AppendRequest(nil, req, 1)); err != nil || !answers {
		return nil, err
	}
	var size [4]byte
	if _, err := io.ReadFull(conn, size[:]); err != nil {
		return nil, err
	}
	body := make([]byte, binary.BigEndian.Uint32(size[:]))
	if _, err := io.ReadFull(conn, body); err != nil {
		return nil, err
	}
	resp := req.ResponseKind()
	body = body[4:]
	if resp.IsFlexible() {
		body = body[1:]
	}
	return resp, resp.ReadFrom(body)
}

func (w *kafkaWorld) create(topic string, minISR int) {
	req := kmsg.NewPtrCreateTopicsRequest()
	req.Version = 7
	n := strconv.Itoa(minISR)
	c := kmsg.CreateTopicsRequestTopicConfig{Name: "min.insync.replicas", Value: &n}
	a := kmsg.CreateTopicsRequestTopicReplicaAssignment{Partition: 0, Replicas: []int32{1, 2, 3}}
	req.Topics = []kmsg.CreateTopicsRequestTopic{{Topic: topic, NumPartitions: -1, ReplicationFactor: -1, Configs: []kmsg.CreateTopicsRequestTopicConfig{c}, ReplicaAssignment: []kmsg.CreateTopicsRequestTopicReplicaAssignment{a}}}
	req.TimeoutMillis = 10000
	resp, err := w.ask(1, req, true)
	if err != nil {
		w.t.Fatal(err)
	}
	out := resp.(*kmsg.CreateTopicsResponse).Topics[0]
	if out.ErrorCode != 0 {
		w.t.Fatal(kerror.Code(out.ErrorCode))
	}
	w.ids[topic] = out.TopicID
	for w.hw(topic) != "0" { // the leader knows of it some milliseconds later
		w.pass()
	}
}

// described is a topic's partition as some broker that answers has it.
func (w *kafkaWorld) described(topic string) (p kmsg.MetadataResponseTopicPartition, ok bool) {
	req := kmsg.NewPtrMetadataRequest()
	req.Version = 9
	req.Topics = []kmsg.MetadataRequestTopic{{Topic: &topic}}
	for _, broker := range []int{2, 1, 3} {
		resp, err := w.ask(broker, req, true)
		if err != nil {
			continue
		}
		topics := resp.(*kmsg.MetadataResponse).Topics
		if len(topics) == 1 && topics[0].ErrorCode == 0 && len(topics[0].Partitions) == 1 {
			return topics[0].Partitions[0], true
		}
	}
	return p, false
}

func (w *kafkaWorld) state(topic string) string {
	p, ok := w.described(topic)
	if !ok {
		return "nobody answers"
	}
	slices.Sort(p.ISR)
	isr := strings.Trim(strings.ReplaceAll(fmt.Sprint(p.ISR), " ", ","), "[]")
	return fmt.Sprintf("leader %d epoch %d isr %s", p.Leader, p.LeaderEpoch, isr)
}

func (w *kafkaWorld) produce(topic string, acks int16) string {
	req := kmsg.NewPtrProduceRequest()
	req.Version, req.Acks, req.TimeoutMillis = 13, acks, 30000
	part := kmsg.ProduceRequestTopicPartition{Records: oneRecord()}
	req.Topics = []kmsg.ProduceRequestTopic{{TopicID: w.ids[topic], Partitions: []kmsg.ProduceRequestTopicPartition{part}}}
	for range 500 {
		p, ok := w.described(topic)
		if !ok || p.Leader < 0 {
			w.pass()
			continue
		}
		before := w.hw(topic)
		resp, err := w.ask(int(p.Leader), req, acks != acks0)
		if err != nil {
			return err.Error()
		}
		if acks == acks0 {
			for range 500 { // nobody says when it is there
				if w.pass(); w.hw(topic) != before {
					break
				}
			}
			return "no answer"
		}
		out := resp.(*kmsg.ProduceResponse).Topics[0].Partitions[0]
		switch code := kerror.Code(out.ErrorCode); {
		case code == kerror.NotLeaderOrFollower:
			w.pass() // an election that the broker has not heard of yet
		case code != kerror.None:
			return code.String()
		default:
			return fmt.Sprintf("offset %d", out.BaseOffset)
		}
	}
	return "no leader"
}

func (w *kafkaWorld) hw(topic string) string {
	p, ok := w.described(topic)
	if !ok || p.Leader < 0 {
		return "no leader"
	}
	req := kmsg.NewPtrListOffsetsRequest()
	req.Version, req.ReplicaID = 6, -1
	req.Topics = []kmsg.ListOffsetsRequestTopic{{Topic: topic, Partitions: []kmsg.ListOffsetsRequestTopicPartition{{CurrentLeaderEpoch: -1, Timestamp: -1}}}}
	resp, err := w.ask(int(p.Leader), req, true)
	if err != nil {
		return err.Error()
	}
	out := resp.(*kmsg.ListOffsetsResponse).Topics[0].Partitions[0]
	if out.ErrorCode != 0 {
		return kerror.Code(out.ErrorCode).String()
	}
	return strconv.FormatInt(out.Offset, 10)
}

func (w *kafkaWorld) pass() { time.Sleep(20 * time.Millisecond) }

func (w *kafkaWorld) node(action string, id int) {
	n := strconv.Itoa(id)
	switch action {
	case "prefer":
		req := kmsg.NewPtrElectLeadersRequest()
		req.Version, req.TimeoutMillis = 2, 10000
		for topic := range w.ids {
			req.Topics = append(req.Topics, kmsg.ElectLeadersRequestTopic{Topic: topic, Partitions: []int32{0}})
		}
		if _, err := w.ask(2, req, true); err != nil {
			w.t.Fatal(err)
		}
	case "restart":
		w.oracle("start", w.dir, n)
	default:
		w.oracle("stop", w.dir, n, map[string]string{"stall": "STOP", "resume": "CONT", "kill": "KILL", "shutdown": "TERM"}[action])
	}
}

// oneRecord is a batch of one record without key and value, written here byte
// by byte so that it does not come out of the code under test.
func oneRecord() []byte {
	record := []byte{0, 0, 0, 1, 1, 0} // attributes, deltas, null key, null value, no headers
	b := binary.BigEndian.AppendUint16(nil, 0)
	b = binary.BigEndian.AppendUint32(b, 0)
	b = binary.BigEndian.AppendUint64(b, 1767225600000)
	b = binary.BigEndian.AppendUint64(b, 1767225600000)
	b = binary.BigEndian.AppendUint64(b, ^uint64(0)) // producer id
	b = binary.BigEndian.AppendUint16(b, ^uint16(0))
	b = binary.BigEndian.AppendUint32(b, ^uint32(0))
	b = binary.BigEndian.AppendUint32(b, 1)
	b = append(b, byte(len(record)<<1))
	b = append(b, record...)
	out := binary.BigEndian.AppendUint64(nil, 0)
	out = binary.BigEndian.AppendUint32(out, uint32(9+len(b)))
	out = binary.BigEndian.AppendUint32(out, ^uint32(0))
	out = append(out, 2)
	out = binary.BigEndian.AppendUint32(out, crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
	return append(out, b...)
}
