// Package fetchsession is both halves of the incremental fetch session of
// KIP-227. A fetcher that asks for a thousand partitions twice a second would
// name all of them every time, and be told of all of them, though next to
// nothing has changed. Within a session it names only what has changed since
// it last asked, and the answer leaves out what the fetcher knows already.
//
// Handler is the fetcher's half, Cache the one of the broker that is asked.
// They meet in two fields of a Fetch: the session's id, and an epoch that
// grows by one with each fetch, so that both notice if one was lost.
package fetchsession

import (
	"math"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// Epochs with a meaning of their own. Source: FetchMetadata.
const (
	InitialEpoch int32 = 0  // a full fetch that asks for a new session
	FinalEpoch   int32 = -1 // a full fetch that wants none, and closes the one it names
	noSession    int32 = 0  // the id of no session
)

// NextEpoch is the epoch of the fetch after one of the given epoch; the epoch
// after the largest is 1, since 0 asks for a new session.
func NextEpoch(epoch int32) int32 {
	switch {
	case epoch < 0:
		return FinalEpoch
	case epoch == math.MaxInt32:
		return 1
	default:
		return epoch + 1
	}
}

// Key names a partition within a session. From version 13 of Fetch on topics
// go by their id and Topic is not looked at; before that they go by name.
type Key struct {
	TopicID   [16]byte
	Topic     string
	Partition int32
}

func keyOf(id [16]byte, topic string, partition int32) Key {
	if id != [16]byte{} {
		topic = ""
	}
	return Key{id, topic, partition}
}

// Part is one partition of a fetch: what is wanted of it, and from where.
type Part struct {
	Topic   string
	TopicID [16]byte
	Wanted  kmsg.FetchRequestTopicPartition
}

func (p *Part) key() Key { return keyOf(p.TopicID, p.Topic, p.Wanted.Partition) }

// PartsOf are the partitions that a fetch names, in its order. Of one that is
// named twice the last wish counts (FetchRequest#fetchData).
func PartsOf(req *kmsg.FetchRequest) []Part {
	n := 0
	for ti := range req.Topics {
		n += len(req.Topics[ti].Partitions)
	}
	out := make([]Part, 0, n)
	for ti := range req.Topics {
		t := &req.Topics[ti]
		for _, p := range t.Partitions {
			out = append(out, Part{Topic: t.Topic, TopicID: t.TopicID, Wanted: p})
		}
	}
	return withoutDoubles(out)
}

func withoutDoubles(parts []Part) []Part {
	if len(parts) < 2 {
		return parts
	}
	at := make(map[Key]int, len(parts))
	out := parts[:0]
	for _, p := range parts {
		if i, ok := at[p.key()]; ok {
			out[i] = p
			continue
		}
		at[p.key()] = len(out)
		out = append(out, p)
	}
	return out
}

// sameWish tells whether two fetches of a partition ask for the same
// (FetchRequest.PartitionData#equals).
func sameWish(a, b *kmsg.FetchRequestTopicPartition) bool {
	return a.FetchOffset == b.FetchOffset && a.LogStartOffset == b.LogStartOffset && a.PartitionMaxBytes == b.PartitionMaxBytes &&
		a.CurrentLeaderEpoch == b.CurrentLeaderEpoch && a.LastFetchedEpoch == b.LastFetchedEpoch
}
