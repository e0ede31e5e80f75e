package client

import (
	"math/rand/v2"
	"slices"
)

// sticky is where records of one topic go that have no key, or whose key is not
// to count: to one partition until batch.size bytes have gone there and its
// batch is full, then to one that is drawn; a partition with a long queue is
// drawn less often (BuiltInPartitioner, KIP-480, KIP-794).
type sticky struct {
	partition int32
	chosen    bool
	bytes     int
	// Loads, when the queues are of unequal length: partitions, and the sums of
	// their weights so far.
	loaded []int32
	sums   []int
}

// next draws a partition: by the lengths of the queues if they are known to
// differ, else from those that have a leader, or from all when none has.
func (s *sticky) next(r *rand.Rand, partitions int, available []int32) int32 {
	switch {
	case len(s.loaded) > 0:
		at, exact := slices.BinarySearch(s.sums, r.IntN(s.sums[len(s.sums)-1]))
		if exact {
			at++
		}
		return s.loaded[at]
	case len(available) == 1:
		return available[0]
	case len(available) > 1:
		return available[r.IntN(len(available))]
	}
	return int32(r.IntN(partitions))
}

// load takes the lengths of the queues of the partitions that can be written
// to; all is how many partitions have a queue. Equal ones are no reason to
// prefer any (BuiltInPartitioner#updatePartitionLoadStats).
func (s *sticky) load(partitions []int32, queues []int, all int) {
	s.loaded, s.sums = nil, nil
	if len(queues) < 1 || all < 2 || len(queues) == all && slices.Min(queues) == slices.Max(queues) {
		return
	}
	most, sum := slices.Max(queues)+1, 0
	for i, n := range queues {
		sum += most - n
		s.loaded, s.sums = append(s.loaded, partitions[i]), append(s.sums, sum)
	}
}

// wrote counts bytes that were added to the sticky partition, and tells whether
// it is time for another one: mayLeave says that its batch is full.
func (s *sticky) wrote(bytes, batchSize int, mayLeave bool) (leave bool) {
	s.bytes += bytes
	return s.bytes >= batchSize && mayLeave || s.bytes >= 2*batchSize
}

// partitioner chooses partitions for a producer's records.
type partitioner struct {
	adaptive    bool // partitioner.adaptive.partitioning.enable
	availableMs int64
	ignoreKeys  bool
	roundRobin  bool
	topics      map[string]*sticky
	counters    map[string]int
}

// RoundRobin is the only class that partitioner.class may name beside Kafka's
// own default.
const RoundRobin = "org.apache.kafka.clients.producer.RoundRobinPartitioner"

func (p *partitioner) sticky(topic string) *sticky {
	s := p.topics[topic]
	if s == nil {
		s = &sticky{}
		p.topics[topic] = s
	}
	return s
}

// choose gives a record the partition that its call, the round, or its key
// says; ok is false when it goes to the sticky one (KafkaProducer#partition).
func (p *partitioner) choose(topic string, asked int32, key []byte, partitions int, available []int32) (partition int32, ok bool) {
	switch {
	case asked >= 0:
		return asked, true
	case p.roundRobin:
		n := p.counters[topic]
		p.counters[topic]++
		if len(available) > 0 {
			return available[n%len(available)], true
		}
		return int32(n % partitions), true
	case key != nil && !p.ignoreKeys:
		return PartitionForKey(key, partitions), true
	}
	return 0, false
}
