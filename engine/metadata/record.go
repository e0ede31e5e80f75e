// Package metadata is the language of the cluster metadata log: the records
// that controllers write and brokers replay, and the image of the cluster that
// replaying them gives. Controllers and brokers share nothing but these bytes.
//
// Source: metadata/src/main/resources/common/metadata/*.json, and
// org.apache.kafka.server.common.serialization.AbstractApiMessageSerde for the
// frame around each record.
package metadata

import "fmt"

// TopicName is the topic of the metadata log; it has one partition.
const TopicName = "__cluster_metadata"

// TopicID is the id that Kafka reserves for the metadata log's topic.
var TopicID = [16]byte{15: 1}

// NoLeader is the leader of a partition that has none.
const NoLeader int32 = -1

// Record is one record of the metadata log.
type Record interface {
	apiKey() uint64
	version() uint64
	encode(*writer)
	decode(version uint64, r *reader)
}

const frameVersion = 1

// Encode gives the value of a record of the metadata log; its key is null.
func Encode(rec Record) []byte {
	var w writer
	w.uvarint(frameVersion)
	w.uvarint(rec.apiKey())
	w.uvarint(rec.version())
	rec.encode(&w)
	return w.b
}

// Decode reads the value of a record of the metadata log. A kind that this
// engine does not use comes back as *Unknown.
func Decode(value []byte) (Record, error) {
	r := &reader{b: value}
	frame, key, version := r.uvarint(), r.uvarint(), r.uvarint()
	if r.err != nil {
		return nil, fmt.Errorf("metadata record: %w", r.err)
	}
	if frame != frameVersion {
		return nil, fmt.Errorf("metadata record: frame version %d, only %d is known", frame, frameVersion)
	}
	make, ok := kinds[key]
	if !ok {
		return &Unknown{Key: key}, nil
	}
	rec := make()
	rec.decode(version, r)
	if r.err != nil {
		return nil, fmt.Errorf("metadata record %T: %w", rec, r.err)
	}
	return rec, nil
}

var kinds = map[uint64]func() Record{
	0:  func() Record { return &RegisterBroker{} },
	2:  func() Record { return &Topic{} },
	3:  func() Record { return &Partition{} },
	4:  func() Record { return &Config{} },
	5:  func() Record { return &PartitionChange{} },
	9:  func() Record { return &RemoveTopic{} },
	12: func() Record { return &FeatureLevel{} },
	15: func() Record { return &ProducerIDs{} },
	17: func() Record { return &BrokerRegistrationChange{} },
	20: func() Record { return &NoOp{} },
	23: func() Record { return &BeginTransaction{} },
	24: func() Record { return &EndTransaction{} },
}

// Unknown is a record of a kind that this engine neither writes nor uses.
type Unknown struct{ Key uint64 }

func (u *Unknown) apiKey() uint64         { return u.Key }
func (u *Unknown) version() uint64        { return 0 }
func (u *Unknown) encode(*writer)         {}
func (u *Unknown) decode(uint64, *reader) {}
