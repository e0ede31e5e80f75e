package lab

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/spf13/afero"

	"kafkalab/assets"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/panel"
	"kafkalab/lab/screen"
	"kafkalab/lessons"
	"kafkalab/quiz/progress"
)

func TestNothingIsDrawnBeforeTheSizeIsKnown(t *testing.T) {
	l := open(t, 0, 0)
	if got := l.app.View(); got != "" {
		t.Errorf("%q", got)
	}
	l.press("enter", "q") // keys come too early: there is nothing to see yet
	l.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	l.sees("A small course", "Appends move the log end")
}

func TestTooSmall(t *testing.T) {
	for _, size := range [][2]int{{60, 15}, {79, 24}, {80, 23}, {20, 1}} {
		l := open(t, 100, 30)
		l.press("enter", "enter", "4")
		l.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		if size[0] > 30 && !strings.HasPrefix(l.text(), "needs 80x24, this is ") {
			t.Errorf("%v: %q", size, l.text())
		}
		l.send(tea.WindowSizeMsg{Width: 100, Height: 30})
		l.sees("›  4▏")
	}
}

func TestAResizeKeepsWhatWasTyped(t *testing.T) {
	l := open(t, 100, 30)
	l.press("enter", "enter", "4", "2")
	for _, size := range [][2]int{{80, 24}, {160, 48}, {100, 30}} {
		l.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		l.sees("›  42▏", "step 1 of 4")
	}
}

// What was predicted, seen and answered is in the file, and the lab opens
// where one left.
func TestProgressIsKept(t *testing.T) {
	l := open(t, 100, 30)
	l.press("enter", "enter", "4", "enter")
	other, _ := progress.Open(l.fs, progressFile, "1", l.app.env.Now)
	p := other.Snapshot()
	if got := p.StepsSeen("appends"); len(got) != 1 || got[0] != 1 {
		t.Errorf("steps seen: %v", got)
	}
	predictions := p.Lessons["appends"].Predictions
	if len(predictions) != 1 || predictions[0].Expected != "4" || predictions[0].Happened != "3" || predictions[0].Right || predictions[0].Skipped {
		t.Errorf("predictions: %+v", predictions)
	}
	again := openOn(t, l.fs, 100, 30)
	again.sees("Last time  step 1 of 4", "continue at step 2", "◐ Appends move the log end")
	again.press("c").sees("step 2 of 4", "orders/0 LEO 3 HW 3", "Beyond the end")
	again.press("P").sees("right 0 of 1 predicted", "you    4")
}

func TestASkipIsItsOwnMark(t *testing.T) {
	l := open(t, 100, 30)
	l.press("enter", "enter", "space").sees("you    skipped", "Kafka  3")
	p := l.store.Snapshot().Lessons["appends"].Predictions
	if len(p) != 1 || !p[0].Skipped || p[0].Right || p[0].Expected != "" {
		t.Errorf("%+v", p)
	}
	l.press("P").sees("right 0 of 0 predicted", "skipped 1")
}

// The first prediction of a step counts: with the answer known, a second one
// is none.
func TestOnlyTheFirstPredictionCounts(t *testing.T) {
	l := open(t, 100, 30)
	l.press("enter", "enter", "4", "enter", "left", "3").sees("first time  4")
	l.press("enter").sees("you    3", "Kafka  3")
	if p := l.store.Snapshot().Lessons["appends"].Predictions; len(p) != 1 || p[0].Expected != "4" {
		t.Errorf("%+v", p)
	}
}

func TestALessonOpensAtAStep(t *testing.T) {
	at := func(id string, step int) setting { return func(o *Options) { o.Start = Start{id, step} } }
	open(t, 100, 30, at("appends", 3)).sees("step 3 of 4", "A name", "orders/0 LEO 3 HW 3")
	open(t, 100, 30, at("roll", 0)).sees("When a segment closes   read")
	for _, bad := range []struct {
		start Start
		want  string
	}{
		{Start{"appends", 9}, "lesson appends has no step 9: it has 4"},
		{Start{"apends", 0}, `there is no lesson "apends"; did you mean appends?`},
		{Start{"zzz", 0}, `there is no lesson "zzz"`},
	} {
		l := open(t, 100, 30)
		if err := l.app.start(bad.start); err == nil || err.Error() != bad.want {
			t.Errorf("%v: %v", bad.start, err)
		}
	}
}

// Back is the engine's own state at that point.
func TestBackAndForth(t *testing.T) {
	l := open(t, 100, 30)
	l.press("enter", "enter").sees("LEO 0 HW 0")
	l.press("3", "enter").sees("LEO 3 HW 3", "LEO before 0")
	l.press("left").sees("LEO 0 HW 0", "PREDICT", "first time  3")
	l.press("right").sees("LEO 3 HW 3")
	l.press("right").sees("Beyond the end")
	l.press("left").sees("Three records", "PREDICTED", "LEO 3 HW 3")
	l.press("left", "left").sees("A producer appends", "first step")
	l.press("enter").press("right", "right", "space", "enter", "space", "enter").sees("Time passes", "NEXT", "› tick 5s")
	l.press("enter").sees("Nothing else happened.", "to the live page")
}

func TestReplay(t *testing.T) {
	l := open(t, 100, 30)
	l.press("enter", "enter", "3", "enter", "g").sees("LEO 0 HW 0", "› produce orders count=2 value=a")
	l.press("right").sees("LEO 2 HW 2", "✓ produce orders count=2 value=a", "› produce orders value=b")
	l.press("right").sees("LEO 3 HW 3", "PREDICTED", "you    3")
}

// The learner's own commands act on the cluster as it is, and are gone with the
// next move.
func TestConsoleActsOnTheLesson(t *testing.T) {
	l := open(t, 100, 30)
	l.press("enter", "enter", ":").write("produce orders count=7").press("enter")
	l.sees("produced orders/0: offsets 0-6", "LEO 7 HW 7")
	l.press("esc", "3", "enter").sees("LEO 3 HW 3", "Kafka  3")
}

func TestConsole(t *testing.T) {
	l := open(t, 100, 30)
	l.press(":").write("top").press("tab").write("cr").press("tab").write("t partitions=2").press("enter")
	l.sees("› topic create t partitions=2", "created t: 2 partitions")
	l.write("prodce t").press("enter").sees("prodce is no command; did you mean produce?")
	l.write("draft").press("up").sees("› prodce t").press("up").sees("› topic create t partitions=2▏")
	l.press("down", "down").sees("› draft▏").press("ctrl+u")
	l.write("p").press("tab").sees("print   produce")
	l.press("esc").misses("console ──")
	l.press(":").sees("created t: 2 partitions").press("ctrl+u")
	l.write("topic create u replicas=99").press("enter").sees("error INVALID_REPLICATION_FACTOR")
	l.write("?q:").sees("› ?q:▏") // letters are text here, all of them
}

func TestPasteIsText(t *testing.T) {
	l := open(t, 100, 30)
	paste := func(s string) { l.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s), Paste: true}) }
	l.press("enter", "enter")
	paste("q4\n")
	l.sees("› ", "q4").press("esc")
	l.press(":")
	paste("topic create a\ntopic create b\r\nprint 1")
	l.sees("created a:", "created b:", "› print 1▏")
}

// The gate: while a word may be typed, letters are text; in a field for a
// number they stay commands.
func TestLettersAreTextOnlyWhereTextIsTyped(t *testing.T) {
	l := open(t, 100, 30)
	l.press("enter", "enter", "1", "b").sees("panel sequence", "›  1▏")
	l.press("?").sees("Keys").press("esc", "esc").sees("a number")
	l.press("space", "enter", "space", "enter").sees("A name", "your answer")
	l.write("bwiPq").sees("›  bwiPq▏", "enter answer · esc clear").misses("w why", "q quit", ": console")
	l.press("?").sees("Keys").press("esc", "esc").sees("your answer")
	l.press(":").sees("console").press("esc")
	l.write("broker-1").press("enter").sees("you    broker-1 ✓", "Kafka  broker-1")
}

func TestWordsAreChosen(t *testing.T) {
	l := open(t, 100, 30)
	l.press("enter", "enter", "space", "enter").sees("a  an error", "a-c ↑↓ choose")
	l.press("c", "up", "up", "enter").sees("you    an error ✓", "Kafka  an error", "OFFSET_OUT_OF_RANGE")
}

func TestLive(t *testing.T) {
	l := open(t, 100, 30)
	l.press("enter")
	toLive(l)
	l.sees("GOAL", "○ not yet", "LEO 3 HW 3", "p  produce a record")
	l.press("p").sees("› produce orders/0 value=hello", "LEO 4 HW 4", "not yet")
	l.press("a").sees("acks of the next produce: 1").press("p").sees("acks=1", "✓ reached at", "enter to the checks")
	if !l.store.Snapshot().LiveReached("appends") {
		t.Error("the goal is not written down")
	}
	l.press("c").sees("› consume orders/0 from=▏").write("4 max=1").press("enter").sees("1 record, next offset 5").press("esc")
	l.press("R").sees("LEO 3 HW 3", "not yet")
	l.press("shift+tab").sees("step 1 of 4", "LEO 0 HW 0") // the steps' cluster is another
}

func TestCheck(t *testing.T) {
	l := open(t, 100, 30)
	l.press("enter", "shift+tab").sees("check 1 of 5", "cleared 0/5", "a-d ↑↓ choose").misses("enter answer")
	answer(l, "6")
	l.sees("No. Offsets of a producer without transactions have no gaps.", "The log end offset is the offset that comes next.", "cleared 0/5")
	l.press("v").sees("What the engine says", "✓ t/0.leo == 5", "› produce t count=5", "t/0 LEO 5 HW 5")
	l.press("esc").sees("No. Offsets")
	l.press("r").misses("No. Offsets")
	answer(l, "5")
	l.sees("Right. The log end offset is the offset that comes next.", "cleared 1/5")
	l.press("s").sees("step 1 of 4", "Three records")
	l.press("shift+tab", "shift+tab").sees("check 1 of 5", "Right.").press("n").sees("check 2 of 5")
	if a := l.store.Snapshot().Checks["appends-1"].Answers; len(a) != 2 || a[0].Right || !a[1].Right {
		t.Errorf("answers: %+v", a)
	}
}

// Each asking draws its numbers anew, and a wrong number that has a name gets
// its explanation.
func TestNumberCheck(t *testing.T) {
	l := open(t, 100, 30)
	l.press("enter", "shift+tab", "right")
	instances := map[string]bool{}
	for range 12 {
		n := strings.Fields(l.text()[strings.Index(l.text(), "A new log takes "):])[4]
		instances[n] = true
		digit := string(rune(n[0] - 1))
		l.press(digit, "enter").sees("No. That is the offset of the last record.", "Kafka "+n+" records", "One above the last offset.")
		l.press("r")
	}
	if len(instances) < 3 {
		t.Errorf("only the instances %v", instances)
	}
	l.press("b").sees("a number") // no text, and no command here
	l.press("enter").misses("No.")
	if got := l.store.Snapshot().Checks["appends-2"].Answers; len(got) != 12 || !strings.HasPrefix(got[0].Instance, "n=") {
		t.Errorf("%d answers, %+v", len(got), got[0])
	}
}

func TestOtherKindsOfChecks(t *testing.T) {
	l := open(t, 100, 30)
	l.press("enter", "shift+tab", "right", "right").sees("Mark all that are right")
	for _, line := range strings.Split(l.text(), "\n") {
		if w := strings.Fields(line); len(w) > 2 && len(w[0]) == 1 && (strings.Contains(line, "a produce") || strings.Contains(line, "a marker")) {
			l.press(w[0])
		}
	}
	l.press("enter").sees("Right.", "cleared 1/5")
	l.press("n").sees("Put this in order", "space take")
	l.press("enter").sees("cleared")
	l.press("n").sees("Bring the log end offset of t/0 to", "LEO 0 HW 0")
	l.press("enter").sees("not yet: t/0.leo == 2, got 0", "H show me how")
	l.press(":").write("produce t count=2").press("enter").sees("LEO 2 HW 2").press("esc", "enter").sees("Right. Each record moves")
	l.press("r", "enter", "H").sees("Not done.", "one way to do it", "› produce t count=2")
}

// q asks only while a check is half answered; so does esc, which would lose as
// much.
func TestHalfAnswered(t *testing.T) {
	for _, key := range []string{"q", "esc"} {
		l := open(t, 100, 30)
		l.press("enter", "shift+tab", "b", key).sees("This check is half answered")
		l.press("n").sees("check 1 of 5", "enter answer").press(key, "y")
		if l.quit != (key == "q") {
			t.Errorf("%s, y: quit %v", key, l.quit)
		}
	}
	l := open(t, 100, 30)
	l.press("enter", "shift+tab", "b", "enter", "q")
	if !l.quit {
		t.Error("an answered check asks before it closes")
	}
}

func TestWhatNext(t *testing.T) {
	l := open(t, 100, 30)
	l.press("enter", "shift+tab")
	answer(l, "5")
	l.press("right", "right", "right", "right", "enter", "H", "n").sees("what next", "4 checks of 5 still to clear.", "✓ 1  Which offset",
		"✗ 5", "For the job", "When a segment closes   5 min")
	l.press("c").sees("check 2 of 5").press("esc", "down", "enter", "shift+tab")
	answer(l, "the active one")
	l.press("n").sees("All of it is cleared.", "The last lesson")
	l.press("enter").sees("The last lesson   read").press("shift+tab")
	answer(l, "yes")
	l.press("n").sees("This is the last lesson of the course.").press("enter").sees("A small course")
}

// What the progress file has to say is a line of the course map.
func TestNotices(t *testing.T) {
	fs := afero.NewMemMapFs()
	if err := afero.WriteFile(fs, progressFile, []byte("{nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	openOn(t, fs, 100, 30).sees("could not be read", ".corrupt-")

	fs = afero.NewMemMapFs()
	if err := afero.WriteFile(fs, progressFile, []byte(`{"version": 99}`), 0o600); err != nil {
		t.Fatal(err)
	}
	openOn(t, fs, 80, 24).sees("newer")

	fs = afero.NewMemMapFs()
	l := openOn(t, fs, 100, 30)
	readOnly, _ := progress.Open(afero.NewReadOnlyFs(fs), progressFile, "1", l.app.env.Now)
	l.app.store = readOnly
	l.press("enter", "enter", "3", "enter", "esc").sees("A small course")
}

func TestAFailedSaveIsTold(t *testing.T) {
	fs := &failing{Fs: afero.NewMemMapFs()}
	l := openOn(t, fs, 100, 30)
	fs.broken = true
	l.press("enter", "esc").sees("could not be saved")
}

// failing is a file system that can be told to refuse writing.
type failing struct {
	afero.Fs
	broken bool
}

func (f *failing) OpenFile(name string, flag int, perm os.FileMode) (afero.File, error) {
	if f.broken {
		return nil, os.ErrPermission
	}
	return f.Fs.OpenFile(name, flag, perm)
}

// Letters that arrive in one message are struck one by one, and esc with a
// letter right behind it is two keys.
func TestKeysThatComeTogether(t *testing.T) {
	l := open(t, 100, 30)
	l.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("jj")})
	l.sees("▌▸ Last")
	l.press("up", "up", "enter")
	l.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'j'}, Alt: true})
	l.sees("A small course", "▌○ When a segment closes")
}

func TestMouse(t *testing.T) {
	l := open(t, 100, 30)
	click := func(x, y int) {
		l.send(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
		l.send(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionRelease})
	}
	clickOn := func(text string) {
		t.Helper()
		for y, line := range strings.Split(l.text(), "\n") {
			if before, _, ok := strings.Cut(line, text); ok {
				click(len([]rune(before)), y)
				return
			}
		}
		t.Fatalf("no %q on\n%s", text, l.text())
	}
	clickOn("○ When a segment")
	l.sees("▌○ When a segment")
	clickOn("▌○ When a segment")
	l.sees("When a segment closes   read")
	clickOn("first step · ")
	l.sees("step 1 of 1").press("tab").sees("check 1 of 1")
	clickOn("the active one")
	clickOn("enter answer")
	l.sees("Right.")
	l.press("esc")
	l.send(tea.MouseMsg{Button: tea.MouseButtonWheelUp, Action: tea.MouseActionPress})
	l.sees("▌○ Appends")
	click(-3, 999)
	click(99, 29)
}

// No colour means no colour codes, and ASCII no byte beyond it.
func TestNoColourAndASCII(t *testing.T) {
	for _, s := range scenes() {
		mono := open(t, 100, 30, func(o *Options) { o.Profile = theme.Mono })
		s.steps(mono)
		for _, code := range []string{"\x1b[3", ";3", "\x1b[9", "38;", "48;"} {
			if strings.Contains(mono.app.View(), code) {
				t.Errorf("%s: %q in a frame without colour", s.name, code)
			}
		}
		plain := open(t, 100, 30, func(o *Options) { o.ASCII = true })
		s.steps(plain)
		if i := strings.IndexFunc(plain.app.View(), func(r rune) bool { return r >= 0x80 }); i >= 0 {
			t.Errorf("%s: %q in ASCII", s.name, plain.app.View()[i:i+3])
		}
	}
}

// Keys that are shown work: each changes what is seen, or ends the lab.
func TestKeysThatAreShownWork(t *testing.T) {
	pressed := 0
	for _, s := range scenes() {
		first := open(t, 100, 30)
		s.steps(first)
		for _, c := range first.app.top().Commands() {
			if c.Do == nil || c.Help().Desc == "" || !first.shows(c) || c.Help().Desc == "is it done?" {
				continue
			}
			l := open(t, 100, 30)
			s.steps(l)
			before := l.text()
			l.press(c.Keys()[0])
			if l.text() == before && !l.quit {
				t.Errorf("%s: %s %s does nothing", s.name, c.Help().Key, c.Help().Desc)
			}
			pressed++
		}
	}
	if pressed < 100 {
		t.Errorf("only %d keys were pressed", pressed)
	}
}

// shows tells whether a command is in the key line of the screen.
func (l *learner) shows(c screen.Command) bool {
	lines := strings.Split(l.text(), "\n")
	return strings.Contains(lines[len(lines)-1], c.Help().Key+" "+c.Help().Desc)
}

// While the panel takes text, it has every key, and the line shows its keys
// alone.
func TestTextInThePanel(t *testing.T) {
	course, _ := lessons.LoadCourse(assets.Course())
	l := open(t, 100, 30, func(o *Options) {
		o.Course, o.Panel, o.Start = course, panel.ByName, Start{"offset-seek", 1}
	})
	l.press("5", "enter", "o").misses("next step · ", "q quit")
	l.write("10bq").press("enter").sees("step 1 of ", "target offset")
	l.press("q")
	if !l.quit {
		t.Error("q is still text")
	}
}

// The step stays, whatever page one leaves from.
func TestTheStepIsKeptOnOtherPages(t *testing.T) {
	l := open(t, 100, 30)
	l.press("enter", "enter", "3", "enter", "enter", "shift+tab").sees("   read")
	again := openOn(t, l.fs, 100, 30)
	again.press("c").sees("   read").press("enter").sees("step 2 of 4")
}

// A course whose scripts fail says so, in each of its pages, and can be left.
func TestABrokenLesson(t *testing.T) {
	files := fstest.MapFS{}
	for _, name := range []string{"course.yaml", "lessons/appends.md", "lessons/roll.md", "lessons/the-end.md"} {
		data, err := os.ReadFile("testdata/course/" + name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	for _, c := range []struct{ from, to, sees string }{
		{"topic create orders", "topc create orders", "This lesson does not run"},
		{"produce orders count=2 value=a", "prodce orders", "This lesson does not run"},
	} {
		broken := strings.Replace(string(files["lessons/appends.md"].Data), c.from, c.to, 1)
		course, _ := lessons.LoadCourse(merged(files, "lessons/appends.md", broken))
		l := open(t, 80, 24, func(o *Options) { o.Course = course })
		l.press("enter")
		for range 8 {
			l.press("enter", "3", "enter", "tab", "b", "w", "i", "P", "esc", ":", "esc", "?", "esc", "enter")
			if strings.Contains(l.text(), c.sees) {
				break
			}
		}
		l.sees(c.sees)
		m := &monkey{l, rand.New(rand.NewPCG(1, 1)), func() *learner { return open(t, 80, 24, func(o *Options) { o.Course = course }) }}
		for range 200 {
			m.strike()
		}
	}
}

func merged(files fstest.MapFS, name, text string) fstest.MapFS {
	all := maps.Clone(files)
	all[name] = &fstest.MapFile{Data: []byte(text)}
	return all
}

// A long map scrolls, and shows where one is in it.
func TestALongMap(t *testing.T) {
	small := testCourse(t)
	course := &lessons.Course{Title: "Many", Version: "1"}
	for i := range 6 {
		s := lessons.Section{Title: fmt.Sprintf("Section %d", i)}
		for j := range 8 {
			l := *small.Lessons()[0]
			l.ID, l.Title = fmt.Sprintf("l-%d-%d", i, j), fmt.Sprintf("Lesson %d of section %d", j, i)
			s.Lessons = append(s.Lessons, &l)
		}
		course.Sections = append(course.Sections, s)
	}
	for _, size := range [][2]int{{80, 24}, {100, 30}} {
		l := open(t, size[0], size[1], func(o *Options) { o.Course = course })
		l.press("end", "space")
		for range 4 {
			l.press("up", "space")
		}
		l.press("end").sees("▐", "▌○ Lesson 7 of section 5").misses("Section 0")
		l.press("home").sees("Section 0")
	}
}

// Enter with nothing typed is no answer: the learner is told what would be.
func TestEnterWithoutAnAnswer(t *testing.T) {
	l := open(t, 100, 30)
	l.press("enter", "enter", "enter").sees("step 1 of 4", "What do you think? Space skips it.")
	l.press("3").misses("What do you think?").press("enter").sees("Kafka  3")
	if n := len(l.store.Snapshot().Lessons["appends"].Predictions); n != 1 {
		t.Errorf("%d predictions", n)
	}
}
