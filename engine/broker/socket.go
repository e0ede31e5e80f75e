package broker

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/sim"
)

// What is special about requests that come from programs outside: anything may
// be in them. A node of the cluster never sends what another cannot read.

// readable tells whether a request can be served. One that cannot ends its
// connection without an answer, as nothing sensible could be said in a version
// that is not known; a question for the versions themselves is answered in the
// oldest, whatever its own is.
// Source: SocketServer#parseRequestHeader, RequestContext#parseRequest, KIP-511.
func (b *Broker) readable(req sim.Request) bool {
	low, high, known := servedVersions(req.Key)
	switch {
	case req.Key == apiVersionsKey && (req.Version < low || req.Version > high):
		b.answerInOldest(req.Origin)
	case !known:
		b.hangUp(req.Origin, fmt.Sprintf("Received request api key %s which is not enabled", apiText(req.Key)))
	case req.Version < low || req.Version > high:
		b.hangUp(req.Origin, fmt.Sprintf("Received request api key %s with version %d which is not enabled", apiText(req.Key), req.Version))
	case req.Err != nil:
		b.hangUp(req.Origin, fmt.Sprintf("Error getting request for apiKey: %s, apiVersion: %d: %v", apiText(req.Key), req.Version, req.Err))
	default:
		return true
	}
	return false
}

const apiVersionsKey = 18

func servedVersions(key int16) (low, high int16, known bool) {
	i := slices.IndexFunc(served, func(s struct{ key, min, max int16 }) bool { return s.key == key })
	if i < 0 {
		return 0, 0, false
	}
	return served[i].min, served[i].max, true
}

// apiText is a request's name, or its number where it has none.
func apiText(key int16) string {
	if kmsg.RequestForKey(key) == nil {
		return fmt.Sprint(key)
	}
	return sim.APIName(key)
}

// answerInOldest tells a client which versions of ApiVersions there are, in
// version 0 (ApiVersionsRequest#getErrorResponse).
func (b *Broker) answerInOldest(o sim.Origin) {
	low, high, _ := servedVersions(apiVersionsKey)
	resp := kmsg.NewPtrApiVersionsResponse()
	resp.ErrorCode = int16(kerror.UnsupportedVersion)
	k := kmsg.NewApiVersionsResponseApiKey()
	k.ApiKey, k.MinVersion, k.MaxVersion = apiVersionsKey, low, high
	resp.ApiKeys = append(resp.ApiKeys, k)
	o.Version = 0
	b.reply(o, resp)
}

// hangUp closes a connection from this side; what its client had sent beyond
// the request is not read.
func (b *Broker) hangUp(o sim.Origin, why string) {
	b.ctx.Hangup(o, why)
	delete(b.channels, channelOf(o))
}

// noAnswer ends a produce with acks=0. One that failed cannot be told to its
// client but by closing the connection, after which it asks for metadata anew
// (KafkaApis#handleProduceRequest).
func (b *Broker) noAnswer(o sim.Origin, failed bool) {
	if failed && o.Conn == sim.ConnSocket {
		b.hangUp(o, "a produce with acks=0 failed")
		return
	}
	b.ctx.NoAnswer(o)
	b.release(o)
}

// closed forgets a connection that its client has closed: what waits for it
// here would be answered to nobody. Records that it produced stay.
func (b *Broker) closed(ev sim.ConnectionClosed) {
	o := sim.Origin{From: ev.From, Conn: sim.ConnSocket}
	b.dropParked(o)
	b.produces = slices.DeleteFunc(b.produces, func(d *delayedProduce) bool {
		if d.origin.From != o.From || d.origin.Conn != o.Conn {
			return false
		}
		b.ctx.CancelTimer("produce/" + strconv.FormatInt(d.id, 10))
		return true
	})
	delete(b.channels, channelOf(o))
}
