// Package check holds the invariants that a cluster must keep whatever
// happens, as functions over what can be seen of it. A script run, the
// simulations and the tests ask after each command.
package check

import (
	"fmt"
	"slices"

	"kafkalab/engine"
)

// State remembers what may only grow.
type State struct {
	partitions map[string]seen
	cluster    *engine.Cluster
	timeMs     int64
}

type seen struct {
	id        string
	epoch     int32
	hw, start int64
}

// Look holds a cluster against the invariants; nil means that all hold. A
// cluster that is not there keeps them all.
func (s *State) Look(c *engine.Cluster) error {
	if c == nil {
		return nil
	}
	if s.partitions == nil {
		s.partitions = map[string]seen{}
	}
	v := c.View()
	if c != s.cluster || v.TimeMs < s.timeMs {
		clear(s.partitions) // another cluster, or another moment of its past
	}
	s.cluster, s.timeMs = c, v.TimeMs
	for _, t := range v.Topics {
		for i := range t.Partitions {
			p := &t.Partitions[i]
			name := fmt.Sprintf("%s/%d", t.Name, p.Number)
			if err := offsets(name, p); err != nil {
				return err
			}
			if err := members(name, p); err != nil {
				return err
			}
			if err := s.growth(name, t.ID, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// offsets: log start <= LSO <= high watermark <= log end, on the leader and, but
// for the LSO, on every replica.
func offsets(name string, p *engine.PartitionView) error {
	if p.LEO >= 0 && !(p.Start <= p.LSO && p.LSO <= p.HW && p.HW <= p.LEO) {
		return fmt.Errorf("%s: start %d <= LSO %d <= HW %d <= LEO %d does not hold", name, p.Start, p.LSO, p.HW, p.LEO)
	}
	for _, r := range p.Logs {
		if r.LEO >= 0 && !(r.Start <= r.HW && r.HW <= r.LEO) {
			return fmt.Errorf("%s@%d: start %d <= HW %d <= LEO %d does not hold", name, r.Broker, r.Start, r.HW, r.LEO)
		}
	}
	return nil
}

// members: the ISR is some of the replicas, and the leader one of the ISR.
func members(name string, p *engine.PartitionView) error {
	for _, id := range p.ISR {
		if !slices.Contains(p.Replicas, id) {
			return fmt.Errorf("%s: broker %d is in the ISR %v and not among the replicas %v", name, id, p.ISR, p.Replicas)
		}
	}
	if p.Leader >= 0 && !slices.Contains(p.ISR, p.Leader) {
		return fmt.Errorf("%s: leader %d is not in the ISR %v", name, p.Leader, p.ISR)
	}
	return nil
}

// growth: leader epochs never fall, and within one neither the high watermark
// nor the log start does.
func (s *State) growth(name, id string, p *engine.PartitionView) error {
	old, ok := s.partitions[name]
	if p.LEO < 0 {
		return nil // without a leader there is nobody to say
	}
	s.partitions[name] = seen{id, p.Epoch, p.HW, p.Start}
	if !ok || old.id != id {
		return nil
	}
	if p.Epoch < old.epoch {
		return fmt.Errorf("%s: leader epoch fell from %d to %d", name, old.epoch, p.Epoch)
	}
	if p.Epoch == old.epoch && (p.HW < old.hw || p.Start < old.start) {
		return fmt.Errorf("%s: in epoch %d HW went from %d to %d, start from %d to %d", name, p.Epoch, old.hw, p.HW, old.start, p.Start)
	}
	return nil
}
