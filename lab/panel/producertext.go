package panel

import (
	"kafkalab/engine"
	"kafkalab/engine/trace"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/theme"
)

// left is a duration to the millisecond where it is short: 90 ms, 119.2 s.
func left(ms int64) string {
	switch {
	case ms < 1000:
		return cell.Thin(ms) + " ms"
	case ms < 1_000_000:
		return cell.Thin(ms/1000) + "." + cell.Thin(ms%1000/100) + " s"
	}
	return span1(ms)
}

// closedBy names the setting that closed a batch, by the reason that the engine
// keeps.
func closedBy(reason string) string {
	if word, ok := map[string]string{
		"full": "batch.size", "linger": "linger.ms", "count": "batch= of the call", "call": "end of its call", "expired": "delivery.timeout.ms",
		"along": "sent along with others",
	}[reason]; ok {
		return word
	}
	return reason
}

// waitsFor says what keeps a batch from being sent.
func (s *producerSight) waitsFor(b engine.ProducerBatch) canvas.Span {
	switch b.Waits {
	case "linger":
		return canvas.S("linger "+left(b.LingerMs), theme.Waiting)
	case "back-off":
		return canvas.S("back-off "+left(b.BackoffMs), theme.Waiting)
	case "producer id":
		return canvas.S("a producer id", theme.Waiting)
	case "leader":
		return canvas.S("a leader", theme.Lost)
	case "connection":
		return canvas.S("a connection", theme.Lost)
	case "in flight":
		return canvas.S("a free request", theme.Waiting)
	case "earlier batch":
		return canvas.S("the one before", theme.Waiting)
	case "turn":
		return canvas.S("its turn", theme.Label)
	}
	return canvas.S("ready", theme.Text)
}

// outcome is what came of a closed batch, so far.
func (s *producerSight) outcome(b engine.ProducerBatch) canvas.Span {
	switch {
	case s.asksAny() && !s.asks("sequence"):
		return canvas.S("?", theme.Focus)
	case b.State == "failed":
		return canvas.S(b.Error.String(), theme.Lost)
	case b.State == "acked" && b.Base < 0:
		return canvas.S("sent, no answer asked", theme.Label)
	case b.State == "acked":
		return canvas.S("acked at "+cell.Thin(b.Base), theme.Committed)
	case b.Attempts > 0 && b.State == "waiting":
		return canvas.S("again: "+b.Error.String(), theme.Waiting)
	}
	return canvas.S(string(b.State), theme.Waiting)
}

// sequenceText is a batch's base sequence.
func (s *producerSight) sequenceText(b engine.ProducerBatch) canvas.Span {
	switch {
	case s.asks("sequence"):
		return canvas.S("?", theme.Focus)
	case b.Sequence < 0:
		return canvas.S("none", theme.Faint)
	}
	return canvas.S(cell.Thin(int64(b.Sequence)), theme.Text)
}

// name is a batch's partition; what a batch went through in this step is lit.
func (s *producerSight) name(b engine.ProducerBatch) canvas.Span {
	style := theme.Text
	if s.m.Before.LastEvent > 0 && b.Event > s.m.Before.LastEvent {
		style = theme.Focus | theme.Bold
	}
	return canvas.S(partitionName(replica{Topic: b.Topic, Partition: b.Partition}), style)
}

// news are the newest events of the producer's, newest first.
func (s *producerSight) news(n int) []happening {
	if n <= 0 || s.asksAny() {
		return nil
	}
	all := s.m.Reader.EventsSince(0)
	var list []happening
	for i := len(all) - 1; i >= max(0, len(all)-lookBack) && len(list) < n; i-- {
		e := all[i]
		if e.Node != s.v.Name {
			continue
		}
		switch b := e.Body.(type) {
		case trace.ProducerIDGranted, trace.BatchClosed, trace.BatchSent, trace.BatchRetried, trace.BatchDone:
		case trace.MessageReceived:
			if b.API != "Produce" {
				continue
			}
		default:
			continue
		}
		h := happening{time: e.Time, node: e.Node, line: s.m.eventLine(e)}
		if s.m.Before.LastEvent > 0 && e.ID <= s.m.Before.LastEvent {
			h.line = canvas.T(h.line.String(), theme.Label)
		}
		list = append(list, h)
	}
	return list
}
