package quorum

import (
	"fmt"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/sim"
)

func (c *Controller) request(ctx *sim.Ctx, req sim.Request) {
	switch msg := req.Msg.(type) {
	case *kmsg.FetchRequest:
		c.fetch(ctx, req)
	case *kmsg.BrokerRegistrationRequest:
		ctx.Reply(req.Origin, c.register(ctx, msg))
	case *kmsg.BrokerHeartbeatRequest:
		ctx.Reply(req.Origin, c.heartbeat(ctx, msg))
	case *kmsg.AllocateProducerIDsRequest:
		ctx.Reply(req.Origin, c.allocateProducerIDs(ctx, msg))
	case *kmsg.AlterPartitionRequest:
		ctx.Reply(req.Origin, c.alterPartition(ctx, msg))
	case *kmsg.EnvelopeRequest:
		ctx.Reply(req.Origin, c.envelope(ctx, msg))
	default:
		// A broker of this cluster sends nothing else; another kind of request
		// is a bug of the engine, not a state of the world.
		panic(fmt.Sprintf("quorum: no handler for %T", msg))
	}
}

func (c *Controller) timer(ctx *sim.Ctx, key string) {
	kind, rest, _ := strings.Cut(key, "/")
	switch kind {
	case "round", "timeout":
		c.release(ctx, sim.NodeID(rest))
	case "session":
		c.sessionOver(ctx, rest)
	case "imbalance":
		c.balanceLeaders(ctx)
	}
}

// envelope unwraps what a broker forwards for a client (KIP-590) and wraps the
// answer.
func (c *Controller) envelope(ctx *sim.Ctx, msg *kmsg.EnvelopeRequest) *kmsg.EnvelopeResponse {
	resp := kmsg.NewPtrEnvelopeResponse()
	inner, correlation, _, err := sim.DecodeRequest(msg.RequestData)
	if err != nil {
		resp.ErrorCode = int16(kerror.InvalidRequest)
		return resp
	}
	var answer kmsg.Response
	switch inner := inner.(type) {
	case *kmsg.CreateTopicsRequest:
		answer = c.createTopics(ctx, inner)
	case *kmsg.DeleteTopicsRequest:
		answer = c.deleteTopics(ctx, inner)
	case *kmsg.CreatePartitionsRequest:
		answer = c.createPartitions(ctx, inner)
	case *kmsg.IncrementalAlterConfigsRequest:
		answer = c.alterConfigs(ctx, inner)
	case *kmsg.AlterConfigsRequest:
		answer = c.alterConfigsOld(ctx, inner)
	case *kmsg.ElectLeadersRequest:
		answer = c.electLeaders(ctx, inner)
	default:
		resp.ErrorCode = int16(kerror.InvalidRequest)
		return resp
	}
	answer.SetVersion(inner.GetVersion())
	resp.ResponseData = sim.EncodeResponse(answer, correlation)
	return resp
}
