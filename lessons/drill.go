package lessons

import (
	"github.com/goccy/go-yaml/ast"

	"kafkalab/quiz/source"
)

// Drill is an incident: a cluster that is broken, what an on-call person gets
// to see of it, and a goal.
type Drill struct {
	ID      string
	File    string
	Title   string
	Minutes int
	Needs   []string

	Story    source.Text // what is read first
	Setup    source.Text // script: the broken cluster
	Symptoms source.Text // script: commands whose output is seen first
	Goal     source.Text // an expression that holds when the cluster is repaired
	Solution source.Text // script: the shortest known repair
	// Wrong are scripts that people try and that do not repair it: the goal
	// holds after no line of them. A comment in them says why.
	Wrong  []source.Text
	Hints  []source.Text
	Report []Line
	needs  []source.Text
}

// Line is one line of a drill's report: what it says, and the expression that
// says how much.
type Line struct {
	Label source.Text
	Expr  source.Text
}

// drillFront is the front matter of a drill.
type drillFront struct {
	ID      source.Text   `yaml:"id"`
	Title   source.Text   `yaml:"title"`
	Minutes minutes       `yaml:"minutes"`
	Needs   []source.Text `yaml:"needs"`
}

// drillFields are the fields of a drill block, as YAML.
type drillFields struct {
	Setup    source.Text   `yaml:"setup"`
	Symptoms source.Text   `yaml:"symptoms"`
	Goal     source.Text   `yaml:"goal"`
	Solution source.Text   `yaml:"solution"`
	Wrong    []source.Text `yaml:"wrong"`
	Hints    []source.Text `yaml:"hints"`
	Report   reportLines   `yaml:"report"`
}

// reportLines is the field `report`.
type reportLines []Line

// ReadYAML reads labels with their expressions.
func (r *reportLines) ReadYAML(d *source.Decoder, n ast.Node, what string) {
	entries, ok := d.Entries(n, what)
	if !ok {
		return
	}
	for _, e := range entries {
		if expr, ok := d.Text(e.Value, what+" "+e.Key.Value); ok {
			*r = append(*r, Line{Label: e.Key, Expr: expr})
		}
	}
}

// parseDrill reads a drill's file: front matter, the story, and one block named
// drill.
func parseDrill(file, id string, data []byte) (*Drill, []Finding) {
	d := &source.Decoder{File: file, Line: 2}
	lines := cleanLines(data)
	text, from, ok := cutFront(lines)
	if !ok {
		d.Add(1, "no front matter; a drill begins with a line ---, its fields, and another line ---")
		return nil, d.Findings
	}
	var f drillFront
	if !d.Decode(text, "front matter", &f) {
		return nil, d.Findings
	}
	drill := &Drill{ID: id, File: file, Title: f.Title.Value, Minutes: f.Minutes.n, Needs: values(f.Needs), needs: f.Needs}
	if f.ID.Value != id {
		d.Add(max(f.ID.Line, 1), "front matter: id %q is not the name of the file (allowed: %s)", f.ID.Value, id)
	}
	if f.Title.Blank() {
		d.Add(1, "front matter: title is missing")
	}
	if !f.Minutes.given {
		d.Add(1, "front matter: minutes is missing")
	}
	blocks := 0
	for _, p := range cut(d, lines, from, []string{"drill"}) {
		if p.word == "" {
			drill.Story = p.text
			continue
		}
		if blocks++; blocks > 1 {
			d.Add(p.line, "a second drill block; one is allowed")
			continue
		}
		drill.take(d, p)
	}
	if blocks == 0 {
		d.Add(len(lines), "no drill block: setup, symptoms, goal, solution, hints, report")
	}
	return drill, d.Findings
}

func (dr *Drill) take(d *source.Decoder, p piece) {
	var f drillFields
	in := &source.Decoder{File: d.File, Line: p.text.Line}
	in.Decode(p.text.Value, "drill", &f)
	d.Findings = append(d.Findings, in.Findings...)
	for _, need := range []struct {
		name string
		text source.Text
	}{{"setup", f.Setup}, {"symptoms", f.Symptoms}, {"goal", f.Goal}, {"solution", f.Solution}} {
		if need.text.Blank() {
			d.Add(p.line, "drill: %s is missing", need.name)
		}
	}
	dr.Setup, dr.Symptoms, dr.Goal, dr.Solution = f.Setup, f.Symptoms, f.Goal, f.Solution
	dr.Wrong, dr.Hints, dr.Report = f.Wrong, f.Hints, f.Report
}
