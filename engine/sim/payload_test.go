package sim

import (
	"bytes"
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
	"pgregory.net/rapid"
)

// drawFetchResponse draws an answer with all that may stand before, between and
// behind the records.
func drawFetchResponse(t *rapid.T) *kmsg.FetchResponse {
	resp := kmsg.NewPtrFetchResponse()
	resp.Version = int16(rapid.IntRange(0, int(resp.MaxVersion())).Draw(t, "version"))
	resp.SessionID = 77
	for range rapid.IntRange(0, 3).Draw(t, "topics") {
		topic := kmsg.NewFetchResponseTopic()
		topic.Topic = rapid.StringN(0, 200, 249).Draw(t, "topic")
		topic.TopicID[3] = 9
		for range rapid.IntRange(0, 4).Draw(t, "partitions") {
			topic.Partitions = append(topic.Partitions, drawFetchedPartition(t))
		}
		resp.Topics = append(resp.Topics, topic)
	}
	if rapid.Bool().Draw(t, "endpoints") {
		broker := kmsg.NewFetchResponseBroker()
		broker.NodeID, broker.Host, broker.Port = 2, "localhost", 9092
		resp.Brokers = append(resp.Brokers, broker)
	}
	return resp
}

func drawFetchedPartition(t *rapid.T) kmsg.FetchResponseTopicPartition {
	p := kmsg.NewFetchResponseTopicPartition()
	p.HighWatermark = 5
	switch size := rapid.SampledFrom([]int{-1, 0, 1, 126, 127, 128, leastLent - 1, leastLent, 16382, 16383, 16384, 100_000}).Draw(t, "records"); {
	case size == 0:
		p.RecordBatches = []byte{}
	case size > 0:
		p.RecordBatches = bytes.Repeat([]byte{byte(size), 1, 0}, size)[:size]
	}
	if rapid.Bool().Draw(t, "aborts") {
		p.AbortedTransactions = []kmsg.FetchResponseTopicPartitionAbortedTransaction{}
		for range rapid.IntRange(0, 200).Draw(t, "aborted") {
			p.AbortedTransactions = append(p.AbortedTransactions, kmsg.NewFetchResponseTopicPartitionAbortedTransaction())
		}
	}
	if rapid.Bool().Draw(t, "diverging") {
		p.DivergingEpoch.Epoch, p.DivergingEpoch.EndOffset = 3, 1
	}
	if rapid.Bool().Draw(t, "leader") {
		p.CurrentLeader.LeaderID, p.CurrentLeader.LeaderEpoch = 2, 8
	}
	if rapid.Bool().Draw(t, "unknown tag") {
		p.UnknownTags.Set(40, []byte("later"))
	}
	return p
}

// A message whose records travel beside it has the bytes that kmsg gives it,
// and says the same to its receiver.
func TestLentRecordsChangeNoByte(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		resp := drawFetchResponse(t)
		want := EncodeResponse(resp, 1234)
		p := answer(resp, 1234)
		if got := p.Bytes(); !bytes.Equal(got, want) || p.Len() != len(want) {
			t.Fatalf("version %d: %d bytes (Len says %d), want the %d of kmsg", resp.Version, len(got), p.Len(), len(want))
		}
		if got := slices.Concat(p.Parts()...); !bytes.Equal(got, want) {
			t.Fatalf("version %d: the parts are other bytes than the whole", resp.Version)
		}
		if !bytes.Equal(EncodeResponse(resp, 1234), want) {
			t.Fatal("the response was changed")
		}
		direct, corr, err := p.response(1, resp.Version)
		if err != nil || corr != 1234 {
			t.Fatalf("version %d: correlation %d, %v", resp.Version, corr, err)
		}
		if !bytes.Equal(EncodeResponse(direct, 1234), want) {
			t.Fatalf("version %d: the receiver reads something else", resp.Version)
		}
	})
}

func TestLargeRecordsAreNotCopied(t *testing.T) {
	records := make([]byte, leastLent)
	resp := kmsg.NewPtrFetchResponse()
	resp.Version = 17
	resp.Topics = []kmsg.FetchResponseTopic{{Partitions: []kmsg.FetchResponseTopicPartition{{RecordBatches: records}}}}
	p := answer(resp, 1)
	got, _, err := p.response(1, 17)
	if err != nil {
		t.Fatal(err)
	}
	if b := got.(*kmsg.FetchResponse).Topics[0].Partitions[0].RecordBatches; &b[0] != &records[0] {
		t.Error("the receiver got a copy")
	}
	if !slices.ContainsFunc(p.Parts(), func(b []byte) bool { return len(b) > 0 && &b[0] == &records[0] }) {
		t.Error("the socket gets a copy")
	}
}
