package lab

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// cleanerPanel is a sandbox in which a pass was made, at the panel that shows it.
func cleanerPanel(t *testing.T, w, h int) *learner {
	t.Helper()
	l := open(t, w, h, realPanels)
	sandbox(l)
	l.press(":")
	for _, line := range []string{
		"topic create users partitions=2 replicas=1 cleanup.policy=compact", "produce users/0 key=k1 value=a", "produce users/0 key=k1 value=b",
		"produce users/0 key=k2 tombstone", "roll users/0", "compact users/0", "produce users/0 key=k1 value=c",
	} {
		l.write(line).press("enter")
	}
	l.press("esc", "]")
	l.lens("cleanup.policy")
	return l
}

// Keys, wheel and mouse in the panels of the cleaner and of retention: what the
// key line and the list tell of is what they do.
func TestCleanerAndRetentionInTheSandbox(t *testing.T) {
	l := cleanerPanel(t, 100, 30)
	l.sees("users/0 on", "2 of 3 records kept", "C  compact users/0", "O  roll users/0", "[ ] partition")
	l.send(tea.MouseMsg{X: 60, Y: 20, Action: tea.MouseActionPress, Button: tea.MouseButtonWheelDown})
	l.sees("▌· 0  k1", "k1 → 1")
	x, y := l.find("tombstone, waits", 40)
	l.click(x, y)
	l.sees("▌† 2  k2")
	l.press("C").sees("not compacted users/0: all that is", "no pass now: all that is dirty")
	l.press("O", "C").sees("no pass now: ratio")
	l.press("b").sees("retention.ms not used", "K  check users/0 now").misses("D  delete")
	l.press("down").sees("D  delete records below 3").press("D").sees("error POLICY_VIOLATION")
	l.press("]").sees("users/1 on").press("]").sees("orders/0").press("[", "[").sees("users/0 on")
	l.press("B", "o").sees("batch header")
	cleanerPanel(t, 80, 24).press("C").sees("not compacted users/0")
}

// What --plain and the console show of the same.
func TestShowCleanerAndRetention(t *testing.T) {
	l := cleanerPanel(t, 100, 50)
	l.press(":").write("show cleaner users/0").press("enter")
	l.sees("cleanup.policy compact  first dirty 3", "0  key k1  left out: an older value of its key", "map k2 = 2", "delete horizon of 2-2 in 86")
	l.write("show retention users/0").press("enter").sees("retention.ms no limit", ".log.deleted is unlinked in ")
}
