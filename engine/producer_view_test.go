package engine

import (
	"reflect"
	"strings"
	"testing"

	"kafkalab/engine/client"
)

// viewedRun is a producer that fills, lingers, loses its leader and sends
// again. looking tells whether somebody looks after each command.
func viewedRun(t *testing.T, looking bool) (*Cluster, map[client.Hold]bool) {
	t.Helper()
	c, err := New(Defaults())
	if err != nil {
		t.Fatal(err)
	}
	holds := map[client.Hold]bool{}
	look := func() {
		if !looking {
			return
		}
		first := c.ProducerViews()
		if again := c.ProducerViews(); !reflect.DeepEqual(first, again) {
			t.Fatalf("two looks at one moment differ:\n%+v\n%+v", first, again)
		}
		for _, v := range first {
			checkProducerView(t, v)
			for _, q := range v.Queues {
				for _, b := range q.Waiting {
					holds[b.Waits] = true
				}
				if q.Filling != nil {
					holds[q.Filling.Waits] = true
				}
			}
		}
	}
	do := func(cmd Command) {
		if _, err := c.Do(cmd, "test"); err != nil {
			t.Fatal(err)
		}
		look()
	}
	do(CreateTopic{client.CreateTopic{Topic: "t", Partitions: 1, Replicas: 3}})
	do(NewProducer{"p", []client.Setting{{Name: "batch.size", Value: "200"}, {Name: "linger.ms", Value: "10"}, {Name: "request.timeout.ms", Value: "1000"}, {Name: "delivery.timeout.ms", Value: "5000"}}})
	write := func(count int, nowait bool) {
		do(ProduceAs{"p", client.Produce{Topic: "t", Partition: 0, Count: count, Value: strings.Repeat("x", 30), Size: -1, NoWait: nowait}})
	}
	write(3, false)
	write(50, true)
	for range 6 {
		do(Tick{5})
	}
	do(Stop{c.View().Topics[0].Partitions[0].Leader, StopKill})
	write(2, true)
	for range 100 {
		do(Tick{100})
	}
	return c, holds
}

func checkProducerView(t *testing.T, v ProducerView) {
	t.Helper()
	for _, f := range v.Brokers {
		if !v.Plain && f.Count > v.MaxInFlight || len(f.Requests) != min(f.Count, client.ListedBatches) {
			t.Fatalf("%d of %d requests to %d, %d listed", f.Count, v.MaxInFlight, f.Broker, len(f.Requests))
		}
	}
	if len(v.Closed) > client.KeptClosed {
		t.Fatalf("%d closed batches", len(v.Closed))
	}
	for _, b := range v.Closed {
		switch b.Reason {
		case client.ReasonFull, client.ReasonLinger, client.ReasonExpired, string(client.HoldID), string(client.HoldLink), string(client.HoldInFlight), string(client.HoldTurn):
		default:
			t.Fatalf("closed for %q", b.Reason)
		}
		if b.Reason == client.ReasonLinger && b.ClosedAt-b.CreatedAt < v.LingerMs {
			t.Fatalf("it has not lingered: %+v", b)
		}
		if b.State == client.BatchAcked && b.Base < 0 {
			t.Fatalf("no offset: %+v", b)
		}
	}
}

// Looking changes nothing, and what is seen is what holds a batch back.
func TestProducerViewsChangeNothing(t *testing.T) {
	seen, holds := viewedRun(t, true)
	unseen, _ := viewedRun(t, false)
	if !reflect.DeepEqual(seen.EventsSince(0), unseen.EventsSince(0)) {
		t.Error("a run that is looked at differs from one that is not")
	}
	if !reflect.DeepEqual(seen.ProducerViews(), unseen.ProducerViews()) {
		t.Error("the producers differ")
	}
	for _, h := range []client.Hold{client.HoldLinger, client.HoldTurn, client.HoldInFlight} {
		if !holds[h] {
			t.Errorf("no batch was held back by %q: %v", h, holds)
		}
	}
	v := seen.ProducerViews()[0]
	if n := v.Stats.Acked + v.Stats.Failed; n != 55 {
		t.Errorf("%d of 55 records have their end: %+v", n, v)
	}
}

// What a produce that waits for no answer says of its records is where they
// will go: a call of send is over when the partition is chosen.
func TestSentNamesThePartition(t *testing.T) {
	c, err := New(Defaults())
	if err != nil {
		t.Fatal(err)
	}
	key := "user:4"
	for _, cmd := range []Command{
		CreateTopic{client.CreateTopic{Topic: "orders", Partitions: 6, Replicas: 1}},
		NewProducer{"p", nil},
	} {
		if _, err := c.Do(cmd, "test"); err != nil {
			t.Fatal(err)
		}
	}
	out, err := c.Do(ProduceAs{"p", client.Produce{Topic: "orders", Partition: -1, Key: &key, Count: 2, Size: -1, NoWait: true}}, "test")
	if err != nil {
		t.Fatal(err)
	}
	sent, ok := out.(Produced)
	if !ok || len(sent.Parts) != 1 || sent.Parts[0].Partition != "orders/4" || sent.Parts[0].Count != 2 || sent.Answered {
		t.Errorf("sent %+v", out)
	}
}
