//go:build kafka

package wire

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
)

// create makes a topic whose partitions are on these brokers and waits until
// its leaders serve it.
func (j *judged) create(topic string, assignment [][]int32, configs ...string) {
	j.t.Helper()
	cl := j.client()
	defer cl.Close()
	t := kmsg.NewCreateTopicsRequestTopic()
	t.Topic, t.NumPartitions, t.ReplicationFactor = topic, -1, -1
	for p, replicas := range assignment {
		t.ReplicaAssignment = append(t.ReplicaAssignment, kmsg.CreateTopicsRequestTopicReplicaAssignment{Partition: int32(p), Replicas: replicas})
	}
	for _, config := range configs {
		name, value, _ := strings.Cut(config, "=")
		t.Configs = append(t.Configs, kmsg.CreateTopicsRequestTopicConfig{Name: name, Value: &value})
	}
	req := kmsg.NewPtrCreateTopicsRequest()
	req.TimeoutMillis = 10_000
	req.Topics = append(req.Topics, t)
	resp, err := req.RequestWith(context.Background(), cl)
	if err != nil {
		j.t.Fatalf("%s: %v", j.name, err)
	}
	if code := resp.Topics[0].ErrorCode; code != 0 {
		j.t.Fatalf("%s: creating %s: %v", j.name, topic, kerror.Code(code))
	}
	j.awaitTopic(cl, topic, len(assignment))
}

// awaitTopic waits until every leader answers for its partitions.
func (j *judged) awaitTopic(cl *kgo.Client, topic string, partitions int) {
	j.t.Helper()
	for range 200 {
		req := kmsg.NewPtrListOffsetsRequest()
		req.ReplicaID = -1
		t := kmsg.NewListOffsetsRequestTopic()
		t.Topic = topic
		for p := range partitions {
			part := kmsg.NewListOffsetsRequestTopicPartition()
			part.Partition, part.Timestamp = int32(p), -1
			t.Partitions = append(t.Partitions, part)
		}
		req.Topics = append(req.Topics, t)
		good := 0
		for _, shard := range cl.RequestSharded(context.Background(), req) {
			if resp, ok := shard.Resp.(*kmsg.ListOffsetsResponse); ok && shard.Err == nil {
				for _, t := range resp.Topics {
					for _, p := range t.Partitions {
						if p.ErrorCode == 0 {
							good++
						}
					}
				}
			}
		}
		if good == partitions {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	j.t.Fatalf("%s: %s is not served", j.name, topic)
}

// awaitPartition waits until the brokers that answer say of a partition what
// is wanted.
func (j *judged) awaitPartition(topic string, partition int32, wanted string, is func(kadm.PartitionDetail) bool) {
	j.t.Helper()
	cl := j.client()
	defer cl.Close()
	adm := kadm.NewClient(cl)
	for range 600 {
		if m, err := adm.Metadata(context.Background(), topic); err == nil && is(m.Topics[topic].Partitions[partition]) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	j.t.Fatalf("%s: %s/%d has not %s", j.name, topic, partition, wanted)
}

func (j *judged) awaitLeader(topic string, partition, leader int32) {
	j.awaitPartition(topic, partition, fmt.Sprintf("leader %d", leader), func(p kadm.PartitionDetail) bool { return p.Leader == leader })
}

func (j *judged) awaitISR(topic string, partition int32, n int) {
	j.awaitPartition(topic, partition, fmt.Sprintf("%d in sync", n), func(p kadm.PartitionDetail) bool { return p.Leader >= 0 && len(p.ISR) == n })
}

// fixedTime is the timestamp of the first record that is the same in both, in
// ms; the others follow a second apart.
const fixedTime = 1700000000000

// fixedRecord is the n-th record of a partition.
func fixedRecord(topic string, partition int32, n int) *kgo.Record {
	return &kgo.Record{
		Topic: topic, Partition: partition, Timestamp: time.UnixMilli(fixedTime + int64(n)*1000),
		Key: fmt.Appendf(nil, "k%d", n), Value: fmt.Appendf(nil, "value %d", n),
		Headers: []kgo.RecordHeader{{Key: "n", Value: fmt.Append(nil, n)}},
	}
}

// produceFixed appends n records in a batch each, the same to the byte in both.
func (j *judged) produceFixed(topic string, partition int32, n int) {
	j.t.Helper()
	cl := j.client(kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.DisableIdempotentWrite(), kgo.ProducerLinger(0))
	defer cl.Close()
	for i := range n {
		if err := cl.ProduceSync(context.Background(), fixedRecord(topic, partition, i)).FirstErr(); err != nil {
			j.t.Fatalf("%s: %v", j.name, err)
		}
	}
}
