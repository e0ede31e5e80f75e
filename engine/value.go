package engine

import (
	"strconv"
	"strings"
)

// Value is what a path of the script language yields: nothing, a number, a
// word, or a list. The zero Value is none, a thing that is not there.
type Value struct {
	kind  valueKind
	text  string
	list  []string
	isNum bool
	num   float64
}

type valueKind uint8

const (
	kindNone valueKind = iota
	kindScalar
	kindList
)

// None is the value of a thing that is not there.
var None = Value{}

// Number makes the value of a count, an offset, a time.
func Number(n int64) Value {
	return Value{kind: kindScalar, text: strconv.FormatInt(n, 10), isNum: true, num: float64(n)}
}

// Word makes the value of a name, a state, an error. A word that reads as a
// number compares as one.
func Word(s string) Value {
	if s == "" {
		return Value{kind: kindScalar}
	}
	f, err := strconv.ParseFloat(s, 64)
	return Value{kind: kindScalar, text: s, isNum: err == nil, num: f}
}

// List makes the value of several things, in order. An empty list is not none.
func List(items []string) Value { return Value{kind: kindList, list: items} }

// Numbers makes a list of whole numbers.
func Numbers[T ~int32 | ~int64 | ~int](items []T) Value {
	list := make([]string, len(items))
	for i, n := range items {
		list[i] = strconv.FormatInt(int64(n), 10)
	}
	return List(list)
}

// IsNone tells whether there is nothing.
func (v Value) IsNone() bool { return v.kind == kindNone }

// Items gives a list's items; a scalar is a list of itself, none an empty one.
func (v Value) Items() []string {
	switch v.kind {
	case kindNone:
		return nil
	case kindList:
		return v.list
	default:
		return []string{v.text}
	}
}

// Float gives the number a value stands for; a list of one item is its item.
func (v Value) Float() (float64, bool) {
	if v.kind == kindList {
		if len(v.list) != 1 {
			return 0, false
		}
		return Word(v.list[0]).Float()
	}
	return v.num, v.isNum
}

// String is the value as scripts print it: lists joined by commas, none as
// "none".
func (v Value) String() string {
	switch v.kind {
	case kindNone:
		return "none"
	case kindList:
		return strings.Join(v.list, ",")
	default:
		return v.text
	}
}
