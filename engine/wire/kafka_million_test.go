//go:build kafka

package wire

import (
	"context"
	"encoding/binary"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// A million records, more than the tests of every day write, go in with acks=all over three brokers and come out as they
// went in, in order.
func TestKafkaSizedRoundTrip(t *testing.T) {
	const n, partitions = 1_000_000, 3
	s := serveOn(t, "topic create m partitions=3 replicas=3", nil)
	cl := s.client(kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.MaxBufferedRecords(100_000), kgo.ProducerBatchCompression(kgo.NoCompression()))
	fill := make([]byte, 92)
	failed := 0
	start := time.Now()
	for i := range n {
		value := binary.BigEndian.AppendUint64(make([]byte, 0, 100), uint64(i))
		cl.Produce(context.Background(), &kgo.Record{Topic: "m", Partition: int32(i % partitions), Value: append(value, fill...)}, func(_ *kgo.Record, err error) {
			if err != nil {
				failed++
			}
		})
	}
	if err := cl.Flush(context.Background()); err != nil || failed > 0 {
		t.Fatalf("%d records are not written, %v", failed, err)
	}
	written := time.Now()
	reader := s.client(kgo.ConsumeTopics("m"), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	var next [partitions]int64
	for got := 0; got < n; {
		fetches := reader.PollFetches(context.Background())
		if err := fetches.Err(); err != nil {
			t.Fatal(err)
		}
		fetches.EachRecord(func(r *kgo.Record) {
			if want := uint64(next[r.Partition]*partitions + int64(r.Partition)); r.Offset != next[r.Partition] || len(r.Value) != 100 || binary.BigEndian.Uint64(r.Value) != want {
				t.Fatalf("partition %d offset %d: record %d of %d bytes, want %d at %d", r.Partition, r.Offset, binary.BigEndian.Uint64(r.Value), len(r.Value), want, next[r.Partition])
			}
			next[r.Partition]++
			got++
		})
	}
	t.Logf("written in %v, read in %v", written.Sub(start), time.Since(written))
}
