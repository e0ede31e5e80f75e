package sim

import (
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
	"pgregory.net/rapid"
)

// However a link gets slower and faster, is cut and healed, what one node sends
// another on one connection arrives in the order in which it was sent: TCP keeps
// it.
func TestConnectionsKeepTheirOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := NewLoop(Options{})
		var heard []int32
		receiver := &scribe{do: func(_ *Ctx, ev Event) {
			if r, ok := ev.(Request); ok {
				heard = append(heard, r.Correlation)
			}
		}}
		sender := &scribe{do: func(ctx *Ctx, ev Event) {
			if _, ok := ev.(Call); ok {
				ctx.Send("b", ConnClient, kmsg.NewPtrApiVersionsRequest())
			}
		}}
		l.Add("a", sender)
		l.Add("b", receiver)
		for range rapid.IntRange(2, 40).Draw(t, "steps") {
			switch rapid.IntRange(0, 5).Draw(t, "what") {
			case 0:
				l.Slow("a", "b", rapid.Int64Range(0, 30).Draw(t, "ms"))
			case 1:
				l.Cut("a", "b")
			case 2:
				l.Heal("a", "b")
			case 3:
				until := l.Now() + rapid.Int64Range(0, 25).Draw(t, "wait")
				for at, ok := l.Next(); ok && at <= until; at, ok = l.Next() {
					l.Step()
				}
				l.Advance(until)
			default:
				if err := l.Call("a", 0, nil, 0); err != nil {
					t.Fatal(err)
				}
				l.Step()
			}
		}
		l.Heal("a", "b")
		drain(l)
		if !slices.IsSorted(heard) {
			t.Fatalf("arrived: %v", heard)
		}
	})
}
