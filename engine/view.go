package engine

import (
	"slices"

	"kafkalab/engine/disk"
	"kafkalab/engine/metadata"
	"kafkalab/engine/record"
	"kafkalab/engine/storage"
	"kafkalab/engine/trace"
)

// Reader is what screens draw from: a moment of a cluster, to look at. Views
// are copies; what is large is read in windows.
type Reader interface {
	View() View
	Segments(r ReplicaName) []storage.SegmentInfo
	IndexEntries(r ReplicaName, base int64) []storage.IndexEntry
	TimeIndexEntries(r ReplicaName, base int64) []storage.TimeIndexEntry
	Batches(r ReplicaName, from int64, n int) []storage.BatchInfo
	BatchBytes(r ReplicaName, offset int64) (record.Batch, int64, bool)
	Lookup(r ReplicaName, offset int64) (storage.Lookup, bool)
	LookupTimestamp(r ReplicaName, ms int64) (storage.TimestampLookup, bool)
	ProducerViews() []ProducerView
	EventsSince(id trace.ID) []trace.Event
	Event(id trace.ID) (trace.Event, bool)
}

// ReplicaName is one replica: orders/0@2 in scripts.
type ReplicaName struct {
	Topic     string
	Partition int32
	Broker    int32
}

// View is a cluster at one moment.
type View struct {
	TimeMs    int64 // virtual ms since the start
	Step      int64
	Brokers   []BrokerView
	Topics    []TopicView
	LastEvent trace.ID
}

// BrokerView is one broker.
type BrokerView struct {
	ID    int32
	Name  string
	State string // running, starting, recovery, stalled, killed, crashed, stopped
}

// TopicView is one topic with its partitions, by number.
type TopicView struct {
	Name       string
	ID         string
	Overrides  []string // name=value, sorted
	Partitions []PartitionView
}

// PartitionView is a partition as its leader has it; offsets are -1 when it
// has no leader.
type PartitionView struct {
	Number              int32
	Leader              int32 // metadata.NoLeader for none
	Epoch               int32
	Replicas            []int32 // in assignment order
	ISR                 []int32 // ascending
	MinISR              int
	HW, LEO, LSO, Start int64
	Logs                []ReplicaView // in assignment order
	MaximalISR          []int32       // what the high watermark waits for, with a member about to join
	ProposedISR         []int32       // with the controller and not committed, nil for none
	NextCheckMs         int64         // until the leader's next check of the ISR
	LagLimitMs          int64         // replica.lag.time.max.ms
	Waiting             []WaitingView // produces in the leader's purgatory, oldest first
}

// WaitingView is a produce with acks=all that is not answered yet.
type WaitingView struct {
	From      string  // the client
	Required  int64   // the high watermark that it waits for: its last offset + 1
	TimeoutMs int64   // until it is answered REQUEST_TIMED_OUT
	Missing   []int32 // who does not have its records yet
}

// ReplicaView is one replica's log.
type ReplicaView struct {
	Broker         int32
	State          string // leader, follower, offline
	LEO, HW, Start int64
	Bytes          int64
	Segments       int
	BehindMs       int64 // since it was last known to have everything, -1 for the leader
	KnownLEO       int64 // its log end as the leader knows it: that of its newest fetch; -1 before it
	InSync         bool  // in the ISR
}

// LastEvent is the id of the newest trace event.
func (c *Cluster) LastEvent() trace.ID { return c.loop.Trace().Last() }

// View copies what screens need of the cluster now.
func (c *Cluster) View() View {
	v := View{TimeMs: c.Now(), Step: c.Step(), LastEvent: c.LastEvent()}
	for _, b := range c.brokers {
		v.Brokers = append(v.Brokers, BrokerView{ID: b.ID, Name: string(BrokerName(b.ID)), State: c.nodeState(b.ID)})
	}
	for _, t := range c.controller.Image().Topics() {
		tv := TopicView{Name: t.Name, ID: storage.FormatUUID(t.ID)}
		// order: sorted below
		for name, value := range c.controller.Image().TopicConfigs(t.Name) {
			tv.Overrides = append(tv.Overrides, name+"="+value)
		}
		slices.Sort(tv.Overrides)
		for i, p := range t.Partitions {
			tv.Partitions = append(tv.Partitions, c.partitionView(t.Name, int32(i), p))
		}
		v.Topics = append(v.Topics, tv)
	}
	return v
}

func (c *Cluster) partitionView(topic string, n int32, p *metadata.PartitionImage) PartitionView {
	v := PartitionView{
		Number: n, Leader: p.Leader, Epoch: p.LeaderEpoch, Replicas: slices.Clone(p.Replicas),
		ISR: c.isr(topic, n, p), HW: -1, LEO: -1, LSO: -1, Start: -1,
	}
	if lead := c.replica(topic, n, p.Leader); lead != nil && c.isUp(p.Leader) {
		log := lead.Log()
		v.HW, v.LEO, v.LSO, v.Start, v.MinISR = log.HighWatermark(), log.LogEndOffset(), log.LastStableOffset(), log.LogStartOffset(), lead.MinIsr()
	}
	var known map[int32]int64
	if lead := c.replica(topic, n, p.Leader); lead != nil && c.isUp(p.Leader) {
		b := c.broker(p.Leader)
		s := b.ISRState(lead, c.Now())
		known = s.Known
		v.MaximalISR, v.ProposedISR, v.LagLimitMs, v.NextCheckMs = slices.Clone(s.Maximal), slices.Clone(s.Proposed), s.LimitMs, s.NextCheck-c.Now()
		for _, w := range b.WaitingProduces(lead) {
			v.Waiting = append(v.Waiting, WaitingView{From: w.From, Required: w.Required, TimeoutMs: w.Deadline - c.Now(), Missing: w.Missing})
		}
	}
	for _, id := range p.Replicas {
		r := c.replicaView(topic, n, id, p.Leader)
		r.InSync = slices.Contains(v.ISR, id)
		r.KnownLEO = -1
		if leo, ok := known[id]; ok {
			r.KnownLEO = leo
		} else if id == p.Leader {
			r.KnownLEO = r.LEO
		}
		v.Logs = append(v.Logs, r)
	}
	return v
}

func (c *Cluster) replicaView(topic string, n, id, leader int32) ReplicaView {
	v := ReplicaView{Broker: id, State: "offline", LEO: -1, HW: -1, Start: -1, BehindMs: -1}
	r := c.replica(topic, n, id)
	if r == nil {
		return v
	}
	if !c.isUp(id) {
		v.LEO, v.HW, v.Start, v.Bytes, v.Segments = r.Log().LogEndOffset(), r.Log().HighWatermark(), r.Log().LogStartOffset(), r.Log().Size(), r.Log().SegmentCount()
		return v
	}
	log := r.Log()
	v.LEO, v.HW, v.Start, v.Bytes, v.Segments = log.LogEndOffset(), log.HighWatermark(), log.LogStartOffset(), log.Size(), log.SegmentCount()
	v.State = "follower"
	if id == leader {
		v.State = "leader"
	} else if lead := c.replica(topic, n, leader); lead != nil {
		if ms, ok := c.broker(leader).LastCaughtUp(lead, id, c.Now()); ok {
			v.BehindMs = c.Now() - ms
		}
	}
	return v
}

func (c *Cluster) log(r ReplicaName) *storage.Log {
	if p := c.replica(r.Topic, r.Partition, r.Broker); p != nil {
		return p.Log()
	}
	return nil
}

// Segments lists a replica's segments, nil if it is not there.
func (c *Cluster) Segments(r ReplicaName) []storage.SegmentInfo {
	if log := c.log(r); log != nil {
		return log.Segments()
	}
	return nil
}

// IndexEntries lists the offset index of a segment.
func (c *Cluster) IndexEntries(r ReplicaName, base int64) []storage.IndexEntry {
	if log := c.log(r); log != nil {
		return log.IndexEntries(base)
	}
	return nil
}

// TimeIndexEntries lists the time index of a segment.
func (c *Cluster) TimeIndexEntries(r ReplicaName, base int64) []storage.TimeIndexEntry {
	if log := c.log(r); log != nil {
		return log.TimeIndexEntries(base)
	}
	return nil
}

// Batches lists up to n batches from the one that holds an offset on.
func (c *Cluster) Batches(r ReplicaName, from int64, n int) []storage.BatchInfo {
	if log := c.log(r); log != nil {
		if batches, err := log.Batches(from, n); err == nil {
			return batches
		}
	}
	return nil
}

// BatchBytes gives the bytes of the batch that holds an offset and where they
// stand in the segment's file; ok is false when there is none.
func (c *Cluster) BatchBytes(r ReplicaName, offset int64) (batch record.Batch, position int64, ok bool) {
	l, ok := c.Lookup(r, offset)
	if !ok || !l.Found {
		return nil, 0, false
	}
	batch, err := c.log(r).BatchBytes(l.Base)
	return batch, int64(l.Position), err == nil
}

// Lookup finds an offset in a replica's log, probe by probe; ok is false when
// the log does not reach there.
func (c *Cluster) Lookup(r ReplicaName, offset int64) (storage.Lookup, bool) {
	log := c.log(r)
	if log == nil {
		return storage.Lookup{}, false
	}
	l, kerr := log.Lookup(offset)
	return l, kerr == nil
}

// LookupTimestamp finds a timestamp in a replica's log, step by step; ok is
// false when there is no such replica.
func (c *Cluster) LookupTimestamp(r ReplicaName, ms int64) (storage.TimestampLookup, bool) {
	log := c.log(r)
	if log == nil {
		return storage.TimestampLookup{}, false
	}
	l, kerr := log.LookupTimestamp(ms)
	return l, kerr == nil
}

// EventsSince gives the events after id, oldest first, as far as they are
// kept; good until the cluster runs on.
func (c *Cluster) EventsSince(id trace.ID) []trace.Event { return c.loop.Trace().Since(id) }

// Event finds an event by id, as far as it is kept.
func (c *Cluster) Event(id trace.ID) (trace.Event, bool) { return c.loop.Trace().Event(id) }

// Why is the chain of causes of an event: itself first, then what it follows
// from, back to a command.
func Why(r Reader, id trace.ID) []trace.Event {
	var chain []trace.Event
	for id != 0 {
		e, ok := r.Event(id)
		if !ok {
			break
		}
		chain = append(chain, e)
		id = e.Cause
	}
	return chain
}

// PartitionView is one partition of View; ok is false if there is none.
func (c *Cluster) PartitionView(topic string, partition int32) (PartitionView, bool) {
	p := c.partition(topic, partition)
	if p == nil {
		return PartitionView{}, false
	}
	return c.partitionView(topic, partition, p), true
}

// Folder is a replica's folder and the file system that it lies on, to read.
func (c *Cluster) Folder(r ReplicaName) (fs disk.FS, dir string, ok bool) {
	log := c.log(r)
	if log == nil {
		return nil, "", false
	}
	return c.broker(r.Broker).FS, log.Dir(), true
}
