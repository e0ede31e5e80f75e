package quorum

import (
	"maps"
	"slices"
	"strconv"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/config"
	"kafkalab/engine/kerror"
	"kafkalab/engine/metadata"
	"kafkalab/engine/sim"
	"kafkalab/engine/trace"
)

// configs are the controller's own effective configs.
func (c *Controller) configs() config.Values {
	return config.NewBroker(config.Layers{Static: c.Static, ClusterWide: c.image.ClusterConfigs()})
}

func (c *Controller) int(name string) int64 { return c.configs().Int(name) }
func (c *Controller) bool(name string) bool { return c.configs().Bool(name) }

// start is time 0: every broker is up, and its heartbeats begin.
func (c *Controller) start(ctx *sim.Ctx) {
	for _, id := range c.image.BrokerIDs() {
		b := c.image.Brokers[id]
		if c.registered[id] {
			c.heardFrom(ctx, id, ctx.Now()+ctx.Latency(c.Name(id)))
		} else if !b.Fenced {
			c.fence(ctx, b) // of an earlier run, and not among the brokers of this one
		}
	}
}

// register takes a broker in. Its epoch is the offset of the record that says
// so, and it stays fenced until a heartbeat shows that it has replayed that.
// While the session of an earlier incarnation lasts, another is refused.
// Source: ClusterControlManager#registerBroker.
func (c *Controller) register(ctx *sim.Ctx, msg *kmsg.BrokerRegistrationRequest) *kmsg.BrokerRegistrationResponse {
	resp := kmsg.NewPtrBrokerRegistrationResponse()
	resp.BrokerEpoch = -1
	if msg.ClusterID != c.ClusterID {
		resp.ErrorCode = int16(kerror.InconsistentClusterId)
		return resp
	}
	if old := c.image.Brokers[msg.BrokerID]; old != nil && old.Incarnation != msg.IncarnationID && !old.Fenced && c.sessionHolds(ctx, msg.BrokerID) {
		resp.ErrorCode = int16(kerror.DuplicateBrokerRegistration)
		return resp
	}
	rec := &metadata.RegisterBroker{
		BrokerID: msg.BrokerID, IncarnationID: msg.IncarnationID, BrokerEpoch: c.log.LogEndOffset(),
		Rack: msg.Rack, Fenced: true, LogDirs: msg.LogDirs,
	}
	for _, l := range msg.Listeners {
		rec.EndPoints = append(rec.EndPoints, metadata.EndPoint{Name: l.Name, Host: l.Host, Port: l.Port})
	}
	for _, f := range msg.Features {
		rec.Features = append(rec.Features, metadata.Feature{Name: f.Name, Min: f.MinSupportedVersion, Max: f.MaxSupportedVersion})
	}
	c.registered[msg.BrokerID] = true
	var before []metadata.Record
	if old := c.image.Brokers[msg.BrokerID]; old != nil && !old.Fenced {
		before = c.withoutBroker(msg.BrokerID) // it ended without a word: BrokerShutdownHandler
	}
	rec.BrokerEpoch += int64(len(before))
	c.append(ctx, append(before, rec)...)
	c.tellChanges(ctx, before)
	delete(c.parting, msg.BrokerID)
	ctx.Emit(trace.BrokerRegistered{Broker: msg.BrokerID, Epoch: rec.BrokerEpoch})
	resp.BrokerEpoch = rec.BrokerEpoch
	return resp
}

// heartbeat decides what becomes of a broker next.
// Source: BrokerHeartbeatManager#calculateNextBrokerState.
func (c *Controller) heartbeat(ctx *sim.Ctx, msg *kmsg.BrokerHeartbeatRequest) *kmsg.BrokerHeartbeatResponse {
	resp := kmsg.NewPtrBrokerHeartbeatResponse()
	b := c.image.Brokers[msg.BrokerID]
	switch {
	case b == nil:
		resp.ErrorCode = int16(kerror.BrokerIdNotRegistered)
		return resp
	case b.Epoch != msg.BrokerEpoch:
		resp.ErrorCode = int16(kerror.StaleBrokerEpoch)
		return resp
	}
	c.heardFrom(ctx, b.ID, ctx.Now())
	c.applied[b.ID] = msg.CurrentMetadataOffset
	resp.IsCaughtUp = msg.CurrentMetadataOffset >= b.Epoch
	switch {
	case msg.WantShutdown:
		resp.ShouldShutdown = c.part(ctx, b)
	case b.Fenced && !msg.WantFence && resp.IsCaughtUp:
		c.append(ctx, &metadata.BrokerRegistrationChange{BrokerID: b.ID, BrokerEpoch: b.Epoch, Fenced: -1})
		ctx.Emit(trace.BrokerUnfenced{Broker: b.ID})
		c.electWhereNone(ctx)
	case !b.Fenced && msg.WantFence:
		c.fence(ctx, b)
	}
	resp.IsFenced = b.Fenced
	return resp
}

// heardFrom notes a heartbeat. The next ones, while nothing disturbs, are not
// sent; they count as having come one interval and one trip apart.
func (c *Controller) heardFrom(ctx *sim.Ctx, id int32, at sim.Time) {
	peer := c.Name(id)
	if !ctx.Explicit(peer) {
		c.contact[id] = sim.Rounds{First: at, Trip: c.int("broker.heartbeat.interval.ms") + ctx.Trip(peer)}
		ctx.CancelTimer(sessionKey(id))
		return
	}
	c.contact[id] = sim.Rounds{First: at}
	c.watch(ctx, id, at)
}

func sessionKey(id int32) string { return "session/" + strconv.Itoa(int(id)) }

// watch sets the time at which a broker's session ends if nothing is heard.
func (c *Controller) watch(ctx *sim.Ctx, id int32, last sim.Time) {
	ctx.SetPeriodic(sessionKey(id), last+c.int("broker.session.timeout.ms")-ctx.Now())
}

func (c *Controller) lastHeard(ctx *sim.Ctx, id int32) sim.Time {
	r, ok := c.contact[id]
	if !ok {
		return -1 << 40
	}
	return r.Last(ctx.Now())
}

func (c *Controller) sessionHolds(ctx *sim.Ctx, id int32) bool {
	return ctx.Now()-c.lastHeard(ctx, id) < c.int("broker.session.timeout.ms")
}

// sessionOver fences a broker that has not been heard from.
func (c *Controller) sessionOver(ctx *sim.Ctx, key string) {
	id, _ := strconv.ParseInt(key, 10, 32)
	b := c.image.Brokers[int32(id)]
	if b == nil || b.Fenced || c.sessionHolds(ctx, b.ID) {
		return
	}
	c.fence(ctx, b)
}

// fence takes a broker out of every ISR and moves what it leads.
// Source: ReplicationControlManager#handleBrokerFenced.
func (c *Controller) fence(ctx *sim.Ctx, b *metadata.Broker) {
	ctx.Emit(trace.BrokerFenced{Broker: b.ID, LastContactMs: ctx.Now() - c.lastHeard(ctx, b.ID)})
	ctx.CancelTimer(sessionKey(b.ID))
	records := c.withoutBroker(b.ID)
	c.append(ctx, append(records, &metadata.BrokerRegistrationChange{BrokerID: b.ID, BrokerEpoch: b.Epoch, Fenced: 1})...)
	c.tellChanges(ctx, records)
}

// part moves a broker that wants to shut down out of the way, and says when it
// may end: at once when it leads nothing, else when its partitions have moved
// and every other active broker has heard so.
// Source: BrokerHeartbeatManager#calculateNextBrokerState.
func (c *Controller) part(ctx *sim.Ctx, b *metadata.Broker) bool {
	if b.Fenced {
		return true
	}
	if !b.Leaving && c.leads(b.ID) == 0 {
		c.fence(ctx, b)
		return true
	}
	if !b.Leaving {
		ctx.Emit(trace.BrokerLeaving{Broker: b.ID})
		records := c.withoutBroker(b.ID)
		c.append(ctx, append([]metadata.Record{&metadata.BrokerRegistrationChange{BrokerID: b.ID, BrokerEpoch: b.Epoch, Leaving: true}}, records...)...)
		c.tellChanges(ctx, records)
		c.parting[b.ID] = parting{end: c.log.LogEndOffset(), at: ctx.Now()}
		return false
	}
	if c.leads(b.ID) > 0 {
		return false
	}
	for _, id := range c.image.BrokerIDs() {
		if id != b.ID && c.image.Active(id) && !c.heard(ctx, id, b.ID, c.parting[b.ID]) {
			return false
		}
	}
	c.fence(ctx, b)
	return true
}

// parting is a controlled shutdown that has begun: when, and the end of the
// log with all that moved the broker out of the way.
type parting struct {
	end int64
	at  sim.Time
}

// heard tells whether a broker's newest heartbeat says that it has replayed
// what a parting needs. Of heartbeats that were skipped, the first that left
// after the records had got there says so. One that would arrive at this very
// instant comes in the order of the brokers' ids, before or after that of the
// one that leaves.
func (c *Controller) heard(ctx *sim.Ctx, id, leaving int32, p parting) bool {
	peer := c.Name(id)
	if ctx.Explicit(peer) {
		return c.applied[id] >= p.end-1
	}
	now := ctx.Now()
	if id > leaving {
		now--
	}
	return c.applied[id] >= p.end-1 || c.contact[id].Last(now) >= p.at+ctx.Trip(peer)
}

func (c *Controller) leads(id int32) (n int) {
	for _, t := range c.image.Topics() {
		for _, p := range t.Partitions {
			if p.Leader == id {
				n++
			}
		}
	}
	return n
}

// materialize makes explicit what was skipped with a broker: its fetch of the
// metadata log, and its heartbeats.
func (c *Controller) materialize(ctx *sim.Ctx, peer sim.NodeID) {
	for _, id := range slices.Sorted(maps.Keys(c.contact)) {
		if c.Name(id) != peer {
			continue
		}
		r := sim.Rounds{First: c.contact[id].Last(ctx.Now())} // none is skipped from here on
		c.contact[id] = r
		if r.First >= c.appended+ctx.Trip(peer) {
			c.applied[id] = c.log.LogEndOffset() - 1 // as that heartbeat said
		}
		if b := c.image.Brokers[id]; b != nil && !b.Fenced {
			c.watch(ctx, id, r.First)
		}
	}
	f := c.fetches[peer]
	if f == nil {
		return
	}
	now := ctx.Now()
	switch last := f.rounds.Last(now); {
	case f.rounds.Parked(now):
		f.rounds.First = last
		ctx.SetPeriodic(timeoutKey(peer), last+f.rounds.Wait-now)
	case now < last+f.rounds.Wait+ctx.Latency(peer):
		delete(c.fetches, peer) // its empty answer is on the way
	default:
		ctx.SetRound(roundKey(peer), f.rounds.NextArrival(now))
	}
}
