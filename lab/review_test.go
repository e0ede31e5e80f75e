package lab

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/spf13/afero"

	"kafkalab/assets"
	"kafkalab/lab/panel"
	"kafkalab/lab/screen"
	"kafkalab/lessons"
	"kafkalab/quiz/progress"
)

// sleep lets days pass, and leaves the lab on the course map.
func (l *learner) sleep(days int) {
	l.t.Helper()
	l.clock = l.clock.AddDate(0, 0, days)
	l.press("up", "down")
}

// dueOfTwo answers checks of two lessons wrong, one of them twice over, and goes
// on two days later.
func dueOfTwo(l *learner) {
	l.press("enter", "shift+tab")
	answer(l, "6")
	l.clock = l.clock.Add(time.Minute)
	l.press("n", "9", "9", "enter", "esc", "down", "enter", "shift+tab")
	answer(l, "the first")
	l.press("esc", "up")
	l.sleep(2)
}

// reviewOne opens a review at its first check that asks for a number.
func reviewOne(l *learner) {
	l.press("r", "enter")
	for range 4 {
		if strings.Contains(l.text(), "What is its log end offset?") {
			return
		}
		l.press("right")
	}
	l.t.Fatalf("no number is asked:\n%s", l.text())
}

// rightAnswers are the texts of what is right in the small course's choices.
var rightAnswers = []string{"5", "the active one"}

// answerAny answers the check that is asked, right or wrong.
func answerAny(l *learner, right bool) {
	l.t.Helper()
	l.clock = l.clock.Add(time.Minute)
	if strings.Contains(l.text(), "What is its log end offset?") {
		n := "99"
		if right {
			_, after, _ := strings.Cut(l.text(), "A new log takes ")
			n, _, _ = strings.Cut(after, " ")
		}
		l.write(n).press("enter")
		return
	}
	for _, line := range strings.Split(l.text(), "\n") {
		words := strings.Fields(line)
		if len(words) < 2 || len(words[0]) != 1 || words[0] < "a" || words[0] > "d" {
			continue
		}
		is := false
		for _, a := range rightAnswers {
			is = is || strings.Join(words[1:], " ") == a
		}
		if is == right {
			l.press(words[0], "enter")
			return
		}
	}
	l.t.Fatalf("nothing to answer:\n%s", l.text())
}

// reviewAll goes through all that is due, and comes to the page behind it.
func reviewAll(l *learner, right bool) {
	l.t.Helper()
	l.press("r", "enter")
	for range 20 {
		answerAny(l, right)
		l.press("n")
		if strings.Contains(l.text(), "how it went") && !strings.Contains(l.text(), "check ") {
			return
		}
	}
	l.t.Fatalf("no end:\n%s", l.text())
}

// atBelief selects a misconception of the page.
func atBelief(l *learner, belief string) {
	l.t.Helper()
	for range 6 {
		for _, line := range strings.Split(l.text(), "\n") {
			if strings.Contains(line, "▌") && strings.Contains(line, belief) {
				return
			}
		}
		l.press("down")
	}
	l.t.Fatalf("no %q:\n%s", belief, l.text())
}

// repair answers a fresh check about a misconception right.
func repair(l *learner, belief string) {
	l.press("m")
	atBelief(l, belief)
	l.press("enter")
	answerAny(l, true)
}

func TestReview(t *testing.T) {
	l := open(t, 100, 30)
	l.misses("r review").press("r").sees("Nothing is due yet", "Answer the checks of a lesson").press("esc")
	due(l)
	l.press("up").sees("due today 2", "r review 2").press("r").sees("2 checks are due today", "Appends move the log", "where your 2 checks stand", "1 to repair")
	l.press("enter").sees("Review   check 1 of 2", "Appends move the log end   answered 0/2")
	answerAny(l, true)
	l.sees("Right.", "answered 1/2", "n next check", "asked again tomorrow, Thu 5 March").press("s").sees("step 1 of 4", "Appends move the log end").press("esc")
	l.sees("due today 1", "r review 1").press("r").sees("1 check is due today").press("enter").sees("Review   check 1 of 1")
	answerAny(l, false)
	l.sees("No.", "n how it went", "back to the start: asked again tomorrow, Thu 5 March").press("v").sees("What was run").press("esc", "n")
	l.sees("0 of 1 right", "tomorrow, Thu 5 March", "due today 0   next Thu 5 March", "a the missed one again").press("esc").sees("A small course", "r review ·")
}

// The ladder, as the learner sees it: 1, 3, 7, 21 days, and a miss goes back to
// the start.
func TestReviewDays(t *testing.T) {
	l := open(t, 100, 30)
	l.press("enter", "shift+tab")
	answer(l, "5")
	l.press("esc")
	for _, step := range []struct {
		after int
		right bool
		want  string
	}{
		{1, true, "asked again in 3 days, Fri 6 March"},
		{3, true, "asked again in 7 days, Fri 13 March"},
		{7, true, "asked again in 21 days, Fri 3 April"},
		{21, true, "asked again in 21 days, Fri 24 April"},
		{21, false, "back to the start: asked again tomorrow, Sat 25 April"},
		{1, true, "asked again tomorrow, Sun 26 April"},
	} {
		l.sleep(step.after - 1)
		if step.after > 1 {
			l.misses("due today")
		}
		l.sleep(1)
		l.sees("due today 1").press("r", "enter")
		answerAny(l, step.right)
		l.sees(step.want).press("esc", "esc").misses("due today")
	}
}

// With nothing due, the page says when something is, and practice moves nothing.
func TestPracticeMovesNothing(t *testing.T) {
	l := open(t, 100, 30)
	due(l)
	reviewAll(l, true)
	before := l.store.Snapshot().Checks["appends-2"].Review
	l.press("enter").sees("Nothing is due today", "2 checks come tomorrow, Thu 5 March.", "2 checks ahead of the day", "days ahead").press("p").sees("Practice   check 1 of 2")
	for range 2 {
		answerAny(l, false)
		l.sees("practice: the schedule stays, asked again tomorrow, Thu 5 March").press("n")
	}
	l.sees("0 of 2 right", "This was practice", "the 2 missed again").press("a").sees("Practice   check 1 of 2").press("esc").sees("0 of 2 right")
	after := l.store.Snapshot().Checks["appends-2"]
	if after.Review != before {
		t.Errorf("%+v, then %+v", before, after.Review)
	}
	if n := len(after.Answers); !after.Answers[n-1].Practice || after.Answers[n-2].Practice {
		t.Errorf("%+v", after.Answers)
	}
	l.press("enter", "esc").sees("r review ·").misses("due today")
}

// Each time that a check is asked it has other numbers than the last time.
func TestReviewHasFreshNumbers(t *testing.T) {
	l := open(t, 100, 30)
	due(l)
	for range 12 {
		reviewAll(l, false)
		l.press("esc")
		l.sleep(1)
	}
	asked := l.store.Snapshot().Asked("appends-2")
	if len(asked) != 13 {
		t.Fatalf("%v", asked)
	}
	for i := 1; i < len(asked); i++ {
		if asked[i] == asked[i-1] {
			t.Errorf("the same numbers twice in a row: %v", asked)
		}
	}
	seen := map[string]bool{}
	for _, a := range asked[:7] {
		seen[a] = true
	}
	if len(seen) != 7 {
		t.Errorf("numbers came back before all seven were asked: %v", asked)
	}
}

// Look-alikes stand side by side, and the second one says so.
func TestReviewPutsLookAlikesSideBySide(t *testing.T) {
	l := open(t, 100, 30)
	dueOfTwo(l)
	l.press("r", "enter").misses("look-alikes").press("right").sees("look-alikes: the check before asked about ")
}

// A round is the day's: opened again it asks in the same order.
func TestReviewIsTheSameAllDay(t *testing.T) {
	order := func(seed uint64) string {
		l := open(t, 100, 30, func(o *Options) { o.Seed = seed })
		dueOfTwo(l)
		l.press("r", "enter")
		var asked []string
		for range 3 {
			for _, line := range strings.Split(l.text(), "\n") {
				if strings.HasSuffix(strings.TrimSpace(line), "?") {
					asked = append(asked, strings.TrimSpace(line))
				}
			}
			l.press("right")
		}
		return strings.Join(asked, "\n")
	}
	if a, b := order(1), order(2); a != b || strings.Count(a, "\n") != 2 {
		t.Errorf("%s\n\n%s", a, b)
	}
}

// What was left out comes back before the end.
func TestReviewComesBackToWhatWasLeftOut(t *testing.T) {
	l := open(t, 100, 30)
	dueOfTwo(l)
	l.press("r", "enter", "right", "right").sees("check 3 of 3")
	answerAny(l, true)
	l.press("n").sees("check 1 of 3")
	answerAny(l, true)
	l.press("n").sees("check 2 of 3").press("a", "esc").sees("half answered").press("esc")
	l.press("enter", "n").sees("how it went", "of 3 right")
}

func TestMisconceptions(t *testing.T) {
	l := open(t, 100, 30)
	l.press("m").sees("A small course") // there is none yet
	dueOfTwo(l)
	l.press("m").sees("to repair 2   repaired 0", "Any segment takes records", "The log end offset skips", "missed once, 2 days ago", "check 1 of")
	atBelief(l, "The log end offset skips")
	l.sees("It is one above the last record", "another check about it", "run the script and look")
	l.press("v").sees("Run and look", "What the engine says", "t/0.leo == 6").press("v").sees("Misconceptions")
	l.press("s").sees("step ").press("esc").sees("A small course")
	// The same check again is no proof: another one is.
	l.press("m")
	atBelief(l, "The log end offset skips")
	l.press("enter").sees("Repair ", "What is its log end offset?")
	answerAny(l, true)
	l.sees("✓ repaired  The log end offset skips", "n misconceptions").press("n").sees("to repair 1   repaired 1", "✓ The log end offset", "at another check")
	if b := l.app.env.Beliefs(); len(b) != 2 || b[1].ID != "M-001" || b[1].By != "appends-2" {
		t.Errorf("%+v", b)
	}
	l.press("esc").sees("A small course")
}

// A misconception stays open when its check is answered right with what one has
// just read, and the page says why.
func TestTheSameAgainRepairsNothing(t *testing.T) {
	l := open(t, 100, 30)
	dueOfTwo(l)
	l.press("m")
	atBelief(l, "Any segment takes")
	l.sees("it again, on another day").press("enter")
	answerAny(l, false)
	l.sees("believed  Any segment takes records", "◐ still open").press("r")
	answerAny(l, true)
	l.sees("◐ still open  right, but these were the numbers").press("n").sees("to repair 2", "missed 2 times, last")
	l.press("esc")
	l.sleep(1)
	l.press("m")
	atBelief(l, "Any segment takes")
	l.press("enter")
	answerAny(l, true)
	l.sees("✓ repaired  Any segment takes")
}

func TestClicksInTheReview(t *testing.T) {
	l := open(t, 100, 30)
	dueOfTwo(l)
	l.press("r")
	x, y := l.find("look at them", 50)
	l.click(x, y)
	l.sees("Misconceptions")
	x, y = l.find("The log end offset skips", 0)
	l.click(x, y)
	atBelief(l, "The log end offset skips")
	x, y = l.find("run the script", 50)
	l.click(x, y)
	l.sees("Run and look").press("esc").sees("Misconceptions")
	x, y = l.find("another check", 50)
	l.click(x, y)
	l.sees("Repair ").press("esc", "esc").sees("3 checks are due today")
	x, y = l.find("enter   begin", 0)
	l.click(x, y)
	l.sees("check 1 of 3")
}

// What an old file holds, without practice and with misconceptions that nobody
// knows, opens; and what is done is kept beside it.
func TestReviewOfAnOldFile(t *testing.T) {
	for name, content := range map[string]string{
		"before there was practice": `{"version":1,"course":"1","checks":{"appends-1":{"lesson":"appends","answers":[{"time":"2026-02-01T10:00:00Z","right":false,"misconception":"M-001"}],"review":{"stage":0,"due":"2026-02-02"}}},"lessons":{}}`,
		"strange, but readable":     `{"version":1,"checks":{"appends-1":{"answers":[{"time":"2026-02-01T10:00:00Z","instance":"n=,=,x","right":false,"misconception":"M-001","mood":3}],"review":{"stage":-7,"due":"soon"}},"appends-2":{"lesson":"gone","answers":[{"time":"2026-02-01T10:00:00Z","instance":"n=1,n=2","right":true}],"review":{}},"gone":{"answers":[{"time":"0001-01-01T00:00:00Z","right":false,"misconception":"M-777"}]}}}`,
		"a clock that was ahead":    `{"version":1,"checks":{"appends-1":{"lesson":"appends","answers":[{"time":"9998-12-31T10:00:00Z","right":false,"misconception":"M-001"}],"review":{}}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			fs := afero.NewMemMapFs()
			if err := afero.WriteFile(fs, progressFile, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			l := openOn(t, fs, 100, 30)
			l.press("r", "m").sees("Misconceptions", "The log end offset skips").press("v", "esc", "enter")
			answerAny(l, true)
			l.press("esc", "esc", "p", "esc", "enter", "esc", "esc")
			again, message := progress.Open(fs, progressFile, "1", l.app.env.Now)
			if n := len(again.Snapshot().Asked("appends-2")); message != "" || n == 0 {
				t.Errorf("%q, %d answers", message, n)
			}
		})
	}
}

func TestPlainReview(t *testing.T) {
	o := plainOptions(t, testCourse(t))
	at := noon
	o.Now = func() time.Time { at = at.Add(time.Second); return at }
	o.Store, _ = progress.Open(afero.NewMemMapFs(), progressFile, "1", o.Now)
	o.Store.Record("appends-1", "appends", progress.Answer{Misconception: "M-001"})
	o.Store.Record("roll-1", "roll", progress.Answer{Right: true})
	out := converse(t, o, "review", "practice", "back", "skip", "home", "misconceptions", "repair 0", "repair 1", "99", "quit")
	inOrder(t, out, "Nothing is due today.", "tomorrow, Tue 3 March: 2", "Practice", "Check 1 of 2", "look-alikes", "Misconceptions",
		"1  The log end offset skips an offset (to repair, missed once)", "It is one above", "repair needs a number", "Repair: The log end", "No. It is:", "Back to the start")
	at = at.AddDate(0, 0, 1)
	out = converse(t, o, "review", "skip", "skip", "skip", "quit")
	inOrder(t, out, "Review: 3 due today", "Checks due today: 3", "Check 1 of 3", "Check 3 of 3", "That was all.")
}

// Every misconception of the built-in course can be shown, looked at and asked
// about: its page is drawn, its script runs, its fresh check can be answered, and
// no truth is missing.
func TestMisconceptionsOfTheCourse(t *testing.T) {
	course, findings := lessons.LoadCourse(assets.Course())
	if course == nil {
		t.Fatal(findings)
	}
	real := func(o *Options) { o.Course, o.Panel = course, panel.ByName }
	l := open(t, 80, 24, real)
	missed := map[string]bool{}
	for _, q := range course.Checks() {
		for _, id := range q.Misconceptions() {
			if course.Misconceptions[id].Truth == "" {
				t.Errorf("%s of %s: nobody says what is so", id, q.ID)
			}
			if !missed[id] {
				missed[id] = true
				l.app.perform([]screen.Action{screen.Answered{Check: q.ID, Lesson: q.Lesson, Answer: progress.Answer{Misconception: id}}})
			}
		}
	}
	l.press("m")
	for range missed {
		here := l.text()
		if !strings.Contains(here, "Misconceptions") {
			t.Fatal(here)
		}
		for _, k := range []string{"v", "enter"} {
			if !strings.Contains(here, " "+k+" ") {
				continue
			}
			if l.press(k); strings.Contains(l.text(), "does not run") || l.text() == here {
				t.Fatalf("%s:\n%s\n%s", k, here, l.text())
			}
			shown := l.text()
			if l.press("esc"); !strings.Contains(l.text(), "Misconceptions") {
				t.Fatalf("%s:\n%s\n%s\n%s", k, here, shown, l.text())
			}
		}
		l.press("down")
	}
}

// BenchmarkReviewFrame is a frame of the page with everything missed and due.
func BenchmarkReviewFrame(b *testing.B) {
	course, _ := lessons.LoadCourse(assets.Course())
	l := open(b, 200, 60, func(o *Options) { o.Course, o.Panel = course, panel.ByName })
	for _, q := range course.Checks() {
		for _, id := range append(q.Misconceptions(), "") {
			l.store.Record(q.ID, q.Lesson, progress.Answer{Misconception: id})
		}
	}
	l.app.env.Progress = l.store.Snapshot()
	for _, page := range []string{"r", "m"} {
		l.press("esc", page)
		b.Run(fmt.Sprint("page ", page), func(b *testing.B) {
			for b.Loop() {
				l.press("down")
			}
		})
	}
}
