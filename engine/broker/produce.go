package broker

import (
	"errors"
	"io"
	"slices"
	"strconv"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/record"
	"kafkalab/engine/sim"
	"kafkalab/engine/storage"
	"kafkalab/engine/trace"
)

const (
	acksNone   = 0
	acksLeader = 1
	acksAll    = -1
)

// delayedProduce is a produce with acks=all that waits until the in-sync
// replicas have its records (DelayedProduce).
type delayedProduce struct {
	id       int64
	origin   sim.Origin
	resp     *kmsg.ProduceResponse
	deadline sim.Time
	parts    []producedPart
}

// producedPart is one partition of a produce: what it waits for, and its place
// in the response.
type producedPart struct {
	tp       tp
	required int64 // high watermark at which it is done
	topic    int
	index    int
	done     bool
}

// produce appends what a client sends and answers by its acks: never, at once,
// or when the in-sync replicas have it.
// Source: KafkaApis#handleProduceRequest, ReplicaManager#appendRecords.
func (b *Broker) produce(req sim.Request, msg *kmsg.ProduceRequest) {
	resp := kmsg.NewPtrProduceResponse()
	var parts []producedPart
	failed := false
	for ti := range msg.Topics {
		t := &msg.Topics[ti]
		out := kmsg.NewProduceResponseTopic()
		out.Topic, out.TopicID = t.Topic, t.TopicID
		for pi := range t.Partitions {
			answer, part := b.producePart(msg, t, &t.Partitions[pi])
			failed = failed || answer.ErrorCode != 0
			out.Partitions = append(out.Partitions, answer)
			if part != nil {
				part.topic, part.index = ti, pi
				parts = append(parts, *part)
			}
		}
		resp.Topics = append(resp.Topics, out)
	}
	b.appended(parts)
	switch {
	case msg.Acks == acksNone:
		b.noAnswer(req.Origin, failed)
	case msg.Acks == acksAll && len(parts) > 0:
		b.parkProduce(req, msg, resp, parts)
	default:
		b.reply(req.Origin, resp)
	}
}

// producePart appends to one partition; the part is nil when nothing was.
func (b *Broker) producePart(msg *kmsg.ProduceRequest, t *kmsg.ProduceRequestTopic, in *kmsg.ProduceRequestTopicPartition) (kmsg.ProduceResponseTopicPartition, *producedPart) {
	out := kmsg.NewProduceResponseTopicPartition()
	out.Partition, out.BaseOffset, out.LogAppendTime, out.LogStartOffset = in.Partition, -1, -1, -1
	p, kerr := b.producible(msg, t, in)
	var info storage.AppendInfo
	if kerr == nil {
		out.LogStartOffset = p.log.LogStartOffset()
		if msg.Acks == acksAll && len(p.isr) < p.effectiveMinIsr() {
			kerr = kerror.New(kerror.NotEnoughReplicas, "The size of the current ISR : %d is insufficient to satisfy the min.isr requirement of %d for partition %s, live replica(s) broker.id are : Set(%s)", len(p.isr), p.effectiveMinIsr(), p.dir(), idList(p.isr))
		}
	}
	if kerr == nil {
		var batch record.Batch
		if batch, kerr = oneBatch(in.Records); kerr == nil {
			info, kerr = p.log.AppendAsLeader(batch, p.leaderEpoch, storage.Client)
		}
	}
	if kerr != nil {
		b.diskFailed = b.diskFailed || kerr.Code == kerror.KafkaStorageError
		b.refuse("Produce", tp{b.topicName(t), in.Partition}, kerr)
		out.ErrorCode = int16(kerr.Code)
		if len(info.RecordErrors) > 0 {
			// Kafka sends only a RecordValidationException's words (ReplicaManager.appendRecordsToLocalLog).
			out.ErrorMessage = text(kerr)
		}
		for _, r := range info.RecordErrors {
			e := kmsg.NewProduceResponseTopicPartitionErrorRecord()
			e.RelativeOffset, e.ErrorMessage = int32(r.Index), &r.Message
			out.ErrorRecords = append(out.ErrorRecords, e)
		}
		if kerr.Code == kerror.NotLeaderOrFollower && p != nil {
			out.CurrentLeader.LeaderID, out.CurrentLeader.LeaderEpoch = p.leader, p.leaderEpoch
		}
		return out, nil
	}
	out.BaseOffset, out.LogAppendTime, out.LogStartOffset = info.FirstOffset, info.LogAppendTime, info.LogStartOffset
	return out, &producedPart{tp: p.tp, required: info.LastOffset + 1}
}

// producible finds the partition of a produce and checks what can be checked
// without reading the records.
func (b *Broker) producible(msg *kmsg.ProduceRequest, t *kmsg.ProduceRequestTopic, in *kmsg.ProduceRequestTopicPartition) (*Partition, *kerror.Error) {
	if msg.Acks != acksNone && msg.Acks != acksLeader && msg.Acks != acksAll {
		return nil, &kerror.Error{Code: kerror.InvalidRequiredAcks}
	}
	if msg.Version >= 13 && b.image.TopicByID(t.TopicID) == nil {
		return nil, &kerror.Error{Code: kerror.UnknownTopicId}
	}
	name := b.topicName(t)
	topic := b.image.Topic(name)
	if topic == nil || in.Partition < 0 || int(in.Partition) >= len(topic.Partitions) {
		return nil, &kerror.Error{Code: kerror.UnknownTopicOrPartition}
	}
	p := b.partitions[tp{name, in.Partition}]
	if p == nil || !p.leads(b.ID) {
		return p, &kerror.Error{Code: kerror.NotLeaderOrFollower}
	}
	return p, nil
}

func (b *Broker) topicName(t *kmsg.ProduceRequestTopic) string {
	if t.Topic != "" {
		return t.Topic
	}
	if im := b.image.TopicByID(t.TopicID); im != nil {
		return im.Name
	}
	return ""
}

// magicAt is where a batch, and every older format of it, has its version.
const magicAt = 16

// oneBatch takes the one batch that a produce may carry for a partition out of
// its records field: nothing less, nothing more. A few stray bytes behind it,
// too few to be taken for a batch, are dropped.
// Source: ProduceRequest#validateRecords.
func oneBatch(records []byte) (record.Batch, *kerror.Error) {
	if len(records) > magicAt && int8(records[magicAt]) < record.MagicV2 {
		return nil, kerror.New(kerror.InvalidRecord, "Produce requests with version 3 or above are only allowed to contain record batches with magic version 2")
	}
	batch, err := record.Next(records)
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, record.ErrTruncated):
		return nil, kerror.New(kerror.InvalidRecord, "Produce requests with version 3 or above must have at least one record batch per partition")
	case err != nil:
		return nil, kerror.New(kerror.CorruptMessage, "%v", err)
	}
	rest := records[batch.Size():]
	if len(rest) < record.LogOverhead {
		return batch, nil
	}
	if _, err := record.Next(rest); err != nil {
		return nil, kerror.New(kerror.CorruptMessage, "%d bytes after the batch are no batch: %v", len(rest), err)
	}
	return nil, kerror.New(kerror.InvalidRecord, "Produce requests with version 3 or above are only allowed to contain exactly one record batch per partition")
}

// appended does what an append may set free: fetches that wait for data, and
// the high watermark where the leader is alone.
func (b *Broker) appended(parts []producedPart) {
	for _, part := range parts {
		p := b.partitions[part.tp]
		moved := b.maybeMoveHW(p)
		b.tryFetches(p)
		if moved {
			b.hwMoved(p)
		}
		b.armShrink(p)
	}
	b.points.dirty(b, checkpointRecovery)
}

func (b *Broker) parkProduce(req sim.Request, msg *kmsg.ProduceRequest, resp *kmsg.ProduceResponse, parts []producedPart) {
	b.waiting++
	d := &delayedProduce{id: b.waiting, origin: req.Origin, resp: resp, parts: parts, deadline: b.ctx.Now() + int64(msg.TimeoutMillis)}
	if b.tryProduce(d) {
		return
	}
	b.produces = append(b.produces, d)
	b.ctx.SetTimer("produce/"+strconv.FormatInt(d.id, 10), int64(msg.TimeoutMillis))
	for _, part := range parts {
		b.emit(trace.ProduceParked{Partition: part.tp.String(), Required: part.required, TimeoutMs: int64(msg.TimeoutMillis)})
	}
}

// tryProduce answers a delayed produce if each of its partitions is done.
// Source: DelayedProduce#tryComplete, Partition#checkEnoughReplicasReachOffset.
func (b *Broker) tryProduce(d *delayedProduce) bool {
	all := true
	for i := range d.parts {
		part := &d.parts[i]
		if part.done {
			continue
		}
		code, done := b.checkProduced(part)
		if !done {
			all = false
			continue
		}
		part.done = true
		if code != kerror.None {
			d.answer(part).ErrorCode = int16(code)
		}
	}
	if all {
		b.reply(d.origin, d.resp)
	}
	return all
}

func (b *Broker) checkProduced(part *producedPart) (kerror.Code, bool) {
	p := b.partitions[part.tp]
	switch {
	case p == nil || !p.leads(b.ID):
		return kerror.NotLeaderOrFollower, true
	case p.log.HighWatermark() < part.required:
		return kerror.None, false
	case len(p.maximalIsr()) < p.effectiveMinIsr():
		return kerror.NotEnoughReplicasAfterAppend, true
	}
	return kerror.None, true
}

func (d *delayedProduce) answer(part *producedPart) *kmsg.ProduceResponseTopicPartition {
	return &d.resp.Topics[part.topic].Partitions[part.index]
}

// tryProduces looks at the produces that wait for a partition.
func (b *Broker) tryProduces(p *Partition) {
	b.produces = slices.DeleteFunc(b.produces, func(d *delayedProduce) bool {
		if !slices.ContainsFunc(d.parts, func(part producedPart) bool { return part.tp == p.tp }) || !b.tryProduce(d) {
			return false
		}
		b.ctx.CancelTimer("produce/" + strconv.FormatInt(d.id, 10))
		return true
	})
}

// produceTimedOut answers REQUEST_TIMED_OUT for what is not done; the records
// stay in the log and may be committed later.
func (b *Broker) produceTimedOut(key string) {
	b.produces = slices.DeleteFunc(b.produces, func(d *delayedProduce) bool {
		if strconv.FormatInt(d.id, 10) != key {
			return false
		}
		for i := range d.parts {
			if !d.parts[i].done {
				d.answer(&d.parts[i]).ErrorCode = int16(kerror.RequestTimedOut)
				b.refuse("Produce", d.parts[i].tp, &kerror.Error{Code: kerror.RequestTimedOut})
			}
		}
		b.reply(d.origin, d.resp)
		return true
	})
}

func (b *Broker) refuse(api string, key tp, kerr *kerror.Error) {
	b.emit(trace.RequestRefused{API: api, Partition: key.String(), Error: kerr.Code.String(), Log: kerr.Message})
}

func text(e *kerror.Error) *string {
	if e.Message == "" {
		return nil
	}
	return &e.Message
}

func idList(ids []int32) string {
	s := ""
	for i, id := range ids {
		if i > 0 {
			s += ", "
		}
		s += strconv.Itoa(int(id))
	}
	return s
}
