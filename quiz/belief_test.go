package quiz

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"kafkalab/quiz/progress"
	"kafkalab/quiz/source"
)

// aboutM makes a question that shows a misconception.
func aboutM(id, misconception string, varies bool) *Question {
	q := &Question{ID: id, Lesson: "l", Options: []Option{{}, {Misconception: source.Text{Value: misconception, Line: 1}}}}
	if varies {
		q.Vary = Vary{spread("n", 1, 9)}
	}
	return q
}

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// told is a progress of answers such as `c n=4 M-001`, `c n=4 right`, one a
// minute; a line `day` goes on to the next day.
func told(lines ...string) *progress.Progress {
	p := &progress.Progress{Checks: map[string]progress.Check{}}
	at := noon
	for _, line := range lines {
		if line == "day" {
			at = at.AddDate(0, 0, 1)
			continue
		}
		at = at.Add(time.Minute)
		words := strings.Fields(line)
		a := progress.Answer{Time: at, Instance: strings.Trim(words[1], "-")}
		if a.Right = words[2] == "right"; !a.Right && words[2] != "wrong" {
			a.Misconception = words[2]
		}
		c := p.Checks[words[0]]
		c.Lesson, c.Answers = "l", append(c.Answers, a)
		p.Checks[words[0]] = c
	}
	return p
}

func TestBeliefs(t *testing.T) {
	varied, other := aboutM("v", "M-001", true), aboutM("o", "M-001", false)
	lone, elsewhere := aboutM("x", "M-002", false), aboutM("z", "M-003", true)
	all := []*Question{varied, other, lone, elsewhere}
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"none", []string{"v n=1 right", "v n=2 wrong"}, ""},
		{"a miss", []string{"v n=1 M-001"}, "M-001 x1 open"},
		{"twice, at two checks", []string{"v n=1 M-001", "o - M-001"}, "M-001 x2 open"},
		{"the same numbers prove nothing", []string{"v n=1 M-001", "v n=1 right"}, "M-001 x1 open"},
		{"other numbers repair", []string{"v n=1 M-001", "v n=2 right"}, "M-001 x1 by v"},
		{"another check repairs", []string{"v n=1 M-001", "o - right"}, "M-001 x1 by o"},
		{"a check on something else does not", []string{"v n=1 M-001", "z n=2 right", "x - right"}, "M-001 x1 open"},
		{"what was right before does not", []string{"o - right", "v n=1 M-001"}, "M-001 x1 open"},
		{"the first proof counts", []string{"v n=1 M-001", "o - right", "v n=3 right"}, "M-001 x1 by o"},
		{"an instance missed earlier is no proof", []string{"v n=1 M-001", "v n=2 M-001", "v n=1 right"}, "M-001 x2 open"},
		{"nor on a later day, while there are others", []string{"v n=1 M-001", "day", "v n=1 right"}, "M-001 x1 open"},
		{"a miss opens it again", []string{"v n=1 M-001", "o - right", "v n=3 M-001"}, "M-001 x2 open"},
		{"a wrong answer of another kind does not", []string{"v n=1 M-001", "o - right", "v n=3 wrong"}, "M-001 x1 by o"},
		{"nothing else to ask: not at once", []string{"x - M-002", "x - right"}, "M-002 x1 open"},
		{"but on a later day", []string{"x - M-002", "x - right", "day", "x - right"}, "M-002 x1 by x"},
		{"open ones first, then by misses", []string{"v n=1 M-001", "z n=1 M-003", "z n=2 M-003", "x - M-002", "o - right"}, "M-003 x2 open, M-002 x1 open, M-001 x1 by o"},
		{"a check that the course has lost", []string{"gone - M-009"}, "M-009 x1 open"},
	} {
		var got []string
		for _, b := range Beliefs(all, told(c.lines...)) {
			state := "open"
			if !b.Open() {
				state = "by " + b.By
			}
			got = append(got, fmt.Sprintf("%s x%d %s", b.ID, len(b.Misses), state))
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s: %s, want %s", c.name, text, c.want)
		}
	}
}

func TestMisconceptionsOfAQuestion(t *testing.T) {
	q := parse(t, choiceCheck)
	named := q.Misconceptions()
	if len(named) == 0 {
		t.Fatal("the check of the tests names none")
	}
	if got := About(named[0], []*Question{aboutM("a", "M-001", false), q}); len(got) != 1 || got[0] != q {
		t.Errorf("%v", got)
	}
}
