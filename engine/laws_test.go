package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kafkalab/engine"
	"kafkalab/engine/console"
)

// drawScript draws a script of commands that a cluster of three serves.
func drawScript(t *rapid.T, most int) []string {
	topics := []string{"a", "b", "c"}
	lines := []string{
		fmt.Sprintf("topic create a partitions=%d replicas=%d internal.segment.bytes=2000 index.interval.bytes=300",
			rapid.IntRange(1, 3).Draw(t, "partitions"), rapid.IntRange(1, 3).Draw(t, "replicas")),
	}
	for range rapid.IntRange(1, most).Draw(t, "commands") {
		topic := rapid.SampledFrom(topics).Draw(t, "topic")
		lines = append(lines, rapid.SampledFrom([]string{
			fmt.Sprintf("topic create %s partitions=2 replicas=3", topic),
			fmt.Sprintf("topic delete %s", topic),
			fmt.Sprintf("produce %s count=%d key=k{n} value=v{n} acks=%s", topic, rapid.IntRange(1, 30).Draw(t, "count"), rapid.SampledFrom([]string{"0", "1", "all"}).Draw(t, "acks")),
			fmt.Sprintf("produce %s/0 count=20 size=50 batch=3 wait=%v", topic, rapid.Bool().Draw(t, "wait")),
			fmt.Sprintf("consume %s/0 from=%d max=7", topic, rapid.IntRange(0, 40).Draw(t, "from")),
			fmt.Sprintf("consume %s", topic),
			fmt.Sprintf("truncate %s/0 before=%d", topic, rapid.IntRange(-1, 10).Draw(t, "before")),
			fmt.Sprintf("roll %s/0", topic),
			fmt.Sprintf("topic alter %s retention.ms=-1", topic),
			fmt.Sprintf("tick %dms", rapid.IntRange(0, 1500).Draw(t, "ms")),
			"tick 1ms", "tick 499ms", "tick 502ms",
		}).Draw(t, "command"))
	}
	return lines
}

// seen is a cluster's view without what counts events, and the result of the
// command that led to it.
func seen(t *rapid.T, s *console.Session, line string) (engine.View, string) {
	out, err := s.Exec(line)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	v := s.Cluster().View()
	v.Step, v.LastEvent = 0, 0
	return v, strings.Join(out.Text, "\n")
}

// Law: with every idle round run, what is seen after each command is the same.
func TestEveryRoundGivesTheSameViews(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lazy, every := console.NewSession(console.Options{}), console.NewSession(console.Options{EveryRound: true})
		for i, line := range drawScript(t, 12) {
			v, text := seen(t, lazy, line)
			w, everyText := seen(t, every, line)
			if d := cmp.Diff(w, v); d != "" {
				t.Fatalf("command %d, %s: with every round run (-), without (+):\n%s", i, line, d)
			}
			if text != everyText {
				t.Fatalf("command %d, %s: with every round run:\n%s\nwithout:\n%s", i, line, everyText, text)
			}
		}
	})
}

// Law: from a checkpoint, and from any step, the same commands give the same
// bytes.
func TestReplayGivesTheSameTrace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := console.NewSession(console.Options{})
		lines := drawScript(t, 10)
		at := rapid.IntRange(0, len(lines)-1).Draw(t, "checkpoint")
		var mark console.Mark
		for i, line := range lines {
			if i == at {
				mark = s.Mark()
			}
			if _, err := s.Exec(line); err != nil {
				t.Fatal(err)
			}
		}
		want := traceText(s.Cluster())
		if err := s.Rewind(mark); err != nil {
			t.Fatal(err)
		}
		for _, line := range lines[at:] {
			if _, err := s.Exec(line); err != nil {
				t.Fatal(err)
			}
		}
		if d := cmp.Diff(want, traceText(s.Cluster())); d != "" {
			t.Fatalf("after going back to command %d and doing the same again:\n%s", at, d)
		}
		step := rapid.Int64Range(0, s.Cluster().Step()).Draw(t, "step")
		if err := s.Timeline().GoTo(step); err != nil {
			t.Fatal(err)
		}
		if got := s.Cluster().Step(); got != step {
			t.Fatalf("went to step %d, is at %d", step, got)
		}
		if past := traceText(s.Cluster()); !strings.HasPrefix(want, past) {
			t.Fatalf("the trace at step %d is no beginning of the whole", step)
		}
		if err := s.Timeline().GoTo(s.Timeline().Last()); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, traceText(s.Cluster())); d != "" {
			t.Fatalf("after going back to step %d and forward again:\n%s", step, d)
		}
	})
}

func traceText(c *engine.Cluster) string {
	var b strings.Builder
	for _, e := range c.EventsSince(0) {
		fmt.Fprintln(&b, e.Line())
	}
	return b.String()
}

// Acting in the past makes a branch, and the old future stays reachable.
func TestActingInThePastKeepsTheOldFuture(t *testing.T) {
	s := console.NewSession(console.Options{})
	run(t, s, "topic create t\nproduce t count=3\ntick 1s\nproduce t count=4")
	run(t, s, "rewind 3")
	if got := eval(t, s, "t/0.leo"); got != "3" {
		t.Fatalf("three steps back the log ends at %s, want 3", got)
	}
	// The produce of four was under way at that moment, and goes on.
	run(t, s, "produce t count=10\nexpect t/0.leo == 17")
	futures := s.Futures()
	if len(futures) != 2 {
		t.Fatalf("futures %v, want main and the one that was left", futures)
	}
	run(t, s, "switch future-1\nexpect t/0.leo == 7\nswitch main\nexpect t/0.leo == 17")
}

func run(t *testing.T, s *console.Session, script string) {
	t.Helper()
	outs, err := s.Run(script)
	if err != nil {
		t.Fatal(err)
	}
	for _, out := range outs {
		if out.Failed != "" {
			t.Fatalf("%s: %s", out.Command, out.Failed)
		}
	}
}

func eval(t *testing.T, s *console.Session, expr string) string {
	t.Helper()
	v, err := s.Eval(expr)
	if err != nil {
		t.Fatal(err)
	}
	return v.String()
}
