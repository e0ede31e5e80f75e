package broker

import (
	"slices"
	"strconv"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/metadata"
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

// produce appends what a client sends and answers by its acks: never, at once,
// or when the in-sync replicas have it.
// Source: KafkaApis#handleProduceRequest, ReplicaManager#appendRecords.
func (b *Broker) produce(req sim.Request, msg *kmsg.ProduceRequest) {
	if kerr := b.checkProduce(msg); kerr != nil {
		b.refuseProduce(req, msg, kerr)
		return
	}
	resp := kmsg.NewPtrProduceResponse()
	var parts []producedPart
	failed := false
	for ti := range msg.Topics {
		t := &msg.Topics[ti]
		out := kmsg.NewProduceResponseTopic()
		out.Topic, out.TopicID = t.Topic, t.TopicID
		for pi := range t.Partitions {
			answer, part := b.producePart(req, msg, t, &t.Partitions[pi])
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
		b.answerProduce(req.Origin, resp)
	}
}

// checkProduce looks at the first batch of each partition. One that is no batch
// at all, and a transaction's without its id, refuse the whole request.
// Source: RequestUtils#hasTransactionalRecords.
func (b *Broker) checkProduce(msg *kmsg.ProduceRequest) *kerror.Error {
	for ti := range msg.Topics {
		for pi := range msg.Topics[ti].Partitions {
			batch, kerr := nextBatch(msg.Topics[ti].Partitions[pi].Records)
			if kerr != nil {
				return kerr
			}
			if len(batch) < record.HeaderSize || batch.Magic() < record.MagicV2 || !batch.IsTransactional() {
				continue
			}
			if msg.TransactionID == nil {
				return &kerror.Error{Code: kerror.TransactionalIdAuthorizationFailed}
			}
			return nil
		}
	}
	return nil
}

// refuseProduce answers a request as a whole (ProduceRequest#getErrorResponse).
func (b *Broker) refuseProduce(req sim.Request, msg *kmsg.ProduceRequest, kerr *kerror.Error) {
	resp := kmsg.NewPtrProduceResponse()
	for ti := range msg.Topics {
		t := &msg.Topics[ti]
		out := kmsg.NewProduceResponseTopic()
		out.Topic, out.TopicID = t.Topic, t.TopicID
		for pi := range t.Partitions {
			answer := notProduced(t.Partitions[pi].Partition)
			answer.ErrorCode, answer.ErrorMessage = int16(kerr.Code), text(kerr)
			out.Partitions = append(out.Partitions, answer)
			b.refuse("Produce", tp{b.topicName(t), answer.Partition}, kerr)
		}
		resp.Topics = append(resp.Topics, out)
	}
	if msg.Acks == acksNone {
		b.noAnswer(req.Origin, true)
		return
	}
	b.reply(req.Origin, resp)
}

func notProduced(partition int32) kmsg.ProduceResponseTopicPartition {
	out := kmsg.NewProduceResponseTopicPartition()
	out.Partition, out.BaseOffset, out.LogAppendTime, out.LogStartOffset = partition, -1, -1, -1
	return out
}

// producePart appends to one partition; the part is nil when nothing was.
func (b *Broker) producePart(req sim.Request, msg *kmsg.ProduceRequest, t *kmsg.ProduceRequestTopic, in *kmsg.ProduceRequestTopicPartition) (kmsg.ProduceResponseTopicPartition, *producedPart) {
	out := notProduced(in.Partition)
	name, batch, kerr := b.producible(req, msg, t, in)
	var p *Partition
	var info storage.AppendInfo
	if kerr == nil {
		p, info, kerr = b.appendBatch(tp{name, in.Partition}, msg.Acks, batch)
	}
	if kerr == nil {
		out.BaseOffset, out.LogAppendTime, out.LogStartOffset = info.FirstOffset, info.LogAppendTime, info.LogStartOffset
		return out, &producedPart{tp: p.tp, required: info.LastOffset + 1}
	}
	b.diskFailed = b.diskFailed || kerr.Code == kerror.KafkaStorageError
	b.refuse("Produce", tp{name, in.Partition}, kerr)
	out.ErrorCode = int16(kerr.Code)
	if p != nil && !silentOnStart(kerr.Code) {
		out.LogStartOffset = p.log.LogStartOffset()
	}
	if len(info.RecordErrors) > 0 {
		// Kafka sends only a RecordValidationException's words (ReplicaManager.appendRecordsToLocalLog).
		out.ErrorMessage = text(kerr)
	}
	for _, r := range info.RecordErrors {
		e := kmsg.NewProduceResponseTopicPartitionErrorRecord()
		e.RelativeOffset, e.ErrorMessage = int32(r.Index), &r.Message
		out.ErrorRecords = append(out.ErrorRecords, e)
	}
	return out, nil
}

// silentOnStart tells of which refusals the log start offset is not told along:
// those that are nobody's fault to be looked into (ReplicaManager#appendToLocalLog).
func silentOnStart(code kerror.Code) bool {
	switch code {
	case kerror.NotLeaderOrFollower, kerror.MessageTooLarge, kerror.RecordListTooLarge, kerror.CorruptMessage, kerror.KafkaStorageError:
		return true
	}
	return false
}

// appendBatch appends as the partition's leader, if this broker is.
func (b *Broker) appendBatch(key tp, acks int16, batch record.Batch) (*Partition, storage.AppendInfo, *kerror.Error) {
	p := b.partitions[key]
	if p == nil || !p.leads(b.ID) {
		return p, storage.AppendInfo{}, &kerror.Error{Code: kerror.NotLeaderOrFollower}
	}
	if acks == acksAll && len(p.isr) < p.effectiveMinIsr() {
		return p, storage.AppendInfo{}, kerror.New(kerror.NotEnoughReplicas, "The size of the current ISR : %d is insufficient to satisfy the min.isr requirement of %d for partition %s, live replica(s) broker.id are : Set(%s)", len(p.isr), p.effectiveMinIsr(), p.dir(), idList(p.isr))
	}
	info, kerr := p.log.AppendAsLeader(batch, p.leaderEpoch, storage.Client)
	return p, info, kerr
}

// adminClient is the client id of Kafka's own admin client, which may write to
// internal topics (AdminUtils.ADMIN_CLIENT_ID).
const adminClient = "__admin_client"

// producible finds the topic of a produce and checks all that can be checked
// before the log is asked.
func (b *Broker) producible(req sim.Request, msg *kmsg.ProduceRequest, t *kmsg.ProduceRequestTopic, in *kmsg.ProduceRequestTopicPartition) (string, record.Batch, *kerror.Error) {
	name := b.topicName(t)
	if name == "" && msg.Version >= 13 {
		return name, nil, &kerror.Error{Code: kerror.UnknownTopicId}
	}
	topic := b.image.Topic(name)
	if topic == nil || in.Partition < 0 || int(in.Partition) >= len(topic.Partitions) {
		return name, nil, &kerror.Error{Code: kerror.UnknownTopicOrPartition}
	}
	batch, kerr := oneBatch(in.Records, msg.Version)
	switch {
	case kerr != nil:
		return name, nil, kerr
	case msg.Acks != acksNone && msg.Acks != acksLeader && msg.Acks != acksAll:
		return name, nil, &kerror.Error{Code: kerror.InvalidRequiredAcks}
	case metadata.Internal(name) && req.ClientID != adminClient:
		return name, nil, kerror.New(kerror.InvalidTopicException, "Cannot append to internal topic %s", name)
	}
	return name, batch, nil
}

func (b *Broker) topicName(t *kmsg.ProduceRequestTopic) string {
	if t.TopicID == ([16]byte{}) {
		return t.Topic
	}
	if im := b.image.TopicByID(t.TopicID); im != nil {
		return im.Name
	}
	return t.Topic
}

// answerProduce answers, and tells those who came to the wrong broker where the
// leader is (KIP-951, from version 10 on).
func (b *Broker) answerProduce(to sim.Origin, resp *kmsg.ProduceResponse) {
	for ti := range resp.Topics {
		t := &resp.Topics[ti]
		for pi := range t.Partitions {
			if out := &t.Partitions[pi]; to.Version >= 10 && out.ErrorCode == int16(kerror.NotLeaderOrFollower) {
				name := b.topicName(&kmsg.ProduceRequestTopic{Topic: t.Topic, TopicID: t.TopicID})
				out.CurrentLeader.LeaderID, out.CurrentLeader.LeaderEpoch = b.leaderOf(tp{name, out.Partition})
				b.addEndpoint(resp, out.CurrentLeader.LeaderID)
			}
		}
	}
	b.reply(to, resp)
}

// leaderOf is who leads a partition as far as this broker knows.
func (b *Broker) leaderOf(key tp) (leader, epoch int32) {
	if p := b.partitions[key]; p != nil {
		return p.leader, p.leaderEpoch
	}
	if t := b.image.Topic(key.topic); t != nil && key.partition >= 0 && int(key.partition) < len(t.Partitions) {
		return t.Partitions[key.partition].Leader, t.Partitions[key.partition].LeaderEpoch
	}
	return -1, -1
}

func (b *Broker) addEndpoint(resp *kmsg.ProduceResponse, id int32) {
	if !b.image.Live(id) || slices.ContainsFunc(resp.Brokers, func(x kmsg.ProduceResponseBroker) bool { return x.NodeID == id }) {
		return
	}
	im := b.image.Brokers[id]
	x := kmsg.NewProduceResponseBroker()
	x.NodeID, x.Host, x.Port, x.Rack = id, im.Host, im.Port, im.Rack
	resp.Brokers = append(resp.Brokers, x)
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
