package panel

import (
	"fmt"

	"kafkalab/lab/kit/cell"
)

// Lengths of time in milliseconds.
const (
	second int64 = 1000
	minute       = 60 * second
	hour         = 60 * minute
	day          = 24 * hour
)

// long is a length of time as people say it, in its largest unit and the next
// smaller one: 7 d, 1 h 20 min, 4 min 30 s, 1.5 s. As Kafka's settings have it,
// 24 h are said in hours still, and 60 s in seconds.
func long(ms int64) string { return spell(ms, 2*day-hour/2, 2*minute-second/2) }

// inUnits is the same for lengths that stand below each other: each unit begins
// where it is full, so that 1 d stands below 8 d, and no 24 h.
func inUnits(ms int64) string { return spell(ms, day-minute/2, minute) }

// spell says a length of time, with days and minutes from some length on.
func spell(ms, fromDays, fromMinutes int64) string {
	two := func(a, one int64, aName string, bName string) string {
		text := cell.Thin(ms/a) + " " + aName
		if rest := ms % a / one; rest > 0 {
			text += " " + cell.Thin(rest) + " " + bName
		}
		return text
	}
	round := func(to int64) { ms = (ms + to/2) / to * to }
	switch {
	case ms >= fromDays:
		round(hour)
		return two(day, hour, "d", "h")
	case ms >= hour-second/2:
		round(minute)
		return two(hour, minute, "h", "min")
	case ms >= fromMinutes:
		round(second)
		return two(minute, second, "min", "s")
	case ms >= second && ms%second < 100:
		return cell.Thin(ms/second) + " s"
	}
	return left(ms)
}

// scale is the one unit that the lengths of a column are written in, so that
// rows can be compared.
type scale struct {
	unit int64
	name string
}

// scaleOf is the largest unit that the longest of a column fills.
func scaleOf(longest int64) scale {
	for _, s := range []scale{{day, "d"}, {hour, "h"}, {minute, "min"}, {second, "s"}} {
		if longest >= s.unit {
			return s
		}
	}
	return scale{1, "ms"}
}

// text writes a length with one decimal, rounded down: what is said to be over
// is over. Something is never written as nothing.
func (s scale) text(ms int64) string {
	switch tenth := s.unit / 10; {
	case s.unit == 1:
		return cell.Thin(ms) + " " + s.name
	case ms > 0 && ms < tenth:
		return "< 0.1 " + s.name
	default:
		return fmt.Sprintf("%s.%d %s", cell.Thin(ms/s.unit), ms/tenth%10, s.name)
	}
}
