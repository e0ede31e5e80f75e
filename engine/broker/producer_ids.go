package broker

import (
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/sim"
)

// producerIDs are the ids of the block that this broker was given.
type producerIDs struct {
	next, end int64
	asked     bool
}

// initProducerID gives a producer an id with epoch 0. While the broker has no
// block of ids it asks the controller for one, and the producer to come again.
// Source: TransactionCoordinator#handleInitProducerId, RPCProducerIdManager.
func (b *Broker) initProducerID(msg *kmsg.InitProducerIDRequest) *kmsg.InitProducerIDResponse {
	resp := kmsg.NewPtrInitProducerIDResponse()
	resp.ProducerID, resp.ProducerEpoch = -1, -1
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
	msg := ev.Msg.(*kmsg.AllocateProducerIDsResponse)
	if msg.ErrorCode == 0 {
		b.ids.next, b.ids.end = msg.ProducerIDStart, msg.ProducerIDStart+int64(msg.ProducerIDLen)
	}
}
