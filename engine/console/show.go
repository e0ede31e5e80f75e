package console

import (
	"fmt"
	"strconv"
	"strings"

	"kafkalab/engine"
	"kafkalab/engine/trace"
)

func showCluster(c *engine.Cluster, _ engine.ReplicaName, _ int64) (any, []string) {
	v := c.View()
	lines := []string{fmt.Sprintf("t=%d.%03ds  %s  %s", v.TimeMs/1000, v.TimeMs%1000, count(len(v.Brokers), "broker"), count(len(v.Topics), "topic"))}
	for _, b := range v.Brokers {
		lines = append(lines, fmt.Sprintf("%-10s %s", b.Name, b.State))
	}
	for i := range v.Topics {
		lines = append(lines, topicLines(&v.Topics[i])...)
	}
	return v, lines
}

func showTopic(c *engine.Cluster, r engine.ReplicaName, _ int64) (any, []string) {
	for _, t := range c.View().Topics {
		if t.Name == r.Topic {
			return t, topicLines(&t)
		}
	}
	return nil, nil
}

func topicLines(t *engine.TopicView) []string {
	line := fmt.Sprintf("topic %s  id %s  %s", t.Name, t.ID, count(len(t.Partitions), "partition"))
	if len(t.Overrides) > 0 {
		line += "  " + strings.Join(t.Overrides, " ")
	}
	lines := []string{line}
	for i := range t.Partitions {
		p := &t.Partitions[i]
		lines = append(lines, fmt.Sprintf("  %s/%d  leader %d  epoch %d  replicas %s  isr %s  start %d  hw %d  leo %d",
			t.Name, p.Number, p.Leader, p.Epoch, joined(p.Replicas), joined(p.ISR), p.Start, p.HW, p.LEO))
		for _, l := range p.Logs {
			lines = append(lines, fmt.Sprintf("    broker-%d %-8s leo %d  hw %d  %s, %d B", l.Broker, l.State, l.LEO, l.HW, count(l.Segments, "segment"), l.Bytes))
		}
	}
	return lines
}

func joined(ids []int32) string {
	var s []string
	for _, id := range ids {
		s = append(s, strconv.Itoa(int(id)))
	}
	return strings.Join(s, ",")
}

// showISR tells what the leader of a partition knows of its followers, what
// the high watermark waits for, and which produces wait for it.
func showISR(c *engine.Cluster, r engine.ReplicaName, _ int64) (any, []string) {
	p, _ := c.PartitionView(r.Topic, r.Partition)
	if p.Leader < 0 {
		return p, []string{fmt.Sprintf("%s/%d has no leader; isr %s", r.Topic, r.Partition, joined(p.ISR))}
	}
	lines := []string{fmt.Sprintf("%s/%d  leader %d  epoch %d  isr %s  min.insync.replicas %d  high watermark %d  log end %d",
		r.Topic, r.Partition, p.Leader, p.Epoch, joined(p.ISR), p.MinISR, p.HW, p.LEO)}
	if p.ProposedISR != nil {
		lines = append(lines, "  isr "+joined(p.ProposedISR)+" is with the controller, not committed yet")
	}
	for _, l := range p.Logs {
		line := fmt.Sprintf("  broker-%d  %-8s  log end %d", l.Broker, l.State, l.LEO)
		if l.BehindMs >= 0 {
			line += fmt.Sprintf("  %s, known log end %d, had everything %s s ago", map[bool]string{true: "in sync", false: "out of sync"}[l.InSync], l.KnownLEO, seconds(l.BehindMs))
		}
		lines = append(lines, line)
	}
	lines = append(lines, fmt.Sprintf("  next check of the isr in %s s; a follower may be behind for %s s", seconds(p.NextCheckMs), seconds(p.LagLimitMs)))
	for _, w := range p.Waiting {
		lines = append(lines, fmt.Sprintf("  a produce of %s waits for high watermark %d, needs %s, %s s left", w.From, w.Required, joined(w.Missing), seconds(w.TimeoutMs)))
	}
	return p, lines
}

func seconds(ms int64) string { return fmt.Sprintf("%d.%03d", ms/1000, ms%1000) }

func showLog(c *engine.Cluster, r engine.ReplicaName, offset int64) (any, []string) {
	if !c.Up(r.Broker) {
		return nil, []string{brokerDown(r)}
	}
	segments := c.Segments(r)
	var lines []string
	for _, s := range segments {
		state := ""
		if s.Active {
			state = "  active"
		}
		lines = append(lines, fmt.Sprintf("%020d.log  offsets %d to %d  %d B  %s  largest timestamp %d%s",
			s.Base, s.Base, s.Next, s.Bytes, count(s.IndexEntries, "index entry"), s.LargestTimestamp, state))
	}
	const window = 20
	from := offset
	if from < 0 && len(segments) > 0 {
		from = segments[len(segments)-1].Base
	}
	for _, b := range c.Batches(r, from, window) {
		lines = append(lines, fmt.Sprintf("  %d-%d  at byte %d  %d B  %s  epoch %d  %s", b.Base, b.Last, b.Position, b.Size, count(int(b.Count), "record"), b.Epoch, b.Codec))
	}
	return segments, lines
}

func showIndex(c *engine.Cluster, r engine.ReplicaName, offset int64) (any, []string) {
	if offset >= 0 {
		return showLookup(c, r, offset)
	}
	var lines []string
	all := map[string]any{}
	for _, s := range c.Segments(r) {
		entries := c.IndexEntries(r, s.Base)
		all[strconv.FormatInt(s.Base, 10)] = entries
		lines = append(lines, fmt.Sprintf("%020d.index  %s", s.Base, count(len(entries), "entry")))
		for i, e := range entries {
			lines = append(lines, fmt.Sprintf("  slot %d  relative %d  position %d", i, e.Relative, e.Position))
		}
	}
	return all, lines
}

func showLookup(c *engine.Cluster, r engine.ReplicaName, offset int64) (any, []string) {
	l, ok := c.Lookup(r, offset)
	if !ok {
		return nil, []string{fmt.Sprintf("offset %d is out of range", offset)}
	}
	lines := []string{fmt.Sprintf("target %d: segment %d, relative offset %d, %s, warm from slot %d", l.Target, l.SegmentBase, l.Relative, count(l.Entries, "index entry"), l.WarmStart)}
	for i, p := range l.Probes {
		lines = append(lines, fmt.Sprintf("  probe %d  slot %d  relative %d  position %d  %v", i+1, p.Slot, p.Relative, p.Position, p.Verdict))
	}
	lines = append(lines, fmt.Sprintf("entry %s, scan from byte %d", l.EntryText(), l.Start))
	for _, b := range l.Scanned {
		lines = append(lines, fmt.Sprintf("  header at byte %d  offsets %d-%d  %d B", b.Position, b.Base, b.Last, b.Size))
	}
	return l, lines
}

// shownEvents is how many of the newest events show prints.
const shownEvents = 40

func showEvents(c *engine.Cluster, _ engine.ReplicaName, _ int64) (any, []string) {
	var lines []string
	events := newest(c, func(trace.Event) bool { return true })
	for _, e := range events {
		lines = append(lines, e.Line())
	}
	return events, lines
}

// newest picks the newest events that are wanted, oldest first.
func newest(c *engine.Cluster, wanted func(trace.Event) bool) []trace.Event {
	all := c.EventsSince(0)
	out := []trace.Event{}
	for _, e := range all {
		if wanted(e) {
			out = append(out, e)
		}
	}
	return out[max(len(out)-shownEvents, 0):]
}
