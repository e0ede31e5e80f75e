package broker

import (
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/sim"
)

// forwarding is a request that is with the controller: a client's, or one of
// this broker's own for topics that a client has named.
type forwarding struct {
	req      sim.Request
	own      bool
	creating []string
	verdicts []*verdict // of a change of configs, nil for what the controller answers
}

// forward passes a request that only the controller can serve on to it, whole,
// in an envelope, and the answer back (KIP-590, ForwardingManager).
func (b *Broker) forward(req sim.Request) { b.envelope(req.Msg, req.ClientID, forwarding{req: req}) }

func (b *Broker) envelope(msg kmsg.Request, clientID string, f forwarding) {
	env := kmsg.NewPtrEnvelopeRequest()
	env.RequestData = sim.EncodeRequest(msg, f.req.Correlation, clientID)
	env.ClientHostAddress = []byte{127, 0, 0, 1}
	b.forwards[b.ctx.Send(b.Controller, sim.ConnForwarding, env)] = f
}

// forwarded takes the controller's answer.
func (b *Broker) forwarded(ev sim.Response) {
	f, ok := b.forwards[ev.Correlation]
	if !ok {
		return
	}
	delete(b.forwards, ev.Correlation)
	if f.own {
		for _, topic := range f.creating {
			delete(b.creating, topic)
		}
		return
	}
	env := ev.Msg.(*kmsg.EnvelopeResponse)
	answer, _, err := sim.DecodeResponse(env.ResponseData, f.req.Key, f.req.Version)
	if err != nil {
		panic("broker: the controller's answer to " + string(f.req.From) + ": " + err.Error())
	}
	switch resp := answer.(type) {
	case *kmsg.IncrementalAlterConfigsResponse:
		answer = completeAltered(f.verdicts, resp)
	case *kmsg.AlterConfigsResponse:
		answer = completeAlteredOld(f.verdicts, resp)
	}
	b.reply(f.req.Origin, answer)
}
