package client

import (
	"maps"
	"slices"

	"kafkalab/engine/kerror"
)

// moved takes what a broker says that is not the leader (KIP-951); it counts
// only if it is newer than what is known (Metadata#updatePartitionLeadership).
func (m *producerMetadata) moved(k partitionKey, leader, epoch int32, endpoints []int32) {
	r, known := m.topics[k.topic]
	if !known || leader < 0 || epoch < 0 || int(k.partition) >= len(r.leaders) || epoch <= r.epochs[k.partition] {
		return
	}
	if !slices.Contains(m.brokers, leader) {
		if !slices.Contains(endpoints, leader) {
			return
		}
		m.brokers = append(m.brokers, leader)
		slices.Sort(m.brokers)
	}
	r.leaders, r.epochs = slices.Clone(r.leaders), slices.Clone(r.epochs)
	r.leaders[k.partition], r.epochs[k.partition] = leader, epoch
	m.topics[k.topic], m.seen[k] = r, epoch
}

// leader is who leads a partition, with its epoch; ok is false when nobody is
// known to.
func (m *producerMetadata) leader(k partitionKey) (leader, epoch int32, ok bool) {
	r, known := m.topics[k.topic]
	if !known || int(k.partition) >= len(r.leaders) || !slices.Contains(m.brokers, r.leaders[k.partition]) {
		return -1, -1, false
	}
	return r.leaders[k.partition], r.epochs[k.partition], true
}

// available lists the partitions of a topic that have a leader.
func (m *producerMetadata) available(topic string) []int32 {
	var list []int32
	for p := range m.topics[topic].leaders {
		if _, _, ok := m.leader(partitionKey{topic, int32(p)}); ok {
			list = append(list, int32(p))
		}
	}
	return list
}

// ledBy lists the partitions that a node leads, by topic and number.
func (m *producerMetadata) ledBy(node int32) []partitionKey {
	var list []partitionKey
	for _, topic := range slices.Sorted(maps.Keys(m.topics)) {
		for p, leader := range m.topics[topic].leaders {
			if leader == node {
				list = append(list, partitionKey{topic, int32(p)})
			}
		}
	}
	return list
}

// invalidMetadata tells whether an error says that the metadata is wrong, which
// is a reason to ask for it (InvalidMetadataException).
func invalidMetadata(code kerror.Code) bool {
	switch code {
	case kerror.UnknownTopicOrPartition, kerror.LeaderNotAvailable, kerror.NotLeaderOrFollower, kerror.ReplicaNotAvailable,
		kerror.NetworkException, kerror.KafkaStorageError, kerror.ListenerNotFound, kerror.FencedLeaderEpoch,
		kerror.UnknownTopicId, kerror.InconsistentTopicId:
		return true
	}
	return false
}
