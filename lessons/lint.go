package lessons

import (
	"io/fs"

	"kafkalab/engine/console"
	"kafkalab/quiz"
	"kafkalab/quiz/source"
)

// What a course must have to be worth a learner's time.
const (
	minChecks = 5 // for each lesson
	// At least one check of minShare in the whole course is played by the
	// engine: it has vary or case.
	minShare = 2
)

// Lint checks a course the hard way: it loads it, then runs every setup, step,
// question and solution on the real engine. It gives all findings of LoadCourse
// and its own; none for a course that is ready to be taught.
func Lint(fsys fs.FS) []Finding { return LintWith(fsys, Engine) }

// LintWith is Lint on sessions of another maker.
func LintWith(fsys fs.FS, open func() Session) []Finding {
	course, findings := LoadCourse(fsys)
	quizOpen := func() quiz.Session { return open() }
	for _, l := range course.Lessons() {
		d := &source.Decoder{File: l.File}
		l.lintShape(d)
		l.lintRun(d, open)
		findings = append(findings, d.Findings...)
		for _, q := range l.Checks {
			findings = append(findings, q.Verify(quizOpen)...)
		}
	}
	for _, drill := range course.Drills {
		findings = append(findings, drill.lint(open)...)
	}
	findings = append(findings, course.lintWhole()...)
	return source.Sort(findings)
}

// lintShape finds what a lesson lacks.
func (l *Lesson) lintShape(d *source.Decoder) {
	if len(l.Checks) < minChecks {
		d.Add(1, "the lesson has %d checks (allowed: at least %d)", len(l.Checks), minChecks)
	}
	if !l.Job.Given() {
		d.Add(1, "the lesson does not end with a line `For the job: …`, which says when one meets this and what shows it")
	}
	if l.Read.Blank() {
		d.Add(1, "the lesson has nothing to read before its setup")
	}
	if q := l.Job; q.Given() {
		quiz.CheckText(d, "the line for the job", q, false)
	}
}

// lintWhole finds what a course lacks as a whole.
func (c *Course) lintWhole() []Finding {
	d := &source.Decoder{File: courseFile}
	checks, played := c.Checks(), 0
	for _, q := range checks {
		if len(q.Vary) > 0 || q.Case.Given() {
			played++
		}
	}
	if played*minShare < len(checks) {
		d.Add(1, "%d of %d checks have vary or case (allowed: at least half)", played, len(checks))
	}
	findings := d.Findings
	for _, q := range checks {
		findings = append(findings, c.lintMisconceptions(q)...)
	}
	return findings
}

// lintMisconceptions finds ids that the course's list does not have.
func (c *Course) lintMisconceptions(q *quiz.Question) []Finding {
	d := &source.Decoder{File: q.File}
	look := func(t source.Text) {
		switch {
		case !t.Given():
		case c.Misconceptions == nil:
			d.Add(t.Line, "check %s: %s is of no list: the course has no %s (a line each: the id, a tab, the belief)", q.ID, t.Value, misconceptionsFile)
		case c.Misconceptions[t.Value].Belief == "":
			d.Add(t.Line, "check %s: %s is not in %s", q.ID, t.Value, misconceptionsFile)
		}
	}
	for _, o := range q.Options {
		look(o.Misconception)
	}
	for _, n := range q.Near {
		look(n.Misconception)
	}
	return d.Findings
}

// lintRun plays a lesson from its setup to the live goal.
func (l *Lesson) lintRun(d *source.Decoder, open func() Session) {
	before := len(d.Findings)
	l.lintReadable(d)
	if len(d.Findings) > before {
		return // what cannot be read cannot be run
	}
	session := &watched{Session: open()}
	c, err := NewCursor(l, session)
	if err != nil {
		d.Add(1, "%v", err)
		return
	}
	l.lintSetup(d, session.outputs)
	for c.Step() != nil {
		if !l.lintStep(d, c) {
			return
		}
		if c.Next() != nil {
			break
		}
	}
	l.lintLive(d, c)
}

// watched is a session that keeps what Run has put out.
type watched struct {
	Session
	outputs []console.Output
}

// Run runs a script and keeps its outputs.
func (w *watched) Run(script string) ([]console.Output, error) {
	out, err := w.Session.Run(script)
	w.outputs = append(w.outputs, out...)
	return out, err
}

// lintReadable checks all scripts, expressions and texts without running them.
func (l *Lesson) lintReadable(d *source.Decoder) {
	quiz.CheckScript(d, "setup", l.Setup)
	quiz.CheckText(d, "text", l.Read, true)
	for _, s := range l.Steps {
		what := "step " + s.Title
		quiz.CheckScript(d, what, s.Run)
		for _, e := range s.Answers {
			quiz.CheckExpr(d, what, e)
		}
		for _, w := range s.Choose {
			quiz.CheckExpr(d, what, w.Expr)
		}
		for _, t := range []source.Text{s.Prose, s.Predict, s.Say} {
			quiz.CheckText(d, what, t, true)
		}
	}
	if live := l.Live; live != nil {
		quiz.CheckText(d, "live", live.Prose, true)
		quiz.CheckText(d, "live", live.Goal, true)
		quiz.CheckExpr(d, "live", live.Done)
		quiz.CheckScript(d, "live", live.Solution)
	}
}

// lintSetup finds commands of a setup that Kafka refuses, unless the script
// itself expects that in its next line.
func (l *Lesson) lintSetup(d *source.Decoder, outputs []console.Output) {
	for i, o := range outputs {
		if o.Failed != "" {
			d.Add(lineOf(l.Setup, i), "setup: %s", o.Failed)
		}
		expected := i+1 < len(outputs) && outputs[i+1].Failed == "" && isExpectError(outputs[i+1].Command)
		if o.Err != nil && !expected {
			d.Add(lineOf(l.Setup, i), "setup: `%s` is answered by %v (if that is meant: `expect error %s` behind it)", o.Command, o.Err, o.Err.Code)
		}
	}
}
