package sim

// DefaultLatency is how long a message takes one way, in ms.
const DefaultLatency = 1

// links holds the latency of each direction between two nodes; a pair that is
// not named takes DefaultLatency.
type links struct {
	slow map[[2]int32]int64 // ms, by sender and receiver
	cut  map[[2]int32]bool  // by pair
}

func (l *links) latency(from, to int32) int64 {
	if d, ok := l.slow[[2]int32{from, to}]; ok {
		return d
	}
	return DefaultLatency
}
