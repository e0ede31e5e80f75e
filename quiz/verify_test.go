package quiz

import (
	"strings"
	"testing"
)

func TestVerifyFindsNothingInGoodChecks(t *testing.T) {
	good := strings.Replace(hwCheck, "  \"{n}\": Right by itself, so it drops out.\n", "", 1)
	for _, yaml := range []string{good, seenCheck, choiceCheck} {
		if findings := parse(t, yaml).Verify(fake); len(findings) > 0 {
			t.Error(findings)
		}
	}
}

func TestVerifyFindings(t *testing.T) {
	replace := func(yaml, old, new string) string {
		if !strings.Contains(yaml, old) {
			t.Fatalf("no %q in the check", old)
		}
		return strings.Replace(yaml, old, new, 1)
	}
	for _, c := range []struct{ name, yaml, want string }{
		{"near is right", hwCheck, "x.md:23: check c-1 with n=3,s=1: near 3 is 3, the same as the right answer"},
		{"near is none", replace(hwCheck, `"{n}"`, "u/0.hw"), "near u/0.hw is none"},
		{"marked right, does not hold", replace(seenCheck, "shows: t/0.hw == 0", "shows: t/0.hw == 7"), "0 options are right"},
		{"another one holds", replace(replace(seenCheck, "t/0.hw == {n}", "t/0.hw == 0"), "shows: t/0.hw == 0\n    right", "shows: t/0.hw == 7\n    right"),
			"x.md:18: check c-1 with n=1: option 1 is marked right=false, but t/0.hw == 0 holds"},
		{"no engine", replace(choiceCheck, "text: the record", "text: '{t/0.hw} records'"), "x.md:14: check c-1: {t/0.hw} has no engine to ask"},
		{"open brace", replace(choiceCheck, "text: the record", "text: 'a { b'"), "a brace without its pair"},
		{"empty braces", replace(choiceCheck, "text: the record", "text: 'a {} b'"), `{} has no engine to ask`},
	} {
		t.Run(c.name, func(t *testing.T) {
			q, findings := Parse("x.md", 10, "c-1", "isr", c.yaml)
			if len(findings) > 0 {
				t.Fatal(findings)
			}
			var all []string
			for _, f := range q.Verify(fake) {
				all = append(all, f.String())
			}
			if text := strings.Join(all, "\n"); !strings.Contains(text, c.want) {
				t.Errorf("no %q in:\n%s", c.want, text)
			}
		})
	}
}

func TestVerifyScript(t *testing.T) {
	yaml := `kind: script
given: |
  topic create t
ask: Write two records.
goal: GOAL
solution: |
  produce t count=2
why: Each moves the LEO.
`
	for goal, want := range map[string]string{
		"t/0.leo == 2": "",
		"t/0.leo == 0": "the goal holds before anything was done",
		"t/0.leo == 3": "the goal does not hold after the solution: not yet: t/0.leo == 3, got 2",
	} {
		findings := parse(t, strings.Replace(yaml, "GOAL", goal, 1)).Verify(fake)
		var all []string
		for _, f := range findings {
			all = append(all, f.String())
		}
		if text := strings.Join(all, "\n"); want == "" && text != "" || !strings.Contains(text, want) {
			t.Errorf("%s: got %q, want %q", goal, text, want)
		}
	}
}

// The same checks on a real cluster: its answers are the ones that the tests
// count with.
func TestOnTheEngine(t *testing.T) {
	good := strings.Replace(hwCheck, "  \"{n}\": Right by itself, so it drops out.\n", "", 1)
	for _, yaml := range []string{good, seenCheck} {
		if findings := parse(t, yaml).Verify(Engine); len(findings) > 0 {
			t.Error(findings)
		}
	}
	q := parse(t, hwCheck)
	values, err := q.Vary.Parse("n=4,s=2")
	if err != nil {
		t.Fatal(err)
	}
	in, err := q.Instance(values, seeded(1), Engine)
	if err != nil {
		t.Fatal(err)
	}
	if in.Number.String() != "4" || in.Ask != "After 4 and 2 more records, the LEO is 6. What is the high watermark?" {
		t.Errorf("ask %q, answer %s", in.Ask, in.Number)
	}
	if got, err := in.Grade(Reply{Text: "6 records"}); err != nil || got.Right || got.Said != "That is the log end offset, 6." {
		t.Errorf("graded %+v, %v", got, err)
	}
}
