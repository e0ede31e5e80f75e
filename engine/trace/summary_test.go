package trace_test

import (
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/record"
	"kafkalab/engine/sim"
	"kafkalab/engine/trace"
)

// names knows the topic whose id ends in 9.
func names(id string) string {
	if id == "AAAAAAAAAAAAAAAAAAAACQ" {
		return "orders"
	}
	return ""
}

func batch(t *testing.T, base int64, n int) []byte {
	t.Helper()
	o := record.Defaults()
	o.BaseOffset = base
	b := record.NewBuilder(o)
	for i := range n {
		if err := b.AppendAt(base+int64(i), 0, nil, []byte("v"), nil); err != nil {
			t.Fatal(err)
		}
	}
	return b.Build()
}

func TestSummaries(t *testing.T) {
	id := [16]byte{15: 9}
	fetch := func(version int16, partitions ...kmsg.FetchRequestTopicPartition) trace.Message {
		req := kmsg.NewPtrFetchRequest()
		req.SetVersion(version)
		req.SessionID, req.SessionEpoch = 5, 7
		if len(partitions) > 0 {
			req.Topics = []kmsg.FetchRequestTopic{{Topic: "orders", TopicID: id, Partitions: partitions}}
		}
		return request(req)
	}
	fetched := func(part kmsg.FetchResponseTopicPartition) trace.Message {
		resp := kmsg.NewPtrFetchResponse()
		resp.SetVersion(17)
		resp.Topics = []kmsg.FetchResponseTopic{{TopicID: id, Partitions: []kmsg.FetchResponseTopicPartition{part}}}
		return response(resp)
	}
	at := func(number int32, offset int64, epoch int32) kmsg.FetchRequestTopicPartition {
		p := kmsg.NewFetchRequestTopicPartition()
		p.Partition, p.FetchOffset, p.CurrentLeaderEpoch = number, offset, epoch
		return p
	}
	answer := func(set func(p *kmsg.FetchResponseTopicPartition)) trace.Message {
		p := kmsg.NewFetchResponseTopicPartition()
		p.HighWatermark = 12
		set(&p)
		return fetched(p)
	}
	produce := kmsg.NewPtrProduceRequest()
	produce.SetVersion(13)
	produce.Acks = -1
	produce.Topics = []kmsg.ProduceRequestTopic{{TopicID: id, Partitions: []kmsg.ProduceRequestTopicPartition{{Records: batch(t, 0, 3)}}}}
	metadata := kmsg.NewPtrFetchRequest()
	metadata.SetVersion(17)
	metadata.Topics = []kmsg.FetchRequestTopic{{TopicID: [16]byte{15: 1}, Partitions: []kmsg.FetchRequestTopicPartition{at(0, 40, 2)}}}
	deleted := kmsg.NewPtrDeleteTopicsResponse()
	deleted.SetVersion(6)
	deleted.Topics = []kmsg.DeleteTopicsResponseTopic{{ErrorCode: 3}}

	create := kmsg.NewPtrCreateTopicsRequest()
	create.SetVersion(7)
	create.Topics = []kmsg.CreateTopicsRequestTopic{{Topic: "orders"}}
	envelope := kmsg.NewPtrEnvelopeRequest()
	envelope.RequestData = sim.EncodeRequest(create, 4, "admin")

	for name, c := range map[string]struct {
		m    trace.Message
		want string
	}{
		"fetch":           {fetch(17, at(0, 1085, 3)), "epoch 3 orders-0@1085"},
		"by name":         {fetch(12, at(0, 1085, 3)), "epoch 3 orders-0@1085"},
		"two epochs":      {fetch(17, at(0, 1, 3), at(1, 2, 4)), "orders-0@1 epoch 3, orders-1@2 epoch 4"},
		"three":           {fetch(17, at(0, 1, 3), at(1, 2, 3), at(2, 0, 3)), "epoch 3 orders-0@1, orders-1@2, and 1 more"},
		"session":         {fetch(17), "session 5 epoch 7"},
		"metadata":        {request(metadata), "epoch 2 __cluster_metadata-0@40"},
		"empty answer":    {answer(func(*kmsg.FetchResponseTopicPartition) {}), "orders-0 hw 12, 0 B"},
		"records":         {answer(func(p *kmsg.FetchResponseTopicPartition) { p.RecordBatches = batch(t, 9, 1) }), "orders-0 hw 12, 69 B from 9"},
		"error":           {answer(func(p *kmsg.FetchResponseTopicPartition) { p.ErrorCode = 1 }), "orders-0 OFFSET_OUT_OF_RANGE"},
		"diverging":       {answer(func(p *kmsg.FetchResponseTopicPartition) { p.DivergingEpoch.Epoch, p.DivergingEpoch.EndOffset = 2, 7 }), "orders-0 diverging: epoch 2 ends at 7"},
		"produce":         {request(produce), "acks=-1 orders-0 3 records"},
		"forwarded":       {request(envelope), "of CreateTopics v7 orders"},
		"any error":       {response(deleted), "UNKNOWN_TOPIC_OR_PARTITION"},
		"without bytes":   {trace.Message{API: "Fetch", Key: 1, Version: 17}, ""},
		"nothing to tell": {request(kmsg.NewPtrListGroupsRequest()), ""},
	} {
		if got := c.m.Summary(names); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestBatchesAreCutWithoutHarm(t *testing.T) {
	two := append(batch(t, 4, 2), batch(t, 6, 3)...)
	list := trace.Batches(two)
	if len(list) != 2 || list[0].Base != 4 || list[0].Count != 2 || list[1].At != list[0].Size || list[1].Base != 6 || list[1].Count != 3 {
		t.Errorf("%+v", list)
	}
	for n := range two {
		if got := trace.Batches(two[:n]); len(got) > 1 {
			t.Errorf("%d bytes hold %+v", n, got)
		}
	}
}
