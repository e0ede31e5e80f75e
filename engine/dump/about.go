package dump

import "fmt"

// About is what a file has in it, in a few words, by its name; empty for a file
// that is none of Kafka's.
func About(name string) string {
	n := parseName(name)
	if text := abouts[n.plain()]; text != "" {
		return text + stageText(n.stage)
	}
	base, damage := n.baseOffset()
	if damage != nil {
		return ""
	}
	switch n.kind {
	case logKind:
		return fmt.Sprintf("record batches from offset %d on", base) + stageText(n.stage)
	case offsetIndexKind:
		return "offset to byte of the log" + stageText(n.stage)
	case timeIndexKind:
		return "largest timestamp so far to offset" + stageText(n.stage)
	case txnIndexKind:
		return "aborted transactions" + stageText(n.stage)
	case producerKind:
		return fmt.Sprintf("the producers as of offset %d", base) + stageText(n.stage)
	}
	return ""
}

// abouts are the files that have one name.
var abouts = map[string]string{
	"leader-epoch-checkpoint":          "where each leader's epoch begins",
	"partition.metadata":               "the topic's id",
	"recovery-point-offset-checkpoint": "up to where each log is flushed",
	"log-start-offset-checkpoint":      "logs that begin inside a segment",
	"replication-offset-checkpoint":    "high watermarks",
	"cleaner-offset-checkpoint":        "up to where the cleaner has been",
	"meta.properties":                  "whose log directory this is",
	".kafka_cleanshutdown":             "the broker has ended cleanly",
	".lock":                            "empty: held while a broker runs",
	"quorum-state":                     "what this voter knows of the quorum",
}

// stageText is what the end of a name says about the file's fate.
func stageText(stage string) string {
	switch stage {
	case ".deleted":
		return ", about to be deleted"
	case ".cleaned":
		return ", the cleaner writes it"
	case ".swap":
		return ", to be swapped in"
	case ".tmp":
		return ", not renamed yet"
	}
	return ""
}
