package quorum

import (
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/metadata"
	"kafkalab/engine/sim"
)

// producerIDBlock is how many producer ids a broker is given at a time
// (ProducerIdsBlock#PRODUCER_ID_BLOCK_SIZE).
const producerIDBlock = 1000

// allocateProducerIDs gives a broker the next block of producer ids. What it
// does not use is lost when it restarts (ProducerIdControlManager).
func (c *Controller) allocateProducerIDs(ctx *sim.Ctx, msg *kmsg.AllocateProducerIDsRequest) *kmsg.AllocateProducerIDsResponse {
	resp := kmsg.NewPtrAllocateProducerIDsResponse()
	if b := c.image.Brokers[msg.BrokerID]; b == nil || b.Epoch != msg.BrokerEpoch {
		resp.ErrorCode = int16(kerror.StaleBrokerEpoch)
		return resp
	}
	resp.ProducerIDStart, resp.ProducerIDLen = c.image.NextProducerID, producerIDBlock
	c.append(ctx, &metadata.ProducerIDs{BrokerID: msg.BrokerID, BrokerEpoch: msg.BrokerEpoch, NextProducerID: resp.ProducerIDStart + producerIDBlock})
	return resp
}
