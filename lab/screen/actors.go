package screen

import (
	"slices"
	"strings"

	"kafkalab/engine"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/panel"
)

// actors are the nodes of a cluster, by what each is to the partition that is
// looked at: the same colours that the panels give them.
type actors map[string]theme.Style

// actorsOf tells the actors of the partition in focus, else of the first one.
func actorsOf(m panel.Model) actors {
	list := actors{}
	p := focused(m)
	for _, b := range m.View.Brokers {
		switch {
		case p != nil && p.Leader == b.ID:
			list[b.Name] = theme.Leader
		case p == nil || slices.Contains(p.Replicas, b.ID):
			list[b.Name] = theme.Follower
		default:
			list[b.Name] = theme.Text
		}
	}
	return list
}

func focused(m panel.Model) *engine.PartitionView {
	for i, t := range m.View.Topics {
		if t.Name != m.Focus.Replica.Topic && (m.Focus.Replica.Topic != "" || i > 0) {
			continue
		}
		for j, p := range t.Partitions {
			if p.Number == m.Focus.Replica.Partition {
				return &t.Partitions[j]
			}
		}
	}
	return nil
}

// style is the colour of a node by its name; who is no node of the cluster is a
// client.
func (a actors) style(node string) theme.Style {
	if s, ok := a[node]; ok {
		return s
	}
	if strings.HasPrefix(node, "controller") {
		return theme.Bright
	}
	return theme.Consumer
}
