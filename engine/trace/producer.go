package trace

import "fmt"

// ProducerIDGranted is the id under which a producer numbers its batches.
type ProducerIDGranted struct {
	ID    int64 `json:"producer_id"`
	Epoch int16 `json:"epoch"`
}

func (p ProducerIDGranted) Line() string {
	return fmt.Sprintf("gets producer id %d, epoch %d", p.ID, p.Epoch)
}

// ProducerEpochBumped is a producer that begins a partition's sequences anew,
// because there is a gap in them (KIP-360).
type ProducerEpochBumped struct {
	ID        int64  `json:"producer_id"`
	Epoch     int16  `json:"epoch"`
	Partition string `json:"partition"`
}

func (p ProducerEpochBumped) Line() string {
	return fmt.Sprintf("raises its epoch to %d and begins %s at sequence 0", p.Epoch, p.Partition)
}

// BatchClosed is a batch to which the producer adds no more records.
type BatchClosed struct {
	Partition string `json:"partition"`
	Records   int    `json:"records"`
	Bytes     int    `json:"bytes"`
	Reason    string `json:"reason"` // full, linger, count, along, or what it waited for longer: connection, leader, in flight, ...
	AgeMs     int64  `json:"age_ms"`
}

func (b BatchClosed) Line() string {
	return fmt.Sprintf("closes a batch for %s: %s, %d B, after %d ms (%s)", b.Partition, plural(b.Records, "record"), b.Bytes, b.AgeMs, b.Reason)
}

// BatchSent is a batch on its way to the leader.
type BatchSent struct {
	Partition string `json:"partition"`
	Leader    int32  `json:"leader"`
	Records   int    `json:"records"`
	Sequence  int32  `json:"sequence"` // of its first record, -1 without idempotence
	Attempt   int    `json:"attempt"`  // from 1
}

func (b BatchSent) Line() string {
	s := fmt.Sprintf("sends %s for %s to broker-%d", plural(b.Records, "record"), b.Partition, b.Leader)
	if b.Sequence >= 0 {
		s += fmt.Sprintf(", sequence %d", b.Sequence)
	}
	if b.Attempt > 1 {
		s += fmt.Sprintf(", attempt %d", b.Attempt)
	}
	return s
}

// BatchRetried is a batch that will be sent again.
type BatchRetried struct {
	Partition string `json:"partition"`
	Error     string `json:"error"`
	BackoffMs int64  `json:"backoff_ms"`
}

func (b BatchRetried) Line() string {
	return fmt.Sprintf("will send the batch for %s again in %d ms: %s", b.Partition, b.BackoffMs, b.Error)
}

// BatchDone is a batch whose records have their offsets, or will never have.
type BatchDone struct {
	Partition string `json:"partition"`
	Records   int    `json:"records"`
	Base      int64  `json:"base"`  // first offset, -1 when it failed
	Error     string `json:"error"` // NONE when it was written
	AgeMs     int64  `json:"age_ms"`
}

func (b BatchDone) Line() string {
	if b.Error != "NONE" {
		return fmt.Sprintf("gives up %s for %s after %d ms: %s", plural(b.Records, "record"), b.Partition, b.AgeMs, b.Error)
	}
	if b.Base < 0 {
		return fmt.Sprintf("has sent %s to %s and hears no more of it, after %d ms", plural(b.Records, "record"), b.Partition, b.AgeMs)
	}
	return fmt.Sprintf("has %s in %s from offset %d on, after %d ms", plural(b.Records, "record"), b.Partition, b.Base, b.AgeMs)
}
