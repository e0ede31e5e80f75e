package client

import (
	"maps"
	"math"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/config"
	"kafkalab/engine/kerror"
	"kafkalab/engine/sim"
)

// producerMetadata is what a producer knows of the cluster: its brokers, and of the
// topics that it writes to the partitions and their leaders. It is asked for
// when something is missing or has turned out wrong, and when it is
// metadata.max.age.ms old; a topic that was not written to for
// metadata.max.idle.ms is left out of that and forgotten (Metadata,
// ProducerMetadata).
type producerMetadata struct {
	topics   map[string]route
	use      map[string]sim.Time    // topics in use, and until when they are
	fresh    map[string]bool        // topics in use of which nothing was heard yet
	errors   map[string]kerror.Code // of topics, from the newest answer
	seen     map[partitionKey]int32 // newest leader epochs: older ones are not believed
	brokers  []int32                // ascending
	seeds    int                    // number of bootstrap addresses
	full     bool                   // all topics in use are to be asked for
	partial  bool                   // the fresh ones are
	asking   bool                   // a request is under way
	added    int                    // raised with each fresh topic
	heard    sim.Time               // newest answer or failure
	complete sim.Time               // newest answer about all topics in use
	failures int                    // since the newest answer
	same     int                    // answers, one after the other, that told nothing new

	backoff           backoff
	maxAgeMs, maxIdle int64
}

// metadataRequest is what a request for metadata was about.
type metadataRequest struct {
	partial bool
	added   int
}

const longAgo = math.MinInt64 / 2

func newMetadata(v config.Values, seeds int) *producerMetadata {
	return &producerMetadata{
		topics: map[string]route{}, use: map[string]sim.Time{}, fresh: map[string]bool{}, errors: map[string]kerror.Code{}, seen: map[partitionKey]int32{},
		seeds: seeds, full: true, heard: longAgo, complete: longAgo,
		backoff:  backoff{first: v.Int("retry.backoff.ms"), most: v.Int("retry.backoff.max.ms")},
		maxAgeMs: v.Int("metadata.max.age.ms"), maxIdle: v.Int("metadata.max.idle.ms"),
	}
}

// nodes are those that can be asked: the brokers, or the bootstrap addresses as
// -1, -2 and so on before any broker is known.
func (m *producerMetadata) nodes() []int32 {
	if len(m.brokers) > 0 {
		return m.brokers
	}
	var list []int32
	for i := range m.seeds {
		list = append(list, int32(-1-i))
	}
	return list
}

// add says that a topic is in use.
func (m *producerMetadata) add(topic string, now sim.Time) {
	m.forget(now)
	_, known := m.use[topic]
	m.use[topic] = now + m.maxIdle
	if !known {
		m.fresh[topic] = true
		m.wantFresh()
	}
}

func (m *producerMetadata) wantFresh() {
	m.heard, m.partial, m.same = longAgo, true, 0
	m.added++
}

// want asks for a topic once more: at once if nothing was heard of it, else
// when the back-off allows.
func (m *producerMetadata) want(topic string) {
	if m.fresh[topic] {
		m.wantFresh()
	} else {
		m.full = true
	}
}

// forget drops the topics that a refresh would have dropped by now: those that
// were idle for too long when the metadata got too old. Nothing is asked for
// while no topic is in use.
func (m *producerMetadata) forget(now sim.Time) {
	if now-m.complete < m.maxAgeMs || m.asking || m.retains(now) {
		return
	}
	clear(m.use)
	clear(m.fresh)
	clear(m.topics)
	clear(m.seen)
}

// retains tells whether a topic is in use.
func (m *producerMetadata) retains(now sim.Time) bool {
	// order: only asks whether there is one
	for _, until := range m.use {
		if until > now {
			return true
		}
	}
	return false
}

// dueAt is when the next request may be sent, and has a reason
// (Metadata#timeToNextUpdate).
func (m *producerMetadata) dueAt(now sim.Time) sim.Time {
	old := m.complete + m.maxAgeMs
	if old <= now {
		m.same = 0 // to ask because of age says nothing of those that were asked in vain
	}
	if m.full || m.partial {
		old = longAgo
	}
	allowed := m.heard + m.backoff.after(max(m.failures-1, 0), nil)
	if m.same > 0 {
		allowed = max(allowed, m.heard+m.backoff.after(m.same-1, nil))
	}
	return max(old, allowed)
}

// due tells whether a request has to be sent now. Until it is, nothing else is.
func (m *producerMetadata) due(now sim.Time) bool { return !m.asking && m.dueAt(now) <= now }

// request makes the request that is due. No topic is created by it.
func (m *producerMetadata) request() (*kmsg.MetadataRequest, metadataRequest) {
	what := metadataRequest{partial: !m.full && m.partial, added: m.added}
	names := slices.Sorted(maps.Keys(m.use))
	if what.partial {
		names = slices.Sorted(maps.Keys(m.fresh))
	}
	req := kmsg.NewPtrMetadataRequest()
	req.Version = 13
	req.Topics = []kmsg.MetadataRequestTopic{}
	for _, name := range names {
		t := kmsg.NewMetadataRequestTopic()
		t.Topic = &name
		req.Topics = append(req.Topics, t)
	}
	m.asking = true
	return req, what
}

// failed is a request without an answer, or a connection that ended when one
// was due.
func (m *producerMetadata) failed(now sim.Time) {
	m.failures++
	m.heard, m.asking = now, false
}

// learn takes an answer (Metadata#update).
func (m *producerMetadata) learn(now sim.Time, what metadataRequest, msg *kmsg.MetadataResponse) {
	if len(msg.Brokers) == 0 {
		m.failed(now)
		return
	}
	m.asking, m.failures, m.heard = false, 0, now
	m.partial = what.added < m.added
	m.same++
	known := map[string]route{}
	if what.partial {
		known = maps.Clone(m.topics)
	} else {
		m.full, m.complete = false, now
		// order: what is deleted does not depend on it
		maps.DeleteFunc(m.use, func(t string, until sim.Time) bool { return !m.fresh[t] && until <= now })
	}
	clear(m.errors)
	m.brokers = m.brokers[:0:0]
	for i := range msg.Brokers {
		m.brokers = append(m.brokers, msg.Brokers[i].NodeID)
	}
	slices.Sort(m.brokers)
	for i := range msg.Topics {
		t := &msg.Topics[i]
		if t.Topic == nil {
			continue
		}
		delete(m.fresh, *t.Topic)
		if code := kerror.Code(t.ErrorCode); code != kerror.None {
			m.errors[*t.Topic] = code
			m.full = m.full || invalidMetadata(code)
			continue
		}
		if _, used := m.use[*t.Topic]; used {
			known[*t.Topic] = m.believe(*t.Topic, t)
		}
	}
	m.topics = known
}

// believe reads a topic's partitions. A leader with an older epoch than one
// that is known is news of the past, from a broker that has not heard yet: it
// is ignored, unless the topic is another one of the same name
// (Metadata#updateLatestMetadata).
func (m *producerMetadata) believe(name string, t *kmsg.MetadataResponseTopic) route {
	before, known := m.topics[name]
	known = known && before.id == t.TopicID
	r := route{id: t.TopicID, leaders: make([]int32, len(t.Partitions)), epochs: make([]int32, len(t.Partitions))}
	for i := range t.Partitions {
		p := &t.Partitions[i]
		if p.Partition < 0 || int(p.Partition) >= len(t.Partitions) {
			continue
		}
		key := partitionKey{name, p.Partition}
		seen, old := m.seen[key]
		if known && old && p.LeaderEpoch < seen {
			r.leaders[p.Partition], r.epochs[p.Partition] = -1, seen
			if int(p.Partition) < len(before.leaders) {
				r.leaders[p.Partition], r.epochs[p.Partition] = before.leaders[p.Partition], before.epochs[p.Partition]
			}
			continue
		}
		if !known || !old || p.LeaderEpoch > seen {
			m.same = 0
		}
		m.seen[key] = p.LeaderEpoch
		r.leaders[p.Partition], r.epochs[p.Partition] = p.Leader, p.LeaderEpoch
		m.full = m.full || invalidMetadata(kerror.Code(p.ErrorCode))
	}
	return r
}
