package console

import (
	"fmt"
	"strconv"
	"strings"

	"kafkalab/engine"
)

// choreCommands have brokers do now what they do by themselves on a period.
var choreCommands = []command{
	{"compact", "compact T[/P]", "a pass of the log cleaner now, under its own conditions", parseCompact},
	{"retain", "retain T[/P]", "a retention check now", parseRetain},
}

func parseCompact(a *args) (action, error) {
	w, err := a.word("a topic or partition")
	if err != nil {
		return nil, err
	}
	topic, n, err := topicPart(w)
	return engineAction{engine.Compact{Topic: topic, Partition: n}, formatCompacted}, err
}

func formatCompacted(r engine.Result) []string {
	c, ok := r.(engine.Compacted)
	if !ok {
		return nil
	}
	var lines []string
	for _, p := range c.Parts {
		if p.Reason != "" {
			lines = append(lines, fmt.Sprintf("not compacted %s: %s", p.Partition, p.Why))
			continue
		}
		lines = append(lines, fmt.Sprintf("compacted %s: pass %d, %d of %s kept, %d B to %d B, first dirty %d",
			p.Partition, p.Pass, p.Kept, count(int(p.Read), "record"), p.BytesBefore, p.BytesAfter, p.FirstDirty))
	}
	return lines
}

func parseRetain(a *args) (action, error) {
	w, err := a.word("a topic or partition")
	if err != nil {
		return nil, err
	}
	topic, n, err := topicPart(w)
	return engineAction{engine.Retain{Topic: topic, Partition: n}, formatRetained}, err
}

func formatRetained(r engine.Result) []string {
	d, ok := r.(engine.Retained)
	if !ok {
		return nil
	}
	var lines []string
	for _, p := range d.Parts {
		deleted := "none"
		if len(p.Deleted) > 0 {
			var bases []string
			for _, base := range p.Deleted {
				bases = append(bases, strconv.FormatInt(base, 10))
			}
			deleted = strings.Join(bases, ",")
		}
		lines = append(lines, fmt.Sprintf("retained %s: deleted %s; starts at %d", p.Partition, deleted, p.Start))
	}
	return lines
}
