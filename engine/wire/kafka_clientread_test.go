//go:build kafka

package wire

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// fillRead gives the topic read three partitions of 20 records in batches of
// 4, whose times do not always grow.
func fillRead(o *observer) {
	o.create("read", [][]int32{{1, 2, 3}, {2, 3, 1}, {3, 1, 2}})
	cl := o.producer()
	defer cl.Close()
	for n := 0; n < 20; n += 4 {
		var batch []*kgo.Record
		for i := range 12 {
			r := fixedRecord("read", int32(i%3), n+i/3)
			if n == 8 {
				r.Timestamp = r.Timestamp.Add(-5 * time.Second)
			}
			batch = append(batch, r)
		}
		o.send(cl, "read", batch...)
	}
}

func seeOffsets(o *observer) {
	fillRead(o)
	topics := []string{"read", "idem", "t.placed"}
	for _, l := range []struct {
		name string
		list func(context.Context, ...string) (kadm.ListedOffsets, error)
	}{
		{"start", o.adm.ListStartOffsets}, {"end", o.adm.ListEndOffsets}, {"largest time", o.adm.ListMaxTimestampOffsets},
		{"local start", o.adm.ListLocalLogStartOffsets}, {"remote end", o.adm.ListLatestRemoteOffsets}, {"stable", o.adm.ListCommittedOffsets},
	} {
		listed, err := l.list(o.ctx, topics...)
		o.saw(l.name, listed, err)
		listed, err = l.list(o.ctx, "nosuch")
		o.saw(l.name+" of no topic", listed, err)
	}
	for n := -1; n < 21; n++ {
		for _, more := range []int64{0, 1} {
			ms := fixedTime + int64(n)*1000 + more
			listed, err := o.adm.ListOffsetsAfterMilli(o.ctx, ms, "read")
			o.saw(fmt.Sprintf("after %d", ms), listed, err)
		}
	}
}

func seeConsumers(o *observer) {
	o.read("all partitions", 60, kgo.ConsumeTopics("read"), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	o.read("committed only", 60, kgo.ConsumeTopics("read"), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()), kgo.FetchIsolationLevel(kgo.ReadCommitted()))
	for _, f := range readFrom {
		o.read(f.name, f.count, kgo.ConsumePartitions(at("read", 0, f.from)))
	}
	// An offset that is not there, with each policy.
	for _, offset := range []int64{20, 21, 1000} {
		for _, policy := range policies {
			count := policy.count
			if offset == 20 {
				count = 0
			}
			o.read(strconv.FormatInt(offset, 10)+" "+policy.name, count, kgo.ConsumePartitions(at("read", 0, kgo.NewOffset().At(offset))), kgo.ConsumeResetOffset(policy.offset))
		}
	}
	o.read("in little pieces", 20, kgo.ConsumePartitions(at("read", 1, kgo.NewOffset().AtStart())), kgo.FetchMaxPartitionBytes(10))
	o.read("no such partition", 0, kgo.ConsumePartitions(at("read", 9, kgo.NewOffset().AtStart())))
	o.read("no such topic", 0, kgo.ConsumePartitions(at("nosuch", 0, kgo.NewOffset().AtStart())))
}

var readFrom = []struct {
	name  string
	from  kgo.Offset
	count int
}{
	{"from the start", kgo.NewOffset().AtStart(), 20},
	{"from the end", kgo.NewOffset().AtEnd(), 0},
	{"from 7, within a batch", kgo.NewOffset().At(7), 13},
	{"two before the end", kgo.NewOffset().AtEnd().Relative(-2), 2},
	{"three after the start", kgo.NewOffset().AtStart().Relative(3), 17},
	{"after a time", kgo.NewOffset().AfterMilli(fixedTime + 4500), 15},
	{"after a time that is not to come", kgo.NewOffset().AfterMilli(fixedTime + 1e8), 0},
	{"at committed, without a group", kgo.NewOffset().AtCommitted(), 0},
}

var policies = []struct {
	name   string
	offset kgo.Offset
	count  int
}{
	{"reset to the start", kgo.NewOffset().AtStart(), 20},
	{"reset to the end", kgo.NewOffset().AtEnd(), 0},
	{"reset to a time", kgo.NewOffset().AfterMilli(fixedTime + 15000), 5},
	{"no reset", kgo.NoResetOffset(), errorAwaited},
}

func seeDeletedRecords(o *observer) {
	offsets := func(p int32, offset int64) kadm.Offsets {
		var os kadm.Offsets
		os.AddOffset("read", p, offset, -1)
		return os
	}
	for _, c := range []struct {
		p      int32
		offset int64
	}{{0, 6}, {0, 3}, {0, 99}, {0, -1}, {0, -2}, {1, 20}, {1, 21}, {2, -1}, {9, 1}} {
		deleted, err := o.adm.DeleteRecords(o.ctx, offsets(c.p, c.offset))
		if c.p == 0 && c.offset == -1 {
			o.saw("all that is there", deleted, err)
			o.refill()
			continue
		}
		o.saw(fmt.Sprintf("delete %d/%d", c.p, c.offset), deleted, err)
	}
	for _, list := range []func(context.Context, ...string) (kadm.ListedOffsets, error){o.adm.ListStartOffsets, o.adm.ListEndOffsets, o.adm.ListMaxTimestampOffsets} {
		listed, err := list(o.ctx, "read")
		o.saw("afterwards", listed, err)
	}
	listed, err := o.adm.ListOffsetsAfterMilli(o.ctx, fixedTime, "read")
	o.saw("first after a time", listed, err)
	for _, offset := range []int64{0, 5, 19, 20} {
		for _, policy := range policies {
			count := policy.count
			if count == 20 {
				count = 2
			}
			if offset == 20 {
				count = 2
			}
			if policy.name == "reset to a time" && offset < 20 {
				count = 2
			}
			o.read(fmt.Sprintf("%d %s", offset, policy.name), count, kgo.ConsumePartitions(at("read", 0, kgo.NewOffset().At(offset))), kgo.ConsumeResetOffset(policy.offset))
		}
	}
	o.sawBatches("read", 1, false)
}

// refill adds two records to the partition 0 that was emptied.
func (o *observer) refill() {
	cl := o.producer()
	defer cl.Close()
	o.send(cl, "refill", fixedRecord("read", 0, 20), fixedRecord("read", 0, 21))
}
