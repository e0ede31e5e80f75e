package lessons

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// at stands at the beginning of the test lesson, on a real cluster.
func at(t *testing.T) *Cursor {
	t.Helper()
	l, _ := load(t).Lesson("hw")
	c, err := NewCursor(l, Engine())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// eval reads a number off the cursor's cluster.
func eval(t *testing.T, c *Cursor, expr string) string {
	t.Helper()
	v, err := c.Session().Eval(expr)
	must(t, err)
	return v.String()
}

func TestCursorRunsALesson(t *testing.T) {
	c := at(t)
	if !strings.HasPrefix(c.Read(), "Three replicas, 0 records.") {
		t.Errorf("read %q", c.Read())
	}
	if c.Number() != 1 || c.Phase() != Asking || c.Question() != "What is the high watermark then?" || c.Say() != "" {
		t.Errorf("step %d %v: %q", c.Number(), c.Phase(), c.Question())
	}
	if err := c.Next(); !errors.Is(err, ErrNotNow) {
		t.Errorf("next while asking: %v", err)
	}
	if _, err := c.Play(); !errors.Is(err, ErrNotNow) {
		t.Errorf("play while asking: %v", err)
	}
	if err := c.Predict("  "); !errors.Is(err, ErrNoPrediction) {
		t.Errorf("nothing predicted: %v", err)
	}
	must(t, c.Predict("4 records"))
	if err := c.Predict("5"); !errors.Is(err, ErrNotNow) {
		t.Errorf("predicted twice: %v", err)
	}
	out, err := c.Play()
	must(t, err)
	if out.Command != "produce t count=4" || c.Phase() != Revealed || c.Say() != "It is 4, and the LEO 4." {
		t.Errorf("%v after %q: %q", c.Phase(), out.Command, c.Say())
	}
	if got := c.Entry(); !got.Right || got.Happened != "4 records" || got.Expected != "4 records" || got.Open() {
		t.Errorf("entry %+v", got)
	}

	must(t, c.Next())
	if c.Prose() != "The LEO is 4. Now two more, with acks=1." {
		t.Errorf("prose %q", c.Prose())
	}
	must(t, c.Predict("Y"))
	must(t, c.PlayAll())
	// What was read before the run keeps its number.
	if c.Prose() != "The LEO is 4. Now two more, with acks=1." || len(c.Played()) != 2 {
		t.Errorf("prose %q, played %d", c.Prose(), len(c.Played()))
	}
	if got := c.Entry(); got.Right || got.Happened != "no" {
		t.Errorf("entry %+v", got)
	}

	must(t, c.Next())
	if c.Phase() != Running || c.Finished() {
		t.Errorf("a step that asks nothing is %v", c.Phase())
	}
	if err := c.Skip(); !errors.Is(err, ErrNotNow) {
		t.Errorf("nothing to skip: %v", err)
	}
	must(t, c.PlayAll())
	if err := c.Next(); !errors.Is(err, ErrLast) || !c.Finished() {
		t.Errorf("behind the last step: %v", err)
	}
	want := []Entry{
		{Step: 1, Title: "All of them", Expected: "4 records", Happened: "4 records", Right: true},
		{Step: 2, Title: "Not yet", Expected: "Y", Happened: "no"},
	}
	if diff := cmp.Diff(want, c.Ledger(), cmpopts.IgnoreUnexported(Entry{})); diff != "" {
		t.Error(diff)
	}
}

func TestSkippedIsNeverAPass(t *testing.T) {
	c := at(t)
	must(t, c.Skip())
	must(t, c.PlayAll())
	must(t, c.Back())
	must(t, c.Predict("4"))
	must(t, c.PlayAll())
	if got := c.Entry(); !got.Skipped || got.Right || got.Expected != "" || got.Happened != "4 records" {
		t.Errorf("a skipped step that was predicted once it was known: %+v", got)
	}
}

// The way back is the engine's own: at each point the cluster is as it was the
// first time, and the way forward leads to the same again.
func TestBackAndForth(t *testing.T) {
	c := at(t)
	type point struct {
		step              int
		phase             Phase
		leo, hw           string
		prose, say, quest string
	}
	here := func() point {
		return point{c.Number(), c.Phase(), eval(t, c, "t/0.leo"), eval(t, c, "t/0.hw"), c.Prose(), c.Say(), c.Question()}
	}
	var seen []point
	forward := func() bool {
		if c.Phase() == Asking {
			must(t, c.Skip())
		}
		if c.Phase() == Running {
			must(t, c.PlayAll())
			return true
		}
		return c.Next() == nil
	}
	for more := true; more; more = forward() {
		seen = append(seen, here())
	}
	if len(seen) != 6 || seen[3].leo != "6" || seen[3].hw != "5" || seen[5].hw != "6" {
		t.Fatalf("the way: %+v", seen)
	}
	for i := len(seen) - 2; i >= 0; i-- {
		must(t, c.Back())
		if diff := cmp.Diff(seen[i], here(), cmp.AllowUnexported(point{})); diff != "" {
			t.Errorf("back at point %d: %s", i, diff)
		}
	}
	if err := c.Back(); !errors.Is(err, ErrFirst) {
		t.Errorf("before the first step: %v", err)
	}
	for i := range seen[1:] {
		forward()
		if diff := cmp.Diff(seen[i+1], here(), cmp.AllowUnexported(point{})); diff != "" {
			t.Errorf("forth again at point %d: %s", i+1, diff)
		}
	}
}

func TestBackInTheMiddleOfAStep(t *testing.T) {
	c := at(t)
	must(t, c.Goto(2))
	must(t, c.Predict("no"))
	if _, err := c.Play(); err != nil || eval(t, c, "t/0.leo") != "5" || c.Phase() != Running {
		t.Fatalf("one of two commands: %v, LEO %s", err, eval(t, c, "t/0.leo"))
	}
	must(t, c.Back())
	if c.Phase() != Asking || eval(t, c, "t/0.leo") != "4" {
		t.Errorf("%v, LEO %s", c.Phase(), eval(t, c, "t/0.leo"))
	}
	must(t, c.Predict("yes")) // nothing was revealed yet: this one counts
	must(t, c.PlayAll())
	if got := c.Entry(); got.Expected != "yes" || got.Right {
		t.Errorf("entry %+v", got)
	}
}

func TestReplay(t *testing.T) {
	c := at(t)
	if err := c.Replay(); !errors.Is(err, ErrNotNow) {
		t.Errorf("nothing to replay: %v", err)
	}
	must(t, c.Predict("7"))
	must(t, c.PlayAll())
	must(t, c.Replay())
	if c.Phase() != Running || eval(t, c, "t/0.leo") != "0" {
		t.Errorf("%v, LEO %s", c.Phase(), eval(t, c, "t/0.leo"))
	}
	must(t, c.PlayAll())
	if got := c.Entry(); got.Expected != "7" || got.Right || eval(t, c, "t/0.leo") != "4" {
		t.Errorf("entry %+v", got)
	}
}

func TestGoto(t *testing.T) {
	c := at(t)
	must(t, c.Goto(3))
	if c.Number() != 3 || c.Phase() != Running || eval(t, c, "t/0.leo") != "6" {
		t.Errorf("step %d %v, LEO %s", c.Number(), c.Phase(), eval(t, c, "t/0.leo"))
	}
	for _, e := range c.Ledger() {
		if !e.Open() || e.Skipped || e.Right {
			t.Errorf("passed by, and yet in the ledger: %+v", e)
		}
	}
	must(t, c.Goto(1))
	if c.Phase() != Asking || eval(t, c, "t/0.leo") != "0" {
		t.Errorf("%v, LEO %s", c.Phase(), eval(t, c, "t/0.leo"))
	}
	for _, n := range []int{0, 4, -1} {
		if err := c.Goto(n); err == nil || c.Number() != 1 {
			t.Errorf("went to step %d", n)
		}
	}
}

func TestRemember(t *testing.T) {
	c := at(t)
	c.Remember(Entry{Step: 1, Expected: "3", Happened: "4 records"}, Entry{Step: 9, Right: true})
	must(t, c.Predict("4"))
	must(t, c.PlayAll())
	if got := c.Entry(); got.Expected != "3" || got.Right || got.Title != "All of them" {
		t.Errorf("entry %+v", got)
	}
}

// The learner's own commands act on the cluster as it is; the lesson goes on
// from where the lesson was.
func TestOwnCommandsDoNotBendTheLesson(t *testing.T) {
	c := at(t)
	own := func() {
		t.Helper()
		out, err := c.Command("produce t count=100")
		if err != nil || out.Err != nil {
			t.Fatal(err, out.Err)
		}
	}
	own()
	must(t, c.Predict("4"))
	must(t, c.PlayAll())
	if got := c.Entry(); !got.Right {
		t.Errorf("entry %+v", got)
	}
	own()
	if eval(t, c, "t/0.leo") != "104" {
		t.Errorf("LEO %s", eval(t, c, "t/0.leo"))
	}
	must(t, c.Next())
	if eval(t, c, "t/0.leo") != "4" || c.Prose() != "The LEO is 4. Now two more, with acks=1." {
		t.Errorf("LEO %s, prose %q", eval(t, c, "t/0.leo"), c.Prose())
	}
	own()
	must(t, c.Back())
	if eval(t, c, "t/0.leo") != "4" || c.Say() != "It is 4, and the LEO 4." {
		t.Errorf("LEO %s, say %q", eval(t, c, "t/0.leo"), c.Say())
	}
	if _, err := c.Command("prodcue t"); err == nil {
		t.Error("a command that is none was run")
	}
}

func TestLiveGoal(t *testing.T) {
	c := at(t)
	must(t, c.Goto(3))
	must(t, c.PlayAll())
	prose, goal, err := c.LiveTexts()
	must(t, err)
	if prose != "Your turn: 6 records are committed." || goal != "Bring the high watermark to 9." {
		t.Errorf("%q, %q", prose, goal)
	}
	for i, want := range []bool{false, true, true} {
		if _, err := c.Command("produce t count=" + []string{"2", "1", "1"}[i]); err != nil {
			t.Fatal(err)
		}
		if c.Reached() != want {
			t.Errorf("after %d commands: reached is %v", i+1, c.Reached())
		}
	}
	if err := c.Look(); err != nil {
		t.Error(err)
	}
}

func TestComplete(t *testing.T) {
	l, _ := load(t).Lesson("hw")
	step := &Step{Choose: append(l.Steps[1].Choose, Word{Word: l.Steps[1].Predict.With("not at all")})}
	for typed, want := range map[string]string{"y": "yes", "YES": "yes", "n": "n", "No": "no", "not": "not at all", "": "", "maybe": "maybe", "yesyes": "yesyes"} {
		if got := step.Complete(typed); got != want {
			t.Errorf("Complete(%q) = %q, want %q", typed, got, want)
		}
	}
}

func TestCursorErrorsNameTheFile(t *testing.T) {
	for old, new := range map[string]string{
		"topic create t replicas=3":           "topic crate t",
		"Three replicas, {t/0.leo}":           "Three replicas, {t/0.lio}",
		"sends four records.":                 "sends {t/0.lio} records.",
		"  produce t count=4":                 "  prduce t count=4",
		"answer: t/0.hw\nunit":                "answer: t/0.hv\nunit",
		"say: It is {t/0.hw}, and":            "say: It is {t/0.hv}, and",
		"predict: What is the high":           "predict: What is {t/0.hv} the high",
		"  yes: t/0.hw == 6\n  no: t/0.hw ==": "  yes: t/0.hv == 6\n  no: t/0.hw ==",
	} {
		course := course()
		replace(t, course, "lessons/hw.md", old, new)
		all, findings := LoadCourse(course)
		if len(findings) > 0 {
			t.Fatal(texts(findings))
		}
		l, _ := all.Lesson("hw")
		c, err := NewCursor(l, Engine())
		for err == nil && !c.Finished() {
			if c.Phase() == Asking {
				err = c.Skip()
			}
			if c.Phase() == Revealed {
				err = c.Next()
			}
			if err == nil {
				err = c.PlayAll()
			}
			if err != nil && c.Phase() == Asking {
				break
			}
		}
		if err == nil || !strings.HasPrefix(err.Error(), "lessons/hw.md: ") {
			t.Errorf("%s: %v", new, err)
		}
	}
}
