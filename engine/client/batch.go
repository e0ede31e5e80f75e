package client

import (
	"kafkalab/engine/kerror"
	"kafkalab/engine/record"
	"kafkalab/engine/sim"
	"kafkalab/engine/trace"
)

// outBatch is a batch of a producer's, from its first record to its end
// (ProducerBatch).
type outBatch struct {
	topic     string
	partition int32
	builder   *record.Builder // while it is open
	bytes     record.Batch    // when it is closed
	ratio     float64         // estimated size of its records when compressed, as a share
	count     int
	created   sim.Time
	first     int64    // timestamp of its first record
	waits     sim.Time // since when it waits to be sent: its first record, or its newest failure
	sequence  int32    // of its first record, NoSequence until it is first sent
	sequenced bool
	retried   int // how often it was put back to be sent again
	resent    bool
	expired   bool       // given up after delivery.timeout.ms
	underWay  bool       // sent, and not answered
	done      bool       // it has its end
	calls     []*sending // the calls whose records are in it, one entry a record

	renumbered  bool  // its sequence is not the first that it had
	leaderEpoch int32 // newest of its partition's that it was to be sent in, -1 for none
	leaderMoved int   // value of retried when that changed

	// For views alone: nothing is decided by what follows.
	attempts int         // how often it was sent
	held     Hold        // what last kept it from being sent
	reason   string      // why it takes no more records
	closedAt sim.Time    // when it was closed
	base     int64       // its first offset, -1 until it is known
	code     kerror.Code // of its newest answer
	event    trace.ID    // that tells of it
}

func (b *outBatch) key() partitionKey { return partitionKey{b.topic, b.partition} }

func (b *outBatch) name() string { return partitionText(b.topic, b.partition) }

// partitionKey names a partition.
type partitionKey struct {
	topic     string
	partition int32
}

// compressionMargin is what Kafka adds to the estimated size of compressed
// records, lest the batch grow beyond batch.size
// (MemoryRecordsBuilder.COMPRESSION_RATE_ESTIMATION_FACTOR).
const compressionMargin = 1.05

// size is what the batch is reckoned to take, in bytes
// (ProducerBatch#estimatedSizeInBytes).
func (b *outBatch) size() int {
	switch {
	case b.builder == nil:
		return len(b.bytes)
	case b.ratio == 0:
		return b.builder.Size()
	}
	return record.HeaderSize + int(float64(b.builder.Size()-record.HeaderSize)*b.ratio*compressionMargin)
}

// full tells whether the batch takes no more records (MemoryRecordsBuilder#isFull).
func (b *outBatch) full(batchSize int) bool {
	return b.builder == nil || b.count > 0 && b.size() >= batchSize
}

// hasRoom tells whether a record still fits. The first always does: a record
// that is larger than batch.size has a batch of its own
// (MemoryRecordsBuilder#hasRoomFor).
func (b *outBatch) hasRoom(batchSize int, recordBytes int) bool {
	return !b.full(batchSize) && (b.count == 0 || b.size()+recordBytes <= batchSize)
}

// news takes the epoch of the leader that the batch is to be sent to
// (ProducerBatch#maybeUpdateLeaderEpoch).
func (b *outBatch) news(epoch int32) {
	if epoch > b.leaderEpoch {
		b.leaderEpoch, b.leaderMoved = epoch, b.retried
	}
}

// newLeader tells whether a batch that failed has found another leader since:
// it then does not wait for its back-off (KIP-951).
func (b *outBatch) newLeader() bool { return b.retried > 0 && b.retried == b.leaderMoved }
