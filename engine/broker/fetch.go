package broker

import (
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/fetchsession"
	"kafkalab/engine/kerror"
	"kafkalab/engine/metadata"
	"kafkalab/engine/sim"
	"kafkalab/engine/storage"
	"kafkalab/engine/trace"
)

// consumer is the replica id of a fetch that does not come from a broker.
const consumer int32 = -1

// Versions of Fetch from which on a consumer may read from a follower (KIP-392),
// and whoever comes to the wrong broker is told who leads (KIP-951).
const (
	followersReadSince = 11
	leaderToldSince    = 16
)

// fetchRead is the outcome of reading every partition of a fetch once.
type fetchRead struct {
	answers   []fetchsession.Answer
	bytes     int
	atOnce    bool // an answer is due whatever min bytes says
	followers []followerFetch
}

// followerFetch is a position that a follower has told by fetching from it.
type followerFetch struct {
	p     *Partition
	fetch *kmsg.FetchRequestTopicPartition
	leo   int64 // of the leader, before the read
	epoch int64 // the follower's broker epoch, -1 if it does not say
}

// fetch gives a consumer or a follower what is in the log from an offset on,
// or parks it until there is something.
// Source: KafkaApis#handleFetchRequest, ReplicaManager#fetchMessages.
func (b *Broker) fetch(req sim.Request, msg *kmsg.FetchRequest) {
	replica := replicaOf(msg)
	d := &delayedFetch{
		origin: req.Origin, msg: msg, replica: replica,
		context: b.sessions().Open(msg, replica >= 0, b.ctx.Now()),
		rounds:  sim.Rounds{First: b.ctx.Now(), Wait: int64(msg.MaxWaitMillis), Trip: b.ctx.Trip(req.From)},
	}
	b.arrived(d)
}

// sessions are the fetch sessions of this broker; they do not outlive its
// process.
func (b *Broker) sessions() *fetchsession.Cache {
	if b.fetchSessions == nil {
		b.fetchSessions = fetchsession.NewCache(int(b.configs().Int("max.incremental.fetch.session.cache.slots")))
	}
	return b.fetchSessions
}

// arrived reads for a fetch that has come in, or that would have come in again
// after rounds that were skipped.
func (b *Broker) arrived(d *delayedFetch) {
	read := b.read(d)
	for _, f := range read.followers {
		b.followerFetched(d.replica, f)
	}
	if read.atOnce || read.bytes >= b.minBytes(d) || d.msg.MaxWaitMillis <= 0 || len(d.context.Parts) == 0 {
		b.answerFetch(d, read)
		return
	}
	if b.hasData(d) {
		d.starts = d.starts[:0]
		b.answerFetch(d, b.read(d))
		return
	}
	b.park(d)
}

// maxBytes bounds an answer by what the fetch and the broker allow.
func (b *Broker) maxBytes(d *delayedFetch) int32 {
	return min(d.msg.MaxBytes, int32(b.configs().Int("fetch.max.bytes")))
}

func (b *Broker) minBytes(d *delayedFetch) int { return int(min(d.msg.MinBytes, b.maxBytes(d))) }

func replicaOf(msg *kmsg.FetchRequest) int32 {
	if msg.Version >= 15 {
		return msg.ReplicaState.ID
	}
	return msg.ReplicaID
}

// read reads all partitions of a fetch, within the sizes that it allows; the
// first batch of the first partition that has one is given whatever its size.
// Partitions that this cluster does not have come last in the answer.
func (b *Broker) read(d *delayedFetch) fetchRead {
	out := fetchRead{answers: make([]fetchsession.Answer, 0, len(d.context.Parts))}
	budget := b.maxBytes(d)
	var unknown []fetchsession.Answer
	for i := range d.context.Parts {
		answer := fetchsession.Answer{Part: i, FetchResponseTopicPartition: b.readPart(d, i, budget, &out)}
		budget = max(budget-int32(len(answer.RecordBatches)), 0)
		out.bytes += len(answer.RecordBatches)
		if answer.ErrorCode == int16(kerror.UnknownTopicId) || answer.ErrorCode == int16(kerror.UnknownTopicOrPartition) {
			unknown = append(unknown, answer)
			continue
		}
		out.answers = append(out.answers, answer)
	}
	out.answers = append(out.answers, unknown...)
	return out
}

func (b *Broker) readPart(d *delayedFetch, i int, budget int32, out *fetchRead) kmsg.FetchResponseTopicPartition {
	in := &d.context.Parts[i].Wanted
	answer := kmsg.NewFetchResponseTopicPartition()
	answer.Partition, answer.PreferredReadReplica = in.Partition, -1
	answer.RecordBatches = []byte{} // never null: clients take that for a broken answer
	answer.HighWatermark, answer.LastStableOffset, answer.LogStartOffset = -1, -1, -1
	p, kerr := b.fetchable(d, i)
	if kerr == nil {
		leo := p.log.LogEndOffset()
		answer.HighWatermark, answer.LastStableOffset, answer.LogStartOffset = p.log.HighWatermark(), p.log.LastStableOffset(), p.log.LogStartOffset()
		if diverging(p, in, &answer) {
			out.atOnce = true
			return answer
		}
		var data storage.FetchInfo
		limit := b.limit(d, p)
		data, kerr = p.log.Read(in.FetchOffset, min(budget, in.PartitionMaxBytes), limit, out.bytes == 0)
		if kerr == nil {
			if data.FirstIncomplete {
				data.Records = nil // a part of a batch is of no use to anybody
			}
			d.startAt(i, in.FetchOffset, limit, data)
			if len(data.Records) > 0 {
				answer.RecordBatches = data.Records
			}
			b.noteRead(d, p, in, data, limit, out)
			if d.replica >= 0 {
				out.followers = append(out.followers, followerFetch{p: p, fetch: in, leo: leo, epoch: d.msg.ReplicaState.Epoch})
			}
			return answer
		}
		answer.HighWatermark, answer.LastStableOffset, answer.LogStartOffset = -1, -1, -1
	}
	out.atOnce = true
	answer.ErrorCode = int16(kerr.Code)
	if d.msg.Version >= leaderToldSince && (kerr.Code == kerror.NotLeaderOrFollower || kerr.Code == kerror.FencedLeaderEpoch) {
		answer.CurrentLeader.LeaderID, answer.CurrentLeader.LeaderEpoch = b.leaderOf(tp{b.topicOf(d, i), in.Partition})
	}
	b.refuse("Fetch", tp{b.topicOf(d, i), in.Partition}, kerr)
	return answer
}

// noteRead tells what was found. A consumer between the high watermark and the
// log end gets an empty answer at once, it is never parked.
func (b *Broker) noteRead(d *delayedFetch, p *Partition, in *kmsg.FetchRequestTopicPartition, data storage.FetchInfo, limit int64, out *fetchRead) {
	if in.FetchOffset > limit {
		out.atOnce = true
	}
	if len(data.Records) == 0 {
		return
	}
	if d.replica < 0 {
		if l, kerr := p.log.Lookup(in.FetchOffset); kerr == nil {
			b.emit(lookedUp(p.tp, l))
		}
	}
	b.emit(trace.RecordsFetched{Partition: p.String(), Offset: in.FetchOffset, Bytes: len(data.Records), Replica: d.replica})
}

// limit is the exclusive bound of what a fetch may see.
// Source: FetchIsolation#of.
func (b *Broker) limit(d *delayedFetch, p *Partition) int64 {
	switch {
	case d.replica >= 0:
		return p.log.LogEndOffset()
	case d.msg.IsolationLevel == 1:
		return p.log.LastStableOffset()
	default:
		return p.log.HighWatermark()
	}
}

// fetchable finds the partition of a fetch and checks its leader epoch, before
// anything is read (Partition#checkCurrentLeaderEpoch, KIP-320).
func (b *Broker) fetchable(d *delayedFetch, i int) (*Partition, *kerror.Error) {
	name, in := b.topicOf(d, i), &d.context.Parts[i].Wanted
	if name == "" && d.msg.Version >= 13 {
		return nil, &kerror.Error{Code: kerror.UnknownTopicId}
	}
	topic := b.image.Topic(name)
	if topic == nil || in.Partition < 0 || int(in.Partition) >= len(topic.Partitions) {
		return nil, &kerror.Error{Code: kerror.UnknownTopicOrPartition}
	}
	p := b.partitions[tp{name, in.Partition}]
	if p == nil {
		return nil, &kerror.Error{Code: kerror.NotLeaderOrFollower}
	}
	if kerr := p.checkEpoch(in.CurrentLeaderEpoch); kerr != nil {
		return p, kerr
	}
	if !p.leads(b.ID) && (d.replica >= 0 || d.msg.Version < followersReadSince) {
		return p, &kerror.Error{Code: kerror.NotLeaderOrFollower}
	}
	if d.replica >= 0 && p.remotes[d.replica] == nil {
		return p, &kerror.Error{Code: kerror.UnknownLeaderEpoch}
	}
	if im := b.image.Brokers[d.replica]; im != nil && d.msg.ReplicaState.Epoch >= 0 && d.msg.ReplicaState.Epoch < im.Epoch {
		return p, &kerror.Error{Code: kerror.NotLeaderOrFollower} // an earlier life of that broker
	}
	return p, nil
}

// checkEpoch fences who is behind the times, and puts off who is ahead; -1
// asks for no check.
func (p *Partition) checkEpoch(epoch int32) *kerror.Error {
	switch {
	case epoch == -1 || epoch == p.leaderEpoch:
		return nil
	case epoch < p.leaderEpoch:
		return &kerror.Error{Code: kerror.FencedLeaderEpoch}
	default:
		return &kerror.Error{Code: kerror.UnknownLeaderEpoch}
	}
}

// topicOf is the name of the topic of a fetch's i-th partition, empty if its id
// was not known here when it came.
func (b *Broker) topicOf(d *delayedFetch, i int) string {
	if i < len(d.topics) {
		return d.topics[i]
	}
	part := &d.context.Parts[i]
	if part.Topic != "" {
		return part.Topic
	}
	if part.TopicID == metadata.TopicID {
		return metadata.TopicName
	}
	if im := b.image.TopicByID(part.TopicID); im != nil {
		return im.Name
	}
	return ""
}

// diverging answers a fetch whose last record is not of this log: it names the
// epoch and offset up to which the two may agree (KIP-595).
// Source: Partition#readRecords.
func diverging(p *Partition, in *kmsg.FetchRequestTopicPartition, answer *kmsg.FetchResponseTopicPartition) bool {
	if in.LastFetchedEpoch < 0 {
		return false
	}
	epoch, offset := p.log.EndOffsetFor(in.LastFetchedEpoch)
	if epoch < 0 || in.FetchOffset < p.log.LogStartOffset() {
		answer.ErrorCode = int16(kerror.OffsetOutOfRange)
		answer.HighWatermark, answer.LastStableOffset, answer.LogStartOffset = -1, -1, -1
		return true
	}
	if epoch >= in.LastFetchedEpoch && offset >= in.FetchOffset {
		return false
	}
	answer.DivergingEpoch.Epoch, answer.DivergingEpoch.EndOffset = epoch, offset
	return true
}

// followerFetched moves what the leader knows of a follower by the position it
// fetched from (Replica#updateFetchStateOrThrow), and with it perhaps the high
// watermark.
func (b *Broker) followerFetched(id int32, f followerFetch) {
	r := f.p.remotes[id]
	if r == nil {
		return
	}
	now, offset := b.ctx.Now(), f.fetch.FetchOffset
	switch {
	case offset >= f.leo:
		r.lastCaughtUp = max(r.lastCaughtUp, now)
	case offset >= r.lastFetchLeo:
		r.lastCaughtUp = max(r.lastCaughtUp, r.lastFetch)
	}
	r.lastFetchLeo = max(f.leo, r.lastFetchLeo)
	r.lastFetch, r.leo, r.logStart, r.epoch = now, offset, f.fetch.LogStartOffset, f.epoch
	b.maybeExpandIsr(f.p, id)
	if b.maybeMoveHW(f.p) {
		b.hwMoved(f.p)
	}
	b.armShrink(f.p)
	b.tryDeletes(f.p)
}

// hwMoved lets go what waited for the high watermark: fetches first, then
// produces, as Partition#tryCompleteDelayedRequests does.
func (b *Broker) hwMoved(p *Partition) {
	b.tryFetches(p)
	b.tryProduces(p)
}

func lookedUp(key tp, l storage.Lookup) trace.OffsetLookup {
	return trace.OffsetLookup{
		Partition: key.String(), Offset: l.Target, Segment: l.SegmentBase, Entry: l.EntryText(),
		Position: int64(l.Position), Scanned: len(l.Scanned), Base: l.Base,
	}
}
