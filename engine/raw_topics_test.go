package engine

import (
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// growth asks for more partitions of a topic.
type growth struct {
	topic  string
	count  int32
	placed [][]int32 // nil: let the controller place them
}

func grow(validate bool, topics ...growth) func(*rawWorld) kmsg.Request {
	return func(*rawWorld) kmsg.Request {
		req := kmsg.NewPtrCreatePartitionsRequest()
		req.Version, req.TimeoutMillis, req.ValidateOnly = 3, 10000, validate
		for _, g := range topics {
			t := kmsg.NewCreatePartitionsRequestTopic()
			t.Topic, t.Count = g.topic, g.count
			if g.placed != nil {
				t.Assignment = []kmsg.CreatePartitionsRequestTopicAssignment{}
			}
			for _, replicas := range g.placed {
				t.Assignment = append(t.Assignment, kmsg.CreatePartitionsRequestTopicAssignment{Replicas: replicas})
			}
			req.Topics = append(req.Topics, t)
		}
		return req
	}
}

// remove asks to delete topics: by name, with a * before it by id, with a & by both.
func remove(version int16, names ...string) func(*rawWorld) kmsg.Request {
	return func(w *rawWorld) kmsg.Request {
		req := kmsg.NewPtrDeleteTopicsRequest()
		req.Version, req.TimeoutMillis, req.TopicNames = version, 10000, []string{}
		for _, n := range names {
			if version < 6 {
				req.TopicNames = append(req.TopicNames, n)
				continue
			}
			t := kmsg.NewDeleteTopicsRequestTopic()
			switch {
			case n == "nothing":
			case n == "*nosuch":
				t.TopicID = [16]byte{7, 15: 7}
			case n[0] == '*':
				t.TopicID = w.ids[n[1:]]
			case n[0] == '&': // both
				t.Topic, t.TopicID = ptr(n[1:]), w.ids[n[1:]]
			default:
				t.Topic = ptr(n)
			}
			req.Topics = append(req.Topics, t)
		}
		return req
	}
}

func changeTopicCases() []rawCase {
	hold := func(n int) newTopic { return on(fmt.Sprintf("d%d", n), []int32{1, 2}) }
	cases := []rawCase{
		made(on("g", []int32{1, 2, 3}, []int32{2, 3, 1}, []int32{3, 1, 2}), hold(1), hold(2), hold(3), hold(4), hold(5), hold(6), hold(7), hold(8), hold(9)),
		{name: "their ids", req: fixed(metadataOf(12, false, "g", "d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8", "d9"))},
	}
	cases = append(cases, every(0, 3, "grow", grow(true, growth{"g", 4, nil}, growth{"nosuch", 4, nil}, growth{"d1", 1, nil}))...)
	cases = append(cases,
		rawCase{name: "counts", req: grow(true, growth{"g", 3, nil})},
		rawCase{name: "fewer", req: grow(true, growth{"g", 2, nil})},
		rawCase{name: "none", req: grow(true, growth{"g", 0, nil})},
		rawCase{name: "negative", req: grow(true, growth{"g", -1, nil})},
		rawCase{name: "10001 more", req: grow(true, growth{"g", 10004, nil}, growth{"nosuch", 5, nil})},
		rawCase{name: "10001 more in two", req: grow(true, growth{"g", 9003, nil}, growth{"d1", 1002, nil})},
		rawCase{name: "10000 more", req: grow(true, growth{"g", 10003, nil})},
		rawCase{name: "a topic twice", req: grow(true, growth{"g", 4, nil}, growth{"g", 5, nil}, growth{"d1", 2, nil})},
		rawCase{name: "no assignment in the list", req: grow(true, growth{"g", 4, [][]int32{}})},
		rawCase{name: "assignments", req: grow(true, growth{"g", 5, [][]int32{{1, 2, 3}}})},
		rawCase{name: "too many assignments", req: grow(true, growth{"g", 4, [][]int32{{1, 2, 3}, {1, 2, 3}}})},
		rawCase{name: "another factor", req: grow(true, growth{"g", 4, [][]int32{{1, 2}}})},
		rawCase{name: "an unknown broker", req: grow(true, growth{"g", 4, [][]int32{{1, 2, 9}}})},
		rawCase{name: "a broker twice", req: grow(true, growth{"g", 4, [][]int32{{1, 2, 2}}})},
		rawCase{name: "no replica", req: grow(true, growth{"g", 4, [][]int32{{}}})},
		rawCase{name: "good and done", req: grow(false, growth{"g", 5, [][]int32{{3, 2, 1}, {2, 1, 3}}}), changes: true},
		rawCase{name: "it has grown", req: fixed(metadataOf(12, false, "g"))},
		rawCase{name: "no topics", req: grow(false)},
	)
	for v := int16(1); v <= 5; v++ {
		cases = append(cases, rawCase{name: fmt.Sprintf("delete v%d", v), req: remove(v, fmt.Sprintf("d%d", v), "nosuch", "bad name"), changes: true})
	}
	return append(cases,
		rawCase{name: "delete by name", req: remove(6, "d6", "nosuch"), changes: true},
		rawCase{name: "delete by id", req: remove(6, "*d7", "*nosuch"), changes: true},
		rawCase{name: "delete by both", req: remove(6, "&d8")},
		rawCase{name: "delete by nothing", req: remove(6, "nothing", "nothing")},
		rawCase{name: "delete by name and by id", req: remove(6, "d8", "*d8", "d9")},
		rawCase{name: "delete a name twice", req: remove(6, "d9", "d9", "g"), changes: true},
		rawCase{name: "delete an id twice", req: remove(6, "*d9", "*d9")},
		rawCase{name: "what is left", req: fixed(metadataOf(12, false, "d1", "d5", "d6", "d7", "d8", "d9", "g"))},
		rawCase{name: "no topics to delete", req: remove(6)},
	)
}

func clusterCases() []rawCase {
	cluster := func(version int16, edit func(*kmsg.DescribeClusterRequest)) func(*rawWorld) kmsg.Request {
		return func(*rawWorld) kmsg.Request {
			r := kmsg.NewPtrDescribeClusterRequest()
			r.Version = version
			edit(r)
			return r
		}
	}
	cases := []rawCase{
		made(on("i", []int32{1, 2}, []int32{2, 3}, []int32{3, 1}, []int32{1, 2}), on("i2", []int32{1}), on("i3", []int32{2}, []int32{3})),
		{name: "their ids", req: fixed(metadataOf(12, false, "i", "i2", "i3"))},
	}
	for v := int16(0); v <= 2; v++ {
		cases = append(cases,
			rawCase{name: fmt.Sprintf("cluster v%d", v), req: cluster(v, func(*kmsg.DescribeClusterRequest) {})},
			rawCase{name: fmt.Sprintf("cluster v%d with operations and fenced", v), req: cluster(v, func(r *kmsg.DescribeClusterRequest) {
				r.IncludeClusterAuthorizedOperations, r.IncludeFencedBrokers = true, true
			})})
	}
	cases = append(cases,
		rawCase{name: "cluster v1 controllers", req: cluster(1, func(r *kmsg.DescribeClusterRequest) { r.EndpointType = 2 })},
		rawCase{name: "cluster v1 endpoint 7", req: cluster(1, func(r *kmsg.DescribeClusterRequest) { r.EndpointType = 7 })})
	topics := func(limit int32, cursor *kmsg.DescribeTopicPartitionsRequestCursor, names ...string) func(*rawWorld) kmsg.Request {
		return func(*rawWorld) kmsg.Request {
			r := kmsg.NewPtrDescribeTopicPartitionsRequest()
			r.ResponsePartitionLimit, r.Cursor = limit, cursor
			for _, n := range names {
				r.Topics = append(r.Topics, kmsg.DescribeTopicPartitionsRequestTopic{Topic: n})
			}
			return r
		}
	}
	at := func(topic string, p int32) *kmsg.DescribeTopicPartitionsRequestCursor {
		return &kmsg.DescribeTopicPartitionsRequestCursor{Topic: topic, Partition: p}
	}
	list := func(name string, req func(*rawWorld) kmsg.Request) rawCase {
		return rawCase{name: "partitions: " + name, req: req, ordered: true}
	}
	cases = append(cases,
		list("three topics", topics(2000, nil, "i3", "i", "i2")),
		list("limit 2", topics(2, nil, "i3", "i", "i2")),
		list("limit 4", topics(4, nil, "i3", "i", "i2")),
		list("limit 5", topics(5, nil, "i3", "i", "i2")),
		list("limit 0", topics(0, nil, "i")),
		list("limit -1", topics(-1, nil, "i")),
		list("limit above the broker's", topics(100000, nil, "i")),
		list("from a cursor", topics(2, at("i", 2), "i3", "i", "i2")),
		list("from a cursor at the end", topics(2, at("i", 4), "i3", "i", "i2")),
		list("from a cursor beyond the end", topics(2, at("i", 9), "i3", "i", "i2")),
		list("from a later topic", topics(20, at("i2", 0), "i3", "i", "i2")),
		list("a cursor that is not asked for", topics(20, at("x", 0), "i3", "i")),
		list("a negative cursor", topics(20, at("i", -1), "i3", "i")),
		list("all from a cursor of an unknown topic", topics(1, at("i1", 0))),
		list("unknown and bad names", topics(20, nil, "nosuch", "i", "bad name", "..")),
		list("a topic twice", topics(20, nil, "i2", "i2")),
	)
	dirs := func(version int16, all bool, parts ...string) func(*rawWorld) kmsg.Request {
		return func(*rawWorld) kmsg.Request {
			r := kmsg.NewPtrDescribeLogDirsRequest()
			r.Version = version
			if !all {
				r.Topics = []kmsg.DescribeLogDirsRequestTopic{}
			}
			for _, p := range parts {
				r.Topics = append(r.Topics, kmsg.DescribeLogDirsRequestTopic{Topic: p, Partitions: []int32{0, 1, 9}})
			}
			return r
		}
	}
	for v := int16(1); v <= 5; v++ {
		cases = append(cases, rawCase{name: fmt.Sprintf("folders v%d", v), req: dirs(v, false, "i", "i2", "nosuch")})
	}
	return append(cases,
		rawCase{name: "folders of a follower", to: 2, req: dirs(4, false, "i", "i2")},
		rawCase{name: "folders of nothing", req: dirs(4, false)},
	)
}

func electionCases() []rawCase {
	elect := func(version int16, kind int8, topics ...kmsg.ElectLeadersRequestTopic) func(*rawWorld) kmsg.Request {
		return func(*rawWorld) kmsg.Request {
			r := kmsg.NewPtrElectLeadersRequest()
			r.Version, r.ElectionType, r.Topics, r.TimeoutMillis = version, kind, topics, 10000
			return r
		}
	}
	of := func(topic string, parts ...int32) kmsg.ElectLeadersRequestTopic {
		return kmsg.ElectLeadersRequestTopic{Topic: topic, Partitions: parts}
	}
	cases := []rawCase{made(on("e", []int32{1, 2, 3}, []int32{2, 3, 1}))}
	for v := int16(0); v <= 2; v++ {
		for kind := int8(0); kind <= 2 && (v > 0 || kind == 0); kind++ {
			cases = append(cases, rawCase{name: fmt.Sprintf("v%d type %d", v, kind), req: elect(v, kind, of("e", 0, 1, 5, -1), of("nosuch", 0))})
		}
	}
	return append(cases,
		rawCase{name: "all, preferred", req: elect(2, 0)},
		rawCase{name: "all, unclean", req: elect(2, 1)},
		rawCase{name: "all, type 7", req: elect(2, 7)},
		rawCase{name: "none", req: elect(2, 0, []kmsg.ElectLeadersRequestTopic{}...)},
	)
}
