package cell

import (
	"fmt"
	"strconv"
)

// Thin writes n with a gap between its thousands: 57 840. The gap is a plain
// space: the thinner spaces of Unicode are one cell wide in some fonts, two in
// others, and have no ASCII twin. Fold never breaks a line at it.
func Thin(n int64) string {
	var buf [32]byte
	digits := strconv.AppendInt(buf[:0], n, 10)
	out := make([]byte, 0, len(digits)+8)
	if digits[0] == '-' {
		out = append(out, '-')
		digits = digits[1:]
	}
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			out = append(out, ' ')
		}
		out = append(out, d)
	}
	return string(out)
}

// Clock writes virtual milliseconds, the same everywhere, so that an event is
// found again by the time in the title: 41.250, 1:00.006 from a minute on, and
// 360:00:02.132 from an hour on. Negative times are shown as 0.
func Clock(ms int64) string {
	ms = max(ms, 0)
	s, m, h := ms/1000%60, ms/60_000%60, ms/3_600_000
	switch {
	case h > 0:
		return fmt.Sprintf("%s:%02d:%02d.%03d", Thin(h), m, s, ms%1000)
	case m > 0:
		return fmt.Sprintf("%d:%02d.%03d", m, s, ms%1000)
	}
	return fmt.Sprintf("%d.%03d", s, ms%1000)
}

// Size writes a number of bytes: exactly up to 64 KiB, where lessons count
// bytes, and rounded down in KiB, MiB, GiB or TiB above: 12 240 B, 118 KiB.
func Size(bytes int64) string {
	const exact = 64 << 10
	if bytes < exact && bytes > -exact {
		return Thin(bytes) + " B"
	}
	unit := 0
	for n := bytes / 1024; ; n /= 1024 {
		if unit == 3 || n < 1024 && n > -1024 {
			return Thin(n) + " " + [...]string{"KiB", "MiB", "GiB", "TiB"}[unit]
		}
		unit++
	}
}
