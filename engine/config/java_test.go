package config

import (
	"math"
	"slices"
	"testing"
)

func TestFormatDouble(t *testing.T) {
	for want, f := range map[string]float64{
		"0.0": 0, "-0.0": math.Copysign(0, -1), "1.0": 1, "0.5": .5, "0.001": .001, "9.99E-4": .000999, "1.0E7": 1e7, "9999999.0": 9999999,
		"1.2345678E7": 12345678, "1.7976931348623157E308": math.MaxFloat64, "4.9E-324": 5e-324, "NaN": math.NaN(),
		"Infinity": math.Inf(1), "-Infinity": math.Inf(-1), "-1.0E-5": -1e-5,
	} {
		if got := formatDouble(f); got != want {
			t.Errorf("%v is shown as %s, want %s", f, got, want)
		}
	}
}

// TestHashOrder: the walk of a HashMap of Java 17 over these keys.
func TestHashOrder(t *testing.T) {
	for _, c := range []struct{ names, want []string }{
		{[]string{"alpha", "zeta"}, []string{"zeta", "alpha"}},
		{[]string{"broker.rack", "log.dirs", "node.id", "num.partitions"}, []string{"node.id", "num.partitions", "broker.rack", "log.dirs"}},
		{[]string{"a", "b", "c", "d"}, []string{"a", "b", "c", "d"}},
	} {
		if got := hashOrder(c.names); !slices.Equal(got, c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}

func TestResetDuration(t *testing.T) {
	for s, want := range map[string]int64{
		"PT1H": 3_600_000, "P1DT2H3M4.5S": 93_784_500, "p1d": 86_400_000, "PT0S": 0, "PT0.0001S": 1, "PT1.0000001S": 1001,
		"-PT-1H": 3_600_000, "P1DT-23H": 3_600_000, "PT1,5S": 1500, "P106751991167300D": math.MaxInt64, "PT.5S": -1,
		"P": -1, "PT": -1, "P1W": -1, "P1Y": -1, "PT1.5H": -1, "-PT1S": -1, "PT-1S": -1, "PT-0.5S": -1, "P1DT": -1,
		"PT9223372036854775808S": -1, "P999999999999999D": -1, "PT1.0123456789S": -1, "PT1.S": 1000,
	} {
		got, ok := ResetDuration("by_duration:" + s)
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("%s is %d ms, want %d", s, got, want)
		}
	}
	for _, s := range []string{"earliest", "PT1H", "by_duration", "BY_DURATION:PT1H"} {
		if _, ok := ResetDuration(s); ok {
			t.Errorf("%s is a duration", s)
		}
	}
}
