package engine

import (
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/client"
	"kafkalab/engine/kerror"
	"kafkalab/engine/record"
	"kafkalab/engine/sim"
)

// sized produces records of 500 B, each a batch of its own.
func (c *probed) sized(topic string, partition int32, count int) {
	c.do(Produce{client.Produce{Topic: topic, Partition: partition, Count: count, Size: 500, Acks: -1, Batch: 1, TimeoutMs: 30000}})
}

// A batch that does not fit into what a partition may give is left out whole;
// the first of an answer is given whatever its size
// (ReplicaManager#readFromLog, firstEntryIncomplete).
func TestNoPartOfABatchLeadsAnAnswer(t *testing.T) {
	c := newProbed(t, Defaults())
	c.do(CreateTopic{client.CreateTopic{Topic: "t", Assignment: [][]int32{{1}, {1}, {1}}}})
	for n := range int32(3) {
		c.sized("t", n, 4)
	}
	req := c.fetchRequest("t", 0)
	one := req.Topics[0].Partitions[0]
	req.MinBytes, req.Topics[0].Partitions = 1, nil
	for n := range int32(3) {
		one.Partition, one.PartitionMaxBytes = n, 100
		req.Topics[0].Partitions = append(req.Topics[0].Partitions, one)
	}
	for i, p := range c.ask("broker-1", req).(*kmsg.FetchResponse).Topics[0].Partitions {
		batch, err := record.Next(p.RecordBatches)
		if i == 0 && (err != nil || len(p.RecordBatches) != batch.Size()) {
			t.Errorf("the first partition gives %d B, %v; want one whole batch", len(p.RecordBatches), err)
		}
		if i > 0 && len(p.RecordBatches) != 0 {
			t.Errorf("partition %d gives %d B of a batch that does not fit", i, len(p.RecordBatches))
		}
	}
	// A batch that is cut behind a whole one is given as it is.
	req.Topics[0].Partitions = req.Topics[0].Partitions[:1]
	req.Topics[0].Partitions[0].PartitionMaxBytes = 700
	if p := c.ask("broker-1", req).(*kmsg.FetchResponse).Topics[0].Partitions[0]; len(p.RecordBatches) != 700 {
		t.Errorf("%d B of 700 that may be given", len(p.RecordBatches))
	}
}

// A read never crosses a segment: a fetch that begins in an older one does not
// wait for more bytes, and neither does one for whose place the log rolls while
// it waits (DelayedFetch#tryComplete, case F).
func TestFetchesDoNotWaitForAnotherSegment(t *testing.T) {
	c := newProbed(t, Defaults())
	c.create("t", 1, 1, setting("internal.segment.bytes", "2000")) // three batches
	c.sized("t", 0, 8)
	wait := func(offset int64) *kmsg.FetchRequest {
		req := c.fetchRequest("t", offset)
		req.MinBytes, req.MaxWaitMillis = 100_000, 3000
		return req
	}
	if p, took := c.fetchOne("broker-1", wait(0)); len(p.RecordBatches) == 0 || took > 10 {
		t.Errorf("from an older segment: %d B after %d ms", len(p.RecordBatches), took)
	}
	if p, took := c.fetchOne("broker-1", wait(6)); len(p.RecordBatches) == 0 || took < 3000 {
		t.Errorf("from the active segment: %d B after %d ms, want what there is after 3000", len(p.RecordBatches), took)
	}
	before := len(c.p.answers)
	c.send("broker-1", sim.ConnClient, wait(6))
	c.tick(100)
	if len(c.p.answers) > before {
		t.Fatal("the fetch has not waited")
	}
	c.sized("t", 0, 1) // the third of the segment
	c.tick(100)
	if len(c.p.answers) > before {
		t.Error("one more record in the same segment ends the wait")
	}
	c.sized("t", 0, 1) // rolls
	c.tick(100)
	if len(c.p.answers) == before {
		t.Error("a roll does not end the wait")
	}
}

// A fetch that waits knows its topics by the names that they had: when one is
// deleted it is told that there is no such topic, not that its id is unknown.
func TestParkedFetchOfADeletedTopic(t *testing.T) {
	c := newProbed(t, Defaults())
	c.create("t", 1, 1)
	req := c.fetchRequest("t", 0)
	req.MaxWaitMillis = 30_000
	before := len(c.p.answers)
	c.send("broker-1", sim.ConnClient, req)
	c.tick(100)
	c.do(DeleteTopic{client.DeleteTopic{Topic: "t"}})
	c.tick(1000)
	if len(c.p.answers) == before {
		t.Fatal("the fetch still waits")
	}
	if p := c.p.answers[before].(*kmsg.FetchResponse).Topics[0].Partitions[0]; p.ErrorCode != int16(kerror.UnknownTopicOrPartition) {
		t.Errorf("%s", kerror.Code(p.ErrorCode))
	}
}
