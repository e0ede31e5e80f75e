//go:build kafka

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"kafkalab/engine/record"
)

// storageTopic is a topic of one partition and what is appended to it.
type storageTopic struct {
	name    string
	configs []string
	batches [][]byte
	coded   bool // batches are compressed: what is rewritten has other bytes than Kafka's
	more    [][]byte
}

// keyed is a record of a test; a value of "" is a tombstone.
type keyed struct{ key, value string }

func built(t testing.TB, o record.Options, ms int64, list ...keyed) []byte {
	t.Helper()
	b := record.NewBuilder(o)
	for i, r := range list {
		value := []byte(r.value)
		if r.value == "" {
			value = nil
		}
		var headers []record.Header
		if i%3 == 1 {
			headers = []record.Header{{Key: "h", Value: []byte(r.key)}, {Key: "none"}}
		}
		if _, err := b.Append(ms+int64(i), []byte(r.key), value, headers...); err != nil {
			t.Fatal(err)
		}
	}
	return slices.Clone(b.Build())
}

// compactConfigs hold the cleaner back until the test lets it go.
func compactConfigs(more ...string) []string {
	return append([]string{
		"cleanup.policy=compact", "min.cleanable.dirty.ratio=1", "delete.retention.ms=1500", "retention.ms=-1", "file.delete.delay.ms=0",
		"index.interval.bytes=100", "segment.index.bytes=4096",
	}, more...)
}

// big is a batch that has a segment of 600 bytes to itself.
func big(t testing.TB, i int) []byte {
	return built(t, record.Defaults(), storageTime+int64(9000+i), keyed{fmt.Sprint("filler", i), string(bytes.Repeat([]byte("f"), 480))})
}

// shapedTopics are compacted topics of shapes with a name.
func shapedTopics(t testing.TB) []*storageTopic {
	plain := record.Defaults()
	idempotent := func(pid int64, seq int32) record.Options {
		o := plain
		o.ProducerID, o.ProducerEpoch, o.BaseSequence = pid, 0, seq
		return o
	}
	small := compactConfigs("internal.segment.bytes=600")
	single := &storageTopic{name: "single", configs: small}
	for i, key := range []string{"A", "B", "A", "C", "A", "D", "B", "E", "A", "F"} {
		single.batches = append(single.batches, built(t, plain, storageTime+int64(i), keyed{key, fmt.Sprint(i)}))
	}
	several := &storageTopic{name: "several", configs: small}
	for i := range 8 {
		several.batches = append(several.batches, built(t, plain, storageTime+int64(i*10), keyed{"A", fmt.Sprint(i)}, keyed{fmt.Sprint("K", i%3), "x"}, keyed{"A", "last"}, keyed{fmt.Sprint("L", i), "y"}))
	}
	dead := &storageTopic{name: "tombstones", configs: small}
	for i := range 12 {
		value := fmt.Sprint("v", i)
		if i%3 == 2 {
			value = ""
		}
		dead.batches = append(dead.batches, built(t, plain, storageTime+int64(i), keyed{fmt.Sprint("K", i%5), value}, keyed{"T", ""}))
	}
	live := &storageTopic{name: "producers", configs: small}
	for i := range int32(6) {
		live.batches = append(live.batches, built(t, idempotent(7001, i*2), storageTime+int64(i), keyed{"A", "1"}, keyed{"B", "2"}))
	}
	live.batches = append(live.batches, built(t, idempotent(7002, 0), storageTime+7, keyed{"A", "3"}), built(t, idempotent(7002, 1), storageTime+8, keyed{"B", "4"}))
	list := []*storageTopic{single, several, dead, live}
	for _, topic := range list {
		topic.batches = append(topic.batches, big(t, 0), big(t, 1))
		topic.more = [][]byte{big(t, 2), big(t, 3)}
	}
	return list
}

// codedTopic has batches of every codec and rolls by time: sizes are not the
// same in the end.
func codedTopic(t testing.TB) *storageTopic {
	topic := &storageTopic{name: "coded", configs: compactConfigs("segment.ms=1000"), coded: true}
	o := record.Defaults()
	for i := range 15 {
		o.Codec = record.Codec(i % 5)
		value := ""
		if i%4 != 0 {
			value = fmt.Sprint("value ", i)
		}
		topic.batches = append(topic.batches, built(t, o, storageTime+int64(i/4)*5000, keyed{fmt.Sprint("K", i%4), value}, keyed{fmt.Sprint("N", i), "once"}, keyed{"A", fmt.Sprint(i)}))
	}
	for i := range 2 {
		topic.more = append(topic.more, built(t, o, storageTime+int64(40+10*i)*1000, keyed{fmt.Sprint("filler", i), "x"}))
	}
	return topic
}

// drawnTopic is a compacted topic by chance.
func drawnTopic(t testing.TB, seed uint64) *storageTopic {
	rng := rand.New(rand.NewPCG(seed, 3))
	topic := &storageTopic{name: fmt.Sprint("drawn-", seed), configs: compactConfigs("internal.segment.bytes=600")}
	if rng.IntN(3) == 0 {
		topic.configs[0] = "cleanup.policy=compact,delete"
	}
	next := map[int64]int32{}
	for i := range 20 + rng.IntN(30) {
		o := record.Defaults()
		list := make([]keyed, 1+rng.IntN(4))
		for j := range list {
			list[j] = keyed{fmt.Sprint("k", rng.IntN(8)), string(bytes.Repeat([]byte("v"), rng.IntN(50)))}
			if rng.IntN(4) == 0 {
				list[j].value = ""
			}
		}
		if pid := int64(rng.IntN(6)); pid < 4 && pid > 0 {
			o.ProducerID, o.ProducerEpoch, o.BaseSequence = 8000+pid, 0, next[pid]
			next[pid] += int32(len(list))
		}
		topic.batches = append(topic.batches, built(t, o, storageTime+int64(i*7+rng.IntN(20)), list...))
	}
	topic.batches = append(topic.batches, big(t, 0), big(t, 1))
	topic.more = [][]byte{big(t, 2), big(t, 3)}
	return topic
}
