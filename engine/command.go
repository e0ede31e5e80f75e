package engine

import (
	"errors"
	"fmt"
	"math"

	"kafkalab/engine/client"
	"kafkalab/engine/kerror"
	"kafkalab/engine/sim"
	"kafkalab/engine/storage"
	"kafkalab/engine/trace"
)

// Command is one thing that a cluster's user does. It is data: a journal of
// commands is all that is needed to go anywhere in a cluster's past.
type Command interface {
	// run does it, and what it waits for. The result goes to scripts.
	run(c *Cluster) (Result, error)
}

// Result is what a command yields: one of the result types of this package,
// or nil for none. Kafka's errors are part of it.
type Result interface{ kafkaError() *kerror.Error }

// ErrHeld is returned for a command that a replay stopped in the middle of.
var ErrHeld = errors.New("the replay stops inside this command")

// Do runs a command. text is how its user wrote it, the root of every cause.
// An error is misuse, or a disk that failed; what Kafka refuses is in the
// result.
func (c *Cluster) Do(cmd Command, text string) (Result, error) {
	c.began = c.loop.Trace().Last()
	c.last = Last{Offset: -1, LatencyMs: -1}
	res, err := withText(cmd, text).run(c)
	if c.halted {
		return nil, ErrHeld
	}
	if err != nil {
		return nil, err
	}
	if res != nil {
		if kerr := res.kafkaError(); kerr != nil {
			c.last.Error = kerr.Code
		}
	}
	return res, c.Err()
}

// texted is a command that speaks through a node and so has a place in the
// trace.
type texted struct {
	Command
	text string
}

func withText(cmd Command, text string) Command { return texted{cmd, text} }

func (t texted) run(c *Cluster) (Result, error) {
	c.text = t.text
	return t.Command.run(c)
}

// pump runs the loop until a condition holds, checked before the first event
// and after each, or until the time of the deadline has come; without more
// events and without a deadline it gives up.
func (c *Cluster) pump(until func() bool, deadline sim.Time) bool {
	for !until() {
		at, ok := c.loop.Next()
		if !ok || at > deadline {
			if deadline < math.MaxInt64 {
				c.loop.Advance(deadline)
			}
			return false
		}
		emitted, _ := c.loop.Step()
		c.haltFailed()
		if emitted > 0 && c.halt > 0 && c.loop.Trace().Step() >= c.halt {
			c.halted = true
			return false
		}
	}
	return true
}

// call makes a client's call and runs until it has its outcome.
func (c *Cluster) call(on sim.NodeID, body any) any {
	c.calls++
	id := c.calls
	root := c.loop.Trace().Note(c.Now(), on, trace.CommandGiven{Text: c.text})
	if err := c.loop.Call(on, id, body, root); err != nil {
		panic("engine: " + err.Error())
	}
	var caller interface {
		Finished(id int64) bool
		Outcome(id int64) any
	} = c.clients[on]
	if p := c.producers[string(on)]; p != nil {
		caller = p
	}
	c.pump(func() bool { return caller.Finished(id) }, math.MaxInt64)
	if c.halted {
		return nil
	}
	return caller.Outcome(id)
}

// knowLimitMs bounds how long a command waits for brokers to hear: one that is
// cut off and not fenced yet may not.
const knowLimitMs = 30_000

// brokersKnow runs until every live broker has replayed the metadata log.
func (c *Cluster) brokersKnow() {
	end := c.controller.EndOffset()
	c.pump(func() bool {
		for _, b := range c.brokers {
			if c.isUp(b.ID) && c.controller.Image().Live(b.ID) && b.MetadataOffset() < end {
				return false
			}
		}
		return true
	}, c.Now()+knowLimitMs)
}

// CreateTopic creates a topic and runs until every live broker knows it.
type CreateTopic struct{ client.CreateTopic }

// Created is the result of CreateTopic.
type Created struct {
	Topic      string        `json:"topic"`
	Partitions int           `json:"partitions"`
	Replicas   int           `json:"replicas"`
	ID         string        `json:"id"`
	Err        *kerror.Error `json:"-"`
}

func (r Created) kafkaError() *kerror.Error { return r.Err }

func (cmd CreateTopic) run(c *Cluster) (Result, error) {
	out := c.administer(cmd.CreateTopic)
	if out == nil || out.Err != nil {
		return failed(out), nil
	}
	return Created{Topic: cmd.Topic, Partitions: out.Partitions, Replicas: out.Replicas, ID: storage.FormatUUID(out.ID)}, nil
}

// AlterTopic raises a topic's partitions or changes its configs.
type AlterTopic struct{ client.AlterTopic }

func (cmd AlterTopic) run(c *Cluster) (Result, error) { return done(c.administer(cmd.AlterTopic)), nil }

// DeleteTopic deletes a topic.
type DeleteTopic struct{ client.DeleteTopic }

func (cmd DeleteTopic) run(c *Cluster) (Result, error) {
	return done(c.administer(cmd.DeleteTopic)), nil
}

// AlterBroker changes dynamic configs of a broker.
type AlterBroker struct{ client.AlterBroker }

func (cmd AlterBroker) run(c *Cluster) (Result, error) {
	return done(c.administer(cmd.AlterBroker)), nil
}

// Truncate moves the start of a partition's log (DeleteRecords).
type Truncate struct{ client.DeleteRecords }

// Truncated is the result of Truncate.
type Truncated struct {
	Partition string        `json:"partition"`
	Start     int64         `json:"start"` // the low watermark
	Err       *kerror.Error `json:"-"`
}

func (r Truncated) kafkaError() *kerror.Error { return r.Err }

func (cmd Truncate) run(c *Cluster) (Result, error) {
	out := c.administer(cmd.DeleteRecords)
	if out == nil || out.Err != nil {
		return failed(out), nil
	}
	return Truncated{Partition: fmt.Sprintf("%s/%d", cmd.Topic, cmd.Partition), Start: out.Start}, nil
}

// Done is the result of a command that yields nothing but perhaps an error.
type Done struct{ Err *kerror.Error }

func (r Done) kafkaError() *kerror.Error { return r.Err }

// MarshalJSON is an empty object: a command without a result has {} for one.
func (r Done) MarshalJSON() ([]byte, error) { return []byte("{}"), nil }

func (c *Cluster) administer(body any) *client.Administered {
	out, _ := c.call(AdminClient, body).(*client.Administered)
	if out != nil && out.Err == nil {
		c.brokersKnow()
	}
	return out
}

func done(out *client.Administered) Result {
	if out == nil {
		return nil
	}
	return Done{Err: out.Err}
}

func failed(out *client.Administered) Result { return done(out) }

// ErrorOf is what Kafka answered instead of a result, nil for none.
func ErrorOf(r Result) *kerror.Error {
	if r == nil {
		return nil
	}
	return r.kafkaError()
}
