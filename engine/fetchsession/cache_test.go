package fetchsession

import (
	"fmt"
	"math"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
)

// counting gives 1, 2, 3, … for ids that can be read.
type counting int32

func (c *counting) Int32N(int32) int32 { *c++; return int32(*c) }

// fetch is a fetch of partitions 0 to n-1 of one topic.
func fetch(id, epoch int32, n int) *kmsg.FetchRequest {
	req := kmsg.NewPtrFetchRequest()
	req.Version, req.SessionID, req.SessionEpoch = 17, id, epoch
	t := kmsg.NewFetchRequestTopic()
	t.TopicID = [16]byte{1}
	for i := range n {
		p := kmsg.NewFetchRequestTopicPartition()
		p.Partition = int32(i)
		t.Partitions = append(t.Partitions, p)
	}
	if n > 0 {
		req.Topics = append(req.Topics, t)
	}
	return req
}

// read answers every partition of a context with nothing new.
func read(x *Context) []Answer {
	out := make([]Answer, len(x.Parts))
	for i := range x.Parts {
		p := kmsg.NewFetchResponseTopicPartition()
		p.Partition, p.PreferredReadReplica, p.HighWatermark = x.Parts[i].Wanted.Partition, -1, 7
		out[i] = Answer{i, p}
	}
	return out
}

// open makes eight sessions at a time, one in each shard, and gives the id in
// the first.
func open(t *testing.T, c *Cache, follower bool, partitions int, now int64) int32 {
	t.Helper()
	r := counting(now & 0xfffff)
	first := int32(0)
	for i := range shards {
		x := c.Open(fetch(0, InitialEpoch, partitions), follower, now)
		resp := x.Respond(read(x), now, &r)
		if i == 0 {
			first = resp.SessionID
		}
	}
	return first
}

func known(c *Cache, id int32) bool { return c.find(id) != nil }

// Who may take whose place in a full cache, after a time in ms.
func TestEviction(t *testing.T) {
	type who struct {
		follower   bool
		partitions int
	}
	consumer, follower := who{false, 3}, who{true, 3}
	for _, test := range []struct {
		name     string
		old, new who
		used     int64 // the old session is used last at this time
		at       int64
		want     bool
	}{
		{"a consumer does not take a young consumer's", consumer, who{false, 99}, 0, 1000, false},
		{"a follower takes a consumer's at once", consumer, who{true, 1}, 0, 1000, true},
		{"nobody takes a young follower's", follower, who{true, 99}, 0, 1000, false},
		{"after two minutes in use a larger one takes a consumer's", consumer, who{false, 4}, 130_000, 131_000, true},
		{"an equal one does not: the older id is larger than none", consumer, consumer, 130_000, 131_000, false},
		{"a smaller one does not", consumer, who{false, 2}, 130_000, 131_000, false},
		{"a larger follower takes an old follower's", follower, who{true, 4}, 130_000, 131_000, true},
		{"a consumer does not take a follower's in use", follower, who{false, 99}, 130_000, 131_000, false},
		{"anybody takes what was not used for two minutes", follower, who{false, 1}, 0, EvictionMs + 1, true},
		{"to the millisecond", follower, who{false, 1}, 0, EvictionMs, false},
	} {
		c := NewCache(shards)
		id := open(t, c, test.old.follower, test.old.partitions, 0)
		if test.used > 0 {
			c.Open(fetch(id, 1, 0), test.old.follower, test.used)
		}
		fresh := open(t, c, test.new.follower, test.new.partitions, test.at)
		if got := fresh != noSession; got != test.want {
			t.Errorf("%s: session %d", test.name, fresh)
		}
		if known(c, id) == test.want {
			t.Errorf("%s: the old one is known: %v", test.name, known(c, id))
		}
	}
}

// Each shard has its own slots and range of ids.
func TestShards(t *testing.T) {
	c := NewCache(17) // two for each, one lost
	if c.Slots() != 16 {
		t.Errorf("%d slots, want 16", c.Slots())
	}
	r := counting(0)
	ids := map[int32]bool{}
	for i := range 20 {
		x := c.Open(fetch(0, InitialEpoch, 1), true, 0)
		id := x.Respond(read(x), 0, &r).SessionID
		if (id != noSession) != (i < 16) {
			t.Errorf("session %d has id %d", i, id)
		}
		if id != noSession && shardOf(id) != i%shards {
			t.Errorf("session %d, id %d, is in shard %d, want %d", i, id, shardOf(id), i%shards)
		}
		ids[id] = true
	}
	if len(ids) != 17 || c.Len() != 16 {
		t.Errorf("%d ids, %d sessions, want 17 with none, and 16", len(ids), c.Len())
	}
}

func TestNextEpoch(t *testing.T) {
	for in, want := range map[int32]int32{InitialEpoch: 1, 1: 2, math.MaxInt32: 1, FinalEpoch: FinalEpoch} {
		if got := NextEpoch(in); got != want {
			t.Errorf("after %d comes %d, want %d", in, got, want)
		}
	}
}

// A partition that a fetch names twice is read once, as it was named last.
func TestDoubles(t *testing.T) {
	req := fetch(0, FinalEpoch, 3)
	req.Topics[0].Partitions[2].Partition, req.Topics[0].Partitions[2].FetchOffset = 0, 44
	parts := PartsOf(req)
	if len(parts) != 2 || parts[0].Wanted.FetchOffset != 44 || parts[1].Wanted.Partition != 1 {
		t.Errorf("%+v", parts)
	}
}

// Of two answers of one session only that to the newer fetch counts.
func TestSameFetchTwice(t *testing.T) {
	c, r := NewCache(1000), counting(0)
	x := c.Open(fetch(0, InitialEpoch, 1), true, 0)
	id := x.Respond(read(x), 0, &r).SessionID
	first := c.Open(fetch(id, 1, 0), true, 1)
	second := c.Open(fetch(id, 2, 0), true, 2)
	if resp := first.Respond(read(first), 3, &r); resp.ErrorCode != int16(kerror.InvalidFetchSessionEpoch) || resp.SessionID != id {
		t.Errorf("the older: %s, session %d", kerror.Code(resp.ErrorCode), resp.SessionID)
	}
	if resp := second.Respond(read(second), 3, &r); resp.ErrorCode != 0 {
		t.Errorf("the newer: %s", kerror.Code(resp.ErrorCode))
	}
}

// What an answer must tell of: each change once, an error each time and the
// partition once more when it is over.
func TestMustTell(t *testing.T) {
	c := &cachedPart{toldHW: 5}
	answer := func(hw, start int64, code int16, edit func(*kmsg.FetchResponseTopicPartition)) *kmsg.FetchResponseTopicPartition {
		a := kmsg.NewFetchResponseTopicPartition()
		a.PreferredReadReplica, a.HighWatermark, a.LogStartOffset, a.ErrorCode = -1, hw, start, code
		if edit != nil {
			edit(&a)
		}
		return &a
	}
	for i, step := range []struct {
		a    *kmsg.FetchResponseTopicPartition
		want bool
	}{
		{answer(5, 0, 0, nil), false},
		{answer(6, 0, 0, nil), true},
		{answer(6, 0, 0, nil), false},
		{answer(6, 3, 0, nil), true},
		{answer(6, 3, 0, func(a *kmsg.FetchResponseTopicPartition) { a.RecordBatches = []byte{1} }), true},
		{answer(6, 3, 0, func(a *kmsg.FetchResponseTopicPartition) { a.LastStableOffset = 2 }), false}, // on its own no reason
		{answer(6, 3, 0, func(a *kmsg.FetchResponseTopicPartition) { a.DivergingEpoch.EndOffset = 2 }), true},
		{answer(6, 3, 0, func(a *kmsg.FetchResponseTopicPartition) { a.PreferredReadReplica = 2 }), true},
		{answer(-1, -1, 6, nil), true},
		{answer(-1, -1, 6, nil), true},
		{answer(6, 3, 0, nil), true},
		{answer(6, 3, 0, nil), false},
	} {
		if got := c.mustTell(step.a); got != step.want {
			t.Errorf("answer %d: %v", i, got)
		}
	}
}

func ExampleCache() {
	c, r := NewCache(1000), counting(0)
	full := c.Open(fetch(0, InitialEpoch, 3), true, 0)
	resp := full.Respond(read(full), 0, &r)
	fmt.Println(len(resp.Topics[0].Partitions), "partitions told, session open:", resp.SessionID != 0)
	next := c.Open(fetch(resp.SessionID, 1, 0), true, 500)
	resp = next.Respond(read(next), 500, &r)
	fmt.Println(len(next.Parts), "read,", len(resp.Topics), "topics told")
	// Output:
	// 3 partitions told, session open: true
	// 3 read, 0 topics told
}
