package quorum

import (
	"fmt"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/metadata"
	"kafkalab/engine/sim"
	"kafkalab/engine/trace"
)

func (c *Controller) request(ctx *sim.Ctx, req sim.Request) {
	switch msg := req.Msg.(type) {
	case *kmsg.FetchRequest:
		c.fetch(ctx, req)
	case *kmsg.BrokerRegistrationRequest:
		ctx.Reply(req.Origin, c.register(ctx, msg))
	case *kmsg.BrokerHeartbeatRequest:
		ctx.Reply(req.Origin, c.heartbeat(ctx, msg))
	case *kmsg.EnvelopeRequest:
		ctx.Reply(req.Origin, c.envelope(ctx, msg))
	default:
		// A broker of this cluster sends nothing else; another kind of request
		// is a bug of the engine, not a state of the world.
		panic(fmt.Sprintf("quorum: no handler for %T", msg))
	}
}

func (c *Controller) timer(ctx *sim.Ctx, key string) {
	kind, from, _ := strings.Cut(key, "/")
	switch kind {
	case "round", "timeout":
		c.release(ctx, sim.NodeID(from))
	}
}

// register takes a broker in. Its epoch is the offset of the record that says
// so, and it stays fenced until a heartbeat shows that it has replayed that.
// Source: ClusterControlManager#registerBroker.
func (c *Controller) register(ctx *sim.Ctx, msg *kmsg.BrokerRegistrationRequest) *kmsg.BrokerRegistrationResponse {
	resp := kmsg.NewPtrBrokerRegistrationResponse()
	resp.BrokerEpoch = -1
	if msg.ClusterID != c.ClusterID {
		resp.ErrorCode = int16(kerror.InconsistentClusterId)
		return resp
	}
	rec := &metadata.RegisterBroker{
		BrokerID: msg.BrokerID, IncarnationID: msg.IncarnationID, BrokerEpoch: c.log.LogEndOffset(),
		Rack: msg.Rack, Fenced: true, LogDirs: msg.LogDirs,
	}
	for _, l := range msg.Listeners {
		rec.EndPoints = append(rec.EndPoints, metadata.EndPoint{Name: l.Name, Host: l.Host, Port: l.Port})
	}
	for _, f := range msg.Features {
		rec.Features = append(rec.Features, metadata.Feature{Name: f.Name, Min: f.MinSupportedVersion, Max: f.MaxSupportedVersion})
	}
	c.append(ctx, rec)
	ctx.Emit(trace.BrokerRegistered{Broker: msg.BrokerID, Epoch: rec.BrokerEpoch})
	resp.BrokerEpoch = rec.BrokerEpoch
	return resp
}

// heartbeat unfences a broker that has caught up with its own registration.
// Source: BrokerHeartbeatManager#calculateNextBrokerState.
func (c *Controller) heartbeat(ctx *sim.Ctx, msg *kmsg.BrokerHeartbeatRequest) *kmsg.BrokerHeartbeatResponse {
	resp := kmsg.NewPtrBrokerHeartbeatResponse()
	b := c.image.Brokers[msg.BrokerID]
	switch {
	case b == nil:
		resp.ErrorCode = int16(kerror.BrokerIdNotRegistered)
		return resp
	case b.Epoch != msg.BrokerEpoch:
		resp.ErrorCode = int16(kerror.StaleBrokerEpoch)
		return resp
	}
	resp.IsCaughtUp = msg.CurrentMetadataOffset >= b.Epoch
	if b.Fenced && !msg.WantFence && resp.IsCaughtUp {
		c.append(ctx, &metadata.BrokerRegistrationChange{BrokerID: b.ID, BrokerEpoch: b.Epoch, Fenced: -1})
		ctx.Emit(trace.BrokerUnfenced{Broker: b.ID})
	}
	resp.IsFenced = b.Fenced
	return resp
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
	default:
		resp.ErrorCode = int16(kerror.InvalidRequest)
		return resp
	}
	answer.SetVersion(inner.GetVersion())
	resp.ResponseData = sim.EncodeResponse(answer, correlation)
	return resp
}
