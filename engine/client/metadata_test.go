package client

import (
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/config"
	"kafkalab/engine/kerror"
)

func testMetadata(set map[string]string) *producerMetadata {
	return newMetadata(config.NewClient(config.Producer, set), 2)
}

// answer is metadata of one topic with leaders in epochs, by partition; brokers
// 1 to 3 live.
func answer(topic string, id byte, leaders ...[2]int32) *kmsg.MetadataResponse {
	msg := kmsg.NewPtrMetadataResponse()
	for n := range int32(3) {
		b := kmsg.NewMetadataResponseBroker()
		b.NodeID = 3 - n
		msg.Brokers = append(msg.Brokers, b)
	}
	t := kmsg.NewMetadataResponseTopic()
	t.Topic, t.TopicID = &topic, [16]byte{id}
	for n, l := range leaders {
		p := kmsg.NewMetadataResponseTopicPartition()
		p.Partition, p.Leader, p.LeaderEpoch = int32(n), l[0], l[1]
		if l[0] < 0 {
			p.ErrorCode = int16(kerror.LeaderNotAvailable)
		}
		t.Partitions = append(t.Partitions, p)
	}
	msg.Topics = append(msg.Topics, t)
	return msg
}

func (m *producerMetadata) leaders(t *testing.T, topic string, want ...int32) {
	t.Helper()
	for n, w := range want {
		if got, _, _ := m.leader(partitionKey{topic, int32(n)}); got != w {
			t.Errorf("%s/%d: leader %d, want %d", topic, n, got, w)
		}
	}
}

// A leader of an older epoch is not believed, but of a topic that was made
// again, whose epochs begin anew.
func TestMetadataEpochs(t *testing.T) {
	m := testMetadata(nil)
	m.add("t", 0)
	m.learn(1, metadataRequest{}, answer("t", 1, [2]int32{1, 5}, [2]int32{2, 7}))
	m.leaders(t, "t", 1, 2)
	m.learn(2, metadataRequest{}, answer("t", 1, [2]int32{3, 6}, [2]int32{3, 6}))
	m.leaders(t, "t", 3, 2)
	m.learn(3, metadataRequest{}, answer("t", 1, [2]int32{-1, 7}, [2]int32{3, 8}))
	m.leaders(t, "t", -1, 3)
	if !m.full {
		t.Error("a missing leader is no reason to ask again")
	}
	m.learn(4, metadataRequest{}, answer("t", 2, [2]int32{2, 0}, [2]int32{1, 0}))
	m.leaders(t, "t", 2, 1)
}

// What an answer to a produce says of the leader counts if it is newer, and if
// the broker can be reached (KIP-951).
func TestMetadataMoved(t *testing.T) {
	for _, c := range []struct {
		leader, epoch int32
		endpoints     []int32
		want          int32
	}{{2, 6, nil, 2}, {2, 5, nil, 1}, {2, 4, nil, 1}, {9, 6, nil, 1}, {9, 6, []int32{9}, 9}, {-1, 6, nil, 1}, {2, -1, nil, 1}} {
		m := testMetadata(nil)
		m.add("t", 0)
		m.learn(1, metadataRequest{}, answer("t", 1, [2]int32{1, 5}))
		m.moved(partitionKey{"t", 0}, c.leader, c.epoch, c.endpoints)
		m.leaders(t, "t", c.want)
		m.moved(partitionKey{"t", 1}, 2, 9, nil)
		m.moved(partitionKey{"u", 0}, 2, 9, nil)
	}
}

// When it is asked for: at once for a topic that is new, else after a back-off
// that grows while nothing new is told; and when it is too old.
func TestMetadataDue(t *testing.T) {
	m := testMetadata(map[string]string{"metadata.max.age.ms": "5000"})
	if !m.due(0) {
		t.Error("a new client does not ask")
	}
	m.add("t", 0)
	req, what := m.request()
	if len(req.Topics) != 1 || what.partial || m.due(0) {
		t.Errorf("asked for %v, partial %v, due again %v", req.Topics, what.partial, m.due(0))
	}
	m.learn(10, what, answer("t", 1, [2]int32{1, 0}))
	if m.due(10) || m.dueAt(10) != 5010 {
		t.Errorf("next at %d, want 5010", m.dueAt(10))
	}
	m.full = true
	if m.dueAt(10) != 110 {
		t.Errorf("after a change the next may come at %d, want 110", m.dueAt(10))
	}
	for i, wait := range []int64{100, 200, 400, 800, 1000, 1000} {
		now := int64(200 + i)
		m.learn(now, metadataRequest{}, answer("t", 1, [2]int32{1, 0}))
		m.full = true
		if got := m.dueAt(now) - now; got != wait {
			t.Errorf("after %d answers that told nothing new: %d ms, want %d", i+1, got, wait)
		}
	}
	m.add("u", 300)
	if !m.due(300) {
		t.Error("a new topic waits for the back-off")
	}
	m.full = false
	if req, what = m.request(); len(req.Topics) != 1 || *req.Topics[0].Topic != "u" || !what.partial {
		t.Errorf("a new topic alone is to be asked for, not %v", req.Topics)
	}
	m.failed(300)
	m.failed(300)
	m.failed(300)
	if got := m.dueAt(300) - 300; got != 400 {
		t.Errorf("after three failures: %d ms, want 400", got)
	}
}

// A topic that was not written to for metadata.max.idle.ms is forgotten when
// the metadata is too old; one with an error is not known.
func TestMetadataForgets(t *testing.T) {
	m := testMetadata(map[string]string{"metadata.max.age.ms": "300000", "metadata.max.idle.ms": "300000"})
	m.add("t", 0)
	_, what := m.request()
	m.learn(1, what, answer("t", 1, [2]int32{1, 0}))
	m.add("t", 200_000)
	if !m.retains(499_999) || m.retains(500_000) {
		t.Error("a topic is in use for 300 s after its last record")
	}
	m.forget(300_500)
	if len(m.topics) != 1 {
		t.Error("a topic in use is forgotten")
	}
	_, what = m.request()
	m.learn(300_501, what, answer("t", 1, [2]int32{1, 0}))
	m.forget(600_000)
	if len(m.topics) != 1 {
		t.Error("it is forgotten before its metadata is old")
	}
	m.add("other", 600_501)
	if len(m.topics) != 0 || len(m.use) != 1 {
		t.Errorf("still known: %v", m.topics)
	}
	gone := answer("other", 1)
	gone.Topics[0].ErrorCode = int16(kerror.UnknownTopicOrPartition)
	_, what = m.request()
	m.learn(600_502, what, gone)
	if m.errors["other"] != kerror.UnknownTopicOrPartition || !m.full || len(m.topics) != 0 {
		t.Errorf("an unknown topic: %v, ask again %v", m.errors, m.full)
	}
}
