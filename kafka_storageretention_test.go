//go:build kafka

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"kafkalab/engine/record"
)

// retained is a topic and what then makes a part of it go.
type retained struct {
	storageTopic
	set    string // a config
	delete int64  // or DeleteRecords up to here, if not 0
	answer string // to DeleteRecords
}

const hourMs = 3600 * 1000

// filled is a topic of small segments with a batch of so many bytes at each time
// (ms from storageTime on).
func filled(t testing.TB, name string, sizes []int, times []int64) storageTopic {
	topic := storageTopic{name: name, configs: []string{
		"retention.ms=-1", "internal.segment.bytes=600", "index.interval.bytes=100", "segment.index.bytes=4096", "file.delete.delay.ms=0",
	}}
	for i, size := range sizes {
		topic.batches = append(topic.batches, built(t, record.Defaults(), storageTime+times[i], keyed{fmt.Sprint("k", i), string(bytes.Repeat([]byte("v"), size-100))}, keyed{"x", "y"}))
	}
	return topic
}

// retainedTopics are topics of which a part goes: by size, by time, by request.
func retainedTopics(t testing.TB) []*retained {
	same := func(n int, value int) (list []int) {
		for range n {
			list = append(list, value)
		}
		return list
	}
	at := func(hours ...int64) (list []int64) {
		for _, h := range hours {
			list = append(list, h*hourMs)
		}
		return list
	}
	zero := make([]int64, 12)
	list := []*retained{
		{storageTopic: filled(t, "size", same(12, 250), zero), set: "retention.bytes=1200"},
		{storageTopic: filled(t, "size-of-the-rest", same(12, 250), zero), set: "retention.bytes=1000"},
		{storageTopic: filled(t, "size-not-reached", same(4, 250), zero), set: "retention.bytes=100000"},
		{storageTopic: filled(t, "old-ones", same(8, 300), at(-9, -9, -9, -9, 0, 0, -9, 0)), set: "retention.ms=7200000"},
		{storageTopic: filled(t, "all-old", same(5, 300), at(-9, -9, -9, -9, -9)), set: "retention.ms=7200000"},
		{storageTopic: filled(t, "young-first", same(6, 300), at(0, 0, -9, -9, -9, 0)), set: "retention.ms=7200000"},
		{storageTopic: filled(t, "inside-a-batch", same(8, 250), zero), delete: 9, answer: "NONE 9"},
		{storageTopic: filled(t, "at-an-edge", same(8, 250), zero), delete: 8, answer: "NONE 8"},
		{storageTopic: filled(t, "to-the-end", same(8, 250), zero), delete: -1, answer: "NONE 16"},
		{storageTopic: filled(t, "beyond-the-end", same(8, 250), zero), delete: 17, answer: "OFFSET_OUT_OF_RANGE -1"},
	}
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 4))
		var sizes []int
		var times []int64
		for range 8 + rng.IntN(12) {
			sizes, times = append(sizes, 120+rng.IntN(400)), append(times, -9*hourMs*int64(rng.IntN(2)))
		}
		r := &retained{storageTopic: filled(t, fmt.Sprint("kept-", seed), sizes, times)}
		switch seed % 3 {
		case 0:
			r.set = fmt.Sprint("retention.bytes=", 500+rng.IntN(2000))
		case 1:
			r.set = "retention.ms=7200000"
		default:
			r.delete = int64(1 + rng.IntN(2*len(sizes)))
			r.answer = fmt.Sprint("NONE ", r.delete)
		}
		list = append(list, r)
	}
	return list
}

// retention makes segments go, on topics that are deleted from and on one that
// is compacted as well.
func (s *storageStory) retention() {
	list := retainedTopics(s.t)
	var topics []*storageTopic
	for _, r := range list {
		topics = append(topics, &r.storageTopic)
	}
	s.fill(topics)
	s.compare("before", topics)
	for _, n := range s.nodes {
		for _, r := range list {
			if r.set != "" {
				n.setConfigs(r.name, r.set)
			} else if got := n.deleteRecords(r.name, r.delete); got != r.answer {
				s.t.Errorf("%s: DeleteRecords of %s to %d: %s, want %s", n.name, r.name, r.delete, got, r.answer)
			}
		}
		for _, topic := range s.topics {
			if topic.configs[0] == "cleanup.policy=compact,delete" {
				n.setConfigs(topic.name, "retention.bytes=700")
			}
		}
	}
	for _, n := range s.nodes {
		n.await("the deletion of segments", func() bool {
			return n.segments("size")[0] > 0 && n.segments("all-old")[0] == 10 && n.segments("at-an-edge")[0] == 8
		})
		if start, err := strconv.Atoi(n.offset("young-first", -2)); start != 0 || err != nil {
			s.t.Errorf("%s: young segments do not shield old ones: start %d", n.name, start)
		}
	}
	time.Sleep(time.Second) // more than one check, unless the machine is slow
	for range 500 {
		if s.alike(topics) && s.alike(s.topics) {
			break
		}
		s.nodes[0].pass()
	}
	s.compare("after", topics)
	s.compare("compacted and deleted", s.topics)
	s.topics = append(s.topics, topics...)
}
