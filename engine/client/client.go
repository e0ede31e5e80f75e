package client

import (
	"maps"
	"math"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkalab/engine/kerror"
	"kafkalab/engine/sim"
)

// Options of a client.
type Options struct {
	Bootstrap []sim.NodeID
	Name      func(broker int32) sim.NodeID
}

// Client is a node that serves calls, each a small state machine of its own.
type Client struct {
	Options
	calls    map[int64]call
	requests map[int32]pending // who waits for a response, by correlation id
	watching bool              // a timer for the first of their deadlines is set
	sticky   map[string]*sticky
	reached  map[sim.NodeID]bool // brokers to which a connection for produces is there
	knocks   int32               // connections asked for since the start
	// counts of produce batches since the start
	inFlight, acked, failed int
	lastError               kerror.Code
	latency                 int64 // ms, of the newest answer; -1 before it
}

// call is one call of an application's, from its start to its outcome.
type call interface {
	start(c *Client, ctx *sim.Ctx)
	answer(c *Client, ctx *sim.Ctx, ev sim.Response)
	// lost is a request that is not answered: its connection ended
	// (NETWORK_EXCEPTION) or its time is up (REQUEST_TIMED_OUT).
	lost(c *Client, ctx *sim.Ctx, corr int32, code kerror.Code)
	finished() bool
}

// pending is a request that waits for its answer.
type pending struct {
	call     call
	to       sim.NodeID
	conn     sim.Conn
	deadline sim.Time
}

// Time-outs of requests in ms. The broker itself answers a produce that takes
// longer than the client allows; the plain client lets it, and gives up when
// nothing comes.
const (
	requestTimeoutMs = 30000 // request.timeout.ms
	setupTimeoutMs   = 10000 // socket.connection.setup.timeout.ms
	graceMs          = 1000
)

// New makes a client.
func New(o Options) *Client {
	return &Client{Options: o, calls: map[int64]call{}, requests: map[int32]pending{}, sticky: map[string]*sticky{}, reached: map[sim.NodeID]bool{}, latency: -1}
}

// Handle implements sim.Node.
func (c *Client) Handle(ctx *sim.Ctx, ev sim.Event) {
	switch ev := ev.(type) {
	case sim.Call:
		k := ev.Body.(Starter).begin()
		c.calls[ev.ID] = k
		k.start(c, ctx)
	case sim.Response:
		if ev.Conn == sim.ConnClient {
			c.reached[ev.From] = true
		}
		if p, ok := c.requests[ev.Correlation]; ok {
			delete(c.requests, ev.Correlation)
			p.call.answer(c, ctx, ev)
		}
	case sim.Connected:
		c.connected(ctx, ev.Peer)
	case sim.Disconnected:
		if ev.Conn == sim.ConnClient {
			delete(c.reached, ev.Peer)
			for _, corr := range c.knocking(ev.Peer) {
				c.lose(ctx, corr, kerror.NetworkException)
			}
		}
		for _, corr := range ev.Correlations {
			c.lose(ctx, corr, kerror.NetworkException)
		}
	case sim.Timer:
		c.timeouts(ctx)
	}
}

func (c *Client) lose(ctx *sim.Ctx, corr int32, code kerror.Code) {
	if p, ok := c.requests[corr]; ok {
		delete(c.requests, corr)
		p.call.lost(c, ctx, corr, code)
	}
}

// timeouts ends the connections on which a request has waited too long, with
// all that was asked there.
func (c *Client) timeouts(ctx *sim.Ctx) {
	c.watching = false
	for _, corr := range slices.Sorted(maps.Keys(c.requests)) {
		late, waits := c.requests[corr]
		if !waits || late.deadline > ctx.Now() {
			continue
		}
		ctx.Close(late.to, late.conn)
		var all []int32
		for _, other := range slices.Sorted(maps.Keys(c.requests)) {
			if p := c.requests[other]; p.to == late.to && p.conn == late.conn {
				all = append(all, other)
			}
		}
		for _, other := range all {
			c.lose(ctx, other, kerror.RequestTimedOut)
		}
	}
	c.watch(ctx)
}

// watch sets a timer for the first deadline, if none is set.
func (c *Client) watch(ctx *sim.Ctx) {
	if c.watching || len(c.requests) == 0 {
		return
	}
	first := sim.Time(math.MaxInt64)
	// order: the smallest is the smallest in any
	for _, p := range c.requests {
		first = min(first, p.deadline)
	}
	c.watching = true
	ctx.SetPeriodic("timeout", first-ctx.Now())
}

// Starter is a call as its caller writes it: Produce, Consume, CreateTopic and
// so on. It is data and may be kept in a journal.
type Starter interface{ begin() call }

// Finished tells whether a call has its outcome.
func (c *Client) Finished(id int64) bool {
	k := c.calls[id]
	return k != nil && k.finished()
}

// Outcome gives a call's outcome and forgets the call: a *Produced, *Consumed
// or *Administered. Before it is finished, it tells what there is so far.
func (c *Client) Outcome(id int64) any {
	k := c.calls[id]
	if k != nil && k.finished() {
		delete(c.calls, id)
	}
	switch k := k.(type) {
	case *producing:
		return k.outcome()
	case *consuming:
		return &k.out
	case *administering:
		return &k.out
	}
	return nil
}

// Stats are what scripts ask of producer:app.
type Stats struct {
	InFlight, Acked, Failed int
	LastError               kerror.Code
	LatencyMs               int64 // of the newest answer, -1 before it
}

// Stats counts records since the start.
func (c *Client) Stats() Stats {
	return Stats{c.inFlight, c.acked, c.failed, c.lastError, c.latency}
}

// send sends a request over the connection on which others are under way, or
// over a new one: a client of one command at a time keeps none that is idle.
func (c *Client) send(ctx *sim.Ctx, k call, to sim.NodeID, conn sim.Conn, req kmsg.Request) int32 {
	if !c.underWay(to, conn) {
		ctx.Close(to, conn)
	}
	corr := ctx.Send(to, conn, req)
	c.requests[corr] = pending{k, to, conn, ctx.Now() + requestTimeoutMs + graceMs}
	c.watch(ctx)
	return corr
}

// bootstrap is the broker that is asked for metadata in the n-th attempt.
func (c *Client) bootstrap(n int) sim.NodeID { return c.Bootstrap[n%len(c.Bootstrap)] }

// askMetadata asks a bootstrap broker about one topic, another one at each
// attempt; the topic is not created by that.
func (c *Client) askMetadata(ctx *sim.Ctx, k call, topic string, attempt int) {
	req := kmsg.NewPtrMetadataRequest()
	req.Version = 13
	req.Topics = []kmsg.MetadataRequestTopic{}
	if topic != "" {
		t := kmsg.NewMetadataRequestTopic()
		t.Topic = &topic
		req.Topics = append(req.Topics, t)
	}
	c.send(ctx, k, c.bootstrap(attempt), sim.ConnBootstrap, req)
}

// route is what a client knows of a topic.
type route struct {
	id       [16]byte
	leaders  []int32 // by partition
	epochs   []int32
	brokers  []int32 // live, ascending
	replicas int     // of partition 0
}

// available lists the partitions that have a leader.
func (r route) available() []int32 {
	var list []int32
	for p, leader := range r.leaders {
		if leader >= 0 {
			list = append(list, int32(p))
		}
	}
	return list
}

// readMetadata takes the answer to askMetadata.
func readMetadata(msg *kmsg.MetadataResponse) (route, *kerror.Error) {
	var r route
	for i := range msg.Brokers {
		r.brokers = append(r.brokers, msg.Brokers[i].NodeID)
	}
	slices.Sort(r.brokers)
	if len(msg.Topics) == 0 {
		return r, nil
	}
	t := &msg.Topics[0]
	if t.ErrorCode != 0 {
		return r, &kerror.Error{Code: kerror.Code(t.ErrorCode)}
	}
	r.id = t.TopicID
	r.leaders, r.epochs = make([]int32, len(t.Partitions)), make([]int32, len(t.Partitions))
	for i := range t.Partitions {
		p := &t.Partitions[i]
		r.leaders[p.Partition], r.epochs[p.Partition] = p.Leader, p.LeaderEpoch
		if p.Partition == 0 {
			r.replicas = len(p.Replicas)
		}
	}
	return r, nil
}
