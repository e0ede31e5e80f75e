package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// admin calls f with an administrator's client.
func admin(o options, f func(*kadm.Client) error) error {
	cl, err := kgo.NewClient(kgo.SeedBrokers(strings.Split(o.bootstrap, ",")...))
	if err != nil {
		return err
	}
	defer cl.Close()
	return f(kadm.NewClient(cl))
}

func create(ctx context.Context, o options, topic string) error {
	return admin(o, func(a *kadm.Client) error {
		resp, err := a.CreateTopic(ctx, int32(o.partitions), int16(o.replicas), nil, topic)
		return errors.Join(err, resp.Err)
	})
}

func remove(ctx context.Context, o options, topic string) error {
	return admin(o, func(a *kadm.Client) error {
		resp, err := a.DeleteTopic(ctx, topic)
		return errors.Join(err, resp.Err)
	})
}

func producer(o options) (*kgo.Client, error) {
	opts := []kgo.Opt{
		kgo.SeedBrokers(strings.Split(o.bootstrap, ",")...), kgo.ProducerBatchCompression(kgo.NoCompression()),
		kgo.MaxBufferedRecords(200_000), kgo.ProducerBatchMaxBytes(1_000_000),
		kgo.AllowIdempotentProduceCancellation(), // or an interrupted run waits for servers that are gone
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
func (r *result) latency(ctx context.Context, o options, topic string) error {
	if o.singles == 0 {
		return nil
	}
	cl, err := producer(o)
	if err != nil {
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
	r.singleP50, r.singleP99, r.single = took[len(took)/2], took[len(took)*99/100], took[len(took)-1]
	return nil
}
