package fetchsession

import (
	"fmt"
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
	"pgregory.net/rapid"

	"kafkalab/engine/kerror"
)

func part(topic byte, partition int32, offset int64) Part {
	p := kmsg.NewFetchRequestTopicPartition()
	p.Partition, p.FetchOffset = partition, offset
	return Part{TopicID: [16]byte{topic}, Wanted: p}
}

// said is what a fetch names, and forgets.
func said(req *kmsg.FetchRequest) string {
	out := fmt.Sprintf("%d/%d", req.SessionID, req.SessionEpoch)
	for _, t := range req.Topics {
		for _, p := range t.Partitions {
			out += fmt.Sprintf(" %c%d@%d", t.TopicID[0], p.Partition, p.FetchOffset)
		}
	}
	for _, t := range req.ForgottenTopics {
		out += fmt.Sprintf(" -%c%v", t.TopicID[0], t.Partitions)
	}
	return out
}

func answer(id int32, code kerror.Code, parts ...Part) *kmsg.FetchResponse {
	resp := kmsg.NewPtrFetchResponse()
	resp.SessionID, resp.ErrorCode = id, int16(code)
	for _, p := range parts {
		t := kmsg.NewFetchResponseTopic()
		t.TopicID = p.TopicID
		a := kmsg.NewFetchResponseTopicPartition()
		a.Partition = p.Wanted.Partition
		t.Partitions = append(t.Partitions, a)
		resp.Topics = append(resp.Topics, t)
	}
	return resp
}

// A fetcher's session from its first fetch through every way that it can go
// on.
func TestHandler(t *testing.T) {
	a0, a1, b0 := part('a', 0, 0), part('a', 1, 0), part('b', 0, 0)
	var h Handler
	for i, step := range []struct {
		want   []Part
		says   string
		answer *kmsg.FetchResponse // nil: it fails
		usable bool
	}{
		{[]Part{a0, a1}, "0/0 a0@0 a1@0", answer(9, 0, a0, a1), true},
		{[]Part{a0, a1}, "9/1", answer(9, 0), true},
		{[]Part{part('a', 0, 5), a1}, "9/2 a0@5", answer(9, 0, a0), true},
		{[]Part{b0, part('a', 0, 5), part('a', 1, 2)}, "9/3 b0@0 a1@2", answer(9, 0), true}, // new ones first
		{[]Part{b0, part('a', 1, 2)}, "9/4 -a[0]", answer(9, 0), true},
		{[]Part{b0}, "9/5 -a[1]", answer(9, 0, a1), false}, // a stranger in it
		{[]Part{b0}, "9/0 b0@0", answer(11, 0, b0), true},
		{[]Part{b0}, "11/1", nil, false},
		{[]Part{b0}, "11/0 b0@0", answer(0, 0, b0), true}, // no room for a session
		{[]Part{b0}, "0/0 b0@0", answer(12, 0, b0), true},
		{[]Part{b0}, "12/1", answer(0, kerror.InvalidFetchSessionEpoch), false},
		{[]Part{b0}, "12/0 b0@0", answer(13, 0, b0), true},
		{[]Part{b0}, "13/1", answer(0, kerror.FetchSessionIdNotFound), false},
		{[]Part{b0, a0}, "0/0 b0@0 a0@0", answer(14, 0, b0), false}, // one is left out
		{[]Part{b0}, "0/0 b0@0", answer(15, 0, b0), true},
		{nil, "15/1 -b[0]", answer(0, 0), true}, // the broker closes it
		{[]Part{b0}, "0/0 b0@0", answer(16, 0, b0), true},
	} {
		req := kmsg.NewPtrFetchRequest()
		h.Build(req, step.want)
		if got := said(req); got != step.says {
			t.Fatalf("fetch %d says %s, want %s", i, got, step.says)
		}
		if step.answer == nil {
			h.Failed()
			continue
		}
		if got := h.Answered(step.answer); got != step.usable {
			t.Errorf("answer %d is usable: %v", i, got)
		}
	}
	if h.Build(kmsg.NewPtrFetchRequest(), []Part{b0}); !h.Build(kmsg.NewPtrFetchRequest(), nil) {
		t.Error("a partition has to be forgotten yet")
	}
	if new(Handler).Build(kmsg.NewPtrFetchRequest(), nil) {
		t.Error("nothing is wanted, and yet there is something to ask")
	}
}

// Whatever is wanted from fetch to fetch, and whichever fetches are lost, the
// broker reads just that at just those positions.
func TestBothHalvesAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, r := NewCache(rapid.SampledFrom([]int{0, 8}).Draw(t, "slots")), counting(0)
		var h Handler
		for range rapid.IntRange(1, 30).Draw(t, "fetches") {
			want := []Part{}
			for _, topic := range rapid.Permutation([]byte("abc")).Draw(t, "topics") {
				if rapid.Bool().Draw(t, "wanted") {
					want = append(want, part(topic, 0, int64(rapid.IntRange(0, 2).Draw(t, "offset"))))
				}
			}
			req := kmsg.NewPtrFetchRequest()
			if req.Version = 17; !h.Build(req, want) {
				continue
			}
			x := c.Open(req, true, 0)
			agree(t, x, want)
			resp := x.Respond(read(x), 0, &r)
			switch rapid.IntRange(0, 4).Draw(t, "fate") {
			case 0:
				h.Failed()
			default:
				if !h.Answered(resp) {
					t.Fatalf("%s is refused: %s", said(req), kerror.Code(resp.ErrorCode))
				}
			}
		}
	})
}

func agree(t *rapid.T, x *Context, want []Part) {
	line := func(p Part) string { return fmt.Sprint(p.TopicID[0], p.Wanted.Partition, p.Wanted.FetchOffset) }
	var got, wish []string
	for _, p := range x.Parts {
		got = append(got, line(p))
	}
	for _, p := range want {
		wish = append(wish, line(p))
	}
	slices.Sort(got)
	slices.Sort(wish)
	if !slices.Equal(got, wish) {
		t.Fatalf("the broker reads %v, wanted is %v (%s)", got, wish, x.Err)
	}
}
