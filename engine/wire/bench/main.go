// Command bench produces and consumes records with kgo and says how fast that
// went and what it cost the servers. Without -bootstrap it starts kafkalab
// broker, franz-go's kfake and Apache Kafka one after the other, on one node and
// on three, lets the same program run against each, and prints a table:
//
//	go run ./engine/wire/bench
//	go run ./engine/wire/bench -servers kafkalab,kfake -rounds 5
//	go run ./engine/wire/bench -bootstrap 127.0.0.1:9092 -pid 4711 -replicas 3 -acks all -size 100
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// options are the command line.
type options struct {
	bootstrap, acks, pids        string
	records, size, partitions    int
	replicas, singles, producers int
}

func main() {
	var o options
	var t table
	flag.StringVar(&o.bootstrap, "bootstrap", "", "brokers to begin with, by commas; without them servers are started")
	flag.StringVar(&o.pids, "pid", "", "the servers' processes, by commas, to count their CPU time")
	flag.StringVar(&o.acks, "acks", "all", "0, 1 or all")
	flag.IntVar(&o.records, "records", 1_000_000, "records of 100 bytes to produce and consume; of larger ones fewer, down to a fifth")
	flag.IntVar(&o.size, "size", 100, "bytes of each record's value")
	flag.IntVar(&o.partitions, "partitions", 6, "of the topic")
	flag.IntVar(&o.replicas, "replicas", 3, "of each partition")
	flag.IntVar(&o.singles, "singles", 2000, "records that are each waited for, for their latency")
	flag.IntVar(&o.producers, "producers", 1, "clients that produce")
	flag.StringVar(&t.names, "servers", "kafkalab,kfake,kafka", "what the table compares, by commas")
	flag.StringVar(&t.kafka, "kafka", oracle(), "the script that starts Apache Kafka")
	flag.StringVar(&t.dataDir, "data-dir", "", "where kafkalab keeps its logs; without it in memory")
	flag.IntVar(&t.port, "port", 21092, "of the first broker that is started")
	flag.IntVar(&t.rounds, "rounds", 3, "runs of each case; the table has their medians")
	flag.Parse()
	// A broken off run ends the servers too.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var err error
	if o.bootstrap != "" {
		err = single(ctx, o)
	} else {
		t.options = o
		err = t.run(ctx, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// result is what one run of the client program showed.
type result struct {
	produced, consumed           float64 // records/s
	produceCPU, consumeCPU       float64 // s of the servers per million records
	singleP50, singleP99, single time.Duration
}

// single runs the program once, against servers that are there.
func single(ctx context.Context, o options) error {
	r, err := runOnce(ctx, o)
	if err != nil {
		return err
	}
	megabytes := float64(o.size) / 1e6
	fmt.Printf("produced %d records of %d B, acks=%s, %d replicas: %.0f records/s, %.1f MB/s, %.2f CPU s of the server per million\n",
		o.records, o.size, o.acks, o.replicas, r.produced, r.produced*megabytes, r.produceCPU)
	fmt.Printf("consumed: %.0f records/s, %.1f MB/s, %.2f CPU s of the server per million\n", r.consumed, r.consumed*megabytes, r.consumeCPU)
	if o.singles > 0 {
		fmt.Printf("waited for %d single records: p50 %v, p99 %v, worst %v\n", o.singles, r.singleP50, r.singleP99, r.single)
	}
	return nil
}

// runOnce produces into a topic of its own, consumes it, waits for single
// records, and removes the topic.
func runOnce(ctx context.Context, o options) (r result, err error) {
	topic := fmt.Sprintf("bench-%d", time.Now().UnixNano())
	if err = create(ctx, o, topic); err != nil {
		return r, fmt.Errorf("creating a topic: %w", err)
	}
	if r.produced, r.produceCPU, err = measure(o, func() error { return produce(ctx, o, topic) }); err != nil {
		return r, fmt.Errorf("producing: %w", err)
	}
	if r.consumed, r.consumeCPU, err = measure(o, func() error { return consume(ctx, o, topic) }); err != nil {
		return r, fmt.Errorf("consuming: %w", err)
	}
	if err = r.latency(ctx, o, topic); err != nil {
		return r, fmt.Errorf("single records: %w", err)
	}
	return r, remove(ctx, o, topic)
}

// measure says how many records a second went through f, and the CPU seconds of
// the servers per million.
func measure(o options, f func() error) (perSecond, cpu float64, err error) {
	before, began := cpuSeconds(o.pids), time.Now()
	if err := f(); err != nil {
		return 0, 0, err
	}
	n := float64(o.records)
	return n / time.Since(began).Seconds(), (cpuSeconds(o.pids) - before) / n * 1e6, nil
}
