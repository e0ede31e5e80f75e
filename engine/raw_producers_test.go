package engine

import (
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/record"
)

func producerCases() []rawCase {
	initID := func(version int16, edit func(*kmsg.InitProducerIDRequest)) func(*rawWorld) kmsg.Request {
		return func(*rawWorld) kmsg.Request {
			r := kmsg.NewPtrInitProducerIDRequest()
			r.Version, r.TransactionTimeoutMillis, r.ProducerID, r.ProducerEpoch = version, 60000, -1, -1
			if edit != nil {
				edit(r)
			}
			return r
		}
	}
	cases := []rawCase{made(on("s", []int32{1}), on("s2", []int32{1})), learned("s", "s2"),
		{name: "the first, for which a block has to be fetched", req: initID(4, nil), to: 3, changes: true}}
	for v := int16(0); v <= 5; v++ {
		cases = append(cases, rawCase{name: fmt.Sprintf("id v%d", v), req: initID(v, nil), to: 3})
	}
	cases = append(cases,
		rawCase{name: "an id without an epoch", to: 3, req: initID(4, func(r *kmsg.InitProducerIDRequest) { r.ProducerID = 7 })},
		rawCase{name: "an epoch without an id", to: 3, req: initID(4, func(r *kmsg.InitProducerIDRequest) { r.ProducerEpoch = 7 })},
		rawCase{name: "an id and an epoch", to: 3, req: initID(4, func(r *kmsg.InitProducerIDRequest) { r.ProducerID, r.ProducerEpoch = 7, 0 })},
		rawCase{name: "an empty transactional id", to: 3, req: initID(4, func(r *kmsg.InitProducerIDRequest) { r.TransactionalID = ptr("") })},
		rawCase{name: "a timeout of 0", to: 3, req: initID(4, func(r *kmsg.InitProducerIDRequest) { r.TransactionTimeoutMillis = 0 })},
	)
	type step struct {
		epoch int16
		seq   int32
		count int
	}
	for _, s := range []step{{0, 0, 3}, {0, 3, 1}, {0, 3, 1}, {0, 0, 3}, {0, 3, 2}, {0, 10, 1}, {0, 4, 1}, {0, 5, 1}, {0, 6, 1}, {0, 7, 1}, {0, 8, 1}, {0, 9, 1},
		{0, 5, 1}, {0, 4, 1}, {0, 3, 1}, {0, 9, 2}, {1, 0, 1}, {2, 5, 1}, {0, 10, 1}, {1, 1, 1}, {3, 0, 2}, {3, -1, 1}, {-1, 2, 1}} {
		cases = append(cases, rawCase{
			name: fmt.Sprintf("epoch %d sequence %d+%d", s.epoch, s.seq, s.count),
			req: produceTo(13, -1, "s", 0, rawBatch(s.count, func(o *record.Options) {
				o.ProducerID, o.ProducerEpoch, o.BaseSequence = 5000, s.epoch, s.seq
			})),
		})
	}
	wrap := func(seq int32, count int) []byte {
		return rawBatch(count, func(o *record.Options) { o.ProducerID, o.ProducerEpoch, o.BaseSequence = 5001, 0, seq })
	}
	return append(cases,
		rawCase{name: "an unknown producer at sequence 7", req: produceTo(13, -1, "s2", 0, wrap(7, 1))},
		rawCase{name: "a large sequence after a small one", req: produceTo(13, -1, "s2", 0, wrap(2147483646, 3))},
		rawCase{name: "the end of the log", req: listOffsets(9, -1, "s", 0, -1)},
	)
}
