package sim

// DefaultLatency is how long a message takes one way, in ms.
const DefaultLatency = 1

// links holds the latency of each direction between two nodes.
type links struct {
	base int64              // ms, of every pair that is not named
	slow map[[2]int32]int64 // ms, by sender and receiver
	cut  map[[2]int32]bool  // by pair
	last map[flow]Time      // of links that have got faster: when the newest of what was sent before arrives
}

// flow is one direction of a connection: bytes keep their order on it, as on
// TCP.
type flow struct {
	from, to int32
	conn     Conn
}

// arrival is when a message that is sent now arrives: not before one that was
// sent earlier on the same connection, when the link was slower.
func (l *links) arrival(f flow, now Time) Time {
	at := now + l.latency(f.from, f.to)
	if len(l.last) == 0 {
		return at
	}
	return max(at, l.last[f])
}

// beforeNext is at, or the arrival of what was sent next on the same connection
// if that is on its way already and would overtake.
func (l *Loop) beforeNext(held *item, at Time) Time {
	for _, it := range l.queue {
		if it.kind == kindMessage && it.from == held.from && it.to == held.to && it.conn == held.conn && it.seq > held.seq {
			at = min(at, it.at)
		}
	}
	return at
}

// pace notes for the messages under way that what comes after them must not
// overtake them.
func (l *Loop) pace(a, b int32) {
	for _, it := range l.queue {
		if it.kind != kindMessage || pair(it.from, it.to) != pair(a, b) {
			continue
		}
		if l.links.last == nil {
			l.links.last = map[flow]Time{}
		}
		f := flow{it.from, it.to, it.conn}
		l.links.last[f] = max(l.links.last[f], it.at)
	}
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
