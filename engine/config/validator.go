package config

import (
	"strings"
)

// Validator says which values of a type a config takes (ConfigDef.Validator).
type Validator interface {
	// String says it for people.
	String() string
	// check returns Kafka's message when the value is refused, else "".
	check(k *Key, v value) string
}

// parseValidator reads the table's validator column.
func parseValidator(text string) (v Validator, bad string) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return nil, "no validator"
	}
	switch kind, args := words[0], words[1:]; {
	case kind == "-":
		return nil, ""
	case kind == "range" && len(args) == 2:
		return parseRange(args[0], args[1])
	case kind == "in" && len(args) == 1:
		return oneOf{allowed: strings.Split(args[0], ",")}, ""
	case kind == "in-any-case" && len(args) == 1:
		return oneOf{allowed: strings.Split(args[0], ","), anyCase: true}, ""
	case kind == "list":
		return parseListOf(args)
	}
	if s, ok := special[text]; ok {
		return s, ""
	}
	return nil, "unknown validator " + text
}

// within is a range of numbers, both ends belonging to it
// (ConfigDef.Range). The ends are kept as text too, since Kafka's message shows
// a whole 1 as 1 and a real one as 1.0.
type within struct {
	min, max         float64
	minText, maxText string // empty: open
}

func parseRange(lo, hi string) (Validator, string) {
	r, ok := within{}, true
	if lo != "-" {
		r.minText = lo
		if r.min, ok = parseDouble(lo); !ok {
			return nil, "not a number: " + lo
		}
	}
	if hi != "-" {
		r.maxText = hi
		if r.max, ok = parseDouble(hi); !ok {
			return nil, "not a number: " + hi
		}
	}
	return r, ""
}

func (r within) String() string {
	switch {
	case r.maxText == "":
		return "at least " + r.minText
	case r.minText == "":
		return "at most " + r.maxText
	}
	return r.minText + " to " + r.maxText
}

// check compares as Kafka does, as doubles: NaN is in every range.
func (r within) check(k *Key, v value) string {
	n := v.float(k.Type)
	switch {
	case r.minText != "" && n < r.min:
		return invalid(k.Name, v.format(k.Type), "Value must be at least "+r.minText)
	case r.maxText != "" && n > r.max:
		return invalid(k.Name, v.format(k.Type), "Value must be no more than "+r.maxText)
	}
	return ""
}

// oneOf is a fixed set of words (ConfigDef.ValidString and
// CaseInsensitiveValidString).
type oneOf struct {
	allowed []string
	anyCase bool
}

func (o oneOf) String() string { return "one of " + strings.ToLower(strings.Join(o.allowed, ", ")) }

func (o oneOf) check(k *Key, v value) string { return o.checkWord(k, v.text) }

func (o oneOf) checkWord(k *Key, word string) string {
	kind := "String must be one of: "
	if o.anyCase {
		kind = "String must be one of (case insensitive): "
	}
	for _, allowed := range o.allowed {
		if word == allowed || o.anyCase && strings.ToUpper(word) == allowed {
			return ""
		}
	}
	return invalid(k.Name, word, kind+strings.Join(o.allowed, ", "))
}

// listOf is a list without duplicates, of anything or of a fixed set of words
// (ConfigDef.ValidList).
type listOf struct {
	words    oneOf // nothing allowed: anything
	nonEmpty bool
}

func parseListOf(args []string) (Validator, string) {
	var l listOf
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "non-empty":
			l.nonEmpty = true
		case args[i] == "nullable": // a value given as text is never null
		case args[i] == "in" && i+1 < len(args):
			i++
			l.words.allowed = strings.Split(args[i], ",")
		default:
			return nil, "unknown word in a list's validator: " + args[i]
		}
	}
	return l, ""
}

func (l listOf) String() string {
	what := "any"
	if len(l.words.allowed) > 0 {
		what = "of " + strings.Join(l.words.allowed, ", ")
	}
	if l.nonEmpty {
		what += ", not empty"
	}
	return what
}

func (l listOf) check(k *Key, v value) string {
	if len(v.list) == 0 && l.nonEmpty {
		valid := "any non-empty value"
		if len(l.words.allowed) > 0 {
			valid = "[" + strings.Join(l.words.allowed, ", ") + "]"
		}
		return "Configuration '" + k.Name + "' must not be empty. Valid values include: " + valid
	}
	for _, word := range v.list {
		if word == "" {
			return "Configuration '" + k.Name + "' values must not be empty."
		}
		if len(l.words.allowed) == 0 {
			continue
		}
		if refusal := l.words.checkWord(k, word); refusal != "" {
			return refusal
		}
	}
	return ""
}
