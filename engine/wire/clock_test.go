package wire

import (
	"slices"
	"testing"
	"time"
)

// Each line of a script is told when its virtual time has come, and not later
// for what came before it.
func TestRealTimeWaitsForTheClock(t *testing.T) {
	now := time.Unix(1000, 0)
	var waited []time.Duration
	clock := Clock{
		Now: func() time.Time { return now },
		After: func(d time.Duration) <-chan time.Time {
			waited = append(waited, d)
			now = now.Add(d)
			c := make(chan time.Time, 1)
			c <- now
			return c
		},
	}
	pace := RealTime(clock)
	pace(0)
	pace(500)
	pace(500)
	now = now.Add(300 * time.Millisecond) // what came between took time itself
	pace(1000)
	now = now.Add(time.Hour)
	pace(2000)
	if want := []time.Duration{500 * time.Millisecond, 200 * time.Millisecond}; !slices.Equal(waited, want) {
		t.Errorf("it waited %v, want %v", waited, want)
	}
}
