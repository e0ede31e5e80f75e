package broker

import (
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/sim"
)

// channel is one connection to this broker. Kafka answers the requests of a
// connection one at a time, in order: while one is being handled, or waits in
// a purgatory, the next is not even read (SocketServer mutes the channel).
type channel struct {
	busy  bool
	queue []sim.Request
}

type channelKey struct {
	from       sim.NodeID
	conn       sim.Conn
	connection uint64 // one that was broken off and its successor are two channels
}

func channelOf(o sim.Origin) channelKey { return channelKey{o.From, o.Conn, o.Connection()} }

func (b *Broker) channel(o sim.Origin) *channel {
	key := channelOf(o)
	ch := b.channels[key]
	if ch == nil {
		ch = &channel{}
		b.channels[key] = ch
	}
	return ch
}

// receive takes a request in, or leaves it in its channel until the one before
// it has been answered.
func (b *Broker) receive(req sim.Request) {
	ch := b.channel(req.Origin)
	if req.Conn == sim.ConnFetcher {
		// A fetcher asks anew only when it has its answer. If its last fetch is
		// still parked here, the rounds between were skipped and its answer was
		// empty.
		b.dropParked(req.Origin)
		ch.busy = false
	}
	if ch.busy {
		ch.queue = append(ch.queue, req)
		return
	}
	ch.busy = true
	b.dispatch(req)
}

// reply answers a request and makes way for the next on its connection.
func (b *Broker) reply(to sim.Origin, resp kmsg.Response) {
	if to.Conn == sim.ConnSocket {
		b.advertise(resp)
	}
	b.ctx.Reply(to, resp)
	b.release(to)
}

// release lets the next request of a connection in, after one that was
// answered, or that gets no answer.
func (b *Broker) release(o sim.Origin) {
	ch := b.channels[channelOf(o)]
	if ch == nil {
		return // closed meanwhile
	}
	ch.busy = false
	if len(ch.queue) == 0 {
		return
	}
	ch.busy = true
	b.ready = append(b.ready, ch.queue[0])
	ch.queue = slices.Delete(ch.queue, 0, 1)
}

// drain handles the requests that were let in during this event.
func (b *Broker) drain() {
	for len(b.ready) > 0 {
		req := b.ready[0]
		b.ready = slices.Delete(b.ready, 0, 1)
		b.ctx.CausedBy(req.Origin)
		b.dispatch(req)
	}
}
