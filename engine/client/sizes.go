package client

import (
	"math"
	"math/bits"

	"kafkalab/engine/record"
)

// varint is how many bytes a number takes in a record (ByteUtils#sizeOfVarlong).
func varint(n int64) int {
	zigzag := uint64(n)<<1 ^ uint64(n>>63)
	return (bits.Len64(zigzag|1) + 6) / 7
}

func sized(b []byte) int {
	if b == nil {
		return varint(-1)
	}
	return varint(int64(len(b))) + len(b)
}

// contentSize is what key, value and headers take in a record.
func contentSize(key, value []byte, headers []record.Header) int {
	n := sized(key) + sized(value) + varint(int64(len(headers)))
	for _, h := range headers {
		n += sized([]byte(h.Key)) + sized(h.Value)
	}
	return n
}

// recordSize is what a record takes in a batch (DefaultRecord#sizeInBytes).
func recordSize(offsetDelta int, timestampDelta int64, key, value []byte, headers []record.Header) int {
	body := 1 + varint(int64(offsetDelta)) + varint(timestampDelta) + contentSize(key, value, headers)
	return varint(int64(body)) + body
}

// recordOverhead is what a record takes at most beside its content
// (DefaultRecord.MAX_RECORD_OVERHEAD).
const recordOverhead = 21

// serializedSize is what a record takes at most when it is alone in its batch,
// which is what max.request.size is held against
// (AbstractRecords#estimateSizeInBytesUpperBound).
func serializedSize(key, value []byte, headers []record.Header) int {
	return record.HeaderSize + recordOverhead + contentSize(key, value, headers)
}

// ratioKey names an estimate: what a topic's records compress to with a codec.
type ratioKey struct {
	topic string
	codec record.Codec
}

// ratios are a producer's estimates of how well records compress: quick to
// rise, slow to fall, so that batches seldom get too large
// (CompressionRatioEstimator).
type ratios map[ratioKey]float64

const (
	ratioImproves = 0.005
	ratioWorsens  = 0.05
)

func (r ratios) estimate(k ratioKey) float64 {
	if k.codec == 0 {
		return 0
	}
	if v, ok := r[k]; ok {
		return v
	}
	return 1
}

func (r ratios) observe(k ratioKey, observed float64) {
	if k.codec == 0 || math.IsNaN(observed) {
		return
	}
	now := r.estimate(k)
	if observed > now {
		r[k] = max(now+ratioWorsens, observed)
	} else {
		r[k] = max(now-ratioImproves, observed)
	}
}
