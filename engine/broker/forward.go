package broker

import (
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/sim"
)

// forward passes a request that only the controller can serve on to it, whole,
// in an envelope, and the answer back (KIP-590, ForwardingManager).
func (b *Broker) forward(req sim.Request) {
	env := kmsg.NewPtrEnvelopeRequest()
	env.RequestData = sim.EncodeRequest(req.Msg, req.Correlation, req.ClientID)
	env.ClientHostAddress = []byte{127, 0, 0, 1}
	corr := b.ctx.Send(b.Controller, sim.ConnForwarding, env)
	b.forwards[corr] = req
}

func (b *Broker) forwarded(ev sim.Response) {
	req, ok := b.forwards[ev.Correlation]
	if !ok {
		return
	}
	delete(b.forwards, ev.Correlation)
	env := ev.Msg.(*kmsg.EnvelopeResponse)
	answer, _, err := sim.DecodeResponse(env.ResponseData, req.Key, req.Version)
	if err != nil {
		panic("broker: the controller's answer to " + string(req.From) + ": " + err.Error())
	}
	b.reply(req.Origin, answer)
}
