package broker

import (
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/storage"
)

// Timestamps of ListOffsets that stand for a place in the log (ListOffsetsRequest).
const (
	latestTimestamp   = -1
	earliestTimestamp = -2
	maxTimestamp      = -3
	earliestLocal     = -4
	latestTiered      = -5
	pendingUpload     = -6
)

// debugConsumer is a replica id whose questions every replica answers, from
// its own log.
const debugConsumer = -2

// listOffsets finds offsets by timestamp. A partition that is asked for twice
// is answered once, with an error.
// Source: KafkaApis#handleListOffsetRequest, ReplicaManager#fetchOffset.
func (b *Broker) listOffsets(msg *kmsg.ListOffsetsRequest) *kmsg.ListOffsetsResponse {
	resp := kmsg.NewPtrListOffsetsResponse()
	count := map[tp]int{}
	for i := range msg.Topics {
		for j := range msg.Topics[i].Partitions {
			count[tp{msg.Topics[i].Topic, msg.Topics[i].Partitions[j].Partition}]++
		}
	}
	for ti := range msg.Topics {
		t := &msg.Topics[ti]
		out := kmsg.NewListOffsetsResponseTopic()
		out.Topic = t.Topic
		for pi := range t.Partitions {
			switch n := count[tp{t.Topic, t.Partitions[pi].Partition}]; {
			case n > 1:
				count[tp{t.Topic, t.Partitions[pi].Partition}] = 0
				twice := noOffset(t.Partitions[pi].Partition)
				twice.ErrorCode = int16(kerror.InvalidRequest)
				out.Partitions = append(out.Partitions, twice)
			case n == 1:
				out.Partitions = append(out.Partitions, b.listOffset(msg, t.Topic, &t.Partitions[pi]))
			}
		}
		resp.Topics = append(resp.Topics, out)
	}
	return resp
}

func noOffset(partition int32) kmsg.ListOffsetsResponseTopicPartition {
	out := kmsg.NewListOffsetsResponseTopicPartition()
	out.Partition, out.Timestamp, out.Offset, out.LeaderEpoch = partition, -1, -1, -1
	return out
}

// timestampSince says from which version on a timestamp that stands for a place
// may be asked for (ReplicaManager#isListOffsetsTimestampUnsupported).
var timestampSince = map[int64]int16{maxTimestamp: 7, earliestLocal: 8, latestTiered: 9, pendingUpload: 11}

// placeKnown tells whether a version has a place of that number.
func placeKnown(timestamp int64, version int16) bool {
	if timestamp >= earliestTimestamp {
		return true
	}
	since, ok := timestampSince[timestamp]
	return ok && version >= since
}

func (b *Broker) listOffset(msg *kmsg.ListOffsetsRequest, topic string, in *kmsg.ListOffsetsRequestTopicPartition) kmsg.ListOffsetsResponseTopicPartition {
	out := noOffset(in.Partition)
	p, kerr := b.local(topic, in.Partition)
	switch {
	case !placeKnown(in.Timestamp, msg.Version):
		kerr = &kerror.Error{Code: kerror.UnsupportedVersion}
	case kerr != nil:
	case p.checkEpoch(in.CurrentLeaderEpoch) != nil:
		kerr = p.checkEpoch(in.CurrentLeaderEpoch)
	case !p.leads(b.ID) && msg.ReplicaID != debugConsumer:
		kerr = &kerror.Error{Code: kerror.NotLeaderOrFollower}
	}
	if kerr != nil {
		out.ErrorCode = int16(kerr.Code)
		b.refuse("ListOffsets", tp{topic, in.Partition}, kerr)
		return out
	}
	b.findOffset(p, msg, in, &out)
	return out
}

// findOffset looks an offset up. A leader whose high watermark has not reached
// the start of its own epoch yet does not know what is committed: instead of an
// end that moves back it says that it does not know.
// Source: Partition#fetchOffsetForTimestamp.
func (b *Broker) findOffset(p *Partition, msg *kmsg.ListOffsetsRequest, in *kmsg.ListOffsetsRequestTopicPartition, out *kmsg.ListOffsetsResponseTopicPartition) {
	bound := p.log.LogEndOffset()
	if msg.ReplicaID == consumer {
		bound = p.log.HighWatermark()
		if msg.IsolationLevel == 1 {
			bound = p.log.LastStableOffset()
		}
	}
	found, unsure := false, p.leads(b.ID) && p.epochStart() > bound
	switch in.Timestamp {
	case latestTimestamp:
		if found = !unsure; found {
			out.Offset, out.LeaderEpoch = bound, p.leaderEpoch
		}
	case earliestTimestamp, earliestLocal:
		found = true
		out.Offset, out.LeaderEpoch = p.log.LogStartOffset(), p.epochAt(p.log.LogStartOffset())
	case latestTiered, pendingUpload:
		// nothing is tiered
	default:
		ts, offset, epoch, ok, kerr := lookUpTime(p.log, in.Timestamp)
		if kerr != nil {
			out.ErrorCode = int16(kerr.Code)
			return
		}
		if found = ok && offset < bound; found {
			out.Timestamp, out.Offset, out.LeaderEpoch = ts, offset, epoch
		}
	}
	switch {
	case found || !unsure:
	case msg.Version >= 5:
		out.ErrorCode = int16(kerror.OffsetNotAvailable)
	default: // older clients do not know that code
		out.ErrorCode = int16(kerror.LeaderNotAvailable)
	}
}

// lookUpTime finds the first record as late as a time, or the one that is the
// latest of all.
func lookUpTime(log *storage.Log, timestamp int64) (ts, offset int64, epoch int32, found bool, kerr *kerror.Error) {
	if timestamp == maxTimestamp {
		ts, offset, epoch, found = log.OffsetOfMaxTimestamp()
		return ts, offset, epoch, found, nil
	}
	at, kerr := log.LookupTimestamp(timestamp)
	if kerr != nil {
		return 0, 0, 0, false, kerr
	}
	return at.Timestamp, at.Offset, at.LeaderEpoch, at.Found, nil
}

// epochStart is where the epoch in which the partition is led began.
func (p *Partition) epochStart() int64 {
	for _, e := range p.log.Epochs() {
		if e.Epoch == p.leaderEpoch {
			return e.Start
		}
	}
	return 0
}

// epochAt is the leader epoch in which an offset was or will be written.
func (p *Partition) epochAt(offset int64) int32 {
	epoch := p.leaderEpoch
	for _, e := range p.log.Epochs() {
		if e.Start <= offset {
			epoch = e.Epoch
		}
	}
	return epoch
}

// local finds a replica that this broker has.
func (b *Broker) local(topic string, partition int32) (*Partition, *kerror.Error) {
	im := b.image.Topic(topic)
	if im == nil || partition < 0 || int(partition) >= len(im.Partitions) {
		return nil, &kerror.Error{Code: kerror.UnknownTopicOrPartition}
	}
	p := b.partitions[tp{topic, partition}]
	if p == nil {
		return nil, &kerror.Error{Code: kerror.NotLeaderOrFollower}
	}
	return p, nil
}

// offsetForLeaderEpoch tells where an epoch ended on this log (KIP-101, KIP-279).
func (b *Broker) offsetForLeaderEpoch(msg *kmsg.OffsetForLeaderEpochRequest) *kmsg.OffsetForLeaderEpochResponse {
	resp := kmsg.NewPtrOffsetForLeaderEpochResponse()
	for ti := range msg.Topics {
		t := &msg.Topics[ti]
		out := kmsg.NewOffsetForLeaderEpochResponseTopic()
		out.Topic = t.Topic
		for pi := range t.Partitions {
			in := &t.Partitions[pi]
			answer := kmsg.NewOffsetForLeaderEpochResponseTopicPartition()
			answer.Partition, answer.LeaderEpoch, answer.EndOffset = in.Partition, -1, -1
			p, kerr := b.local(t.Topic, in.Partition)
			if kerr == nil {
				kerr = p.checkEpoch(in.CurrentLeaderEpoch)
			}
			if kerr == nil && !p.leads(b.ID) {
				kerr = &kerror.Error{Code: kerror.NotLeaderOrFollower}
			}
			if kerr != nil {
				answer.ErrorCode = int16(kerr.Code)
			} else {
				answer.LeaderEpoch, answer.EndOffset = p.log.EndOffsetFor(in.LeaderEpoch)
			}
			out.Partitions = append(out.Partitions, answer)
		}
		resp.Topics = append(resp.Topics, out)
	}
	return resp
}
