package panel

import (
	"strings"

	"kafkalab/engine"
)

// stage is how far a lookup is shown. While a prediction is open, what it asks
// for and all that follows from it stays hidden.
type stage int

const (
	stageSegments stage = iota // the segments there are
	stageFloor                 // the one that is chosen, and its index as it lies there
	stageEntry                 // the search in the index
	stageScan                  // the batches, and the hit
)

// stageOf is the stage that a lesson has established when it asks: what it
// lights is what it asks for. The index as a whole stands for its first move,
// the choice of a segment; a segment with its number is known already, and what
// is asked for lies in it; a focus outside the log asks for what comes after
// the lookup.
func stageOf(at string) stage {
	panel, thing, _ := strings.Cut(at, ".")
	kind, number, _ := strings.Cut(thing, "-")
	switch {
	case panel != "index" && panel != "log" && panel != "":
		return stageScan
	case kind == "entry" || kind == "probes" || kind == "slot":
		return stageFloor
	case kind == "segment" && number != "", kind == "scan", kind == "batch":
		return stageEntry
	case kind == "segment":
		return stageFloor
	}
	return stageSegments
}

// seekSight is what the index panel works on: a replica, and how an offset or a
// time is found in it.
type seekSight struct {
	m     Model
	r     replica
	ok    bool // there is such a replica
	log   engine.ReplicaView
	segs  []segmentInfo
	stage stage

	target int64 // None for none
	found  bool  // look is the account of target
	look   lookup

	targetMs  int64 // None for none
	timeFound bool  // byTime is the account of targetMs
	byTime    timeLookup
}

// sight finds out what is looked up now.
func (p *Index) sight(m Model) seekSight {
	if p.focus != m.Focus {
		*p = Index{focus: m.Focus}
	}
	s := seekSight{m: m, stage: stageScan, target: m.Focus.Target, targetMs: m.Focus.TargetMs}
	if p.own {
		s.target, s.targetMs = p.target, p.targetMs
	} else if !m.Focus.Revealed {
		s.stage = stageOf(m.Focus.At)
	}
	s.r, s.ok = m.replica()
	if !s.ok {
		return s
	}
	s.log, s.segs = logOf(m.View, s.r), m.Reader.Segments(s.r)
	switch {
	case s.target != None:
		s.look, s.found = m.Reader.Lookup(s.r, s.target)
	case s.targetMs != None:
		if reader, ok := m.Reader.(timeReader); ok {
			s.byTime, s.timeFound = reader.LookupTimestamp(s.r, s.targetMs)
		}
	}
	return s
}

// browsing tells that nothing is looked up: the index is shown as it lies.
func (s *seekSight) browsing() bool { return s.target == None && s.targetMs == None }

// inRange tells if the target is an offset that a fetch may ask for.
func (s *seekSight) inRange() bool { return s.target >= s.log.Start && s.target <= s.log.LEO }

// floor is the index of the segment that a lookup chooses first, -1 for none.
func (s *seekSight) floor() int {
	switch {
	case s.found && len(s.look.Segments) > 0:
		return s.indexOf(s.look.Segments[0])
	case s.timeFound && s.byTime.HasSegment:
		return s.indexOf(s.byTime.SegmentBase)
	}
	return -1
}

func (s *seekSight) indexOf(base int64) int {
	for i, seg := range s.segs {
		if seg.Base == base {
			return i
		}
	}
	return -1
}

// searched is the segment whose index was searched in the end: the floor, or a
// later one if that had nothing at or past the target.
func (s *seekSight) searched() (seg segmentInfo, ok bool) {
	base := s.look.SegmentBase
	if s.timeFound {
		base = s.byTime.SegmentBase
	}
	if i := s.indexOf(base); i >= 0 {
		return s.segs[i], true
	}
	return segmentInfo{}, false
}
