package sim

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kmsg"
	"pgregory.net/rapid"

	"kafkalab/engine/trace"
)

// scribe is a node that writes down what it is handed.
type scribe struct {
	heard []string
	do    func(ctx *Ctx, ev Event)
}

func (s *scribe) Handle(ctx *Ctx, ev Event) {
	text := fmt.Sprintf("%d %T", ctx.Now(), ev)
	switch ev := ev.(type) {
	case Timer:
		text += " " + ev.Key
	case Request:
		text += fmt.Sprintf(" %s %d", ev.From, ev.Correlation)
	}
	s.heard = append(s.heard, text)
	if s.do != nil {
		s.do(ctx, ev)
	}
}

func drain(l *Loop) {
	for {
		if _, ok := l.Step(); !ok {
			return
		}
	}
}

// A timer that is set again runs out once, at its new time; a cancelled one
// never does.
func TestTimersAreKeyed(t *testing.T) {
	l := NewLoop(Options{})
	s := &scribe{}
	s.do = func(ctx *Ctx, ev Event) {
		if _, ok := ev.(Boot); ok {
			ctx.SetTimer("again", 5)
			ctx.SetTimer("again", 9)
			ctx.SetTimer("never", 7)
			ctx.CancelTimer("never")
		}
	}
	l.Add("n", s)
	l.Life("n", Boot{}, 0)
	drain(l)
	if want := []string{"0 sim.Boot", "9 sim.Timer again"}; !slices.Equal(s.heard, want) {
		t.Errorf("heard %q, want %q", s.heard, want)
	}
}

// At one instant a fetcher's message comes before a skipped round that is
// taken up, that before other messages, and these before timers, whatever the
// order in which they were queued; a link keeps its order.
func TestOrderWithinAnInstant(t *testing.T) {
	l := NewLoop(Options{})
	s := &scribe{}
	sender := &scribe{do: func(ctx *Ctx, ev Event) {
		for _, conn := range []Conn{ConnClient, ConnClient, ConnFetcher} {
			ctx.Send("n", conn, kmsg.NewPtrApiVersionsRequest())
		}
	}}
	s.do = func(ctx *Ctx, ev Event) {
		if _, ok := ev.(Boot); ok {
			ctx.SetTimer("timer", 1)
			ctx.SetRound("round", 1)
		}
	}
	l.Add("n", s)
	l.Add("m", sender)
	l.Life("n", Boot{}, 0)
	l.Life("m", Boot{}, 0)
	drain(l)
	want := []string{"0 sim.Boot", "1 sim.Request m 3", "1 sim.Timer round", "1 sim.Request m 1", "1 sim.Request m 2", "1 sim.Timer timer"}
	if !slices.Equal(s.heard, want) {
		t.Errorf("heard %q, want %q", s.heard, want)
	}
}

// Every effect names its cause: the message's sending its handler's event, its
// arrival the sending.
func TestCausesFormAChain(t *testing.T) {
	l := NewLoop(Options{})
	l.Add("n", &scribe{do: func(ctx *Ctx, ev Event) {
		if req, ok := ev.(Request); ok {
			ctx.Reply(req.Origin, kmsg.NewPtrApiVersionsResponse())
		}
	}})
	l.Add("m", &scribe{do: func(ctx *Ctx, ev Event) {
		if _, ok := ev.(Call); ok {
			ctx.Send("n", ConnClient, kmsg.NewPtrApiVersionsRequest())
		}
	}})
	root := l.Trace().Note(0, "m", trace.CommandGiven{Text: "go"})
	if err := l.Call("m", 1, nil, root); err != nil {
		t.Fatal(err)
	}
	drain(l)
	events := l.Trace().Since(0)
	if len(events) != 5 {
		t.Fatalf("%d events, want the command and two messages, each sent and received", len(events))
	}
	for i, e := range events {
		if e.ID != trace.ID(i+1) || e.Cause != trace.ID(i) {
			t.Errorf("event %d, %s, has id %d and cause %d", i, e.Kind(), e.ID, e.Cause)
		}
	}
}

// What the skipped rounds would have done, by running them one by one.
func TestRoundsAreWhereTheyWouldBe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Rounds{First: rapid.Int64Range(0, 50).Draw(t, "first"), Wait: rapid.Int64Range(0, 20).Draw(t, "wait"), Trip: rapid.Int64Range(1, 9).Draw(t, "trip")}
		now := r.First + rapid.Int64Range(0, 300).Draw(t, "after")
		arrival := r.First
		for arrival+r.Wait+r.Trip <= now {
			arrival += r.Wait + r.Trip
		}
		parked := now <= arrival+r.Wait
		timeout := arrival + r.Wait
		if !parked {
			timeout += r.Wait + r.Trip
		}
		if r.Last(now) != arrival || r.Parked(now) != parked || r.NextTimeout(now) != timeout || r.NextArrival(now) != arrival+r.Wait+r.Trip {
			t.Fatalf("%+v at %d: last %d parked %v time-out %d, want %d %v %d", r, now, r.Last(now), r.Parked(now), r.NextTimeout(now), arrival, parked, timeout)
		}
	})
}

func TestStreamsAreApart(t *testing.T) {
	a, b, again := Stream(1, "a"), Stream(1, "b"), Stream(1, "a")
	x, y := a.Uint64(), b.Uint64()
	if x == y {
		t.Error("two names give the same stream")
	}
	if x != again.Uint64() {
		t.Error("the same seed and name give another stream")
	}
	if Stream(2, "a").Uint64() == x {
		t.Error("another seed gives the same stream")
	}
}

// Requests and responses come back from the wire as they were, flexible or
// not.
func TestWireRoundTrip(t *testing.T) {
	for key := int16(0); key <= 92; key++ {
		req := kmsg.RequestForKey(key)
		if req == nil {
			continue
		}
		for v := int16(0); v <= req.MaxVersion(); v++ {
			req.SetVersion(v)
			req.(interface{ Default() }).Default()
			back, corr, id, err := DecodeRequest(EncodeRequest(req, 77, "me"))
			if err != nil || corr != 77 || id != "me" {
				t.Fatalf("%s v%d: correlation %d, client %q, %v", kmsg.NameForKey(key), v, corr, id, err)
			}
			if d := cmp.Diff(EncodeRequest(req, 1, "x"), EncodeRequest(back, 1, "x")); d != "" {
				t.Errorf("%s v%d: %s", kmsg.NameForKey(key), v, d)
			}
			resp := req.ResponseKind()
			resp.SetVersion(v)
			answer, corr, err := DecodeResponse(EncodeResponse(resp, 78), key, v)
			if err != nil || corr != 78 {
				t.Fatalf("%s response v%d: correlation %d, %v", kmsg.NameForKey(key), v, corr, err)
			}
			if d := cmp.Diff(EncodeResponse(resp, 1), EncodeResponse(answer, 1)); d != "" {
				t.Errorf("%s response v%d: %s", kmsg.NameForKey(key), v, d)
			}
		}
	}
}

func TestRecorderKeepsTheNewest(t *testing.T) {
	r := Recorder{keep: 10}
	for range 95 {
		r.add(0, 0, "n", trace.CommandGiven{})
	}
	got := r.Since(0)
	if len(got) < 10 || len(got) > 20 || got[len(got)-1].ID != 95 || got[0].ID != 96-trace.ID(len(got)) {
		t.Errorf("%d events, %d to %d: want the newest 10 to 20 without holes", len(got), got[0].ID, got[len(got)-1].ID)
	}
	if _, ok := r.Event(1); ok {
		t.Error("an event that fell out is still found")
	}
	if e, ok := r.Event(95); !ok || e.ID != 95 {
		t.Error("the newest event is not found")
	}
}

func FuzzDecodeRequest(f *testing.F) {
	f.Add(EncodeRequest(kmsg.NewPtrProduceRequest(), 1, "c"))
	f.Add([]byte{0, 18, 0, 3, 0, 0, 0, 1, 0, 1, 'c', 1, 5, 1, 0})
	f.Fuzz(func(t *testing.T, src []byte) {
		if req, corr, id, err := DecodeRequest(src); err == nil {
			EncodeRequest(req, corr, id)
		}
	})
}

func FuzzDecodeResponse(f *testing.F) {
	f.Add(EncodeResponse(kmsg.NewPtrFetchResponse(), 1), int16(1), int16(17))
	f.Fuzz(func(t *testing.T, src []byte, key, version int16) {
		if resp := kmsg.ResponseForKey(key); resp == nil || version < 0 || version > resp.MaxVersion() {
			return
		}
		if resp, corr, err := DecodeResponse(src, key, version); err == nil {
			EncodeResponse(resp, corr)
		}
	})
}
