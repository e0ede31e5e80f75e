// Command bench produces and consumes records with kgo and says how fast. It is
// run against kafkalab broker, Apache Kafka, or anything that speaks Kafka's
// protocol, so that numbers can be laid side by side:
//
//	bench -bootstrap 127.0.0.1:9092 -pid 4711 -replicas 3 -acks all -size 100
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// options are the command line.
type options struct {
	bootstrap, acks, pids        string
	records, size, partitions    int
	replicas, singles, producers int
}

func main() {
	var o options
	flag.StringVar(&o.bootstrap, "bootstrap", "127.0.0.1:9092", "brokers to begin with, by commas")
	flag.StringVar(&o.pids, "pid", "", "the servers' processes, by commas, to count their CPU time")
	flag.StringVar(&o.acks, "acks", "all", "0, 1 or all")
	flag.IntVar(&o.records, "records", 2_000_000, "records to produce and consume")
	flag.IntVar(&o.size, "size", 100, "bytes of each record's value")
	flag.IntVar(&o.partitions, "partitions", 6, "of the topic")
	flag.IntVar(&o.replicas, "replicas", 3, "of each partition")
	flag.IntVar(&o.singles, "singles", 2000, "records that are each waited for, for their latency")
	flag.IntVar(&o.producers, "producers", 1, "clients that produce")
	flag.Parse()
	if err := run(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	topic := fmt.Sprintf("bench-%d", time.Now().UnixNano())
	if err := create(ctx, o, topic); err != nil {
		return err
	}
	if err := measure(o, "produced", func() error { return produce(ctx, o, topic) }); err != nil {
		return err
	}
	if err := measure(o, "consumed", func() error { return consume(ctx, o, topic) }); err != nil {
		return err
	}
	return latency(ctx, o, topic)
}

func create(ctx context.Context, o options, topic string) error {
	cl, err := kgo.NewClient(kgo.SeedBrokers(strings.Split(o.bootstrap, ",")...))
	if err != nil {
		return err
	}
	defer cl.Close()
	resp, err := kadm.NewClient(cl).CreateTopic(ctx, int32(o.partitions), int16(o.replicas), nil, topic)
	if err != nil {
		return err
	}
	return resp.Err
}

// measure says how fast records went through f, and what it cost the servers.
func measure(o options, what string, f func() error) error {
	cpu := cpuSeconds(o.pids)
	began := time.Now()
	if err := f(); err != nil {
		return err
	}
	took := time.Since(began).Seconds()
	fmt.Printf("%s %d records of %d B, acks=%s, %d replicas: %.0f records/s, %.1f MB/s", what, o.records, o.size, o.acks, o.replicas,
		float64(o.records)/took, float64(o.records)*float64(o.size)/took/1e6)
	if o.pids != "" {
		fmt.Printf(", %.2f CPU s of the server per million", (cpuSeconds(o.pids)-cpu)/float64(o.records)*1e6)
	}
	fmt.Println()
	return nil
}

func producer(o options) (*kgo.Client, error) {
	opts := []kgo.Opt{
		kgo.SeedBrokers(strings.Split(o.bootstrap, ",")...), kgo.ProducerBatchCompression(kgo.NoCompression()),
		kgo.MaxBufferedRecords(200_000), kgo.ProducerBatchMaxBytes(1_000_000),
	}
	switch o.acks {
	case "0":
		opts = append(opts, kgo.RequiredAcks(kgo.NoAck()), kgo.DisableIdempotentWrite())
	case "1":
		opts = append(opts, kgo.RequiredAcks(kgo.LeaderAck()), kgo.DisableIdempotentWrite())
	case "all":
	default:
		return nil, fmt.Errorf("-acks %s: 0, 1 or all is allowed", o.acks)
	}
	return kgo.NewClient(opts...)
}

func produce(ctx context.Context, o options, topic string) error {
	failed := make(chan error, o.producers)
	for p := range o.producers {
		go func() { failed <- produceSome(ctx, o, topic, o.records/o.producers+min(p, 1)*(o.records%o.producers)) }()
	}
	var first error
	for range o.producers {
		if err := <-failed; first == nil {
			first = err
		}
	}
	return first
}

func produceSome(ctx context.Context, o options, topic string, n int) error {
	cl, err := producer(o)
	if err != nil {
		return err
	}
	defer cl.Close()
	value := make([]byte, o.size)
	for i := range value {
		value[i] = byte(rand.IntN(256))
	}
	var failed atomic.Pointer[error]
	for range n {
		cl.Produce(ctx, &kgo.Record{Topic: topic, Value: value}, func(_ *kgo.Record, err error) {
			if err != nil {
				failed.CompareAndSwap(nil, &err)
			}
		})
	}
	if err := cl.Flush(ctx); err != nil {
		return err
	}
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}

func consume(ctx context.Context, o options, topic string) error {
	cl, err := kgo.NewClient(kgo.SeedBrokers(strings.Split(o.bootstrap, ",")...), kgo.ConsumeTopics(topic), kgo.FetchMaxBytes(10<<20))
	if err != nil {
		return err
	}
	defer cl.Close()
	for n := 0; n < o.records; {
		fetches := cl.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		n += fetches.NumRecords()
	}
	return nil
}

// latency waits for single records, one after the other.
func latency(ctx context.Context, o options, topic string) error {
	cl, err := producer(o)
	if err != nil || o.singles == 0 {
		return err
	}
	defer cl.Close()
	var took []time.Duration
	for range o.singles {
		began := time.Now()
		if err := cl.ProduceSync(ctx, &kgo.Record{Topic: topic, Value: make([]byte, o.size)}).FirstErr(); err != nil {
			return err
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	fmt.Printf("waited for %d single records: p50 %v, p99 %v, worst %v\n", o.singles, took[len(took)/2], took[len(took)*99/100], took[len(took)-1])
	return nil
}
