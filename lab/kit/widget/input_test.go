package widget_test

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
)

func TestInputEdits(t *testing.T) {
	for _, c := range []struct{ name, keys, want string }{
		{"type", "a b", "ab|"},
		{"space", "a <space> b", "a b|"},
		{"in the middle", "a c left b", "ab|c"},
		{"backspace", "a b c left backspace", "a|c"},
		{"backspace at the start", "a home backspace", "|a"},
		{"delete", "a b home delete", "|b"},
		{"delete at the end", "a delete", "a|"},
		{"words", "o n e <space> t w o ctrl+left ctrl+left right", "o|ne two"},
		{"word right", "o n e <space> t w o home ctrl+right", "one| two"},
		{"delete a word", "o n e <space> t w o ctrl+w", "one |"},
		{"delete before", "o n e left ctrl+u", "|e"},
		{"delete behind", "o n e left ctrl+k", "on|"},
		{"ends", "a b home x end y", "xaby|"},
	} {
		var in widget.Input
		for _, k := range strings.Fields(c.keys) {
			if !in.Key(press(strings.ReplaceAll(k, "<space>", " "))) {
				t.Errorf("%s: %s is not the field's", c.name, k)
			}
		}
		v := []rune(in.Value())
		if got := string(v[:in.Cursor()]) + "|" + string(v[in.Cursor():]); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// A key that is not the field's is left to its owner: in a field for a number,
// letters are commands.
func TestInputLeavesOtherKeys(t *testing.T) {
	in := widget.Input{Allow: widget.Digits, Limit: 3}
	for _, k := range []string{"enter", "tab", "esc", "up", "down", "b", " ", "?"} {
		if in.Key(press(k)) {
			t.Errorf("%q is taken", k)
		}
	}
	for _, k := range []string{"1", "-", "2", "3", "4"} {
		if !in.Key(press(k)) {
			t.Errorf("%q is not taken", k)
		}
	}
	if in.Value() != "1-2" {
		t.Errorf("%q, want at most 3 characters", in.Value())
	}
}

func TestInputPaste(t *testing.T) {
	paste := tea.KeyMsg{Type: tea.KeyRunes, Paste: true, Runes: []rune("57 840\n\x1b[31m\t!")}
	var in widget.Input
	in.Key(paste)
	if got := in.Value(); got != "57 840 [31m !" {
		t.Errorf("%q", got)
	}
	number := widget.Input{Allow: widget.Digits}
	if !number.Key(paste) || number.Value() != "5784031" {
		t.Errorf("%q", number.Value())
	}
	in.Replace(0, 6, "offset")
	if got := in.Value(); got != "offset [31m !" || in.Cursor() != 6 {
		t.Errorf("%q, cursor at %d", got, in.Cursor())
	}
	in.Replace(-4, 99, "x")
	if in.Value() != "x" {
		t.Errorf("%q", in.Value())
	}
}

func TestInputDraw(t *testing.T) {
	in := widget.Input{Empty: "a number"}
	draw := func(focused bool) string { return text(10, 1, func(r canvas.Region) { in.Draw(r, focused) }) }
	if got := draw(true); got != " ▏a numbe" {
		t.Errorf("empty: %q", got)
	}
	in.Set("57840")
	if got := draw(true); got != " 57840▏" {
		t.Errorf("%q", got)
	}
	if got := draw(false); got != " 57840" {
		t.Errorf("not focused: %q", got)
	}
	in.Set("produce orders")
	if got := draw(true); got != " orders▏" {
		t.Errorf("long: %q", got)
	}
	in.Key(press("home"))
	c := canvas.New(10, 1)
	in.Draw(c.Region(), true)
	if got := c.Text(); got != " produce  " || c.StyleAt(1, 0) != theme.Focus|theme.Reverse {
		t.Errorf("at the start: %q, cursor %v", got, c.StyleAt(1, 0))
	}
}

// The cursor is always seen, whatever is typed.
func TestInputShowsItsCursor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var in widget.Input
		w := rapid.IntRange(5, 20).Draw(t, "w")
		for range rapid.IntRange(0, 30).Draw(t, "keys") {
			in.Key(press(rapid.SampledFrom([]string{"a", "日", " ", "left", "right", "home", "end", "backspace", "ctrl+w", "ctrl+left"}).Draw(t, "key")))
			c := canvas.New(w, 1)
			in.Draw(c.Region(), true)
			seen := strings.Contains(c.Text(), "▏")
			for x := range w {
				seen = seen || c.StyleAt(x, 0)&theme.Reverse != 0
			}
			if !seen {
				t.Fatalf("%q at %d in %d cells: no cursor in %q", in.Value(), in.Cursor(), w, c.Text())
			}
		}
	})
}
