package quiz

import (
	"regexp"
	"slices"

	"kafkalab/quiz/source"
)

var misconceptionForm = regexp.MustCompile(`^M-\d{3}$`)

// validate finds what is wrong with the shape of a question: what its kind
// needs and is not there, and what is there and its kind does not have. What
// only the engine can tell is Verify's.
func validate(d *source.Decoder, q *Question, kind source.Text) {
	at := q.Line
	if !kind.Given() {
		d.Add(at, "check %s has no kind (allowed: choice, multi, number, order, script)", q.ID)
		return
	}
	names := make([]string, len(Kinds))
	for i, k := range Kinds {
		names[i] = string(k)
	}
	if complaint, ok := source.Known("kind", kind.Value, names); !ok {
		d.Add(kind.Line, "check %s: %s", q.ID, complaint)
		return
	}
	if q.Ask.Blank() {
		d.Add(at, "check %s has no ask: the question itself", q.ID)
	}
	if !q.Scripted() && q.Source.Blank() {
		d.Add(at, "check %s has neither case, given nor source; one of them must say why the answer is so", q.ID)
	}
	if len(q.Vary) > 0 && !q.Scripted() {
		d.Add(q.Vary[0].Name.Line, "check %s varies, but runs nothing that could differ (needs given or case)", q.ID)
	}
	if q.Shown && !q.Given.Given() {
		d.Add(at, "check %s: shown needs a given to show", q.ID)
	}
	fits(d, q)
	switch q.Kind {
	case Choice, Multi:
		validateOptions(d, q)
	case Number:
		validateNumber(d, q)
	case Order:
		validateOrder(d, q)
	case Script:
		validateScript(d, q)
	}
}

// fits finds the fields that belong to other kinds.
func fits(d *source.Decoder, q *Question) {
	foreign := []struct {
		name  string
		given bool
		line  int
		kinds []Kind
	}{
		{"options", len(q.Options) > 0, q.Line, []Kind{Choice, Multi}},
		{"answer", q.Answer.Given(), q.Answer.Line, []Kind{Number}},
		{"unit", q.Unit.Given(), q.Unit.Line, []Kind{Number}},
		{"near", len(q.Near) > 0, q.Line, []Kind{Number}},
		{"items", len(q.Items) > 0, q.Line, []Kind{Order}},
		{"goal", q.Goal.Given(), q.Goal.Line, []Kind{Script}},
		{"solution", q.Solution.Given(), q.Solution.Line, []Kind{Script}},
	}
	for _, f := range foreign {
		if f.given && !slices.Contains(f.kinds, q.Kind) {
			d.Add(f.line, "check %s: a %s has no %s (kinds that have it: %v)", q.ID, q.Kind, f.name, f.kinds)
		}
	}
}

func validateOptions(d *source.Decoder, q *Question) {
	if len(q.Options) < 2 || len(q.Options) > 8 {
		d.Add(q.Line, "check %s has %d options (allowed: 2 to 8)", q.ID, len(q.Options))
	}
	right, texts := 0, map[string]bool{}
	for i, o := range q.Options {
		if o.Right {
			right++
		}
		if o.Text.Blank() {
			d.Add(o.Line, "check %s: option %d has no text", q.ID, i+1)
		} else if texts[o.Text.Value] {
			d.Add(o.Text.Line, "check %s: option %d reads like one before it", q.ID, i+1)
		}
		texts[o.Text.Value] = true
		if o.Why.Blank() {
			d.Add(o.Line, "check %s: option %d has no why; every option, right or wrong, explains itself", q.ID, i+1)
		}
		if o.Shows.Given() && !q.Scripted() {
			d.Add(o.Shows.Line, "check %s: shows needs a case or a given to run", q.ID)
		}
		if q.Case.Given() && !o.Shows.Given() {
			d.Add(o.Line, "check %s: option %d has no shows; with a case every option has an expression that holds if and only if it is right", q.ID, i+1)
		}
		validateMisconception(d, q, o.Misconception, o.Right)
	}
	if q.EngineDecides() {
		return
	}
	if right == 0 || q.Kind == Choice && right > 1 {
		d.Add(q.Line, "check %s has %d right options (allowed: one for choice, at least one for multi; none only when each option has shows)", q.ID, right)
	}
}

func validateMisconception(d *source.Decoder, q *Question, m source.Text, right bool) {
	if !m.Given() {
		return
	}
	if right {
		d.Add(m.Line, "check %s: a right option names no misconception", q.ID)
	}
	if !misconceptionForm.MatchString(m.Value) {
		d.Add(m.Line, "check %s: %q is no misconception (allowed: M- and three digits)", q.ID, m.Value)
	}
}

func validateNumber(d *source.Decoder, q *Question) {
	if !q.Answer.Given() {
		d.Add(q.Line, "check %s has no answer: an expression that the engine computes", q.ID)
	} else if _, typed := literal(q.Answer.Value); typed {
		d.Add(q.Answer.Line, "check %s: the answer is typed in; an expression is allowed, such as orders/0.hw", q.ID)
	}
	if !q.Scripted() {
		d.Add(q.Line, "check %s has no given; a number is computed by running one", q.ID)
	}
	for _, n := range q.Near {
		validateMisconception(d, q, n.Misconception, false)
	}
	needsWhy(d, q)
}

func validateOrder(d *source.Decoder, q *Question) {
	if len(q.Items) < 3 || len(q.Items) > 9 {
		d.Add(q.Line, "check %s has %d items (allowed: 3 to 9)", q.ID, len(q.Items))
	}
	seen := map[string]bool{}
	for _, t := range q.Items {
		if seen[t.Value] {
			d.Add(t.Line, "check %s: %q stands twice among the items", q.ID, t.Value)
		}
		seen[t.Value] = true
	}
	needsWhy(d, q)
}

func validateScript(d *source.Decoder, q *Question) {
	if !q.Given.Given() {
		d.Add(q.Line, "check %s has no given: the cluster to act on", q.ID)
	}
	if !q.Goal.Given() {
		d.Add(q.Line, "check %s has no goal: an expression that holds when it is done", q.ID)
	}
	if !q.Solution.Given() {
		d.Add(q.Line, "check %s has no solution: a script after which the goal holds", q.ID)
	}
	needsWhy(d, q)
}

func needsWhy(d *source.Decoder, q *Question) {
	if q.Why.Blank() {
		d.Add(q.Line, "check %s has no why: what the learner reads with the answer", q.ID)
	}
}
