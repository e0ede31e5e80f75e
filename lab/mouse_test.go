package lab

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/panel"
)

func (l *learner) click(x, y int) {
	l.t.Helper()
	l.send(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	l.send(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionRelease})
}

func (l *learner) wheel(x, y int, b tea.MouseButton) {
	l.t.Helper()
	l.send(tea.MouseMsg{X: x, Y: y, Button: b, Action: tea.MouseActionPress})
}

// find is where a text stands on the screen, from a column on.
func (l *learner) find(text string, from int) (x, y int) {
	l.t.Helper()
	for y, line := range strings.Split(l.text(), "\n") {
		runes := []rune(line)
		if from < len(runes) {
			if before, _, ok := strings.Cut(string(runes[from:]), text); ok {
				return from + len([]rune(before)), y
			}
		}
	}
	l.t.Fatalf("no %q on\n%s", text, l.text())
	return 0, 0
}

func realPanels(o *Options) { o.Panel = panel.ByName }

// lens turns to the lens that shows a text.
func (l *learner) lens(shows string) {
	l.t.Helper()
	for range 20 {
		if strings.Contains(l.text(), shows) {
			return
		}
		l.press("b")
	}
	l.t.Fatalf("no lens shows %q", shows)
}

// A click on a message selects it, a second one opens it; fields are selected and
// opened the same way, and esc goes back before it leaves the sandbox.
func TestClickInAPanel(t *testing.T) {
	l := open(t, 100, 30, realPanels)
	sandbox(l)
	l.lens("what crossed the wire")
	x, y := l.find("Produce", 40)
	l.click(x, y)
	l.sees("Produce request   app →", "what crossed the wire")
	l.click(x, y)
	l.sees("RequestApiKey", "acks=-1 orders-0 5 rec").misses("what crossed the wire")
	x, y = l.find("TopicData", 40)
	l.click(x, y)
	l.sees("▾ TopicData")
	l.click(x, y)
	l.sees("▸ TopicData").click(x, y)
	l.sees("▾ TopicData").press("esc").sees("what crossed the wire").press("esc").sees("A small course")
}

// Where two panels stand side by side, each takes its own clicks and turns of the
// wheel.
func TestMouseOnTwoPanels(t *testing.T) {
	l := open(t, 170, 48, realPanels)
	sandbox(l)
	aside := 115 // from this column on stands the second panel
	for range 20 {
		if line := strings.Split(l.text(), "\n")[3]; strings.Contains(string([]rune(line)[aside:]), "what happened") {
			break
		}
		l.press("b")
	}
	x, y := l.find("Produce", aside)
	l.click(x, y)
	if row := string([]rune(strings.Split(l.text(), "\n")[y])[aside:]); !strings.Contains(row, "▌") {
		t.Errorf("the click does not select %q", row)
	}
	l.sees("end: newest")
	for range 40 {
		l.wheel(x, y, tea.MouseButtonWheelDown)
	}
	l.misses("end: newest")
}

// Of two futures, a click on a row selects it there, one on the name of a future
// chooses that one.
func TestClickInAFuture(t *testing.T) {
	l := open(t, 140, 40, realPanels)
	sandbox(l)
	l.press("f", "enter")
	l.lens("what crossed the wire")
	x, y := l.find("Envelope", 70)
	l.click(x, y)
	row := []rune(strings.Split(l.text(), "\n")[y])
	if !strings.Contains(string(row[70:]), "▌") || strings.Contains(string(row[:70]), "▌") {
		t.Errorf("the click selects %q\n%s", string(row), l.text())
	}
	l.click(80, 2)
	l.sees("act on acks-all")
}

// The wheel turns what the pointer is on.
func TestWheelInAMessage(t *testing.T) {
	l := open(t, 100, 30, realPanels)
	sandbox(l)
	l.lens("what crossed the wire")
	l.press("o").sees("Size")
	for range 4 {
		l.wheel(70, 20, tea.MouseButtonWheelDown)
	}
	l.sees("bytes at byte").misses("4 bytes at byte 0")
}
