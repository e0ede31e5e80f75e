package console_test

import (
	"strings"
	"testing"

	"kafkalab/engine/console"
)

// Configs that the lab sets for each node are refused with the way to say it
// here; what a broker of Kafka's would not start with is refused too.
func TestTheLabsOwnConfigs(t *testing.T) {
	for line, want := range map[string]string{
		"cluster log.dirs=/a,/b":                      "log.dirs is the lab's own",
		"cluster node.id=3":                           "node.id is the lab's own",
		"cluster log.cleaner.threads=0":               "a broker would not start: / by zero",
		"cluster log.cleaner.dedupe.buffer.size=1MiB": "at least 1MB per cleaner thread",
		"cluster log.retention.ms=0":                  "log.retention.ms must be unlimited",
		"cluster log.cleaner.min.compaction.lag.ms=10 log.cleaner.max.compaction.lag.ms=5": "conflict topic config setting",
	} {
		if _, err := console.NewSession(console.Options{}).Exec(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}
