package console

import "fmt"

// SyntaxError is a line that cannot be read. Nothing of it was run.
type SyntaxError struct {
	Line    int    // from 1, 0 when a single line was given
	Word    string // what is wrong, empty when something is missing
	Message string // what is wrong with it and what is allowed
	Nearest string // a known word that may have been meant, empty for none
}

func (e *SyntaxError) Error() string {
	s := e.Message
	if e.Nearest != "" {
		s += fmt.Sprintf("; did you mean %s?", e.Nearest)
	}
	return s
}

func wrong(word, format string, args ...any) *SyntaxError {
	return &SyntaxError{Word: word, Message: fmt.Sprintf(format, args...)}
}

// notYet is a command or key whose part of the engine does not exist yet.
func notYet(word string) *SyntaxError {
	return wrong(word, "%s is not available yet", word)
}
