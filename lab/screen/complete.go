package screen

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/engine/console"
	"kafkalab/lab/kit/keys"
)

// Completer is a shell that knows what a word of a line can become.
type Completer interface {
	// Complete gives the words that the one before the cursor may be the
	// beginning of, and where that word begins.
	Complete(line string, cursor int) (from int, words []string)
}

// complete finishes the word at the cursor as far as it is clear, and offers
// the rest.
func (c *Console) complete() []Action {
	line, cursor := c.text.Value(), c.text.Cursor()
	from, words := c.candidates(line, cursor)
	if len(words) == 0 {
		c.offers = nil
		return nil
	}
	done := common(words)
	if len(words) == 1 && !strings.HasSuffix(done, "=") && !strings.HasSuffix(done, "/") {
		done += " "
	}
	if len([]rune(done)) > cursor-from {
		c.text.Replace(from, cursor, done)
	}
	c.offers = nil
	if len(words) > 1 {
		c.offers = words
	}
	return nil
}

// candidates asks the shell, else the table of commands.
func (c *Console) candidates(line string, cursor int) (from int, words []string) {
	if s, ok := c.shell.(Completer); ok {
		return s.Complete(line, cursor)
	}
	return commandWords(line, cursor)
}

// commandWords are the first words, then the second words, of the commands that
// can be run.
func commandWords(line string, cursor int) (from int, words []string) {
	before := []rune(line)[:cursor]
	from = cursor
	for from > 0 && before[from-1] != ' ' {
		from--
	}
	lead, word := strings.Fields(string(before[:from])), string(before[from:])
	for _, help := range console.Commands() {
		parts := strings.Fields(help.Name)
		if !help.Available || len(lead) >= len(parts) || !slices.Equal(lead, parts[:len(lead)]) {
			continue
		}
		next := parts[len(lead)]
		if strings.HasPrefix(next, word) && !slices.Contains(words, next) {
			words = append(words, next)
		}
	}
	slices.Sort(words)
	return from, words
}

// common is the longest beginning that all words have.
func common(words []string) string {
	first := words[0]
	for _, w := range words[1:] {
		for !strings.HasPrefix(w, first) {
			first = first[:len(first)-1]
		}
	}
	return first
}

// paste runs all lines of a paste but the last one, which stays to be edited.
func (c *Console) paste(k tea.KeyMsg) (acts []Action) {
	lines := keys.Lines(k)
	for i, line := range lines {
		k.Runes = []rune(line)
		c.text.Key(k)
		if i < len(lines)-1 {
			acts = append(acts, c.enter()...)
		}
	}
	return acts
}
