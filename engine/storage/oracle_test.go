//go:build kafka

package storage

import (
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var (
	oracleCases = flag.Int("oracle.cases", 40, "random logs to compare with Kafka's")
	oracleSteps = flag.Int("oracle.steps", 60, "steps on each of them")
	oracleSeed  = flag.Uint64("oracle.seed", 1, "seed of the first")
)

// TestAgainstKafka does the same random things to a log of this package and to
// Kafka's own UnifiedLog, and compares what there is to see after each of them:
// offsets, segments, index entries, epochs, producers, answers, files.
//
// KAFKALAB_ORACLE names a program that runs a Java source file against Kafka's
// jars: $KAFKALAB_ORACLE java FILE ARGS...
func TestAgainstKafka(t *testing.T) {
	oracle := os.Getenv("KAFKALAB_ORACLE")
	if oracle == "" {
		t.Skip("KAFKALAB_ORACLE is not set: no Kafka to compare with")
	}
	var script, ours []string
	for i := range *oracleCases {
		d := &driver{t: t, rng: rand.New(rand.NewPCG(*oracleSeed+uint64(i), 1))}
		d.start()
		for n := 0; n < *oracleSteps && !d.dead; n++ {
			d.step()
			if !d.dead {
				d.align()
			}
		}
		script, ours = append(script, d.script...), append(ours, d.results...)
	}
	dir := os.Getenv("ORACLE_KEEP")
	if dir == "" {
		dir = t.TempDir()
	}
	in, out := filepath.Join(dir, "in.txt"), filepath.Join(dir, "out.txt")
	if err := os.WriteFile(in, []byte(strings.Join(script, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(oracle, "java", "-Doracle.level=OFF", "testdata/oracle/Replay.java", in, out)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, text)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	kafka := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	compareRuns(t, script, ours, kafka)
}

func compareRuns(t *testing.T, script, ours, kafka []string) {
	t.Helper()
	first, failures, skip, number := 0, 0, false, uint64(0)
	for i := range script {
		if strings.HasPrefix(script[i], "case") {
			first, skip = i, false
			number++
		}
		if skip || i >= len(kafka) || ours[i] == kafka[i] {
			continue
		}
		// Neither can open a log whose older segments contradict a newer snapshot, nor
		// one with an offset below its segment.
		if failed := kafka[i] != "" && kafka[i][0] >= 'A' && kafka[i][0] <= 'Z'; failed && strings.HasPrefix(script[i], "kill") {
			skip = true
			continue
		}
		skip = true // what follows in this case is of no use
		failures++
		if failures > 5 {
			continue
		}
		a, b := differing(ours[i], kafka[i])
		t.Errorf("seed %d, step %d of %q\n%s\nbefore %s\n  ours …%s\n kafka …%s", *oracleSeed+number-1, i-first, script[first], clipLine(script[i]), kafka[max(i-1, 0)], a, b)
		if os.Getenv("ORACLE_STORY") != "" {
			for j := first; j <= i; j++ {
				t.Logf("%s\n      %s", clipLine(script[j]), kafka[j])
			}
		}
	}
	if len(kafka) != len(script) {
		t.Errorf("%d answers of Kafka to %d steps", len(kafka), len(script))
	}
	t.Logf("%d steps compared, %d cases differ", len(script), failures)
}

// differing cuts two answers to where they differ.
func differing(a, b string) (string, string) {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	n = max(n-40, 0)
	return clipLine(a[n:]), clipLine(b[n:])
}

func clipLine(s string) string {
	if len(s) > 220 {
		return s[:220] + "…"
	}
	return s
}
