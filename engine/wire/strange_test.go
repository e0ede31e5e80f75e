package wire

import (
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
	"pgregory.net/rapid"

	"kafkalab/engine"
	"kafkalab/engine/check"
	"kafkalab/engine/sim"
)

// Requests that can be read but make no sense are answered or end their
// connection; the cluster keeps its invariants, and others are served.
func TestStrangeRequests(t *testing.T) {
	keys := servedRanges(t, small(t, 1))
	topic, batch := topicAndBatch(t)
	rapid.Check(t, func(rt *rapid.T) {
		c := small(t, rapid.SampledFrom([]int{1, 1, 3}).Draw(rt, "brokers"))
		var state check.State
		for i := range rapid.IntRange(1, 6).Draw(rt, "requests") {
			k := rapid.SampledFrom(keys).Draw(rt, "api")
			req := kmsg.RequestForKey(k.ApiKey)
			req.SetVersion(rapid.Int16Range(k.MinVersion, k.MaxVersion).Draw(rt, "version"))
			fillValue(reflectOf(req), "", drawn{rt, topic, batch})
			if !c.Connected("conn-1") {
				do(t, c, engine.Connect{Conn: "conn-1", Broker: 1})
			}
			do(t, c, engine.Arrive{Conn: "conn-1", Frame: sim.EncodeRequest(req, int32(i), "strange")})
			do(t, c, engine.Tick{Ms: 1000})
			if err := state.Look(c); err != nil {
				rt.Fatalf("%s v%d: %v", sim.APIName(k.ApiKey), req.GetVersion(), err)
			}
		}
		_ = c.Departures()
		do(t, c, engine.Connect{Conn: "conn-2", Broker: 1})
		do(t, c, engine.Arrive{Conn: "conn-2", Frame: sim.EncodeRequest(versionsRequest(3), 1, "test")})
		if left := c.Departures(); len(left) != 1 {
			rt.Fatalf("another connection gets %d answers", len(left))
		}
	})
}

// topicAndBatch gives the id of small's topic, which its seed decides, and a
// batch of its log.
func topicAndBatch(t *testing.T) ([16]byte, []byte) {
	t.Helper()
	c := small(t, 1)
	meta := kmsg.NewPtrMetadataRequest()
	meta.Version = 12
	mt := kmsg.NewMetadataRequestTopic()
	mt.Topic = kmsg.StringPtr("t")
	meta.Topics = append(meta.Topics, mt)
	known := askAt(t, c, meta).(*kmsg.MetadataResponse)
	req := kmsg.NewPtrFetchRequest()
	req.Version, req.MaxBytes, req.SessionEpoch = 12, 1<<20, -1
	ft := kmsg.NewFetchRequestTopic()
	ft.Topic = "t"
	p := kmsg.NewFetchRequestTopicPartition()
	p.PartitionMaxBytes, p.CurrentLeaderEpoch = 1, -1
	ft.Partitions = append(ft.Partitions, p)
	req.Topics = append(req.Topics, ft)
	got := askAt(t, c, req).(*kmsg.FetchResponse).Topics[0].Partitions[0]
	if len(got.RecordBatches) == 0 {
		t.Fatalf("error %d, no batch", got.ErrorCode)
	}
	return known.Topics[0].TopicID, got.RecordBatches
}

func askAt(t *testing.T, c *engine.Cluster, req kmsg.Request) kmsg.Response {
	t.Helper()
	do(t, c, engine.Arrive{Conn: "conn-1", Frame: sim.EncodeRequest(req, 1, "test")})
	left := c.Departures()
	if len(left) != 1 {
		t.Fatalf("%d answers", len(left))
	}
	resp, _, err := sim.DecodeResponse(left[0].Payload.Bytes(), req.Key(), req.GetVersion())
	if err != nil {
		t.Fatal(err)
	}
	return resp
}
