package config

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Kafka reads and writes its values with Java's own parsers. Where they differ
// from Go's, what is accepted, and how a number looks in a message, is Java's.

// trim is String#trim: everything up to the space goes, nothing beyond it.
func trim(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return r <= ' ' })
}

// parseInt is Integer#parseInt and its like: an optional sign, then decimal
// digits only, and no more than fits into bits.
func parseInt(s string, bits int) (int64, bool) {
	unsigned := strings.TrimPrefix(s, "+")
	if unsigned == s {
		unsigned = strings.TrimPrefix(s, "-")
	}
	if !digits(unsigned) {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, bits)
	return n, err == nil
}

// parseDouble is Double#parseDouble: "NaN" and "Infinity" in this spelling
// only, a trailing d or f as in Java source, and too large a number is
// infinite.
func parseDouble(s string) (float64, bool) {
	unsigned := strings.TrimLeft(s, "+-")
	if len(s)-len(unsigned) > 1 {
		return 0, false
	}
	switch unsigned {
	case "NaN":
		return math.NaN(), true
	case "Infinity":
		if s[0] == '-' {
			return math.Inf(-1), true
		}
		return math.Inf(1), true
	}
	hex := strings.HasPrefix(unsigned, "0x") || strings.HasPrefix(unsigned, "0X")
	if n := len(s); n > 0 && strings.ContainsRune("fFdD", rune(s[n-1])) && (!hex || strings.ContainsAny(s, "pP")) {
		s = s[:n-1]
	}
	allowed := "0123456789.eE+-"
	if hex {
		if !strings.ContainsAny(s, "pP") { // Java wants the exponent
			return 0, false
		}
		allowed += "abcdfABCDFxXpP"
	}
	if strings.Trim(s, allowed) != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) {
		return 0, false
	}
	return f, true
}

// formatDouble is Double#toString: plain between 0.001 and 10,000,000, else
// with an exponent, and always a digit after the point.
func formatDouble(f float64) string {
	switch abs := math.Abs(f); {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case abs == 0 || abs >= 1e-3 && abs < 1e7:
		s := strconv.FormatFloat(f, 'f', -1, 64)
		if !strings.Contains(s, ".") {
			s += ".0"
		}
		return s
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
	if !strings.Contains(mantissa, ".") { // Java takes the nearest of two digits
		mantissa, exponent, _ = strings.Cut(strconv.FormatFloat(f, 'e', 1, 64), "e")
	}
	n, _ := strconv.Atoi(exponent) // Go's own output: always a number
	return mantissa + "E" + strconv.Itoa(n)
}

// hashOrder puts names into the order in which a Java HashMap or HashSet of
// them is walked: Kafka reports the first wrong name of such a walk. Names that
// share a bucket are walked in the order in which they came; a Go map has
// forgotten that, so they are taken by name.
func hashOrder(names []string) []string {
	buckets := uint32(16)
	for len(names)*4 > int(buckets)*3 { // a map grows when it is three quarters full
		buckets *= 2
	}
	out := slices.Clone(names)
	slices.SortFunc(out, func(a, b string) int {
		return cmp.Or(cmp.Compare(bucket(a, buckets), bucket(b, buckets)), strings.Compare(a, b))
	})
	return out
}

// bucket is where HashMap puts a string: String#hashCode over its UTF-16
// units, with the high half mixed into the low.
func bucket(s string, buckets uint32) uint32 {
	var h uint32
	for _, unit := range utf16.Encode([]rune(s)) {
		h = 31*h + uint32(unit)
	}
	return (h ^ h>>16) & (buckets - 1)
}
