package broker

import (
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/sim"
	"kafkalab/engine/trace"
)

// diverge cuts a follower's log back to where it and the leader's may agree.
// If the follower has another epoch there, the next fetch tells more.
// Source: AbstractFetcherThread#getOffsetTruncationState, KIP-101, KIP-279.
func (b *Broker) diverge(p *Partition, epoch int32, end int64) {
	own, ownEnd := p.log.EndOffsetFor(epoch)
	to := min(end, p.log.LogEndOffset())
	switch {
	case own < 0:
	case own != epoch:
		to = min(ownEnd, p.log.LogEndOffset())
	default:
		to = min(ownEnd, end, p.log.LogEndOffset())
	}
	b.emit(trace.Diverged{Partition: p.String(), Epoch: epoch, EndOffset: end, TruncatedTo: to})
	b.truncate(p, to)
}

func (b *Broker) truncate(p *Partition, to int64) {
	cut := to < p.log.LogEndOffset()
	if err := p.log.TruncateTo(to); err != nil {
		b.truncateFailed(p, err)
		return
	}
	if cut {
		b.truncated(p)
	}
}

// truncateFailed gives a partition up whose log could not be cut: what is in it
// cannot be read (AbstractFetcherThread#doTruncate, #markPartitionFailed).
func (b *Broker) truncateFailed(p *Partition, err error) {
	f := b.fetchers[p.leader]
	if DiskError(err) || f == nil || f.follows[p.tp] == nil {
		b.fail(fmt.Errorf("%s: %w", p.String(), err))
		return
	}
	f.follows[p.tp].failed = true
	b.emit(trace.FollowerFailed{Partition: p.String(), Leader: f.leader, Error: err.Error()})
}

// truncated follows a log that was cut: the recovery points are written at once
// (LogManager#truncateTo, #truncateFullyAndStartAt).
func (b *Broker) truncated(p *Partition) {
	b.points.dirty(b, checkpointHW)
	b.checkpoint(checkpointRecovery)
	b.truncatedCheckpoint(p)
}

// resync asks the leader where its log ends, or begins: a follower's position
// is outside of it. Source: AbstractFetcherThread#fetchOffsetAndTruncate.
func (b *Broker) resync(f *fetcher, p *Partition, timestamp int64) {
	f.follows[p.tp].resync = true
	req := kmsg.NewPtrListOffsetsRequest()
	req.Version, req.ReplicaID = 10, b.ID
	t := kmsg.NewListOffsetsRequestTopic()
	t.Topic = p.topic
	in := kmsg.NewListOffsetsRequestTopicPartition()
	in.Partition, in.CurrentLeaderEpoch, in.Timestamp = p.partition, p.leaderEpoch, timestamp
	t.Partitions = append(t.Partitions, in)
	req.Topics = append(req.Topics, t)
	corr := b.ctx.Send(b.Name(f.leader), sim.ConnResync, req)
	b.resyncs[corr] = resyncing{p.tp, f.leader, timestamp}
}

// resyncing is a question of resync that is under way.
type resyncing struct {
	tp        tp
	leader    int32
	timestamp int64
}

// resynced moves the follower's log to where the leader's is: back to its end,
// or, if the follower is behind its start, emptied and begun again there.
func (b *Broker) resynced(ev sim.Response) {
	q, ok := b.resyncs[ev.Correlation]
	delete(b.resyncs, ev.Correlation)
	p, f := b.partitions[q.tp], b.fetchers[q.leader]
	if !ok || p == nil || f == nil || f.follows[q.tp] == nil {
		return
	}
	f.follows[q.tp].resync = false
	answer := &ev.Msg.(*kmsg.ListOffsetsResponse).Topics[0].Partitions[0]
	switch leo := p.log.LogEndOffset(); {
	case answer.ErrorCode != 0:
		b.delay(f, p)
		return
	case q.timestamp == latestTimestamp && answer.Offset < leo:
		b.truncate(p, answer.Offset)
	case q.timestamp == latestTimestamp:
		b.resync(f, p, earliestTimestamp)
		return
	case answer.Offset > leo:
		if err := p.log.TruncateFullyAndStartAt(answer.Offset); err != nil {
			b.truncateFailed(p, err)
			return
		}
		b.truncated(p)
	}
	b.joinRound(f)
	b.ask(f)
}
