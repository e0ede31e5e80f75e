package screen

import (
	"strings"

	"kafkalab/engine"
)

// hurting are the commands that take a node away which is there, each with what
// it does.
var hurting = map[string]string{
	"restart": "It is shut down and started again.", "shutdown": "It is shut down.",
	"kill": "Its process ends at once.", "crash": "Its machine loses power.", "stall": "It answers nobody until it goes on.",
}

// risk tells what a line would do to a broker that is running, empty when there
// is nothing to ask about.
func (d *deck) risk(line string) string {
	verb, node, _ := strings.Cut(line, " ")
	what := hurting[verb]
	if what == "" {
		return ""
	}
	v := d.stage.model.View
	for _, b := range v.Brokers {
		if b.Name == node && b.State == "running" {
			return node + " is running" + leadsWords(v, b.ID) + ". " + what
		}
	}
	return ""
}

// leadsWords tells which partitions a broker leads.
func leadsWords(v engine.View, id int32) string {
	var list []string
	for _, t := range v.Topics {
		for _, p := range t.Partitions {
			if p.Leader == id {
				list = append(list, t.Name+"/"+itoa(int64(p.Number)))
			}
		}
	}
	switch {
	case len(list) == 0:
		return ""
	case len(list) > 3:
		return " and leads " + plural(len(list), "partition")
	}
	return " and leads " + strings.Join(list, ", ")
}

// pointless tells that a line would change nothing: a broker that is down cannot
// stall, and one that fetches need not go on.
func pointless(line string, v engine.View) bool {
	verb, node, _ := strings.Cut(line, " ")
	for _, b := range v.Brokers {
		if b.Name != node {
			continue
		}
		down := b.State == "killed" || b.State == "crashed" || b.State == "stopped"
		switch verb {
		case "resume":
			return b.State != "stalled"
		case "stall":
			return b.State != "running"
		case "kill", "crash", "shutdown":
			return down
		}
	}
	return false
}
