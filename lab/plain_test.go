package lab

import (
	"errors"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"kafkalab/assets"
	"kafkalab/lab/kit/cell"
	"kafkalab/lessons"
	"kafkalab/quiz/progress"
)

// converse runs the plain lab on some lines of input.
func converse(t *testing.T, o Options, lines ...string) string {
	t.Helper()
	var out strings.Builder
	if err := Plain(strings.NewReader(strings.Join(lines, "\n")+"\n"), &out, o); err != nil {
		t.Fatal(err)
	}
	for _, r := range out.String() {
		if r < ' ' && r != '\n' {
			t.Fatalf("control character %q", r)
		}
	}
	return out.String()
}

func plainOptions(t *testing.T, c *lessons.Course) Options {
	t.Helper()
	l := open(t, 80, 24)
	store, _ := progress.Open(afero.NewMemMapFs(), progressFile, c.Version, l.app.env.Now)
	return Options{Course: c, Store: store, Now: l.app.env.Now, Seed: 1}
}

// sees fails unless all texts come in this order.
func inOrder(t *testing.T, out string, texts ...string) {
	t.Helper()
	rest := out
	for _, want := range texts {
		_, after, ok := strings.Cut(rest, want)
		if !ok {
			t.Fatalf("%q is missing, or not in order:\n%s", want, out)
		}
		rest = after
	}
}

func TestPlain(t *testing.T) {
	o := plainOptions(t, testCourse(t))
	out := converse(t, o, "apends", "appends", "next", "", "4", "next", "b", "next", "back", "back", "skip", "next", "skip", "", "next",
		"run produce orders count=2", "run prodce", "next", "zz", "home", "quit")
	inOrder(t, out,
		"A small course", "1  Appends move the log end (appends)", `did you mean appends?`, "A producer appends", "Step 1 of 4: Three records",
		"What is the log end offset now?", "What do you think?", "$ produce orders count=2 value=a", "you    4", "Kafka  3",
		"00000000000000000000.log", "Step 2 of 4", "a  an error", "b  nothing", "you    nothing", "Kafka  an error",
		"Step 3 of 4", "your answer", "Step 2 of 4", "Step 4 of 4", "Live", "Goal: Bring", "The goal is reached.", "did you mean produce?",
		"Check 1 of 5", "letters from a to d are allowed")
	p := o.Store.Snapshot()
	if got := p.Lessons["appends"].Predictions; len(got) < 2 || got[0].Expected != "4" || got[1].Expected != "nothing" {
		t.Errorf("%+v", got)
	}
	if !p.LiveReached("appends") {
		t.Error("the goal is not kept")
	}
}

func TestPlainChecks(t *testing.T) {
	o := plainOptions(t, testCourse(t))
	start := []string{"1", "next", "skip", "", "skip", "", "skip", "", "", "next"}
	out := converse(t, o, append(start, "a", "99", "a b", "a b c", "run nonsense", "done", "skip")...)
	inOrder(t, out, "Check 1 of 5", "source: LocalLog#logEndOffset", "Check 2 of 5", "No. It is: ", "Check 3 of 5", "Check 4 of 5", "Check 5 of 5", "no command")
	if n := len(o.Store.Snapshot().Checks); n < 4 {
		t.Errorf("%d checks are kept", n)
	}
}

func TestPlainStart(t *testing.T) {
	o := plainOptions(t, testCourse(t))
	o.Start = Start{"appends", 3}
	inOrder(t, converse(t, o, "broker-1", "quit"), "Step 3 of 4: A name", "you    broker-1 (right)", "Kafka  broker-1")
	o.Start = Start{"appends", 9}
	if err := Plain(strings.NewReader(""), &strings.Builder{}, o); err == nil || !strings.Contains(err.Error(), "has no step 9") {
		t.Error(err)
	}
	o.Start = Start{"apends", 0}
	if err := Plain(strings.NewReader(""), &strings.Builder{}, o); err == nil || !strings.Contains(err.Error(), "did you mean appends?") {
		t.Error(err)
	}
}

// All lessons of the built-in course can be gone through in lines, and no line
// is longer than a narrow terminal, but for what Kafka's tools print.
func TestPlainOnTheCourse(t *testing.T) {
	course, findings := lessons.LoadCourse(assets.Course())
	if len(findings) > 0 {
		t.Skip("the course has findings, which its own test tells")
	}
	for _, l := range course.Lessons() {
		lines := []string{l.ID, "next"}
		for range l.Steps {
			lines = append(lines, "skip", "")
		}
		lines = append(lines, "next")
		for range l.Checks {
			lines = append(lines, "skip")
		}
		out := converse(t, plainOptions(t, course), append(lines, "quit")...)
		inOrder(t, out, l.Title, "Check 1 of", "checks cleared.")
		for line := range strings.Lines(out) {
			if cell.Width(strings.TrimRight(line, "\n")) > 200 {
				t.Errorf("%s: %q", l.ID, line)
			}
		}
	}
}

func TestPlainDrill(t *testing.T) {
	o := plainOptions(t, testCourse(t))
	o.ASCII = true
	out := converse(t, o, "word hw", "word zz", "drill", "drill slow-follower", "hint", "hint", "hint", "fix it", "run nonsense", "run resume broker-2", "run tick 1m", "quit")
	inOrder(t, out, "high watermark", "see also log end offset", "is not in the glossary", "drill needs one of: slow-follower", "Drill: Writes are refused",
		"$ produce orders value=order", "error REQUEST_TIMED_OUT", "hint (2 left)", "Which replicas", "does not fetch", "That was the last one.", "hint gives a hint",
		"no command", "Repaired. actions 1, hints 2, 1:00.000 after the alert", "orders/0 ends at", "shortest repair known, actions 1:", "$ resume broker-2")
	for _, r := range out {
		if r > '~' {
			t.Fatalf("%q is no ASCII", r)
		}
	}
}

// A reader that is gone ends the lab.
func TestPlainWithoutAReader(t *testing.T) {
	o := plainOptions(t, testCourse(t))
	if err := Plain(strings.NewReader("1\n\n\n"), gone{}, o); err != nil {
		t.Error(err)
	}
}

type gone struct{}

func (gone) Write([]byte) (int, error) { return 0, errors.New("gone") }
