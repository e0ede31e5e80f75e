package panel

import (
	"strings"

	"kafkalab/engine"
)

// stage is how far a lookup is shown. While a prediction is open, what it asks
// for and all that follows from it stays hidden; once it is revealed, what
// follows still does: a later step may ask for that.
type stage int

const (
	stageSegments stage = iota // the segments there are
	stageFloor                 // the one that is chosen, and its index as it lies there
	stageEntry                 // the search in the index
	stageScan                  // the walk over batch headers, up to the hit
	stageAll                   // and which offsets the hit holds
)

// stageOf is the stage that a lesson has established when it asks: what it
// lights is what it asks for. The index as a whole stands for its first move,
// the choice of a segment; a segment with its number is known already, and what
// is asked for lies in it; a focus outside the log asks for what comes after
// the walk. index.lookup asks for all that follows the choice of a segment.
func stageOf(at string) stage {
	panel, thing, _ := strings.Cut(at, ".")
	kind, number, _ := strings.Cut(thing, "-")
	switch {
	case !inLog(panel):
		return stageScan
	case kind == "entry" || kind == "probes" || kind == "slot" || kind == "lookup":
		return stageFloor
	case kind == "segment" && number != "", kind == "scan", kind == "batch":
		return stageEntry
	case kind == "segment":
		return stageFloor
	}
	return stageSegments
}

// inLog tells if a panel is one whose things are stages of a lookup. A lesson
// that lights nothing asks for the lookup from its beginning.
func inLog(panel string) bool { return panel == "index" || panel == "log" || panel == "" }

// stage is how far a lookup may be shown: as far as the lesson has come.
func (f Focus) stage() stage {
	panel, thing, _ := strings.Cut(f.At, ".")
	switch {
	case f.Live, f.Revealed && (panel == "" || !inLog(panel) || thing == "lookup"):
		return stageAll
	case f.Revealed:
		return min(stageOf(f.At)+1, stageAll)
	case f.Target == None && f.TargetMs == None && !inLog(panel):
		return stageAll // nothing is looked up, and the question is about something else
	}
	return stageOf(f.At)
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
	s := seekSight{m: m, stage: m.Focus.stage(), target: m.Focus.Target, targetMs: m.Focus.TargetMs}
	if p.own {
		s.stage, s.target, s.targetMs = stageAll, p.target, p.targetMs
	} else if s.browsing() && m.Focus.Revealed {
		s.stage = stageAll // what follows in no lookup is no secret
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
		s.byTime, s.timeFound = m.Reader.LookupTimestamp(s.r, s.targetMs)
	}
	return s
}

// browsing tells that nothing is looked up: the index is shown as it lies.
func (s *seekSight) browsing() bool { return s.target == None && s.targetMs == None }

// free tells that the learner may look up what they like: nothing is open, and
// the walk that the lesson leads through has come to its end.
func (s *seekSight) free() bool {
	return len(s.segs) > 0 && (s.stage == stageAll || s.m.Focus.Revealed && s.stage == stageScan)
}

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
