package client

import (
	"slices"

	"kafkalab/engine/sim"
)

func (c *Client) underWay(to sim.NodeID, conn sim.Conn) bool {
	// order: only asks whether there is one
	for _, p := range c.requests {
		if p.to == to && p.conn == conn {
			return true
		}
	}
	return false
}

// knock asks for a connection to a broker, for a produce that will get no answer
// and so must not be sent to nobody. It is booked like a request, under a
// negative number.
func (c *Client) knock(ctx *sim.Ctx, k call, to sim.NodeID) int32 {
	if len(c.knocking(to)) == 0 {
		ctx.Connect(to, sim.ConnClient)
	}
	c.knocks++
	c.requests[-c.knocks] = pending{k, to, sim.ConnClient, ctx.Now() + setupTimeoutMs}
	c.watch(ctx)
	return -c.knocks
}

// knocking lists what waits for a connection to a broker, the oldest first.
func (c *Client) knocking(to sim.NodeID) []int32 {
	var list []int32
	// order: sorted below
	for corr, p := range c.requests {
		if corr < 0 && p.to == to {
			list = append(list, corr)
		}
	}
	slices.Sort(list)
	slices.Reverse(list)
	return list
}

// connected sends what has waited for a connection.
func (c *Client) connected(ctx *sim.Ctx, to sim.NodeID) {
	c.reached[to] = true
	for _, corr := range c.knocking(to) {
		p := c.requests[corr]
		delete(c.requests, corr)
		if k, ok := p.call.(*producing); ok {
			k.reached(c, ctx, corr)
		}
	}
}
