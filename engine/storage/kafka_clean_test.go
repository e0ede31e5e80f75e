//go:build kafka

package storage

import (
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	cleanCases = flag.Int("clean.cases", 50, "random compacted logs to compare with Kafka's")
	cleanSteps = flag.Int("clean.steps", 60, "steps on each of them")
	cleanBelow = flag.Bool("clean.below", false, "let the log start pass aborted transactions, which 4.4.0 then forgets")
	cleanSeed  = flag.Uint64("clean.seed", 1, "seed of the first")
)

// TestKafkaCleansAsWeDo does the same random things to a compacted log of this
// package and to Kafka's, with Kafka's own LogCleanerManager and Cleaner making
// the passes. Compared are, after each step: whether the log is taken, from
// where to where, each batch that is left with its records, segments, index
// entries, aborted transactions, producers, epochs, and after a clean close the
// files, byte for byte. Now and then Kafka goes on with the files that we wrote.
func TestKafkaCleansAsWeDo(t *testing.T) {
	var script, ours []string
	handed := t.TempDir()
	for i := range *cleanCases {
		d := &cleanDriver{driver: driver{t: t, rng: rand.New(rand.NewPCG(*cleanSeed+uint64(i), 2))}, root: handed, number: i}
		d.startCompacted()
		for range *cleanSteps {
			d.step()
			if d.spoiled {
				break // what Kafka does after the last kill is by chance
			}
			d.align() // to the end of the batch that the log starts in,
			d.align() // and over the gap behind it
		}
		script = append(script, d.script...)
		for _, s := range d.results {
			ours = append(ours, d.plain(s))
		}
	}
	defer func(seed uint64) { *oracleSeed = seed }(*oracleSeed)
	*oracleSeed = *cleanSeed // what a failure names
	compareRuns(t, script, ours, masked(script, replay(t, script)))
}

// memory is a folder that syncs without a disk, where there is one.
const memory = "/dev/shm"

// replay has Kafka's own classes do what a script says.
func replay(t *testing.T, script []string) []string {
	t.Helper()
	oracle := os.Getenv("KAFKALAB_ORACLE")
	if oracle == "" {
		t.Skip("KAFKALAB_ORACLE is not set: no Kafka to compare with")
	}
	dir := os.Getenv("ORACLE_KEEP")
	if dir == "" {
		dir = t.TempDir()
	}
	in, out := filepath.Join(dir, "in.txt"), filepath.Join(dir, "out.txt")
	if err := os.WriteFile(in, []byte(strings.Join(script, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"java", "-Doracle.level=OFF", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"}
	if tmp, err := os.MkdirTemp(memory, "kafka"); err == nil {
		defer os.RemoveAll(tmp)
		args = append(args, "-Djava.io.tmpdir="+tmp) // Kafka syncs often
	}
	cmd := exec.Command(oracle, append(args, "testdata/oracle/Replay.java", in, out)...)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, text)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

// masked takes out of Kafka's answers what cannot be the same where batches are
// compressed.
func masked(script, answers []string) []string {
	coded := false
	for i := range answers {
		if strings.HasPrefix(script[i], "case") {
			coded = strings.Contains(script[i], "compression")
		}
		if coded {
			answers[i] = withoutSizes(answers[i])
		}
	}
	return answers
}

var sizes = regexp.MustCompile(`\b\d+B|:\d+\b|=\d+:[0-9a-f]{8}`)

// withoutSizes takes away sizes, positions and digests: two libraries compress
// the same records to different bytes.
func withoutSizes(s string) string {
	at := strings.Index(s, " <") // batches: their keys and values look like positions
	end := strings.LastIndex(s, "> |")
	if at < 0 || end < at {
		return sizes.ReplaceAllString(s, "")
	}
	return sizes.ReplaceAllString(s[:at], "") + s[at:end] + sizes.ReplaceAllString(s[end:], "")
}
