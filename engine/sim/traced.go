package sim

import "kafkalab/engine/trace"

// Most messages are never looked at. What the trace keeps of one at first is
// the queue's own item; the typed event is made of it when somebody asks.

// sentItem is a trace.MessageSent to be, receivedItem a trace.MessageReceived.
type sentItem struct{ it *item }
type receivedItem struct{ it *item }

// Line implements trace.Body.
func (s sentItem) Line() string { return trace.MessageSent{Message: s.it.message()}.Line() }

// Line implements trace.Body.
func (r receivedItem) Line() string { return trace.MessageReceived{Message: r.it.message()}.Line() }

// typed is the event body that others know.
func typed(b trace.Body) trace.Body {
	switch b := b.(type) {
	case sentItem:
		return trace.MessageSent{Message: b.it.message()}
	case receivedItem:
		return trace.MessageReceived{Message: b.it.message(), Sent: b.it.cause}
	}
	return b
}

// message describes an item for the trace.
func (it *item) message() trace.Message {
	m := trace.Message{
		From: string(it.sender), To: string(it.receiver), API: APIName(it.api), Key: it.api, Version: it.version,
		Correlation: it.corr, Response: it.response, Bytes: it.bytes + 4, Conn: it.conn.String(),
	}
	if !it.untold {
		it.payload = Payload{rest: it.payload.Bytes()} // put together once
		m.Payload = it.payload.rest
	}
	return m
}

// maxTracedBytes bounds the payloads that the trace keeps: what a person may
// want to look at, not what a bulk load moves. The newest are kept.
const maxTracedBytes = 64 << 20

// payload is how many bytes an event keeps alive.
func payload(b trace.Body) int {
	switch b := b.(type) {
	case sentItem:
		if !b.it.untold {
			return b.it.bytes
		}
	case trace.MessageSent:
		return len(b.Payload)
	}
	return 0
}

// withoutPayload is an event whose bytes have been let go. An item's are still
// needed for as long as it is under way.
func withoutPayload(b trace.Body) trace.Body {
	switch b := b.(type) {
	case sentItem:
		b.it.tell(false)
	case receivedItem:
		b.it.tell(false)
	case trace.MessageSent:
		b.Payload = nil
		return b
	case trace.MessageReceived:
		b.Payload = nil
		return b
	}
	return b
}

func (it *item) tell(yes bool) {
	it.untold = !yes
	if it.untold && it.arrived {
		it.payload = Payload{}
	}
}
