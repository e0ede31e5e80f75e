// Package client is what applications and operators use: a plain client that
// makes one call at a time and hears the broker's own answer, without the
// retries and queues of a producer; a stand-alone reader and an admin client
// are the same node under other names; and the producer that applications have.
//
// The producer is made as Kafka's is, of parts that know little of each other.
// From a record to its end:
//
//   - partitioner.go, sticky.go: which partition a record goes to
//     (BuiltInPartitioner).
//   - accumulator.go, batch.go, sizes.go: records become batches, a queue of
//     them for each partition; a request takes the first batch of each partition
//     that a broker leads (RecordAccumulator, ProducerBatch).
//   - sender.go, wake.go: a round of the sender thread: the producer id,
//     metadata, what is ready to be sent, what has taken too long (Sender). It is
//     run after each event, and a timer stands for the next that is due.
//   - delivery.go: requests and what comes of their batches: an offset, another
//     attempt, or an error (Sender, again).
//   - sequences.go: what keeps an idempotent producer's batches in order and
//     from being written twice (TransactionManager).
//   - metadata.go, leaders.go: what is known of brokers, topics and leaders, and
//     when to ask (Metadata, ProducerMetadata).
//   - network.go, connection.go, backoff.go: connections, what is under way on
//     each, and how long to wait before the next attempt (NetworkClient,
//     ClusterConnectionStates, InFlightRequests).
package client
