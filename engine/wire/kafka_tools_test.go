//go:build kafka

package wire

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// toolClasses are the main classes behind the tools of Kafka's bin folder.
var toolClasses = map[string]string{
	"broker-api-versions": "org.apache.kafka.tools.BrokerApiVersionsCommand",
	"cluster":             "org.apache.kafka.tools.ClusterTool",
	"configs":             "org.apache.kafka.tools.ConfigCommand",
	"console-consumer":    "org.apache.kafka.tools.consumer.ConsoleConsumer",
	"console-producer":    "org.apache.kafka.tools.ConsoleProducer",
	"delete-records":      "org.apache.kafka.tools.DeleteRecordsCommand",
	"features":            "org.apache.kafka.tools.FeatureCommand",
	"get-offsets":         "org.apache.kafka.tools.GetOffsetShell",
	"leader-election":     "org.apache.kafka.tools.LeaderElectionCommand",
	"log-dirs":            "org.apache.kafka.tools.LogDirsCommand",
	"producer-perf-test":  "org.apache.kafka.tools.ProducerPerformance",
	"topics":              "org.apache.kafka.tools.TopicCommand",
	"sleep":               "sleep",
}

// Kafka's tools print the same, and end the same, whether they speak to the
// lab's brokers or to Kafka's; with all brokers there, with one killed, and
// when it has come back.
func TestKafkaToolsPrintTheSame(t *testing.T) {
	lab, kafka := judgedClusters(t, 24092, map[string]string{})
	for _, j := range []*judged{lab, kafka} { // one cluster after the other: a failure ends the test
		toolTopics(j)
	}
	compareTools(t, lab, kafka, toolCases)
	for _, j := range []*judged{lab, kafka} {
		j.node("kill", 3)
	}
	for _, j := range []*judged{lab, kafka} {
		j.awaitLeader("alone", 0, -1)
	}
	compareTools(t, lab, kafka, toolCasesOfTwo)
	for _, j := range []*judged{lab, kafka} {
		j.node("restart", 3)
	}
	for _, j := range []*judged{lab, kafka} {
		j.awaitISR("trio", 0, 3)
		j.awaitISR("alone", 0, 1)
	}
	compareTools(t, lab, kafka, toolCasesAfterwards)
}

// compareTools runs the cases on both.
func compareTools(t *testing.T, lab, kafka *judged, cases []toolCase) {
	files := toolFiles(t)
	results := map[*judged]string{lab: t.TempDir(), kafka: t.TempDir()}
	bothAtOnce(lab, kafka, func(j *judged) { j.runTools(results[j], files, cases) })
	ours, theirs := lab.readTools(results[lab], len(cases)), kafka.readTools(results[kafka], len(cases))
	differ := 0
	for i, c := range cases {
		a, b := c.masked(ours[i], theirs[i])
		if a != b {
			differ++
			t.Errorf("%s\n%s", c.line, differences(a, b))
		}
	}
	t.Logf("%d runs of tools, %d print something else", len(cases), differ)
}

func (c toolCase) masked(ours, theirs string) (string, string) {
	if c.mask != nil {
		ours, theirs = c.mask(ours), c.mask(theirs)
	}
	if c.served {
		ours, theirs = onlyServed(ours, theirs)
	}
	return ours, theirs
}

// toolTopics are what the tools find.
func toolTopics(j *judged) {
	j.create("golden", [][]int32{{1, 2, 3}}, "retention.ms=-1")
	j.create("orders", [][]int32{{1, 2, 3}, {2, 3, 1}, {3, 1, 2}}, "min.insync.replicas=2")
	j.create("pay", [][]int32{{1}, {2}})
	j.create("wide", [][]int32{{1, 2}, {2, 3}, {3, 1}, {1, 3}, {2, 1}, {3, 2}, {1, 2}, {2, 3}, {3, 1}, {1, 3}, {2, 1}, {3, 2}}, "retention.ms=-1")
	j.create("one", [][]int32{{3, 1, 2}})
	j.create("away", [][]int32{{2, 1}})
	j.create("alone", [][]int32{{3}})
	j.create("trio", [][]int32{{3, 1, 2}, {1, 2, 3}}, "min.insync.replicas=2")
	j.create("strict", [][]int32{{1, 2, 3}}, "min.insync.replicas=3")
	j.produceFixed("golden", 0, 6)
	j.produceFixed("wide", 10, 3)
}

func toolFiles(t *testing.T) string {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"delete.json":  `{"partitions":[{"topic":"golden","partition":0,"offset":2}],"version":1}`,
		"delete3.json": `{"partitions":[{"topic":"wide","partition":10,"offset":-1}],"version":1}`,
		"elect.json":   `{"partitions":[{"topic":"golden","partition":0},{"topic":"orders","partition":1}]}`,
		"short.conf":   "request.timeout.ms=2000\ndefault.api.timeout.ms=3000\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// runTools plays the cases in one JVM.
func (j *judged) runTools(dir, files string, cases []toolCase) {
	var b strings.Builder
	for _, c := range cases {
		words := splitWords(c.line)
		class, ok := toolClasses[words[0]]
		if !ok {
			j.t.Errorf("no tool named %s", words[0])
			return
		}
		fmt.Fprintf(&b, "%s\t%s", class, base64.StdEncoding.EncodeToString([]byte(c.stdin)))
		for _, word := range words[1:] {
			for i, addr := range j.addrs {
				word = strings.ReplaceAll(word, fmt.Sprintf("<%d>", i+1), addr)
			}
			b.WriteString("\t" + strings.ReplaceAll(word, "<FILES>", files))
		}
		b.WriteByte('\n')
	}
	if err := os.WriteFile(filepath.Join(dir, "cases"), []byte(b.String()), 0o644); err != nil {
		j.t.Error(err)
		return
	}
	oracleJava(j.t, "Tools.java", filepath.Join(dir, "cases"), filepath.Join(dir, "results"))
}

// splitWords takes a line apart; a part in single quotes is one word.
func splitWords(line string) []string {
	var words []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words
}

func (j *judged) readTools(dir string, n int) []string {
	data, err := os.ReadFile(filepath.Join(dir, "results"))
	if err != nil {
		j.t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if len(lines) != n {
		j.t.Fatalf("%d results of %d cases", len(lines), n)
	}
	for i, line := range lines {
		parts := strings.Split(line, "\t")
		for p := 1; p <= 2; p++ {
			text, err := base64.StdEncoding.DecodeString(parts[p])
			if err != nil {
				j.t.Fatal(err)
			}
			parts[p] = j.maskTool(string(text))
		}
		lines[i] = fmt.Sprintf("%s\n--- stderr\n%s\n--- exit %s", parts[1], parts[2], parts[0])
	}
	return lines
}
