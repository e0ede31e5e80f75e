package sim

import (
	"fmt"
	"testing"

	"kafkalab/engine/trace"
)

// sent is a message on its way, as transmit records it.
func sent(r *Recorder, size int) *item {
	it := &item{kind: kindMessage, api: 0, payload: Payload{rest: make([]byte, size)}, bytes: size, sender: "a", receiver: "b"}
	it.cause = r.add(0, 5, "a", sentItem{it})
	return it
}

func received(r *Recorder, it *item) {
	r.add(it.cause, 6, "b", receivedItem{it})
	it.over()
}

// Whoever asks for events gets the types that he knows, by whichever way and in
// whichever order he asks.
func TestMessagesAreTypedWhenAsked(t *testing.T) {
	for _, ask := range []func(*Recorder) []trace.Event{
		func(r *Recorder) []trace.Event { return r.Since(0) },
		func(r *Recorder) []trace.Event { r.Since(3); return r.Since(0) },
		func(r *Recorder) []trace.Event { r.Since(1); r.Since(2); return r.Since(0) },
		func(r *Recorder) []trace.Event {
			var out []trace.Event
			for id := trace.ID(1); id <= r.Last(); id++ {
				e, _ := r.Event(id)
				out = append(out, e)
			}
			return out
		},
	} {
		r := &Recorder{}
		r.Note(1, "a", trace.CommandGiven{Text: "x"})
		it := sent(r, 10)
		received(r, it)
		sent(r, 3)
		got := ""
		for _, e := range ask(r) {
			got += e.Kind() + " "
			if m, ok := e.Body.(trace.MessageReceived); ok {
				got += fmt.Sprint(m.Sent, m.From, m.To, m.API, m.Bytes, len(m.Payload), " ")
			}
		}
		if want := "CommandGiven MessageSent MessageReceived 2abProduce14 10 MessageSent "; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The trace keeps the bytes of the newest messages, within a bound; what is
// still under way keeps its own.
func TestPayloadsAreBounded(t *testing.T) {
	for _, look := range []bool{false, true} {
		r := &Recorder{keep: 50}
		const size = maxTracedBytes / 10
		under := sent(r, size)
		var last *item
		for i := range 40 {
			last = sent(r, size)
			received(r, last)
			if look && i%3 == 0 {
				r.Since(r.last - 2)
			}
		}
		if under.payload.rest == nil {
			t.Error("a message under way has lost its bytes")
		}
		kept := 0
		for _, e := range r.Since(0) {
			if m, ok := e.Body.(trace.MessageSent); ok && m.Payload != nil {
				kept++
			}
			if m, ok := e.Body.(trace.MessageSent); ok && m.Bytes != size+4 {
				t.Fatalf("%d B, want %d: the size stays known", m.Bytes, size+4)
			}
		}
		if kept != 10 || r.bytes > maxTracedBytes || last.payload.rest == nil {
			t.Errorf("payloads of %d messages are kept, %d B; the newest: %v", kept, r.bytes, last.payload.rest != nil)
		}
	}
}

// What falls out of the trace gives its bytes back to the count.
func TestDroppedEventsAreNotCounted(t *testing.T) {
	r := &Recorder{keep: 10}
	for range 1000 {
		received(r, sent(r, 100))
	}
	sum := 0
	for _, e := range r.Since(0) {
		if m, ok := e.Body.(trace.MessageSent); ok {
			sum += len(m.Payload)
		}
	}
	if r.bytes != sum || len(r.events) > 20 {
		t.Errorf("%d B counted, %d kept in %d events", r.bytes, sum, len(r.events))
	}
}

// A record that nobody looks at lets the bytes of a message go when it is over,
// and not before.
func TestABlindRecordKeepsNoBytes(t *testing.T) {
	r := &Recorder{keep: 10}
	before := sent(r, 100)
	received(r, before)
	r.Blind()
	under := sent(r, 100)
	if before.payload.rest != nil || under.payload.rest == nil {
		t.Errorf("bytes of a message that is over: %v, of one under way: %v", before.payload.rest != nil, under.payload.rest != nil)
	}
	received(r, under)
	if under.payload.rest != nil || r.bytes != 0 {
		t.Errorf("%d B are kept", r.bytes)
	}
	if m, ok := r.Since(r.last - 1)[0].Body.(trace.MessageReceived); !ok || m.Bytes != 104 {
		t.Errorf("%+v: the size stays known", m)
	}
}
