package console

import (
	"fmt"
	"strings"
)

// split cuts a line into words as a shell does: blanks separate, single quotes
// keep everything, double quotes know \" and \\, a backslash outside of quotes
// keeps the next character, and # at the start of a word begins a comment.
func split(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	in, quote := false, rune(0)
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
			quote, in = r, true
		case r == ' ' || r == '\t' || r == '\r':
			if in {
				words = append(words, word.String())
				word.Reset()
			}
			in = false
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
	if in {
		words = append(words, word.String())
	}
	return words, nil
}
