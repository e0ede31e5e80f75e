package record

import "fmt"

// Codec is how the records of a batch are compressed: bits 0 to 2 of the
// attributes (Kafka: CompressionType).
type Codec int8

// The codecs, by the numbers Kafka stores.
const (
	None   Codec = 0
	Gzip   Codec = 1
	Snappy Codec = 2
	LZ4    Codec = 3
	Zstd   Codec = 4
)

var codecNames = [...]string{"none", "gzip", "snappy", "lz4", "zstd"}

// String is the name of the codec in Kafka's configs and tools.
func (c Codec) String() string {
	if c.Known() {
		return codecNames[c]
	}
	return fmt.Sprintf("unknown(%d)", int8(c))
}

// Known tells whether Kafka has a codec of this number; 5 to 7 are free.
func (c Codec) Known() bool { return c >= None && c <= Zstd }

// ParseCodec finds a codec by its name in Kafka's configs.
func ParseCodec(name string) (Codec, error) {
	for i, n := range codecNames {
		if n == name {
			return Codec(i), nil
		}
	}
	return None, fmt.Errorf("no codec %q: none, gzip, snappy, lz4 or zstd", name)
}

// TimestampType tells who set the records' timestamps: bit 3 of the attributes.
type TimestampType int8

const (
	// CreateTime is the time the producer gave each record.
	CreateTime TimestampType = 0
	// LogAppendTime is the leader's clock at the append: one time for all
	// records of a batch, kept as its max timestamp.
	LogAppendTime TimestampType = 1
)

// String is the name Kafka's tools print (TimestampType).
func (t TimestampType) String() string {
	if t == LogAppendTime {
		return "LogAppendTime"
	}
	return "CreateTime"
}
