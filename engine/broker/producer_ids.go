package broker

import (
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/sim"
)

// producerIDs are the ids of the block that this broker was given, and the block
// that it was given ahead of the end of that one.
type producerIDs struct {
	next, end int64
	fetchAt   int64 // the id with which the next block is asked for
	ahead     *kmsg.AllocateProducerIDsResponse
	asked     bool
}

// prefetchAt is how much of a block is used up when the next is asked for
// (RPCProducerIdManager#PID_PREFETCH_THRESHOLD).
const prefetchAt = 0.9

// use goes on to the block that was fetched ahead, if there is one.
func (p *producerIDs) use() {
	if p.next < p.end || p.ahead == nil {
		return
	}
	start, size := p.ahead.ProducerIDStart, int64(p.ahead.ProducerIDLen)
	p.next, p.end, p.fetchAt, p.ahead = start, start+size, start+int64(float64(size)*prefetchAt), nil
}

// initProducerID gives a producer an id with epoch 0. While the broker has no
// block of ids it asks the controller for one, and the producer to come again.
// Source: TransactionCoordinator#handleInitProducerId, RPCProducerIdManager.
func (b *Broker) initProducerID(msg *kmsg.InitProducerIDRequest) *kmsg.InitProducerIDResponse {
	resp := kmsg.NewPtrInitProducerIDResponse()
	resp.ProducerID, resp.ProducerEpoch = -1, -1
	b.ids.use()
	none := msg.ProducerID == -1 && msg.ProducerEpoch == -1
	switch {
	case !none && (msg.ProducerID == -1 || msg.ProducerEpoch == -1): // one without the other
		resp.ErrorCode = int16(kerror.InvalidRequest)
	case msg.TransactionalID != nil && *msg.TransactionalID == "":
		resp.ErrorCode = int16(kerror.InvalidRequest)
	case msg.TransactionalID != nil:
		resp.ErrorCode = int16(kerror.CoordinatorNotAvailable) // there is no transaction coordinator yet
	case b.ids.next == b.ids.end:
		resp.ErrorCode = int16(kerror.CoordinatorLoadInProgress)
		b.askProducerIDs()
	default:
		resp.ProducerID, resp.ProducerEpoch = b.ids.next, 0
		if b.ids.next == b.ids.fetchAt {
			b.askProducerIDs()
		}
		b.ids.next++
	}
	return resp
}

func (b *Broker) askProducerIDs() {
	if b.ids.asked {
		return
	}
	b.ids.asked = true
	req := kmsg.NewPtrAllocateProducerIDsRequest()
	req.BrokerID, req.BrokerEpoch = b.ID, b.epoch
	b.ctx.Send(b.Controller, sim.ConnProducerIDs, req)
}

func (b *Broker) gotProducerIDs(ev sim.Response) {
	b.ids.asked = false
	if msg := ev.Msg.(*kmsg.AllocateProducerIDsResponse); msg.ErrorCode == 0 {
		b.ids.ahead = msg
	}
}
