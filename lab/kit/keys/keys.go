// Package keys turns what a terminal sends into keys one at a time, and makes
// the bindings from which the key line and the help sheet are drawn.
package keys

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Bind makes a binding: shown is what the key line calls it, desc what it
// does, and keys are bubbletea's names of the keys (" " is space); without
// keys, shown is the key.
func Bind(shown, desc string, keys ...string) key.Binding {
	if len(keys) == 0 {
		keys = []string{shown}
	}
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, desc))
}

// Split gives the keys that one message stands for, in the order they were
// struck. A terminal sends bytes, and what arrives together becomes one
// message: letters typed fast, or by a program, are one message with several
// runes, and Esc with a letter right behind it looks like alt and that letter.
// The lab has no alt keys, so the latter are two keys again. Arrows and
// backspace keep alt, which terminals send on purpose there.
//
// Pasted text stays one message, whose Paste is set: it is text and never a
// command. Split is for the root of the program; all below it get one key a
// message.
func Split(msg tea.KeyMsg) []tea.KeyMsg {
	if msg.Paste {
		return []tea.KeyMsg{msg}
	}
	var out []tea.KeyMsg
	if msg.Alt && altIsEsc(msg.Type) {
		out = append(out, tea.KeyMsg{Type: tea.KeyEsc})
		msg.Alt = false
	}
	if msg.Type != tea.KeyRunes {
		return append(out, msg)
	}
	for _, r := range msg.Runes {
		out = append(out, rune1(r))
	}
	return out
}

func altIsEsc(t tea.KeyType) bool {
	switch t {
	case tea.KeyRunes, tea.KeySpace, tea.KeyEnter, tea.KeyTab, tea.KeyEsc:
		return true
	}
	return false
}

// rune1 is the message of one typed character. Space has a type of its own in
// bubbletea, even in the middle of other letters.
func rune1(r rune) tea.KeyMsg {
	if r == ' ' {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}
}

// Text is what a message types into a field: its characters, or what was
// pasted. It is empty for keys that are commands everywhere.
func Text(msg tea.KeyMsg) string {
	if msg.Alt && !msg.Paste {
		return ""
	}
	switch msg.Type {
	case tea.KeySpace:
		return " "
	case tea.KeyRunes:
		return string(msg.Runes)
	}
	return ""
}

// Lines are the lines of pasted text, without control characters but with
// tabs as one space each. One line feed at the end ends the last line and does
// not begin another.
func Lines(msg tea.KeyMsg) []string {
	text := strings.NewReplacer("\r\n", "\n", "\r", "\n", "\t", " ").Replace(Text(msg))
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.Map(func(r rune) rune {
			if unicode.IsControl(r) {
				return -1
			}
			return r
		}, l)
	}
	return lines
}
