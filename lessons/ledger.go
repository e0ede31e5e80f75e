package lessons

import (
	"strings"

	"kafkalab/quiz"
	"kafkalab/quiz/progress"
)

// Entry is one line of a lesson's ledger: what the learner expected of a step,
// and what happened. The first prediction of a step counts; once it was
// revealed, a second one is no prediction.
type Entry struct {
	Step     int // from 1
	Title    string
	Expected string // as it was typed
	Happened string // what the engine says, with its unit; empty until the step was revealed
	Right    bool
	Skipped  bool // a mark of its own, never a pass
	done     bool // predicted or skipped, and revealed: it stands
}

// Open tells whether the step has still to be predicted and revealed.
func (e Entry) Open() bool { return !e.done }

// Ledger are the entries of the steps that ask for a prediction, in order.
func (c *Cursor) Ledger() []Entry {
	var list []Entry
	for i, step := range c.lesson.Steps {
		if step.Asks() {
			list = append(list, c.ledger[i])
		}
	}
	return list
}

// Entry is the ledger's line of the step the cursor stands in.
func (c *Cursor) Entry() Entry {
	if c.Step() == nil {
		return Entry{}
	}
	return c.ledger[c.at]
}

// Remember takes up entries of an earlier run of the lesson.
func (c *Cursor) Remember(entries ...Entry) {
	for _, e := range entries {
		if e.Step >= 1 && e.Step <= len(c.ledger) {
			e.Title, e.done = c.ledger[e.Step-1].Title, true
			c.ledger[e.Step-1] = e
		}
	}
}

// Predictions are what a learner has predicted in a lesson before, for Remember:
// the first of each step.
func Predictions(p *progress.Progress, lesson string) []Entry {
	var entries []Entry
	seen := map[int]bool{}
	for _, e := range p.Lessons[lesson].Predictions {
		if !seen[e.Step] {
			seen[e.Step] = true
			entries = append(entries, Entry{Step: e.Step, Expected: e.Expected, Happened: e.Happened, Right: e.Right, Skipped: e.Skipped})
		}
	}
	return entries
}

// expect notes a prediction, or none for "", unless one stands already.
func (c *Cursor) expect(typed string) {
	e := &c.ledger[c.at]
	if e.done {
		return
	}
	e.Expected, e.Skipped, e.Right = typed, typed == "", false
}

// happen notes what the engine says after the step.
func (c *Cursor) happen(step *Step) error {
	e := &c.ledger[c.at]
	if !step.Asks() {
		return nil
	}
	happened, right, err := c.answer(step, e.Expected)
	if err != nil {
		return err
	}
	e.Happened = happened
	if !e.done && (e.Expected != "" || e.Skipped) {
		e.done = true
		e.Right = !e.Skipped && right
	}
	return nil
}

// answer is what happened, in words, and whether a prediction said so.
func (c *Cursor) answer(step *Step, expected string) (happened string, right bool, err error) {
	if len(step.Choose) > 0 {
		return c.chosen(step, expected)
	}
	for i, expr := range step.Answers {
		v, err := c.session.Eval(expr.Value)
		if err != nil {
			return "", false, err
		}
		if i == 0 {
			happened = withUnit(v.String(), step.Unit)
		}
		right = right || quiz.Match(v, expected, step.Unit)
	}
	return happened, right, nil
}

// chosen is the word whose expression holds.
func (c *Cursor) chosen(step *Step, expected string) (happened string, right bool, err error) {
	for _, w := range step.Choose {
		held, _, err := c.session.Holds(w.Expr.Value)
		if err != nil {
			return "", false, err
		}
		if held {
			return w.Word.Value, strings.EqualFold(step.Complete(expected), w.Word.Value), nil
		}
	}
	return "none of these", false, nil
}

// Complete is the word that the beginning of one stands for, if only one of the
// step's begins so; else what was typed.
func (s *Step) Complete(typed string) string {
	typed = strings.TrimSpace(typed)
	found := ""
	for _, w := range s.Choose {
		switch {
		case strings.EqualFold(w.Word.Value, typed):
			return w.Word.Value
		case typed == "" || len(typed) > len(w.Word.Value) || !strings.EqualFold(w.Word.Value[:len(typed)], typed):
		case found != "":
			return typed
		default:
			found = w.Word.Value
		}
	}
	if found == "" {
		return typed
	}
	return found
}

// withUnit puts a unit where people say it: 12 ms, but broker-2.
func withUnit(value, unit string) string {
	switch {
	case unit == "":
		return value
	case unit == "broker" || unit == "controller":
		return unit + "-" + value
	}
	return value + " " + unit
}
