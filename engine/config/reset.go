package config

import (
	"math"
	"math/big"
	"regexp"
	"strings"
	"sync"
)

// isoDuration is the form of java.time.Duration#parse, but for what it says in
// words: something has to follow the P, and the T.
var isoDuration = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^([-+]?)P(?:([-+]?[0-9]+)D)?(T(?:([-+]?[0-9]+)H)?(?:([-+]?[0-9]+)M)?(?:([-+]?[0-9]+)(?:[.,]([0-9]{0,9}))?S)?)?$`)
})

// ResetDuration reads auto.offset.reset=by_duration:PT1H: how far before now a
// consumer without an offset starts, in milliseconds, a part of one counting
// as a whole. ok is false for the other strategies and for what Kafka refuses:
// a negative duration, and one whose seconds do not fit into 64 bits
// (KIP-1106, AutoOffsetResetStrategy#fromString).
func ResetDuration(strategy string) (ms int64, ok bool) {
	text, found := strings.CutPrefix(strategy, "by_duration:")
	m := isoDuration().FindStringSubmatch(text)
	if !found || m == nil || strings.EqualFold(m[3], "T") || m[2] == "" && m[3] == "" {
		return 0, false
	}
	seconds := new(big.Int)
	for _, part := range []struct{ group, seconds int64 }{{2, 86400}, {4, 3600}, {5, 60}, {6, 1}} {
		if m[part.group] == "" {
			continue
		}
		n, fits := parseInt(m[part.group], 64)
		if !fits {
			return 0, false
		}
		seconds.Add(seconds, new(big.Int).Mul(big.NewInt(n), big.NewInt(part.seconds)))
	}
	nanos, _ := parseInt((m[7] + "000000000")[:9], 64) // at most nine digits, by the form
	if strings.HasPrefix(m[6], "-") {
		nanos = -nanos
	}
	total := new(big.Int).Mul(seconds, big.NewInt(1e9))
	total.Add(total, big.NewInt(nanos))
	if m[1] == "-" {
		total.Neg(total)
	}
	if !seconds.IsInt64() || total.Sign() < 0 {
		return 0, false
	}
	total.Add(total, big.NewInt(999_999)).Div(total, big.NewInt(1_000_000))
	if !total.IsInt64() {
		return math.MaxInt64, true
	}
	return total.Int64(), true
}
