package panel

import (
	"slices"
	"strconv"
	"strings"

	"kafkalab/engine"
	"kafkalab/lab/kit/theme"
)

// replica is the replica in focus, with its broker filled in. ok is false when
// there is none of that name.
func (m Model) replica() (r engine.ReplicaName, ok bool) {
	r = m.Focus.Replica
	if r.Topic == "" {
		r = firstPartition(m.View)
	}
	p := partitionOf(m.View, r)
	if p == nil {
		return r, false
	}
	if r.Broker == 0 {
		r.Broker = p.Leader
		if p.Leader < 0 && len(p.Replicas) > 0 {
			r.Broker = p.Replicas[0]
		}
	}
	return r, slices.Contains(p.Replicas, r.Broker)
}

// firstPartition is what is shown when nothing is named: the first partition of
// the first topic that is not one of Kafka's own.
func firstPartition(v engine.View) engine.ReplicaName {
	for _, own := range []bool{false, true} {
		for _, t := range v.Topics {
			if strings.HasPrefix(t.Name, "__") == own && len(t.Partitions) > 0 {
				return engine.ReplicaName{Topic: t.Name}
			}
		}
	}
	return engine.ReplicaName{}
}

// partitionOf is a replica's partition, nil if there is none.
func partitionOf(v engine.View, r engine.ReplicaName) *engine.PartitionView {
	for i := range v.Topics {
		t := &v.Topics[i]
		if t.Name == r.Topic && r.Partition >= 0 && int(r.Partition) < len(t.Partitions) {
			return &t.Partitions[r.Partition]
		}
	}
	return nil
}

// logOf is a replica's log; one that is not there is offline.
func logOf(v engine.View, r engine.ReplicaName) engine.ReplicaView {
	if p := partitionOf(v, r); p != nil {
		for _, l := range p.Logs {
			if l.Broker == r.Broker {
				return l
			}
		}
	}
	return engine.ReplicaView{Broker: r.Broker, State: offline, LEO: None, HW: None, Start: None, BehindMs: None}
}

// offline is the state of a replica whose log cannot be read now.
const offline = "offline"

func brokerName(id int32) string { return "broker-" + strconv.Itoa(int(id)) }

// partitionName is orders/0.
func partitionName(r engine.ReplicaName) string {
	return r.Topic + "/" + strconv.Itoa(int(r.Partition))
}

// isBroker tells a broker's number from its name.
func isBroker(node string) (id int32, ok bool) {
	digits, ok := strings.CutPrefix(node, "broker-")
	n, err := strconv.ParseInt(digits, 10, 32)
	return int32(n), ok && err == nil
}

// nodeStyle is the colour of a node: of a broker, what it is to the partition in
// focus; a client is a consumer or producer of it.
func (m Model) nodeStyle(node string) theme.Style {
	id, broker := isBroker(node)
	if !broker {
		if strings.HasPrefix(node, "controller") {
			return theme.Bright
		}
		return theme.Consumer
	}
	r, _ := m.replica()
	p := partitionOf(m.View, r)
	switch {
	case p != nil && p.Leader == id:
		return theme.Leader
	case p == nil || slices.Contains(p.Replicas, id):
		return theme.Follower
	}
	return theme.Text
}

// lit is the thing that the lesson lights in a panel, empty when it lights the
// panel as a whole; ok tells that it lights something of this panel at all.
func (f Focus) lit(panel string) (thing string, ok bool) {
	name, thing, _ := strings.Cut(f.At, ".")
	return thing, name == panel
}

// litSegment is the base offset of the segment that the lesson lights, in this
// panel or another; None for none.
func (f Focus) litSegment() int64 {
	_, thing, _ := strings.Cut(f.At, ".")
	if digits, ok := strings.CutPrefix(thing, "segment-"); ok {
		if base, err := strconv.ParseInt(digits, 10, 64); err == nil && base >= 0 {
			return base
		}
	}
	return None
}
