package screen

import (
	"slices"
	"strings"

	"kafkalab/engine"
	"kafkalab/lab/panel"
)

// partitionCommands list the keys that look at another partition, where there
// are several and the panel has nothing open that has these keys for itself.
func (s *stage) partitionCommands(cs *Commands) {
	all := partitionsOf(s.model.View)
	if len(all) < 2 || s.model.Reader == nil || s.nested() || s.typing() {
		return
	}
	turn := func(by int) func() []Action {
		return func() []Action {
			i := slices.Index(all, s.focused())
			if i < 0 {
				i = 0
			}
			s.model.Focus.Replica = all[(i+by+len(all))%len(all)]
			s.bytes = panel.Cursor{Replica: s.model.Focus.Replica, Offset: panel.None}
			return nil
		}
	}
	cs.line("[ ]", "partition")
	cs.quiet(groupLook, "]", "next partition", turn(1))
	cs.quiet(groupLook, "[", "partition before", turn(-1))
}

// focused is the partition that is looked at.
func (s *stage) focused() engine.ReplicaName {
	r := s.model.Focus.Replica
	if all := partitionsOf(s.model.View); r.Topic == "" && len(all) > 0 {
		return all[0]
	}
	r.Broker = 0
	return r
}

// partitionsOf lists all partitions: those of the learner's topics first, Kafka's
// own last.
func partitionsOf(v engine.View) (all []engine.ReplicaName) {
	for _, own := range []bool{false, true} {
		for _, t := range v.Topics {
			for _, p := range t.Partitions {
				if strings.HasPrefix(t.Name, "__") == own {
					all = append(all, engine.ReplicaName{Topic: t.Name, Partition: p.Number})
				}
			}
		}
	}
	return all
}
