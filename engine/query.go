package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kafkalab/engine/broker"
	"kafkalab/engine/client"
	"kafkalab/engine/kerror"
	"kafkalab/engine/metadata"
	"kafkalab/engine/sim"
	"kafkalab/engine/storage"
	"kafkalab/engine/trace"
)

// Eval gives the value of a path now; a thing that is not there is none.
func (p Path) Eval(c *Cluster) Value {
	switch p.root {
	case "time":
		return Number(c.Now())
	case "topic":
		return c.topicValue(p)
	case "partition":
		return c.partitionValue(p)
	case "replica":
		return c.replicaValue(p)
	case "producer":
		return c.producerValue(p)
	case "node":
		return c.nodeValue(p)
	case "event":
		return c.eventValue(p)
	case "last":
		return c.lastValue(p)
	}
	return None
}

func (c *Cluster) topicValue(p Path) Value {
	t := c.controller.Image().Topic(p.name)
	if t == nil {
		return None
	}
	switch p.attr {
	case "partitions":
		return Number(int64(len(t.Partitions)))
	case "id":
		return Word(storage.FormatUUID(t.ID))
	default:
		values := c.anyBroker().TopicConfigs(p.name)
		if !values.Has(p.arg) {
			return None
		}
		return Word(values.String(p.arg))
	}
}

// partition is the controller's word on a partition, nil if there is none.
func (c *Cluster) partition(topic string, partition int32) *metadata.PartitionImage {
	t := c.controller.Image().Topic(topic)
	if t == nil || partition < 0 || int(partition) >= len(t.Partitions) {
		return nil
	}
	return t.Partitions[partition]
}

// Replica finds a replica on a broker, nil if the broker has none.
func (c *Cluster) replica(topic string, partition, id int32) *broker.Partition {
	b := c.broker(id)
	if b == nil {
		return nil
	}
	return b.Replica(topic, partition)
}

// isr gives a partition's ISR, ascending: its leader's view, or what the
// controller has while the leader is down or has not heard of its election.
func (c *Cluster) isr(topic string, partition int32, im *metadata.PartitionImage) []int32 {
	lead := c.replica(topic, partition, im.Leader)
	if lead == nil || !c.isUp(im.Leader) || lead.Leader() != im.Leader || lead.LeaderEpoch() != im.LeaderEpoch {
		return slices.Sorted(slices.Values(im.Isr))
	}
	return slices.Sorted(slices.Values(lead.ISR()))
}

func (c *Cluster) partitionValue(p Path) Value {
	im := c.partition(p.name, p.partition)
	if im == nil {
		return None
	}
	switch p.attr {
	case "leader":
		if im.Leader == metadata.NoLeader {
			return None
		}
		return Number(int64(im.Leader))
	case "epoch":
		return Number(int64(im.LeaderEpoch))
	case "replicas":
		return Numbers(im.Replicas)
	case "isr":
		return Numbers(c.isr(p.name, p.partition, im))
	}
	r := c.replica(p.name, p.partition, im.Leader)
	if r == nil || !c.isUp(im.Leader) {
		return None
	}
	return logValue(r.Log(), p.attr)
}

func logValue(log *storage.Log, attr string) Value {
	switch attr {
	case "hw":
		return Number(log.HighWatermark())
	case "leo":
		return Number(log.LogEndOffset())
	case "lso":
		return Number(log.LastStableOffset())
	default:
		return Number(log.LogStartOffset())
	}
}

func (c *Cluster) replicaValue(p Path) Value {
	r := c.replica(p.name, p.partition, p.broker)
	if r == nil {
		if p.attr == "state" && c.partition(p.name, p.partition) != nil && slices.Contains(c.partition(p.name, p.partition).Replicas, p.broker) {
			return Word("offline")
		}
		return None
	}
	log := r.Log()
	switch p.attr {
	case "state":
		if !c.isUp(p.broker) {
			return Word("offline")
		}
		if r.Leader() == p.broker {
			return Word("leader")
		}
		return Word("follower")
	case "bytes":
		return Number(log.Size())
	case "segments":
		var bases []int64
		for _, s := range log.Segments() {
			bases = append(bases, s.Base)
		}
		if p.arg == "list" {
			return Numbers(bases)
		}
		return Number(int64(len(bases)))
	case "index", "index_entries", "time_index", "seek":
		return c.indexValue(p, log)
	case "first_dirty", "dirty_ratio":
		return c.dirtyValue(p, r)
	case "pass":
		return passValue(p, r.LastPass())
	case "files":
		return filesValue(c.broker(p.broker).FS, log.Dir(), p.arg)
	}
	return logValue(log, p.attr)
}

// dirtyValue is what the cleaner would find of a replica now.
func (c *Cluster) dirtyValue(p Path, r *broker.Partition) Value {
	first, found := c.broker(p.broker).FirstDirty(r)
	if p.attr == "first_dirty" {
		return Number(first)
	}
	return Word(strconv.FormatFloat(found.Ratio(), 'f', 2, 64))
}

func (c *Cluster) indexValue(p Path, log *storage.Log) Value {
	n, _ := strconv.ParseInt(p.arg, 10, 64)
	if p.attr == "seek" {
		return seekValue(log, n, p.sub)
	}
	if !slices.ContainsFunc(log.Segments(), func(s storage.SegmentInfo) bool { return s.Base == n }) {
		return None
	}
	items := []string{}
	if p.attr == "time_index" {
		for _, e := range log.TimeIndexEntries(n) {
			items = append(items, fmt.Sprintf("%d:%d", e.Timestamp, e.Relative))
		}
		return List(items)
	}
	for _, e := range log.IndexEntries(n) {
		items = append(items, fmt.Sprintf("%d:%d", e.Relative, e.Position))
	}
	if p.attr == "index_entries" {
		return Number(int64(len(items)))
	}
	return List(items)
}

func seekValue(log *storage.Log, offset int64, what string) Value {
	l, kerr := log.Lookup(offset)
	if kerr != nil {
		return None
	}
	switch what {
	case "segment":
		return Number(l.SegmentBase)
	case "entry":
		if e := l.EntryText(); e != "none" {
			return Word(e)
		}
		return None
	case "scanned":
		return Number(int64(len(l.Scanned)))
	}
	if !l.Found {
		return None
	}
	if what == "base" {
		return Number(l.Base)
	}
	return Number(int64(l.Position))
}

func (c *Cluster) producerValue(p Path) Value {
	var s client.Stats
	named := c.producers[p.name]
	switch {
	case named != nil:
		s = named.Stats()
	case p.name == string(AppClient):
		s = c.clients[AppClient].Stats()
	default:
		return None
	}
	switch p.attr {
	case "in_flight":
		return Number(int64(s.InFlight))
	case "acked":
		return Number(int64(s.Acked))
	case "failed":
		return Number(int64(s.Failed))
	case "latency":
		if s.LatencyMs < 0 {
			return None
		}
		return Number(s.LatencyMs)
	case "last_error":
		return errorValue(s.LastError)
	}
	if named == nil {
		return None // the plain client has no id
	}
	return identityValue(named, p)
}

func identityValue(named *client.Producer, p Path) Value {
	id, epoch := named.ID()
	switch p.attr {
	case "id":
		return orNone(id)
	case "epoch":
		return orNone(int64(epoch))
	case "state":
		return Word(named.State())
	}
	topic, n, ok := strings.Cut(p.arg, "/")
	number, err := strconv.ParseInt(n, 10, 32)
	if !ok || err != nil {
		return None
	}
	sequence, ok := named.NextSequence(topic, int32(number))
	if !ok {
		return None
	}
	return Number(int64(sequence))
}

func errorValue(code kerror.Code) Value {
	if code == kerror.None {
		return None
	}
	return Word(code.String())
}

func (c *Cluster) nodeValue(p Path) Value {
	if p.name == string(ControllerName) {
		return Word("running")
	}
	for _, b := range c.brokers {
		if BrokerName(b.ID) == sim.NodeID(p.name) {
			return Word(c.nodeState(b.ID))
		}
	}
	return None
}

// eventValue reads the newest event of a kind since the last command began.
func (c *Cluster) eventValue(p Path) Value {
	for _, e := range slices.Backward(c.loop.Trace().Since(c.began)) {
		if e.Kind() != p.name {
			continue
		}
		switch p.attr {
		case "id":
			return Number(int64(e.ID))
		case "cause":
			return Number(int64(e.Cause))
		case "node":
			return Word(e.Node)
		}
		if v, ok := trace.Field(e.Body, p.attr); ok {
			return Word(v)
		}
		return Number(e.Time) // time_ms, where the kind has none of its own
	}
	return None
}

func (c *Cluster) lastValue(p Path) Value {
	l := c.last
	switch p.attr {
	case "error":
		return errorValue(l.Error)
	case "reason":
		if l.Reason == "" {
			return None
		}
		return Word(l.Reason)
	case "offset":
		return orNone(l.Offset)
	case "latency":
		return orNone(l.LatencyMs)
	case "count":
		return Number(int64(l.Count))
	case "dropped":
		return Number(int64(l.Dropped))
	}
	items := []string{}
	for _, r := range l.Records {
		items = append(items, recordItem(p.attr, r))
	}
	return List(items)
}

func recordItem(attr string, r ConsumedRecord) string {
	switch attr {
	case "values":
		return textOf(r.Value)
	case "keys":
		return textOf(r.Key)
	case "offsets":
		return strconv.FormatInt(r.Offset, 10)
	default:
		return r.Partition + ":" + strconv.FormatInt(r.Offset, 10)
	}
}

func textOf(s *string) string {
	if s == nil {
		return "null"
	}
	return *s
}

func orNone(n int64) Value {
	if n < 0 {
		return None
	}
	return Number(n)
}

// anyBroker is the first broker that is up, or broker-1 when none is.
func (c *Cluster) anyBroker() *broker.Broker {
	for _, b := range c.brokers {
		if c.isUp(b.ID) {
			return b
		}
	}
	return c.brokers[0]
}
