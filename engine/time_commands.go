package engine

import (
	"fmt"
	"math"
	"slices"

	"kafkalab/engine/broker"
	"kafkalab/engine/kerror"
	"kafkalab/engine/trace"
)

// Moved is the result of a command that moves time.
type Moved struct {
	TimeMs int64  `json:"time_ms"` // now
	Held   bool   `json:"-"`       // whether an Until's expression held
	Got    string `json:"-"`       // of an Until that did not: what there was
}

func (Moved) kafkaError() *kerror.Error { return nil }

// Tick lets ms of virtual time pass.
type Tick struct{ Ms int64 }

func (cmd Tick) run(c *Cluster) (Result, error) {
	if cmd.Ms < 0 || cmd.Ms > math.MaxInt64-c.opts.Start-c.Now() {
		return nil, fmt.Errorf("tick by %d ms: time cannot go there", cmd.Ms)
	}
	c.pump(func() bool { return false }, c.Now()+cmd.Ms)
	return Moved{TimeMs: c.Now(), Held: true}, nil
}

// Settle runs until nothing is due but the timers of routine, or for MaxMs.
type Settle struct{ MaxMs int64 }

func (cmd Settle) run(c *Cluster) (Result, error) {
	if c.loop.Busy() {
		c.pump(func() bool { return !c.loop.Busy() }, c.Now()+cmd.MaxMs)
	}
	return Moved{TimeMs: c.Now(), Held: true}, nil
}

// Until runs to the first event after which an expression holds, MaxMs at
// most.
type Until struct {
	Expr  Expr
	MaxMs int64
}

func (cmd Until) run(c *Cluster) (Result, error) {
	held := c.pump(func() bool { ok, _ := cmd.Expr.Holds(c); return ok }, c.Now()+cmd.MaxMs)
	got := ""
	if !held && !c.halted {
		held, got = cmd.Expr.Holds(c) // the clock itself may have made it true
	}
	return Moved{TimeMs: c.Now(), Held: held, Got: got}, nil
}

// Steps runs N steps: events of the loop after which something was emitted. If
// none comes in ten minutes, it ends there: a cluster in which only periodic
// checks run, and find nothing, would never take another.
type Steps struct{ N int64 }

const stepPatienceMs = 10 * 60 * 1000

func (cmd Steps) run(c *Cluster) (Result, error) {
	goal := c.Step() + cmd.N
	for c.Step() < goal && !c.halted {
		before := c.Step()
		c.pump(func() bool { return c.Step() > before }, c.Now()+stepPatienceMs)
		if c.Step() == before {
			break
		}
	}
	return Moved{TimeMs: c.Now(), Held: true}, nil
}

// Roll closes the active segment of a partition on every replica.
type Roll struct {
	Topic     string
	Partition int32
}

func (cmd Roll) run(c *Cluster) (Result, error) {
	if c.partition(cmd.Topic, cmd.Partition) == nil {
		return Done{Err: &kerror.Error{Code: kerror.UnknownTopicOrPartition}}, nil
	}
	if !slices.ContainsFunc(c.brokers, func(b *broker.Broker) bool { return b.Replica(cmd.Topic, cmd.Partition) != nil && c.isUp(b.ID) }) {
		return Done{Err: &kerror.Error{Code: kerror.LeaderNotAvailable}}, nil
	}
	for _, b := range c.brokers {
		if b.Replica(cmd.Topic, cmd.Partition) == nil || !c.isUp(b.ID) {
			continue
		}
		name := BrokerName(b.ID)
		root := c.loop.Trace().Note(c.Now(), name, trace.CommandGiven{Text: c.text})
		if err := c.loop.Call(name, 0, broker.Roll{Topic: cmd.Topic, Partition: cmd.Partition}, root); err != nil {
			return nil, err
		}
	}
	c.pump(func() bool { at, ok := c.loop.Next(); return !ok || at > c.Now() }, math.MaxInt64)
	return Done{}, nil
}
