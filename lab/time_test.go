package lab

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/spf13/afero"
)

// The arrows go through everything that happened; to act in the past makes a
// branch, and the old future stays.
func TestBackAndForwardThroughTime(t *testing.T) {
	l := open(t, 100, 30)
	toLive(l)
	l.sees("step 25 of 25").misses("past")
	l.press("p").sees("LEO 4", "step 30 of 30")
	l.press("<").sees("step 25 of 30", "past", "LEO 3", "This is the past.", "step 25 of 30")
	l.press("right", "left", "left").sees("step 24 of 30").press(".").misses("past").sees("LEO 4")
	l.press("<", ":").write("produce orders count=3").press("enter", "esc")
	l.sees("A branch from step 25.", "switch future-1", "LEO 6").misses("past")
	l.press(":").write("switch future-1").press("enter", "esc").sees("LEO 4", "step 30 of 30")
	l.press(":").write("print 1 + 1").press("enter", "esc").misses("A branch")
	for range 40 {
		l.press("left")
	}
	l.sees("step 0 of 30", "t 0.000")
	l.press("left").sees("step 0 of 30") // there is nothing before
}

// A look at the past makes no branch.
func TestLookingInThePast(t *testing.T) {
	l := open(t, 100, 30)
	toLive(l)
	l.press("p", "<", ":").write("print orders/0.leo").press("enter").sees("orders/0.leo = 3").press("esc")
	l.sees("past", "step 25 of 30").misses("A branch")
	l.press(".").sees("LEO 4")
}

func TestSearch(t *testing.T) {
	l := open(t, 100, 30)
	l.press("/").write("beyond end").sees("steps", "Beyond the end").press("enter").sees("step 2 of 4", "Beyond the end")
	l.press("esc", "/").write("appends move").sees("lessons").press("enter").sees("Appends move the log end   step 2")
	l.press("esc", "/").write("how many records").press("ctrl+u").write("log end offset").press("enter").sees("log end offset", "see also high watermark", "esc back to the results")
	l.press("esc").sees("› ").press("esc").sees("A small course")
	l.press("/").write("QQQ").sees("Nothing of that in the course.").press("enter").sees("Nothing of that").press("esc")
	l.press("/").write("a new log takes").sees("checks", "What is its log end offset?").press("enter").sees("check 2 of 5")
	l.press("/").write("?q:").sees("› ") // letters are text here
	l.press("esc").sees("check 2 of 5")
	l.press("esc", "enter", "shift+tab", "shift+tab", "shift+tab").press("right")
}

func TestSearchTellsNoAnswer(t *testing.T) {
	l := open(t, 100, 30)
	l.press("/").write("gaps").sees("Nothing of that in the course.")
}

func TestSandbox(t *testing.T) {
	l := open(t, 100, 30)
	sandbox(l)
	l.press("left", "left", "left", ":").write("produce orders count=2").press("enter").sees("offsets").press("esc").sees("A branch from")
	want := l.text()
	l.press(":").write(":save /orders.lab").press("enter").sees("saved /orders.lab: 5 lines").press("esc")
	data, err := afero.ReadFile(l.fs, "/orders.lab")
	if err != nil || !strings.Contains(string(data), "rewind 3\nproduce orders count=2\n") {
		t.Errorf("%v\n%s", err, data)
	}
	l.press("R", "y").sees("How many brokers?", "1-9 brokers")
	l.press(":").write("open /orders.lab").press("enter").sees("opened /orders.lab: 5 lines").press("esc")
	for _, part := range []string{"step ", "orders/0 LEO "} {
		_, rest, _ := strings.Cut(want, part)
		rest, _, _ = strings.Cut(rest, "  ")
		l.sees(part + rest)
	}
	l.press("esc").sees("A small course").press("s").sees("step ") // it stays as it was left
}

func TestSandboxFiles(t *testing.T) {
	l := open(t, 100, 30)
	_ = l.fs.MkdirAll("/folder", 0o755)
	_ = afero.WriteFile(l.fs, "/bad.lab", []byte("cluster brokers=1\n\nprodce t\n"), 0o644)
	_ = afero.WriteFile(l.fs, "/empty.lab", []byte("# nothing\n"), 0o644)
	_ = afero.WriteFile(l.fs, "/big.lab", []byte(strings.Repeat("#\n", 9<<20)), 0o644)
	l.press("s", ":")
	for _, c := range [][2]string{
		{"open", "open needs a file"}, {"save", "save needs a file"}, {"save /x.lab", "there is nothing to save"},
		{"open /none.lab", "/none.lab: there is no such file"}, {"open /folder", "/folder is a folder"},
		{"open /bad.lab", "/bad.lab:3: "}, {"open /empty.lab", "/empty.lab has no command"}, {"open /big.lab", "is allowed"},
	} {
		l.write(c[0]).press("enter").sees(c[1])
	}
	l.write("cluster brokers=4").press("enter", "esc").sees("4 brokers")
}

func TestFork(t *testing.T) {
	l := open(t, 100, 30)
	sandbox(l)
	l.press("f").sees("acks=1 against acks=all").press("enter").sees("Two futures", "acks-1", "acks-all", "no difference yet", "act on both")
	l.press(":").write("stall broker-2").press("enter").write("produce orders count=2").press("enter")
	l.sees("acks-1: produced orders/0: offsets 5-6, acks=1", "acks-all: error REQUEST_TIMED_OUT").press("esc")
	l.sees("differs", "last error", "none", "REQUEST_TIMED_OUT")
	l.press("tab").sees("act on acks-1", "tab act on acks-all").press("tab", "tab").sees("act on both")
	l.press("left").sees("past").press("b").sees("panel index")
	l.press("esc").sees("Sandbox", "LEO 5").misses("Two futures")
	l.press(":").write("switch acks-1").press("enter", "esc").sees("LEO 7")
	l.press("f", "down", "enter").sees("min.insync.replicas", "min-isr-1").press("esc", "f", "enter").sees("acks-1-2").press("esc")
	l.press("f", "esc").sees("Sandbox")
}

func TestForkOnTheLivePage(t *testing.T) {
	l := open(t, 100, 30)
	toLive(l)
	l.press("f", "c", "enter", "tab", "p", "esc").sees("LEO 3", "not yet") // the page's own future has not moved
}

func TestDrill(t *testing.T) {
	l := open(t, 100, 30)
	l.press("d").sees("Writes are refused", "5 min · 2 hints").press("enter")
	l.sees("› produce orders value=order", "error REQUEST_TIMED_OUT", "orders has 1,2 as replicas", "actions 0   hints 0 of 2").misses("resume broker-2", "Repaired")
	l.press("H").sees("hint 1", "hints 1 of 2").press("H").sees("hint 2", "hints 2 of 2").misses("H hint")
	l.press(":").write("show cluster").press("enter").write("produce orders").press("enter").press("esc").sees("actions 1")
	l.press("esc").sees("go on").press("enter").sees("actions 1") // left and come back to
	l.press(":").write("resume broker-2").press("enter").write("tick 1m").press("enter", "esc")
	l.sees("✓ Repaired", "actions 2   hints 2 of 2", "records acknowledged", "the shortest repair known: 1 action", "› resume broker-2")
	l.press("enter").sees("Drills", "begin").press("enter").sees("actions 0   hints 0")
	l.press("R", "y").sees("actions 0").press("esc", "esc").sees("A small course")
}

// The wheel moves what the pointer is on.
func TestWheelUnderThePointer(t *testing.T) {
	l := open(t, 100, 30)
	l.press("enter", "enter", "space")
	wheel := func(x, y int) {
		l.send(tea.MouseMsg{X: x, Y: y, Action: tea.MouseActionPress, Button: tea.MouseButtonWheelDown})
	}
	wheel(10, 5)
	l.sees("moved 0")
	wheel(70, 5)
	l.sees("moved 1")
}

func TestClickOnAnAction(t *testing.T) {
	l := open(t, 100, 30)
	toLive(l)
	for y, line := range strings.Split(l.text(), "\n") {
		if strings.Contains(line, "p  produce a record") {
			l.send(tea.MouseMsg{X: 5, Y: y, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
		}
	}
	l.sees("LEO 4 HW 4")
}

// What is searched for in the lesson that is open is gone to; nothing of the
// lesson is lost.
func TestSearchStaysInTheLesson(t *testing.T) {
	l := open(t, 100, 30)
	toLive(l)
	l.press("p").sees("LEO 4").press("/").write("beyond").press("enter").sees("step 2 of 4", "Beyond the end")
	l.press("tab").sees("LEO 4")
	l.press("/").write("a new log takes").press("enter").sees("check 2 of 5").press("esc").sees("A small course")
}
