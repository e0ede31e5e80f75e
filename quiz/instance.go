package quiz

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"kafkalab/engine"
	"kafkalab/quiz/source"
)

// Instance is a question as it is asked once: its numbers drawn, its scripts
// run, its answers computed by the engine, its options in the order they are
// shown.
type Instance struct {
	Question *Question
	Values   Values // String() of it goes into the progress file

	Ask   string
	Why   string
	Given string // the script that was run, for a question that shows it
	Case  string // the script that `v run it` plays, after Given

	Options []Answer // choice, multi; as shown
	Items   []string // order; as shown
	places  []int    // the place that each shown item has in the right order, from 0

	Number engine.Value // number: what is right
	Unit   string
	Near   []NearMiss

	// Session is the cluster after Given and Case have run: where the learner
	// acts for a script, and looks around after any other. It is nil for a
	// question that runs nothing.
	Session Session
	goal    string
}

// Answer is one option of an instance.
type Answer struct {
	Text          string
	Why           string
	Right         bool
	Misconception string
}

// NearMiss is one wrong number of an instance that has an explanation.
type NearMiss struct {
	Value         engine.Value
	Why           string
	Misconception string
}

// Instance asks the question once, with these values. The source r shuffles
// what is shown; nil leaves it in the order of the course file. An error means
// that the course is wrong: a script that cannot be read or whose expectation
// failed, an answer that cannot be computed, options of which not one is right.
func (q *Question) Instance(values Values, r *rand.Rand, open Open) (*Instance, error) {
	in := &Instance{
		Question: q, Values: values,
		Given: values.Fill(q.Given.Value), Case: values.Fill(q.Case.Value),
		goal: values.Fill(q.Goal.Value),
	}
	if err := in.run(open); err != nil {
		return nil, fmt.Errorf("check %s: %w", q.ID, err)
	}
	for _, part := range []func(*rand.Rand) error{in.texts, in.options, in.number, in.order} {
		if err := part(r); err != nil {
			return nil, fmt.Errorf("check %s: %w", q.ID, err)
		}
	}
	return in, nil
}

// run plays Given and Case on a fresh cluster.
func (in *Instance) run(open Open) error {
	if !in.Question.Scripted() {
		return nil
	}
	in.Session = open()
	for _, part := range []struct{ name, script string }{{"given", in.Given}, {"case", in.Case}} {
		if strings.TrimSpace(part.script) == "" {
			continue
		}
		outputs, err := in.Session.Run(part.script)
		if err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
		for _, o := range outputs {
			if o.Failed != "" {
				return fmt.Errorf("%s: %s", part.name, o.Failed)
			}
		}
	}
	return nil
}

// text fills a text in: first the values of the instance, then what the engine
// says.
func (in *Instance) text(t source.Text) (string, error) {
	filled := in.Values.Fill(t.Value)
	if in.Session == nil || !strings.Contains(filled, "{") {
		return strings.TrimSpace(source.Unbrace(filled)), nil
	}
	said, err := in.Session.Interpolate(filled)
	return strings.TrimSpace(said), err
}

func (in *Instance) texts(*rand.Rand) (err error) {
	q := in.Question
	if in.Ask, err = in.text(q.Ask); err != nil {
		return fmt.Errorf("ask: %w", err)
	}
	if in.Why, err = in.text(q.Why); err != nil {
		return fmt.Errorf("why: %w", err)
	}
	in.Unit, err = in.text(q.Unit)
	return err
}

func (in *Instance) number(*rand.Rand) error {
	q := in.Question
	if q.Kind != Number {
		return nil
	}
	if in.Session == nil {
		return errors.New("a number is computed by running a script, and there is none")
	}
	answer, err := in.Session.Eval(in.Values.Fill(q.Answer.Value))
	if err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	if _, ok := answer.Float(); !ok {
		return fmt.Errorf("answer: %s is %s, no number", q.Answer.Value, answer)
	}
	in.Number = answer
	for _, n := range q.Near {
		if err := in.nearMiss(n); err != nil {
			return fmt.Errorf("near: %w", err)
		}
	}
	return nil
}

// nearMiss computes one wrong answer. With these numbers it may happen to be
// right, or be the same as one before it, or not be there at all: then this
// instance does without it.
func (in *Instance) nearMiss(n Near) error {
	v, err := in.eval(in.Values.Fill(n.Expr.Value))
	if err != nil {
		return err
	}
	f, isNumber := v.Float()
	right, _ := in.Number.Float()
	if !isNumber || f == right {
		return nil
	}
	for _, before := range in.Near {
		if b, _ := before.Value.Float(); b == f {
			return nil
		}
	}
	why, err := in.text(n.Why)
	if err != nil {
		return err
	}
	in.Near = append(in.Near, NearMiss{Value: v, Why: why, Misconception: n.Misconception.Value})
	return nil
}

// eval computes an expression; a number stands for itself.
func (in *Instance) eval(expr string) (engine.Value, error) {
	if _, ok := literal(expr); ok {
		return engine.Word(strings.TrimSpace(expr)), nil
	}
	return in.Session.Eval(expr)
}

func (in *Instance) order(r *rand.Rand) error {
	for i, t := range in.Question.Items {
		item, err := in.text(t)
		if err != nil {
			return fmt.Errorf("item %d: %w", i+1, err)
		}
		in.Items = append(in.Items, item)
		in.places = append(in.places, i)
	}
	if r != nil {
		r.Shuffle(len(in.Items), in.swapItems)
	}
	return nil
}

func (in *Instance) swapItems(i, j int) {
	in.Items[i], in.Items[j] = in.Items[j], in.Items[i]
	in.places[i], in.places[j] = in.places[j], in.places[i]
}
