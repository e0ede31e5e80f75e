package lab

import (
	"strings"
	"testing"
)

// A key acts on a broker only where the panel shows which; elsewhere it begins
// the line and leaves the rest to be typed.
func TestActionsInADrill(t *testing.T) {
	l := open(t, 100, 30, realPanels)
	l.press("d", "enter").sees("› produce orders value=order").press("b", "b").sees("batch header", "r restart …")
	l.press("r").sees("› restart ").misses("restart broker", "y restart").press("ctrl+u", "esc").sees("actions 0")
	for range 10 {
		if strings.Contains(l.text(), "in sync") || strings.Contains(l.text(), "STALLED") {
			break
		}
		l.press("b")
	}
	l.sees("leader", "r restart broker-1").press("r").sees("broker-1 is running and leads orders/0. It is shut down and started again.", "y restart broker-1", "n leave it")
	l.press("n").sees("actions 0").press("r", "y").sees("actions 1", "› restart broker-1")
}

// The list of what was run follows what is run.
func TestTheTranscriptFollows(t *testing.T) {
	l := open(t, 80, 24, realPanels)
	l.press("d", "enter").sees("› produce orders value=order").press(":")
	for range 8 {
		l.write("print orders/0.leo").press("enter")
	}
	l.press("esc").misses("› produce orders value=order").sees("› print orders/0.leo")
	l.press(":").write("show cluster").press("enter", "esc").sees("› show cluster")
}

// What was repaired is marked, also in the next lab on the same file.
func TestARepairedDrillIsMarked(t *testing.T) {
	l := open(t, 100, 30)
	l.press("d").sees("○ Writes are refused").press("enter", "H", "esc").sees("◐ Writes are refused").press("enter", ":")
	for _, line := range []string{"resume broker-2", "tick 1m"} {
		l.write(line).press("enter")
	}
	l.press("esc").sees("Repaired").press("esc")
	l.sees("✓ Writes are refused", "✓ repaired: 1 action, 1 hint;", "shortest known: 1")
	if r := l.store.Snapshot().Drills; len(r) != 1 {
		t.Errorf("%+v", r)
	}
}
