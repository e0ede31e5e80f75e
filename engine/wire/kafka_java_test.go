//go:build kafka

package wire

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
	"testing"
)

var javaRecords = flag.Int("java.records", 10_000, "records that the Java client writes with each codec and acks")

// Kafka's Java client, idempotent where it asks for all acks, reads back from
// the lab's brokers exactly what it wrote.
func TestKafkaJavaClientRoundTrips(t *testing.T) {
	oracle(t, "lib")
	s := serveOn(t, "cluster brokers=3", nil)
	lab := &judged{t: t, name: "lab", addrs: s.addrs}
	good := 0
	for _, codec := range []string{"none", "gzip", "snappy", "lz4", "zstd"} {
		for _, acks := range []string{"0", "1", "all"} {
			lab.create("java-"+codec+"-"+acks, [][]int32{{1, 2, 3}, {2, 3, 1}, {3, 1, 2}})
		}
	}
	out := oracleJava(t, "RoundTrip.java", strings.Join(s.addrs, ","), strconv.Itoa(*javaRecords))
	t.Log(out)
	want := fmt.Sprintf(": %d of %d records, 0 wrong, ends add up to %d;", *javaRecords, *javaRecords, *javaRecords)
	for line := range strings.Lines(out) {
		if strings.Contains(line, want) {
			good++
		}
	}
	if good != 15 {
		t.Errorf("%d of 15 combinations of codec and acks are read back as they were written", good)
	}
}

// javaClientsSee runs a program of Kafka's Java clients against both and
// compares what it saw.
func javaClientsSee(t *testing.T, lab, kafka *judged) {
	bothAtOnce(lab, kafka, func(j *judged) {
		j.said = nil
		for line := range strings.Lines(oracleJava(t, "Observe.java", strings.Join(j.addrs, ","))) {
			if saw, ok := strings.CutPrefix(line, "SAW "); ok {
				j.said = append(j.said, j.maskTool(strings.TrimSpace(saw)))
			}
		}
	})
	if d := differences(strings.Join(lab.said, "\n"), strings.Join(kafka.said, "\n")); d != "" {
		t.Errorf("the Java clients see\n%s", d)
	}
	if *showSeen {
		t.Log(strings.Join(kafka.said, "\n"))
	}
	t.Logf("%d things that the Java clients see", len(kafka.said))
}
