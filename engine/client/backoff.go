package client

import (
	"math"
	"math/rand/v2"
)

// backoff is how Kafka's clients wait longer after each failure: twice as long
// each time, up to a bound, give or take some chance, so that many clients do
// not come back at one moment (ExponentialBackoff, KIP-580).
type backoff struct {
	first, most int64   // ms
	jitter      float64 // share of the wait that is drawn, 0 for none
}

// after is the wait in ms after so many failures before the last one. Without
// jitter, r may be nil.
func (b backoff) after(failures int, r *rand.Rand) int64 {
	if b.most <= b.first {
		return b.most
	}
	grown := float64(max(b.first, 0)) * math.Pow(2, float64(min(failures, 62)))
	grown = min(grown, float64(b.most))
	if b.jitter > 0 {
		grown *= 1 - b.jitter + 2*b.jitter*r.Float64()
	}
	return min(int64(grown), b.most)
}
