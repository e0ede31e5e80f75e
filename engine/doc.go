// Package engine is a whole Kafka cluster in one value: brokers, a controller
// and clients, their disks, the messages between them, and the clock. This
// comment is the contract that everything under engine/ keeps.
//
// # One loop, virtual time
//
// Every node is a state machine (sim.Node) without goroutines, clocks or
// randomness of its own. One queue, ordered by time, holds what is to happen:
// messages that arrive, timers that run out, calls of users. It holds them as
// data. The clock jumps from one event to the next; handling takes no time.
// The same options and the same commands give the same events, the same bytes
// in every file, the same trace.
//
// A handler gets a sim.Ctx, through which it reads the time and its random
// streams, sends and answers, sets timers and emits trace events. It never
// blocks and never calls another node. What has to wait is a value in a table,
// such as a broker's purgatory, so that it can be shown and counted.
//
// # The wire is the bus
//
// Nodes exchange Kafka's own requests and responses, encoded on one side and
// decoded on the other. No memory that can change is shared: the records of a
// fetch's answer are slices of the bytes in the leader's log, and what is written
// there later goes elsewhere (disk.Slicer). Node packages do not import each
// other: a controller tells brokers of a topic by writing records to the metadata
// log, which they fetch.
//
// # Idle time costs nothing
//
// Followers and brokers poll for ever. Rounds that would change nothing are not
// run; sim.Rounds computes where in one a poll would be, so that the next thing
// that matters happens at the millisecond at which it would have happened, and
// what is seen after any command is the same. A test mode, Options.EveryRound,
// runs every round; a test holds the two against each other.
//
// # Going back
//
// A Timeline keeps the journal: options, and commands with the step at which
// each was cut off, if it was. That is the truth; any moment of the past is
// made again by running it. A step is one event of the loop after which
// something had been emitted. Acting in the past makes a branch; the future
// that was left stays reachable.
//
// # What users do and see
//
// A Command is data; Cluster.Do runs it and what it waits for. Kafka's errors
// are values in results, by Kafka's names; Go errors are for misuse and broken
// disks. Path and Expr read any number by name, Reader gives screens a copy of
// the state and windows into logs, and every decision worth knowing is a typed
// event of package trace with the event that caused it.
//
// What is exact, simplified or absent stands in package fidelity, each row with
// the test that holds it.
package engine
