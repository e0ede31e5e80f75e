package panel

import (
	"slices"
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
	for i := len(all) - 1; i >= max(0, len(all)-lookBack) && len(list) < n; i-- {
		e := all[i]
		if _, command := e.Body.(trace.CommandGiven); !command && (e.Node != node || choreOf(e.Body) != name) {
			continue
		}
		h := happening{time: e.Time, node: e.Node}
		if b, ok := e.Body.(trace.CommandGiven); ok {
			if verb, _, _ := strings.Cut(b.Text, " "); !slices.Contains(choreVerbs, verb) || !strings.Contains(b.Text, " "+s.r.Topic) || sameCommand(all[:i], b.Text) {
				continue // each broker notes what it was told
			}
			h.line = canvas.T(string(glyph.Prompt)+" "+b.Text, theme.Focus)
		} else if text := choreText(e.Body); text != "" {
			h.line = canvas.T(text, theme.Text)
		} else {
			h, _ = s.m.tellOf(h, e, name, name)
		}
		list = append(list, h)
	}
	return list
}

// choreText tells of what has a longer line of its own.
func choreText(body trace.Body) string {
	switch b := body.(type) {
	case trace.FilesRemoved:
		return "unlinks " + count(int64(len(b.Files)), "file")
	case trace.SegmentRolled:
		return "rolls (" + b.Reason + "): segment " + cell.Thin(b.Previous) + " closed with " + cell.Size(b.Bytes)
	case trace.SegmentDeleted:
		return "deletes segment " + cell.Thin(b.Base) + ", " + cell.Size(b.Bytes) + " (" + b.Reason + ")"
	case trace.LogCleaned:
		return "makes a pass: " + cell.Thin(b.Kept) + " of " + count(b.Read, "record") + " kept, " + cell.Size(b.BytesBefore) + " → " + cell.Size(b.BytesAfter)
	}
	return ""
}

// choreVerbs are the commands that have to do with a log's segments.
var choreVerbs = []string{"compact", "retain", "roll", "truncate", "topic"}

// sameCommand tells that the last command before was the same.
func sameCommand(all []trace.Event, text string) bool {
	for i := len(all) - 1; i >= max(0, len(all)-200); i-- {
		if b, ok := all[i].Body.(trace.CommandGiven); ok {
			return b.Text == text
		}
	}
	return false
}

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
	case trace.LogCleaned:
		return b.Partition
	case trace.LogUncleanable:
		return b.Partition
	}
	return ""
}

// drawNews lists what happened to the replica's segments, newest first.
func (s *choreSight) drawNews(r canvas.Region, news []happening) {
	r.Put(0, 0, "what happened", theme.Name)
	timeW := 6
	for _, n := range news {
		timeW = max(timeW, cell.Width(cell.Seconds(n.time)))
	}
	for y, n := range news[:min(len(news), max(0, r.H()-1))] {
		pen := r.Pen(2, 1+y).Number(timeW, cell.Seconds(n.time), theme.Label).Gap(2)
		pen.Line(n.line.Truncate(max(0, r.W()-pen.X())))
	}
}
