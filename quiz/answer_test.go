package quiz

import (
	"testing"

	"kafkalab/engine"
)

func TestParseNumber(t *testing.T) {
	for _, c := range []struct {
		typed, unit string
		want        float64
		ok          bool
	}{
		{"57840", "", 57840, true},
		{"57 840", "", 57840, true},
		{"57_840", "", 57840, true},
		{"57,840", "", 57840, true},
		{"57\u202f840", "", 57840, true},
		{"57\u00a0840 B", "B", 57840, true},
		{" 1 048 576 ", "", 1048576, true},
		{"0.31", "", 0.31, true},
		{"-3", "", -3, true},
		{"\u22123", "", -3, true},
		{"12ms", "ms", 12, true},
		{"12 MS", "ms", 12, true},
		{"12 m", "ms", 0, false},
		{"5 records", "records", 5, true},
		{"1 record", "records", 1, true},
		{"5 records", "record", 5, true},
		{"broker-2", "broker", 2, true},
		{"broker 2", "broker", 2, true},
		{"12 ms", "", 0, false},
		{"12 s", "ms", 0, false},
		{"5 7840", "", 0, false},
		{"1 2", "", 0, false},
		{"", "", 0, false},
		{"ms", "ms", 0, false},
		{"1e3", "", 0, false},
		{"0x10", "", 0, false},
		{"NaN", "", 0, false},
		{"1.", "", 0, false},
		{"--1", "", 0, false},
	} {
		got, ok := ParseNumber(c.typed, c.unit)
		if ok != c.ok || got != c.want {
			t.Errorf("ParseNumber(%q, %q) = %v, %v, want %v, %v", c.typed, c.unit, got, ok, c.want, c.ok)
		}
	}
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		value       engine.Value
		typed, unit string
		want        bool
	}{
		{engine.Number(57840), "57 840", "", true},
		{engine.Number(57840), "57841", "", false},
		{engine.Number(2), "broker-2", "broker", true},
		{engine.Number(2), "two", "", false},
		{engine.Word("0.31"), "0.31", "", true},
		{engine.Word("NOT_ENOUGH_REPLICAS"), "not enough replicas", "", true},
		{engine.Word("NOT_ENOUGH_REPLICAS"), "Not-Enough-Replicas", "", true},
		{engine.Word("NOT_ENOUGH_REPLICAS"), "NOT_LEADER", "", false},
		{engine.Word("49:4404"), " 49:4404", "", true},
		{engine.Word(""), "", "", false},
		{engine.None, "none", "", true},
		{engine.None, "0", "", false},
		{engine.List([]string{"1", "2"}), "1,2", "", true},
		{engine.List([]string{"1", "2"}), "{2, 1}", "", true},
		{engine.List([]string{"1", "2"}), "1 and 2", "", true},
		{engine.List([]string{"1", "2"}), "broker-1, broker-2", "broker", true},
		{engine.List([]string{"1", "2"}), "1,2,3", "", false},
		{engine.List([]string{"1", "2"}), "1", "", false},
		{engine.List([]string{"3", "1"}), "1,3", "", false},
		{engine.List([]string{"3", "1"}), "3 1", "", true},
		{engine.List([]string{"b", "a"}), "b a", "", true},
		{engine.List([]string{"b", "a"}), "a b", "", false},
		{engine.List(nil), "none", "", true},
		{engine.List(nil), "1", "", false},
		{engine.List([]string{"2"}), "2", "", true},
		{engine.List([]string{"2"}), "[2]", "", true},
	} {
		if got := Match(c.value, c.typed, c.unit); got != c.want {
			t.Errorf("Match(%s, %q, %q) = %v", c.value, c.typed, c.unit, got)
		}
	}
}

// Nothing that can be typed breaks it, and what the engine says is its own
// answer.
func FuzzMatch(f *testing.F) {
	for _, s := range []string{"57 840", "1,2,3", "{}", "broker-", "-", "none", "\u2212", "[[", "12 ms"} {
		f.Add(s, "ms")
	}
	f.Fuzz(func(t *testing.T, typed, unit string) {
		Match(engine.Number(7), typed, unit)
		Match(engine.List([]string{typed, unit}), typed, unit)
		Match(engine.None, typed, unit)
		if n, ok := ParseNumber(typed, unit); ok && n != n {
			t.Errorf("%q is read as no number", typed)
		}
	})
}
