package quorum

import (
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/metadata"
	"kafkalab/engine/sim"
)

// metadataFetch is a broker's fetch of the metadata log that waits for the
// next record. Brokers poll like this for ever, so what waits is Rounds.
type metadataFetch struct {
	origin  sim.Origin
	offset  int64
	maxSize int32
	rounds  sim.Rounds
}

// fetch answers a broker that asks for metadata, or parks it when it has all
// there is. Source: KafkaRaftClient#handleFetchRequest.
func (c *Controller) fetch(ctx *sim.Ctx, req sim.Request) {
	msg := req.Msg.(*kmsg.FetchRequest)
	ctx.CancelTimer(roundKey(req.From))
	if len(msg.Topics) != 1 || len(msg.Topics[0].Partitions) != 1 || msg.Topics[0].TopicID != metadata.TopicID {
		resp := kmsg.NewPtrFetchResponse()
		resp.ErrorCode = int16(kerror.InvalidRequest)
		ctx.Reply(req.Origin, resp)
		return
	}
	f := &metadataFetch{
		origin: req.Origin, offset: msg.Topics[0].Partitions[0].FetchOffset, maxSize: msg.MaxBytes,
		rounds: sim.Rounds{First: ctx.Now(), Wait: int64(msg.MaxWaitMillis), Trip: ctx.Trip(req.From)},
	}
	if f.offset < c.log.LogEndOffset() || msg.MaxWaitMillis <= 0 {
		c.answer(ctx, f)
		return
	}
	c.fetches[req.From] = f
	if ctx.Explicit(req.From) {
		ctx.SetPeriodic(timeoutKey(req.From), f.rounds.Wait)
	}
}

func (c *Controller) answer(ctx *sim.Ctx, f *metadataFetch) {
	resp := kmsg.NewPtrFetchResponse()
	t := kmsg.NewFetchResponseTopic()
	t.TopicID = metadata.TopicID
	p := kmsg.NewFetchResponseTopicPartition()
	p.HighWatermark, p.LastStableOffset, p.LogStartOffset = c.log.LogEndOffset(), c.log.LogEndOffset(), c.log.LogStartOffset()
	p.CurrentLeader.LeaderID, p.CurrentLeader.LeaderEpoch = c.ID, c.epoch
	data, kerr := c.log.Read(f.offset, f.maxSize, c.log.LogEndOffset(), true)
	if kerr != nil {
		p.ErrorCode = int16(kerr.Code)
	}
	p.RecordBatches = data.Records
	t.Partitions = append(t.Partitions, p)
	resp.Topics = append(resp.Topics, t)
	ctx.Reply(f.origin, resp)
}

// tellAll answers the fetches that wait, now that there is something to tell,
// in the order of the brokers' ids; one that is between two rounds is answered
// when it arrives again.
func (c *Controller) tellAll(ctx *sim.Ctx) {
	for _, id := range c.image.BrokerIDs() {
		name := c.Name(id)
		f := c.fetches[name]
		if f == nil {
			continue
		}
		if f.rounds.Parked(ctx.Now()) {
			c.release(ctx, name)
		} else {
			ctx.SetRound(roundKey(name), f.rounds.NextArrival(ctx.Now()))
		}
	}
}

func (c *Controller) release(ctx *sim.Ctx, from sim.NodeID) {
	f := c.fetches[from]
	if f == nil {
		return
	}
	delete(c.fetches, from)
	ctx.CancelTimer(timeoutKey(from))
	c.answer(ctx, f)
}

func roundKey(from sim.NodeID) string   { return "round/" + string(from) }
func timeoutKey(from sim.NodeID) string { return "timeout/" + string(from) }
