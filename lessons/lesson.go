package lessons

import (
	"regexp"

	"github.com/goccy/go-yaml/ast"

	"kafkalab/quiz"
	"kafkalab/quiz/source"
)

// Lesson is one lesson: what is read first, the steps, the live page, the
// checks. Its texts are Markdown and may hold {expressions}.
type Lesson struct {
	ID         string
	File       string
	Title      string
	Section    string
	Minutes    int
	Needs      []string // ids of lessons; advice, not a lock
	Objectives []string
	Panels     []string // the first is the one it opens with

	Read   source.Text // the Read page
	Setup  source.Text // script: the cluster of all steps
	Steps  []*Step
	Live   *Live // nil when the lesson has none
	Checks []*quiz.Question
	Job    source.Text // the last line: when you will meet this

	front front
}

// front is the front matter of a lesson.
type front struct {
	ID         source.Text   `yaml:"id"`
	Title      source.Text   `yaml:"title"`
	Section    source.Text   `yaml:"section"`
	Minutes    minutes       `yaml:"minutes"`
	Needs      []source.Text `yaml:"needs"`
	Objectives []source.Text `yaml:"objectives"`
	Panels     []source.Text `yaml:"panels"`
}

// minutes is how long something takes a learner, from 1 to maxMinutes.
type minutes struct {
	n     int
	given bool // whatever it was
}

const maxMinutes = 600

// ReadYAML reads the number.
func (m *minutes) ReadYAML(d *source.Decoder, n ast.Node, what string) {
	m.given = true
	m.n, _ = d.Number(n, what, 1, maxMinutes)
}

var (
	idForm  = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	jobForm = regexp.MustCompile(`(?i)^[*_]{0,2}for the job\b`)
)

// lessonBlocks are the fenced blocks that a lesson's file may have.
var lessonBlocks = []string{"setup", "step", "live", "check"}

// parseLesson reads a lesson's file. The lesson is nil when it has no front
// matter that tells what it is.
func parseLesson(file, id string, data []byte) (*Lesson, []Finding) {
	d := &source.Decoder{File: file, Line: 2}
	lines := cleanLines(data)
	text, from, ok := cutFront(lines)
	if !ok {
		d.Add(1, "no front matter; a lesson begins with a line ---, its fields, and another line ---")
		return nil, d.Findings
	}
	l := &Lesson{ID: id, File: file}
	if !d.Decode(text, "front matter", &l.front) {
		return nil, d.Findings
	}
	l.takeFront(d)
	a := assembler{d: d, l: l}
	for _, p := range cut(d, lines, from, lessonBlocks) {
		a.take(p)
	}
	a.finish(len(lines))
	return l, d.Findings
}

// takeFront copies the front matter, and finds what is missing in it.
func (l *Lesson) takeFront(d *source.Decoder) {
	f := l.front
	l.Title, l.Section, l.Minutes = f.Title.Value, f.Section.Value, f.Minutes.n
	l.Needs, l.Objectives, l.Panels = values(f.Needs), values(f.Objectives), values(f.Panels)
	switch {
	case !f.ID.Given():
		d.Add(1, "front matter: id is missing (here: %s)", l.ID)
	case f.ID.Value != l.ID:
		d.Add(f.ID.Line, "front matter: id %q is not the name of the file (allowed: %s)", f.ID.Value, l.ID)
	}
	if !idForm.MatchString(l.ID) {
		d.Add(1, "the file's name %q is no id (allowed: small letters and digits, joined by -)", l.ID)
	}
	for _, need := range []struct {
		name string
		ok   bool
	}{
		{"title", !f.Title.Blank()}, {"section", !f.Section.Blank()}, {"minutes", f.Minutes.given},
		{"objectives", len(f.Objectives) > 0}, {"panels", len(f.Panels) > 0},
	} {
		if !need.ok {
			d.Add(1, "front matter: %s is missing", need.name)
		}
	}
	for _, p := range f.Panels {
		checkPanel(d, p)
	}
}

func checkPanel(d *source.Decoder, p source.Text) {
	if complaint, ok := source.Known("panel", p.Value, sortedKeys(Panels)); !ok {
		d.Add(p.Line, "%s", complaint)
	}
}

func values(texts []source.Text) []string {
	list := make([]string, len(texts))
	for i, t := range texts {
		list[i] = t.Value
	}
	return list
}
