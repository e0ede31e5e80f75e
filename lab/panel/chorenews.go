package panel

import (
	"slices"
	"strconv"
	"strings"

	"kafkalab/engine/trace"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
)

// news are the newest events of the replica that tell of its segments.
func (s *choreSight) news(n int) []happening {
	all, name, node := s.m.Reader.EventsSince(0), partitionName(s.r), brokerName(s.r.Broker)
	var list []happening
	newest := true // command of the cleaner's
	for i := len(all) - 1; i >= max(0, len(all)-lookBack) && len(list) < n; i-- {
		e := all[i]
		if _, command := e.Body.(trace.CommandGiven); !command && (e.Node != node || choreOf(e.Body) != name) {
			continue
		}
		h := happening{time: e.Time, node: e.Node}
		if b, ok := e.Body.(trace.CommandGiven); ok {
			verb := s.told(b.Text)
			if verb == "" || sameCommand(all, i, node) {
				continue // each broker notes what it was told
			}
			h.line = canvas.T(string(glyph.Prompt)+" "+b.Text, theme.Focus)
			if says := s.inVain(all, i, verb, newest); says != "" {
				h.line = h.line.Add("   ", theme.Text).Add(says, theme.Refused)
			}
			newest = newest && verb != "compact"
		} else if text := choreText(e.Body); text != "" {
			h.line = canvas.T(text, theme.Text)
		} else {
			h, _ = s.m.tellOf(h, e, name, name)
		}
		list = append(list, h)
	}
	return list
}

// told is the verb of a command that has to do with the replica's segments, else
// empty.
func (s *choreSight) told(text string) string {
	words := strings.Fields(text)
	if len(words) < 2 || !slices.Contains(choreVerbs, words[0]) {
		return ""
	}
	of := words[1]
	if words[0] == "topic" && len(words) > 2 {
		of = words[2]
	}
	topic, part, one := strings.Cut(of, "/")
	part, _, _ = strings.Cut(part, "@")
	if topic != s.r.Topic || one && part != strconv.Itoa(int(s.r.Partition)) {
		return ""
	}
	return words[0]
}

// inVain says that the command at index i did nothing to the replica, which no
// event tells. Why the cleaner refused is known of the newest time alone.
func (s *choreSight) inVain(all []trace.Event, i int, verb string, newest bool) string {
	if verb != "compact" && verb != "retain" || s.asks("why", "ratio", "dirty", "goes", "age", "size") {
		return ""
	}
	name, node := partitionName(s.r), brokerName(s.r.Broker)
	for _, e := range all[i+1:] {
		if e.Time > all[i].Time {
			break
		}
		if e.Node == node && choreOf(e.Body) == name {
			return ""
		}
		if _, next := e.Body.(trace.CommandGiven); next && e.Node == node {
			break
		}
	}
	switch {
	case verb == "retain":
		return "deletes nothing"
	case !newest || !s.refusedSince():
		return "no pass"
	}
	return "no pass: " + string(s.v.LastPass.Refusal)
}

// refusedSince tells that the cleaner has looked after the newest pass, and has
// refused.
func (s *choreSight) refusedSince() bool {
	return s.v.LastPass.Refusal != "" && s.v.LastPass.Refusal != "aborted"
}

// choreText tells of what has a longer line of its own.
func choreText(body trace.Body) string {
	switch b := body.(type) {
	case trace.FilesRemoved:
		return "unlinks " + count(int64(len(b.Files)), "file")
	case trace.SegmentRolled:
		return "rolls (" + b.Reason + "): segment " + cell.Thin(b.Previous) + " closed, " + cell.Size(b.Bytes)
	case trace.SegmentDeleted:
		if b.Reason == deletedByCleaner {
			return "renames segment " + cell.Thin(b.Base) + " to .deleted, " + cell.Size(b.Bytes)
		}
		return "deletes segment " + cell.Thin(b.Base) + " (" + b.Reason + "), " + cell.Size(b.Bytes)
	}
	return passText(body)
}

// passText tells of the phases of a pass.
func passText(body trace.Body) string {
	switch b := body.(type) {
	case trace.CleaningBegun:
		return "begins a pass: dirty " + cell.Size(b.CleanableBytes) + ", clean " + cell.Size(b.CleanBytes)
	case trace.OffsetMapBuilt:
		text := "fills the map from " + cell.Thin(b.FirstDirty) + " up to " + cell.Thin(b.End) + ": " + count(int64(b.Keys), "key")
		if b.Full {
			text += ", full"
		}
		return text
	case trace.SegmentsCopied:
		return "copies " + cell.Thin(b.Kept) + " of " + count(b.Read, "record") + " to .cleaned, " + cell.Size(b.BytesBefore) + " → " + cell.Size(b.BytesAfter)
	case trace.SegmentsReplaced:
		return "renames the copy .cleaned → .swap → .log"
	case trace.LogCleaned:
		return "writes the checkpoint: first dirty " + cell.Thin(b.FirstDirty) + " → " + cell.Thin(b.End)
	case trace.CleaningAborted:
		return "breaks the pass off before its phase " + phaseName(b.Phase)
	}
	return ""
}

// phaseName is a phase as the panel calls it.
func phaseName(phase string) string {
	for _, p := range passPhases {
		if string(p.phase) == phase {
			return p.name
		}
	}
	return phase
}

// choreVerbs are the commands that have to do with a log's segments.
var choreVerbs = []string{"compact", "retain", "roll", "truncate", "topic"}

// sameCommand tells that the command at index i is noted by another broker as
// well: the replica's own note stands for all, or else the first.
func sameCommand(all []trace.Event, i int, node string) bool {
	text := all[i].Body.(trace.CommandGiven).Text
	if all[i].Node == node {
		return false
	}
	same := func(e trace.Event) bool {
		b, ok := e.Body.(trace.CommandGiven)
		return ok && b.Text == text && e.Time == all[i].Time && (e.Node == node || e.ID < all[i].ID)
	}
	return slices.ContainsFunc(all[max(0, i-sameWithin):min(len(all), i+sameWithin)], same)
}

// sameWithin is how many events may lie between the notes of one command.
const sameWithin = 50

// choreOf is the partition of an event that tells of a log's segments.
func choreOf(body trace.Body) string {
	switch b := body.(type) {
	case trace.SegmentRolled:
		return b.Partition
	case trace.SegmentDeleted:
		return b.Partition
	case trace.FilesRemoved:
		return b.Partition
	case trace.LogStartMoved:
		return b.Partition
	case trace.LogUncleanable:
		return b.Partition
	}
	return passOf(body)
}

// passOf is the partition of a pass that an event tells of.
func passOf(body trace.Body) string {
	switch b := body.(type) {
	case trace.CleaningBegun:
		return b.Partition
	case trace.OffsetMapBuilt:
		return b.Partition
	case trace.SegmentsCopied:
		return b.Partition
	case trace.SegmentsReplaced:
		return b.Partition
	case trace.LogCleaned:
		return b.Partition
	case trace.CleaningAborted:
		return b.Partition
	}
	return ""
}

// drawNews lists what happened to the replica's segments, newest first.
func (s *choreSight) drawNews(r canvas.Region, news []happening) {
	r.Put(0, 0, "what happened", theme.Name)
	timeW := 6
	for _, n := range news {
		timeW = max(timeW, cell.Width(cell.Clock(n.time)))
	}
	for y, n := range news[:min(len(news), max(0, r.H()-1))] {
		pen := r.Pen(2, 1+y).Number(timeW, cell.Clock(n.time), theme.Label).Gap(2)
		pen.Line(n.line.Truncate(max(0, r.W()-pen.X())))
	}
}
