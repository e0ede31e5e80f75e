package sim

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// pairOf is a loop with an asker and an answerer, each a scribe; the asker
// notes what it hears of its connections.
func pairOf(answers bool) (l *Loop, asker, answerer *scribe, heard *[]string) {
	l, heard = NewLoop(Options{}), &[]string{}
	asker, answerer = &scribe{}, &scribe{}
	asker.do = func(ctx *Ctx, ev Event) {
		switch ev := ev.(type) {
		case Call:
			ev.Body.(func(*Ctx))(ctx)
		case Connected:
			*heard = append(*heard, fmt.Sprintf("%d connected %s", ctx.Now(), ev.Conn))
		case Disconnected:
			*heard = append(*heard, fmt.Sprintf("%d disconnected %s %v", ctx.Now(), ev.Conn, ev.Correlations))
		case Response:
			*heard = append(*heard, fmt.Sprintf("%d answer %d", ctx.Now(), ev.Correlation))
		}
	}
	if answers {
		answerer.do = func(ctx *Ctx, ev Event) {
			if req, ok := ev.(Request); ok {
				ctx.Reply(req.Origin, kmsg.NewPtrApiVersionsResponse())
			}
		}
	}
	l.Add("a", asker)
	l.Add("b", answerer)
	return l, asker, answerer, heard
}

func (l *Loop) ask(do func(*Ctx)) { _ = l.Call("a", 0, do, 0) }

func runUntil(l *Loop, t Time) {
	for {
		if at, ok := l.Next(); !ok || at > t {
			l.Advance(t)
			return
		}
		l.Step()
	}
}

func send(ctx *Ctx) { ctx.Send("b", ConnClient, kmsg.NewPtrApiVersionsRequest()) }

func wantHeard(t *testing.T, got *[]string, want ...string) {
	t.Helper()
	if !slices.Equal(*got, want) {
		t.Errorf("heard %q, want %q", *got, want)
	}
	*got = nil
}

func requests(s *scribe) (n int) {
	for _, text := range s.heard {
		if strings.Contains(text, "Request") {
			n++
		}
	}
	return n
}

// A connection takes a trip and back; to a process that has ended it is
// refused, from a machine that is down or behind a cut link nothing comes.
func TestConnecting(t *testing.T) {
	connect := func(ctx *Ctx) { ctx.Connect("b", ConnClient) }
	l, _, _, heard := pairOf(true)
	l.ask(connect)
	runUntil(l, 10)
	wantHeard(t, heard, "2 connected client")
	l.Kill("b", true)
	runUntil(l, 20)
	wantHeard(t, heard, "11 disconnected client []")
	l.ask(connect)
	runUntil(l, 30)
	wantHeard(t, heard, "22 disconnected client []")
	l.Cut("a", "b")
	l.ask(connect)
	runUntil(l, 40)
	wantHeard(t, heard)
	l.Heal("a", "b")
	runUntil(l, 50)
	wantHeard(t, heard, "42 disconnected client []")
	l.Revive("b", &scribe{})
	l.Kill("b", false)
	l.ask(connect)
	runUntil(l, 60)
	wantHeard(t, heard)
}

// An answer that is lost ends its connection, with what else was asked there;
// what is asked before the news is there is lost, too, and what is asked after
// it goes over a new one.
func TestLostAnswerEndsItsConnection(t *testing.T) {
	l, _, answerer, heard := pairOf(true)
	l.Lose("a", "b", kmsg.ApiVersions.Int16(), 1)
	l.ask(func(ctx *Ctx) {
		send(ctx)
		send(ctx)
		ctx.Send("b", ConnBootstrap, kmsg.NewPtrApiVersionsRequest())
	})
	runUntil(l, 1)
	l.ask(send)
	runUntil(l, 10)
	wantHeard(t, heard, "2 disconnected client [1 2 4]", "2 answer 3")
	if n := requests(answerer); n != 2 {
		t.Errorf("%d requests arrived: %q", n, answerer.heard)
	}
	l.ask(send)
	runUntil(l, 20)
	wantHeard(t, heard, "12 answer 5")
}

// Of a connection that was closed by the one who asked, what is on its way is
// read until the second answer cannot be written; a new connection is another.
func TestClosedConnection(t *testing.T) {
	l, _, answerer, heard := pairOf(true)
	l.Cut("a", "b")
	l.ask(func(ctx *Ctx) {
		for range 4 {
			send(ctx)
		}
	})
	runUntil(l, 5)
	l.ask(func(ctx *Ctx) { ctx.Close("b", ConnClient); send(ctx) })
	runUntil(l, 10)
	l.Heal("a", "b")
	runUntil(l, 20)
	wantHeard(t, heard, "12 answer 5")
	if n := requests(answerer); n != 3 {
		t.Errorf("%d requests were read: %q", n, answerer.heard)
	}
}

// A machine that comes back resets the connections of its earlier life when
// something is sent on them.
func TestStaleConnection(t *testing.T) {
	l, _, _, heard := pairOf(true)
	l.ask(send)
	runUntil(l, 10)
	wantHeard(t, heard, "2 answer 1")
	l.Kill("b", false)
	l.Revive("b", &scribe{})
	runUntil(l, 20)
	wantHeard(t, heard)
	l.ask(send)
	runUntil(l, 30)
	wantHeard(t, heard, "22 disconnected client [2]")
}
