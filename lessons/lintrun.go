package lessons

import (
	"regexp"
	"strings"

	"kafkalab/engine/console"
	"kafkalab/quiz"
	"kafkalab/quiz/source"
)

func isExpectError(command string) bool {
	words := strings.Fields(command)
	return len(words) >= 2 && words[0] == "expect" && words[1] == "error"
}

// lintStep plays one step; false when the lesson cannot go on.
func (l *Lesson) lintStep(d *source.Decoder, c *Cursor) bool {
	s := c.Step()
	what := "step " + s.Title
	if c.Phase() == Asking {
		if err := c.Skip(); err != nil {
			d.Add(s.Line, "%v", err)
			return false
		}
	}
	if err := c.PlayAll(); err != nil {
		d.Add(s.Line, "%v", err)
		return false
	}
	for i, o := range c.Played() {
		if o.Failed != "" {
			d.Add(lineOf(s.Run, i), "%s: %s", what, o.Failed)
		}
	}
	if len(s.Answers) > 0 && c.Entry().Happened == withUnit("none", s.Unit) {
		d.Add(s.Answers[0].Line, "%s: %s is none after the run; a prediction has one computable answer", what, s.Answers[0].Value)
	}
	l.lintChoose(d, c, what)
	lintNothing(d, c.Session(), s.Say, what+": say")
	return true
}

var inBraces = regexp.MustCompile(`\{([^{}]+)\}`)

// lintNothing finds an {expression} of a text that is none: a learner would read
// "the reason is none". An event's fields are gone once the next command began.
func lintNothing(d *source.Decoder, s Session, t source.Text, what string) {
	for i, line := range strings.Split(t.Value, "\n") {
		line = strings.NewReplacer("{{", "", "}}", "").Replace(line)
		for _, m := range inBraces.FindAllStringSubmatch(line, -1) {
			if v, err := s.Eval(m[1]); err == nil && v.IsNone() {
				d.Add(t.LineAt(i), "%s: {%s} is none here (allowed: what has a value; an event's fields, of the last command of run only)", what, m[1])
			}
		}
	}
}

// lintChoose finds words of which not exactly one is right.
func (l *Lesson) lintChoose(d *source.Decoder, c *Cursor, what string) {
	step := c.Step()
	var right []string
	for _, w := range step.Choose {
		held, _, err := c.Session().Holds(w.Expr.Value)
		if err != nil {
			d.Add(w.Expr.Line, "%s: %v", what, err)
			return
		}
		if held {
			right = append(right, w.Word.Value)
		}
	}
	if len(step.Choose) > 0 && len(right) != 1 {
		d.Add(step.Choose[0].Word.Line, "%s: %d of the words in choose are right, %v (allowed: exactly one)", what, len(right), right)
	}
}

// lintLive checks that the goal of the live page is not there from the start,
// and that the solution, if the author wrote one, gets there.
func (l *Lesson) lintLive(d *source.Decoder, c *Cursor) {
	live := l.Live
	if live == nil {
		return
	}
	if _, _, err := c.LiveTexts(); err != nil {
		d.Add(live.Line, "%v", err)
	}
	if live.Done.Blank() {
		return
	}
	if err := c.Look(); err != nil {
		d.Add(live.Done.Line, "%v", err)
		return
	}
	if c.Reached() {
		d.Add(live.Done.Line, "live: the goal holds before anything was done")
		return
	}
	if live.Solution.Blank() {
		return
	}
	for i, command := range commandsOf(live.Solution) {
		out, err := c.Command(command)
		if err != nil {
			d.Add(lineOf(live.Solution, i), "live: solution: %v", err)
			return
		}
		if out.Failed != "" {
			d.Add(lineOf(live.Solution, i), "live: solution: %s", out.Failed)
		}
	}
	if !c.Reached() {
		d.Add(live.Done.Line, "live: the goal does not hold after the solution")
	}
}

// lint plays a drill: its goal must not hold before the solution, and must hold
// after it.
func (dr *Drill) lint(open func() Session) []Finding {
	d := &source.Decoder{File: dr.File}
	dr.lintReadable(d)
	if len(d.Findings) > 0 || dr.Goal.Blank() {
		return d.Findings
	}
	s := open()
	for _, part := range []struct {
		name   string
		script source.Text
		goal   bool // whether the goal holds after it
	}{{"setup", dr.Setup, false}, {"symptoms", dr.Symptoms, false}, {"solution", dr.Solution, true}} {
		outputs, err := s.Run(part.script.Value)
		lintOutputs(d, part.name, part.script, outputs, err)
		held, got, errHeld := s.Holds(dr.Goal.Value)
		switch {
		case errHeld != nil:
			d.Add(dr.Goal.Line, "drill: goal: %v", errHeld)
		case held != part.goal:
			d.Add(dr.Goal.Line, "drill: after %s the goal holds=%v (allowed: %v), got %s", part.name, held, part.goal, got)
		}
	}
	for _, r := range dr.Report {
		if _, err := s.Eval(r.Expr.Value); err != nil {
			d.Add(r.Expr.Line, "drill: report: %v", err)
		}
	}
	return d.Findings
}

func (dr *Drill) lintReadable(d *source.Decoder) {
	for _, script := range []source.Text{dr.Setup, dr.Symptoms, dr.Solution} {
		quiz.CheckScript(d, "drill", script)
	}
	quiz.CheckExpr(d, "drill: goal", dr.Goal)
	for _, r := range dr.Report {
		quiz.CheckExpr(d, "drill: report", r.Expr)
	}
}

func lintOutputs(d *source.Decoder, what string, script source.Text, outputs []console.Output, err error) {
	if err != nil {
		d.Add(script.Line, "drill: %s: %v", what, err)
	}
	for i, o := range outputs {
		if o.Failed != "" {
			d.Add(lineOf(script, i), "drill: %s: %s", what, o.Failed)
		}
	}
}
