//go:build kafka

package wire

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"kafkalab/engine"
)

// judged is a cluster of three brokers on loopback: the lab's, or the Apache
// Kafka that it is compared with.
type judged struct {
	t     *testing.T
	name  string
	addrs []string
	dir   string // holds a log directory for each node
	kafka bool
	said  []string // what its client saw
	end   func()   // an orderly shutdown
	node  func(action string, id int)
}

// givenConfigs are the properties of Kafka's nodes, as far as they are not of a
// kind that each cluster has of its own.
var givenConfigs = map[string]string{"auto.leader.rebalance.enable": "false"}

// judgedClusters starts both at once.
func judgedClusters(t *testing.T, port int, configs map[string]string) (lab, kafka *judged) {
	t.Helper()
	oracle(t, "lib")
	for _, p := range []int{port, port + 1, port + 2} {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", p))
		if err != nil {
			t.Fatalf("Apache Kafka's port is taken, by the Kafka of a run that was broken off? %v", err)
		}
		l.Close()
	}
	configs = maps.Clone(configs)
	maps.Copy(configs, givenConfigs)
	kafka = &judged{t: t, name: "kafka", dir: filepath.Join(t.TempDir(), "kafka"), kafka: true}
	kafka.end = sync.OnceFunc(func() { oracle(t, "down", kafka.dir) })
	t.Cleanup(kafka.end)
	up := []string{"up", "3", kafka.dir, strconv.Itoa(port)}
	line := "cluster brokers=3 share.coordinator.state.topic.min.isr=1"
	for _, name := range slices.Sorted(maps.Keys(configs)) {
		up = append(up, name+"="+configs[name])
		line += " " + name + "=" + configs[name]
	}
	oracle(t, up...)
	for i := range 3 {
		kafka.addrs = append(kafka.addrs, fmt.Sprintf("127.0.0.1:%d", port+i))
	}

	kafka.node = func(action string, id int) {
		if action == "restart" {
			oracle(t, "start", kafka.dir, strconv.Itoa(id))
			return
		}
		oracle(t, "stop", kafka.dir, strconv.Itoa(id), "KILL")
	}

	lab = &judged{t: t, name: "lab", dir: t.TempDir()}
	s := serveOn(t, line, func(o *ServeOptions) {
		o.DataDir = lab.dir
		o.Address.Port = port + 50 // not one that is given away while a broker is down
	})
	lab.addrs, lab.end = s.addrs, s.shutDown
	lab.node = func(action string, id int) {
		if action == "restart" {
			s.command(engine.Restart{Broker: int32(id)})
			return
		}
		s.command(engine.Stop{Broker: int32(id), How: engine.StopKill})
	}
	kafka.awaitBrokers()
	return lab, kafka
}

// command does something to the cluster while it serves.
func (s *served) command(c engine.Command) {
	s.t.Helper()
	if err := s.stops(); err != nil {
		s.t.Fatal(err)
	}
	if err := errors.Join(s.pump.catchUp(), s.pump.do(c, "")); err != nil {
		s.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.pump.Run(ctx) }()
	s.stops = sync.OnceValue(func() error { cancel(); return <-ended })
}

// oracle runs the script that brings Apache Kafka.
func oracle(t *testing.T, args ...string) {
	t.Helper()
	script := os.Getenv("KAFKALAB_ORACLE")
	if script == "" {
		t.Skip("KAFKALAB_ORACLE does not name a script that starts Apache Kafka")
	}
	cmd := exec.Command(script, args...)
	cmd.Env = append(os.Environ(), "ORACLE_FEATURES=eligible.leader.replicas.version=0")
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	cmd.Stdout, cmd.Stderr = null, null // not a pipe: the nodes would keep it open
	if err := cmd.Run(); err != nil {
		if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() == 3 {
			t.Skip("Apache Kafka cannot run here: Java or Maven is not there")
		}
		t.Fatalf("%v: %v", args, err)
	}
}

// oracleJava runs one of testdata/kafka's Java programs against Kafka's jars.
func oracleJava(t *testing.T, file string, args ...string) string {
	t.Helper()
	java := []string{"java", "-Xmx400m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto",
		"-Dlog4j2.configurationFile=testdata/kafka/log4j2.properties", filepath.Join("testdata", "kafka", file)}
	cmd := exec.Command(os.Getenv("KAFKALAB_ORACLE"), append(java, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s %v: %v\n%s", file, args, err, out)
	}
	return string(out)
}

// client is kgo on the cluster.
func (j *judged) client(opts ...kgo.Opt) *kgo.Client {
	j.t.Helper()
	cl, err := kgo.NewClient(append([]kgo.Opt{kgo.SeedBrokers(j.addrs...), kgo.MetadataMinAge(20 * time.Millisecond)}, opts...)...)
	if err != nil {
		j.t.Fatal(err)
	}
	return cl
}

// awaitBrokers waits until all three are there.
func (j *judged) awaitBrokers() {
	cl := j.client()
	defer cl.Close()
	for range 200 {
		if m, err := kadm.NewClient(cl).BrokerMetadata(context.Background()); err == nil && len(m.Brokers) == 3 {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	j.t.Fatalf("%s: three brokers are not there", j.name)
}

// bothAtOnce does the same to both.
func bothAtOnce(lab, kafka *judged, do func(*judged)) {
	var all sync.WaitGroup
	for _, j := range []*judged{lab, kafka} {
		all.Go(func() { do(j) })
	}
	all.Wait()
}

// differences tells in which lines two accounts of one thing differ.
func differences(ours, theirs string) string {
	a, b := strings.Split(ours, "\n"), strings.Split(theirs, "\n")
	var out strings.Builder
	for len(a) > 0 || len(b) > 0 {
		if len(a) > 0 && len(b) > 0 && a[0] == b[0] {
			a, b = a[1:], b[1:]
			continue
		}
		next := len(a)
		for i, line := range a { // up to where they meet again
			if slices.Contains(b, line) {
				next = i
				break
			}
		}
		for _, line := range a[:next] {
			fmt.Fprintf(&out, "  lab   %s\n", line)
		}
		a = a[next:]
		meet := len(b)
		if len(a) > 0 {
			meet = slices.Index(b, a[0])
		}
		for _, line := range b[:meet] {
			fmt.Fprintf(&out, "  kafka %s\n", line)
		}
		b = b[meet:]
	}
	return out.String()
}
