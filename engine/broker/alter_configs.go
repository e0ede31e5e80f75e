package broker

import (
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/sim"
)

// configChange is what a client asks for of one resource, in either of the two
// requests that change configs.
type configChange struct {
	kind kmsg.ConfigResourceType
	name string
	ops  []configOp
	old  bool // AlterConfigs: the ops are all that is set from now on
}

type configOp struct {
	name  string
	value *string
	op    kmsg.IncrementalAlterConfigOp
}

// verdict is what a broker says of a change itself: a refusal, or that it is
// done.
type verdict struct {
	kind kmsg.ConfigResourceType
	name string
	kerr *kerror.Error // nil: done
}

// alterConfigs takes operations on configs (KIP-339). What a broker can check
// it checks before the controller is asked: all changes of its own configs.
// Source: KafkaApis#handleIncrementalAlterConfigsRequest.
func (b *Broker) alterConfigs(req sim.Request, msg *kmsg.IncrementalAlterConfigsRequest) {
	changes := make([]configChange, len(msg.Resources))
	for i := range msg.Resources {
		r := &msg.Resources[i]
		changes[i] = configChange{kind: r.ResourceType, name: r.ResourceName}
		for _, c := range r.Configs {
			changes[i].ops = append(changes[i].ops, configOp{c.Name, c.Value, c.Op})
		}
	}
	verdicts := b.judge(changes)
	rest := *msg
	rest.Resources = nil
	for i, r := range msg.Resources {
		if verdicts[i] == nil {
			rest.Resources = append(rest.Resources, r)
		}
	}
	if len(rest.Resources) == 0 {
		b.reply(req.Origin, completeAltered(verdicts, kmsg.NewPtrIncrementalAlterConfigsResponse()))
		return
	}
	b.envelope(&rest, req.ClientID, forwarding{req: req, verdicts: verdicts})
}

// alterConfigsOld takes all configs that a resource is to have, in the place of
// those that it has: the request from before KIP-339.
// Source: KafkaApis#handleAlterConfigsRequest.
func (b *Broker) alterConfigsOld(req sim.Request, msg *kmsg.AlterConfigsRequest) {
	changes := make([]configChange, len(msg.Resources))
	for i := range msg.Resources {
		r := &msg.Resources[i]
		changes[i] = configChange{kind: r.ResourceType, name: r.ResourceName, old: true}
		for _, c := range r.Configs {
			changes[i].ops = append(changes[i].ops, configOp{c.Name, c.Value, kmsg.IncrementalAlterConfigOpSet})
		}
	}
	verdicts := b.judge(changes)
	rest := *msg
	rest.Resources = nil
	for i, r := range msg.Resources {
		if verdicts[i] == nil {
			rest.Resources = append(rest.Resources, r)
		}
	}
	if len(rest.Resources) == 0 {
		b.reply(req.Origin, completeAlteredOld(verdicts, kmsg.NewPtrAlterConfigsResponse()))
		return
	}
	b.envelope(&rest, req.ClientID, forwarding{req: req, verdicts: verdicts})
}

// completeAltered puts the resources of which the broker has spoken itself in
// their places between those of the controller
// (ConfigAdminManager#reassembleIncrementalResponse).
func completeAltered(verdicts []*verdict, resp *kmsg.IncrementalAlterConfigsResponse) *kmsg.IncrementalAlterConfigsResponse {
	rest := resp.Resources
	resp.Resources = nil
	for _, v := range verdicts {
		if v == nil && len(rest) > 0 {
			resp.Resources, rest = append(resp.Resources, rest[0]), rest[1:]
		}
		if v == nil {
			continue
		}
		out := kmsg.NewIncrementalAlterConfigsResponseResource()
		out.ResourceType, out.ResourceName = v.kind, v.name
		if v.kerr != nil {
			out.ErrorCode, out.ErrorMessage = int16(v.kerr.Code), text(v.kerr)
		}
		resp.Resources = append(resp.Resources, out)
	}
	return resp
}

// completeAlteredOld is the same for the old request.
func completeAlteredOld(verdicts []*verdict, resp *kmsg.AlterConfigsResponse) *kmsg.AlterConfigsResponse {
	rest := resp.Resources
	resp.Resources = nil
	for _, v := range verdicts {
		if v == nil && len(rest) > 0 {
			resp.Resources, rest = append(resp.Resources, rest[0]), rest[1:]
		}
		if v == nil {
			continue
		}
		out := kmsg.NewAlterConfigsResponseResource()
		out.ResourceType, out.ResourceName = v.kind, v.name
		if v.kerr != nil {
			out.ErrorCode, out.ErrorMessage = int16(v.kerr.Code), text(v.kerr)
		}
		resp.Resources = append(resp.Resources, out)
	}
	return resp
}
