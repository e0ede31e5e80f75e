package sim

import (
	"math/rand/v2"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/trace"
)

// Ctx is what a node sees of the world while it handles one event. Whatever it
// sends or sets goes to the loop's queue; nothing happens until the handler
// has returned.
type Ctx struct {
	loop  *Loop
	self  int32
	cause trace.ID
}

// Now is the virtual time in ms since the cluster's start.
func (c *Ctx) Now() Time { return c.loop.now }

// WallMs is the virtual time as ms since the Unix epoch, which is what record
// timestamps and file times hold.
func (c *Ctx) WallMs() int64 { return c.loop.origin + c.loop.now }

// Self is the node that handles.
func (c *Ctx) Self() NodeID { return c.loop.slots[c.self].id }

// EveryRound tells whether idle rounds are run one by one, which only a test
// asks for.
func (c *Ctx) EveryRound() bool { return c.loop.everyRound }

// Explicit tells whether rounds with a peer are run one by one at the moment:
// because a test asks for it, or because one of the two or their link is
// disturbed.
func (c *Ctx) Explicit(peer NodeID) bool {
	p, ok := c.loop.index[peer]
	return !ok || c.loop.explicitly(c.self, p)
}

// Rand is the node's random stream of that name.
func (c *Ctx) Rand(name string) *rand.Rand { return c.loop.rand(c.self, name) }

// Send puts a request on the wire and returns the correlation id by which its
// response will come back.
func (c *Ctx) Send(to NodeID, conn Conn, req kmsg.Request) int32 {
	s := &c.loop.slots[c.self]
	s.correlation++
	c.loop.transmit(c, to, conn, Payload{rest: EncodeRequest(req, s.correlation, string(s.id))}, message{
		key: req.Key(), version: req.GetVersion(), correlation: s.correlation,
	})
	return s.correlation
}

// Cast puts a request on the wire that gets no answer: a produce with acks=0.
func (c *Ctx) Cast(to NodeID, conn Conn, req kmsg.Request) {
	corr := c.Send(to, conn, req)
	delete(c.loop.slots[c.self].pending, corr)
}

// Reply answers a request.
func (c *Ctx) Reply(to Origin, resp kmsg.Response) {
	resp.SetVersion(to.Version)
	c.loop.transmit(c, to.From, to.Conn, answer(resp, to.Correlation), message{
		key: to.Key, version: to.Version, correlation: to.Correlation, response: true, on: to.on,
	})
}

// CausedBy makes what follows in this handler the effect of an earlier
// request's arrival: an answer that was waiting is caused by both its request
// and what released it, and the latter is the default.
func (c *Ctx) CausedBy(o Origin) { c.cause = trace.ID(o.arrived) }

// SetTimer sets the node's timer of that key to run out d ms from now; a timer
// of the same key that is still running is replaced.
func (c *Ctx) SetTimer(key string, d int64) { c.timer(key, c.loop.now+d, rankTimer, false) }

// SetPeriodic sets a timer that belongs to the node's routine: settling does
// not wait for it.
func (c *Ctx) SetPeriodic(key string, d int64) { c.timer(key, c.loop.now+d, rankTimer, true) }

// SetRound sets a timer at which a skipped round's request arrives again, see
// Rounds. Like a message it comes before what applications do at that instant.
func (c *Ctx) SetRound(key string, at Time) { c.timer(key, at, rankRound, false) }

func (c *Ctx) timer(key string, at Time, rank uint8, periodic bool) {
	s := &c.loop.slots[c.self]
	c.loop.seq++
	s.timers[key] = c.loop.seq
	c.loop.queue.add(&item{
		at: at, rank: rank, from: c.self, to: c.self, seq: c.loop.seq, kind: kindTimer,
		key: key, gen: c.loop.seq, periodic: periodic, cause: c.cause,
	})
}

// CancelTimer stops the node's timer of that key, if it runs.
func (c *Ctx) CancelTimer(key string) { delete(c.loop.slots[c.self].timers, key) }

// Emit records that something happened and returns the event's id. What the
// handler does after it is not taken to be caused by it.
func (c *Ctx) Emit(b trace.Body) trace.ID {
	return c.loop.trace.add(c.cause, c.loop.now, c.Self(), b)
}

// Trip is the time in ms from this node to a peer and back.
func (c *Ctx) Trip(peer NodeID) int64 {
	return c.Latency(peer) + c.Latency(peer)
}

// Latency is the time in ms from this node to a peer.
func (c *Ctx) Latency(peer NodeID) int64 {
	p, ok := c.loop.index[peer]
	if !ok {
		return DefaultLatency
	}
	return c.loop.links.latency(c.self, p)
}
