package lessons

import (
	"kafkalab/quiz/source"
)

// Live is the page where the learner acts on the cluster that the steps have
// left, until the goal is reached or for as long as they like.
type Live struct {
	Line     int
	Prose    source.Text
	Actions  []string    // the keys that are offered, of Actions
	Goal     source.Text // what to bring about, in words
	Done     source.Text // an expression that holds once it is
	Solution source.Text // script: one way to get there; the check of the course runs it
	Panel    string      // the panel to act in; empty for the lesson's first
	View     View
}

// liveFields are the fields of a live block, as YAML.
type liveFields struct {
	Actions   []source.Text `yaml:"actions"`
	Goal      source.Text   `yaml:"goal"`
	Done      source.Text   `yaml:"done"`
	Solution  source.Text   `yaml:"solution"`
	Panel     source.Text   `yaml:"panel"`
	Partition source.Text   `yaml:"partition"`
	Group     source.Text   `yaml:"group"`
	Producer  source.Text   `yaml:"producer"`
}

func parseLive(d *source.Decoder, p piece) *Live {
	var f liveFields
	in := &source.Decoder{File: d.File, Line: p.text.Line}
	ok := in.Decode(p.text.Value, "live", &f)
	d.Findings = append(d.Findings, in.Findings...)
	if !ok {
		return nil
	}
	if len(f.Actions) == 0 {
		d.Add(p.line, "live has no actions: the keys it offers (allowed: %v)", sortedKeys(Actions))
	}
	for _, a := range f.Actions {
		if complaint, ok := source.Known("action", a.Value, sortedKeys(Actions)); !ok {
			d.Add(a.Line, "live: %s", complaint)
		}
	}
	if f.Goal.Blank() != f.Done.Blank() {
		d.Add(p.line, "live needs both goal, in words, and done, the expression that holds then; or neither")
	}
	if f.Solution.Given() && !f.Done.Given() {
		d.Add(f.Solution.Line, "live has a solution, but no goal")
	}
	if f.Panel.Given() {
		checkPanel(d, f.Panel)
	}
	checkForm(d, f.Partition, partitionForm, "partition", "orders/0 or orders/0@1")
	checkForm(d, f.Group, nameForm, "group", "a group's name")
	checkForm(d, f.Producer, nameForm, "producer", "a producer's name")
	return &Live{
		Line: p.line, Actions: values(f.Actions), Goal: f.Goal, Done: f.Done, Solution: f.Solution,
		Panel: f.Panel.Value,
		View:  View{Partition: f.Partition.Value, Group: f.Group.Value, Producer: f.Producer.Value},
	}
}
