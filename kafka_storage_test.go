//go:build kafka

package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
)

// storageNode is a broker alone, the lab's or Apache Kafka's, in a process of its
// own with a log directory of its own.
type storageNode struct {
	*kafkaWorld // its port, and how Kafka is run
	name        string
	logs        string // its log directory
	start       func()
	end         func(syscall.Signal) // and waits until the process has ended
	conn        net.Conn             // kept from one request to the next
}

// storageConfigs makes the background tasks quick, on both. But the recovery
// points are written at the start and at a clean stop only: whatever was appended
// since is recovered after a kill.
var storageConfigs = []string{
	"log.cleaner.backoff.ms=300", "log.retention.check.interval.ms=700", "log.initial.task.delay.ms=300",
	"log.flush.offset.checkpoint.interval.ms=100000000", "log.flush.start.offset.checkpoint.interval.ms=400",
}

const (
	labStoragePort   = 28110
	kafkaStoragePort = 28150
)

// storageNodes starts one broker of each kind.
func storageNodes(t *testing.T) []*storageNode {
	t.Helper()
	dir := t.TempDir()
	lab := &storageNode{kafkaWorld: &kafkaWorld{t: t, port: labStoragePort}, name: "the lab", logs: filepath.Join(dir, "lab", "broker-1")}
	kafka := &storageNode{kafkaWorld: &kafkaWorld{t: t, port: kafkaStoragePort, dir: filepath.Join(dir, "kafka")}, name: "Kafka"}
	kafka.logs = filepath.Join(kafka.dir, "node-1")
	nodes := []*storageNode{lab, kafka}
	lab.withProgram(dir)
	kafka.withOracle()
	t.Cleanup(func() {
		for _, n := range nodes {
			if n.conn != nil {
				n.conn.Close()
			}
		}
	})
	return nodes
}

// withProgram runs the lab's own program.
func (n *storageNode) withProgram(dir string) {
	if os.Getenv("KAFKALAB_ORACLE") == "" {
		n.t.Skip("KAFKALAB_ORACLE does not name a script that starts Apache Kafka")
	}
	program, script := filepath.Join(dir, "kafkalab"), filepath.Join(dir, "start.lab")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		n.t.Fatalf("%v: %s", err, out)
	}
	if err := os.WriteFile(script, []byte("cluster brokers=1 "+strings.Join(storageConfigs, " ")+"\n"), 0o644); err != nil {
		n.t.Fatal(err)
	}
	var running *exec.Cmd
	n.end = func(signal syscall.Signal) {
		if running != nil {
			_ = running.Process.Signal(signal)
			_ = running.Wait() // its status says how it was ended
			running = nil
		}
	}
	n.start = func() {
		running = exec.Command(program, "broker", "--listen", fmt.Sprintf("127.0.0.1:%d", n.port), "--brokers", "1", "--data-dir", filepath.Dir(n.logs), "--script", script)
		out, err := running.StdoutPipe()
		if err != nil {
			n.t.Fatal(err)
		}
		running.Stderr = os.Stderr
		if err := running.Start(); err != nil {
			n.t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); !strings.HasPrefix(line, "ready") {
			n.t.Fatalf("the lab says %q, %v", line, err)
		}
	}
	n.t.Cleanup(func() { n.end(syscall.SIGKILL) })
	n.start()
}

// withOracle runs Apache Kafka.
func (n *storageNode) withOracle() {
	n.t.Cleanup(func() { n.oracle("down", n.dir) })
	n.oracle(append([]string{"up", "1", n.dir, strconv.Itoa(n.port)}, storageConfigs...)...)
	n.start = func() { n.oracle("start", n.dir, "1") }
	n.end = func(signal syscall.Signal) {
		name := map[syscall.Signal]string{syscall.SIGKILL: "KILL", syscall.SIGTERM: "TERM"}[signal]
		n.oracle("stop", n.dir, "1", name)
		text, err := os.ReadFile(filepath.Join(n.dir, "node-1.pid"))
		if err != nil {
			n.t.Fatal(err)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			n.t.Fatal(err)
		}
		n.await("the end of the process", func() bool { return syscall.Kill(pid, 0) != nil })
	}
}

// await waits until something holds.
func (n *storageNode) await(what string, holds func() bool) {
	n.t.Helper()
	for range 1500 {
		if holds() {
			return
		}
		n.pass()
	}
	n.t.Fatalf("%s: %s does not come", n.name, what)
}

// do sends a request to the broker and gives the answer.
func (n *storageNode) do(req kmsg.Request, version int16) kmsg.Response {
	n.t.Helper()
	resp, err := n.try(req, version)
	if err != nil {
		n.t.Fatalf("%s: %T: %v", n.name, req, err)
	}
	return resp
}

// try is do for a broker that may be down.
func (n *storageNode) try(req kmsg.Request, version int16) (kmsg.Response, error) {
	req.SetVersion(version)
	if n.conn == nil {
		conn, err := net.DialTimeout("tcp", fmt.Sprintf("127.0.0.1:%d", n.port), time.Second)
		if err != nil {
			return nil, err
		}
		n.conn = conn
	}
	resp, err := n.exchange(req)
	if err != nil {
		n.conn.Close()
		n.conn = nil
	}
	return resp, err
}

// exchange sends a request over the connection and reads the answer.
func (n *storageNode) exchange(req kmsg.Request) (kmsg.Response, error) {
	if err := n.conn.SetDeadline(time.Now().Add(40 * time.Second)); err != nil {
		return nil, err
	}
	if _, err := n.conn.Write(kmsg.NewRequestFormatter(kmsg.FormatterClientID("compare")).AppendRequest(nil, req, 1)); err != nil {
		return nil, err
	}
	var size [4]byte
	if _, err := io.ReadFull(n.conn, size[:]); err != nil {
		return nil, err
	}
	body := make([]byte, binary.BigEndian.Uint32(size[:]))
	if _, err := io.ReadFull(n.conn, body); err != nil {
		return nil, err
	}
	resp, skip := req.ResponseKind(), 4
	if resp.IsFlexible() {
		skip++ // tags of the header
	}
	return resp, resp.ReadFrom(body[skip:])
}

// createTopic makes a topic of one partition and waits for its leader.
func (n *storageNode) createTopic(name string, configs []string) {
	n.t.Helper()
	req := kmsg.NewPtrCreateTopicsRequest()
	topic := kmsg.CreateTopicsRequestTopic{Topic: name, NumPartitions: 1, ReplicationFactor: 1}
	for _, c := range configs {
		key, value, _ := strings.Cut(c, "=")
		topic.Configs = append(topic.Configs, kmsg.CreateTopicsRequestTopicConfig{Name: key, Value: &value})
	}
	req.Topics, req.TimeoutMillis = []kmsg.CreateTopicsRequestTopic{topic}, 10000
	out := n.do(req, 7).(*kmsg.CreateTopicsResponse).Topics[0]
	if out.ErrorCode != 0 {
		n.t.Fatalf("%s: %s: %v", n.name, name, kerror.Code(out.ErrorCode))
	}
	n.await("the leader of "+name, func() bool { return n.offset(name, -1) == "0" })
}

// setConfigs changes a topic's configs.
func (n *storageNode) setConfigs(topic string, configs ...string) {
	n.t.Helper()
	req := kmsg.NewPtrIncrementalAlterConfigsRequest()
	r := kmsg.IncrementalAlterConfigsRequestResource{ResourceType: kmsg.ConfigResourceTypeTopic, ResourceName: topic}
	for _, c := range configs {
		key, value, _ := strings.Cut(c, "=")
		r.Configs = append(r.Configs, kmsg.IncrementalAlterConfigsRequestResourceConfig{Name: key, Value: &value})
	}
	req.Resources = []kmsg.IncrementalAlterConfigsRequestResource{r}
	if out := n.do(req, 1).(*kmsg.IncrementalAlterConfigsResponse).Resources[0]; out.ErrorCode != 0 {
		n.t.Fatalf("%s: %s: %v", n.name, topic, kerror.Code(out.ErrorCode))
	}
}

// send appends a batch and tells the code and the offset.
func (n *storageNode) send(topic string, batch []byte) string {
	n.t.Helper()
	req := kmsg.NewPtrProduceRequest()
	req.Acks, req.TimeoutMillis = -1, 10000
	req.Topics = []kmsg.ProduceRequestTopic{{Topic: topic, Partitions: []kmsg.ProduceRequestTopicPartition{{Records: batch}}}}
	out := n.do(req, 9).(*kmsg.ProduceResponse).Topics[0].Partitions[0]
	return fmt.Sprint(kerror.Code(out.ErrorCode), " ", out.BaseOffset)
}

// offset asks for the log's end (-1) or start (-2).
func (n *storageNode) offset(topic string, which int64) string {
	n.t.Helper()
	req := kmsg.NewPtrListOffsetsRequest()
	req.ReplicaID = -1
	req.Topics = []kmsg.ListOffsetsRequestTopic{{Topic: topic, Partitions: []kmsg.ListOffsetsRequestTopicPartition{{CurrentLeaderEpoch: -1, Timestamp: which}}}}
	resp, err := n.try(req, 6)
	if err != nil {
		return err.Error()
	}
	out := resp.(*kmsg.ListOffsetsResponse).Topics[0].Partitions[0]
	if out.ErrorCode != 0 {
		return kerror.Code(out.ErrorCode).String()
	}
	return strconv.FormatInt(out.Offset, 10)
}

// deleteRecords moves a log's start and tells what the broker answers.
func (n *storageNode) deleteRecords(topic string, to int64) string {
	n.t.Helper()
	req := kmsg.NewPtrDeleteRecordsRequest()
	req.TimeoutMillis = 10000
	req.Topics = []kmsg.DeleteRecordsRequestTopic{{Topic: topic, Partitions: []kmsg.DeleteRecordsRequestTopicPartition{{Offset: to}}}}
	out := n.do(req, 2).(*kmsg.DeleteRecordsResponse).Topics[0].Partitions[0]
	return fmt.Sprint(kerror.Code(out.ErrorCode), " ", out.LowWatermark)
}

// segments lists the bases of a topic's segments.
func (n *storageNode) segments(topic string) []int64 {
	n.t.Helper()
	entries, err := os.ReadDir(filepath.Join(n.logs, topic+"-0"))
	if err != nil {
		n.t.Fatal(err)
	}
	var bases []int64
	for _, e := range entries {
		if text, ok := strings.CutSuffix(e.Name(), ".log"); ok {
			base, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				n.t.Fatal(err)
			}
			bases = append(bases, base)
		}
	}
	slices.Sort(bases)
	return bases
}

// cleanedTo is a topic's line of the cleaner's checkpoint, -1 without one.
func (n *storageNode) cleanedTo(topic string) int64 {
	text, err := os.ReadFile(filepath.Join(n.logs, "cleaner-offset-checkpoint"))
	if err != nil {
		return -1
	}
	for line := range strings.Lines(string(text)) {
		var offset int64
		if _, err := fmt.Sscanf(line, topic+" 0 %d", &offset); err == nil {
			return offset
		}
	}
	return -1
}

// bothNodes does something to each node at the same time.
func bothNodes(nodes []*storageNode, do func(*storageNode)) {
	done := make(chan struct{})
	for _, n := range nodes {
		go func() { defer func() { done <- struct{}{} }(); do(n) }()
	}
	for range nodes {
		<-done
	}
}

// storageTime is what the records' timestamps count from: an hour ago, so that
// producers are remembered.
var storageTime = time.Now().Add(-time.Hour).UnixMilli()
