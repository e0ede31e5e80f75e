package quiz

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"kafkalab/engine"
)

// Answers are typed by people. A number may have its thousands apart (57 840,
// 57_840, 57,840) and its unit beside it (12 ms, broker-2); a name may be
// written with spaces or small letters; a list may stand in brackets. Match
// knows all of that, for checks and for the predictions of a lesson alike.

var (
	plainNumber   = regexp.MustCompile(`^[+-]?\d+(\.\d+)?$`)
	groupedNumber = regexp.MustCompile(`^[+-]?\d{1,3}([ _]\d{3})+(\.\d+)?$`)
	commaNumber   = regexp.MustCompile(`^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$`)
	listSplit     = regexp.MustCompile(`\s*[,;]\s*|\s+and\s+|\s+`)
	wordJoin      = regexp.MustCompile(`[\s_-]+`)
	wideSpace     = strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\u2009", " ", "\u2212", "-")
)

// ParseNumber reads a number as people write it, with or without its unit; ok
// is false when it is no number.
func ParseNumber(typed, unit string) (n float64, ok bool) {
	s := strings.TrimSpace(wideSpace.Replace(typed))
	for _, form := range []string{s, withoutUnit(s, unit)} {
		switch {
		case plainNumber.MatchString(form):
		case groupedNumber.MatchString(form):
			form = strings.NewReplacer(" ", "", "_", "").Replace(form)
		case commaNumber.MatchString(form):
			form = strings.ReplaceAll(form, ",", "")
		default:
			continue
		}
		n, err := strconv.ParseFloat(form, 64)
		return n, err == nil
	}
	return 0, false
}

// literal reads an expression that is a number and nothing else.
func literal(expr string) (n float64, ok bool) {
	expr = strings.TrimSpace(expr)
	if !plainNumber.MatchString(expr) {
		return 0, false
	}
	n, err := strconv.ParseFloat(expr, 64)
	return n, err == nil
}

// withoutUnit takes a unit off either end: "12 ms", "12ms", "broker-2", "broker
// 2"; the plural counts as the same unit.
func withoutUnit(s, unit string) string {
	unit = strings.ToLower(strings.TrimSpace(unit))
	low := strings.ToLower(s)
	if unit == "" || len(low) != len(s) {
		return s
	}
	forms := []string{unit + "s", unit}
	if one, plural := strings.CutSuffix(unit, "s"); plural && len(one) > 2 {
		forms = append(forms, one) // records, record; but m is not ms
	}
	for _, form := range forms {
		if rest, ok := strings.CutPrefix(low, form); ok {
			return strings.TrimLeft(rest, " -")
		}
		if rest, ok := strings.CutSuffix(low, form); ok {
			return strings.TrimRight(rest, " ")
		}
	}
	return s
}

// Match tells whether what a learner typed means this value.
func Match(v engine.Value, typed, unit string) bool {
	if v.IsNone() {
		return slices.Contains([]string{"none", "nothing", "null", "-"}, word(typed))
	}
	if want, isNumber := v.Float(); isNumber {
		if got, ok := ParseNumber(strings.Trim(typed, "[](){} "), unit); ok {
			return got == want
		}
	}
	if items := v.Items(); len(items) != 1 {
		return matchList(items, typed, unit)
	}
	return word(typed) != "" && word(typed) == word(v.String())
}

// matchList compares item by item. A list of rising numbers, such as an ISR, is
// a set: there the order in which it was typed does not matter.
func matchList(items []string, typed, unit string) bool {
	typed = strings.TrimSpace(strings.Trim(wideSpace.Replace(typed), "[](){} "))
	if len(items) == 0 {
		return slices.Contains([]string{"", "none", "nothing", "empty", "-"}, word(typed))
	}
	got := listSplit.Split(typed, -1)
	want := slices.Clone(items)
	for i, g := range got {
		if n, ok := ParseNumber(g, unit); ok {
			got[i] = strconv.FormatFloat(n, 'f', -1, 64)
		} else {
			got[i] = word(g)
		}
	}
	for i, w := range want {
		if n, ok := literal(w); ok {
			want[i] = strconv.FormatFloat(n, 'f', -1, 64)
		} else {
			want[i] = word(w)
		}
	}
	if rising(items) {
		slices.Sort(got)
		slices.Sort(want)
	}
	return slices.Equal(got, want)
}

// rising tells whether a list is numbers, each above the one before.
func rising(items []string) bool {
	last, first := 0.0, true
	for _, item := range items {
		n, ok := literal(item)
		if !ok || !first && n <= last {
			return false
		}
		last, first = n, false
	}
	return true
}

// word is the form in which words are compared: NOT_ENOUGH_REPLICAS, not enough
// replicas and Not-Enough-Replicas are the same.
func word(s string) string {
	s = strings.ToLower(strings.TrimSpace(wideSpace.Replace(s)))
	if s == "-" {
		return s
	}
	return wordJoin.ReplaceAllString(s, "_")
}

// Typed tells whether an expression is a bare number: an answer that an author
// has typed in, where the engine should say it.
func Typed(expr string) bool {
	_, ok := literal(expr)
	return ok
}
