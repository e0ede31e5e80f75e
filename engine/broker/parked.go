package broker

import (
	"slices"
	"strconv"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/fetchsession"
	"kafkalab/engine/sim"
	"kafkalab/engine/storage"
	"kafkalab/engine/trace"
)

// delayedFetch is a fetch that waits for data (DelayedFetch). A follower's
// stands for all the rounds that it and the next ones would make while nothing
// happens.
type delayedFetch struct {
	id      int64
	origin  sim.Origin
	msg     *kmsg.FetchRequest
	context *fetchsession.Context
	replica int32
	rounds  sim.Rounds
	news    bool // a follower has been promised an answer at the next time-out

	starts []fetchStart // of the partitions that could be read
	topics []string     // names of all, as they were when it was parked
}

// fetchStart is where the read of a partition began.
type fetchStart struct {
	part    int // index into the context's Parts
	offset  int64
	segment int64 // base offset
	pos     int32
}

// startAt keeps where the read of a partition began, as of the fetch's arrival:
// what is in a newer segment later is reason to answer
// (FetchPartitionStatus#startOffsetMetadata).
func (d *delayedFetch) startAt(part int, offset, limit int64, data storage.FetchInfo) {
	if offset < limit {
		offset = data.Offset
	}
	d.starts = append(d.starts, fetchStart{part, offset, data.Segment, data.Position})
}

func (d *delayedFetch) key(kind string) string { return kind + "/" + strconv.FormatInt(d.id, 10) }

// park puts a fetch into the purgatory.
func (b *Broker) park(d *delayedFetch) {
	b.waiting++
	d.id = b.waiting
	topics := make([]string, len(d.context.Parts)) // one may be deleted meanwhile
	for i := range topics {
		topics[i] = b.topicOf(d, i)
	}
	d.topics = topics
	d.rounds.First = b.ctx.Now()
	b.parked = append(b.parked, d)
	b.emitParked(d)
	switch {
	case d.replica < 0:
		b.ctx.SetTimer(d.key("fetch"), d.rounds.Wait)
	case b.ctx.Explicit(d.origin.From):
		b.ctx.SetPeriodic(d.key("fetch"), d.rounds.Wait)
	}
	b.promise(d)
}

func (b *Broker) emitParked(d *delayedFetch) {
	first := &d.context.Parts[0]
	b.emit(trace.FetchParked{
		Partition: b.partitions[tp{b.topicOf(d, 0), first.Wanted.Partition}].String(), Offset: first.Wanted.FetchOffset,
		Replica: d.replica, WaitMs: d.rounds.Wait,
	})
}

// each calls f for the partitions of a fetch that this broker has.
func (b *Broker) each(d *delayedFetch, f func(*Partition, *kmsg.FetchRequestTopicPartition)) {
	for i := range d.context.Parts {
		part := &d.context.Parts[i]
		if p := b.partitions[tp{b.topicOf(d, i), part.Wanted.Partition}]; p != nil {
			f(p, &part.Wanted)
		}
	}
}

// promise sets the time at which a follower that waits is told what it does
// not know yet: its session, or a high watermark or a start offset that has
// moved. That alone is no reason to answer at once; it goes with the answer
// that is due anyway.
func (b *Broker) promise(d *delayedFetch) {
	if d.replica < 0 || d.news {
		return
	}
	d.news = d.context.Opens()
	b.each(d, func(p *Partition, in *kmsg.FetchRequestTopicPartition) {
		r := p.remotes[d.replica]
		if r != nil && (r.toldHW != p.log.HighWatermark() || r.toldStart != p.log.LogStartOffset() || b.wouldJoin(p, d.replica, r)) {
			d.news = true
		}
	})
	if d.news {
		b.ctx.SetTimer(d.key("fetch"), d.rounds.NextTimeout(b.ctx.Now())-b.ctx.Now())
	}
}

// wouldJoin tells whether a follower's next fetch would get it proposed for the
// ISR: its rounds are not idle then.
func (b *Broker) wouldJoin(p *Partition, id int32, r *remote) bool {
	return p.change == nil && !slices.Contains(p.isr, id) && r.leo >= p.log.HighWatermark() && b.eligible(id, r)
}

// promiseAll looks at the followers' fetches again, after brokers or ISRs have
// changed.
func (b *Broker) promiseAll() {
	for _, d := range b.parked {
		b.promise(d)
	}
}

// tryFetches looks at the fetches that wait for a partition whose log or high
// watermark has moved.
func (b *Broker) tryFetches(p *Partition) {
	for _, d := range slices.Clone(b.parked) {
		var ours *kmsg.FetchRequestTopicPartition
		b.each(d, func(q *Partition, in *kmsg.FetchRequestTopicPartition) {
			if q == p {
				ours = in
			}
		})
		switch {
		case ours == nil || !slices.Contains(b.parked, d):
		case !b.hasData(d):
			b.promise(d)
		case d.replica < 0 || d.rounds.Parked(b.ctx.Now()):
			b.complete(d)
		default:
			b.ctx.SetRound(d.key("round"), d.rounds.NextArrival(b.ctx.Now()))
		}
	}
}

// hasData tells whether a fetch would now be answered before its time is up:
// there are bytes enough, or a reason not to wait for them.
// Source: DelayedFetch#tryComplete, whose cases the comments name.
func (b *Broker) hasData(d *delayedFetch) bool {
	bytes := int64(0)
	for _, start := range d.starts {
		in := &d.context.Parts[start.part].Wanted
		p := b.partitions[tp{b.topicOf(d, start.part), in.Partition}]
		if p == nil || p.checkEpoch(in.CurrentLeaderEpoch) != nil || d.leaderOnly() && !p.leads(b.ID) {
			return true // A, B, C, E
		}
		more, now := b.available(d, p, in, start)
		if bytes += more; now {
			return true
		}
	}
	return bytes >= int64(max(b.minBytes(d), 1)) // G
}

// leaderOnly tells whether a fetch may be answered by the leader alone.
func (d *delayedFetch) leaderOnly() bool {
	return d.replica >= 0 || d.msg.Version < followersReadSince
}

// available is how many bytes a partition adds to what a fetch waits for; now
// tells that it is to be answered whatever they are.
func (b *Broker) available(d *delayedFetch, p *Partition, in *kmsg.FetchRequestTopicPartition, start fetchStart) (bytes int64, now bool) {
	limit := b.limit(d, p)
	switch {
	case start.offset > limit:
		return 0, true // F: the log was cut
	case start.offset < limit && b.minBytes(d) <= 1:
		return 1, false
	case start.offset < limit:
		end, kerr := p.log.Read(limit, 0, limit, false)
		if kerr != nil || start.segment < end.Segment {
			return 0, true // D; F: a read never crosses a segment, to wait for more is no use
		}
		bytes = int64(min(end.Position-start.pos, in.PartitionMaxBytes))
	}
	var unused kmsg.FetchResponseTopicPartition
	return bytes, diverging(p, in, &unused) // H
}

// complete answers a fetch out of the purgatory: it reads once more, which does
// not count as a fetch of the follower's, and so carries the newest high
// watermark.
func (b *Broker) complete(d *delayedFetch) {
	b.unpark(d)
	b.settleRounds(d)
	b.answerFetch(d, b.read(d))
}

func (b *Broker) unpark(d *delayedFetch) {
	b.parked = slices.DeleteFunc(b.parked, func(x *delayedFetch) bool { return x == d })
	b.ctx.CancelTimer(d.key("fetch"))
	b.ctx.CancelTimer(d.key("round"))
}

// settleRounds writes down what the skipped rounds of a follower's fetch would
// have left behind: when it last fetched, and that it had everything then.
func (b *Broker) settleRounds(d *delayedFetch) {
	if d.replica < 0 {
		return
	}
	last := d.rounds.Last(b.ctx.Now())
	b.each(d, func(p *Partition, in *kmsg.FetchRequestTopicPartition) {
		b.settleRound(p, d, in, last)
	})
}

func (b *Broker) settleRound(p *Partition, d *delayedFetch, in *kmsg.FetchRequestTopicPartition, last sim.Time) {
	r := p.remotes[d.replica]
	if r == nil || last <= r.lastFetch || r.leo != in.FetchOffset {
		return
	}
	r.lastFetch = last
	if in.FetchOffset >= r.lastFetchLeo {
		r.lastCaughtUp = max(r.lastCaughtUp, last)
	}
}

func (b *Broker) answerFetch(d *delayedFetch, read fetchRead) {
	if d.replica >= 0 {
		for i := range read.answers {
			b.told(d, &read.answers[i])
		}
	}
	if d.context.Opens() {
		for _, p := range b.parked {
			p.context.Touch(p.rounds.Last(b.ctx.Now()))
		}
	}
	resp := d.context.Respond(read.answers, b.ctx.Now(), sessionIDs{b})
	b.addLeaders(resp)
	b.reply(d.origin, resp)
}

// addLeaders says where the leaders are that partitions of an answer name.
func (b *Broker) addLeaders(resp *kmsg.FetchResponse) {
	for ti := range resp.Topics {
		for pi := range resp.Topics[ti].Partitions {
			id := resp.Topics[ti].Partitions[pi].CurrentLeader.LeaderID
			if id < 0 || !b.image.Live(id) || slices.ContainsFunc(resp.Brokers, func(x kmsg.FetchResponseBroker) bool { return x.NodeID == id }) {
				continue
			}
			im := b.image.Brokers[id]
			x := kmsg.NewFetchResponseBroker()
			x.NodeID, x.Host, x.Port, x.Rack = id, im.Host, im.Port, im.Rack
			resp.Brokers = append(resp.Brokers, x)
		}
	}
}

// sessionIDs draws the ids of fetch sessions.
type sessionIDs struct{ b *Broker }

// Int32N implements fetchsession.Rand.
func (s sessionIDs) Int32N(n int32) int32 { return s.b.ctx.Rand("fetch.session.id").Int32N(n) }

func (b *Broker) told(d *delayedFetch, a *fetchsession.Answer) {
	if p := b.partitions[tp{b.topicOf(d, a.Part), a.Partition}]; p != nil {
		if r := p.remotes[d.replica]; r != nil && a.ErrorCode == 0 && a.DivergingEpoch.EndOffset < 0 {
			r.toldHW, r.toldStart = a.HighWatermark, a.LogStartOffset
		}
	}
}

// fetchTimedOut answers a parked fetch whose time is up with what there is.
func (b *Broker) fetchTimedOut(id string) {
	if d := b.parkedByID(id); d != nil {
		b.complete(d)
	}
}

// fetchAgain takes a follower's fetch up at the moment at which its next round
// arrives.
func (b *Broker) fetchAgain(id string) {
	d := b.parkedByID(id)
	if d == nil {
		return
	}
	b.unpark(d)
	d.starts, d.topics = d.starts[:0], nil
	last := d.rounds.Last(b.ctx.Now() - 1)
	b.each(d, func(p *Partition, in *kmsg.FetchRequestTopicPartition) { b.settleRound(p, d, in, last) })
	d.rounds.First, d.news = b.ctx.Now(), false
	b.arrived(d)
}

func (b *Broker) parkedByID(id string) *delayedFetch {
	for _, d := range b.parked {
		if strconv.FormatInt(d.id, 10) == id {
			return d
		}
	}
	return nil
}

// dropParked forgets a follower's parked fetch, now that its next has come.
func (b *Broker) dropParked(o sim.Origin) {
	for _, d := range slices.Clone(b.parked) {
		if d.origin.From == o.From && d.origin.Conn == o.Conn {
			b.settleRounds(d)
			b.unpark(d)
		}
	}
}
