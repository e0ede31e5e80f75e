package storage

import (
	"math"

	"kafkalab/engine/record"
)

// Config is what a log needs of a topic's settings, by Kafka's names
// (org.apache.kafka.storage.internals.log.LogConfig). Times are ms, sizes
// bytes.
type Config struct {
	SegmentBytes       int32 // segment.bytes, or internal.segment.bytes, which has no lower bound
	SegmentMs          int64 // segment.ms
	SegmentJitterMs    int64 // segment.jitter.ms
	SegmentIndexBytes  int32 // segment.index.bytes, the most that either index of a segment may hold
	IndexIntervalBytes int32 // index.interval.bytes

	MaxMessageBytes             int32 // max.message.bytes: of a whole batch
	MaxDecompressedMessageBytes int32 // max.decompressed.message.bytes: of a record in a compressed batch

	RetentionMs       int64 // retention.ms, -1 for ever
	RetentionBytes    int64 // retention.bytes, -1 for no limit
	FileDeleteDelayMs int64 // file.delete.delay.ms

	FlushMessages int64 // flush.messages
	FlushMs       int64 // flush.ms

	Compact, Delete        bool    // cleanup.policy
	MinCompactionLagMs     int64   // min.compaction.lag.ms
	MaxCompactionLagMs     int64   // max.compaction.lag.ms
	MinCleanableDirtyRatio float64 // min.cleanable.dirty.ratio, 0 to 1
	DeleteRetentionMs      int64   // delete.retention.ms

	TimestampType        record.TimestampType // message.timestamp.type
	TimestampBeforeMaxMs int64                // message.timestamp.before.max.ms
	TimestampAfterMaxMs  int64                // message.timestamp.after.max.ms

	CompressionType string // compression.type: producer, uncompressed, gzip, snappy, lz4 or zstd
	Preallocate     bool   // preallocate: carried for a description; files are never preallocated here
}

// DefaultConfig is Kafka 4.4's.
func DefaultConfig() Config {
	return Config{
		SegmentBytes:                1 << 30,
		SegmentMs:                   7 * 24 * 3600 * 1000,
		SegmentIndexBytes:           10 << 20,
		IndexIntervalBytes:          4096,
		MaxMessageBytes:             1048588,
		MaxDecompressedMessageBytes: 2147483639,
		RetentionMs:                 7 * 24 * 3600 * 1000,
		RetentionBytes:              -1,
		FileDeleteDelayMs:           60000,
		FlushMessages:               math.MaxInt64,
		FlushMs:                     math.MaxInt64,
		Delete:                      true,
		MaxCompactionLagMs:          math.MaxInt64,
		MinCleanableDirtyRatio:      0.5,
		DeleteRetentionMs:           24 * 3600 * 1000,
		TimestampBeforeMaxMs:        math.MaxInt64,
		TimestampAfterMaxMs:         3600 * 1000,
		CompressionType:             "producer",
	}
}

// maxSegmentMs is the age in record time at which a segment is rolled. On a
// compacted topic max.compaction.lag.ms counts too, because the cleaner never
// touches the active segment (LogConfig#maxSegmentMs).
func (c *Config) maxSegmentMs() int64 {
	if c.Compact && c.MaxCompactionLagMs > 0 {
		return min(c.MaxCompactionLagMs, c.SegmentMs)
	}
	return c.SegmentMs
}

// jitterMs takes a random int32 to what is subtracted from the age, so that
// the segments of many partitions do not roll in the same moment
// (LogConfig#randomSegmentJitter).
func (c *Config) jitterMs(draw func() int32) int64 {
	limit := min(c.SegmentJitterMs, c.SegmentMs)
	if limit <= 0 || draw == nil {
		return 0
	}
	n := int64(draw())
	if n < 0 {
		n = -n
	}
	if n > math.MaxInt32 { // Utils.abs of Integer.MIN_VALUE
		n = 0
	}
	return n % limit
}

// maxIndexEntries is how many entries of a size fit into segment.index.bytes.
func (c *Config) maxIndexEntries(entrySize int) int { return int(c.SegmentIndexBytes) / entrySize }
