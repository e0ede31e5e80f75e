package lessons

import (
	"regexp"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"kafkalab/quiz"
	"kafkalab/quiz/source"
)

// Step is one move of a lesson: read, predict, run, see what happened.
type Step struct {
	Number int // from 1
	Title  string
	Line   int
	Prose  source.Text // what is read before the question

	// Predict asks for a prediction; a step without it asks nothing. What is
	// right is either the value of one of Answers after Run, the first being
	// the one that is shown, or the word in Choose whose expression holds.
	Predict source.Text
	Answers []source.Text
	Unit    string // of a number in the answer, such as ms or broker
	Choose  []Word

	Run   source.Text // script: a few commands
	Say   source.Text // what happened, and why
	Focus string      // the panel, or the thing in it, that is lit: isr.broker-3
	View  View
}

// Word is one of the answers that a step offers, and what the engine says when
// it is the right one.
type Word struct {
	Word source.Text
	Expr source.Text
}

// View tells the panels what to show at a step, where the cluster alone does not
// tell. Empty fields leave a panel at what it shows.
type View struct {
	Partition string // T/P, or T/P@B for one replica
	Seek      string // T/P@B OFFSET: the lookup that the index panel plays
	Group     string
	Producer  string
}

// stepFields are the fields of a step block, as YAML.
type stepFields struct {
	Predict   source.Text `yaml:"predict"`
	Answer    oneOrMore   `yaml:"answer"`
	Unit      source.Text `yaml:"unit"`
	Choose    words       `yaml:"choose"`
	Run       source.Text `yaml:"run"`
	Focus     source.Text `yaml:"focus"`
	Say       source.Text `yaml:"say"`
	Partition source.Text `yaml:"partition"`
	Seek      source.Text `yaml:"seek"`
	Group     source.Text `yaml:"group"`
	Producer  source.Text `yaml:"producer"`
}

var (
	partitionForm = regexp.MustCompile(`^[A-Za-z0-9._-]+/\d+(@\d+)?$`)
	seekForm      = regexp.MustCompile(`^[A-Za-z0-9._-]+/\d+@\d+ \d+$`)
	nameForm      = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)
)

// parseStep reads a step block; nil when it is no YAML at all.
func parseStep(d *source.Decoder, p piece) *Step {
	var f stepFields
	in := &source.Decoder{File: d.File, Line: p.text.Line}
	ok := in.Decode(p.text.Value, "step", &f)
	d.Findings = append(d.Findings, in.Findings...)
	if !ok {
		return nil
	}
	s := &Step{
		Title: p.title, Line: p.line, Predict: f.Predict, Answers: f.Answer, Unit: f.Unit.Value,
		Choose: f.Choose, Run: f.Run, Say: f.Say, Focus: f.Focus.Value,
		View: View{Partition: f.Partition.Value, Seek: f.Seek.Value, Group: f.Group.Value, Producer: f.Producer.Value},
	}
	s.validate(d, f)
	return s
}

func (s *Step) validate(d *source.Decoder, f stepFields) {
	what := "step " + s.Title
	if s.Title == "" {
		d.Add(s.Line, "a step needs a title behind the word step")
	}
	asked, answered := !f.Predict.Blank(), len(f.Answer) > 0 || len(f.Choose) > 0
	switch {
	case asked && !answered:
		d.Add(f.Predict.Line, "%s has a predict without an answer (an expression, or choose: words with expressions)", what)
	case answered && !asked:
		d.Add(s.Line, "%s has an answer without a predict: the question", what)
	}
	if len(f.Answer) > 0 && len(f.Choose) > 0 {
		d.Add(s.Line, "%s has both answer and choose; one of them is allowed", what)
	}
	for _, e := range f.Answer {
		if quiz.Typed(e.Value) {
			d.Add(e.Line, "%s: the answer is typed in; an expression is allowed, such as orders/0.hw", what)
		}
	}
	if len(f.Choose) == 1 {
		d.Add(f.Choose[0].Word.Line, "%s: choose needs at least two words", what)
	}
	if f.Run.Blank() && f.Say.Blank() {
		d.Add(s.Line, "%s does nothing: it needs run or say", what)
	}
	if f.Focus.Given() {
		panel, _, _ := strings.Cut(f.Focus.Value, ".")
		checkPanel(d, source.Text{Value: panel, Line: f.Focus.Line})
	}
	checkForm(d, f.Partition, partitionForm, "partition", "orders/0 or orders/0@1")
	checkForm(d, f.Seek, seekForm, "seek", "orders/0@1 1085")
	checkForm(d, f.Group, nameForm, "group", "a group's name")
	checkForm(d, f.Producer, nameForm, "producer", "a producer's name")
}

func checkForm(d *source.Decoder, t source.Text, form *regexp.Regexp, what, allowed string) {
	if t.Given() && !form.MatchString(t.Value) {
		d.Add(t.Line, "%s: %q is none (allowed: %s)", what, t.Value, allowed)
	}
}

// Asks tells whether the step waits for a prediction.
func (s *Step) Asks() bool { return !s.Predict.Blank() }

// Commands are the lines of Run that do something.
func (s *Step) Commands() []string { return commandsOf(s.Run) }

// oneOrMore is a field that is one text, or a list of them.
type oneOrMore []source.Text

// ReadYAML reads either form.
func (o *oneOrMore) ReadYAML(d *source.Decoder, n ast.Node, what string) {
	if _, list := n.(*ast.SequenceNode); list {
		*o = d.Texts(n, what)
		return
	}
	if t, ok := d.Text(n, what); ok {
		*o = oneOrMore{t}
	}
}

// words is the field `choose`.
type words []Word

// ReadYAML reads words with their expressions, in their order.
func (w *words) ReadYAML(d *source.Decoder, n ast.Node, what string) {
	entries, ok := d.Entries(n, what)
	if !ok {
		return
	}
	for _, e := range entries {
		if expr, ok := d.Text(e.Value, what+" "+e.Key.Value); ok {
			*w = append(*w, Word{Word: e.Key, Expr: expr})
		}
	}
}
