package quiz

import (
	"slices"

	"kafkalab/quiz/source"
)

// Kind says how a question is answered.
type Kind string

const (
	Choice Kind = "choice" // one of the options
	Multi  Kind = "multi"  // all the options that are right, and no other
	Number Kind = "number" // a number that the engine computes
	Order  Kind = "order"  // the items in their right order
	Script Kind = "script" // commands on a cluster, until a goal holds
)

// Kinds are all kinds, in the order of spec and help.
var Kinds = []Kind{Choice, Multi, Number, Order, Script}

// Question is one knowledge check as it is written in a lesson. Its texts may
// hold {name} for the values of Vary, and {expression} for what the engine
// says after Given and Case have run.
type Question struct {
	ID   string
	File string
	Line int

	Kind      Kind
	Ask       source.Text
	Lesson    string // the id of the lesson that teaches it
	Objective int    // of the lesson's objectives, from 1; 0 when none is named
	Why       source.Text
	Source    source.Text // the class, KIP or config that says so
	Given     source.Text // script: the cluster that is asked about
	Shown     bool        // the learner sees Given
	Vary      Vary
	Case      source.Text // script: plays what the question tells; `v run it`

	Options []Option // choice, multi

	Answer source.Text // number: an expression
	Unit   source.Text // number: what is counted, such as ms or B; may be typed, or not
	Near   []Near      // number: wrong answers that have a name

	Items []source.Text // order: in the right order

	Goal     source.Text // script: an expression that holds when it is done
	Solution source.Text // script: a script that gets there
}

// Option is one answer of a choice. Right is what the author says; Shows is what
// the engine says: an expression that holds after the case if and only if the
// option is right.
type Option struct {
	Text          source.Text `yaml:"text"`
	Right         bool        `yaml:"right"`
	Why           source.Text `yaml:"why"`
	Misconception source.Text `yaml:"misconception"`
	Shows         source.Text `yaml:"shows"`
	Line          int
}

// SetLine keeps where the option begins.
func (o *Option) SetLine(line int) { o.Line = line }

// Near is a wrong number that people arrive at for a reason: the expression
// that computes it, and the explanation that answers it.
type Near struct {
	Expr          source.Text
	Why           source.Text
	Misconception source.Text
}

// fields are the fields of a check block, as YAML.
type fields struct {
	Kind      source.Text   `yaml:"kind"`
	Ask       source.Text   `yaml:"ask"`
	Options   []Option      `yaml:"options"`
	Answer    source.Text   `yaml:"answer"`
	Unit      source.Text   `yaml:"unit"`
	Near      nears         `yaml:"near"`
	Items     []source.Text `yaml:"items"`
	Goal      source.Text   `yaml:"goal"`
	Solution  source.Text   `yaml:"solution"`
	Given     source.Text   `yaml:"given"`
	Shown     bool          `yaml:"shown"`
	Case      source.Text   `yaml:"case"`
	Vary      Vary          `yaml:"vary"`
	Lesson    source.Text   `yaml:"lesson"`
	Objective int           `yaml:"objective"`
	Why       source.Text   `yaml:"why"`
	Source    source.Text   `yaml:"source"`
}

// Parse reads the YAML of a check block. Line is where the YAML begins in the
// file, lesson the id of the lesson it stands in. The question is nil when the
// block cannot be read at all; else it holds what could be read, beside the
// findings.
func Parse(file string, line int, id, lesson, text string) (*Question, []source.Finding) {
	d := &source.Decoder{File: file, Line: line}
	var f fields
	if !d.Decode(text, "check "+id, &f) {
		return nil, d.Findings
	}
	q := &Question{
		ID: id, File: file, Line: line,
		Kind: Kind(f.Kind.Value), Ask: f.Ask, Lesson: lesson, Objective: f.Objective,
		Why: f.Why, Source: f.Source, Given: f.Given, Shown: f.Shown, Vary: f.Vary, Case: f.Case,
		Options: f.Options, Answer: f.Answer, Unit: f.Unit, Near: f.Near,
		Items: f.Items, Goal: f.Goal, Solution: f.Solution,
	}
	if f.Lesson.Given() && f.Lesson.Value != lesson {
		d.Add(f.Lesson.Line, "check %s: lesson %q is not the lesson it stands in (allowed: %s)", id, f.Lesson.Value, lesson)
	}
	validate(d, q, f.Kind)
	return q, d.Findings
}

// Scripted tells whether the engine takes part in the question.
func (q *Question) Scripted() bool { return q.Given.Given() || q.Case.Given() }

// EngineDecides tells whether the options leave it to the engine which of them
// is right: each has Shows and none is marked. So a question can vary in a way
// that moves the right answer from one option to another.
func (q *Question) EngineDecides() bool {
	marked := slices.ContainsFunc(q.Options, func(o Option) bool { return o.Right })
	bare := slices.ContainsFunc(q.Options, func(o Option) bool { return !o.Shows.Given() })
	return len(q.Options) > 0 && !marked && !bare
}
