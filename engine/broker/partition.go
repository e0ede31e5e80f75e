package broker

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"kafkalab/engine/config"
	"kafkalab/engine/metadata"
	"kafkalab/engine/record"
	"kafkalab/engine/sim"
	"kafkalab/engine/storage"
	"kafkalab/engine/trace"
)

// Partition is a replica on this broker: its log, and what the broker knows of
// the others when it leads them (kafka.cluster.Partition).
type Partition struct {
	tp
	name           string // topic/partition
	topicID        [16]byte
	log            *storage.Log
	leader         int32
	leaderEpoch    int32
	partitionEpoch int32
	replicas       []int32 // assignment order
	isr            []int32 // as the controller stored it
	minIsr         int
	configured     int64             // the revision of configs it has, plus 1; 0 for none
	remotes        map[int32]*remote // the followers, while this broker leads
	pass           Pass              // the cleaner's newest look at the log
	retained       []int64           // segments that an operator's retention check deleted last
	uncleanable    string            // why the cleaner does not look any more, "" if it does
	change         *isrChange        // proposed and not committed, nil for none
	opened         sim.Time          // when the log was
	expireAt       sim.Time          // the next run of its task that forgets producers, 0 before there was one to forget
}

// remote is what a leader keeps of a follower (ReplicaState).
type remote struct {
	leo          int64 // its log end as of its last fetch, -1 before the first
	logStart     int64
	lastFetch    sim.Time // arrival of its last fetch
	lastFetchLeo int64    // this leader's log end when that fetch arrived
	lastCaughtUp sim.Time // last time it was known to have everything
	epoch        int64    // broker epoch of its last fetch, -1 before it
	toldHW       int64    // the high watermark in the newest answer to it
	toldStart    int64
}

// String is the partition's name, as orders/0. It is part of many events.
func (p *Partition) String() string { return p.name }

func (p *Partition) leads(id int32) bool { return p.leader == id }

// sorted lists the broker's partitions by topic and number. The list is kept
// until a partition comes or goes; it must not be changed.
func (b *Broker) sorted() []*Partition {
	if b.order == nil {
		b.order = slices.SortedFunc(maps.Values(b.partitions), func(x, y *Partition) int {
			return cmp.Or(cmp.Compare(x.topic, y.topic), cmp.Compare(x.partition, y.partition))
		})
	}
	return b.order
}

// find looks a partition up by topic id, as requests of today name it.
func (b *Broker) find(id [16]byte, partition int32) *Partition {
	t := b.image.TopicByID(id)
	if t == nil {
		return nil
	}
	return b.partitions[tp{t.Name, partition}]
}

// applyPartition brings one replica into line with the controller's word.
func (b *Broker) applyPartition(key tp, id [16]byte, im *metadata.PartitionImage) {
	p := b.partitions[key]
	if p == nil {
		if p = b.open(key, id); p == nil {
			return
		}
		b.partitions[key] = p
		b.order = nil
	}
	if p.configured != b.image.ConfigRevision+1 {
		p.configure(b.topicConfigs(key.topic))
		b.logChanged(p)
		p.configured = b.image.ConfigRevision + 1
	}
	fresh := p.replicas == nil
	newEpoch := fresh || im.LeaderEpoch > p.leaderEpoch
	moved := fresh || im.PartitionEpoch > p.partitionEpoch
	if !moved && !newEpoch {
		return
	}
	p.replicas, p.isr, p.partitionEpoch, p.change = im.Replicas, im.Isr, im.PartitionEpoch, nil
	wasLeader := !fresh && p.leads(b.ID)
	p.leader, p.leaderEpoch = im.Leader, im.LeaderEpoch
	switch {
	case p.leads(b.ID) && newEpoch:
		b.lead(p, wasLeader)
	case p.leads(b.ID):
		b.isrChanged(p)
	case newEpoch:
		p.remotes = nil
		if im.Leader != metadata.NoLeader {
			b.emit(trace.BecameFollower{Partition: key.String(), Leader: im.Leader, Epoch: im.LeaderEpoch})
		}
		b.tryFetches(p)
		b.tryProduces(p)
		b.tryDeletes(p)
	}
}

// lead makes this broker the leader of a partition in a new epoch: the epoch
// begins at the log's end, before anything is appended in it
// (Partition#makeLeader).
func (b *Broker) lead(p *Partition, wasLeader bool) {
	p.log.AssignEpoch(p.leaderEpoch, p.log.LogEndOffset())
	old := p.remotes
	p.remotes = map[int32]*remote{}
	for _, id := range p.replicas {
		if id == b.ID {
			continue
		}
		r := &remote{leo: -1, logStart: -1, lastFetchLeo: -1, epoch: -1, toldHW: -1, toldStart: -1}
		if wasLeader && old[id] != nil {
			r = old[id]
			r.lastFetchLeo, r.lastFetch = p.log.LogEndOffset(), 0
		}
		r.lastCaughtUp = 0
		if slices.Contains(p.isr, id) {
			r.lastCaughtUp = b.ctx.Now()
			if wasLeader {
				r.lastFetch = b.ctx.Now()
			}
		}
		p.remotes[id] = r
	}
	b.emit(trace.BecameLeader{Partition: p.String(), Epoch: p.leaderEpoch, Start: p.log.LogEndOffset()})
	if b.maybeMoveHW(p) {
		b.hwMoved(p)
	}
	b.tryFetches(p)
	b.armShrink(p)
}

// maybeMoveHW moves the leader's high watermark to the smallest log end among
// the replicas that count: those in the ISR or about to be, and those that
// have caught up and only have not been taken in yet. With fewer than
// min.insync.replicas in the committed ISR it does not move at all. It never
// moves back.
// Source: Partition#maybeIncrementLeaderHW; KIP-966, strict min ISR.
func (b *Broker) maybeMoveHW(p *Partition) bool {
	if len(p.isr) < p.effectiveMinIsr() {
		return false
	}
	hw := p.log.LogEndOffset()
	maximal := p.maximalIsr()
	for _, id := range p.replicas {
		r := p.remotes[id]
		if r != nil && r.leo < hw && (slices.Contains(maximal, id) || (b.caughtUp(p, r) && b.eligible(id, r))) {
			hw = r.leo
		}
	}
	from := p.log.HighWatermark()
	if hw <= from {
		return false
	}
	p.log.UpdateHighWatermark(hw)
	b.emit(trace.HighWatermarkMoved{Partition: p.String(), From: from, To: p.log.HighWatermark()})
	b.points.dirty(b, checkpointHW)
	b.logChanged(p)
	return true
}

// effectiveMinIsr is min.insync.replicas, but no more than there are replicas.
func (p *Partition) effectiveMinIsr() int { return min(p.minIsr, len(p.replicas)) }

// open opens or creates the log of a replica.
func (b *Broker) open(key tp, id [16]byte) *Partition {
	logConfig := LogConfig(b.topicConfigs(key.topic))
	if logConfig.SegmentIndexBytes < smallestIndex {
		b.notOpened(key, fmt.Sprintf("Invalid max index size: %d", logConfig.SegmentIndexBytes))
		return nil
	}
	if !b.mayOpen(key, id) {
		return nil
	}
	jitter := b.ctx.Rand("segment.jitter")
	log, err := storage.Open(storage.Options{
		FS: b.FS, Dir: key.dir(), Topic: key.topic, Partition: key.partition, TopicID: id,
		Config: logConfig, Now: func() int64 { return b.wall },
		Jitter:        func() int32 { return int32(jitter.Uint32()) },
		RecoveryPoint: b.points.recovery.Get(key.topic, key.partition), LogStartOffset: b.points.start.Get(key.topic, key.partition),
		CleanShutdown: b.points.clean || !b.exists(key.dir()), Emit: func(body trace.Body) { b.emitLog(body) },
		ProducerIDExpirationMs: b.configs().Int("producer.id.expiration.ms"),
	})
	if err != nil {
		b.fail(fmt.Errorf("%s: %w", b.Name(b.ID), err))
		return nil
	}
	log.UpdateHighWatermark(b.points.hw.Get(key.topic, key.partition))
	return &Partition{tp: key, name: key.String(), topicID: id, log: log, opened: b.ctx.Now(), leader: metadata.NoLeader, leaderEpoch: -1}
}

// mayOpen looks at what a log's folder and the checkpoint of high watermarks say
// before the log is opened: another topic's folder is not touched, and without
// the high watermarks no partition is hosted (Partition#createLogIfNotExists).
func (b *Broker) mayOpen(key tp, id [16]byte) bool {
	have, known, err := storage.ReadTopicID(b.FS, key.dir())
	if bad, ok := errors.AsType[*storage.TextError](b.points.hwErr); err == nil && ok && bad.Unchecked {
		b.notOpened(key, bad.Error())
		return false
	}
	if err == nil {
		err = b.points.hwErr
	}
	switch {
	case err != nil:
		b.fail(err)
	case known && have != id:
		b.notOpened(key, fmt.Sprintf("Topic id %s of the folder is not that of the topic, %s", storage.FormatUUID(have), storage.FormatUUID(id)))
	default:
		return true
	}
	return false
}

// smallestIndex is the size of a time index entry: a smaller segment.index.bytes
// is a sound config, and no log can be made with it
// (AbstractIndex#createAndAssignMmap).
const smallestIndex = 12

// notOpened tells, once, that a replica's log cannot be made: the broker goes on
// and does not host the partition (ReplicaManager#applyLocalLeadersDelta).
func (b *Broker) notOpened(key tp, why string) {
	if b.unopened[key] == why {
		return
	}
	if b.unopened == nil {
		b.unopened = map[tp]string{}
	}
	b.unopened[key] = why
	b.emit(trace.LogNotOpened{Partition: key.String(), Error: why})
}

// exists tells whether a log's folder is there. One that is not has nothing to
// recover, however the broker ended.
func (b *Broker) exists(dir string) bool {
	_, err := b.FS.Stat(dir)
	return err == nil
}

// emitLog passes on what a log tells, while an event is being handled: closing
// a log at the end of a run is no part of the story.
func (b *Broker) emitLog(body trace.Body) {
	if b.ctx != nil {
		b.emit(body)
	}
}

// dir is the partition's folder: the number is what follows the last dash.
func (t tp) dir() string { return fmt.Sprintf("%s-%d", t.topic, t.partition) }

func (p *Partition) configure(v config.Values) {
	p.minIsr = int(v.Int("min.insync.replicas"))
	p.log.SetConfig(LogConfig(v))
}

// LogConfig takes a log's settings out of a topic's effective configs.
// internal.segment.bytes, which has no lower bound, stands in for
// segment.bytes when it is set (LogConfig#segmentSize).
func LogConfig(v config.Values) storage.Config {
	c := storage.DefaultConfig()
	c.SegmentBytes = int32(v.Int("segment.bytes"))
	if v.Has("internal.segment.bytes") {
		c.SegmentBytes = int32(v.Int("internal.segment.bytes"))
	}
	c.SegmentMs, c.SegmentJitterMs = v.Int("segment.ms"), v.Int("segment.jitter.ms")
	c.SegmentIndexBytes, c.IndexIntervalBytes = int32(v.Int("segment.index.bytes")), int32(v.Int("index.interval.bytes"))
	c.MaxMessageBytes, c.MaxDecompressedMessageBytes = int32(v.Int("max.message.bytes")), int32(v.Int("max.decompressed.message.bytes"))
	c.RetentionMs, c.RetentionBytes = v.Int("retention.ms"), v.Int("retention.bytes")
	c.FileDeleteDelayMs = v.Int("file.delete.delay.ms")
	c.FlushMessages, c.FlushMs = v.Int("flush.messages"), v.Int("flush.ms")
	policies := v.List("cleanup.policy")
	c.Compact, c.Delete = slices.Contains(policies, "compact"), slices.Contains(policies, "delete")
	c.MinCompactionLagMs, c.MaxCompactionLagMs = v.Int("min.compaction.lag.ms"), v.Int("max.compaction.lag.ms")
	c.MinCleanableDirtyRatio, c.DeleteRetentionMs = v.Float("min.cleanable.dirty.ratio"), v.Int("delete.retention.ms")
	if v.String("message.timestamp.type") == record.LogAppendTime.String() {
		c.TimestampType = record.LogAppendTime
	}
	c.TimestampBeforeMaxMs, c.TimestampAfterMaxMs = v.Int("message.timestamp.before.max.ms"), v.Int("message.timestamp.after.max.ms")
	c.CompressionType = v.String("compression.type")
	c.Preallocate = v.Bool("preallocate")
	return c
}
