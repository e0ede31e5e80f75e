package engine

import (
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/record"
)

func listOffsets(version int16, replica int32, topic string, partition int32, timestamps ...int64) func(*rawWorld) kmsg.Request {
	return func(*rawWorld) kmsg.Request {
		req := kmsg.NewPtrListOffsetsRequest()
		req.Version, req.ReplicaID = version, replica
		t := kmsg.NewListOffsetsRequestTopic()
		t.Topic = topic
		for _, ts := range timestamps {
			p := kmsg.NewListOffsetsRequestTopicPartition()
			p.Partition, p.Timestamp, p.CurrentLeaderEpoch = partition, ts, -1
			t.Partitions = append(t.Partitions, p)
		}
		req.Topics = append(req.Topics, t)
		return req
	}
}

// withEpoch sets the epoch that the client believes in.
func withEpoch(req func(*rawWorld) kmsg.Request, epoch int32) func(*rawWorld) kmsg.Request {
	return func(w *rawWorld) kmsg.Request {
		r := req(w)
		switch r := r.(type) {
		case *kmsg.ListOffsetsRequest:
			r.Topics[0].Partitions[0].CurrentLeaderEpoch = epoch
		case *kmsg.FetchRequest:
			r.Topics[0].Partitions[0].CurrentLeaderEpoch = epoch
		}
		return r
	}
}

// stamped is a batch whose records have these timestamps after rawTime.
func stamped(deltas ...int64) []byte {
	b := record.NewBuilder(record.Defaults())
	for _, d := range deltas {
		if _, err := b.Append(rawTime+d, []byte("k"), []byte("v")); err != nil {
			panic(err)
		}
	}
	return b.Build()
}

func offsetCases() []rawCase {
	cases := []rawCase{
		made(on("o", []int32{1, 2}), on("o-empty", []int32{1}), on("o-compact", []int32{1}).with("cleanup.policy=compact")),
		learned("o", "o-empty", "o-compact"),
		{name: "three records", req: produceTo(13, -1, "o", 0, stamped(5000, 9000, 9000))},
		{name: "two more", req: produceTo(13, -1, "o", 0, stamped(1000, 1001))},
	}
	for v := int16(1); v <= 11; v++ {
		for _, ts := range []int64{-1, -2, -3, -4, -5, -6, -7, rawTime, rawTime + 5001} {
			name := fmt.Sprintf("v%d %d", v, ts)
			cases = append(cases, rawCase{name: name, req: listOffsets(v, -1, "o", 0, ts)})
		}
		cases = append(cases,
			rawCase{name: fmt.Sprintf("v%d an empty log", v), req: listOffsets(v, -1, "o-empty", 0, -1)},
			rawCase{name: fmt.Sprintf("v%d a follower", v), to: 2, req: listOffsets(v, -1, "o", 0, -1)},
			rawCase{name: fmt.Sprintf("v%d no replica", v), to: 3, req: listOffsets(v, -1, "o", 0, -1)},
			rawCase{name: fmt.Sprintf("v%d unknown", v), req: listOffsets(v, -1, "nosuch", 0, -1)},
		)
	}
	for _, ts := range []int64{-2, -3, -4, 0, rawTime} {
		cases = append(cases, rawCase{name: fmt.Sprintf("an empty log at %d", ts), req: listOffsets(10, -1, "o-empty", 0, ts)})
	}
	for _, ts := range []int64{rawTime + 1001, rawTime + 5000, rawTime + 9000, rawTime + 9001, 0} {
		cases = append(cases, rawCase{name: fmt.Sprintf("time %d", ts), req: listOffsets(10, -1, "o", 0, ts)})
	}
	cases = append(cases,
		rawCase{name: "unknown partition", req: listOffsets(10, -1, "o", 7, -1)},
		rawCase{name: "negative partition", req: listOffsets(10, -1, "o", -1, -1)},
		rawCase{name: "a partition twice", req: listOffsets(10, -1, "o", 0, -1, -2)},
		rawCase{name: "debugging a follower", to: 2, req: listOffsets(10, -2, "o", 0, -1)},
		rawCase{name: "debugging a follower from the start", to: 2, req: listOffsets(10, -2, "o", 0, -2)},
		rawCase{name: "as a follower", req: listOffsets(10, 2, "o", 0, -1)},
		rawCase{name: "as a follower of a follower", to: 2, req: listOffsets(10, 3, "o", 0, -1)},
		rawCase{name: "epoch 0", req: withEpoch(listOffsets(10, -1, "o", 0, -1), 0)},
		rawCase{name: "epoch 5", req: withEpoch(listOffsets(10, -1, "o", 0, -1), 5)},
		rawCase{name: "epoch 5 of a follower", to: 2, req: withEpoch(listOffsets(10, -1, "o", 0, -1), 5)},
		rawCase{name: "epoch -7", req: withEpoch(listOffsets(10, -1, "o", 0, -1), -7)},
		rawCase{name: "read committed", req: func(w *rawWorld) kmsg.Request {
			r := listOffsets(10, -1, "o", 0, -1)(w).(*kmsg.ListOffsetsRequest)
			r.IsolationLevel = 1
			return r
		}},
		rawCase{name: "no topics", req: fixed(&kmsg.ListOffsetsRequest{Version: 10, ReplicaID: -1})},
	)
	cases = append(cases, epochCases()...)
	return append(cases, deletionCases()...)
}

// endOf asks where an epoch ended.
func endOf(version int16, topic string, partition, current, epoch int32) func(*rawWorld) kmsg.Request {
	return func(*rawWorld) kmsg.Request {
		req := kmsg.NewPtrOffsetForLeaderEpochRequest()
		req.Version, req.ReplicaID = version, -2
		t := kmsg.NewOffsetForLeaderEpochRequestTopic()
		t.Topic = topic
		p := kmsg.NewOffsetForLeaderEpochRequestTopicPartition()
		p.Partition, p.CurrentLeaderEpoch, p.LeaderEpoch = partition, current, epoch
		t.Partitions = append(t.Partitions, p)
		req.Topics = append(req.Topics, t)
		return req
	}
}

func epochCases() []rawCase {
	var cases []rawCase
	for v := int16(2); v <= 4; v++ {
		for _, epoch := range []int32{-1, 0, 1, -5} {
			cases = append(cases, rawCase{name: fmt.Sprintf("epochs v%d: %d", v, epoch), req: endOf(v, "o", 0, -1, epoch)})
		}
	}
	return append(cases,
		rawCase{name: "epochs: current 0", req: endOf(4, "o", 0, 0, 0)},
		rawCase{name: "epochs: current 1", req: endOf(4, "o", 0, 1, 0)},
		rawCase{name: "epochs: a follower", to: 2, req: endOf(4, "o", 0, -1, 0)},
		rawCase{name: "epochs: a follower, current 0", to: 2, req: endOf(4, "o", 0, 0, 0)},
		rawCase{name: "epochs: a follower, current 1", to: 2, req: endOf(4, "o", 0, 1, 0)},
		rawCase{name: "epochs: no replica", to: 3, req: endOf(4, "o", 0, -1, 0)},
		rawCase{name: "epochs: unknown topic", req: endOf(4, "nosuch", 0, -1, 0)},
		rawCase{name: "epochs: unknown partition", req: endOf(4, "o", 7, -1, 0)},
		rawCase{name: "epochs: an empty log", req: endOf(4, "o-empty", 0, -1, 0)},
	)
}

func deletionCases() []rawCase {
	cut := func(version int16, topic string, partition int32, offset int64) func(*rawWorld) kmsg.Request {
		return func(*rawWorld) kmsg.Request {
			req := kmsg.NewPtrDeleteRecordsRequest()
			req.Version, req.TimeoutMillis = version, 5000
			t := kmsg.NewDeleteRecordsRequestTopic()
			t.Topic = topic
			t.Partitions = append(t.Partitions, kmsg.DeleteRecordsRequestTopicPartition{Partition: partition, Offset: offset})
			req.Topics = append(req.Topics, t)
			return req
		}
	}
	var cases []rawCase
	for v := int16(0); v <= 2; v++ {
		cases = append(cases, rawCase{name: fmt.Sprintf("delete records v%d", v), req: cut(v, "o", 0, int64(v)), changes: true})
	}
	return append(cases,
		rawCase{name: "delete records: before what is deleted", req: cut(2, "o", 0, 1)},
		rawCase{name: "delete records: beyond the end", req: cut(2, "o", 0, 6)},
		rawCase{name: "delete records: -2", req: cut(2, "o", 0, -2)},
		rawCase{name: "delete records: an unknown partition", req: cut(2, "o", 7, 0)},
		rawCase{name: "delete records: an unknown topic", req: cut(2, "nosuch", 0, 0)},
		rawCase{name: "delete records: a follower", to: 2, req: cut(2, "o", 0, 0)},
		rawCase{name: "delete records: no replica", to: 3, req: cut(2, "o", 0, 0)},
		rawCase{name: "delete records: a compacted topic", req: cut(2, "o-compact", 0, 0)},
		rawCase{name: "delete records: an internal topic", req: cut(2, "__transaction_state", 0, 0)},
		rawCase{name: "delete records: an empty log", req: cut(2, "o-empty", 0, -1)},
		rawCase{name: "delete records: to the high watermark", req: cut(2, "o", 0, -1), changes: true},
		rawCase{name: "the start of the log", req: listOffsets(10, -1, "o", 0, -2)},
		rawCase{name: "the largest timestamp", req: listOffsets(10, -1, "o", 0, -3)},
	)
}

func fetchAt(version int16, topic string, partition int32, offset int64) func(*rawWorld) kmsg.Request {
	return func(w *rawWorld) kmsg.Request {
		req := kmsg.NewPtrFetchRequest()
		req.Version, req.MaxWaitMillis, req.MinBytes, req.MaxBytes = version, 100, 1, 1<<20
		req.ReplicaID, req.ReplicaState.ID, req.ReplicaState.Epoch, req.SessionEpoch = -1, -1, -1, -1
		t := kmsg.NewFetchRequestTopic()
		t.Topic, t.TopicID = topic, w.ids[topic]
		if topic == "nosuch" {
			t.TopicID = [16]byte{9, 15: 9}
		}
		p := kmsg.NewFetchRequestTopicPartition()
		p.Partition, p.CurrentLeaderEpoch, p.LastFetchedEpoch, p.FetchOffset, p.PartitionMaxBytes, p.LogStartOffset = partition, -1, -1, offset, 1<<20, -1
		t.Partitions = append(t.Partitions, p)
		req.Topics = append(req.Topics, t)
		return req
	}
}

func fetchCases() []rawCase {
	cases := []rawCase{
		made(on("f", []int32{1, 2}), on("f-zstd", []int32{1})),
		learned("f", "f-zstd"),
		{name: "three records", req: produceTo(13, -1, "f", 0, stamped(1, 2, 3))},
		{name: "two more", req: produceTo(13, -1, "f", 0, stamped(4, 5)), changes: true},
		{name: "zstd", req: produceTo(13, -1, "f-zstd", 0, rawBatch(2, func(o *record.Options) { o.Codec = record.Zstd }))},
	}
	for v := int16(4); v <= 18; v++ {
		cases = append(cases,
			rawCase{name: fmt.Sprintf("v%d", v), req: fetchAt(v, "f", 0, 1)},
			rawCase{name: fmt.Sprintf("v%d the end", v), req: fetchAt(v, "f", 0, 5)},
			rawCase{name: fmt.Sprintf("v%d beyond the end", v), req: fetchAt(v, "f", 0, 6)},
			rawCase{name: fmt.Sprintf("v%d before the start", v), req: fetchAt(v, "f", 0, -1)},
			rawCase{name: fmt.Sprintf("v%d unknown topic", v), req: fetchAt(v, "nosuch", 0, 0)},
			rawCase{name: fmt.Sprintf("v%d unknown partition", v), req: fetchAt(v, "f", 7, 0)},
			rawCase{name: fmt.Sprintf("v%d a follower", v), to: 2, req: fetchAt(v, "f", 0, 0)},
			rawCase{name: fmt.Sprintf("v%d no replica", v), to: 3, req: fetchAt(v, "f", 0, 0)},
			rawCase{name: fmt.Sprintf("v%d zstd", v), req: fetchAt(v, "f-zstd", 0, 0)},
		)
		if v >= 9 {
			cases = append(cases, rawCase{name: fmt.Sprintf("v%d epoch 5", v), req: withEpoch(fetchAt(v, "f", 0, 1), 5)})
		}
	}
	edit := func(name string, change func(r *kmsg.FetchRequest, p *kmsg.FetchRequestTopicPartition)) rawCase {
		return rawCase{name: name, req: func(w *rawWorld) kmsg.Request {
			r := fetchAt(17, "f", 0, 0)(w).(*kmsg.FetchRequest)
			change(r, &r.Topics[0].Partitions[0])
			return r
		}}
	}
	return append(cases,
		edit("one byte", func(r *kmsg.FetchRequest, p *kmsg.FetchRequestTopicPartition) { p.PartitionMaxBytes, r.MaxBytes = 1, 1 }),
		edit("no bytes", func(r *kmsg.FetchRequest, p *kmsg.FetchRequestTopicPartition) { p.PartitionMaxBytes, r.MaxBytes = 0, 0 }),
		edit("the first batch only", func(_ *kmsg.FetchRequest, p *kmsg.FetchRequestTopicPartition) { p.PartitionMaxBytes = 120 }),
		edit("last fetched epoch 1", func(_ *kmsg.FetchRequest, p *kmsg.FetchRequestTopicPartition) { p.LastFetchedEpoch = 1 }),
		edit("last fetched epoch 0 beyond the end", func(_ *kmsg.FetchRequest, p *kmsg.FetchRequestTopicPartition) {
			p.LastFetchedEpoch, p.FetchOffset = 0, 7
		}),
		edit("read committed", func(r *kmsg.FetchRequest, _ *kmsg.FetchRequestTopicPartition) { r.IsolationLevel = 1 }),
		edit("as no replica", func(r *kmsg.FetchRequest, p *kmsg.FetchRequestTopicPartition) {
			r.ReplicaState.ID, p.CurrentLeaderEpoch = 9, 0
		}),
		edit("a partition twice", func(r *kmsg.FetchRequest, p *kmsg.FetchRequestTopicPartition) {
			r.Topics[0].Partitions = append(r.Topics[0].Partitions, *p)
		}),
	)
}
