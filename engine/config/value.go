package config

import (
	"slices"
	"strconv"
	"strings"
)

// value is a parsed value: one of its fields, as the type says.
type value struct {
	null bool
	num  int64    // SHORT, INT, LONG; BOOLEAN as 0 and 1
	real float64  // DOUBLE
	text string   // STRING, CLASS, PASSWORD
	list []string // LIST
}

// format is ConfigDef#convertToString: the value as a description shows it,
// whatever the spelling it was given in.
func (v value) format(t Type) string {
	switch {
	case v.null:
		return "null"
	case t == Boolean:
		return strconv.FormatBool(v.num != 0)
	case t.numeric():
		return strconv.FormatInt(v.num, 10)
	case t == Double:
		return formatDouble(v.real)
	case t == List:
		return strings.Join(v.list, ",")
	default:
		return v.text
	}
}

// java is Object#toString, as a message shows the value.
func (v value) java(t Type) string {
	if t == List && !v.null {
		return "[" + strings.Join(v.list, ", ") + "]"
	}
	return v.format(t)
}

// float is Number#doubleValue.
func (v value) float(t Type) float64 {
	if t == Double {
		return v.real
	}
	return float64(v.num)
}

// invalid is the message of a ConfigException.
func invalid(name, value, why string) string {
	return "Invalid value " + value + " for configuration " + name + ": " + why
}

// parseValue is ConfigDef#parseValue: parse by type, then ask the validator.
// It returns Kafka's message when the value is refused.
func parseValue(k *Key, raw string) (v value, refusal string) {
	if v, refusal = parseType(k, raw); refusal != "" {
		return v, refusal
	}
	return v, check(k, &v)
}

// check asks the validator of a key. A list that has one loses its duplicates
// first (Kafka warns in its log, no more).
func check(k *Key, v *value) (refusal string) {
	if k.Validator == nil {
		return ""
	}
	if _, ok := k.Validator.(listOf); ok {
		v.list = distinct(v.list)
	}
	return k.Validator.check(k, *v)
}

// parseType is ConfigDef#parseType for a value given as text.
func parseType(k *Key, raw string) (v value, refusal string) {
	s := trim(raw)
	ok := true
	switch k.Type {
	case Boolean:
		isTrue := strings.EqualFold(s, "true")
		if !isTrue && !strings.EqualFold(s, "false") {
			return v, invalid(k.Name, raw, "Expected value to be either true or false")
		}
		if isTrue {
			v.num = 1
		}
	case Short:
		v.num, ok = parseInt(s, 16)
	case Int:
		v.num, ok = parseInt(s, 32)
	case Long:
		v.num, ok = parseInt(s, 64)
	case Double:
		v.real, ok = parseDouble(s)
	case List:
		v.list = splitList(s)
	case Class:
		if !knownClass(s) {
			return v, invalid(k.Name, raw, "Class "+raw+" could not be found.")
		}
		v.text = s
	default:
		v.text = s
	}
	if !ok {
		return v, invalid(k.Name, raw, "Not a number of type "+string(k.Type))
	}
	return v, ""
}

// splitList splits at commas and the white space around them; an empty text is
// an empty list, but "a," has an empty second element.
func splitList(s string) []string {
	if s == "" {
		return nil
	}
	parts := strings.Split(s, ",")
	for i := range parts {
		parts[i] = strings.Trim(parts[i], " \t\n\v\f\r")
	}
	return parts
}

func distinct(list []string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
