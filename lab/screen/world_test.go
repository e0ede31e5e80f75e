package screen

import (
	"fmt"
	"strings"
	"testing"

	"kafkalab/engine/trace"
)

func TestChanges(t *testing.T) {
	for line, want := range map[string]bool{
		"": false, "# x": false, "show cluster": false, "tick 1m": false, "until t/0.hw == 5": false, "restart broker-1": true,
		"kafka-topics.sh --describe --topic t": false, "kafka-topics.sh --alter --topic t --partitions 2": true, "produce t": true, "consume t": false,
	} {
		if got := changes(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

func TestWithAcks(t *testing.T) {
	for line, want := range map[string]string{
		"produce t count=2": "produce t count=2 acks=1", "produce t acks=all": "produce t acks=all", "produce t as=p": "produce t as=p",
		"producer p": "producer p", "tick 1s": "tick 1s",
	} {
		if got := withAcks(line, "1"); got != want {
			t.Errorf("%q: %q", line, got)
		}
	}
}

// A long chain of rounds that are alike is told once, and no event is lost that
// is not counted.
func TestFold(t *testing.T) {
	chain := []trace.Event{{Node: "app", Body: trace.CommandGiven{Text: "last"}}}
	for i := range 30 {
		chain = append(chain,
			trace.Event{Node: "app", Body: trace.CommandGiven{Text: fmt.Sprintf("sends %d", i)}},
			trace.Event{Node: "broker-1", Body: trace.CommandGiven{Text: fmt.Sprintf("answers %d", i)}})
	}
	chain = append(chain, trace.Event{Node: "app", Body: trace.CommandGiven{Text: "first"}})
	links := fold(chain)
	events := 0
	for _, l := range links {
		if l.times > 0 {
			events += l.period * l.times
		} else {
			events++
		}
	}
	if len(links) != 5 || events != len(chain) {
		t.Errorf("%d links, %d of %d events", len(links), events, len(chain))
	}
	if got := fold(chain[:5]); len(got) != 5 {
		t.Errorf("two rounds are told in full: %d", len(got))
	}
}

func TestLookUp(t *testing.T) {
	index := []find{
		{kind: foundLesson, title: "Storage", allLow: "storage index", titleLow: "storage"},
		{kind: foundLesson, title: "Index", allLow: "index", titleLow: "index"},
		{kind: foundTerm, title: "offset index", also: []string{".index"}, allLow: "offset index .index", titleLow: "offset index"},
	}
	var titles []string
	for _, f := range lookUp(index, " INDEX ") {
		titles = append(titles, f.title)
	}
	if got := strings.Join(titles, ", "); got != "Index, Storage, offset index" {
		t.Error(got)
	}
	if got := lookUp(index, "index zookeeper"); len(got) != 0 {
		t.Errorf("%v", got)
	}
	if got := lookUp(index, "  "); len(got) != 0 {
		t.Errorf("%v", got)
	}
}
