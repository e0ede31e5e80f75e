//go:build kafka

package engine

import (
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

var updateRaw = flag.Bool("update-raw", false, "write what Apache Kafka answers to testdata/raw")

// Apache Kafka and the lab answer the same raw requests the same way.
func TestKafkaAnswersRawRequestsAlike(t *testing.T) {
	port := 22692
	kafka := worldsOf(func(nodes int, static map[string]string) rawCluster {
		port += 10
		return newKafkaCluster(t, port, nodes, static)
	})
	lab := worldsOf(func(brokers int, static map[string]string) rawCluster { return newLabCluster(t, brokers, static) })
	for _, g := range rawGroups {
		start := time.Now()
		theirs := kafka(g).play(g)
		t.Logf("%s: %d answers of Apache Kafka in %v", g.name, len(theirs), time.Since(start))
		if *updateRaw && !g.live {
			if err := os.WriteFile(goldenRaw(g.name), []byte(strings.Join(theirs, "\n")+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		compareRaw(t, g.name, lab(g).play(g), theirs)
	}
}

// kafkaCluster is Apache Kafka, spoken to over plain connections.
type kafkaCluster struct {
	t     *testing.T
	dir   string
	port  int
	nodes int
}

func newKafkaCluster(t *testing.T, port, nodes int, static map[string]string) *kafkaCluster {
	c := &kafkaCluster{t: t, dir: filepath.Join(t.TempDir(), "kafka"), port: port, nodes: nodes}
	if os.Getenv("KAFKALAB_ORACLE") == "" {
		t.Skip("KAFKALAB_ORACLE does not name a script that starts Apache Kafka")
	}
	t.Cleanup(func() { c.oracle("down", c.dir) })
	args := []string{"up", strconv.Itoa(nodes), c.dir, strconv.Itoa(c.port)}
	for name, value := range static {
		args = append(args, name+"="+value)
	}
	c.oracle(args...)
	time.Sleep(2 * time.Second) // until all are unfenced
	return c
}

func (c *kafkaCluster) oracle(args ...string) {
	cmd := exec.Command(os.Getenv("KAFKALAB_ORACLE"), args...)
	cmd.Env = append(os.Environ(), "ORACLE_FEATURES=eligible.leader.replicas.version=0")
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		c.t.Fatal(err)
	}
	defer null.Close()
	cmd.Stdout, cmd.Stderr = null, null // not a pipe: the nodes would keep it open
	if err := cmd.Run(); err != nil {
		if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() == 3 {
			c.t.Skip("Apache Kafka cannot run here")
		}
		c.t.Fatalf("%v: %v", args, err)
	}
}

const apiVersions = 18

func (c *kafkaCluster) send(to int32, req kmsg.Request, silent bool) (kmsg.Response, error) {
	conn, err := net.DialTimeout("tcp", fmt.Sprintf("127.0.0.1:%d", c.port+int(to)-1), time.Second)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	wait := 10 * time.Second
	if silent {
		wait = 500 * time.Millisecond
	}
	conn.SetDeadline(time.Now().Add(wait))
	if _, err := conn.Write(kmsg.NewRequestFormatter(kmsg.FormatterClientID("raw")).AppendRequest(nil, req, 1)); err != nil {
		return nil, err
	}
	var size [4]byte
	if _, err := io.ReadFull(conn, size[:]); err != nil {
		if os.IsTimeout(err) && silent {
			return nil, nil
		}
		return nil, fmt.Errorf("the connection is closed")
	}
	body := make([]byte, binary.BigEndian.Uint32(size[:]))
	if _, err := io.ReadFull(conn, body); err != nil {
		return nil, err
	}
	resp := req.ResponseKind()
	body = body[4:]
	if resp.IsFlexible() && resp.Key() != apiVersions {
		body = body[1:]
	}
	return resp, resp.ReadFrom(body)
}

// settle waits until the brokers that answer have replayed what the controller
// has decided, and a little for what they make of it.
func (c *kafkaCluster) settle() {
	time.Sleep(500 * time.Millisecond)
	end := c.committed()
	for id := int32(1); id <= int32(c.nodes); id++ {
		for range 100 {
			resp, err := c.send(id, &kmsg.ApiVersionsRequest{Version: 3, ClientSoftwareName: "lab", ClientSoftwareVersion: "1"}, false)
			if err != nil || resp.(*kmsg.ApiVersionsResponse).FinalizedFeaturesEpoch >= end-1 {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
	}
	time.Sleep(300 * time.Millisecond)
}

// committed is the high watermark of the metadata log.
func (c *kafkaCluster) committed() int64 {
	req := kmsg.NewPtrDescribeQuorumRequest()
	req.Topics = []kmsg.DescribeQuorumRequestTopic{{Topic: "__cluster_metadata", Partitions: []kmsg.DescribeQuorumRequestTopicPartition{{}}}}
	resp, err := c.send(1, req, false)
	if err != nil {
		return 0
	}
	if t := resp.(*kmsg.DescribeQuorumResponse).Topics; len(t) > 0 && len(t[0].Partitions) > 0 {
		return t[0].Partitions[0].HighWatermark
	}
	return 0
}

func (c *kafkaCluster) kill(id int32) {
	c.oracle("stop", c.dir, strconv.Itoa(int(id)), "KILL")
	time.Sleep(14 * time.Second) // its session is over after 9
}

func (c *kafkaCluster) start(id int32) {
	c.oracle("start", c.dir, strconv.Itoa(int(id)))
	for range 400 { // a busy machine takes its time
		time.Sleep(500 * time.Millisecond)
		resp, err := c.send(1, &kmsg.MetadataRequest{Version: 12, Topics: []kmsg.MetadataRequestTopic{}}, false)
		if err == nil && len(resp.(*kmsg.MetadataResponse).Brokers) == 3 {
			time.Sleep(4 * time.Second) // its replicas catch up
			return
		}
	}
	c.t.Error("a broker does not come back")
}
