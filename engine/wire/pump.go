package wire

import (
	"context"
	"encoding/hex"
	"fmt"
	"runtime/debug"
	"time"

	"kafkalab/engine"
	"kafkalab/engine/broker"
)

// Clock is the wall clock, as a pump sees it.
type Clock struct {
	Now   func() time.Time
	After func(time.Duration) <-chan time.Time
}

// SystemClock is the machine's.
func SystemClock() Clock { return Clock{Now: time.Now, After: time.After} }

// RealTime lets a script run no faster than the clock: what it gives waits until
// the clock has come to a virtual time, counted from now on. What a command does
// in virtual time it still does at once; it is told when its time has come.
func RealTime(c Clock) func(nowMs int64) {
	began := c.Now()
	return func(nowMs int64) {
		if wait := began.Add(time.Duration(nowMs) * time.Millisecond).Sub(c.Now()); wait > 0 {
			<-c.After(wait)
		}
	}
}

// Pump runs a cluster in real time for the programs that come in at an edge.
// While Run runs, the cluster is its own.
type Pump struct {
	cluster *engine.Cluster
	edge    *Edge
	clock   Clock
	record  *Recording // nil when nobody asked for one
	began   time.Time  // the wall clock's time at the virtual time from
	from    int64
	up      []bool                               // by broker - 1
	ended   func(broker int32, why string) error // told of brokers that end by themselves, nil if nobody wants to know
}

// NewPump makes a pump; the cluster's present moment is the wall clock's.
func NewPump(c *engine.Cluster, e *Edge, clock Clock, r *Recording) *Pump {
	c.Serve()
	c.Unseen()
	e.reuse = true
	p := &Pump{cluster: c, edge: e, clock: clock, record: r, began: clock.Now(), from: c.Now()}
	for range c.Options().Brokers {
		p.up = append(p.up, true) // as the edge begins; do sees to the rest
	}
	return p
}

// Broken is a bug of the engine that a request has brought to light.
type Broken struct {
	What  any
	Stack []byte
}

func (b *Broken) Error() string { return fmt.Sprintf("the engine broke an invariant: %v", b.What) }

// Advertise tells the cluster where its brokers are reached.
func (p *Pump) Advertise(at []broker.Endpoint) error {
	text := advertiseLine(at)
	p.record.command(text)
	return p.do(engine.Advertise{Endpoints: at}, text)
}

// Run serves until the context is done. It ends with an error when a disk
// fails, the recording cannot be written, or the engine has a bug (*Broken).
func (p *Pump) Run(ctx context.Context) error {
	for {
		if err := p.catchUp(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return p.record.flush()
		case a := <-p.edge.Arrivals():
			if err := p.arrived(a); err != nil {
				return err
			}
			continue
		default:
		}
		if err := p.record.flush(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return p.record.flush()
		case a := <-p.edge.Arrivals():
			if err := p.arrived(a); err != nil {
				return err
			}
		case <-p.alarm():
		}
	}
}

// present is the virtual time that it is by the wall clock.
func (p *Pump) present() int64 { return p.from + p.clock.Now().Sub(p.began).Milliseconds() }

// alarm rings when the next event is due; without one it never does.
func (p *Pump) alarm() <-chan time.Time {
	due := p.cluster.NextDue()
	wait := p.began.Add(time.Duration(due-p.from) * time.Millisecond).Sub(p.clock.Now())
	if due > p.cluster.Now()+maxSleepMs {
		wait = maxSleepMs * time.Millisecond
	}
	return p.clock.After(max(wait, 0))
}

// maxSleepMs bounds a sleep, so that times far away do not overflow.
const maxSleepMs = 3_600_000

// catchUp runs what has come due.
func (p *Pump) catchUp() error {
	if now := p.present(); p.cluster.NextDue() <= now {
		return p.tickTo(now)
	}
	return nil
}

func (p *Pump) tickTo(now int64) error {
	ms := now - p.cluster.Now()
	if ms < 0 || (ms == 0 && p.cluster.NextDue() > now) {
		return nil
	}
	p.record.tick(ms)
	return p.do(engine.Tick{Ms: ms}, "")
}

// arrived takes one arrival into the cluster, at the present moment. What comes
// on a connection that the broker has closed meanwhile is not read.
func (p *Pump) arrived(a Arrival) error {
	if err := p.tickTo(p.present()); err != nil {
		return err
	}
	switch {
	case a.Kind == Opened && !p.cluster.Welcomes(a.Conn, a.Broker):
		p.edge.hangUp(a.Conn)
		return nil
	case a.Kind == Opened:
		p.record.commandf("connect %s %s", a.Conn, engine.BrokerName(a.Broker))
		return p.do(engine.Connect{Conn: a.Conn, Broker: a.Broker}, "")
	case !p.cluster.Connected(a.Conn):
		return nil
	case a.Kind == Closed:
		p.record.commandf("disconnect %s", a.Conn)
		return p.do(engine.Disconnect{Conn: a.Conn}, "")
	}
	if p.record != nil {
		p.record.command("arrive " + string(a.Conn) + " " + hex.EncodeToString(a.Frame))
	}
	return p.do(engine.Arrive{Conn: a.Conn, Frame: a.Frame}, "")
}

// do runs a command and hands out what has left by it.
func (p *Pump) do(cmd engine.Command, text string) (err error) {
	defer func() {
		if what := recover(); what != nil {
			err = &Broken{What: what, Stack: debug.Stack()}
		}
	}()
	_, err = p.cluster.Do(cmd, text)
	for _, d := range p.cluster.Departures() {
		p.edge.Deliver(d)
	}
	for i := range p.up {
		if up := p.cluster.Up(int32(i + 1)); up != p.up[i] {
			p.up[i] = up
			if e := p.edge.SetUp(int32(i+1), up); e != nil && err == nil {
				err = e
			}
			if e := p.tellEnded(int32(i + 1)); e != nil && err == nil {
				err = e
			}
		}
	}
	return err
}

func (p *Pump) tellEnded(id int32) error {
	if why := p.cluster.Ended(id); why != "" && p.ended != nil {
		return p.ended(id, why)
	}
	return nil
}
