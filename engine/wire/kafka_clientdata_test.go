//go:build kafka

package wire

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

var kgoCodecs = []kgo.CompressionCodec{kgo.NoCompression(), kgo.GzipCompression(), kgo.SnappyCompression(), kgo.Lz4Compression(), kgo.ZstdCompression()}

// manyRecords are of every kind: without key, without value, with headers that
// have neither, of one byte and of many.
func manyRecords(topic string) []*kgo.Record {
	at := func(n int) time.Time { return time.UnixMilli(fixedTime + int64(n)*1000) }
	return []*kgo.Record{
		fixedRecord(topic, 0, 0),
		{Topic: topic, Value: []byte("no key"), Timestamp: at(5)},
		{Topic: topic, Key: []byte("tombstone"), Timestamp: at(4)},
		{Topic: topic, Key: []byte{}, Value: []byte{}, Timestamp: at(3)},
		{Topic: topic, Timestamp: at(2)},
		{Topic: topic, Key: []byte("h"), Value: []byte{0, 255}, Timestamp: at(2), Headers: []kgo.RecordHeader{{Key: "", Value: []byte{}}, {Key: "null"}, {Key: "twice", Value: []byte("1")}, {Key: "twice", Value: []byte("2")}}},
		{Topic: topic, Key: []byte("big"), Value: bytes.Repeat([]byte("0123456789abcdef"), 6000), Timestamp: at(1)},
		{Topic: topic, Key: []byte("old"), Value: []byte("of 1970"), Timestamp: time.UnixMilli(0)},
	}
}

func seeCodecs(o *observer) {
	for codec := range kgoCodecs {
		for _, acks := range []kgo.Acks{kgo.NoAck(), kgo.LeaderAck(), kgo.AllISRAcks()} {
			topic := fmt.Sprintf("codec-%d-%s", codec, strings.Trim(fmt.Sprint(acks), "{}"))
			o.create(topic, [][]int32{{1, 2, 3}})
			cl := o.producer(kgo.ProducerBatchCompression(kgoCodecs[codec]), kgo.RequiredAcks(acks))
			o.send(cl, topic+" many", manyRecords(topic)...)
			o.send(cl, topic+" one", fixedRecord(topic, 0, 9))
			cl.Close()
			o.awaitEnd(topic, 9)
			o.sawBatches(topic, 0, false)
			o.read(topic, 9, kgo.ConsumePartitions(at(topic, 0, kgo.NewOffset().AtStart())))
		}
	}
}

func at(topic string, partition int32, from kgo.Offset) map[string]map[int32]kgo.Offset {
	return map[string]map[int32]kgo.Offset{topic: {partition: from}}
}

// read consumes n records, or what comes within a while, and notes them and the
// errors, each error once.
func (o *observer) read(what string, n int, opts ...kgo.Opt) {
	cl := o.client(append([]kgo.Opt{kgo.FetchMaxWait(100 * time.Millisecond)}, opts...)...)
	defer cl.Close()
	var lines []string
	records := 0
	end := time.Now().Add(4 * time.Second)
	if n == 0 {
		end = time.Now().Add(700 * time.Millisecond)
	}
	for (records < n || n == 0) && time.Now().Before(end) {
		ctx, cancel := context.WithDeadline(o.ctx, end)
		fetches := cl.PollFetches(ctx)
		cancel()
		for _, e := range fetches.Errors() {
			text := fmt.Sprintf("error of %s/%d: %s", e.Topic, e.Partition, maskError(e.Err.Error()))
			if ctx.Err() == nil && !slices.Contains(lines, text) {
				lines = append(lines, text)
			}
		}
		for _, r := range fetches.Records() {
			records++
			lines = append(lines, showRecord(r))
		}
		if n == errorAwaited && len(lines) > 0 {
			break
		}
	}
	slices.SortStableFunc(lines, func(a, b string) int { return strings.Compare(partitionOf(a), partitionOf(b)) })
	o.note("read %s:\n  %s", what, strings.Join(lines, "\n  "))
}

// errorAwaited is a read that ends with an error.
const errorAwaited = 1 << 30

func partitionOf(line string) string { p, _, _ := strings.Cut(line, "@"); return p }

func seeIdempotence(o *observer) {
	o.create("idem", [][]int32{{1, 2, 3}})
	for range 3 {
		cl, err := kgo.NewClient(kgo.SeedBrokers(o.addrs...), kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.ManualFlushing(), kgo.ProducerBatchCompression(kgo.NoCompression()))
		if err != nil {
			o.note("%v", err)
			return
		}
		for n := range 4 {
			o.send(cl, "idempotent", fixedRecord("idem", 0, n), fixedRecord("idem", 0, n+1))
		}
		_, epoch, err := cl.ProducerID(o.ctx)
		o.note("producer epoch %d %v", epoch, err)
		cl.Close()
	}
	o.sawBatches("idem", 0, true)
}

func seeTimestamps(o *observer) {
	o.create("time.append", [][]int32{{1, 2, 3}}, "message.timestamp.type=LogAppendTime")
	o.create("time.create", [][]int32{{1, 2, 3}}, "message.timestamp.before.max.ms=1000", "message.timestamp.after.max.ms=1000")
	for _, codec := range []int{0, 4} {
		cl := o.producer(kgo.ProducerBatchCompression(kgoCodecs[codec]))
		o.send(cl, "append time", fixedRecord("time.append", 0, 0), fixedRecord("time.append", 0, 1))
		o.send(cl, "too old", fixedRecord("time.create", 0, 0), fixedRecord("time.create", 0, 1))
		late := fixedRecord("time.create", 0, 2)
		late.Timestamp = time.Now().Add(time.Hour)
		o.send(cl, "too new", late)
		now := fixedRecord("time.create", 0, 2)
		now.Timestamp = time.Now()
		o.send(cl, "now", now)
		cl.Close()
	}
	o.sawBatches("time.append", 0, true)
	o.read("append time", 4, kgo.ConsumePartitions(at("time.append", 0, kgo.NewOffset().AtStart())))
	o.read("create time", 2, kgo.ConsumePartitions(at("time.create", 0, kgo.NewOffset().AtStart())))
	for _, topic := range []string{"time.append", "time.create"} {
		for _, ms := range []int64{0, fixedTime, time.Now().Add(time.Hour).UnixMilli()} {
			l, err := o.adm.ListOffsetsAfterMilli(o.ctx, ms, topic)
			one, _ := l.Lookup(topic, 0)
			o.note("after a time: offset %d epoch %d time %s %v %v", one.Offset, one.LeaderEpoch, showTime(time.UnixMilli(one.Timestamp)), one.Err, err)
		}
	}
}

// seeRecompression lets the broker compress: what libraries make of the same
// records differs in bytes, not in records.
func seeRecompression(o *observer) {
	for _, to := range []string{"uncompressed", "gzip", "snappy", "lz4", "zstd", "producer"} {
		for _, from := range []int{0, 3} {
			topic := fmt.Sprintf("to.%s.%d", to, from)
			o.create(topic, [][]int32{{1, 2, 3}}, "compression.type="+to)
			cl := o.producer(kgo.ProducerBatchCompression(kgoCodecs[from]))
			o.send(cl, topic, manyRecords(topic)...)
			cl.Close()
			if to == "uncompressed" {
				o.sawBatches(topic, 0, false)
			}
			o.read(topic, 8, kgo.ConsumePartitions(at(topic, 0, kgo.NewOffset().AtStart())))
		}
	}
}

func seeLimits(o *observer) {
	o.create("small", [][]int32{{1, 2, 3}}, "max.message.bytes=1000")
	o.create("usual", [][]int32{{1, 2, 3}})
	o.create("keyed", [][]int32{{1, 2, 3}}, "cleanup.policy=compact")
	o.create("unsafe", [][]int32{{1, 2}}, "min.insync.replicas=3")
	sized := func(topic string, size int) *kgo.Record {
		return &kgo.Record{Topic: topic, Value: bytes.Repeat([]byte("x"), size), Timestamp: time.UnixMilli(fixedTime)}
	}
	cl := o.producer()
	defer cl.Close()
	for _, size := range []int{900, 925, 926, 927, 928, 929, 930, 2000} {
		o.send(cl, fmt.Sprintf("%d bytes", size), sized("small", size))
	}
	o.send(cl, "small records, a big batch", sized("small", 400), sized("small", 400), sized("small", 400))
	for _, size := range []int{1048515, 1048516, 1048517, 1048518, 3000000} {
		o.send(cl, fmt.Sprintf("%d bytes", size), sized("usual", size))
	}
	o.send(cl, "without a key", sized("keyed", 10))
	o.send(cl, "with a key", fixedRecord("keyed", 0, 1))
	o.send(cl, "too few replicas", sized("unsafe", 10))
	leader := o.producer(kgo.RequiredAcks(kgo.LeaderAck()))
	defer leader.Close()
	o.send(leader, "the leader alone", sized("unsafe", 10))
	o.send(cl, "no such topic", sized("nosuch", 10))
	for _, topic := range []string{"small", "usual", "keyed", "unsafe"} {
		o.sawBatches(topic, 0, false)
	}
	o.read("a big one, a little at a time", 2, kgo.ConsumePartitions(at("usual", 0, kgo.NewOffset().AtStart())), kgo.FetchMaxBytes(1000), kgo.FetchMaxPartitionBytes(1000))
}
