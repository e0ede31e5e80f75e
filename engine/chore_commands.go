package engine

import (
	"encoding/json"
	"fmt"
	"math"

	"kafkalab/engine/broker"
	"kafkalab/engine/kerror"
	"kafkalab/engine/metadata"
	"kafkalab/engine/trace"
)

// Compact has the cleaners of all replicas look at a partition now, or at all
// partitions of a topic (Partition -1), each under its own conditions.
type Compact struct {
	Topic     string
	Partition int32
}

// CompactedPart is what became of it on one partition's leader.
type CompactedPart struct {
	Partition   string `json:"partition"`
	Pass        int    `json:"pass"` // of the passes since the broker started, 0 if there was none
	Read        int64  `json:"read"` // records
	Kept        int64  `json:"kept"`
	BytesBefore int64  `json:"bytes_before"`
	BytesAfter  int64  `json:"bytes_after"`
	FirstDirty  int64  `json:"first_dirty"`
	Reason      string `json:"reason"` // why there was no pass, empty if there was one
	Why         string `json:"-"`      // the same in words
}

// Compacted is the result of Compact.
type Compacted struct{ Parts []CompactedPart }

// MarshalJSON is the one partition, or a list of several.
func (r Compacted) MarshalJSON() ([]byte, error) { return oneOrParts(r.Parts) }

// Retain has all replicas of a partition, or of a topic, make a retention check
// now.
type Retain struct {
	Topic     string
	Partition int32
}

// RetainedPart is what became of it on one partition's leader.
type RetainedPart struct {
	Partition string  `json:"partition"`
	Deleted   []int64 `json:"deleted"` // base offsets of segments
	Start     int64   `json:"start"`   // of the log
}

// Retained is the result of Retain.
type Retained struct{ Parts []RetainedPart }

// MarshalJSON is the one partition, or a list of several.
func (r Retained) MarshalJSON() ([]byte, error) { return oneOrParts(r.Parts) }

func (r Compacted) kafkaError() *kerror.Error { return nil }
func (r Retained) kafkaError() *kerror.Error  { return nil }

func oneOrParts[T any](parts []T) ([]byte, error) {
	if len(parts) == 1 {
		return json.Marshal(parts[0])
	}
	return json.Marshal(struct {
		Parts []T `json:"parts"`
	}{parts})
}

func (cmd Compact) run(c *Cluster) (Result, error) {
	parts, kerr := c.choreParts(cmd.Topic, cmd.Partition)
	if kerr != nil {
		return Done{Err: kerr}, nil
	}
	if err := c.chore(cmd.Topic, parts, func(n int32) any { return broker.Compact{Topic: cmd.Topic, Partition: n} }); err != nil {
		return nil, err
	}
	var r Compacted
	for _, n := range parts {
		b, p := c.leaderReplica(cmd.Topic, n)
		if p == nil {
			return Done{Err: &kerror.Error{Code: kerror.LeaderNotAvailable}}, nil
		}
		pass := p.LastPass()
		part := CompactedPart{Partition: p.String(), Reason: string(pass.Refusal), Why: pass.Why}
		part.FirstDirty, _ = b.FirstDirty(p)
		if pass.Refusal == "" {
			part.Pass, part.Read, part.Kept = pass.Number, pass.Stats.Read, pass.Stats.Kept
			part.BytesBefore, part.BytesAfter = pass.Stats.BytesBefore, pass.Stats.BytesAfter
		}
		if part.Reason != "" {
			c.last.Reason = part.Reason
		}
		r.Parts = append(r.Parts, part)
	}
	return r, nil
}

func (cmd Retain) run(c *Cluster) (Result, error) {
	parts, kerr := c.choreParts(cmd.Topic, cmd.Partition)
	if kerr != nil {
		return Done{Err: kerr}, nil
	}
	if err := c.chore(cmd.Topic, parts, func(n int32) any { return broker.Retain{Topic: cmd.Topic, Partition: n} }); err != nil {
		return nil, err
	}
	var r Retained
	for _, n := range parts {
		_, p := c.leaderReplica(cmd.Topic, n)
		if p == nil {
			return Done{Err: &kerror.Error{Code: kerror.LeaderNotAvailable}}, nil
		}
		deleted := p.Retained()
		if deleted == nil {
			deleted = []int64{}
		}
		r.Parts = append(r.Parts, RetainedPart{Partition: p.String(), Deleted: deleted, Start: p.Log().LogStartOffset()})
	}
	return r, nil
}

// choreParts are the partitions that a chore is asked for.
func (c *Cluster) choreParts(topic string, partition int32) ([]int32, *kerror.Error) {
	t := c.controller.Image().Topic(topic)
	switch {
	case t == nil || partition >= int32(len(t.Partitions)):
		return nil, &kerror.Error{Code: kerror.UnknownTopicOrPartition}
	case partition >= 0:
		return []int32{partition}, nil
	}
	var all []int32
	for n := range t.Partitions {
		all = append(all, int32(n))
	}
	return all, nil
}

// chore calls every broker that is up and has a replica.
func (c *Cluster) chore(topic string, parts []int32, body func(partition int32) any) error {
	for _, b := range c.brokers {
		name := BrokerName(b.ID)
		for _, n := range parts {
			if b.Replica(topic, n) == nil || !c.isUp(b.ID) {
				continue
			}
			root := c.loop.Trace().Note(c.Now(), name, trace.CommandGiven{Text: c.text})
			if err := c.loop.Call(name, 0, body(n), root); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	c.pump(func() bool { at, ok := c.loop.Next(); return !ok || at > c.Now() }, math.MaxInt64)
	return nil
}

// leaderReplica is the leader's replica of a partition; nil while there is no
// leader that is up.
func (c *Cluster) leaderReplica(topic string, partition int32) (*broker.Broker, *broker.Partition) {
	im := c.partition(topic, partition)
	if im == nil || im.Leader == metadata.NoLeader || !c.isUp(im.Leader) {
		return nil, nil
	}
	b := c.broker(im.Leader)
	return b, b.Replica(topic, partition)
}
