package fetchsession

import (
	"cmp"
	"math"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
)

// shards is the number of parts that a broker's sessions are spread over, each
// with its own range of ids and its share of the slots.
// Source: BrokerServer.NumFetchSessionCacheShards (KAFKA-9401).
const shards = 8

// EvictionMs is how long a session must have been unused, or exist, before it
// may make way for a new one that is no more important.
// Source: KafkaBroker.MIN_INCREMENTAL_FETCH_SESSION_EVICTION_MS.
const EvictionMs = 120_000

// Cache is a broker's sessions. Source: FetchSessionCache, FetchManager.
type Cache struct {
	slots  int // of one shard
	shards [shards][]*Session
	next   int // shard of the next session
}

// NewCache makes room for max.incremental.fetch.session.cache.slots sessions,
// or rather the largest multiple of 8 that is not above it: each of the eight
// shards gets the same.
func NewCache(slots int) *Cache { return &Cache{slots: slots / shards} }

// Rand draws a number of [0, n).
type Rand interface{ Int32N(n int32) int32 }

// Slots tells whether there is room for any session at all.
func (c *Cache) Slots() int { return c.slots * shards }

// Len is the number of sessions.
func (c *Cache) Len() int {
	n := 0
	for _, s := range c.shards {
		n += len(s)
	}
	return n
}

const idsOfShard = math.MaxInt32 / shards

func shardOf(id int32) int { return int(min(max(id, 0)/idsOfShard, shards-1)) }

func (c *Cache) find(id int32) *Session {
	for _, s := range c.shards[shardOf(id)] {
		if s.ID == id {
			return s
		}
	}
	return nil
}

func (c *Cache) close(id int32) {
	shard := &c.shards[shardOf(id)]
	*shard = slices.DeleteFunc(*shard, func(s *Session) bool { return s.ID == id })
}

// Touch notes that a session was used at now (ms).
// Source: FetchSessionCacheShard#touch.
func (s *Session) Touch(now int64) {
	s.lastUsed, s.size = now, len(s.parts)
	old := now-s.created > EvictionMs
	s.forAll, s.forFollowers = old, old || !s.Privileged
}

// Open decides what a fetch is: a full one with or without the wish for a
// session, the next of a session, or one that does not fit its session.
// Source: FetchManager#newContext.
func (c *Cache) Open(req *kmsg.FetchRequest, follower bool, now int64) *Context {
	if req.SessionEpoch == InitialEpoch || req.SessionEpoch == FinalEpoch {
		c.close(req.SessionID)
		x := &Context{Parts: PartsOf(req), follower: follower, usesTopicIDs: req.Version >= 13}
		if req.SessionEpoch == InitialEpoch {
			x.opens = c
		}
		return x
	}
	s := c.find(req.SessionID)
	switch {
	case s == nil:
		return &Context{Err: kerror.FetchSessionIdNotFound}
	case s.Epoch != req.SessionEpoch:
		return &Context{Err: kerror.InvalidFetchSessionEpoch}
	case s.usesTopicIDs != (req.Version >= 13):
		return &Context{Err: kerror.FetchSessionTopicIdError}
	}
	s.update(req)
	if len(s.parts) == 0 {
		c.close(s.ID)
		return &Context{Parts: PartsOf(req)}
	}
	s.Touch(now)
	s.Epoch = NextEpoch(s.Epoch)
	x := &Context{session: s, epoch: s.Epoch, Parts: make([]Part, len(s.parts))}
	for i, p := range s.parts {
		x.Parts[i] = p.Part
	}
	return x
}

// create makes a session out of a full fetch and its answers, if there is room
// or another can make way; 0 if not.
// Source: FetchSessionCacheShard#maybeCreateSession.
func (c *Cache) create(x *Context, answers []Answer, now int64, rand Rand) int32 {
	n := c.next
	c.next = (c.next + 1) % shards
	shard := &c.shards[n]
	if len(*shard) >= c.slots && !c.evict(shard, x.follower, len(answers), now) {
		return noSession
	}
	s := &Session{
		Epoch: NextEpoch(InitialEpoch), Privileged: x.follower, usesTopicIDs: x.usesTopicIDs, created: now,
		index: make(map[Key]*cachedPart, len(answers)),
	}
	for i := range answers {
		a := &answers[i]
		s.add(&cachedPart{Part: x.Parts[a.Part], toldHW: a.HighWatermark, toldStart: a.LogStartOffset})
	}
	for s.ID == noSession || c.find(s.ID) != nil {
		s.ID = max(1, int32(n)*idsOfShard) + rand.Int32N(idsOfShard-1)
	}
	s.Touch(now)
	*shard = append(*shard, s)
	return s.ID
}

// evict makes room for a new session: one that was not used for long goes, or
// else the least important that may go, if it is less important than the new.
// Followers' sessions are worth more than consumers', large ones more than
// small ones. Source: FetchSessionCacheShard#tryEvict.
func (c *Cache) evict(shard *[]*Session, follower bool, size int, now int64) bool {
	if len(*shard) == 0 {
		return false
	}
	stalest := slices.MinFunc(*shard, func(a, b *Session) int {
		return cmp.Or(cmp.Compare(a.lastUsed, b.lastUsed), cmp.Compare(a.ID, b.ID))
	})
	if now-stalest.lastUsed > EvictionMs {
		c.close(stalest.ID)
		return true
	}
	var least *Session
	for _, s := range *shard {
		if (s.forAll || follower && s.forFollowers) && (least == nil || s.worth(least.Privileged, least.size, least.ID) < 0) {
			least = s
		}
	}
	if least == nil || least.worth(follower, size, 0) > 0 {
		return false
	}
	c.close(least.ID)
	return true
}

// worth compares a session to another by importance.
func (s *Session) worth(privileged bool, size int, id int32) int {
	rank := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(rank(s.Privileged), rank(privileged)), cmp.Compare(s.size, size), cmp.Compare(s.ID, id))
}
