package config

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// unit is a suffix that a script may write.
type unit struct {
	suffix string
	size   int64
}

var (
	sizes     = []unit{{"B", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}}
	durations = []unit{{"ms", 1}, {"s", 1000}, {"m", 60_000}, {"h", 3_600_000}, {"d", 86_400_000}}
)

// ParseSize reads a script's size, such as 4KiB, in bytes: a whole number with
// B, KiB, MiB or GiB, or a bare one, which may be negative (-1 often means
// without limit).
func ParseSize(s string) (int64, error) {
	if n, ok := parseInt(s, 64); ok {
		return n, nil
	}
	n, err := parseUnit(s, sizes)
	if err != nil {
		return 0, fmt.Errorf("%q is no size: %w; a size is a whole number of B, KiB, MiB or GiB, as 4KiB", s, err)
	}
	return n, nil
}

// ParseDuration reads a script's duration, such as 61s, in milliseconds: a
// whole number of ms, s, m, h or d. Without a unit only 0 is clear.
func ParseDuration(s string) (ms int64, err error) {
	if s == "0" {
		return 0, nil
	}
	n, err := parseUnit(s, durations)
	if err != nil {
		return 0, fmt.Errorf("%q is no duration: %w; a duration is a whole number of ms, s, m, h or d, as 61s", s, err)
	}
	return n, nil
}

// parseUnit reads digits and one of the units right behind them.
func parseUnit(s string, units []unit) (int64, error) {
	number := s[:len(s)-len(strings.TrimLeft(s, "0123456789"))]
	suffix := s[len(number):]
	at := slices.IndexFunc(units, func(u unit) bool { return u.suffix == suffix })
	n, fits := parseInt(number, 64)
	switch {
	case number == "":
		return 0, fmt.Errorf("it does not start with a digit")
	case suffix == "":
		return 0, fmt.Errorf("the unit is missing")
	case at < 0:
		return 0, fmt.Errorf("unknown unit %q", suffix)
	case !fits || n > math.MaxInt64/units[at].size:
		return 0, fmt.Errorf("more than 64 bits hold")
	}
	return n * units[at].size, nil
}

// unitMillis is how many milliseconds a config's own unit has.
var unitMillis = map[Unit]int64{Millis: 1, Seconds: 1000, Minutes: 60_000, Hours: 3_600_000}

// Normalize turns what a script may write into what Kafka reads: 4KiB for a
// config that counts bytes into 4096, 7d for one in hours into 168, and in
// partition.assignment.strategy an assignor's short name, such as
// cooperative-sticky, into its class. All else stays as it is written, so that
// Kafka's own validation can say what is wrong with it. The error is a
// duration that is no whole number of the config's unit, as 90m of hours.
func Normalize(key Key, written string) (string, error) {
	switch {
	case key.Unit == Bytes:
		if n, err := ParseSize(written); err == nil {
			return plain(written, n), nil
		}
	case key.Unit != NoUnit:
		ms, err := ParseDuration(written)
		if err != nil {
			return written, nil
		}
		unit := unitMillis[key.Unit]
		if ms%unit != 0 {
			return "", fmt.Errorf("%s counts whole %s: %s is none", key.Name, key.Unit, written)
		}
		return plain(written, ms/unit), nil
	case key.Name == "partition.assignment.strategy":
		return assignorClasses(written), nil
	}
	return written, nil
}

// plain writes a number that had a unit; a bare one stays as it was.
func plain(written string, n int64) string {
	if _, bare := parseInt(written, 64); bare {
		return written
	}
	return fmt.Sprint(n)
}

func assignorClasses(written string) string {
	names := strings.Split(written, ",")
	for i, name := range names {
		if class, ok := assignorClass(trim(name)); ok {
			names[i] = class
		}
	}
	return strings.Join(names, ",")
}
