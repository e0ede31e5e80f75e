package engine

import (
	"fmt"
	"testing"

	"kafkalab/engine/client"
)

func benchCluster(b *testing.B) *Timeline {
	b.Helper()
	t, err := NewTimeline(Defaults())
	if err != nil {
		b.Fatal(err)
	}
	return t
}

func mustDo(b *testing.B, t *Timeline, cmd Command) {
	b.Helper()
	if _, _, err := t.Do(cmd, "bench"); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkStepBack goes one step back at ten thousand, by replay.
func BenchmarkStepBack10000(b *testing.B) {
	t := benchCluster(b)
	mustDo(b, t, CreateTopic{client.CreateTopic{Topic: "t", Partitions: 1, Replicas: 3}})
	for t.Cluster().Step() < 10_000 {
		mustDo(b, t, Produce{client.Produce{Topic: "t", Partition: 0, Count: 20, Size: 100, Acks: -1, Batch: 1, TimeoutMs: 30000}})
	}
	b.ResetTimer()
	for b.Loop() {
		if err := t.GoTo(9_999); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(t.Cluster().Handled()), "events")
}

// BenchmarkClusterStart is a new cluster of three, up and registered.
func BenchmarkClusterStart(b *testing.B) {
	for b.Loop() {
		benchCluster(b)
	}
}

// BenchmarkProduceAcksAll writes through three replicas, some records of 100 B
// a request. Events are told apart: messages that came over a link, and timers
// and calls.
func BenchmarkProduceAcksAll(b *testing.B) {
	for _, records := range []int{1, 150} {
		b.Run(fmt.Sprintf("records=%d", records), func(b *testing.B) { benchProduce(b, records) })
	}
}

func benchProduce(b *testing.B, records int) {
	t := benchCluster(b)
	mustDo(b, t, CreateTopic{client.CreateTopic{Topic: "t", Partitions: 1, Replicas: 3}})
	c := t.Cluster()
	handled, messages := c.Handled(), c.Messages()
	b.ResetTimer()
	for b.Loop() {
		if _, err := c.Do(Produce{client.Produce{Topic: "t", Partition: 0, Count: records, Size: 100, Acks: -1, TimeoutMs: 30000}}, "bench"); err != nil {
			b.Fatal(err)
		}
	}
	handled, messages = c.Handled()-handled, c.Messages()-messages
	for unit, n := range map[string]int64{
		"records/s": int64(b.N * records), "events/s": handled, "messages/s": messages, "timers/s": handled - messages,
	} {
		b.ReportMetric(float64(n)/b.Elapsed().Seconds(), unit)
	}
}

// BenchmarkView is the copy that each frame is drawn from.
func BenchmarkView(b *testing.B) {
	t := benchCluster(b)
	mustDo(b, t, CreateTopic{client.CreateTopic{Topic: "t", Partitions: 6, Replicas: 3}})
	b.ReportAllocs()
	for b.Loop() {
		t.Cluster().View()
	}
}
