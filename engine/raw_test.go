package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/sim"
)

// rawCase is one request as no client of good manners would send it, or as an
// old one would. The cases of a group are sent one after the other to a cluster
// of three, and what Apache Kafka answered stands in testdata/raw.
type rawCase struct {
	name string
	to   int32 // the broker it is sent to, 1 when 0
	req  func(w *rawWorld) kmsg.Request
	// node does something to a broker, in place of a request.
	node func(w *rawWorld)
	// changes says that the cluster is another afterwards: the next case waits
	// until every broker has heard.
	changes bool
	// ordered keeps lists in the order of the answer. Elsewhere Kafka's is that
	// of a hash map, which nobody relies on.
	ordered bool
	// anywhere leaves out on which brokers partitions are: each cluster has
	// dealt them out by chance.
	anywhere bool
	// silent is a request that gets no answer.
	silent bool
}

// rawGroup is what one golden file holds.
type rawGroup struct {
	name  string
	cases func() []rawCase
	live  bool // compared with a running Kafka only: too many to keep
	// static are the properties of a single broker on which the group is played;
	// without them it is played on the cluster of three that groups share.
	static map[string]string
}

// rawCluster is who answers: the lab's brokers or Apache Kafka's.
type rawCluster interface {
	send(to int32, req kmsg.Request, silent bool) (kmsg.Response, error)
	settle()        // until what was changed is known everywhere
	kill(id int32)  // and until the others have heard
	start(id int32) // likewise
}

// rawWorld is a cluster with what has been learned of it so far.
type rawWorld struct {
	rawCluster
	ids       map[string][16]byte // of topics, by name
	clusterID string
}

func newRawWorld(c rawCluster) *rawWorld {
	return &rawWorld{rawCluster: c, ids: map[string][16]byte{}}
}

// play sends the cases of a group and writes down what comes back.
func (w *rawWorld) play(g rawGroup) []string {
	var said []string
	for _, c := range g.cases() {
		if c.node != nil {
			c.node(w)
			continue
		}
		resp, err := w.send(max(c.to, 1), c.req(w), c.silent)
		answer := "no answer"
		switch {
		case err != nil:
			answer = err.Error()
		case resp != nil:
			w.learn(resp)
			answer = w.render(resp, c)
		}
		said = append(said, "== "+c.name+"\n"+answer)
		if c.changes {
			w.settle()
		}
	}
	return said
}

// learn notes topic ids, which no two clusters share.
func (w *rawWorld) learn(resp kmsg.Response) {
	switch resp := resp.(type) {
	case *kmsg.CreateTopicsResponse:
		for _, t := range resp.Topics {
			if t.TopicID != ([16]byte{}) {
				w.ids[t.Topic] = t.TopicID
			}
		}
	case *kmsg.MetadataResponse:
		if resp.ClusterID != nil {
			w.clusterID = *resp.ClusterID
		}
		for _, t := range resp.Topics {
			if t.ErrorCode == 0 && t.Topic != nil && t.TopicID != ([16]byte{}) {
				w.ids[*t.Topic] = t.TopicID
			}
		}
	}
}

// labCluster is a cluster of the lab's in this process.
type labCluster struct{ *probed }

func (c labCluster) send(to int32, req kmsg.Request, silent bool) (kmsg.Response, error) {
	if silent {
		c.probed.send(BrokerName(to), sim.ConnClient, req)
		c.tick(100)
		return nil, nil
	}
	return c.ask(BrokerName(to), req), nil
}

func (c labCluster) settle() { c.tick(1500) }

func (c labCluster) kill(id int32) {
	c.do(Stop{id, StopKill})
	c.tick(20_000)
}

func (c labCluster) start(id int32) {
	c.do(Restart{id})
	c.tick(20_000)
}

// rawStatic are the configs of both clusters: those that Apache Kafka's nodes
// are given in their properties, as far as they change an answer.
func rawStatic() map[string]string {
	return map[string]string{"auto.leader.rebalance.enable": "false", "share.coordinator.state.topic.min.isr": "1"}
}

func newLabCluster(t *testing.T, brokers int, static map[string]string) labCluster {
	o := Defaults()
	o.Brokers, o.Static = brokers, static
	return labCluster{newProbed(t, o)}
}

// worldsOf gives each group the world that it is played in.
func worldsOf(start func(brokers int, static map[string]string) rawCluster) func(rawGroup) *rawWorld {
	var shared *rawWorld
	return func(g rawGroup) *rawWorld {
		if g.static != nil {
			return newRawWorld(start(1, g.static))
		}
		if shared == nil {
			shared = newRawWorld(start(3, rawStatic()))
		}
		return shared
	}
}

func goldenRaw(name string) string { return filepath.Join("testdata", "raw", name+".txt") }

// The lab's brokers answer raw requests as Apache Kafka 4.4.0 does: code,
// message and every field. The golden files are written by
// TestKafkaAnswersRawRequestsAlike from what Kafka answered.
func TestRawRequests(t *testing.T) {
	world := worldsOf(func(brokers int, static map[string]string) rawCluster { return newLabCluster(t, brokers, static) })
	for _, g := range rawGroups {
		if g.live {
			continue
		}
		got := world(g).play(g)
		data, err := os.ReadFile(goldenRaw(g.name))
		if err != nil {
			t.Error(err)
			continue
		}
		compareRaw(t, g.name, got, splitRaw(string(data)))
	}
}

func splitRaw(text string) []string {
	var out []string
	for part := range strings.SplitSeq(text, "\n== ") {
		out = append(out, "== "+strings.TrimPrefix(strings.TrimSuffix(part, "\n"), "== "))
	}
	return out
}

// compareRaw tells of each case in which lines the answers differ.
func compareRaw(t *testing.T, group string, ours, kafka []string) {
	t.Helper()
	if len(ours) != len(kafka) {
		t.Errorf("%s: %d answers, want %d", group, len(ours), len(kafka))
		return
	}
	for i := range ours {
		a, b := strings.Split(ours[i], "\n"), strings.Split(kafka[i], "\n")
		if b = onlyServed(a, b); slices.Equal(a, b) {
			continue
		}
		t.Errorf("%s: %s\n%s", group, b[0], diffLines(a[1:], b[1:]))
	}
}

// onlyServed leaves out of Kafka's list of requests those that are not served
// here: not all are.
func onlyServed(ours, kafka []string) []string {
	key := func(line string) string {
		if words := strings.Fields(line); len(words) > 1 && words[0] == "ApiKeys" {
			return words[1]
		}
		return ""
	}
	return slices.DeleteFunc(kafka, func(line string) bool {
		k := key(line)
		return k != "" && !slices.ContainsFunc(ours, func(l string) bool { return key(l) == k })
	})
}

// diffLines shows what only one side has, ours with + and Kafka's with -.
func diffLines(ours, kafka []string) string {
	count := map[string]int{}
	for _, l := range ours {
		count[l]++
	}
	for _, l := range kafka {
		count[l]--
	}
	var b strings.Builder
	for _, l := range kafka {
		if count[l] < 0 {
			fmt.Fprintf(&b, "  Kafka %s\n", l)
			count[l]++
		}
	}
	for _, l := range ours {
		if count[l] > 0 {
			fmt.Fprintf(&b, "  lab   %s\n", l)
			count[l]--
		}
	}
	if b.Len() == 0 {
		return "  the same lines in another order\n"
	}
	return b.String()
}
