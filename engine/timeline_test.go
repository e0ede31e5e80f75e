package engine

import (
	"testing"

	"kafkalab/engine/client"
)

// A command that was an error when it was given does not stand in the way of
// time travel.
func TestTimeTravelPastAMisuse(t *testing.T) {
	line, err := NewTimeline(Defaults())
	if err != nil {
		t.Fatal(err)
	}
	do := func(cmd Command, misuse bool) {
		t.Helper()
		if _, _, err := line.Do(cmd, "test"); (err != nil) != misuse {
			t.Fatalf("%T: %v", cmd, err)
		}
	}
	do(CreateTopic{client.CreateTopic{Topic: "t", Partitions: 1, Replicas: 3}}, false)
	do(Stop{Broker: 2, How: StopKill}, false)
	do(Stall{Broker: 2}, true)
	do(Stop{Broker: 2, How: StopKill}, true)
	do(Tick{15_000}, false)
	end := line.Cluster().Step()
	for _, step := range []int64{3, end, end - 1, 0, end} {
		if err := line.GoTo(step); err != nil {
			t.Fatalf("to step %d: %v", step, err)
		}
		if got := line.Cluster().Step(); got != step {
			t.Errorf("at step %d, want %d", got, step)
		}
	}
	if _, err := line.Fork(); err != nil {
		t.Errorf("a fork: %v", err)
	}
}
