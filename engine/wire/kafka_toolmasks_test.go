//go:build kafka

package wire

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// toolMasks are what changes from run to run.
var toolMasks = []struct {
	from *regexp.Regexp
	to   string
}{
	{regexp.MustCompile(`TopicId: \S{22}`), "TopicId: <ID>"},
	{regexp.MustCompile(`\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}\]`), "[<DATE>]"},
	{regexp.MustCompile(`within \[-?\d+, \d+\]`), "within [<LOW>, <HIGH>]"},
	{regexp.MustCompile(`\b1(7[1-9]|[89]\d)\d{10}\b`), "<TIMESTAMP>"}, // not those of fixedTime
	{regexp.MustCompile(`console-consumer-\d+`), "console-consumer-<N>"},
	{regexp.MustCompile(`correlation id \d+`), "correlation id <N>"},
	{regexp.MustCompile(`(?m)^\s+at .*\n`), ""},
	{regexp.MustCompile(`(?m)^\s+\.\.\. \d+ more\n`), ""},
	{regexp.MustCompile(`tries=\d+`), "tries=<N>"},
	{regexp.MustCompile(`after \d+ attempt`), "after <N> attempt"},
	{regexp.MustCompile(`:\d+ ms has passed`), ":<N> ms has passed"},
	{regexp.MustCompile(`Cluster ID: \S+`), "Cluster ID: <ID>"},
}

func (j *judged) maskTool(text string) string {
	for i, addr := range j.addrs {
		text = strings.ReplaceAll(text, addr, fmt.Sprintf("<BROKER-%d>", i+1))
		text = strings.ReplaceAll(text, addr[strings.LastIndexByte(addr, ':')+1:], fmt.Sprintf("<P-%d>", i+1))
		text = strings.ReplaceAll(text, fmt.Sprintf("%s/node-%d", j.dir, i+1), fmt.Sprintf("<DATA-%d>", i+1))
		text = strings.ReplaceAll(text, fmt.Sprintf("%s/broker-%d", j.dir, i+1), fmt.Sprintf("<DATA-%d>", i+1))
	}
	for _, m := range toolMasks {
		text = m.from.ReplaceAllString(text, m.to)
	}
	// How often a client has to ask again is a matter of moments.
	lines := slices.CompactFunc(strings.Split(text, "\n"), func(a, b string) bool { return a == b && strings.HasPrefix(a, "[<DATE>] WARN") })
	return strings.Join(lines, "\n")
}

var number = regexp.MustCompile(`\d+(\.\d+)?`)

// progress is a line that a slow run has and a fast one has not.
var progress = regexp.MustCompile(`(?m)^\d+ records sent, .* ms max latency\.\n`)

// noNumbers is for reports of speed.
func noNumbers(text string) string {
	return number.ReplaceAllString(progress.ReplaceAllString(text, ""), "N")
}

var placed = regexp.MustCompile(`Leader: \d+|(Replicas|Isr): [\d,]+`)

// timedOut is for a call that ends in one of two ways, as its time runs out.
func timedOut(text string) string {
	return regexp.MustCompile(`TimeoutException: .*`).ReplaceAllString(text, "TimeoutException")
}

// noPlaces is for partitions that each cluster has dealt out by chance.
func noPlaces(text string) string {
	return placed.ReplaceAllStringFunc(text, func(s string) string {
		name, values, _ := strings.Cut(s, ": ")
		return fmt.Sprintf("%s: %d of them", name, strings.Count(values, ",")+1)
	})
}

// noEpoch is for the epoch of features, an offset of the metadata log.
func noEpoch(text string) string {
	return regexp.MustCompile(`Epoch: \d+`).ReplaceAllString(text, "Epoch: N")
}

// logDirs puts what is in the log directories in order: Kafka's is that of a
// hash map.
func logDirs(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if !strings.HasPrefix(line, "{") {
			continue
		}
		var tree any
		if json.Unmarshal([]byte(line), &tree) != nil {
			continue
		}
		lines[i] = inOrder(tree)
	}
	return strings.Join(lines, "\n")
}

func inOrder(tree any) string {
	switch x := tree.(type) {
	case []any:
		var items []string
		for _, item := range x {
			items = append(items, inOrder(item))
		}
		slices.Sort(items)
		return fmt.Sprint(items)
	case map[string]any:
		var items []string
		for _, name := range slices.Sorted(maps.Keys(x)) {
			items = append(items, name+"="+inOrder(x[name]))
		}
		return fmt.Sprint(items)
	}
	return fmt.Sprint(tree)
}

// ofItsOwn are broker configs that say where a node runs and how it was set up.
var ofItsOwn = regexp.MustCompile(`(?m)^  (advertised\.listeners|broker\.id|controller\.listener\.names|controller\.quorum\.voters|group\.initial\.rebalance\.delay\.ms|listeners|log\.dirs|node\.id|offsets\.topic\.\S*|process\.roles|share\.coordinator\.state\.topic\.\S*|transaction\.state\.log\.\S*)=.*\n`)

func brokerConfigs(text string) string { return noOrder(ofItsOwn.ReplaceAllString(text, "")) }

var unserved = regexp.MustCompile(`(?m)^\t(\w+\(\d+\)): UNSUPPORTED,?$`)

// onlyServed leaves out the requests that the lab does not serve; a line of
// Kafka's about each of them is there all the same. Brokers come in any order.
func onlyServed(ours, theirs string) (string, string) {
	absent := map[string]bool{}
	for _, m := range unserved.FindAllStringSubmatch(ours, -1) {
		absent[m[1]] = true
	}
	keep := func(text string) string {
		lines := strings.Split(text, "\n")
		for i, line := range lines {
			if name, _, ok := strings.Cut(strings.TrimSpace(line), ":"); ok && absent[name] {
				lines[i] = "\tnot served"
			}
			lines[i] = strings.TrimSuffix(lines[i], ",")
		}
		slices.Sort(lines)
		return strings.Join(lines, "\n")
	}
	return keep(ours), keep(theirs)
}

var partitionList = regexp.MustCompile(`[\w.]+-\d+(, [\w.]+-\d+)+`)

// partitionOrder is for partitions in the order of a hash map.
func partitionOrder(text string) string {
	return partitionList.ReplaceAllStringFunc(text, func(list string) string {
		names := strings.Split(list, ", ")
		slices.Sort(names)
		return strings.Join(names, ", ")
	})
}

// noOrder is for lines in the order of a hash map.
func noOrder(text string) string {
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
