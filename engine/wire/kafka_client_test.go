//go:build kafka

package wire

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

var showSeen = flag.Bool("client.seen", false, "log all that the client sees of Apache Kafka")

// Programs of kgo and kadm and of Kafka's Java clients see the same, whether
// they speak to the lab's brokers or to Apache Kafka's; and what their appends
// leave on the disks is the same, file by file.
func TestKafkaClientsSeeTheSame(t *testing.T) {
	lab, kafka := judgedClusters(t, 24492, map[string]string{"num.partitions": "2", "default.replication.factor": "2", "log.retention.ms": "-1"})
	lines := 0
	for _, part := range clientProgram {
		start := time.Now()
		bothAtOnce(lab, kafka, func(j *judged) {
			o := newObserver(j)
			defer o.cl.Close()
			part.do(o)
		})
		lines += len(kafka.said)
		t.Logf("%s: %d things seen, %v", part.name, len(kafka.said), time.Since(start).Round(time.Millisecond))
		if len(lab.said) != len(kafka.said) {
			t.Errorf("%s: %d things seen, of Kafka %d", part.name, len(lab.said), len(kafka.said))
			continue
		}
		for i := range kafka.said {
			if *showSeen {
				t.Log(kafka.said[i])
			}
			if lab.said[i] != kafka.said[i] {
				t.Errorf("%s\n%s", part.name, differences(lab.said[i], kafka.said[i]))
			}
		}
	}
	t.Logf("%d things that a client sees", lines)
	javaClientsSee(t, lab, kafka)
	compareEpochs(t, lab, kafka)
	compareFiles(t, lab, kafka)
}

// clientProgram is what the client does, part by part.
var clientProgram = []struct {
	name string
	do   func(*observer)
}{
	{"cluster", seeCluster},
	{"topics", seeTopics},
	{"configs", seeConfigs},
	{"broker configs", seeBrokerConfigs},
	{"automatic topics", seeAutomaticTopics},
	{"codecs and acks", seeCodecs},
	{"idempotent producers", seeIdempotence},
	{"kinds of timestamps", seeTimestamps},
	{"compression by the broker", seeRecompression},
	{"limits", seeLimits},
	{"offsets", seeOffsets},
	{"consumers", seeConsumers},
	{"deleted records", seeDeletedRecords},
	{"elections", seeElections},
	{"segments", seeSegments},
	{"log directories", seeLogDirs},
}

// observer writes down what one client sees of a cluster.
type observer struct {
	*judged
	ctx context.Context
	cl  *kgo.Client
	adm *kadm.Client
}

func newObserver(j *judged) *observer {
	o := &observer{judged: j, ctx: context.Background(), cl: j.client()}
	o.adm = kadm.NewClient(o.cl)
	j.said = nil
	return o
}

// saw notes one thing, and the error that came with it.
func (o *observer) saw(what string, x any, err error) { o.sawWith(showing{}, what, x, err) }

func (o *observer) sawWith(s showing, what string, x any, err error) {
	text := fmt.Sprintf("%s: %s", what, s.show(x))
	if err != nil {
		text += " error " + maskError(err.Error())
	}
	o.said = append(o.said, text)
}

func (o *observer) note(format string, args ...any) {
	o.said = append(o.said, fmt.Sprintf(format, args...))
}

// settle gives the brokers time to hear of what was changed.
func (o *observer) settle() { time.Sleep(700 * time.Millisecond) }

// producer is a client that sends what it was given when it is flushed: so both
// clusters get the same batches.
func (o *observer) producer(opts ...kgo.Opt) *kgo.Client {
	return o.client(append([]kgo.Opt{
		kgo.RecordPartitioner(kgo.ManualPartitioner()), kgo.ManualFlushing(), kgo.DisableIdempotentWrite(),
		kgo.ProducerBatchMaxBytes(4 << 20), kgo.BrokerMaxWriteBytes(8 << 20), kgo.ProducerBatchCompression(kgo.NoCompression()),
		kgo.RecordRetries(3), kgo.UnknownTopicRetries(1), kgo.RetryBackoffFn(func(int) time.Duration { return 20 * time.Millisecond }),
	}, opts...)...)
}

// send produces records as one batch a partition and notes what became of each.
func (o *observer) send(cl *kgo.Client, what string, records ...*kgo.Record) {
	results := make([]string, len(records))
	for i, r := range records {
		cl.Produce(o.ctx, r, func(r *kgo.Record, err error) {
			results[i] = fmt.Sprintf("%s/%d@%d %s type %d", r.Topic, r.Partition, r.Offset, showTime(r.Timestamp), r.Attrs.TimestampType())
			if err != nil {
				results[i] = "error " + maskError(err.Error())
			}
		})
	}
	awaitLeaders(cl, records)
	if err := cl.Flush(o.ctx); err != nil {
		o.note("%s: flush: %v", what, err)
	}
	o.note("%s: %s", what, strings.Join(results, "\n  "))
}

// awaitLeaders waits until a client knows where the records go: a flush before
// that would send the first of them alone.
func awaitLeaders(cl *kgo.Client, records []*kgo.Record) {
	for range 100 {
		unknown := slices.ContainsFunc(records, func(r *kgo.Record) bool {
			leader, _, err := cl.PartitionLeader(r.Topic, r.Partition)
			return err == nil && leader < 0
		})
		if !unknown {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(10 * time.Millisecond) // and has put them into batches
}

// awaitEnd waits until a partition ends where it should, as for acks=0.
func (o *observer) awaitEnd(topic string, end int64) {
	for range 200 {
		listed, err := o.adm.ListEndOffsets(o.ctx, topic)
		if l, ok := listed.Lookup(topic, 0); err == nil && ok && l.Offset == end {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	o.note("%s does not end at %d", topic, end)
}

// batches fetches a partition from an offset on, as the bytes are.
func (o *observer) batches(topic string, partition int32, offset int64) ([]byte, string) {
	m, err := o.adm.Metadata(o.ctx, topic)
	if err != nil {
		return nil, err.Error()
	}
	req := kmsg.NewPtrFetchRequest()
	req.MaxWaitMillis, req.MinBytes, req.MaxBytes, req.SessionEpoch = 100, 1, 64<<20, -1
	t, p := kmsg.NewFetchRequestTopic(), kmsg.NewFetchRequestTopicPartition()
	t.Topic, t.TopicID = topic, m.Topics[topic].ID
	p.Partition, p.FetchOffset, p.PartitionMaxBytes, p.CurrentLeaderEpoch = partition, offset, 64<<20, -1
	t.Partitions = append(t.Partitions, p)
	req.Topics = append(req.Topics, t)
	resp, err := req.RequestWith(o.ctx, o.cl.Broker(int(m.Topics[topic].Partitions[partition].Leader)))
	if err != nil {
		return nil, err.Error()
	}
	if resp.ErrorCode != 0 || len(resp.Topics) != 1 {
		return nil, fmt.Sprintf("error %d, %d topics", resp.ErrorCode, len(resp.Topics))
	}
	part := resp.Topics[0].Partitions[0]
	return part.RecordBatches, fmt.Sprintf("error %d start %d stable %d high watermark %d aborted %d", part.ErrorCode, part.LogStartOffset, part.LastStableOffset, part.HighWatermark, len(part.AbortedTransactions))
}

// sawBatches notes all bytes of a partition.
func (o *observer) sawBatches(topic string, partition int32, own bool) {
	data, text := o.batches(topic, partition, 0)
	o.note("%s/%d: %s%s", topic, partition, text, showBatches(data, own))
}
