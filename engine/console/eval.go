package console

import (
	"strings"

	"kafkalab/engine"
)

// Eval gives the value of a path, a sum or a count at this moment. An error is
// an expression that cannot be read.
func (s *Session) Eval(expr string) (engine.Value, error) {
	words, err := lex(expr)
	if err != nil {
		return engine.None, wrong("", "%v", err)
	}
	t, err := engine.ParseTerm(words)
	if err != nil {
		return engine.None, exprError(err)
	}
	if err := s.ensure(); err != nil {
		return engine.None, err
	}
	return t.Eval(s.Cluster()), nil
}

// Holds tells whether a condition holds at this moment; got is what there is
// instead.
func (s *Session) Holds(expr string) (held bool, got string, err error) {
	words, err := lex(expr)
	if err != nil {
		return false, "", wrong("", "%v", err)
	}
	e, err := parseExpr(words)
	if err != nil {
		return false, "", err
	}
	if err := s.ensure(); err != nil {
		return false, "", err
	}
	held, got = e.Holds(s.Cluster())
	return held, got, nil
}

// Interpolate replaces every {expression} of a text by its value, whole numbers
// with their thousands apart as on the screens; {{ and }} stand for braces.
func (s *Session) Interpolate(text string) (string, error) {
	var out strings.Builder
	for {
		open := strings.IndexAny(text, "{}")
		if open < 0 {
			out.WriteString(text)
			return out.String(), nil
		}
		out.WriteString(text[:open])
		if strings.HasPrefix(text[open:], "{{") || strings.HasPrefix(text[open:], "}}") {
			out.WriteByte(text[open])
			text = text[open+2:]
			continue
		}
		end := strings.IndexByte(text[open:], '}')
		if text[open] == '}' || end < 0 {
			return "", wrong(text[open:], "a brace is not paired: {EXPR} is a value, {{ and }} are braces")
		}
		v, err := s.Eval(text[open+1 : open+end])
		if err != nil {
			return "", err
		}
		out.WriteString(apart(v))
		text = text[open+end+1:]
	}
}

// apart writes a whole number of more than three digits in groups, with the
// plain space that the screens use. A timestamp, of thirteen, stays a word.
func apart(v engine.Value) string {
	s := v.String()
	digits := strings.TrimPrefix(s, "-")
	if len(digits) < 4 || len(digits) > 12 || strings.Trim(digits, "0123456789") != "" || digits[0] == '0' {
		return s
	}
	var out strings.Builder
	out.WriteString(s[:len(s)-len(digits)])
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			out.WriteByte(' ')
		}
		out.WriteRune(d)
	}
	return out.String()
}
