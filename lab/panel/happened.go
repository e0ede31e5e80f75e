package panel

import (
	"strconv"
	"strings"

	"kafkalab/engine"
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
	down := downNodes(m.View)
	produces := ofPartition{m: m, name: r.Topic + "-" + strconv.Itoa(int(r.Partition)), alone: len(m.View.Topics) == 1 && len(m.View.Topics[0].Partitions) == 1}
	for i := len(all) - 1; i >= max(0, len(all)-lookBack) && len(list) < n; i-- {
		before(down, all[i])
		if b, ok := all[i].Body.(trace.CommandGiven); ok && i > 0 && repeats(all[i-1], b, all[i].Time) {
			continue // each broker notes what it was told
		}
		if b, sent := all[i].Body.(trace.MessageSent); sent && b.API == "Produce" && !produces.concern(b.Message) {
			continue
		}
		h, ok := m.tell(all[i], name)
		if b, fetched := all[i].Body.(trace.RecordsFetched); ok && fetched && down[fetcherName(b.Replica)] {
			h.node = all[i].Node
			h.line = canvas.T("answers a fetch of "+fetcherName(b.Replica)+" that is down: "+cell.Size(int64(b.Bytes))+" for nobody", theme.Text)
		}
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

// ofPartition tells of messages whether they are about a partition.
type ofPartition struct {
	m     Model
	name  string // orders-0, as messages are summed up
	alone bool   // there is no other partition
	read  int
}

// mostRead bounds how many messages are read for one frame; those before are not
// told of.
const mostRead = 200

func (o *ofPartition) concern(msg trace.Message) bool {
	if o.alone {
		return true
	}
	if o.read++; o.read > mostRead {
		return false
	}
	says := o.m.summary(msg)
	return says == "" || strings.HasSuffix(says, " more") || strings.Contains(" "+says+" ", " "+o.name+" ")
}

// repeats tells that an event is the same command, given to another node.
func repeats(e trace.Event, c trace.CommandGiven, ms int64) bool {
	b, ok := e.Body.(trace.CommandGiven)
	return ok && e.Time == ms && b.Text == c.Text
}

// downNodes are the nodes that are not there now.
func downNodes(v engine.View) map[string]bool {
	down := map[string]bool{}
	for _, b := range v.Brokers {
		down[b.Name] = !isUp(b.State)
	}
	return down
}

// before turns who is down after an event into who was before it, for those
// who read what happened backwards.
func before(down map[string]bool, e trace.Event) {
	switch b := e.Body.(type) {
	case trace.NodeDown:
		down[b.Node] = false
	case trace.NodeUp:
		down[b.Node] = true
	}
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
