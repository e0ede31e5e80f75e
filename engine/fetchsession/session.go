package fetchsession

import (
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// Session is what a broker keeps of a fetcher's session: the partitions that
// it asks for, and what it was last told of each. Source: FetchSession.
type Session struct {
	ID           int32
	Epoch        int32 // that the next fetch must have
	Privileged   bool  // a follower's
	usesTopicIDs bool
	created      int64 // ms
	lastUsed     int64 // ms
	size         int   // partitions, as of the last use
	forAll       bool  // may make way for anybody's session
	forFollowers bool  // may make way for a follower's
	parts        []*cachedPart
	index        map[Key]*cachedPart
}

// cachedPart is one partition of a session. Source: CachedPartition.
type cachedPart struct {
	Part
	toldHW    int64
	toldStart int64
}

// update takes what an incremental fetch says: new partitions, changed ones,
// and those to forget.
func (s *Session) update(req *kmsg.FetchRequest) {
	for _, p := range PartsOf(req) {
		if c := s.index[p.key()]; c != nil {
			c.Wanted = p.Wanted
			continue
		}
		s.add(&cachedPart{Part: p, toldHW: -1, toldStart: -1})
	}
	for _, t := range req.ForgottenTopics {
		for _, partition := range t.Partitions {
			if c := s.index[keyOf(t.TopicID, t.Topic, partition)]; c != nil {
				s.remove(c)
			}
		}
	}
}

func (s *Session) add(c *cachedPart) {
	s.parts = append(s.parts, c)
	s.index[c.key()] = c
}

func (s *Session) remove(c *cachedPart) {
	s.parts = slices.DeleteFunc(s.parts, func(x *cachedPart) bool { return x == c })
	delete(s.index, c.key())
}

// mustTell decides whether a partition belongs into an answer: records, an
// error, a diverging epoch or another replica to read from always do, and
// what has changed since the last answer. After an error the partition is told
// of again, whatever its high watermark.
// Source: CachedPartition#maybeUpdateResponseData.
func (c *cachedPart) mustTell(a *kmsg.FetchResponseTopicPartition) bool {
	must := len(a.RecordBatches) > 0 || a.HighWatermark != c.toldHW || a.LogStartOffset != c.toldStart ||
		a.PreferredReadReplica >= 0 || a.ErrorCode != 0 || a.DivergingEpoch.EndOffset >= 0
	c.toldHW, c.toldStart = a.HighWatermark, a.LogStartOffset
	if a.ErrorCode != 0 {
		c.toldHW = -1
	}
	return must
}
