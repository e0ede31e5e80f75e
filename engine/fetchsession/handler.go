package fetchsession

import (
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
)

// Handler is a fetcher's half of its session with one broker. Its zero value
// has no session yet. Source: FetchSessionHandler.
type Handler struct {
	id    int32
	epoch int32
	parts []Part // what the session asks for, as of the newest fetch
	index map[Key]int
}

// Build writes the next fetch: all of want if the session is to begin, else
// what is new or has changed; what is wanted no longer goes to the topics to
// forget. It tells whether there is anything to ask.
func (h *Handler) Build(req *kmsg.FetchRequest, want []Part) bool {
	req.SessionID, req.SessionEpoch = h.id, h.epoch
	if h.epoch == InitialEpoch {
		h.remember(want)
		addParts(req, want)
		return len(want) > 0
	}
	added, altered, gone := h.compare(want)
	addParts(req, added)
	addParts(req, altered)
	for _, p := range gone {
		forget(req, p)
	}
	return len(h.parts) > 0 || len(gone) > 0
}

// compare brings the session to what is wanted now: partitions keep their
// place in it, new ones come last.
func (h *Handler) compare(want []Part) (added, altered, gone []Part) {
	if h.inPlace(want) {
		for i := range want {
			if !sameWish(&h.parts[i].Wanted, &want[i].Wanted) {
				altered = append(altered, want[i])
				h.parts[i] = want[i]
			}
		}
		return nil, altered, nil
	}
	next := make(map[Key]*Part, len(want))
	for i := range want {
		next[want[i].key()] = &want[i]
	}
	stay := h.parts[:0]
	for _, old := range h.parts {
		now := next[old.key()]
		if now == nil {
			gone = append(gone, old)
			continue
		}
		if !sameWish(&old.Wanted, &now.Wanted) {
			altered = append(altered, *now)
		}
		stay = append(stay, *now)
	}
	for _, p := range want {
		if _, ok := h.index[p.key()]; !ok {
			added = append(added, p)
		}
	}
	h.remember(append(stay, added...))
	return added, altered, gone
}

// inPlace tells whether the same partitions are wanted in the same order, as
// they nearly always are.
func (h *Handler) inPlace(want []Part) bool {
	return slices.EqualFunc(h.parts, want, func(a, b Part) bool {
		return a.TopicID == b.TopicID && a.Wanted.Partition == b.Wanted.Partition && a.Topic == b.Topic
	})
}

func (h *Handler) remember(parts []Part) {
	h.parts = append(h.parts[:0], parts...)
	if h.index == nil {
		h.index = make(map[Key]int, len(parts))
	}
	clear(h.index)
	for i := range h.parts {
		h.index[h.parts[i].key()] = i
	}
}

// Asked is what the newest fetch, or the session for it, asked of a partition;
// false if it is not part of the session.
func (h *Handler) Asked(topicID [16]byte, partition int32) (kmsg.FetchRequestTopicPartition, bool) {
	i, ok := h.index[keyOf(topicID, "", partition)]
	if !ok {
		return kmsg.FetchRequestTopicPartition{}, false
	}
	return h.parts[i].Wanted, true
}

// Answered takes the session's part of an answer and tells whether the rest of
// it may be used. An error means that the broker does not know the session any
// more, or counts otherwise: the next fetch is a full one.
func (h *Handler) Answered(resp *kmsg.FetchResponse) bool {
	switch {
	case resp.ErrorCode == int16(kerror.FetchSessionIdNotFound):
		h.begin(noSession)
		return false
	case resp.ErrorCode != 0:
		h.begin(h.id)
		return false
	case h.epoch == InitialEpoch:
		return h.began(resp)
	case h.strangers(resp):
		h.begin(h.id)
		return false
	case resp.SessionID == noSession:
		h.begin(noSession) // the broker has closed it
	default:
		h.epoch = NextEpoch(h.epoch)
	}
	return true
}

// began takes the answer to a full fetch: it must tell of all partitions.
func (h *Handler) began(resp *kmsg.FetchResponse) bool {
	told := 0
	for _, t := range resp.Topics {
		told += len(t.Partitions)
	}
	if h.strangers(resp) || told < len(h.parts) {
		h.begin(noSession)
		return false
	}
	h.begin(resp.SessionID)
	if resp.SessionID != noSession {
		h.epoch = NextEpoch(InitialEpoch)
	}
	return true
}

// strangers tells whether an answer has partitions that were not asked for.
func (h *Handler) strangers(resp *kmsg.FetchResponse) bool {
	return slices.ContainsFunc(resp.Topics, func(t kmsg.FetchResponseTopic) bool {
		return slices.ContainsFunc(t.Partitions, func(p kmsg.FetchResponseTopicPartition) bool {
			_, ok := h.index[keyOf(t.TopicID, t.Topic, p.Partition)]
			return !ok
		})
	})
}

// Skipped is an answer that was empty and did not have to be sent, because
// nothing had changed: the next fetch goes on as after it.
func (h *Handler) Skipped() {
	if h.epoch != InitialEpoch {
		h.epoch = NextEpoch(h.epoch)
	}
}

// Failed is a fetch that got no answer. Whether the broker has counted it is
// not known, so that the session ends with the next fetch, a full one.
// Source: FetchSessionHandler#handleError.
func (h *Handler) Failed() { h.begin(h.id) }

func (h *Handler) begin(id int32) { h.id, h.epoch = id, InitialEpoch }

// addParts puts partitions into a request, under one topic what follows each
// other.
func addParts(req *kmsg.FetchRequest, parts []Part) {
	for i := range parts {
		p := &parts[i]
		n := len(req.Topics)
		if n == 0 || req.Topics[n-1].TopicID != p.TopicID || req.Topics[n-1].Topic != p.Topic {
			t := kmsg.NewFetchRequestTopic()
			t.Topic, t.TopicID = p.Topic, p.TopicID
			req.Topics, n = append(req.Topics, t), n+1
		}
		t := &req.Topics[n-1]
		t.Partitions = append(t.Partitions, p.Wanted)
	}
}

func forget(req *kmsg.FetchRequest, p Part) {
	i := slices.IndexFunc(req.ForgottenTopics, func(t kmsg.FetchRequestForgottenTopic) bool {
		return t.TopicID == p.TopicID && t.Topic == p.Topic
	})
	if i < 0 {
		t := kmsg.NewFetchRequestForgottenTopic()
		t.Topic, t.TopicID = p.Topic, p.TopicID
		req.ForgottenTopics = append(req.ForgottenTopics, t)
		i = len(req.ForgottenTopics) - 1
	}
	t := &req.ForgottenTopics[i]
	t.Partitions = append(t.Partitions, p.Wanted.Partition)
}
