package quiz

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Reply is what a learner answers: Picks for choice (one), multi (any number)
// and order (all items, in the learner's order), by their place among what is
// shown, from 0; Text for number; nothing for script, whose answer is the state
// of the instance's cluster.
type Reply struct {
	Picks []int
	Text  string
}

// Result says how a reply was, and teaches.
type Result struct {
	Right bool
	// Why is the explanation of the question itself, Said the one of what the
	// learner answered: of the option chosen, or of the near miss; either may
	// be empty.
	Why, Said string
	// Answer is what is right, in words.
	Answer string
	// Misconception is the belief behind a wrong reply, such as M-037, if it
	// has one.
	Misconception string
}

// ErrNoAnswer is a reply that is none: nothing picked, or no number. It counts
// neither as right nor as wrong.
var ErrNoAnswer = errors.New("no answer")

// Grade judges a reply.
func (in *Instance) Grade(r Reply) (Result, error) {
	switch in.Question.Kind {
	case Choice:
		return in.gradeChoice(r.Picks)
	case Multi:
		return in.gradeMulti(r.Picks)
	case Number:
		return in.gradeNumber(r.Text)
	case Order:
		return in.gradeOrder(r.Picks)
	default:
		return in.gradeScript()
	}
}

func (in *Instance) gradeChoice(picks []int) (Result, error) {
	if len(picks) != 1 || picks[0] < 0 || picks[0] >= len(in.Options) {
		return Result{}, fmt.Errorf("%w: pick one of the %d options", ErrNoAnswer, len(in.Options))
	}
	chosen := in.Options[picks[0]]
	return Result{
		Right: chosen.Right, Why: in.Why, Said: chosen.Why,
		Answer: in.rightOptions(), Misconception: chosen.Misconception,
	}, nil
}

// gradeMulti is right when all the right options are picked and no other. What
// is said is the explanation of the first option that went wrong.
func (in *Instance) gradeMulti(picks []int) (Result, error) {
	if len(picks) == 0 || slices.Min(picks) < 0 || slices.Max(picks) >= len(in.Options) {
		return Result{}, fmt.Errorf("%w: pick at least one of the %d options", ErrNoAnswer, len(in.Options))
	}
	result := Result{Right: true, Why: in.Why, Answer: in.rightOptions()}
	for i, o := range in.Options {
		if slices.Contains(picks, i) == o.Right {
			continue
		}
		if result.Right {
			result.Right, result.Said = false, o.Why
		}
		if result.Misconception == "" && !o.Right {
			result.Misconception = o.Misconception
		}
	}
	return result, nil
}

// rightOptions are the texts of what is right.
func (in *Instance) rightOptions() string {
	var texts []string
	for _, o := range in.Options {
		if o.Right {
			texts = append(texts, o.Text)
		}
	}
	return strings.Join(texts, "; ")
}

func (in *Instance) gradeNumber(typed string) (Result, error) {
	got, ok := ParseNumber(typed, in.Unit)
	if !ok {
		return Result{}, fmt.Errorf("%w: %q is no number (such as 57 840 or 57840)", ErrNoAnswer, strings.TrimSpace(typed))
	}
	right, _ := in.Number.Float()
	result := Result{Right: got == right, Why: in.Why, Answer: in.Number.String()}
	if in.Unit != "" {
		result.Answer += " " + in.Unit
	}
	if result.Right {
		return result, nil
	}
	for _, n := range in.Near {
		if miss, _ := n.Value.Float(); miss == got {
			result.Said, result.Misconception = n.Why, n.Misconception
		}
	}
	return result, nil
}

func (in *Instance) gradeOrder(picks []int) (Result, error) {
	sorted := slices.Sorted(slices.Values(picks))
	for i := range in.Items {
		if len(picks) != len(in.Items) || sorted[i] != i {
			return Result{}, fmt.Errorf("%w: put all %d items in order", ErrNoAnswer, len(in.Items))
		}
	}
	inOrder := make([]string, len(in.Items))
	result := Result{Right: true, Why: in.Why}
	for place, shown := range picks {
		result.Right = result.Right && in.places[shown] == place
		inOrder[in.places[shown]] = in.Items[shown]
	}
	result.Answer = strings.Join(inOrder, "; ")
	return result, nil
}

// gradeScript looks at the cluster that the learner acted on.
func (in *Instance) gradeScript() (Result, error) {
	held, got, err := in.Session.Holds(in.goal)
	if err != nil {
		return Result{}, fmt.Errorf("check %s: goal: %w", in.Question.ID, err)
	}
	result := Result{Right: held, Why: in.Why, Answer: in.goal}
	if !held {
		result.Said = "not yet: " + in.goal + ", got " + got
	}
	return result, nil
}
