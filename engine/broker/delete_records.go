package broker

import (
	"slices"
	"strconv"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/metadata"
	"kafkalab/engine/sim"
)

// delayedDelete is a DeleteRecords that waits until every replica has moved
// its start offset (DelayedDeleteRecords).
type delayedDelete struct {
	id     int64
	origin sim.Origin
	resp   *kmsg.DeleteRecordsResponse
	parts  []deletedPart
}

type deletedPart struct {
	tp       tp
	required int64 // low watermark at which it is done
	topic    int
	index    int
}

// highWatermarkTarget is an offset of DeleteRecords that means the high
// watermark.
const highWatermarkTarget = -1

// deleteRecords moves the start of logs forward (KIP-107).
// Source: ReplicaManager#deleteRecords, Partition#deleteRecordsOnLeader.
func (b *Broker) deleteRecords(req sim.Request, msg *kmsg.DeleteRecordsRequest) {
	d := &delayedDelete{origin: req.Origin, resp: kmsg.NewPtrDeleteRecordsResponse()}
	for ti := range msg.Topics {
		t := &msg.Topics[ti]
		out := kmsg.NewDeleteRecordsResponseTopic()
		out.Topic = t.Topic
		for pi := range t.Partitions {
			answer := kmsg.NewDeleteRecordsResponseTopicPartition()
			answer.Partition, answer.LowWatermark = t.Partitions[pi].Partition, -1
			target, kerr := b.moveStart(t.Topic, &t.Partitions[pi])
			if kerr != nil {
				answer.ErrorCode = int16(kerr.Code)
				b.refuse("DeleteRecords", tp{t.Topic, answer.Partition}, kerr)
			} else {
				d.parts = append(d.parts, deletedPart{tp{t.Topic, answer.Partition}, target, ti, pi})
			}
			out.Partitions = append(out.Partitions, answer)
		}
		d.resp.Topics = append(d.resp.Topics, out)
	}
	if b.tryDelete(d) {
		return
	}
	b.waiting++
	d.id = b.waiting
	b.deletes = append(b.deletes, d)
	b.ctx.SetTimer("delete/"+strconv.FormatInt(d.id, 10), int64(msg.TimeoutMillis))
	for _, part := range d.parts {
		b.tryFetches(b.partitions[part.tp])
	}
}

func (b *Broker) moveStart(topic string, in *kmsg.DeleteRecordsRequestTopicPartition) (int64, *kerror.Error) {
	p, kerr := b.local(topic, in.Partition)
	if metadata.Internal(topic) && (kerr == nil || kerr.Code != kerror.UnknownTopicOrPartition) {
		kerr = kerror.New(kerror.InvalidTopicException, "Cannot delete records of internal topic %s", topic)
	}
	if kerr != nil {
		return 0, kerr
	}
	if !p.leads(b.ID) {
		return 0, &kerror.Error{Code: kerror.NotLeaderOrFollower}
	}
	if policies := b.topicConfigs(topic).List("cleanup.policy"); len(policies) > 0 && !slices.Contains(policies, "delete") {
		return 0, &kerror.Error{Code: kerror.PolicyViolation}
	}
	target := in.Offset
	if target == highWatermarkTarget {
		target = p.log.HighWatermark()
	}
	if target < 0 || target > p.log.HighWatermark() {
		return 0, &kerror.Error{Code: kerror.OffsetOutOfRange}
	}
	if p.log.IncrementLogStartOffset(target) {
		b.startMoved()
		b.logChanged(p)
	}
	return target, nil
}

// lowWatermark is the smallest start offset among the live replicas.
func (b *Broker) lowWatermark(p *Partition) int64 {
	low := p.log.LogStartOffset()
	for _, id := range p.replicas {
		if r := p.remotes[id]; r != nil && b.image.Active(id) {
			low = min(low, r.logStart)
		}
	}
	return low
}

func (b *Broker) tryDelete(d *delayedDelete) bool {
	for _, part := range d.parts {
		if p := b.partitions[part.tp]; p != nil && p.leads(b.ID) && b.lowWatermark(p) < part.required {
			return false
		}
	}
	b.answerDelete(d)
	return true
}

func (b *Broker) answerDelete(d *delayedDelete) {
	for _, part := range d.parts {
		answer := &d.resp.Topics[part.topic].Partitions[part.index]
		p := b.partitions[part.tp]
		switch {
		case p == nil || !p.leads(b.ID):
			answer.ErrorCode = int16(kerror.NotLeaderOrFollower)
		default:
			answer.LowWatermark = b.lowWatermark(p)
			if answer.LowWatermark < part.required {
				answer.ErrorCode = int16(kerror.RequestTimedOut)
			}
		}
	}
	b.reply(d.origin, d.resp)
}

func (b *Broker) tryDeletes(p *Partition) {
	b.deletes = slices.DeleteFunc(b.deletes, func(d *delayedDelete) bool {
		if !slices.ContainsFunc(d.parts, func(part deletedPart) bool { return part.tp == p.tp }) || !b.tryDelete(d) {
			return false
		}
		b.ctx.CancelTimer("delete/" + strconv.FormatInt(d.id, 10))
		return true
	})
}

func (b *Broker) deleteTimedOut(id string) {
	b.deletes = slices.DeleteFunc(b.deletes, func(d *delayedDelete) bool {
		if strconv.FormatInt(d.id, 10) != id {
			return false
		}
		b.answerDelete(d)
		return true
	})
}
