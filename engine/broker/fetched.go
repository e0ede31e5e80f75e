package broker

import (
	"errors"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/record"
	"kafkalab/engine/sim"
	"kafkalab/engine/trace"
)

// fetched takes the answer to a fetch. A stalled fetcher leaves it lying until
// it runs again.
func (b *Broker) fetched(ev sim.Response) {
	f := b.fetcherOf(ev)
	if f == nil {
		return
	}
	b.ctx.CancelTimer(f.key("refetch"))
	b.ctx.CancelTimer(f.key("lost"))
	b.ctx.CancelTimer(f.key("rejoin"))
	if b.stalled {
		f.held = &ev
		return
	}
	b.process(f, ev.Msg.(*kmsg.FetchResponse))
}

// process appends what a leader answered and asks for more. What was asked for
// at another position, or in another leader epoch, is left out: the partition
// was truncated or got another leader meanwhile.
// Source: AbstractFetcherThread#processFetchRequest.
func (b *Broker) process(f *fetcher, msg *kmsg.FetchResponse) {
	f.corr = 0
	if f.session.Answered(msg) {
		for ti := range msg.Topics {
			t := &msg.Topics[ti]
			for pi := range t.Partitions {
				p := b.find(t.TopicID, t.Partitions[pi].Partition)
				if p != nil && b.expected(f, p) {
					b.follow(f, p, &t.Partitions[pi])
				}
			}
		}
	}
	b.ask(f)
}

func (b *Broker) expected(f *fetcher, p *Partition) bool {
	s := f.follows[p.tp]
	asked, ok := f.session.Asked(p.topicID, p.partition)
	return ok && s != nil && s.ready(b.ctx.Now()) && asked.FetchOffset == p.log.LogEndOffset() && asked.CurrentLeaderEpoch == s.epoch
}

// fetcherOf finds the fetcher that waits for a response; one to a fetch that
// was given up has none.
func (b *Broker) fetcherOf(ev sim.Response) *fetcher {
	// order: a correlation id is that of one request
	for id, f := range b.fetchers {
		if f.corr == ev.Correlation && b.Name(id) == ev.From {
			return f
		}
	}
	return nil
}

// follow takes one partition's part of an answer.
// Source: AbstractFetcherThread#processFetchRequest, ReplicaFetcherThread#processPartitionData.
func (b *Broker) follow(f *fetcher, p *Partition, part *kmsg.FetchResponseTopicPartition) {
	switch {
	case part.ErrorCode == int16(kerror.OffsetOutOfRange):
		b.resync(f, p, latestTimestamp)
		return
	case part.ErrorCode != 0:
		b.delay(f, p)
		return
	case part.DivergingEpoch.EndOffset >= 0:
		b.diverge(p, part.DivergingEpoch.Epoch, part.DivergingEpoch.EndOffset)
		return
	}
	batches, err := whole(part.RecordBatches)
	if err != nil {
		b.appendFailed(f, p, kerror.New(kerror.CorruptMessage, "%s", err))
		return
	}
	if len(batches) > 0 {
		if kerr := b.appendFetched(p, batches); kerr != nil {
			b.appendFailed(f, p, kerr)
			return
		}
		b.points.dirty(b, checkpointRecovery)
	}
	from := p.log.HighWatermark()
	if hw := p.log.UpdateHighWatermark(part.HighWatermark); hw != from {
		b.emit(trace.FollowerHighWatermarkMoved{Partition: p.String(), From: from, To: hw})
		b.points.dirty(b, checkpointHW)
	}
	if p.log.IncrementLogStartOffset(part.LogStartOffset) {
		b.startMoved()
	}
	b.logChanged(p)
}

// appendFailed takes what the log said to an append. Records that were damaged
// on the way are asked for again. Whatever else it is will be no other the next
// time: the partition is given up, and if the disk failed so is the broker.
// Source: AbstractFetcherThread#processFetchRequest, #markPartitionFailed.
func (b *Broker) appendFailed(f *fetcher, p *Partition, kerr *kerror.Error) {
	b.refuse("Fetch response", p.tp, kerr)
	if kerr.Code == kerror.CorruptMessage || kerr.Code == kerror.InvalidRecord {
		b.delay(f, p)
		return
	}
	f.follows[p.tp].failed = true
	b.diskFailed = b.diskFailed || kerr.Code == kerror.KafkaStorageError
	b.emit(trace.FollowerFailed{Partition: p.String(), Leader: f.leader, Error: kerr.Code.String()})
}

// delay lets a partition that failed wait before it is asked for again.
func (b *Broker) delay(f *fetcher, p *Partition) {
	wait := b.configs().Int("replica.fetch.backoff.ms")
	f.follows[p.tp].delayed = b.ctx.Now() + wait
	b.ctx.SetPeriodic(f.key("backoff"), wait)
}

// appendFetched appends what a leader sent. Its log may start inside a batch,
// and then the batch that it sends begins before the offset that was asked for.
// A follower that holds nothing else begins its log anew at the batch's base.
// Source: Partition#appendRecordsToFollowerOrFutureReplica.
func (b *Broker) appendFetched(p *Partition, batches []byte) *kerror.Error {
	start, end := p.log.LogStartOffset(), p.log.LogEndOffset()
	first, _ := record.Next(batches)
	if start == end && first.BaseOffset() < end && first.LastOffset() >= end {
		if err := p.log.TruncateFullyWithStart(first.BaseOffset(), start); err != nil {
			return kerror.New(kerror.KafkaStorageError, "%v", err)
		}
		b.truncated(p)
	}
	_, kerr := p.log.AppendAsFollower(batches, p.leaderEpoch)
	return kerr
}

// whole leaves out the last batch of an answer if it is cut. Where something
// else than a batch begins nothing of the answer can be used
// (ByteBufferLogInputStream#nextBatchSize).
func whole(buf []byte) ([]byte, error) {
	end := 0
	for {
		batch, err := record.Next(buf[end:])
		switch {
		case errors.Is(err, record.ErrCorrupt):
			return nil, err
		case err != nil:
			return buf[:end], nil
		}
		end += batch.Size()
	}
}
