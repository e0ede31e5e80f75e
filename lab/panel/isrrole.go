package panel

import (
	"slices"
	"strings"

	"kafkalab/engine"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
)

// role is what a replica is to its partition, in a word.
type role struct {
	sign  rune
	word  string
	style theme.Style
}

// roleWidth is the width of the longest word.
const roleWidth = 8

// roleOf tells of a replica whether it leads, is in sync, or is not what it
// should be: amber while it still counts, red once it does not.
func (s *isrSight) roleOf(l engine.ReplicaView) role {
	state := s.state(l.Broker)
	trouble := theme.Waiting
	if !l.InSync {
		trouble = theme.Lost
	}
	switch {
	case !isUp(state):
		return role{glyph.Gone, strings.ToUpper(state), trouble | theme.Bold}
	case l.Broker == s.part.Leader && s.part.HW >= 0:
		return role{glyph.Filled, "leader", theme.Leader}
	case state != running && state != stalled, l.State == offline:
		return role{glyph.Half, cutWord(state), trouble | theme.Bold}
	case state == stalled:
		return role{glyph.Gone, "STALLED", trouble | theme.Bold}
	case s.hide == "isr":
		return role{glyph.Filled, "follower", theme.Follower}
	case l.InSync:
		return role{glyph.Filled, "in sync", theme.Follower}
	case slices.Contains(s.part.ProposedISR, l.Broker):
		return role{glyph.Half, "joining", theme.Waiting}
	}
	return role{glyph.Todo, "behind", theme.Waiting}
}

// cutWord is a broker's state while it starts, in the width of a role.
func cutWord(state string) string {
	switch state {
	case "recovery":
		return "RECOVERS"
	case running, "starting":
		return "STARTING"
	}
	return strings.ToUpper(state)
}

// lacks tells that a follower does not have everything, as its leader knows.
func (s *isrSight) lacks(l engine.ReplicaView) bool {
	return s.part.LEO >= 0 && l.Broker != s.part.Leader && l.KnownLEO < s.part.LEO
}

// late are the followers that the leader will drop if they stay as they are. One
// whose fetch is merely under way is not told of.
func (s *isrSight) late() []engine.ReplicaView {
	var list []engine.ReplicaView
	for _, l := range s.part.Logs {
		idle := s.state(l.Broker) != running || l.BehindMs*20 > s.part.LagLimitMs
		if l.InSync && l.BehindMs >= 0 && s.lacks(l) && idle {
			list = append(list, l)
		}
	}
	return list
}

// window is the part of the log that the bars show: all of a short one, else
// its end, with room for what is open and for who is behind.
type window struct{ from, to int64 }

// windowOf chooses the offsets for bars of w cells. Bars are as far apart as
// their logs: all of them have the same window.
func (s *isrSight) windowOf(w int) window {
	lowest, from := int64(-1), max(s.part.Start, 0)
	var v window
	for _, l := range s.part.Logs {
		v.to = max(v.to, l.LEO)
		if l.LEO >= 0 && (lowest < 0 || l.LEO < lowest) {
			lowest = l.LEO
		}
	}
	if s.part.HW >= 0 {
		lowest = min(lowest, s.part.HW)
	}
	wide := max(int64(w), 1)
	size := min(max((v.to-lowest)*4/3, wide), 50*wide)
	if s.part.HW >= 0 {
		size = max(size, (v.to-s.part.HW)*4/3)
	}
	v.from = max(from, v.to-size)
	if v.to-from <= 3*wide {
		v.from = from
	}
	v.from = min(v.from, v.to)
	return v
}

// whole tells that the bars begin where the log does.
func (v window) whole(start int64) bool { return v.from <= max(start, 0) }

// cell is the cell of w at which an offset begins. What is there has a cell at
// least, and so has what is not.
func (v window) cell(offset int64, w int) int {
	switch size := v.to - v.from; {
	case size <= 0 || offset <= v.from:
		return 0
	case offset >= v.to:
		return w
	default:
		return max(1, min(int(float64(offset-v.from)/float64(size)*float64(w)+0.5), w-1))
	}
}
