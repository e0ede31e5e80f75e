package broker

import (
	"strconv"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/metadata"
	"kafkalab/engine/sim"
)

// forwarding is a client's request that is with the controller.
type forwarding struct {
	req sim.Request
	// refused are the resources of an IncrementalAlterConfigs that the broker
	// has answered itself, by their place in the request.
	refused map[int]kmsg.IncrementalAlterConfigsResponseResource
}

// forward passes a request that only the controller can serve on to it, whole,
// in an envelope, and the answer back (KIP-590, ForwardingManager).
func (b *Broker) forward(req sim.Request) {
	f := forwarding{req: req}
	if msg, ok := req.Msg.(*kmsg.IncrementalAlterConfigsRequest); ok {
		if f.refused = b.refuseConfigs(msg); len(msg.Resources) == 0 && len(f.refused) > 0 {
			b.reply(req.Origin, f.complete(kmsg.NewPtrIncrementalAlterConfigsResponse()))
			return
		}
	}
	env := kmsg.NewPtrEnvelopeRequest()
	env.RequestData = sim.EncodeRequest(req.Msg, req.Correlation, req.ClientID)
	env.ClientHostAddress = []byte{127, 0, 0, 1}
	corr := b.ctx.Send(b.Controller, sim.ConnForwarding, env)
	b.forwards[corr] = f
}

// refuseConfigs takes out of a request what a broker refuses before it asks
// the controller: changes of another broker's configs
// (ConfigAdminManager#preprocess).
func (b *Broker) refuseConfigs(msg *kmsg.IncrementalAlterConfigsRequest) map[int]kmsg.IncrementalAlterConfigsResponseResource {
	refused := map[int]kmsg.IncrementalAlterConfigsResponseResource{}
	kept := msg.Resources[:0:0]
	for i, r := range msg.Resources {
		kerr := b.checkBrokerResource(&r)
		if kerr == nil {
			kept = append(kept, r)
			continue
		}
		out := kmsg.NewIncrementalAlterConfigsResponseResource()
		out.ResourceType, out.ResourceName = r.ResourceType, r.ResourceName
		out.ErrorCode, out.ErrorMessage = int16(kerr.Code), text(kerr)
		refused[i] = out
	}
	msg.Resources = kept
	return refused
}

func (b *Broker) checkBrokerResource(r *kmsg.IncrementalAlterConfigsRequestResource) *kerror.Error {
	if int8(r.ResourceType) != metadata.ResourceBroker || r.ResourceName == "" {
		return nil
	}
	id, err := strconv.ParseInt(r.ResourceName, 10, 32)
	if err != nil {
		return kerror.New(kerror.InvalidRequest, "Node id must be an integer, but it is: %s", r.ResourceName)
	}
	if int32(id) != b.ID {
		return kerror.New(kerror.InvalidRequest, "Unexpected broker id, expected %d, but received %s", b.ID, r.ResourceName)
	}
	return nil
}

// complete puts the resources that the broker refused back in their places.
func (f *forwarding) complete(answer kmsg.Response) kmsg.Response {
	resp, ok := answer.(*kmsg.IncrementalAlterConfigsResponse)
	if !ok || len(f.refused) == 0 {
		return answer
	}
	rest := resp.Resources
	resp.Resources = nil
	for i := range len(rest) + len(f.refused) {
		if r, own := f.refused[i]; own {
			resp.Resources = append(resp.Resources, r)
			continue
		}
		resp.Resources = append(resp.Resources, rest[0])
		rest = rest[1:]
	}
	return resp
}

func (b *Broker) forwarded(ev sim.Response) {
	f, ok := b.forwards[ev.Correlation]
	if !ok {
		return
	}
	delete(b.forwards, ev.Correlation)
	env := ev.Msg.(*kmsg.EnvelopeResponse)
	answer, _, err := sim.DecodeResponse(env.ResponseData, f.req.Key, f.req.Version)
	if err != nil {
		panic("broker: the controller's answer to " + string(f.req.From) + ": " + err.Error())
	}
	b.reply(f.req.Origin, f.complete(answer))
}
