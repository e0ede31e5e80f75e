package lessons

import (
	"kafkalab/engine/console"
	"kafkalab/quiz"
	"kafkalab/quiz/source"
)

// lint plays a drill: its goal must not hold before the solution and must hold
// after the last line of it, and no wrong repair may reach it.
func (dr *Drill) lint(open func() Session) []Finding {
	d := &source.Decoder{File: dr.File}
	dr.lintReadable(d)
	if len(d.Findings) > 0 || dr.Goal.Blank() {
		return d.Findings
	}
	s := dr.broken(d, open)
	dr.play(d, s, "solution", dr.Solution)
	if held, got := dr.holds(d, s); !held {
		d.Add(dr.Goal.Line, "drill: after solution the goal holds=false (allowed: true), got %s", got)
	}
	for _, r := range dr.Report {
		if _, err := s.Eval(r.Expr.Value); err != nil {
			d.Add(r.Expr.Line, "drill: report: %v", err)
		}
	}
	for _, w := range dr.Wrong {
		s := open()
		_, _ = s.Run(dr.Setup.Value) // what is wrong with either was found above
		_, _ = s.Run(dr.Symptoms.Value)
		dr.play(d, s, "wrong", w)
		if held, _ := dr.holds(d, s); held {
			d.Add(w.Line, "drill: wrong: the goal holds after this repair (allowed: one that does not reach it)")
		}
	}
	return d.Findings
}

// broken is the cluster as the learner finds it.
func (dr *Drill) broken(d *source.Decoder, open func() Session) Session {
	s := open()
	for _, part := range []struct {
		name   string
		script source.Text
	}{{"setup", dr.Setup}, {"symptoms", dr.Symptoms}} {
		outputs, err := s.Run(part.script.Value)
		lintOutputs(d, part.name, part.script, outputs, err)
		if held, got := dr.holds(d, s); held {
			d.Add(dr.Goal.Line, "drill: after %s the goal holds=true (allowed: false), got %s", part.name, got)
		}
	}
	return s
}

// play runs a repair line by line, as the learner does: the drill is over at the
// first line after which the goal holds, so that has to be the last one.
func (dr *Drill) play(d *source.Decoder, s Session, what string, script source.Text) {
	commands := commandsOf(script)
	for i, line := range commands {
		out, err := s.Exec(line)
		if err != nil {
			d.Add(lineOf(script, i), "drill: %s: %v", what, err)
			return
		}
		if out.Failed != "" {
			d.Add(lineOf(script, i), "drill: %s: %s", what, out.Failed)
		}
		if i == len(commands)-1 {
			return
		}
		if held, _ := dr.holds(d, s); held {
			d.Add(lineOf(script, i), "drill: %s: the goal holds after `%s` already (allowed: after the last line of a solution only)", what, line)
			return
		}
	}
}

func (dr *Drill) holds(d *source.Decoder, s Session) (held bool, got string) {
	held, got, err := s.Holds(dr.Goal.Value)
	if err != nil {
		d.Add(dr.Goal.Line, "drill: goal: %v", err)
	}
	return held, got
}

func (dr *Drill) lintReadable(d *source.Decoder) {
	for _, script := range append([]source.Text{dr.Setup, dr.Symptoms, dr.Solution}, dr.Wrong...) {
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
