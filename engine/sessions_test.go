package engine

import (
	"fmt"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/sim"
	"kafkalab/engine/trace"
)

// told are the partitions of an answer to a fetch.
func told(resp *kmsg.FetchResponse) string {
	out := ""
	for _, t := range resp.Topics {
		for _, p := range t.Partitions {
			out += fmt.Sprintf(" %d:%s", p.Partition, kerror.Code(p.ErrorCode))
			if len(p.RecordBatches) > 0 {
				out += "+"
			}
		}
	}
	return out
}

func oneBroker() Options {
	o := Defaults()
	o.Brokers = 1
	return o
}

// A consumer's session with a broker, fetch by fetch (KIP-227).
func TestFetchSession(t *testing.T) {
	c := newProbed(t, oneBroker())
	c.create("t", 3, 1)
	c.tick(1000)
	fetch := func(id, epoch int32, offsets map[int32]int64, forget ...int32) *kmsg.FetchResponse {
		t.Helper()
		req := c.fetchRequest("t", 0)
		req.SessionID, req.SessionEpoch = id, epoch
		one := req.Topics[0].Partitions[0]
		req.Topics[0].Partitions = nil
		for p := range int32(5) {
			if offset, ok := offsets[p]; ok {
				one.Partition, one.FetchOffset = p, offset
				req.Topics[0].Partitions = append(req.Topics[0].Partitions, one)
			}
		}
		if len(offsets) == 0 {
			req.Topics = nil
		}
		if len(forget) > 0 {
			req.ForgottenTopics = []kmsg.FetchRequestForgottenTopic{{TopicID: c.topicID("t"), Partitions: forget}}
		}
		return c.ask("broker-1", req).(*kmsg.FetchResponse)
	}
	none := map[int32]int64{}
	var id int32
	for _, step := range []struct {
		name  string
		do    func() *kmsg.FetchResponse
		told  string
		err   kerror.Code
		keeps bool // the answer has the session's id
	}{
		{"a session that was never opened", func() *kmsg.FetchResponse { return fetch(17, 3, none) }, "", kerror.FetchSessionIdNotFound, false},
		{"a full fetch tells of all partitions, and of those that are not there last", func() *kmsg.FetchResponse {
			r := fetch(0, 0, map[int32]int64{0: 0, 1: 0, 2: 0, 3: 0})
			id = r.SessionID
			return r
		}, " 0:NONE 1:NONE 2:NONE 3:UNKNOWN_TOPIC_OR_PARTITION", 0, true},
		{"an error is told of each time", func() *kmsg.FetchResponse { return fetch(id, 1, none) }, " 3:UNKNOWN_TOPIC_OR_PARTITION", 0, true},
		{"what is forgotten is not told of", func() *kmsg.FetchResponse { return fetch(id, 2, none, 3) }, "", 0, true},
		{"records are told of, without being named", func() *kmsg.FetchResponse { c.produce("t", 2, 1); return fetch(id, 3, none) }, " 0:NONE+", 0, true},
		{"and once more, until the position is moved", func() *kmsg.FetchResponse { return fetch(id, 4, none) }, " 0:NONE+", 0, true},
		{"the position is moved", func() *kmsg.FetchResponse { return fetch(id, 5, map[int32]int64{0: 2}) }, "", 0, true},
		{"an epoch that was counted already", func() *kmsg.FetchResponse { return fetch(id, 5, none) }, "", kerror.InvalidFetchSessionEpoch, false},
		{"an epoch ahead", func() *kmsg.FetchResponse { return fetch(id, 7, none) }, "", kerror.InvalidFetchSessionEpoch, false},
		{"the right one is still good after both", func() *kmsg.FetchResponse { return fetch(id, 6, none) }, "", 0, true},
		{"topics by name in a session of ids", func() *kmsg.FetchResponse {
			req := c.fetchRequest("t", 0)
			req.Version, req.SessionID, req.SessionEpoch, req.Topics, req.ReplicaID = 12, id, 7, nil, -1
			return c.ask("broker-1", req).(*kmsg.FetchResponse)
		}, "", kerror.FetchSessionTopicIdError, false},
		{"the last fetch closes it", func() *kmsg.FetchResponse { return fetch(id, -1, map[int32]int64{0: 0}) }, " 0:NONE+", 0, false},
		{"so that it is unknown", func() *kmsg.FetchResponse { return fetch(id, 7, none) }, "", kerror.FetchSessionIdNotFound, false},
	} {
		resp := step.do()
		if got := told(resp); got != step.told || kerror.Code(resp.ErrorCode) != step.err {
			t.Errorf("%s: %s%s, want %s%s", step.name, kerror.Code(resp.ErrorCode), got, step.err, step.told)
		}
		if keeps := resp.SessionID != 0; keeps != step.keeps || keeps && resp.SessionID != id {
			t.Errorf("%s: session id %d of %d", step.name, resp.SessionID, id)
		}
	}
}

// A session whose last partition is forgotten ends; an answer that has records
// of a partition puts it behind the others.
func TestFetchSessionEndsAndTurns(t *testing.T) {
	c := newProbed(t, oneBroker())
	c.create("t", 2, 1)
	req := c.fetchRequest("t", 0)
	second := req.Topics[0].Partitions[0]
	second.Partition = 1
	req.SessionEpoch, req.Topics[0].Partitions = 0, append(req.Topics[0].Partitions, second)
	id := c.ask("broker-1", req).(*kmsg.FetchResponse).SessionID
	c.ask("broker-1", c.produceRequest("t", 1, batch(1)))
	more := c.produceRequest("t", 1, batch(1))
	more.Topics[0].Partitions[0].Partition = 1
	c.ask("broker-1", more)
	next := func(epoch int32, forget ...int32) *kmsg.FetchResponse {
		req := c.fetchRequest("t", 0)
		req.SessionID, req.SessionEpoch, req.Topics = id, epoch, nil
		req.MaxBytes = 1 // room for the first only
		if len(forget) > 0 {
			req.ForgottenTopics = []kmsg.FetchRequestForgottenTopic{{TopicID: c.topicID("t"), Partitions: forget}}
		}
		return c.ask("broker-1", req).(*kmsg.FetchResponse)
	}
	for epoch, want := range []string{" 0:NONE+ 1:NONE", " 1:NONE+", " 0:NONE+", " 1:NONE+"} {
		if got := told(next(int32(epoch + 1))); got != want {
			t.Errorf("fetch %d tells%s, want%s", epoch+1, got, want)
		}
	}
	if resp := next(5, 0, 1); resp.SessionID != 0 || resp.ErrorCode != 0 || len(resp.Topics) != 0 {
		t.Errorf("a session without partitions: %+v", resp)
	}
	if resp := next(6); resp.ErrorCode != int16(kerror.FetchSessionIdNotFound) {
		t.Errorf("it is still there: %s", kerror.Code(resp.ErrorCode))
	}
}

// Followers fetch within sessions: of fifty partitions only the one that has
// moved is named, and told of.
func TestFollowersNameWhatHasMoved(t *testing.T) {
	c := newProbed(t, Defaults())
	c.create("t", 50, 3)
	c.tick(2000)
	mark := c.loop.Trace().Last()
	c.produce("t", 1, -1)
	c.tick(2000)
	fetches := 0
	for _, e := range c.loop.Trace().Since(mark) {
		m, ok := e.Body.(trace.MessageSent)
		if !ok || m.API != "Fetch" || m.Conn != sim.ConnFetcher.String() {
			continue
		}
		fetches++
		if !m.Response && m.Bytes > 200 {
			t.Errorf("%s: a fetch of %d B names more than one partition", e.Node, m.Bytes)
		}
	}
	if fetches == 0 || fetches > 20 {
		t.Errorf("%d fetches and answers for one record", fetches)
	}
	v, _ := c.PartitionView("t", 0)
	for _, r := range v.Logs {
		if r.LEO != 1 || r.HW != 1 {
			t.Errorf("broker-%d: LEO %d, HW %d", r.Broker, r.LEO, r.HW)
		}
	}
}

// A broker without room for sessions answers full fetches only, and an idle
// cluster still has nothing to do.
func TestNoRoomForSessions(t *testing.T) {
	o := Defaults()
	o.Static = map[string]string{"max.incremental.fetch.session.cache.slots": "7"} // less than one for each of eight shards
	c := newProbed(t, o)
	c.create("t", 1, 3)
	req := c.fetchRequest("t", 0)
	req.SessionEpoch = 0
	if resp := c.ask("broker-1", req).(*kmsg.FetchResponse); resp.ErrorCode != 0 || resp.SessionID != 0 {
		t.Errorf("%s, session %d; want none", kerror.Code(resp.ErrorCode), resp.SessionID)
	}
	c.tick(2000)
	before := c.loop.Handled()
	c.tick(60_000)
	if n := c.loop.Handled() - before; n > 500 {
		t.Errorf("%d events in an idle minute", n)
	}
}
