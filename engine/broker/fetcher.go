package broker

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/fetchsession"
	"kafkalab/engine/metadata"
	"kafkalab/engine/sim"
)

// fetcher copies partitions from one leader: it asks for all of them in one
// Fetch, appends what comes, and asks again (ReplicaFetcherThread).
type fetcher struct {
	leader  int32
	follows map[tp]*following
	session fetchsession.Handler
	corr    int32         // of the fetch under way, 0 if none is
	held    *sim.Response // the answer that came while the fetcher was stalled
	sent    sim.Time
	waitMs  int64
	timers  map[string]string // keys of its timers, by kind
}

// fetcherTimers are the kinds of timers that a fetcher has.
var fetcherTimers = [...]string{"refetch", "lost", "rejoin", "backoff"}

func newFetcher(leader int32) *fetcher {
	f := &fetcher{leader: leader, follows: map[tp]*following{}, timers: map[string]string{}}
	for _, kind := range fetcherTimers {
		f.timers[kind] = fmt.Sprintf("%s/%d", kind, leader)
	}
	return f
}

func (f *fetcher) key(kind string) string { return f.timers[kind] }

// following is one partition of a fetcher.
type following struct {
	epoch   int32
	delayed sim.Time // not to be asked for before, after an error
	resync  bool     // waits for the leader to say where its log begins and ends
	failed  bool     // given up until it has another leader epoch
}

// ready tells whether a partition may be asked for
// (PartitionFetchState#isReadyForFetch).
func (s *following) ready(now sim.Time) bool { return !s.failed && !s.resync && s.delayed <= now }

// balanceFetchers gives each partition that this broker follows to the fetcher
// of its leader (ReplicaFetcherManager#addFetcherForPartitions).
func (b *Broker) balanceFetchers() {
	for _, id := range slices.Sorted(maps.Keys(b.fetchers)) {
		f := b.fetchers[id]
		// order: what is deleted does not depend on it
		maps.DeleteFunc(f.follows, func(key tp, s *following) bool {
			p := b.partitions[key]
			return p == nil || p.leader != f.leader || p.leaderEpoch != s.epoch
		})
	}
	for _, p := range b.sorted() {
		if p.leads(b.ID) || p.leader == metadata.NoLeader {
			continue
		}
		f := b.fetchers[p.leader]
		if f == nil {
			f = newFetcher(p.leader)
			b.fetchers[p.leader] = f
		}
		if f.follows[p.tp] == nil {
			f.follows[p.tp] = &following{epoch: p.leaderEpoch, delayed: b.ctx.Now()}
			b.joinRound(f)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(b.fetchers)) {
		if f := b.fetchers[id]; len(f.follows) == 0 {
			b.endFetcher(f)
		} else {
			b.ask(f)
		}
	}
}

// endFetcher ends a fetcher that has nothing to follow any more; an answer that
// is still under way finds nobody (ReplicaFetcherManager#shutdownIdleFetcherThreads).
func (b *Broker) endFetcher(f *fetcher) {
	for _, kind := range fetcherTimers {
		b.ctx.CancelTimer(f.key(kind))
	}
	delete(b.fetchers, f.leader)
}

// joinRound sees to it that a partition that is new to a fetcher is asked for
// in its next round. A fetch that is under way has to come back first, which
// takes as long as it may be parked; if it is parked through rounds that are
// skipped, the fetcher takes it up when one of them would have ended.
func (b *Broker) joinRound(f *fetcher) {
	if f.corr == 0 {
		return
	}
	if b.ctx.Explicit(b.Name(f.leader)) {
		b.ctx.SetPeriodic(f.key("rejoin"), f.waitMs+b.ctx.Trip(b.Name(f.leader)))
		return
	}
	trip := b.ctx.Trip(b.Name(f.leader))
	period := f.waitMs + trip
	rounds := (b.ctx.Now() - f.sent + period - 1) / period
	b.ctx.SetRound(f.key("refetch"), f.sent+max(rounds, 1)*period)
}

// rejoin looks after a partition that joined a fetcher while rounds were
// explicit: if they are skipped again by now, nobody will answer the fetch that
// it waits for, and the next is sent.
func (b *Broker) rejoin(key string) {
	id, _ := strconv.ParseInt(key, 10, 32)
	f := b.fetchers[int32(id)]
	switch {
	case f == nil || f.corr == 0:
	case b.ctx.Explicit(b.Name(f.leader)):
		b.joinRound(f)
	default:
		b.nextRound(f)
	}
}

// refetch ends the skipped rounds of a fetcher: its last one came back empty.
func (b *Broker) refetch(key string) {
	id, _ := strconv.ParseInt(key, 10, 32)
	if f := b.fetchers[int32(id)]; f != nil {
		b.nextRound(f)
	}
}

func (b *Broker) nextRound(f *fetcher) {
	if f.corr != 0 {
		f.corr = 0
		f.session.Skipped()
	}
	b.ask(f)
}

// ask sends the next fetch, unless one is under way or there is nothing to ask.
// Within a session it names only the partitions whose position has changed.
func (b *Broker) ask(f *fetcher) {
	if f.corr != 0 || b.stalled {
		return
	}
	v := b.configs()
	req := kmsg.NewPtrFetchRequest()
	req.Version = 17
	req.ReplicaState.ID, req.ReplicaState.Epoch = b.ID, b.epoch
	req.MaxWaitMillis, req.MinBytes = int32(v.Int("replica.fetch.wait.max.ms")), int32(v.Int("replica.fetch.min.bytes"))
	req.MaxBytes = int32(v.Int("replica.fetch.response.max.bytes"))
	if !f.session.Build(req, b.wanted(f, int32(v.Int("replica.fetch.max.bytes")))) {
		return
	}
	f.sent, f.waitMs = b.ctx.Now(), int64(req.MaxWaitMillis)
	f.corr = b.ctx.Send(b.Name(f.leader), sim.ConnFetcher, req)
	b.expectAnswer(f)
}

// wanted are the partitions that a fetcher may ask for now, and from where.
func (b *Broker) wanted(f *fetcher, maxBytes int32) []fetchsession.Part {
	want := make([]fetchsession.Part, 0, len(f.follows))
	for _, p := range b.sorted() {
		if s := f.follows[p.tp]; s != nil && s.ready(b.ctx.Now()) {
			want = append(want, fetchsession.Part{TopicID: p.topicID, Wanted: b.position(p, maxBytes)})
		}
	}
	return want
}

// expectAnswer gives a fetch up that is not answered in time. While nothing is
// disturbed every fetch is answered, so that no timer is needed.
func (b *Broker) expectAnswer(f *fetcher) {
	if b.ctx.Explicit(b.Name(f.leader)) {
		b.ctx.SetPeriodic(f.key("lost"), f.sent+b.configs().Int("replica.socket.timeout.ms")-b.ctx.Now())
	}
}

// fetchLost is a fetch without an answer: its partitions wait a little and are
// asked for again.
func (b *Broker) fetchLost(key string) {
	id, _ := strconv.ParseInt(key, 10, 32)
	if f := b.fetchers[int32(id)]; f != nil && f.corr != 0 && b.ctx.Explicit(b.Name(f.leader)) {
		b.backOffAll(f)
	}
}

func (b *Broker) backOffAll(f *fetcher) {
	f.corr = 0
	f.session.Failed()
	wait := b.configs().Int("replica.fetch.backoff.ms")
	for _, p := range b.sorted() {
		if s := f.follows[p.tp]; s != nil {
			s.delayed, s.resync = b.ctx.Now()+wait, false
		}
	}
	b.ctx.SetPeriodic(f.key("backoff"), wait)
}

// disconnected is the end of a peer's process: what it was asked is asked
// again, when it or its successor is there.
func (b *Broker) disconnected(ev sim.Disconnected) {
	for _, id := range slices.Sorted(maps.Keys(b.fetchers)) {
		f := b.fetchers[id]
		if b.Name(id) == ev.Peer && f.corr != 0 && slices.Contains(ev.Correlations, f.corr) {
			b.backOffAll(f)
		}
	}
}

// unanswered is a request of this broker's that waited too long: it is sent
// again.
func (b *Broker) unanswered(ev sim.Unanswered) {
	switch ev.Conn {
	case sim.ConnHeartbeat:
		b.beating = false
		if b.epoch < 0 {
			b.registerAgain()
		} else {
			b.heartbeat()
		}
	case sim.ConnMetadata:
		if ev.Correlation == b.metaOff {
			b.fetchMetadata()
		}
	case sim.ConnPartition:
		if ev.Correlation == b.altering {
			b.altering = 0
			b.resendChanges()
		}
	case sim.ConnProducerIDs:
		b.ids.asked = false
	case sim.ConnResync:
		q := b.resyncs[ev.Correlation]
		delete(b.resyncs, ev.Correlation)
		if p, f := b.partitions[q.tp], b.fetchers[q.leader]; p != nil && f != nil && f.follows[q.tp] != nil {
			f.follows[q.tp].resync = false
			b.delay(f, p)
		}
	}
}

// position is what a follower says of a partition: where its log ends, and in
// which epoch its last record was written, so that the leader can tell whether
// the two logs agree.
func (b *Broker) position(p *Partition, maxBytes int32) kmsg.FetchRequestTopicPartition {
	in := kmsg.NewFetchRequestTopicPartition()
	in.Partition, in.CurrentLeaderEpoch, in.FetchOffset = p.partition, p.leaderEpoch, p.log.LogEndOffset()
	in.LogStartOffset, in.PartitionMaxBytes, in.LastFetchedEpoch = p.log.LogStartOffset(), maxBytes, -1
	if epoch, ok := p.log.LatestEpoch(); ok {
		in.LastFetchedEpoch = epoch
	}
	in.ReplicaDirectoryID = b.meta.DirectoryID
	return in
}

// backoffOver lets partitions that failed be asked for again.
func (b *Broker) backoffOver(key string) {
	id, _ := strconv.ParseInt(key, 10, 32)
	f := b.fetchers[int32(id)]
	if f == nil {
		return
	}
	if f.corr != 0 {
		b.joinRound(f)
		return
	}
	b.ask(f)
}
