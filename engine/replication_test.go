package engine

import (
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/client"
	"kafkalab/engine/kerror"
	"kafkalab/engine/sim"
)

func setting(name, value string) client.Setting { return client.Setting{Name: name, Value: value} }

// acks=1 is answered after one trip, acks=all when both followers have asked
// for what comes after the records: two trips more. acks=0 is never answered.
func TestAcks(t *testing.T) {
	c := newProbed(t, Defaults())
	c.create("t", 1, 3)
	c.tick(1000)
	for _, want := range []struct {
		acks    int16
		latency int64
	}{{1, 2}, {-1, 4}} {
		if p := c.produce("t", 1, want.acks); p.LatencyMs != want.latency {
			t.Errorf("acks=%d took %d ms, want %d", want.acks, p.LatencyMs, want.latency)
		}
	}
	if p := c.produce("t", 1, 0); p.Parts[0].Base != -1 || p.Err != nil {
		t.Errorf("acks=0 yields %+v: nothing is known of it", p)
	}
	c.tick(100)
	if v, _ := c.PartitionView("t", 0); v.LEO != 3 || v.HW != 3 {
		t.Errorf("LEO %d, HW %d, want 3 and 3: acks changes the answer, not the log", v.LEO, v.HW)
	}
	resp := c.ask("broker-1", c.produceRequest("t", 2, batch(1))).(*kmsg.ProduceResponse)
	if p := resp.Topics[0].Partitions[0]; p.ErrorCode != int16(kerror.InvalidRequiredAcks) || p.BaseOffset != -1 || p.LogStartOffset != -1 {
		t.Errorf("acks=2 answers %+v", p)
	}
}

// The follower's high watermark is one round late: on an idle partition it
// moves when the parked fetch comes back, after replica.fetch.wait.max.ms.
func TestFollowersHearLate(t *testing.T) {
	c := newProbed(t, Defaults())
	c.create("t", 1, 3)
	c.produce("t", 3, -1)
	v, _ := c.PartitionView("t", 0)
	for _, r := range v.Logs[1:] {
		if v.HW != 3 || r.HW != 0 || r.LEO != 3 {
			t.Errorf("right after the answer: leader HW %d, broker-%d HW %d LEO %d, want 3, 0, 3", v.HW, r.Broker, r.HW, r.LEO)
		}
	}
	heard := func() bool { v, _ := c.PartitionView("t", 0); return v.Logs[1].HW == 3 && v.Logs[2].HW == 3 }
	start := c.Now()
	c.pump(heard, c.Now()+600)
	if took := c.Now() - start; !heard() || took < 400 || took > 502 {
		t.Errorf("the followers heard after %d ms, want a little less than 500", took)
	}
}

// The leader's high watermark is the smallest log end of the ISR as of the
// followers' last fetches, and consumers read below it only.
func TestHighWatermarkFollowsTheISR(t *testing.T) {
	c := newProbed(t, Defaults())
	c.create("t", 1, 3)
	c.produce("t", 5, -1)
	c.tick(600)
	c.send("broker-1", sim.ConnClient, c.produceRequest("t", 1, batch(2)))
	c.pump(func() bool { v, _ := c.PartitionView("t", 0); return v.LEO == 7 }, forever)
	if v, _ := c.PartitionView("t", 0); v.HW != 5 {
		t.Fatalf("HW %d right after the append, want 5: nobody else has it yet", v.HW)
	}
	c.pump(func() bool { v, _ := c.PartitionView("t", 0); return v.Logs[1].LEO == 7 && v.Logs[2].LEO == 7 }, forever)
	if v, _ := c.PartitionView("t", 0); v.HW != 5 {
		t.Errorf("HW %d when all have it, want 5: the leader does not know before they fetch again", v.HW)
	}
	c.pump(func() bool { v, _ := c.PartitionView("t", 0); return v.HW == 7 }, c.Now()+2)
	if v, _ := c.PartitionView("t", 0); v.HW != 7 {
		t.Errorf("HW %d after their next fetches, want 7", v.HW)
	}
}

func TestNotEnoughReplicas(t *testing.T) {
	c := newProbed(t, Defaults())
	c.create("t", 1, 2, setting("min.insync.replicas", "3"))
	if p := c.produce("t", 1, -1); p.Err != nil {
		t.Errorf("min ISR above the replication factor asks for all replicas only: %v", p.Err)
	}
	v, _ := c.PartitionView("t", 0)
	if v.LEO != 1 {
		t.Errorf("LEO %d, want 1", v.LEO)
	}
}

// A fetch at each place of a log, as Kafka 4.4.0 answered it.
func TestFetchAnswers(t *testing.T) {
	c := newProbed(t, Defaults())
	c.create("t", 1, 3)
	c.produce("t", 6, -1)
	c.tick(1000)
	for _, want := range []struct {
		offset int64
		code   kerror.Code
		bytes  bool
		ms     int64
	}{
		{0, kerror.None, true, 2},
		{5, kerror.None, true, 2},
		{6, kerror.None, false, 302},
		{7, kerror.OffsetOutOfRange, false, 2},
		{-1, kerror.OffsetOutOfRange, false, 2},
	} {
		p, took := c.fetchOne("broker-1", c.fetchRequest("t", want.offset))
		if kerror.Code(p.ErrorCode) != want.code || (len(p.RecordBatches) > 0) != want.bytes || took != want.ms {
			t.Errorf("offset %d: %s, %d B after %d ms; want %s, data %v after %d ms", want.offset, kerror.Code(p.ErrorCode), len(p.RecordBatches), took, want.code, want.bytes, want.ms)
		}
		if want.code != kerror.None && (p.HighWatermark != -1 || p.LogStartOffset != -1) {
			t.Errorf("offset %d: HW %d, start %d, want -1 and -1", want.offset, p.HighWatermark, p.LogStartOffset)
		}
	}
}

func TestFetchEpochs(t *testing.T) {
	c := newProbed(t, Defaults())
	c.create("t", 1, 3)
	c.produce("t", 6, -1)
	c.tick(1000)
	ask := func(to sim.NodeID, edit func(*kmsg.FetchRequest, *kmsg.FetchRequestTopicPartition)) kmsg.FetchResponseTopicPartition {
		req := c.fetchRequest("t", 6)
		edit(req, &req.Topics[0].Partitions[0])
		p, _ := c.fetchOne(to, req)
		return p
	}
	if p := ask("broker-1", func(_ *kmsg.FetchRequest, p *kmsg.FetchRequestTopicPartition) { p.CurrentLeaderEpoch = 5 }); p.ErrorCode != int16(kerror.UnknownLeaderEpoch) {
		t.Errorf("a leader epoch ahead of the leader's: %s", kerror.Code(p.ErrorCode))
	}
	if p := ask("broker-1", func(_ *kmsg.FetchRequest, p *kmsg.FetchRequestTopicPartition) { p.LastFetchedEpoch = 1 }); p.ErrorCode != int16(kerror.OffsetOutOfRange) {
		t.Errorf("an unknown last fetched epoch: %s", kerror.Code(p.ErrorCode))
	}
	p := ask("broker-1", func(_ *kmsg.FetchRequest, p *kmsg.FetchRequestTopicPartition) {
		p.FetchOffset, p.LastFetchedEpoch = 7, 0
	})
	if p.ErrorCode != 0 || p.DivergingEpoch.Epoch != 0 || p.DivergingEpoch.EndOffset != 6 || len(p.RecordBatches) != 0 {
		t.Errorf("offset 7 in epoch 0: %+v, want diverging 0/6 without records", p)
	}
	if p := ask("broker-1", func(r *kmsg.FetchRequest, p *kmsg.FetchRequestTopicPartition) {
		r.ReplicaState.ID, p.CurrentLeaderEpoch = 9, 0
	}); p.ErrorCode != int16(kerror.UnknownLeaderEpoch) {
		t.Errorf("a replica id that is no replica: %s", kerror.Code(p.ErrorCode))
	}
	if p := ask("broker-2", func(r *kmsg.FetchRequest, _ *kmsg.FetchRequestTopicPartition) { r.ReplicaState.ID = 3 }); p.ErrorCode != int16(kerror.NotLeaderOrFollower) || p.CurrentLeader.LeaderID != 1 {
		t.Errorf("a follower asked by a follower: %s, leader %d", kerror.Code(p.ErrorCode), p.CurrentLeader.LeaderID)
	}
	if p, _ := c.fetchOne("broker-2", c.fetchRequest("t", 2)); p.ErrorCode != 0 || len(p.RecordBatches) == 0 {
		t.Errorf("a follower asked by a consumer: %s, %d B; it answers from its own log", kerror.Code(p.ErrorCode), len(p.RecordBatches))
	}
}

// While a request of a connection waits, the next is not looked at; on another
// connection it is.
func TestChannelsAreMuted(t *testing.T) {
	c := newProbed(t, Defaults())
	c.create("t", 1, 1)
	versions := func() kmsg.Request { r := kmsg.NewPtrApiVersionsRequest(); r.Version = 4; return r }
	c.send("broker-1", sim.ConnClient, c.fetchRequest("t", 0), versions())
	c.send("broker-1", sim.ConnPoll, versions())
	start := c.Now()
	c.pump(func() bool { return len(c.p.answers) == 3 }, forever)
	var got []int64
	for _, at := range c.p.at {
		got = append(got, at-start)
	}
	if len(got) != 3 || got[0] != 2 || got[1] != 302 || got[2] != 302 {
		t.Errorf("answers after %v ms, want the other connection's after 2, then the fetch after 302 and only then what came behind it", got)
	}
}

func TestApiVersionsAreServed(t *testing.T) {
	c := newProbed(t, Defaults())
	req := kmsg.NewPtrApiVersionsRequest()
	req.Version, req.ClientSoftwareName, req.ClientSoftwareVersion = 4, "lab", "1"
	resp := c.ask("broker-1", req).(*kmsg.ApiVersionsResponse)
	if len(resp.ApiKeys) < 10 {
		t.Errorf("%d requests are listed", len(resp.ApiKeys))
	}
	for _, k := range resp.ApiKeys {
		if r := kmsg.RequestForKey(k.ApiKey); r == nil || k.MinVersion > k.MaxVersion || k.MaxVersion > r.MaxVersion() {
			t.Errorf("key %d, versions %d to %d: not known here", k.ApiKey, k.MinVersion, k.MaxVersion)
		}
	}
}

// A broker asks for its next block of producer ids before it has used up the
// one it has: only the very first producer has to come again.
func TestProducerIDsAreFetchedAhead(t *testing.T) {
	c := newProbed(t, Defaults())
	seen, refused := map[int64]bool{}, 0
	for range 2500 {
		req := kmsg.NewPtrInitProducerIDRequest()
		req.Version, req.ProducerID, req.ProducerEpoch = 4, -1, -1
		resp := c.ask("broker-1", req).(*kmsg.InitProducerIDResponse)
		if resp.ErrorCode != 0 {
			refused++
			continue
		}
		if seen[resp.ProducerID] {
			t.Fatalf("id %d is given twice", resp.ProducerID)
		}
		seen[resp.ProducerID] = true
	}
	if refused != 1 || len(seen) != 2499 {
		t.Errorf("%d refusals, %d ids, want 1 and 2499", refused, len(seen))
	}
}

func TestUnknownTopic(t *testing.T) {
	c := newProbed(t, Defaults())
	if p := c.produce("nosuch", 1, -1); p.Err == nil || p.Err.Code != kerror.UnknownTopicOrPartition {
		t.Errorf("a produce to a topic that is not there: %v", p.Err)
	}
	if c.controller.Image().Topic("nosuch") != nil {
		t.Error("asking for a topic has created it")
	}
	c.create("t", 1, 1)
	req := c.produceRequest("t", 1, batch(1))
	req.Topics[0].TopicID = [16]byte{9}
	resp := c.ask("broker-1", req).(*kmsg.ProduceResponse)
	if code := resp.Topics[0].Partitions[0].ErrorCode; code != int16(kerror.UnknownTopicId) {
		t.Errorf("an id that nobody knows: %s", kerror.Code(code))
	}
	req = c.produceRequest("t", 1, batch(1))
	resp = c.ask("broker-2", req).(*kmsg.ProduceResponse)
	if code := resp.Topics[0].Partitions[0].ErrorCode; code != int16(kerror.NotLeaderOrFollower) {
		t.Errorf("a broker without the replica: %s", kerror.Code(code))
	}
}

// What a produce may carry for a partition, as Kafka 4.4.0 answered it.
func TestProduceCarriesOneBatch(t *testing.T) {
	c := newProbed(t, Defaults())
	c.create("t", 1, 1)
	one := batch(2)
	magic := func(m byte) []byte { b := batch(1); b[16] = m; return b }
	flipped := batch(1)
	flipped[len(flipped)-1] ^= 1
	for name, want := range map[string]struct {
		records []byte
		code    kerror.Code
	}{
		"one batch":     {one, kerror.None},
		"two batches":   {append(batch(1), batch(1)...), kerror.InvalidRecord},
		"none":          {nil, kerror.InvalidRecord},
		"cut":           {one[:40], kerror.InvalidRecord},
		"magic 1":       {magic(1), kerror.InvalidRecord},
		"magic 3":       {magic(3), kerror.CorruptMessage},
		"5 stray bytes": {append(batch(1), 1, 2, 3, 4, 5), kerror.None},
		"16 zero bytes": {append(batch(1), make([]byte, 16)...), kerror.CorruptMessage},
		"a flipped bit": {flipped, kerror.CorruptMessage},
	} {
		before, _ := c.PartitionView("t", 0)
		resp := c.ask("broker-1", c.produceRequest("t", -1, want.records)).(*kmsg.ProduceResponse)
		p := resp.Topics[0].Partitions[0]
		if kerror.Code(p.ErrorCode) != want.code {
			t.Errorf("%s: %s, want %s", name, kerror.Code(p.ErrorCode), want.code)
		}
		if after, _ := c.PartitionView("t", 0); want.code != kerror.None && (after.LEO != before.LEO || p.BaseOffset != -1) {
			t.Errorf("%s: refused, yet LEO %d to %d, base offset %d", name, before.LEO, after.LEO, p.BaseOffset)
		}
	}
}
