package sim

// Rounds is a long poll that would go round and round while there is nothing
// to tell: it arrives, waits, is answered empty, and comes again one trip
// later. Kafka's followers and brokers do this twice a second for ever. The
// loop skips such rounds; Rounds says where in one the poll would be, so that
// what happens next happens at the very millisecond at which it would have
// happened had every round been run.
type Rounds struct {
	First Time  // arrival of the round that was really run
	Wait  int64 // ms that a round waits before it is answered empty
	Trip  int64 // ms from an answer to the next arrival
}

func (r Rounds) period() int64 { return r.Wait + r.Trip }

// Last is the arrival of the newest round at or before now.
func (r Rounds) Last(now Time) Time {
	if now < r.First || r.period() <= 0 {
		return r.First
	}
	return r.First + (now-r.First)/r.period()*r.period()
}

// Parked tells whether the poll waits at its destination now; otherwise it is
// on its way. At the instant of its time-out it still waits.
func (r Rounds) Parked(now Time) bool { return now-r.Last(now) <= r.Wait }

// NextArrival is when the poll, being on its way, arrives again.
func (r Rounds) NextArrival(now Time) Time { return r.Last(now) + r.period() }

// NextTimeout is when the poll is next answered without data: in this round if
// it is parked, else in the one to come.
func (r Rounds) NextTimeout(now Time) Time {
	if r.Parked(now) {
		return r.Last(now) + r.Wait
	}
	return r.NextArrival(now) + r.Wait
}
