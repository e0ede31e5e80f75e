package keys_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kafkalab/lab/kit/keys"
)

func TestSplit(t *testing.T) {
	runes := func(s string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)} }
	alt := func(k tea.KeyMsg) tea.KeyMsg { k.Alt = true; return k }
	paste := runes("two words")
	paste.Paste = true
	for _, c := range []struct {
		name string
		in   tea.KeyMsg
		want string
	}{
		{"one letter", runes("j"), "j"},
		{"three letters", runes("jjk"), "j j k"},
		{"letters and a space", runes("a b"), "a <space> b"},
		{"esc, then a letter", alt(runes("q")), "esc q"},
		{"esc twice", alt(tea.KeyMsg{Type: tea.KeyEsc}), "esc esc"},
		{"esc, then enter", alt(tea.KeyMsg{Type: tea.KeyEnter}), "esc enter"},
		{"esc, then space", alt(tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}), "esc <space>"},
		{"alt and an arrow", alt(tea.KeyMsg{Type: tea.KeyLeft}), "alt+left"},
		{"alt and backspace", alt(tea.KeyMsg{Type: tea.KeyBackspace}), "alt+backspace"},
		{"a key with a name", tea.KeyMsg{Type: tea.KeyCtrlC}, "ctrl+c"},
		{"a paste", paste, "[two words]"},
		{"nothing", runes(""), ""},
	} {
		var got []string
		for _, k := range keys.Split(c.in) {
			name := k.String()
			if k.Type == tea.KeySpace {
				name = "<space>"
			}
			got = append(got, name)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %q, want %q", c.name, s, c.want)
		}
	}
}

// Splitting loses no letter and gives one at a time.
func TestSplitKeepsTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typed := rapid.SliceOf(rapid.Rune()).Draw(t, "typed")
		text := ""
		for _, k := range keys.Split(tea.KeyMsg{Type: tea.KeyRunes, Runes: typed}) {
			if len(k.Runes) != 1 {
				t.Fatalf("%q has %d runes", k, len(k.Runes))
			}
			text += keys.Text(k)
		}
		if text != string(typed) {
			t.Fatalf("%q, want %q", text, string(typed))
		}
	})
}

func TestText(t *testing.T) {
	for want, msg := range map[string]tea.KeyMsg{
		"x":  {Type: tea.KeyRunes, Runes: []rune{'x'}},
		" ":  {Type: tea.KeySpace, Runes: []rune{' '}},
		"":   {Type: tea.KeyEnter},
		"pq": {Type: tea.KeyRunes, Runes: []rune("pq"), Paste: true},
	} {
		if got := keys.Text(msg); got != want {
			t.Errorf("%v: %q, want %q", msg, got, want)
		}
	}
}

func TestLines(t *testing.T) {
	msg := tea.KeyMsg{Type: tea.KeyRunes, Paste: true, Runes: []rune("topic create t\r\nproduce\tt\n\x1b[31mred\n")}
	if diff := cmp.Diff([]string{"topic create t", "produce t", "[31mred"}, keys.Lines(msg)); diff != "" {
		t.Error(diff)
	}
}

func TestBind(t *testing.T) {
	b := keys.Bind("↑↓", "move", "up", "k", "down", "j")
	if !key.Matches(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'k'}}, b) || b.Help().Desc != "move" {
		t.Error("↑↓ does not match k")
	}
	if q := keys.Bind("q", "quit"); !key.Matches(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'q'}}, q) {
		t.Error("q does not match q")
	}
}
