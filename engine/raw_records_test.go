package engine

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/record"
)

// rawBatch makes a batch of records v0, v1, … with timestamps from rawTime on.
func rawBatch(n int, edit func(*record.Options)) []byte {
	o := record.Defaults()
	if edit != nil {
		edit(&o)
	}
	b := record.NewBuilder(o)
	for i := range n {
		if _, err := b.Append(rawTime+int64(i), []byte("k"), fmt.Appendf(nil, "v%d", i)); err != nil {
			panic(err)
		}
	}
	return slices.Clone(b.Build())
}

// tampered is a batch with bytes put over what is at an offset, with its CRC
// made right again.
func tampered(batch []byte, at int, with ...byte) []byte {
	b := slices.Clone(batch)
	copy(b[at:], with)
	binary.BigEndian.PutUint32(b[17:], crc32.Checksum(b[21:], crc32.MakeTable(crc32.Castagnoli)))
	return b
}

// broken is the same without a right CRC.
func broken(batch []byte, at int, with ...byte) []byte {
	b := slices.Clone(batch)
	copy(b[at:], with)
	return b
}

// old is a message set of magic 0 or 1 with one record.
func old(magic byte) []byte {
	b := []byte{0, 0, 0, 0, 0, 0, 0, 0}
	body := []byte{magic, 0}
	if magic == 1 {
		body = binary.BigEndian.AppendUint64(body, uint64(rawTime))
	}
	body = append(body, 255, 255, 255, 255, 0, 0, 0, 1, 'v')
	b = binary.BigEndian.AppendUint32(b, uint32(4+len(body)))
	b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(body))
	return append(b, body...)
}

// Places in a batch (record batch, magic 2).
const (
	atBaseOffset  = 0
	atLength      = 8
	atLeaderEpoch = 12
	atMagic       = 16
	atCRC         = 17
	atAttributes  = 21
	atLastDelta   = 23
	atBaseTime    = 27
	atMaxTime     = 35
	atCount       = 57
)

func be(size int, n int64) []byte {
	b := binary.BigEndian.AppendUint64(nil, uint64(n))
	return b[8-size:]
}

func produceTo(version, acks int16, topic string, partition int32, records []byte) func(*rawWorld) kmsg.Request {
	return func(w *rawWorld) kmsg.Request {
		req := kmsg.NewPtrProduceRequest()
		req.Version, req.Acks, req.TimeoutMillis = version, acks, 5000
		t := kmsg.NewProduceRequestTopic()
		t.Topic, t.TopicID = topic, w.ids[topic]
		if topic == "nosuch" {
			t.TopicID = [16]byte{9, 15: 9}
		}
		t.Partitions = []kmsg.ProduceRequestTopicPartition{{Partition: partition, Records: records}}
		req.Topics = append(req.Topics, t)
		return req
	}
}

func learned(names ...string) rawCase {
	return rawCase{name: "ids", req: fixed(metadataOf(12, false, names...))}
}

func produceCases() []rawCase {
	good := rawBatch(3, nil)
	send := func(name string, records []byte) rawCase {
		return rawCase{name: name, req: produceTo(13, 1, "p", 0, records)}
	}
	to := func(name, topic string, records []byte) rawCase {
		return rawCase{name: name, req: produceTo(13, 1, topic, 0, records)}
	}
	codec := func(c record.Codec) []byte { return rawBatch(3, func(o *record.Options) { o.Codec = c }) }
	cases := []rawCase{
		made(on("p", []int32{1, 2}), on("compacted", []int32{1}).with("cleanup.policy=compact"), on("small", []int32{1}).with("max.message.bytes=200"),
			on("append-time", []int32{1}).with("message.timestamp.type=LogAppendTime"), on("strict", []int32{1, 2}).with("min.insync.replicas=2"),
			on("narrow", []int32{1}).with("message.timestamp.before.max.ms=1000", "message.timestamp.after.max.ms=1000"),
			on("zstd", []int32{1}).with("compression.type=zstd"), on("tight", []int32{1}).with("max.decompressed.message.bytes=100")),
		learned("p", "compacted", "small", "append-time", "strict", "narrow", "zstd", "tight"),
	}
	for v := int16(3); v <= 13; v++ {
		cases = append(cases,
			rawCase{name: fmt.Sprintf("v%d", v), req: produceTo(v, -1, "p", 0, good)},
			rawCase{name: fmt.Sprintf("v%d unknown topic", v), req: produceTo(v, 1, "nosuch", 0, good)},
			rawCase{name: fmt.Sprintf("v%d unknown partition", v), req: produceTo(v, 1, "p", 7, good)},
			rawCase{name: fmt.Sprintf("v%d a follower", v), to: 2, req: produceTo(v, 1, "p", 0, good)},
			rawCase{name: fmt.Sprintf("v%d no replica", v), to: 3, req: produceTo(v, 1, "p", 0, good)},
			rawCase{name: fmt.Sprintf("v%d a null key", v), req: produceTo(v, 1, "compacted", 0, keyless())},
			rawCase{name: fmt.Sprintf("v%d zstd", v), req: produceTo(v, 1, "p", 0, codec(record.Zstd))},
			rawCase{name: fmt.Sprintf("v%d append time", v), req: produceTo(v, 1, "append-time", 0, good)},
			rawCase{name: fmt.Sprintf("v%d no records", v), req: produceTo(v, 1, "p", 0, []byte{})},
		)
	}
	cases = append(cases,
		rawCase{name: "acks 2", req: produceTo(13, 2, "p", 0, good)},
		rawCase{name: "acks -2 and an unknown topic", req: produceTo(13, -2, "nosuch", 0, good)},
		rawCase{name: "acks 2 and a wrong batch", req: produceTo(13, 2, "p", 0, []byte{})},
		rawCase{name: "acks 0", req: produceTo(13, 0, "p", 0, good), silent: true},
		rawCase{name: "acks all with an ISR of two", req: produceTo(13, -1, "strict", 0, good)},
		to("an internal topic", "__consumer_offsets", good),

		send("empty", []byte{}),
		send("some bytes", []byte("hello")),
		send("16 bytes", make([]byte, 16)),
		send("17 zero bytes", make([]byte, 17)),
		send("61 zero bytes", make([]byte, 61)),
		send("half a batch", good[:40]),
		send("a batch less its last byte", good[:len(good)-1]),
		send("a batch and 5 bytes", append(slices.Clone(good), 1, 2, 3, 4, 5)),
		send("a batch and 13 bytes", append(slices.Clone(good), make([]byte, 13)...)),
		send("a batch and 30 zero bytes", append(slices.Clone(good), make([]byte, 30)...)),
		send("a batch and half another", append(slices.Clone(good), good[:40]...)),
		send("two batches", append(slices.Clone(good), good...)),
		send("magic 0", old(0)),
		send("magic 1", old(1)),
		send("magic 3", broken(good, atMagic, 3)),
		send("magic -1", broken(good, atMagic, 255)),
		send("a wrong CRC", broken(good, atCRC, 1, 2, 3, 4)),
		send("a flipped bit in a value", broken(good, len(good)-2, 'x')),
		send("a length of 0", broken(good, atLength, be(4, 0)...)),
		send("a length of 13", broken(good, atLength, be(4, 13)...)),
		send("a length of 48", broken(good, atLength, be(4, 48)...)),
		send("a length of -1", broken(good, atLength, be(4, -1)...)),
		send("a length beyond the end", broken(good, atLength, be(4, int64(len(good)))...)),
		send("a base offset of 5", broken(good, atBaseOffset, be(8, 5)...)),
		send("a base offset of -1", broken(good, atBaseOffset, be(8, -1)...)),
		send("a leader epoch of 7", broken(good, atLeaderEpoch, be(4, 7)...)),
		send("count 0", tampered(good, atCount, be(4, 0)...)),
		send("count 2", tampered(good, atCount, be(4, 2)...)),
		send("count 4", tampered(good, atCount, be(4, 4)...)),
		send("count -1", tampered(good, atCount, be(4, -1)...)),
		send("last offset delta 1", tampered(good, atLastDelta, be(4, 1)...)),
		send("last offset delta 5", tampered(good, atLastDelta, be(4, 5)...)),
		send("last offset delta -1", tampered(good, atLastDelta, be(4, -1)...)),
		send("count and delta of 5", tampered(tampered(good, atCount, be(4, 5)...), atLastDelta, be(4, 4)...)),
		send("an empty batch", tampered(good[:61], atLength, be(4, 49)...)),
		send("an empty batch that says so", tampered(tampered(tampered(good[:61], atLength, be(4, 49)...), atCount, be(4, 0)...), atLastDelta, be(4, -1)...)),
		send("control", rawBatch(1, func(o *record.Options) { o.Control = true })),
		send("append time from a producer", rawBatch(2, func(o *record.Options) { o.TimestampType = record.LogAppendTime; o.LogAppendTime = rawTime })),
		send("an unknown attribute", tampered(good, atAttributes, be(2, 0x0080)...)),
		send("a delete horizon", tampered(good, atAttributes, be(2, 0x0040)...)),
		send("a wrong max timestamp", tampered(good, atMaxTime, be(8, rawTime+77)...)),
		send("a base timestamp of -1", tampered(good, atBaseTime, be(8, -1)...)),
		send("a far future", tampered(tampered(good, atBaseTime, be(8, 1900000000000)...), atMaxTime, be(8, 1900000000002)...)),
		send("timestamps below 0", tampered(tampered(good, atBaseTime, be(8, -500)...), atMaxTime, be(8, -498)...)),
		to("too old", "narrow", good),
		to("too old and without a timestamp", "narrow", rawBatchAt(-1)),
		to("append time, a wrong one", "append-time", tampered(good, atMaxTime, be(8, rawTime+77)...)),

		send("gzip", codec(record.Gzip)),
		send("snappy", codec(record.Snappy)),
		send("lz4", codec(record.LZ4)),
		send("codec 5", tampered(good, atAttributes, be(2, 5)...)),
		send("codec 7", tampered(good, atAttributes, be(2, 7)...)),
		send("plain bytes called gzip", tampered(good, atAttributes, be(2, 1)...)),
		send("plain bytes called zstd", tampered(good, atAttributes, be(2, 4)...)),
		send("gzip with a wrong count", tampered(codec(record.Gzip), atCount, be(4, 5)...)),
		to("a topic that makes it zstd", "zstd", good),
		to("gzip to a topic that makes it zstd", "zstd", codec(record.Gzip)),
		to("count 4 to a topic that makes it zstd", "zstd", tampered(good, atCount, be(4, 4)...)),
		to("larger once it is unpacked", "tight", bigBatch(500, record.Gzip)),
		to("204 bytes", "small", sized(200)),
		to("more than allowed", "small", sized(201)),
		to("a null key", "compacted", keyless()),
		send("a record's length too large", tampered(good, 61, 200, 1)),
		send("a record's length negative", tampered(good, 61, 1)),
		send("a record's key too long", tampered(good, 65, 126)),
		send("transactional", rawBatch(1, func(o *record.Options) {
			o.Transactional, o.ProducerID, o.ProducerEpoch, o.BaseSequence = true, 5, 0, 0
		})),
		send("a producer id without an epoch", rawBatch(1, func(o *record.Options) { o.ProducerID = 4000; o.BaseSequence = 0 })),
		send("a producer id without a sequence", rawBatch(1, func(o *record.Options) { o.ProducerID = 4001; o.ProducerEpoch = 0 })),
		send("a sequence without a producer id", rawBatch(1, func(o *record.Options) { o.BaseSequence = 3 })),
		send("a producer id of -5", rawBatch(1, func(o *record.Options) { o.ProducerID = -5; o.ProducerEpoch, o.BaseSequence = 0, 0 })),
	)
	return append(cases,
		rawCase{name: "two partitions, one wrong", req: func(w *rawWorld) kmsg.Request {
			r := produceTo(13, -1, "p", 0, good)(w).(*kmsg.ProduceRequest)
			r.Topics[0].Partitions = append(r.Topics[0].Partitions, kmsg.ProduceRequestTopicPartition{Partition: 3, Records: good})
			return r
		}},
		rawCase{name: "two topics", req: func(w *rawWorld) kmsg.Request {
			r := produceTo(13, -1, "p", 0, good)(w).(*kmsg.ProduceRequest)
			r.Topics = append(r.Topics, produceTo(13, -1, "compacted", 0, keyless())(w).(*kmsg.ProduceRequest).Topics...)
			return r
		}},
		rawCase{name: "a transactional id without transactions", req: func(w *rawWorld) kmsg.Request {
			r := produceTo(13, -1, "p", 0, good)(w).(*kmsg.ProduceRequest)
			r.TransactionID = ptr("tx")
			return r
		}},
		rawCase{name: "v13 by the zero id", req: produceTo(13, 1, "unnamed", 0, good)},
		rawCase{name: "v12 without a name", req: produceTo(12, 1, "", 0, good)},
		rawCase{name: "no topics", req: fixed(&kmsg.ProduceRequest{Version: 13, Acks: 1, TimeoutMillis: 100})},
		rawCase{name: "the end of the log", req: listOffsets(9, -1, "p", 0, -1)},
	)
}

func keyless() []byte {
	b := record.NewBuilder(record.Defaults())
	for range 5 {
		if _, err := b.Append(rawTime, nil, []byte("v")); err != nil {
			panic(err)
		}
	}
	return b.Build()
}

func rawBatchAt(ts int64) []byte {
	b := record.NewBuilder(record.Defaults())
	if _, err := b.Append(ts, []byte("k"), []byte("v")); err != nil {
		panic(err)
	}
	return b.Build()
}

// sized is a batch of one record that is n bytes on the wire.
func sized(n int) []byte {
	b := record.NewBuilder(record.Defaults())
	if _, err := b.Append(rawTime, []byte("k"), make([]byte, n-61-10)); err != nil {
		panic(err)
	}
	return b.Build()
}

func bigBatch(n int, c record.Codec) []byte {
	o := record.Defaults()
	o.Codec = c
	b := record.NewBuilder(o)
	if _, err := b.Append(rawTime, []byte("k"), make([]byte, n)); err != nil {
		panic(err)
	}
	return b.Build()
}
