package lab

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"kafkalab/lab/kit/kittest"
	"kafkalab/lab/screen"
)

// scene is a screen, and the keys that lead to it from the course map.
type scene struct {
	name  string
	steps func(l *learner)
}

func keysTo(names ...string) func(l *learner) { return func(l *learner) { l.press(names...) } }

// scenes are all screens of the lab.
func scenes() []scene { return append(courseScenes(), actingScenes()...) }

// courseScenes are those that lead through the course.
func courseScenes() []scene {
	toCheck := []string{"enter", "shift+tab"}
	return []scene{
		{"home", keysTo()},
		{"home-begun", keysTo("enter", "enter", "3", "enter", "esc")},
		{"home-section", keysTo("up")},
		{"read", keysTo("enter")},
		{"step-asks", keysTo("enter", "enter", "4")},
		{"step-told", keysTo("enter", "enter", "4", "enter")},
		{"step-words", keysTo("enter", "enter", "space", "enter", "b")},
		{"step-replay", keysTo("enter", "enter", "3", "enter", "g", "right")},
		{"step-commands", func(l *learner) {
			l.press("enter", "enter", "3", "enter")
			for !strings.Contains(l.text(), "produce orders count=2") {
				l.press("b")
			}
		}},
		{"live", func(l *learner) { toLive(l) }},
		{"live-done", func(l *learner) { toLive(l); l.press("p", "p") }},
		{"check-asks", func(l *learner) { l.press(toCheck...); l.press("down") }},
		{"check-right", func(l *learner) { l.press(toCheck...); answer(l, "5") }},
		{"check-wrong", func(l *learner) { l.press(toCheck...); answer(l, "6") }},
		{"check-run", func(l *learner) { l.press(toCheck...); answer(l, "6"); l.press("v") }},
		{"check-number", func(l *learner) { l.press(toCheck...); l.press("right", "4") }},
		{"check-number-told", func(l *learner) { l.press(toCheck...); l.press("right", "9", "9", "enter") }},
		{"check-multi", func(l *learner) { l.press(toCheck...); l.press("right", "right", "a") }},
		{"check-order", func(l *learner) { l.press(toCheck...); l.press("right", "right", "right", "space", "down") }},
		{"check-script", func(l *learner) { l.press(toCheck...); l.press("right", "right", "right", "right", "enter") }},
		{"half", func(l *learner) { l.press(toCheck...); l.press("a", "q") }},
		{"console", func(l *learner) {
			l.press("enter", "enter", ":")
			l.write("produce orders").press("enter")
			l.write("prodce orders").press("enter")
		}},
		{"keys", keysTo("enter", "enter", "?")},
		{"why", keysTo("enter", "enter", "3", "enter", "w")},
		{"how-true", keysTo("enter", "enter", "3", "enter", "i")},
		{"ledger", keysTo("enter", "enter", "3", "enter", "enter", "space", "P")},
		{"next", func(l *learner) {
			l.press("enter", "enter", "3", "enter", "enter", "space")
			toLive(l)
			l.press("p", "p", "enter")
			answer(l, "5")
			l.press("right", "right", "right", "right")
			l.press(":").write("produce t count=2").press("enter", "esc", "enter", "n")
		}},
		{"last", func(l *learner) {
			l.press("down", "down", "enter", "down", "enter", "shift+tab")
			answer(l, "yes")
			l.press("n")
		}},
	}
}

// actingScenes are those on which the learner acts, and what is opened from the
// course map beside lessons.
func actingScenes() []scene {
	return []scene{
		{"live-past", func(l *learner) { toLive(l); l.press("p", "left", "left") }},
		{"live-branch", func(l *learner) { toLive(l); l.press("p", "<", "p") }},
		{"search", func(l *learner) { l.press("/"); l.write("offset") }},
		{"search-term", func(l *learner) { l.press("/"); l.write("hw").press("enter") }},
		{"search-nothing", func(l *learner) { l.press("enter", "/"); l.write("zookeeper") }},
		{"sandbox-new", keysTo("s")},
		{"sandbox", sandbox},
		{"sandbox-past", func(l *learner) { sandbox(l); l.press("left", "left", "left") }},
		{"sandbox-saved", func(l *learner) { sandbox(l); l.press(":").write("save orders.lab").press("enter") }},
		{"fork-choice", func(l *learner) { sandbox(l); l.press("f", "down") }},
		{"fork", func(l *learner) { sandbox(l); l.press("f", "enter", "p") }},
		{"fork-console", func(l *learner) {
			sandbox(l)
			l.press("f", "enter", "tab", ":").write("produce orders count=2").press("enter")
		}},
		{"home-due", func(l *learner) { due(l) }},
		{"review", func(l *learner) { due(l); l.press("r") }},
		{"review-asks", func(l *learner) { due(l); l.press("r", "enter", "n") }},
		{"review-alike", func(l *learner) { dueOfTwo(l); l.press("r", "enter", "right") }},
		{"review-told", func(l *learner) { due(l); reviewOne(l); l.press("a", "9", "enter") }},
		{"review-done", func(l *learner) { dueOfTwo(l); reviewAll(l, false) }},
		{"review-nothing", func(l *learner) { due(l); reviewAll(l, true); l.press("enter") }},
		{"review-none-yet", keysTo("r")},
		{"practice-told", func(l *learner) { due(l); reviewAll(l, true); l.press("enter", "p"); answerAny(l, false) }},
		{"misconceptions", func(l *learner) { dueOfTwo(l); l.press("m") }},
		{"misconceptions-repaired", func(l *learner) { dueOfTwo(l); repair(l, "The log end offset skips"); l.press("n") }},
		{"misconceptions-none", func(l *learner) {
			l.app.base = screen.NewBeliefs(l.app.env, func() screen.Screen { return l.app.home })
		}},
		{"repair-told", func(l *learner) { dueOfTwo(l); repair(l, "The log end offset skips") }},
		{"repair-watched", func(l *learner) { dueOfTwo(l); l.press("m"); atBelief(l, "The log end offset skips"); l.press("v") }},
		{"drills", keysTo("d")},
		{"drill", keysTo("d", "enter", "H")},
		{"drill-done", func(l *learner) {
			l.press("d", "enter", ":").write("resume broker-2").press("enter").write("tick 1m").press("enter", "esc")
		}},
	}
}

// Each screen looks as it did, at three sizes, in each theme and on each kind
// of terminal.
func TestScreens(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {100, 30}, {140, 40}} {
		for _, s := range scenes() {
			name := fmt.Sprintf("%s-%dx%d", s.name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				l := open(t, size[0], size[1])
				s.steps(l)
				l.text()
				kittest.Golden(t, name, l.app.canvas)
			})
		}
	}
}

// toLive goes on to the live page, over both columns where they take turns.
func toLive(l *learner) {
	if strings.Contains(l.text(), "open ·") {
		l.press("enter")
	}
	for range 6 {
		if strings.Contains(strings.Split(l.text(), "\n")[0], "   live") {
			return
		}
		l.press("tab")
	}
	l.t.Fatalf("no live page:\n%s", l.text())
}

// answer chooses the option of a check that has this text.
func answer(l *learner, option string) {
	for _, line := range strings.Split(l.text(), "\n") {
		words := strings.Fields(strings.TrimLeft(line, " ▌"))
		if len(words) > 1 && len(words[0]) == 1 && strings.Join(words[1:], " ") == option {
			l.press(words[0], "enter")
			return
		}
	}
	l.t.Fatalf("no option %q:\n%s", option, l.text())
}

// sandbox begins one with a topic and some records.
func sandbox(l *learner) {
	l.press("s", "2", ":")
	l.write("topic create orders replicas=2").press("enter")
	l.write("produce orders count=5").press("enter", "esc")
}

// due answers two checks, and goes on two days later.
func due(l *learner) {
	l.press("enter", "shift+tab")
	answer(l, "6")
	l.press("n", "9", "9", "enter", "esc")
	l.clock = noon.Add(48 * time.Hour)
	l.press("up", "down")
}
