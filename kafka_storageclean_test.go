//go:build kafka

package main

import (
	"slices"
	"testing"
	"time"

	"kafkalab/engine/record"
)

// Kafka's broker and the lab's get the same appends, the same configs and the same
// crashes; what they then have in their folders is compared after each.
func TestKafkaStoresAsWeDo(t *testing.T) {
	nodes := storageNodes(t)
	topics := append(shapedTopics(t), codedTopic(t))
	for seed := range uint64(10) {
		topics = append(topics, drawnTopic(t, seed+1))
	}
	s := &storageStory{t, nodes, topics}
	s.append()
	t.Run("cleaner", func(t *testing.T) { s.t = t; s.passes() })
	t.Run("retention", func(t *testing.T) { s.t = t; s.retention() })
	t.Run("crash", func(t *testing.T) { s.t = t; s.crash() })
}

// storageStory is what happens to both.
type storageStory struct {
	t      *testing.T
	nodes  []*storageNode
	topics []*storageTopic
}

// append makes the topics and fills them.
func (s *storageStory) append() {
	s.fill(s.topics)
	keyless := record.NewBuilder(record.Defaults())
	if _, err := keyless.Append(storageTime, nil, []byte("no key")); err != nil {
		s.t.Fatal(err)
	}
	for _, n := range s.nodes {
		if got := n.send("single", keyless.Build()); got != "INVALID_RECORD -1" {
			s.t.Errorf("%s: a record without a key: %s", n.name, got)
		}
	}
	s.compare("after the appends", s.topics)
}

// fill makes topics on both and appends what they hold.
func (s *storageStory) fill(topics []*storageTopic) {
	var answers [2][]string
	for i, n := range s.nodes {
		for _, topic := range topics {
			n.createTopic(topic.name, topic.configs)
			for _, b := range topic.batches {
				answers[i] = append(answers[i], topic.name+" "+n.send(topic.name, b))
			}
		}
	}
	if !slices.Equal(answers[0], answers[1]) {
		s.t.Fatalf("the answers to %d appends differ", len(answers[1]))
	}
	s.t.Logf("%d appends answered alike", len(answers[1]))
}

// alike tells whether the folders are the same by now.
func (s *storageStory) alike(topics []*storageTopic) bool {
	return !slices.ContainsFunc(topics, func(topic *storageTopic) bool {
		return !slices.Equal(s.nodes[0].folderText(topic, true), s.nodes[1].folderText(topic, true))
	})
}

// compare compares the folders of topics while the brokers run.
func (s *storageStory) compare(what string, topics []*storageTopic) {
	lines := 0
	for _, topic := range topics {
		lines += compareFolders(s.nodes, topic, what, true)
	}
	s.t.Logf("%s: %d lines compared", what, lines)
}

// passes lets the cleaner go over all topics, and a second time when
// delete.retention.ms is over.
func (s *storageStory) passes() {
	s.pass("after pass 1")
	for _, n := range s.nodes {
		for _, topic := range s.topics {
			for _, b := range topic.more {
				n.send(topic.name, b)
			}
		}
	}
	time.Sleep(1600 * time.Millisecond) // delete.retention.ms
	s.pass("after pass 2")
}

// pass lets the cleaner go until it has come to the active segment of each
// topic, and holds it back again.
func (s *storageStory) pass(what string) {
	for _, n := range s.nodes {
		for _, topic := range s.topics {
			n.setConfigs(topic.name, "min.cleanable.dirty.ratio=0.01")
		}
	}
	for _, topic := range s.topics {
		for _, n := range s.nodes {
			n.await("a pass over "+topic.name, func() bool {
				bases := n.segments(topic.name)
				return n.cleanedTo(topic.name) == bases[len(bases)-1]
			})
			n.setConfigs(topic.name, "min.cleanable.dirty.ratio=1")
		}
	}
	s.compare(what, s.topics)
}
