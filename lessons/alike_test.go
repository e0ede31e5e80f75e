package lessons

import (
	"strings"
	"testing"
)

// twoLessons is the course of the tests with a second lesson, lso, that has the
// checks of the first under other names.
func twoLessons(t *testing.T, more string) (*Course, []Finding) {
	t.Helper()
	files := course()
	replace(t, files, "course.yaml", "      - hw\n", "      - hw\n      - lso\n"+more)
	text := strings.ReplaceAll(string(files["lessons/hw.md"].Data), "```check hw-", "```check lso-")
	files["lessons/lso.md"] = file(strings.Replace(text, "id: hw", "id: lso", 1))
	return LoadCourse(files)
}

func TestAlike(t *testing.T) {
	c, findings := twoLessons(t, "alike:\n  - high watermark: [hw]\n    last stable offset: [lso, hw-3]\n")
	if len(findings) > 0 {
		t.Fatal(texts(findings))
	}
	for _, pair := range []struct {
		a, b, want string
	}{
		{"hw-1", "lso-1", "high watermark, last stable offset"},
		{"lso-2", "hw-1", "last stable offset, high watermark"},
		{"hw-1", "hw-2", ""},
		{"hw-1", "hw-3", "high watermark, last stable offset"}, // said of the check itself
		{"hw-3", "lso-1", ""},
	} {
		a, _ := c.Check(pair.a)
		b, _ := c.Check(pair.b)
		one, other, ok := c.LookAlikes(a, b)
		if got := strings.Trim(one+", "+other, ", "); got != pair.want || ok != (pair.want != "") {
			t.Errorf("%s and %s: %q, want %q", pair.a, pair.b, got, pair.want)
		}
	}
}

func TestAlikeRefuses(t *testing.T) {
	for more, want := range map[string]string{
		"alike:\n  - high watermark: [hw]\n":  "course.yaml:9: alike: \"high watermark\" alone",
		"alike:\n  - a: [hw]\n    b: [lsp]\n": "course.yaml:10: alike, b: unknown lesson or check \"lsp\"",
		"alike: hw\n":                         "course.yaml:8: alike must be a list",
		"alike:\n  - hw\n":                    "course.yaml:9: alike must be fields",
		"alike:\n  - a: hw\n    b: {c: d}\n":  "course.yaml:",
		"alike:\n  - a:\n    b: [hw]\n":       "course.yaml:9: a must be a list",
	} {
		c, findings := twoLessons(t, more)
		got := strings.Join(texts(findings), "\n")
		if !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", more, got, want)
		}
		if c == nil {
			t.Error("no course")
		}
	}
}

func TestMisconceptionsFile(t *testing.T) {
	files := course()
	files["misconceptions.txt"] = file("# a comment\nM-001\tA belief\nM-002\tAnother one\tWhat is so: more than that.\nM-003\t\nM-004\ta\tb\tc\nM-002\tTwice\nM-42\tx\n")
	c, findings := LoadCourse(files)
	if got := c.Misconceptions["M-001"]; got != (Misconception{Belief: "A belief"}) {
		t.Errorf("%+v", got)
	}
	if got := c.Misconceptions["M-002"]; got != (Misconception{"Another one", "What is so: more than that."}) {
		t.Errorf("%+v", got)
	}
	all := strings.Join(texts(findings), "\n")
	for _, want := range []string{"misconceptions.txt:4", "misconceptions.txt:5", "misconceptions.txt:6: M-002 stands twice", "misconceptions.txt:7"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not found in:\n%s", want, all)
		}
	}
}
