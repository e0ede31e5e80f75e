package screen

import (
	"regexp"
	"slices"

	"kafkalab/lessons"
)

// The step that shows what a check asks is found by what both read off the
// engine: an expression ends in what it measures, such as scanned or hw.

var measured = regexp.MustCompile(`\.([a-z_]+)(?:\([^()]*\))?(?:$|[^.a-z_(])`)

// measures are the ends of the paths in some expressions.
func measures(exprs ...string) []string {
	var list []string
	for _, e := range exprs {
		for _, m := range measured.FindAllStringSubmatch(e+" ", -1) {
			if !slices.Contains(list, m[1]) {
				list = append(list, m[1])
			}
		}
	}
	return list
}

// step is the number of the step that shows what the check is about, 0 when
// none clearly does.
func (it *item) step() int {
	wanted := measures(append(optionExprs(it.q), it.q.Answer.Value, it.q.Goal.Value)...)
	best, number := 0, 0
	for _, s := range it.lesson.Steps {
		if score := shared(wanted, stepMeasures(s)); score > best {
			best, number = score, s.Number
		}
	}
	return number
}

func stepMeasures(s *lessons.Step) []string {
	var exprs []string
	for _, a := range s.Answers {
		exprs = append(exprs, a.Value)
	}
	for _, w := range s.Choose {
		exprs = append(exprs, w.Expr.Value)
	}
	return measures(exprs...)
}

// shared counts what two lists have in common.
func shared(a, b []string) int {
	n := 0
	for _, x := range a {
		if slices.Contains(b, x) {
			n++
		}
	}
	return n
}
