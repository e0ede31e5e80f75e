package broker

import (
	"maps"
	"slices"

	"kafkalab/engine/sim"
)

// materialize makes explicit what the broker skips with a peer: the rounds of
// a follower's fetch that is parked here, those of its own fetches there, and
// with the controller the fetch of metadata and the heartbeats.
func (b *Broker) materialize(peer sim.NodeID) {
	for _, d := range slices.Clone(b.parked) {
		if d.origin.From == peer && d.replica >= 0 {
			b.materializeParked(d)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(b.fetchers)) {
		if b.Name(id) == peer {
			b.materializeFetcher(b.fetchers[id])
		}
	}
	if peer == b.Controller {
		b.materializeMetadata()
		b.materializeHeartbeat()
	}
}

// materializeParked puts a follower's fetch to where its rounds have got.
func (b *Broker) materializeParked(d *delayedFetch) {
	now := b.ctx.Now()
	b.settleRounds(d)
	switch last := d.rounds.Last(now); {
	case d.rounds.Parked(now):
		d.rounds.First = last
		b.ctx.SetPeriodic(d.key("fetch"), last+d.rounds.Wait-now)
	case now < last+d.rounds.Wait+b.ctx.Latency(d.origin.From):
		b.unpark(d) // its empty answer is on the way
		b.release(d.origin)
	default:
		b.ctx.SetRound(d.key("round"), d.rounds.NextArrival(now))
	}
}

// phase says where in its rounds a poll of this node's is that was sent at
// sent: when the newest round was sent, and whether its answer is on the way.
func (b *Broker) phase(peer sim.NodeID, sent sim.Time, waitMs int64) (newest sim.Time, answered bool) {
	period := waitMs + b.ctx.Trip(peer)
	newest = sent + (b.ctx.Now()-sent)/period*period
	return newest, b.ctx.Now() > newest+b.ctx.Latency(peer)+waitMs
}

func (b *Broker) materializeFetcher(f *fetcher) {
	if f.corr == 0 {
		return
	}
	peer := b.Name(f.leader)
	newest, answered := b.phase(peer, f.sent, f.waitMs)
	f.sent = newest
	if answered {
		b.ctx.SetRound(f.key("refetch"), newest+f.waitMs+b.ctx.Trip(peer))
		return
	}
	b.ctx.CancelTimer(f.key("refetch"))
	b.expectAnswer(f)
}

func (b *Broker) materializeMetadata() {
	newest, answered := b.phase(b.Controller, b.metaSent, metadataMaxWaitMs)
	b.metaSent = newest
	if answered {
		b.ctx.SetRound("remeta", newest+metadataMaxWaitMs+b.ctx.Trip(b.Controller))
	}
}

// skippedBeatUnderWay is how many ms it takes until a heartbeat that was
// skipped, and that would be under way now, would have its answer.
func (b *Broker) skippedBeatUnderWay() int64 {
	trip := b.ctx.Trip(b.Controller)
	if b.ctx.Explicit(b.Controller) {
		return 0
	}
	period := b.configs().Int("broker.heartbeat.interval.ms") + trip
	return max(trip-(b.ctx.Now()-b.beat)%period, 0)
}

func (b *Broker) materializeHeartbeat() {
	if b.fenced || b.epoch < 0 {
		return
	}
	period := b.configs().Int("broker.heartbeat.interval.ms") + b.ctx.Trip(b.Controller)
	next := b.beat + ((b.ctx.Now()-b.beat)/period+1)*period
	b.ctx.SetPeriodic("heartbeat", next-b.ctx.Now())
}
