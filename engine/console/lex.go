package console

import (
	"fmt"
	"strings"

	"kafkalab/engine"
)

// lex cuts a line into words as a shell does: blanks separate, single quotes
// keep everything, double quotes know \" and \\, a backslash outside of quotes
// keeps the next character, and # at the start of a word begins a comment. A
// word knows whether it had quotes.
func lex(line string) (engine.Words, error) {
	var words engine.Words
	var word strings.Builder
	in, quote, quoted := false, rune(0), false
	take := func() {
		if in {
			words = append(words, engine.PlainWords(word.String())[0])
			words[len(words)-1].Quoted = quoted
			word.Reset()
		}
		in, quoted = false, false
	}
	runes := []rune(line)
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		switch {
		case quote == '\'' && r != '\'', quote == '"' && r != '"' && r != '\\':
			word.WriteRune(r)
		case quote != 0 && r == quote:
			quote = 0
		case r == '\\':
			i++
			if i == len(runes) {
				return nil, fmt.Errorf("the line ends after a backslash")
			}
			if quote == '"' && runes[i] != '"' && runes[i] != '\\' {
				word.WriteRune('\\')
			}
			word.WriteRune(runes[i])
			in = true
		case r == '\'' || r == '"':
			quote, in, quoted = r, true, true
		case r == ' ' || r == '\t' || r == '\r':
			take()
		case r == '#' && !in:
			return words, nil
		default:
			word.WriteRune(r)
			in = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quote (%c) is not closed", quote)
	}
	take()
	return words, nil
}
