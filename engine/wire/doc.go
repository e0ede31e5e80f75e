// Package wire is the edge between a cluster and programs outside: listeners,
// connections, and the pump that ties virtual time to the wall clock. It is the
// only place under engine/ with goroutines and a clock.
//
// # Who owns what
//
// One goroutine, the pump, owns the cluster. A connection has one goroutine of
// its own, which does what Kafka's SocketServer does with a channel: it reads a
// request, hands it over, waits until the request has been dealt with, writes
// the answer, and only then reads the next. A connection thus holds one request
// or one answer, never more; what a client sends ahead waits in the kernel.
// Requests go to the pump through one bounded channel, so that a busy pump slows
// its clients down instead of filling memory; answers go back through a channel
// of the connection, which by the rule above has room for the only one.
//
// # Time
//
// When a request arrives, and when the next event is due, the pump runs the
// loop up to the present millisecond; in between it sleeps. Nothing polls.
//
// Inside the process a message takes 1 ms where time is for looking at, in
// lessons and scripts. A produce with acks=all needs two such messages between
// leader and follower before it can be answered, so a real client would wait
// 2 ms for each, whatever the machine can do; and letting virtual time run ahead
// of the clock to make up for it would date records into the future, without
// bound under load. So a cluster that serves programs outside has links without
// latency: what follows from a request happens at the instant of its arrival, in
// one turn of the pump, in the order that the queue's ranks give; what takes time
// is the work itself. Links that a script has slowed stay slow, in real
// milliseconds.
//
// # Bytes
//
// Records are copied once on their way: from a request's buffer, which is then
// used for the next, into the leader's log. Followers' logs and the answers to
// consumers have slices of that log's memory, whose bytes never change; an
// answer is written to its socket from where they lie.
//
// # Harm
//
// Whatever a peer sends or does not send costs it its own connection only. A
// length that is not possible closes it; a frame's buffer grows with what has
// arrived, not with what was promised; who neither sends nor reads is closed
// when its time is up; and when requests and answers together take more memory
// than they may, the transfer that has taken longest is ended.
//
// # A cluster that somebody else has
//
// The lab owns its clusters, and has no goroutine to spare: it opens them with a
// Door, which does what the pump does when it is told to. Links keep their
// latency there, for a learner to see the messages; a client waits some
// milliseconds longer.
package wire
