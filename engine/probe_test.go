package engine

import (
	"math"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/client"
	"kafkalab/engine/record"
	"kafkalab/engine/sim"
)

// probe is a node that sends raw requests and keeps the answers.
type probe struct {
	answers []kmsg.Response
	at      []int64
}

type sending struct {
	to   sim.NodeID
	conn sim.Conn
	reqs []kmsg.Request
}

func (p *probe) Handle(ctx *sim.Ctx, ev sim.Event) {
	switch ev := ev.(type) {
	case sim.Call:
		s := ev.Body.(sending)
		for _, req := range s.reqs {
			ctx.Send(s.to, s.conn, req)
		}
	case sim.Response:
		p.answers = append(p.answers, ev.Msg)
		p.at = append(p.at, ctx.Now())
	}
}

// probed is a cluster with a probe in it.
type probed struct {
	*Cluster
	t *testing.T
	p *probe
}

func newProbed(t *testing.T, o Options) *probed {
	t.Helper()
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	p := &probe{}
	c.loop.Add("probe", p)
	return &probed{c, t, p}
}

// do runs a command and fails on misuse.
func (c *probed) do(cmd Command) Result {
	c.t.Helper()
	res, err := c.Do(cmd, "test")
	if err != nil {
		c.t.Fatal(err)
	}
	return res
}

// send puts requests on one connection and leaves them there.
func (c *probed) send(to sim.NodeID, conn sim.Conn, reqs ...kmsg.Request) {
	c.t.Helper()
	if err := c.loop.Call("probe", 0, sending{to, conn, reqs}, 0); err != nil {
		c.t.Fatal(err)
	}
}

// ask sends one request and waits for its answer.
func (c *probed) ask(to sim.NodeID, req kmsg.Request) kmsg.Response {
	c.t.Helper()
	before := len(c.p.answers)
	c.send(to, sim.ConnClient, req)
	if !c.pump(func() bool { return len(c.p.answers) > before }, c.Now()+60_000) {
		c.t.Fatalf("%T is not answered in a minute", req)
	}
	return c.p.answers[before]
}

func (c *probed) create(topic string, partitions int32, replicas int16, configs ...client.Setting) {
	c.t.Helper()
	res := c.do(CreateTopic{client.CreateTopic{Topic: topic, Partitions: partitions, Replicas: replicas, Configs: configs}})
	if kerr := ErrorOf(res); kerr != nil {
		c.t.Fatal(kerr)
	}
}

func (c *probed) produce(topic string, count int, acks int16) Produced {
	c.t.Helper()
	res, _ := c.do(Produce{client.Produce{Topic: topic, Partition: 0, Count: count, Size: -1, Acks: acks, TimeoutMs: 30000}}).(Produced)
	return res
}

func (c *probed) topicID(topic string) [16]byte { return c.controller.Image().Topic(topic).ID }

// batch is a plain batch of n records.
func batch(n int) []byte {
	b := record.NewBuilder(record.Defaults())
	for range n {
		if _, err := b.Append(Epoch, nil, []byte("v")); err != nil {
			panic(err)
		}
	}
	return b.Build()
}

func (c *probed) produceRequest(topic string, acks int16, records []byte) *kmsg.ProduceRequest {
	req := kmsg.NewPtrProduceRequest()
	req.Version, req.Acks, req.TimeoutMillis = 13, acks, 1000
	t := kmsg.NewProduceRequestTopic()
	t.TopicID = c.topicID(topic)
	p := kmsg.NewProduceRequestTopicPartition()
	p.Records = records
	t.Partitions = append(t.Partitions, p)
	req.Topics = append(req.Topics, t)
	return req
}

func (c *probed) fetchRequest(topic string, offset int64) *kmsg.FetchRequest {
	req := kmsg.NewPtrFetchRequest()
	req.Version, req.MaxWaitMillis, req.MinBytes, req.MaxBytes = 17, 300, 1, 1<<20
	req.ReplicaState.ID, req.ReplicaState.Epoch, req.SessionEpoch = -1, -1, -1
	t := kmsg.NewFetchRequestTopic()
	t.TopicID = c.topicID(topic)
	p := kmsg.NewFetchRequestTopicPartition()
	p.CurrentLeaderEpoch, p.LastFetchedEpoch, p.FetchOffset, p.PartitionMaxBytes = -1, -1, offset, 1<<20
	t.Partitions = append(t.Partitions, p)
	req.Topics = append(req.Topics, t)
	return req
}

// fetchOne asks and gives the one partition of the answer, with how long it
// took.
func (c *probed) fetchOne(to sim.NodeID, req *kmsg.FetchRequest) (kmsg.FetchResponseTopicPartition, int64) {
	c.t.Helper()
	start := c.Now()
	resp := c.ask(to, req).(*kmsg.FetchResponse)
	return resp.Topics[0].Partitions[0], c.Now() - start
}

func (c *probed) tick(ms int64) { c.do(Tick{ms}) }

// forever is a deadline that no test reaches.
const forever = math.MaxInt64
