package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kafkalab/engine"
	"kafkalab/engine/console"
)

// troubled draws what happens to a named producer: records, and faults that
// take it less long to get over than delivery.timeout.ms: of links, and of
// processes if kills says so.
func troubled(t *rapid.T, kills bool) []string {
	lines := []string{
		"topic create t partitions=2 replicas=3 min.insync.replicas=2",
		fmt.Sprintf("producer p linger.ms=%d batch.size=%d", rapid.SampledFrom([]int{0, 5, 100}).Draw(t, "linger"), rapid.SampledFrom([]int{1, 200, 16384}).Draw(t, "size")),
		"tick 1s",
	}
	down := 0
	for n := range rapid.IntRange(4, 14).Draw(t, "commands") {
		broker := rapid.IntRange(1, 3).Draw(t, "broker")
		switch rapid.IntRange(0, 9).Draw(t, "what") {
		case 0, 1, 2, 3:
			lines = append(lines, fmt.Sprintf("produce t/%d as=p value=%d-{n} count=%d batch=%d wait=false", rapid.IntRange(0, 1).Draw(t, "partition"), n, rapid.IntRange(1, 9).Draw(t, "count"), rapid.IntRange(1, 3).Draw(t, "batch")))
		case 4:
			lines = append(lines, fmt.Sprintf("lose p broker-%d Produce count=%d", broker, rapid.IntRange(1, 3).Draw(t, "answers")))
		case 5:
			lines = append(lines, fmt.Sprintf("cut p broker-%d", broker), "tick 3s", "heal")
		case 6:
			if !kills {
				continue
			}
			if down == 0 {
				down = broker
				lines = append(lines, fmt.Sprintf("kill broker-%d", broker))
			} else {
				lines = append(lines, fmt.Sprintf("restart broker-%d", down))
				down = 0
			}
		case 7:
			lines = append(lines, fmt.Sprintf("slow p broker-%d %dms", broker, rapid.IntRange(1, 300).Draw(t, "slow")))
		default:
			lines = append(lines, fmt.Sprintf("tick %dms", rapid.IntRange(0, 2000).Draw(t, "ms")))
		}
	}
	if down != 0 {
		lines = append(lines, fmt.Sprintf("restart broker-%d", down))
	}
	return lines
}

// Law: whatever connections end, an idempotent producer's records are each in
// the log once, in the order in which they were given to it.
func TestIdempotentProducerIsInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := console.NewSession(console.Options{})
		want := map[string][]string{"t/0": {}, "t/1": {}}
		for _, line := range append(troubled(t, true), "tick 100s") {
			if _, err := s.Exec(line); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			var partition, value string
			var count, batch int
			if n, _ := fmt.Sscanf(line, "produce %s as=p value=%s count=%d batch=%d", &partition, &value, &count, &batch); n == 4 {
				for i := range count {
					want[partition] = append(want[partition], strings.ReplaceAll(value, "{n}", fmt.Sprint(i)))
				}
			}
		}
		for _, v := range s.Cluster().ProducerViews() {
			if v.Name == "p" && (v.Stats.Failed > 0 || v.Stats.InFlight > 0 || v.Epoch > 0) {
				t.Fatalf("failed, under way, or with another epoch: %+v", v)
			}
		}
		for _, partition := range []string{"t/0", "t/1"} {
			if _, err := s.Exec("consume " + partition); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, r := range s.Cluster().Last().Records {
				got = append(got, *r.Value)
			}
			if !slices.Equal(got, want[partition]) {
				t.Fatalf("%s has %v, was given %v", partition, got, want[partition])
			}
		}
	})
}

// heldBy is what the producers of a session hold, without what counts events.
func heldBy(s *console.Session) []engine.ProducerView {
	list := s.Cluster().ProducerViews()
	forget := func(batches []engine.ProducerBatch) {
		for i := range batches {
			batches[i].Event = 0
		}
	}
	for _, v := range list {
		forget(v.Closed)
		for _, q := range v.Queues {
			forget(q.Waiting)
		}
		for _, f := range v.Brokers {
			for _, r := range f.Requests {
				forget(r.Batches)
			}
		}
	}
	return list
}

// Law: what a producer holds is the same whether or not idle rounds are run.
// (When a broker dies, followers are somewhere in a round, and what is
// acknowledged after that is so some ms earlier or later.)
func TestEveryRoundGivesTheSameProducers(t *testing.T) {
	same := func(fatal func(string, ...any), lines []string) {
		lazy, every := console.NewSession(console.Options{}), console.NewSession(console.Options{EveryRound: true})
		for i, line := range lines {
			out, err := lazy.Exec(line)
			everyOut, everyErr := every.Exec(line)
			if err != nil || everyErr != nil {
				fatal("%s: %v, %v", line, err, everyErr)
			}
			if d := cmp.Diff(heldBy(every), heldBy(lazy)) + cmp.Diff(everyOut.Text, out.Text); d != "" {
				fatal("command %d, %s: with every round run (-), without (+):\n%s", i, line, d)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) { same(t.Fatalf, append(troubled(t, false), "tick 12s")) })
	same(t.Fatalf, []string{"topic create t partitions=2 replicas=3", "producer p", "tick 1s", "produce t/0 as=p", "topic alter t partitions=4", "cut p broker-1", "tick 11m", "produce t/3 as=p", "consume t/3"})
}

// Law: from a checkpoint the same commands lead to the same producers.
func TestReplayGivesTheSameProducers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := console.NewSession(console.Options{})
		lines := append(troubled(t, true), "tick 20s")
		at := rapid.IntRange(0, len(lines)-1).Draw(t, "checkpoint")
		run := func(lines []string) (list []engine.ProducerView) {
			for _, line := range lines {
				if _, err := s.Exec(line); err != nil {
					t.Fatalf("%s: %v", line, err)
				}
			}
			return s.Cluster().ProducerViews()
		}
		run(append(slices.Clone(lines[:at]), "checkpoint here"))
		first := run(lines[at:])
		if d := cmp.Diff(first, run(append([]string{"rewind here"}, lines[at:]...))); d != "" {
			t.Fatalf("from command %d on, at first (-) and again (+):\n%s", at, d)
		}
	})
}
