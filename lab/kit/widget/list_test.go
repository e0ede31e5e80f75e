package widget_test

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/widget"
)

func press(name string) tea.KeyMsg {
	special := map[string]tea.KeyType{"up": tea.KeyUp, "down": tea.KeyDown, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
		"home": tea.KeyHome, "end": tea.KeyEnd, "left": tea.KeyLeft, "right": tea.KeyRight, "backspace": tea.KeyBackspace,
		"delete": tea.KeyDelete, "enter": tea.KeyEnter, "ctrl+w": tea.KeyCtrlW, "ctrl+u": tea.KeyCtrlU, "ctrl+k": tea.KeyCtrlK,
		"ctrl+left": tea.KeyCtrlLeft, "ctrl+right": tea.KeyCtrlRight, "tab": tea.KeyTab, "esc": tea.KeyEsc}
	if t, ok := special[name]; ok {
		return tea.KeyMsg{Type: t}
	}
	if name == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

func TestListKeys(t *testing.T) {
	var l widget.List
	for _, c := range []struct {
		key            string
		mine           bool
		selected, from int
	}{
		{"up", true, 0, 0}, {"down", true, 1, 0}, {"j", true, 2, 0}, {"down", true, 3, 0}, {"down", true, 4, 1},
		{"k", true, 3, 1}, {"k", true, 2, 1}, {"k", true, 1, 0}, {"pgdown", true, 5, 2}, {"end", true, 9, 5},
		{"pgup", true, 5, 4}, {"home", true, 0, 0}, {"x", false, 0, 0}, {"left", false, 0, 0},
	} {
		if mine := l.Key(press(c.key), 5, 10); mine != c.mine {
			t.Errorf("%s: mine %v", c.key, mine)
		}
		from, to := l.Show(5, 10)
		if l.Selected != c.selected || from != c.from || to != from+5 {
			t.Errorf("%s: selected %d, rows %d to %d; want %d, from %d", c.key, l.Selected, from, to, c.selected, c.from)
		}
	}
}

// Whatever the keys, the size and the number of rows: the selected row is seen
// and the window is as full as it can be.
func TestListAlwaysShowsTheSelection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l widget.List
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			count := rapid.IntRange(0, 30).Draw(t, "count")
			height := rapid.IntRange(0, 12).Draw(t, "height")
			l.Key(press(rapid.SampledFrom([]string{"up", "down", "pgup", "pgdown", "home", "end"}).Draw(t, "key")), height, count)
			from, to := l.Show(height, count)
			if to-from != min(height, count) || from < 0 {
				t.Fatalf("%d rows in %d: shows %d to %d", count, height, from, to)
			}
			if count > 0 && height > 0 && (l.Selected < from || l.Selected >= to) {
				t.Fatalf("selected %d is not in %d to %d", l.Selected, from, to)
			}
			if count > 0 && (l.Selected < 0 || l.Selected >= count) {
				t.Fatalf("selected %d of %d", l.Selected, count)
			}
		}
	})
}

func TestScroll(t *testing.T) {
	var s widget.Scroll
	s.Key(press("up"), 5, 12)
	if from, to := s.Show(5, 12); from != 0 || to != 5 {
		t.Errorf("at first %d to %d", from, to)
	}
	s.Key(press("pgdown"), 5, 12)
	if from, _ := s.Show(5, 12); from != 4 || s.AtEnd(5, 12) {
		t.Errorf("a page on: from %d", from)
	}
	s.Key(press("end"), 5, 12)
	if from, to := s.Show(5, 12); from != 7 || to != 12 || !s.AtEnd(5, 12) {
		t.Errorf("at the end: %d to %d", from, to)
	}
	s.End(20)
	if from, _ := s.Show(5, 20); from != 15 {
		t.Errorf("followed: from %d", from)
	}
	s.Top()
	if from, to := s.Show(5, 3); from != 0 || to != 3 {
		t.Errorf("all: %d to %d", from, to)
	}
	if s.Key(press("x"), 5, 3) {
		t.Error("x scrolls")
	}
}

func TestScrollMark(t *testing.T) {
	for _, c := range []struct {
		from, to, count int
		want            string
	}{
		{0, 4, 8, "▐\n▐\n│\n│"}, {4, 8, 8, "│\n│\n▐\n▐"}, {0, 4, 4, "\n\n\n"}, {0, 4, 400, "▐\n│\n│\n│"}, {396, 400, 400, "│\n│\n│\n▐"},
	} {
		if got := text(1, 4, func(r canvas.Region) { widget.ScrollMark(r, 0, c.from, c.to, c.count) }); got != c.want {
			t.Errorf("%d to %d of %d: %q, want %q", c.from, c.to, c.count, got, c.want)
		}
	}
}
