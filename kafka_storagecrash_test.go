//go:build kafka

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// tornTopic is a topic and the damage that is done to it after the kill.
type tornTopic struct {
	*storageTopic
	segment int    // how many segments before the last
	what    string // cut, zeros, flip, noindex, notimeindex or nothing
	n       int    // bytes, or the place of the flip counted from the file's end
}

// tornTopics are logs of small segments, some of producers with sequences.
func tornTopics(t testing.TB) []*tornTopic {
	var list []*tornTopic
	for i, what := range []string{"nothing", "cut", "zeros", "flip", "noindex", "notimeindex", "cut", "cut", "zeros", "flip", "cut", "flip"} {
		rng := rand.New(rand.NewPCG(uint64(i), 5))
		topic := drawnTopic(t, 100+uint64(i))
		topic.name, topic.configs = fmt.Sprint("torn-", i), []string{"retention.ms=-1", "internal.segment.bytes=600", "index.interval.bytes=100", "segment.index.bytes=4096", "file.delete.delay.ms=0"}
		topic.batches = topic.batches[:len(topic.batches)-2-rng.IntN(6)]
		list = append(list, &tornTopic{topic, rng.IntN(2) * (i % 3), what, 1 + rng.IntN(90)})
	}
	return list
}

// damage does to a node's folder what the topic says.
func (d *tornTopic) damage(n *storageNode) {
	n.t.Helper()
	bases := n.segments(d.name)
	base := bases[max(len(bases)-1-d.segment, 0)]
	file := func(suffix string) string {
		return filepath.Join(n.logs, d.name+"-0", fmt.Sprintf("%020d%s", base, suffix))
	}
	log := file(".log")
	data, err := os.ReadFile(log)
	if err != nil {
		n.t.Fatal(err)
	}
	switch d.what {
	case "cut":
		err = os.Truncate(log, int64(max(len(data)-d.n, 0)))
	case "zeros":
		err = os.Truncate(log, int64(len(data)+d.n))
	case "flip":
		data[max(len(data)-d.n, 21)] ^= 1
		err = os.WriteFile(log, data, 0o644)
	case "noindex":
		err = os.Remove(file(".index"))
	case "notimeindex":
		err = os.Remove(file(".timeindex"))
	}
	if err != nil {
		n.t.Fatal(err)
	}
}

// crash kills both brokers, damages their folders alike, starts them, and ends
// them cleanly.
func (s *storageStory) crash() {
	list := tornTopics(s.t)
	var topics []*storageTopic
	for _, d := range list {
		topics = append(topics, d.storageTopic)
	}
	s.fill(topics)
	s.compare("before", topics)
	bothNodes(s.nodes, func(n *storageNode) { n.end(syscall.SIGKILL) })
	for _, n := range s.nodes {
		for _, d := range list {
			d.damage(n)
		}
		n.start()
	}
	s.topics = append(s.topics, topics...)
	for _, n := range s.nodes {
		for _, topic := range s.topics {
			n.await("the leader of "+topic.name, func() bool { _, err := strconv.Atoi(n.offset(topic.name, -1)); return err == nil })
		}
	}
	s.compare("after the kill", s.topics)
	bothNodes(s.nodes, func(n *storageNode) { n.end(syscall.SIGTERM) })
	lines := 0
	for _, topic := range s.topics {
		lines += compareFolders(s.nodes, topic, "after the clean stop", false)
		s.compareEpochs(topic)
	}
	s.t.Logf("after the clean stop: %d lines compared", lines)
	s.compareCheckpoints()
}

// compareEpochs compares a topic's leader epochs.
func (s *storageStory) compareEpochs(topic *storageTopic) {
	var texts []string
	for _, n := range s.nodes {
		data, err := os.ReadFile(filepath.Join(n.logs, topic.name+"-0", "leader-epoch-checkpoint"))
		if err != nil {
			s.t.Fatal(err)
		}
		texts = append(texts, string(data))
	}
	if texts[0] != texts[1] {
		s.t.Errorf("%s: leader epochs %q, Kafka's %q", topic.name, texts[0], texts[1])
	}
}

// compareCheckpoints compares the four files at the root of the log directories,
// whose order is that of a hash map.
func (s *storageStory) compareCheckpoints() {
	for _, name := range []string{"recovery-point-offset-checkpoint", "log-start-offset-checkpoint", "replication-offset-checkpoint", "cleaner-offset-checkpoint"} {
		var lists [][]string
		for _, n := range s.nodes {
			data, err := os.ReadFile(filepath.Join(n.logs, name))
			if err != nil {
				s.t.Fatal(err)
			}
			lines := strings.Split(string(data), "\n")
			lines = slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, "__") })
			slices.Sort(lines)
			lists = append(lists, lines)
		}
		for _, line := range lists[1] {
			if !slices.Contains(lists[0], line) {
				s.t.Errorf("%s: Kafka has %q", name, line)
			}
		}
		for _, line := range lists[0] {
			if !slices.Contains(lists[1], line) {
				s.t.Errorf("%s: only the lab has %q", name, line)
			}
		}
	}
}
