package quiz

import (
	"math/rand/v2"

	"kafkalab/engine/console"
	"kafkalab/quiz/source"
)

// verifySeed seeds the instances that a check of the course tries: the same
// ones each time, so that a finding stays until it is mended.
const verifySeed = 1

// Verify runs a question the way learners will meet it, and finds what the
// engine does not agree with: scripts and expressions that cannot be read,
// answers that cannot be computed, near misses that are right, options whose
// `shows` says something else than `right`, a script goal that holds before the
// solution or does not after it. It tries the Samples of Vary, up to the first
// in which something is wrong.
func (q *Question) Verify(open Open) []source.Finding {
	d := &source.Decoder{File: q.File, Line: q.Line}
	for _, values := range q.Vary.Samples(rand.New(rand.NewPCG(verifySeed, 0))) {
		q.readable(d, values)
		if len(d.Findings) == 0 {
			q.try(d, values, open)
		}
		if len(d.Findings) > 0 {
			break
		}
	}
	return d.Findings
}

// readable checks scripts and expressions without running them.
func (q *Question) readable(d *source.Decoder, values Values) {
	for _, script := range []source.Text{q.Given, q.Case, q.Solution} {
		CheckScript(d, "check "+q.ID, script.With(values.Fill(script.Value)))
	}
	exprs := []source.Text{q.Answer, q.Goal}
	texts := []source.Text{q.Ask, q.Why, q.Unit}
	for _, n := range q.Near {
		texts = append(texts, n.Why)
		if _, number := literal(values.Fill(n.Expr.Value)); !number {
			exprs = append(exprs, n.Expr)
		}
	}
	for _, o := range q.Options {
		exprs = append(exprs, o.Shows)
		texts = append(texts, o.Text, o.Why)
	}
	texts = append(texts, q.Items...)
	for _, e := range exprs {
		CheckExpr(d, "check "+q.ID, e.With(values.Fill(e.Value)))
	}
	for _, t := range texts {
		CheckText(d, "check "+q.ID, t.With(values.Fill(t.Value)), q.Scripted())
	}
}

// try asks one instance and looks at what the engine made of it.
func (q *Question) try(d *source.Decoder, values Values, open Open) {
	what := q.ID
	if len(values) > 0 {
		what += " with " + values.String()
	}
	in, err := q.Instance(values, nil, open)
	if err != nil {
		d.Add(q.Line, "%v%s", err, suffix(values))
		return
	}
	for i, o := range in.Options {
		if declared := q.Options[i].Right; !q.EngineDecides() && o.Right != declared {
			d.Add(q.Options[i].Shows.Line, "check %s: option %d is marked right=%v, but %s %s", what, i+1, declared,
				values.Fill(q.Options[i].Shows.Value), map[bool]string{true: "holds", false: "does not hold"}[o.Right])
		}
	}
	for _, n := range q.Near {
		q.tryNear(d, in, n, what)
	}
	if q.Kind == Script {
		q.trySolution(d, in, what)
	}
}

// suffix names the instance at the end of a finding.
func suffix(values Values) string {
	if len(values) == 0 {
		return ""
	}
	return " (with " + values.String() + ")"
}

func (q *Question) tryNear(d *source.Decoder, in *Instance, n Near, what string) {
	expr := in.Values.Fill(n.Expr.Value)
	v, err := in.eval(expr)
	if err != nil {
		d.Add(n.Expr.Line, "check %s: near %s: %v", what, expr, err)
		return
	}
	f, isNumber := v.Float()
	if !isNumber {
		d.Add(n.Expr.Line, "check %s: near %s is %s, no number", what, expr, v)
		return
	}
	if right, _ := in.Number.Float(); f == right {
		d.Add(n.Expr.Line, "check %s: near %s is %s, the same as the right answer; choose a vary that keeps them apart", what, expr, v)
	}
}

// trySolution checks that a script question cannot be right from the start, and
// can be made right.
func (q *Question) trySolution(d *source.Decoder, in *Instance, what string) {
	before, err := in.Grade(Reply{})
	if err != nil {
		d.Add(q.Goal.Line, "%v", err)
		return
	}
	if before.Right {
		d.Add(q.Goal.Line, "check %s: the goal holds before anything was done", what)
	}
	outputs, err := in.Session.Run(in.Values.Fill(q.Solution.Value))
	if err != nil {
		d.Add(q.Solution.Line, "check %s: solution: %v", what, err)
		return
	}
	for _, o := range outputs {
		if o.Failed != "" {
			d.Add(q.Solution.Line, "check %s: solution: %s", what, o.Failed)
		}
	}
	if r, err := in.Grade(Reply{}); err != nil || !r.Right {
		d.Add(q.Goal.Line, "check %s: the goal does not hold after the solution: %s", what, r.Said)
	}
}

// CheckScript finds the lines of a script that cannot be read.
func CheckScript(d *source.Decoder, what string, script source.Text) {
	if !script.Given() {
		return
	}
	for _, e := range console.Check(script.Value) {
		d.Add(script.LineAt(max(e.Line, 1)-1), "%s: %v", what, e)
	}
}

// CheckExpr finds an expression that cannot be read.
func CheckExpr(d *source.Decoder, what string, expr source.Text) {
	if !expr.Given() {
		return
	}
	if err := console.CheckExpr(expr.Value); err != nil {
		d.Add(expr.Line, "%s: %q: %v", what, expr.Value, err)
	}
}

// CheckText finds {expressions} of a text that cannot be read, or that nothing
// is run for.
func CheckText(d *source.Decoder, what string, text source.Text, scripted bool) {
	exprs, err := source.Expressions(text)
	if err != nil {
		d.Add(text.Line, "%s: %v", what, err)
	}
	for _, e := range exprs {
		if !scripted {
			d.Add(e.Line, "%s: {%s} has no engine to ask (needs given or case; braces themselves are {{ and }})", what, e.Value)
			continue
		}
		CheckExpr(d, what, e)
	}
}
