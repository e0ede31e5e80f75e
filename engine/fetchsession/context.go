package fetchsession

import (
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
)

// Context is one fetch as its broker sees it: with the partitions that its
// session adds to those that it names. Source: FetchContext and its kinds.
type Context struct {
	Err          kerror.Code // why the fetch does not fit its session, 0 if it does
	Parts        []Part      // to be read, in this order
	session      *Session    // of an incremental fetch
	epoch        int32       // of the session, when the fetch had come in
	opens        *Cache      // of a full fetch that asks for a session
	follower     bool
	usesTopicIDs bool
}

// Answer is what was read of a partition.
type Answer struct {
	Part int // index into the context's Parts
	kmsg.FetchResponseTopicPartition
}

// Opens tells whether the answer to this fetch will open a session, if one
// can be had; it is news to the fetcher then, even if there are no records.
func (x *Context) Opens() bool { return x.opens != nil && x.opens.slots > 0 }

// Touch notes that the fetch's session was used at now (ms): a fetch that
// waits stands for the rounds that are skipped while nothing happens.
func (x *Context) Touch(now int64) {
	if x.session != nil && now > x.session.lastUsed {
		x.session.Touch(now)
	}
}

// Respond makes the answer: all partitions to a full fetch, to an incremental
// one those of which there is something to tell. A partition with records goes
// to the end of its session, so that the next answer begins with another.
// Source: FetchContext#updateAndGenerateResponseData.
func (x *Context) Respond(answers []Answer, now int64, rand Rand) *kmsg.FetchResponse {
	resp := kmsg.NewPtrFetchResponse()
	switch {
	case x.Err != 0:
		resp.ErrorCode = int16(x.Err)
		return resp
	case x.opens != nil:
		resp.SessionID = x.opens.create(x, answers, now, rand)
	case x.session != nil:
		resp.SessionID = x.session.ID
		if x.session.Epoch != x.epoch {
			resp.ErrorCode = int16(kerror.InvalidFetchSessionEpoch) // the same fetch came twice
			return resp
		}
		answers = x.news(answers)
	}
	for i := range answers {
		x.put(resp, &answers[i])
	}
	return resp
}

// news are the answers that the session's fetcher does not know already.
func (x *Context) news(answers []Answer) []Answer {
	var out []Answer
	for i := range answers {
		a := &answers[i]
		c := x.session.index[x.Parts[a.Part].key()]
		if c == nil || !c.mustTell(&a.FetchResponseTopicPartition) {
			continue
		}
		out = append(out, *a)
		if len(a.RecordBatches) > 0 {
			x.session.remove(c)
			x.session.add(c)
		}
	}
	return out
}

func (x *Context) put(resp *kmsg.FetchResponse, a *Answer) {
	p := &x.Parts[a.Part]
	n := len(resp.Topics)
	if n == 0 || resp.Topics[n-1].TopicID != p.TopicID || resp.Topics[n-1].Topic != p.Topic {
		t := kmsg.NewFetchResponseTopic()
		t.Topic, t.TopicID = p.Topic, p.TopicID
		resp.Topics, n = append(resp.Topics, t), n+1
	}
	t := &resp.Topics[n-1]
	t.Partitions = append(t.Partitions, a.FetchResponseTopicPartition)
}
