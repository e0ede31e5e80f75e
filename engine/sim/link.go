package sim

// DefaultLatency is how long a message takes one way, in ms.
const DefaultLatency = 1

// links holds the latency of each direction between two nodes.
type links struct {
	base int64              // ms, of every pair that is not named
	slow map[[2]int32]int64 // ms, by sender and receiver
	cut  map[[2]int32]bool  // by pair
}

func (l *links) latency(from, to int32) int64 {
	if d, ok := l.slow[[2]int32{from, to}]; ok {
		return d
	}
	return l.base
}

// SetLatency makes every message from now on take ms one way, but on links
// that Slow has named. With 0 an exchange of any number of messages happens at
// one instant: ranks and senders' order still decide what comes first.
func (l *Loop) SetLatency(ms int64) { l.links.base = ms }
