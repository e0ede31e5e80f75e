package engine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"kafkalab/engine/broker"
	"kafkalab/engine/client"
	"kafkalab/engine/disk"
	"kafkalab/engine/kerror"
	"kafkalab/engine/sim"
	"kafkalab/engine/trace"
)

type Stall struct{ Broker int32 }

// Resume ends a Stall.
type Resume struct{ Broker int32 }

// Stop ends a broker: How is StopKill (the process dies, what it has written
// stays), StopCrash (the machine dies, what was synced stays and of the rest a
// part that the seed draws), or StopShutdown (it parts in an orderly way).
type Stop struct {
	Broker int32
	How    string
}

// The ways to stop a broker.
const (
	StopKill     = "kill"
	StopCrash    = "crash"
	StopShutdown = "shutdown"
)

// Restart starts a broker again and runs until it serves; one that is up is
// shut down first.
type Restart struct{ Broker int32 }

// upBroker finds a broker that must be up, or down.
func (c *Cluster) upBroker(id int32, up bool) (*broker.Broker, error) {
	b := c.broker(id)
	switch {
	case b == nil:
		return nil, fmt.Errorf("there is no %s: this cluster has broker-1 to broker-%d", BrokerName(id), len(c.brokers))
	case up && !c.isUp(id):
		return nil, fmt.Errorf("%s is down", BrokerName(id))
	case !up && c.isUp(id):
		return nil, fmt.Errorf("%s is up", BrokerName(id))
	}
	return b, nil
}

func (c *Cluster) isUp(id int32) bool { return !c.loop.Dead(BrokerName(id)) }

// operate makes an operator's call on a node and handles it at once.
func (c *Cluster) operate(on sim.NodeID, body any) error {
	root := c.loop.Trace().Note(c.Now(), on, trace.CommandGiven{Text: c.text})
	if err := c.loop.Call(on, 0, body, root); err != nil {
		return err
	}
	c.pump(func() bool { at, ok := c.loop.Next(); return !ok || at > c.Now() }, math.MaxInt64)
	return nil
}

func (cmd Stall) run(c *Cluster) (Result, error) {
	if _, err := c.upBroker(cmd.Broker, true); err != nil {
		return nil, err
	}
	if c.stalled[cmd.Broker] {
		return Done{}, nil
	}
	c.stalled[cmd.Broker] = true
	c.loop.Trouble(BrokerName(cmd.Broker))
	return Done{}, c.operate(BrokerName(cmd.Broker), broker.Stall{})
}

func (cmd Resume) run(c *Cluster) (Result, error) {
	if _, err := c.upBroker(cmd.Broker, true); err != nil {
		return nil, err
	}
	if !c.stalled[cmd.Broker] {
		return Done{}, nil
	}
	c.unstall(cmd.Broker)
	return Done{}, c.operate(BrokerName(cmd.Broker), broker.Resume{})
}

func (c *Cluster) unstall(id int32) {
	if c.stalled[id] {
		delete(c.stalled, id)
		c.loop.Untrouble(BrokerName(id))
	}
}

func (cmd Stop) run(c *Cluster) (Result, error) {
	b, err := c.upBroker(cmd.Broker, true)
	if err != nil {
		return nil, err
	}
	name := BrokerName(cmd.Broker)
	if cmd.How == StopShutdown {
		if err := c.operate(name, broker.Shutdown{}); err != nil {
			return nil, err
		}
		c.pump(func() bool { return b.Stopped() || !c.isUp(cmd.Broker) }, c.Now()+shutdownLimitMs)
		if c.halted {
			return nil, nil
		}
		if !c.isUp(cmd.Broker) {
			return Done{Err: c.haltError(b)}, nil
		}
		if !b.Stopped() {
			c.loop.Trace().Note(c.Now(), name, trace.ShutdownNotApproved{Broker: cmd.Broker, WaitedMs: shutdownLimitMs})
		}
		if err := c.closeBroker(b); err != nil {
			return nil, err
		}
	} else {
		c.loop.Trace().Note(c.Now(), name, trace.CommandGiven{Text: c.text})
		if err := b.Abandon(); err != nil {
			return nil, err
		}
	}
	c.unstall(cmd.Broker)
	if cmd.How == StopCrash {
		keep := keepBy(c.crashes(cmd.Broker))
		if n, ok := c.torn[cmd.Broker]; ok {
			keep = keepBytes(n)
			delete(c.torn, cmd.Broker)
		}
		if err := b.FS.Crash(keep); err != nil {
			return nil, err
		}
	}
	c.loop.Kill(name, cmd.How != StopCrash)
	c.down[cmd.Broker] = cmd.How
	c.loop.Trace().Note(c.Now(), name, trace.NodeDown{Node: string(name), How: cmd.How})
	return Done{}, c.Err()
}

// shutdownLimitMs is how long a broker waits for the controller to let it go;
// after that it parts all the same (BrokerServer#shutdown waits five minutes for
// the controlled shutdown).
const shutdownLimitMs = 300_000

// closeBroker ends a broker in an orderly way. If its disk fails meanwhile the
// process ends all the same, without the file that says that it ended well.
func (c *Cluster) closeBroker(b *broker.Broker) error {
	err := b.Close(c.loop.WallMs())
	if err == nil || !broker.DiskError(err) {
		return err
	}
	c.loop.Trace().Note(c.Now(), BrokerName(b.ID), trace.LogDirFailed{Error: err.Error()})
	return b.Abandon()
}

// haltError is why a broker has ended by itself, as the result of the command
// that waited for it.
func (c *Cluster) haltError(b *broker.Broker) *kerror.Error {
	switch b.Halted() {
	case broker.HaltedDisk:
		return kerror.New(kerror.KafkaStorageError, "%s halted: its log directory has failed: %s", BrokerName(b.ID), b.WhyHalted())
	case broker.HaltedFatal:
		return kerror.New(kerror.KafkaStorageError, "%s died: %s", BrokerName(b.ID), b.WhyHalted())
	case broker.HaltedRegistration:
		return kerror.New(kerror.RequestTimedOut, "%s ended: no controller has registered it in time", BrokerName(b.ID))
	}
	return nil
}

// crashes is the random stream from which a crash draws what is left.
func (c *Cluster) crashes(id int32) *rand.Rand {
	c.crashCount++
	return sim.Stream(c.opts.Seed, fmt.Sprintf("crash/%d/%d", id, c.crashCount))
}

// keepBy draws, of what was not synced, how much a crash leaves.
func keepBy(r *rand.Rand) disk.Keep {
	return disk.Keep{
		Ops:  func(n int) int { return r.IntN(n + 1) },
		Tail: func(_ string, unsynced int64) int64 { return r.Int64N(unsynced + 1) },
	}
}

// keepBytes leaves exactly so many unsynced bytes of every file.
func keepBytes(n int64) disk.Keep {
	return disk.Keep{
		Ops:  func(n int) int { return n },
		Tail: func(_ string, unsynced int64) int64 { return min(n, unsynced) },
	}
}

func (cmd Restart) run(c *Cluster) (Result, error) {
	if c.broker(cmd.Broker) == nil {
		_, err := c.upBroker(cmd.Broker, true)
		return nil, err
	}
	if c.isUp(cmd.Broker) {
		if res, err := (Stop{cmd.Broker, StopShutdown}).run(c); err != nil || c.halted {
			return res, err
		}
	}
	name := BrokerName(cmd.Broker)
	b := broker.New(c.broker(cmd.Broker).Options)
	c.brokers[cmd.Broker-1] = b
	delete(c.down, cmd.Broker)
	c.loop.Trace().Note(c.Now(), name, trace.CommandGiven{Text: c.text})
	c.loop.Trace().Note(c.Now(), name, trace.NodeUp{Node: string(name)})
	c.loop.Revive(name, b)
	c.loop.Life(name, sim.Boot{}, c.Now())
	c.loop.Life(name, sim.Start{}, c.Now())
	c.pump(func() bool { return b.Err() != nil || !c.isUp(cmd.Broker) || b.Ready(c.controller.EndOffset()) }, c.Now()+restartLimitMs)
	if c.halted {
		return nil, nil
	}
	if !c.isUp(cmd.Broker) {
		c.loop.Untrouble(name) // the life that has just ended was counted too
		return Done{Err: c.haltError(b)}, c.Err()
	}
	if b.Err() == nil && !b.Ready(c.controller.EndOffset()) {
		return nil, fmt.Errorf("%s does not serve after %d ms", name, restartLimitMs)
	}
	c.loop.Untrouble(name)
	return Done{}, c.Err()
}

const restartLimitMs = 600_000

// Link changes what two nodes send each other: What is LinkCut, LinkHeal or
// LinkSlow (Ms one way), or LinkLose (the next Count answers to API). Without
// nodes, LinkHeal heals every link.
type Link struct {
	What  string
	A, B  sim.NodeID
	Ms    int64
	API   string
	Count int
}

// What can be done to a link.
const (
	LinkCut  = "cut"
	LinkHeal = "heal"
	LinkSlow = "slow"
	LinkLose = "lose"
)

func (cmd Link) run(c *Cluster) (Result, error) {
	if cmd.What == LinkHeal && cmd.A == "" {
		c.loop.HealAll()
		return Done{}, nil
	}
	for _, id := range []sim.NodeID{cmd.A, cmd.B} {
		if !c.loop.Has(id) {
			return nil, fmt.Errorf("there is no node %s", id)
		}
	}
	switch cmd.What {
	case LinkCut:
		c.loop.Cut(cmd.A, cmd.B)
	case LinkHeal:
		c.loop.Heal(cmd.A, cmd.B)
	case LinkSlow:
		c.loop.Slow(cmd.A, cmd.B, cmd.Ms)
	case LinkLose:
		key, ok := sim.APIKey(cmd.API)
		if !ok {
			return nil, fmt.Errorf("there is no request %s in Kafka", cmd.API)
		}
		c.loop.Lose(cmd.A, cmd.B, key, cmd.Count)
	}
	return Done{}, nil
}

// haltFailed takes the processes away of brokers that have ended by themselves:
// a broker with one log directory halts when that is gone
// (LogManager#handleLogDirFailure), and one that cannot register gives up.
func (c *Cluster) haltFailed() {
	for _, b := range c.brokers {
		how := b.Halted()
		if how == "" || !c.isUp(b.ID) {
			continue
		}
		name := BrokerName(b.ID)
		c.unstall(b.ID)
		_ = b.Abandon() // its handles are closed; that the disk fails is known
		c.loop.Kill(name, true)
		c.down[b.ID] = StopKill
		c.loop.Trace().Note(c.Now(), name, trace.NodeDown{Node: string(name), How: how})
	}
}

// Elect holds an election by hand.
type Elect struct{ client.ElectLeader }

func (cmd Elect) run(c *Cluster) (Result, error) { return done(c.administer(cmd.ElectLeader)), nil }

// nodeState is a node's state as scripts name it.
func (c *Cluster) nodeState(id int32) string {
	if how, down := c.down[id]; down {
		return map[string]string{StopKill: "killed", StopCrash: "crashed", StopShutdown: "stopped"}[how]
	}
	if c.stalled[id] {
		return "stalled"
	}
	return strings.ToLower(c.broker(id).State())
}
