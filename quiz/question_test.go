package quiz

import (
	"strings"
	"testing"
)

// checkWith is a number check that is right, with one more line.
func checkWith(line string) string {
	return "kind: number\ngiven: |\n  topic create t\n  produce t count=4\nask: What is it?\nanswer: t/0.leo\nwhy: So.\n" + line + "\n"
}

const choiceCheck = `kind: choice
ask: What does a consumer see?
source: Partition#maybeIncrementLeaderHW
options:
  - text: the record
    why: It is below the log end offset, not below the high watermark.
    misconception: M-042
  - text: nothing yet
    right: true
    why: The high watermark has not moved.
`

func TestParseChoice(t *testing.T) {
	q, findings := Parse("lessons/isr.md", 100, "isr-1", "isr", choiceCheck)
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	if q.Kind != Choice || q.Lesson != "isr" || len(q.Options) != 2 {
		t.Fatalf("got %+v", q)
	}
	if o := q.Options[0]; o.Misconception.Value != "M-042" || o.Text.Line != 104 || o.Line != 104 {
		t.Errorf("option 1: %+v", o)
	}
	if !q.Options[1].Right {
		t.Error("option 2 is not right")
	}
}

func TestParseFindings(t *testing.T) {
	for _, c := range []struct {
		name, yaml string
		want       []string // parts of the findings, in order
	}{
		{"unknown field", checkWith("anser: 3"), []string{`x.md:17: check c-1: unknown field "anser", did you mean "answer"?`}},
		{"no kind", "ask: What?\n", []string{"has no kind (allowed: choice, multi, number, order, script)"}},
		{"unknown kind", "kind: chioce\nask: What?\n", []string{`x.md:10: check c-1: unknown kind "chioce", did you mean "choice"?`}},
		{"all at once", "kind: number\n", []string{"has no ask", "neither case, given nor source", "has no answer", "has no given", "has no why"}},
		{"typed in", strings.Replace(checkWith(""), "t/0.leo", "4", 1), []string{"x.md:15: check c-1: the answer is typed in"}},
		{"other kind's", checkWith("items: [a, b, c]"), []string{"a number has no items"}},
		{"two right", strings.Replace(choiceCheck, "    misconception: M-042\n", "    right: true\n", 1), []string{"has 2 right options"}},
		{"none right", strings.Replace(choiceCheck, "    right: true\n", "", 1), []string{"has 0 right options"}},
		{"no why", strings.Replace(choiceCheck, "    why: The high watermark has not moved.\n", "", 1), []string{"x.md:17: check c-1: option 2 has no why"}},
		{"bad misconception", strings.Replace(choiceCheck, "M-042", "M-42", 1), []string{`"M-42" is no misconception (allowed: M- and three digits)`}},
		{"case without shows", choiceCheck + "case: |\n  topic create t\n", []string{"option 1 has no shows", "option 2 has no shows"}},
		{"not the lesson", choiceCheck + "lesson: other\n", []string{`lesson "other" is not the lesson it stands in (allowed: isr)`}},
		{"near without words", checkWith("near: {t/0.hw: ''}"), []string{"needs an explanation"}},
		{"twice", checkWith("why: Twice."), []string{"already defined"}},
		{"shown nothing", choiceCheck + "shown: true\n", []string{"shown needs a given"}},
		{"vary nothing", choiceCheck + "vary: {n: 1..3}\n", []string{"varies, but runs nothing"}},
		{"a list", "- a\n", []string{"must be fields"}},
		{"colon", "kind: choice\nask: this: that\n", []string{`a text with ": " in it needs quotes`}},
		{"brace", "kind: choice\nask: {t/0.hw} is what\n", []string{"begins with { or [ needs quotes"}},
		{"tab", "kind: choice\n\task: x\n", []string{"indented with spaces"}},
		{"anchor", "kind: &a choice\n", []string{"begins with & or *"}},
		{"empty", "", []string{"is empty"}},
		{"null", "kind: choice\nask:\n", []string{"ask has no value"}},
		{"two documents", "kind: choice\n---\nask: x\n", []string{"second YAML document"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, findings := Parse("x.md", 10, "c-1", "isr", c.yaml)
			var all []string
			for _, f := range findings {
				all = append(all, f.String())
			}
			text := strings.Join(all, "\n")
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("no %q in:\n%s", want, text)
				}
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{choiceCheck, checkWith("near: {t/0.hw: x}"), "kind: [", "options:\n- {", "? :", "a: &b *b", "near: {1: {why: x}}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, yaml string) {
		q, findings := Parse("x.md", 10, "c-1", "isr", yaml)
		if q == nil && len(findings) == 0 {
			t.Error("no question, and nothing to say about it")
		}
		for _, x := range findings {
			if x.Line < 1 || x.Text == "" {
				t.Errorf("finding without a place: %v", x)
			}
		}
	})
}
