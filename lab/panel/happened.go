package panel

import (
	"strings"

	"kafkalab/engine/trace"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
)

// happening is an event as it is told beside the state of a partition.
type happening struct {
	time int64
	node string
	line canvas.Line
	hw   bool // it tells the high watermark
}

// happened tells of the newest events that concern a partition, newest first, n
// at most. What happened since the step began is lit.
func (m Model) happened(r replica, n int) []happening {
	if n <= 0 {
		return nil
	}
	all := m.Reader.EventsSince(0)
	name := partitionName(r)
	list := make([]happening, 0, n)
	for i := len(all) - 1; i >= max(0, len(all)-lookBack) && len(list) < n; i-- {
		h, ok := m.tell(all[i], name)
		if !ok {
			continue
		}
		if m.Before.LastEvent > 0 && all[i].ID <= m.Before.LastEvent {
			for j := range h.line {
				h.line[j].Style = theme.Label
			}
		}
		list = append(list, h)
	}
	return list
}

// tell puts an event in a plain line, if it concerns the partition.
func (m Model) tell(e trace.Event, name string) (h happening, ok bool) {
	h = happening{time: e.Time, node: e.Node}
	say := func(text string) (happening, bool) {
		h.line = canvas.T(text, theme.Text)
		return h, true
	}
	switch b := e.Body.(type) {
	case trace.CommandGiven:
		h.node, h.line = "", canvas.T(string(glyph.Prompt)+" "+b.Text, theme.Focus)
		return h, true
	case trace.MessageSent:
		if b.API != "Produce" {
			return h, false
		}
		h.line = canvas.T("── ", theme.Label).Add(producedText(b.Message), theme.Text).Add(" ──► ", theme.Label).Add(b.To, m.nodeStyle(b.To))
		return h, true
	case trace.RecordsAppended:
		if b.Partition != name {
			return h, false
		}
		what := "appends " + count(int64(b.Count), "record") + " at " + span(b.Base, b.Last)
		if b.Base == b.Last {
			what += ", epoch " + cell.Thin(int64(b.Epoch))
		}
		return say(what)
	case trace.FetchParked:
		if b.Partition != name {
			return h, false
		}
		h.node = fetcherName(b.Replica)
		return say("fetches from " + cell.Thin(b.Offset) + ": has everything")
	case trace.RecordsFetched:
		if b.Partition != name {
			return h, false
		}
		h.node = fetcherName(b.Replica)
		return say("fetches from " + cell.Thin(b.Offset) + " and gets " + cell.Size(int64(b.Bytes)))
	case trace.HighWatermarkMoved:
		h.hw = true
		h.line = canvas.T("moves the HW from "+cell.Thin(b.From)+" to "+cell.Thin(b.To), theme.Text)
		return h, b.Partition == name
	}
	return m.tellRest(h, e, name)
}

// tellRest tells of what the events themselves have words for.
func (m Model) tellRest(h happening, e trace.Event, name string) (happening, bool) {
	switch b := e.Body.(type) {
	case trace.ProduceParked:
		h.line = canvas.T("holds the answer until HW is "+cell.Thin(b.Required), theme.Text)
		return h, b.Partition == name
	case trace.RequestRefused:
		h.line = canvas.T("refuses: ", theme.Text).Add(b.Error, theme.Refused)
		return h, b.Partition == name
	case trace.IsrShrunk:
		h.line = canvas.T("drops "+brokerName(b.Broker)+": at "+cell.Thin(b.LEO)+" for "+span1(b.LagMs), theme.Text)
		return h, b.Partition == name
	case trace.IsrExpanded:
		h.line = canvas.T("takes in "+brokerName(b.Broker)+": it has "+cell.Thin(b.LEO), theme.Text)
		return h, b.Partition == name
	case trace.IsrSettled:
		return h, false // the controller's own event tells it
	case trace.IsrChanged:
		h.line = canvas.T("commits the ISR "+brokerList(b.Isr), theme.Text)
		return h, b.Partition == name
	case trace.LeaderElected:
		return m.tellOf(h, e, b.Partition, name)
	case trace.BecameLeader:
		h.line = canvas.T("leads from "+cell.Thin(b.Start)+" on, epoch "+cell.Thin(int64(b.Epoch)), theme.Text)
		return h, b.Partition == name
	case trace.BecameFollower:
		return m.tellOf(h, e, b.Partition, name)
	case trace.Diverged:
		h.line = canvas.T("hears: epoch "+cell.Thin(int64(b.Epoch))+" ends at "+cell.Thin(b.EndOffset), theme.Text)
		return h, b.Partition == name
	case trace.LogTruncated:
		h.line = canvas.T("truncates from "+cell.Thin(b.From)+" to "+cell.Thin(b.To), theme.Text)
		return h, b.Partition == name
	case trace.NodeDown:
		h.line = canvas.T("is down ("+b.How+")", theme.Text)
		return h, true
	case trace.NodeUp:
		h.line = canvas.T("starts", theme.Text)
		return h, true
	case trace.FetcherStalled, trace.FetcherResumed, trace.BrokerFenced, trace.BrokerUnfenced, trace.BrokerLeaving:
		return m.tellOf(h, e, name, name)
	}
	return h, false
}

// tellOf is an event's own line, without the name of the partition that the
// panel shows anyway.
func (m Model) tellOf(h happening, e trace.Event, of, name string) (happening, bool) {
	if of != name {
		return h, false
	}
	line := e.Body.Line()
	for _, with := range []string{" of ", " for "} {
		line = strings.ReplaceAll(line, with+name, "")
	}
	h.line = canvas.T(thinNumbers(line), theme.Text)
	return h, true
}

// fetcherName is who a fetch is from: a follower, or any consumer.
func fetcherName(id int32) string {
	if id < 0 {
		return "consumer"
	}
	return brokerName(id)
}

// producedText names a produce by its acks, as far as its bytes are kept.
func producedText(msg trace.Message) string {
	if msg.Response {
		return "Produce answer"
	}
	if acks, ok := acksOf(msg); ok {
		return "Produce acks=" + acks
	}
	return "Produce"
}
