package console

import (
	"fmt"
	"path"
	"strings"

	"kafkalab/engine"
)

// showCleaner tells what the log cleaner sees of a replica, and what its newest
// pass decided.
func showCleaner(c *engine.Cluster, r engine.ReplicaName, _ int64) (any, []string) {
	v, ok := c.CleanerView(r.Topic, r.Partition, r.Broker)
	if !ok {
		return nil, []string{brokerDown(r)}
	}
	lines := []string{
		fmt.Sprintf("%s on broker-%d  cleanup.policy %s  first dirty %d  first uncleanable %d  clean %d B  dirty %d B", v.Partition, v.Broker, v.Policy,
			v.FirstDirty, v.FirstUncleanable, v.CleanBytes, v.CleanableBytes),
		fmt.Sprintf("  dirty ratio %.2f; more than %g lets a pass be made", v.Ratio, v.MinRatio),
	}
	switch {
	case v.LastPass.Next != "":
	case v.Refusal != "":
		lines = append(lines, "  no pass now: "+v.Why)
	case v.Must:
		lines = append(lines, "  a pass would be made now: max.compaction.lag.ms is over")
	default:
		lines = append(lines, "  a pass would be made now")
	}
	if v.NextWakingMs >= 0 {
		lines = append(lines, "  the cleaner wakes in "+seconds(max(0, v.NextWakingMs-v.TimeMs))+" s")
	}
	for _, s := range v.Segments {
		lines = append(lines, "  "+segmentState(s, v.FirstUncleanable))
	}
	lines = append(lines, passLines(&v)...)
	for _, f := range v.Files {
		lines = append(lines, fmt.Sprintf("  file %s  %d B", f.Name, f.Bytes))
	}
	for _, e := range v.Empty {
		lines = append(lines, fmt.Sprintf("  batch %d-%d is empty: %s", e.Base, e.Last, emptyWhy(e)))
	}
	for _, h := range v.Horizons {
		left := "is over: the next pass leaves it out"
		if d := h.AtMs - v.TimeMs; d > 0 {
			left = "in " + seconds(d) + " s"
		}
		lines = append(lines, fmt.Sprintf("  delete horizon of %d-%d %s", h.Base, h.Last, left))
	}
	return v, lines
}

// emptyWhy is why the header of an emptied batch is there.
func emptyWhy(e engine.EmptyBatch) string {
	switch {
	case e.Alive:
		return fmt.Sprintf("the last batch of producer %d", e.Producer)
	case e.End:
		return "the end of the log"
	}
	return "the next pass takes it"
}

func segmentState(s engine.CleanerSegment, uncleanable int64) string {
	state := "dirty"
	switch {
	case s.Active:
		state = "active"
	case s.Clean:
		state = "clean"
	case s.Base >= uncleanable:
		state = "not cleanable yet"
	}
	return fmt.Sprintf("segment %d  to %d  %d B  %s", s.Base, s.Next, s.Bytes, state)
}

// passPhases are the phases of a pass, each with the engine's word for what
// comes next.
var passPhases = []struct{ name, next string }{{"gate", ""}, {"map", "map"}, {"copy", "copy"}, {"swap", "swap"}, {"checkpoint", "end"}}

// phaseLine tells how far a pass has come that is on its way.
func phaseLine(next string) string {
	words, done := make([]string, len(passPhases)), "done"
	for i, p := range passPhases {
		if p.next == next {
			done = "next"
		}
		words[i] = strings.TrimSpace(p.name + " " + done)
		if done == "next" {
			done = ""
		}
	}
	return strings.Join(words, ", ")
}

// passHead tells of the newest pass what is known of it so far.
func passHead(v *engine.CleanerView) []string {
	p := v.LastPass
	copied := fmt.Sprintf("%d of %s kept, %d B to %d B", p.Stats.Kept, count(int(p.Stats.Read), "record"), p.Stats.BytesBefore, p.Stats.BytesAfter)
	if p.Next == "" {
		return []string{
			fmt.Sprintf("  pass %d at t=%ss from offset %d: %s", p.Number, seconds(p.AtMs), p.Stats.FirstDirty, copied),
			fmt.Sprintf("    checkpoint: first dirty %d, was %d", p.Stats.EndOffset, p.Stats.FirstDirty),
		}
	}
	lines := []string{
		fmt.Sprintf("  pass %d, on its way at t=%ss: %s", p.Number+1, seconds(p.AtMs), phaseLine(string(p.Next))),
		fmt.Sprintf("    checkpoint: first dirty %d", v.FirstDirty),
	}
	if p.Stats.Read > 0 {
		lines = append(lines, "    "+copied)
	}
	return lines
}

// passLines are the newest pass: its phases, its offset map, and each record.
func passLines(v *engine.CleanerView) []string {
	if v.Passes == 0 && v.LastPass.Next == "" {
		return []string{"  no pass yet"}
	}
	p := v.LastPass
	lines := passHead(v)
	for _, e := range p.Map[:min(len(p.Map), shownEvents)] {
		lines = append(lines, fmt.Sprintf("    map %s = %d", e.Key, e.Offset))
	}
	for _, x := range p.Verdicts[:min(len(p.Verdicts), shownEvents)] {
		word, key := "left out", x.Key
		if x.Kept {
			word = "kept"
		}
		if x.Null {
			key = "null"
		}
		lines = append(lines, fmt.Sprintf("    %d  key %s  %s: %s", x.Offset, key, word, x.Why))
	}
	if more := len(p.Verdicts) - shownEvents; more > 0 {
		lines = append(lines, fmt.Sprintf("    and %s more", count(more, "record")))
	}
	return lines
}

// brokerDown says why there is nothing to show of a replica.
func brokerDown(r engine.ReplicaName) string {
	return fmt.Sprintf("%s/%d@%d: broker-%d is down; show bytes and dump read its files", r.Topic, r.Partition, r.Broker, r.Broker)
}

// showRetention tells of a replica's segments how old they are, what goes next,
// and which files wait to be unlinked.
func showRetention(c *engine.Cluster, r engine.ReplicaName, _ int64) (any, []string) {
	v, ok := c.CleanerView(r.Topic, r.Partition, r.Broker)
	if !ok {
		return nil, []string{brokerDown(r)}
	}
	limit := func(n int64, unit string) string {
		if n < 0 {
			return "no limit"
		}
		return fmt.Sprint(n) + unit
	}
	lines := []string{fmt.Sprintf("%s on broker-%d  cleanup.policy %s  log start %d  %d B  retention.ms %s  retention.bytes %s",
		v.Partition, v.Broker, v.Policy, v.Start, v.Bytes, limit(v.RetentionMs, ""), limit(v.RetentionB, ""))}
	if v.NextCheckMs >= 0 {
		lines = append(lines, "  the next check that deletes something comes in "+seconds(max(0, v.NextCheckMs-v.TimeMs))+" s")
	}
	for _, s := range v.Segments {
		line := fmt.Sprintf("  segment %d  to %d  %d B  largest timestamp %d", s.Base, s.Next, s.Bytes, s.LargestMs)
		if s.HasAge && s.Bytes > 0 {
			line += "  " + seconds(max(0, s.OverMs+v.RetentionMs)) + " s old"
		}
		switch {
		case s.Goes != "":
			line += "  goes: " + s.Goes
		case s.Held != "":
			line += "  too old, held by the " + s.Held
		case s.Active && s.Bytes == 0:
			line += "  empty, and so it stays"
		case s.HasAge:
			line += "  too old in " + seconds(max(0, 1-s.OverMs)) + " s"
		}
		lines = append(lines, line)
	}
	for _, f := range v.Doomed {
		lines = append(lines, fmt.Sprintf("  %s is unlinked in %s s", path.Base(f.Path), seconds(max(0, f.AtMs-v.TimeMs))))
	}
	return v, lines
}
