package wire

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// client is kgo on a served cluster.
func (s *served) client(opts ...kgo.Opt) *kgo.Client {
	s.t.Helper()
	cl, err := kgo.NewClient(append([]kgo.Opt{kgo.SeedBrokers(s.addrs...), kgo.RetryBackoffFn(func(int) time.Duration { return 5 * time.Millisecond })}, opts...)...)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(cl.Close)
	return cl
}

// written is one record as it was written and has to be read.
func written(topic string, n int) *kgo.Record {
	return &kgo.Record{
		Topic: topic, Partition: int32(n % 3), Key: fmt.Appendf(nil, "key-%d", n), Value: fmt.Appendf(nil, "value %d of %s", n, topic),
		Headers: []kgo.RecordHeader{{Key: "n", Value: fmt.Append(nil, n)}, {Key: "none"}},
	}
}

func textOf(r *kgo.Record) string {
	return fmt.Sprintf("%d %s %s %s", r.Partition, r.Key, r.Value, r.Headers)
}

// readAll reads n records of a topic from the beginning.
func (s *served) readAll(topic string, n int) []*kgo.Record {
	s.t.Helper()
	cl := s.client(kgo.ConsumeTopics(topic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	defer cl.Close()
	var got []*kgo.Record
	for len(got) < n {
		fetches := cl.PollFetches(context.Background())
		if err := fetches.Err(); err != nil {
			s.t.Fatal(err)
		}
		got = append(got, fetches.Records()...)
	}
	return got
}

// What kgo writes over three brokers, with each codec and each acks, it reads
// back as it was.
func TestRoundTrips(t *testing.T) {
	codecs := map[string]kgo.CompressionCodec{
		"none": kgo.NoCompression(), "gzip": kgo.GzipCompression(), "snappy": kgo.SnappyCompression(), "lz4": kgo.Lz4Compression(), "zstd": kgo.ZstdCompression(),
	}
	acks := map[string]kgo.Acks{"0": kgo.NoAck(), "1": kgo.LeaderAck(), "all": kgo.AllISRAcks()}
	script := ""
	for codec := range codecs {
		for ack := range acks {
			script += fmt.Sprintf("topic create %s-%s partitions=3 replicas=3\n", codec, ack)
		}
	}
	s := serveOn(t, script, nil)
	for codec, c := range codecs {
		for name, a := range acks {
			t.Run(codec+"-"+name, func(t *testing.T) { s.roundTrip(t, codec+"-"+name, c, a) })
		}
	}
}

func (s *served) roundTrip(t *testing.T, topic string, codec kgo.CompressionCodec, acks kgo.Acks) {
	const n = 1000
	opts := []kgo.Opt{kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.ProducerBatchCompression(codec), kgo.RequiredAcks(acks)}
	if acks != kgo.AllISRAcks() {
		opts = append(opts, kgo.DisableIdempotentWrite())
	}
	cl := s.client(opts...)
	defer cl.Close()
	var records []*kgo.Record
	var want []string
	for i := range n {
		records = append(records, written(topic, i))
		want = append(want, textOf(records[i]))
	}
	if err := cl.ProduceSync(context.Background(), records...).FirstErr(); err != nil {
		t.Fatal(err)
	}
	var got []string
	next := map[int32]int64{}
	for _, r := range s.readAll(topic, n) {
		if r.Offset != next[r.Partition] {
			t.Fatalf("partition %d gives offset %d after %d", r.Partition, r.Offset, next[r.Partition]-1)
		}
		next[r.Partition]++
		got = append(got, textOf(r))
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%d records come back, not as they were written", len(got))
	}
}

// Clients are told where the brokers really are.
func TestAdvertisedAddresses(t *testing.T) {
	s := serveOn(t, "cluster racks=a,b,c", nil)
	adm := kadm.NewClient(s.client())
	m, err := adm.BrokerMetadata(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range m.Brokers {
		got = append(got, fmt.Sprintf("%s:%d", b.Host, b.Port))
	}
	if !slices.Equal(got, s.addrs) {
		t.Errorf("clients are told %v, the brokers listen on %v", got, s.addrs)
	}
	req := kmsg.NewPtrDescribeClusterRequest()
	c := s.dial(2)
	c.ask(req, 1)
	got = nil
	for _, b := range response[*kmsg.DescribeClusterResponse](c, req, 1).Brokers {
		got = append(got, fmt.Sprintf("%s:%d", b.Host, b.Port))
	}
	if !slices.Equal(got, s.addrs) {
		t.Errorf("DescribeCluster tells %v, the brokers listen on %v", got, s.addrs)
	}
}
