package quiz

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
)

// options makes the answers of a choice, and shuffles them.
func (in *Instance) options(r *rand.Rand) error {
	right := 0
	var found []string
	for i, o := range in.Question.Options {
		a, got, err := in.option(o)
		if err != nil {
			return fmt.Errorf("option %d: %w", i+1, err)
		}
		if a.Right {
			right++
		}
		if got != "" {
			found = append(found, fmt.Sprintf("option %d: %s", i+1, got))
		}
		in.Options = append(in.Options, a)
	}
	if kind := in.Question.Kind; kind == Choice && right != 1 || kind == Multi && right == 0 {
		return fmt.Errorf("%d options are right. %s", right, strings.Join(found, "; "))
	}
	if r != nil {
		r.Shuffle(len(in.Options), func(i, j int) {
			in.Options[i], in.Options[j] = in.Options[j], in.Options[i]
		})
	}
	return nil
}

// option is one answer. Whether it is right, the engine says, where it can: that
// it agrees with the author is Verify's business. Got is what it found.
func (in *Instance) option(o Option) (a Answer, got string, err error) {
	a = Answer{Right: o.Right, Misconception: o.Misconception.Value}
	var errText, errWhy, errShows error
	a.Text, errText = in.text(o.Text)
	a.Why, errWhy = in.text(o.Why)
	if o.Shows.Given() && in.Session != nil {
		shows := in.Values.Fill(o.Shows.Value)
		a.Right, got, errShows = in.Session.Holds(shows)
		if a.Right {
			got = shows + " holds"
		} else {
			got = shows + ", got " + got
		}
	}
	if a.Right {
		a.Misconception = ""
	}
	return a, got, errors.Join(errText, errWhy, errShows)
}
