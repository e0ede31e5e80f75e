package source

import (
	"fmt"
	"strings"
)

// Text is a piece of a file with the place it was written at.
type Text struct {
	Value string
	Line  int // line of the file on which the value begins, from 1; 0 for a text that was not given
	// Exact tells that line n of the value is line Line+n of the file: so it is
	// for a block (`|`), not for a folded or quoted text.
	Exact bool
}

// Given tells whether the author wrote this text at all.
func (t Text) Given() bool { return t.Line > 0 }

// Blank tells whether there is nothing to read in it.
func (t Text) Blank() bool { return strings.TrimSpace(t.Value) == "" }

// LineAt is the line of the file that holds line n (from 0) of the value, as
// near as it is known.
func (t Text) LineAt(n int) int {
	if t.Exact {
		return t.Line + n
	}
	return t.Line
}

// With is another value at the same place: a text after its placeholders were
// filled in.
func (t Text) With(value string) Text {
	t.Value = value
	return t
}

// Expressions lists the {expressions} of a text, each with its line, as a
// session fills them in: `{{` and `}}` stand for braces. The error is for a brace
// without its pair.
func Expressions(t Text) ([]Text, error) {
	var found []Text
	line := 0
	for rest := t.Value; ; {
		at := strings.IndexAny(rest, "{}")
		if at < 0 {
			return found, nil
		}
		line += strings.Count(rest[:at], "\n")
		rest = rest[at:]
		if strings.HasPrefix(rest, "{{") || strings.HasPrefix(rest, "}}") {
			rest = rest[2:]
			continue
		}
		end := strings.IndexByte(rest, '}')
		if end <= 0 {
			return found, fmt.Errorf("a brace without its pair; {EXPR} is a value, {{ and }} are braces")
		}
		found = append(found, Text{Value: rest[1:end], Line: t.LineAt(line)})
		line += strings.Count(rest[:end], "\n")
		rest = rest[end+1:]
	}
}

var unbrace = strings.NewReplacer("{{", "{", "}}", "}")

// Unbrace turns `{{` and `}}` into the braces they stand for, in a text that no
// session fills in.
func Unbrace(text string) string { return unbrace.Replace(text) }
