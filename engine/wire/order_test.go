package wire

import (
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/sim"
)

// Requests that a client sends ahead are answered in order, each when the one
// before it has been, even if that one waits.
func TestAnswersInOrder(t *testing.T) {
	s := serveOn(t, "topic create t replicas=3", nil)
	c := s.dial(1)
	wait := fetchRequest(t, s, 200)
	var all []byte
	for i := range int32(50) {
		all = append(all, framed(sim.EncodeRequest(versionsRequest(3), 2*i, "test"))...)
		if i == 20 {
			all = append(all, framed(sim.EncodeRequest(wait, 2*i+1, "test"))...)
		}
	}
	c.send(all)
	for i := range int32(50) {
		response[*kmsg.ApiVersionsResponse](c, versionsRequest(3), 2*i)
		if i == 20 {
			response[*kmsg.FetchResponse](c, wait, 2*i+1)
		}
	}
}

// fetchRequest asks for what is not there yet in t/0, and waits for it.
func fetchRequest(t *testing.T, s *served, waitMs int32) *kmsg.FetchRequest {
	t.Helper()
	meta := kmsg.NewPtrMetadataRequest()
	meta.Version = 12
	topic := kmsg.NewMetadataRequestTopic()
	topic.Topic = kmsg.StringPtr("t")
	meta.Topics = append(meta.Topics, topic)
	c := s.dial(1)
	defer c.Close()
	c.ask(meta, 1)
	known := response[*kmsg.MetadataResponse](c, meta, 1)
	req := kmsg.NewPtrFetchRequest()
	req.Version, req.MaxWaitMillis, req.MinBytes, req.MaxBytes, req.SessionEpoch = 13, waitMs, 1, 1<<20, -1
	ft := kmsg.NewFetchRequestTopic()
	ft.TopicID = known.Topics[0].TopicID
	p := kmsg.NewFetchRequestTopicPartition()
	p.PartitionMaxBytes, p.CurrentLeaderEpoch = 1<<20, -1
	ft.Partitions = append(ft.Partitions, p)
	req.Topics = append(req.Topics, ft)
	return req
}

// A fetch that waits is answered as soon as there is something.
func TestFetchWaitsForData(t *testing.T) {
	s := serveOn(t, "topic create t replicas=3", nil)
	wait := fetchRequest(t, s, 60_000)
	c := s.dial(1)
	c.ask(wait, 1)
	cl := s.client()
	r := written("t", 0)
	if err := cl.ProduceSync(t.Context(), r).FirstErr(); err != nil {
		t.Fatal(err)
	}
	resp := response[*kmsg.FetchResponse](c, wait, 1)
	if p := resp.Topics[0].Partitions[0]; p.ErrorCode != 0 || len(p.RecordBatches) == 0 || p.HighWatermark != 1 {
		t.Errorf("error %d, %d bytes, high watermark %d", p.ErrorCode, len(p.RecordBatches), p.HighWatermark)
	}
}
