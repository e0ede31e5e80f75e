package client

import (
	"errors"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/record"
	"kafkalab/engine/sim"
)

// From is where a read starts.
type From struct {
	Kind   FromKind
	Number int64 // an offset, or ms since the Unix epoch
}

// FromKind tells what From.Number means.
type FromKind uint8

const (
	FromEarliest FromKind = iota
	FromLatest
	FromOffset
	FromTime
)

// Consume is a stand-alone read: no group, no commit. It yields what is below
// the high watermark, or the last stable offset, of its start.
type Consume struct {
	Topic         string
	Partition     int32 // -1: all, one after the other
	From          From
	Max           int // records, 0 for all
	ReadCommitted bool
}

// Consumed is what a read yielded.
type Consumed struct {
	Topic string
	Err   *kerror.Error
	Parts []ConsumedPart
}

// ConsumedPart is what one partition yielded.
type ConsumedPart struct {
	Partition     int32
	Records       []record.Record
	TimestampType record.TimestampType
	Next          int64 // the next offset that a read would ask for
	HighWatermark int64
	Err           *kerror.Error
	// Dropped counts records that came in a batch but lie before the offset
	// that was asked for: the client leaves them out.
	Dropped int
}

type consuming struct {
	Consume
	out   Consumed
	route route
	queue []int32 // partitions still to be read
	end   int64   // bound of this read, -1 while unknown
	done  bool

	attempt int
}

// Defaults of a consumer's fetches (ConsumerConfig).
const (
	fetchMaxWaitMs      = 500
	fetchMaxBytes       = 52428800
	maxPartitionFetch   = 1048576
	consumerMetadataVer = 13
)

func (q Consume) begin() call { return &consuming{Consume: q, end: -1, out: Consumed{Topic: q.Topic}} }

func (k *consuming) finished() bool { return k.done }

func (k *consuming) start(c *Client, ctx *sim.Ctx) { c.askMetadata(ctx, k, k.Topic, 0) }

// lost tries another broker for the metadata; a read that loses its leader
// ends there.
func (k *consuming) lost(c *Client, ctx *sim.Ctx, _ int32, code kerror.Code) {
	if len(k.out.Parts) == 0 {
		if k.attempt++; k.attempt < len(c.Bootstrap) {
			c.askMetadata(ctx, k, k.Topic, k.attempt)
			return
		}
		k.out.Err, k.done = &kerror.Error{Code: code}, true
		return
	}
	k.part().Err = &kerror.Error{Code: code}
	k.nextPartition(c, ctx)
}

func (k *consuming) answer(c *Client, ctx *sim.Ctx, ev sim.Response) {
	switch msg := ev.Msg.(type) {
	case *kmsg.MetadataResponse:
		k.routed(c, ctx, msg)
	case *kmsg.ListOffsetsResponse:
		k.listed(c, ctx, msg)
	case *kmsg.FetchResponse:
		k.fetched(c, ctx, msg)
	}
}

func (k *consuming) routed(c *Client, ctx *sim.Ctx, msg *kmsg.MetadataResponse) {
	k.route, k.out.Err = readMetadata(msg)
	if k.out.Err == nil && int(k.Partition) >= len(k.route.leaders) {
		k.out.Err = &kerror.Error{Code: kerror.UnknownTopicOrPartition}
	}
	if k.out.Err != nil {
		k.done = true
		return
	}
	if k.Partition >= 0 {
		k.queue = []int32{k.Partition}
	} else {
		for p := range k.route.leaders {
			k.queue = append(k.queue, int32(p))
		}
	}
	k.nextPartition(c, ctx)
}

func (k *consuming) part() *ConsumedPart { return &k.out.Parts[len(k.out.Parts)-1] }

// nextPartition begins with the next partition: by asking where to start, or
// at once when that is known.
func (k *consuming) nextPartition(c *Client, ctx *sim.Ctx) {
	if len(k.queue) == 0 || (k.Max > 0 && k.total() >= k.Max) {
		k.done = true
		return
	}
	p := k.queue[0]
	k.queue = k.queue[1:]
	k.out.Parts = append(k.out.Parts, ConsumedPart{Partition: p, Next: -1, HighWatermark: -1})
	k.end = -1
	switch {
	case k.route.leaders[p] < 0:
		k.part().Err = &kerror.Error{Code: kerror.LeaderNotAvailable}
		k.nextPartition(c, ctx)
	case k.From.Kind == FromOffset:
		k.part().Next = k.From.Number
		k.fetch(c, ctx)
	default:
		k.list(c, ctx, p, map[FromKind]int64{FromEarliest: -2, FromLatest: -1, FromTime: k.From.Number}[k.From.Kind])
	}
}

func (k *consuming) total() (n int) {
	for i := range k.out.Parts {
		n += len(k.out.Parts[i].Records)
	}
	return n
}

func (k *consuming) list(c *Client, ctx *sim.Ctx, partition int32, timestamp int64) {
	req := kmsg.NewPtrListOffsetsRequest()
	req.Version, req.ReplicaID, req.IsolationLevel = 10, -1, k.isolation()
	t := kmsg.NewListOffsetsRequestTopic()
	t.Topic = k.Topic
	p := kmsg.NewListOffsetsRequestTopicPartition()
	p.Partition, p.CurrentLeaderEpoch, p.Timestamp = partition, k.route.epochs[partition], timestamp
	t.Partitions = append(t.Partitions, p)
	req.Topics = append(req.Topics, t)
	c.send(ctx, k, c.Name(k.route.leaders[partition]), sim.ConnClient, req)
}

func (k *consuming) isolation() int8 {
	if k.ReadCommitted {
		return 1
	}
	return 0
}

// listed takes the start that the broker named. A time after the last record
// has none: the read then starts at the end, as Kafka's tools do.
func (k *consuming) listed(c *Client, ctx *sim.Ctx, msg *kmsg.ListOffsetsResponse) {
	p := &msg.Topics[0].Partitions[0]
	part := k.part()
	switch {
	case p.ErrorCode != 0:
		part.Err = &kerror.Error{Code: kerror.Code(p.ErrorCode)}
		k.nextPartition(c, ctx)
	case p.Offset < 0:
		k.From.Kind = FromLatest
		k.list(c, ctx, part.Partition, -1)
	case k.From.Kind == FromLatest:
		part.Next, part.HighWatermark = p.Offset, p.Offset
		k.nextPartition(c, ctx)
	default:
		part.Next = p.Offset
		k.fetch(c, ctx)
	}
}

func (k *consuming) fetch(c *Client, ctx *sim.Ctx) {
	part := k.part()
	req := kmsg.NewPtrFetchRequest()
	req.Version = 17
	req.ReplicaState.ID, req.ReplicaState.Epoch = -1, -1
	req.MaxWaitMillis, req.MinBytes, req.MaxBytes = fetchMaxWaitMs, 1, fetchMaxBytes
	req.IsolationLevel, req.SessionEpoch = k.isolation(), -1
	t := kmsg.NewFetchRequestTopic()
	t.TopicID = k.route.id
	p := kmsg.NewFetchRequestTopicPartition()
	p.Partition, p.CurrentLeaderEpoch, p.FetchOffset = part.Partition, k.route.epochs[part.Partition], part.Next
	p.LastFetchedEpoch, p.LogStartOffset, p.PartitionMaxBytes = -1, -1, maxPartitionFetch
	t.Partitions = append(t.Partitions, p)
	req.Topics = append(req.Topics, t)
	c.send(ctx, k, c.Name(k.route.leaders[part.Partition]), sim.ConnPoll, req)
}

// fetched takes the records of one answer, and asks on until the bound that
// the first answer named is reached.
func (k *consuming) fetched(c *Client, ctx *sim.Ctx, msg *kmsg.FetchResponse) {
	p := &msg.Topics[0].Partitions[0]
	part := k.part()
	if p.ErrorCode != 0 {
		part.Err = &kerror.Error{Code: kerror.Code(p.ErrorCode)}
		k.nextPartition(c, ctx)
		return
	}
	if k.end < 0 {
		k.end = p.HighWatermark
		if k.ReadCommitted {
			k.end = p.LastStableOffset
		}
		part.HighWatermark = p.HighWatermark
	}
	before := part.Next
	if err := k.take(part, p); err != nil {
		part.Err = kerror.New(kerror.CorruptMessage, "%v", err)
		k.nextPartition(c, ctx)
		return
	}
	if part.Next >= k.end || part.Next == before || (k.Max > 0 && k.total() >= k.Max) {
		k.nextPartition(c, ctx)
		return
	}
	k.fetch(c, ctx)
}

// take reads the batches of an answer. It may begin before the offset asked
// for, and end within a batch: both are dropped here, not at the broker
// (CompletedFetch#nextFetchedRecord).
func (k *consuming) take(part *ConsumedPart, p *kmsg.FetchResponseTopicPartition) error {
	aborted := newAborted(p.AbortedTransactions)
	buf := p.RecordBatches
	for {
		batch, err := record.Next(buf)
		if errors.Is(err, record.ErrCorrupt) {
			return err
		}
		if err != nil {
			return nil // it ends within a batch
		}
		if err := batch.Valid(); err != nil {
			return err
		}
		buf = buf[batch.Size():]
		if part.Next >= k.end {
			return nil
		}
		if aborted.skips(batch) {
			part.Next = max(part.Next, batch.NextOffset())
			continue
		}
		if full, err := k.takeBatch(part, batch); err != nil || full {
			return err
		}
	}
}

func (k *consuming) takeBatch(part *ConsumedPart, batch record.Batch) (full bool, err error) {
	records, err := batch.Records()
	if err != nil {
		return false, err
	}
	part.TimestampType = batch.TimestampType()
	for _, r := range records {
		if r.Offset < part.Next {
			part.Dropped++
			continue
		}
		if r.Offset >= k.end || (k.Max > 0 && k.total() >= k.Max) {
			return true, nil
		}
		part.Records = append(part.Records, r)
		part.Next = r.Offset + 1
	}
	part.Next = max(part.Next, batch.NextOffset())
	return false, nil
}

// aborted walks the list of aborted transactions beside the batches, as a
// read_committed consumer does.
type aborted struct {
	queue  []kmsg.FetchResponseTopicPartitionAbortedTransaction
	active map[int64]bool
}

func newAborted(list []kmsg.FetchResponseTopicPartitionAbortedTransaction) *aborted {
	queue := slices.Clone(list)
	slices.SortStableFunc(queue, func(a, b kmsg.FetchResponseTopicPartitionAbortedTransaction) int {
		return int(a.FirstOffset - b.FirstOffset)
	})
	return &aborted{queue: queue, active: map[int64]bool{}}
}

// skips tells whether an application never sees a batch: control records, and
// data of aborted transactions.
func (a *aborted) skips(batch record.Batch) bool {
	for len(a.queue) > 0 && a.queue[0].FirstOffset <= batch.LastOffset() {
		a.active[a.queue[0].ProducerID] = true
		a.queue = a.queue[1:]
	}
	if batch.IsControl() {
		if m, err := batch.Marker(); err == nil && m.Type == record.Abort {
			delete(a.active, batch.ProducerID())
		}
		return true
	}
	return batch.IsTransactional() && a.active[batch.ProducerID()]
}
