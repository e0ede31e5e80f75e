package config

import (
	"strings"
	"testing"
)

// What APPEND and SUBTRACT make of a list, with Java's way of splitting.
func TestChangeList(t *testing.T) {
	for _, c := range []struct {
		current, items string
		subtract       bool
		want           string
	}{
		{"delete", "compact", false, "delete,compact"},
		{"delete,compact", "compact", false, "delete,compact"},
		{"delete,compact", "delete", true, "compact"},
		{"delete,compact", "compact,delete", true, ""},
		{"delete", "compact", true, "delete"},
		{"", "a,b", false, "a,b"},
		{"a", "", false, "a,"},     // an empty item, which the checks then refuse
		{"a", ",", false, "a"},     // no item at all
		{"a", "b,,", false, "a,b"}, // empty ones at the end are dropped
		{"a", ",b", false, "a,,b"}, // those before are not
		{"a,,b", "b", true, "a"},   // empty ones that are there already are
		{"a,b", "c,a", false, "a,b,c"},
	} {
		if got := strings.Join(ChangeList(c.current, c.items, c.subtract), ","); got != c.want {
			t.Errorf("%q, %q, subtract %v: %q, want %q", c.current, c.items, c.subtract, got, c.want)
		}
	}
}
