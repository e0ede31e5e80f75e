package record

import (
	"encoding/binary"
	"fmt"
	"math"
)

// maxBuilt leaves room, below the largest length field, for records that
// compression makes larger.
const maxBuilt = math.MaxInt32 - 1<<24

// Options are what a batch is made with. Start from Defaults: the zero value
// is a batch of producer 0 with epoch 0, sequence 0 and leader epoch 0.
type Options struct {
	BaseOffset       int64
	Codec            Codec
	Level            int // of the codec; 0 is Kafka's default for it
	TimestampType    TimestampType
	LogAppendTime    int64 // ms, the max timestamp under LogAppendTime
	ProducerID       int64
	ProducerEpoch    int16
	BaseSequence     int32
	LeaderEpoch      int32
	Transactional    bool
	Control          bool
	DeleteHorizon    int64 // ms, becomes the base timestamp
	HasDeleteHorizon bool  // DeleteHorizon is set
}

// Defaults are the options of a plain batch: no compression, the producer's
// time, no producer id, no leader epoch.
func Defaults() Options {
	return Options{
		LogAppendTime: NoTimestamp,
		ProducerID:    NoProducerID,
		ProducerEpoch: NoProducerEpoch,
		BaseSequence:  NoSequence,
		LeaderEpoch:   NoLeaderEpoch,
	}
}

// flags are the attributes that the options make.
func (o *Options) flags() uint16 {
	flags := uint16(o.Codec) & codecMask
	if o.TimestampType == LogAppendTime {
		flags |= timestampTypeBit
	}
	if o.Transactional {
		flags |= transactionalBit
	}
	if o.Control {
		flags |= controlBit
	}
	if o.HasDeleteHorizon {
		flags |= deleteHorizonBit
	}
	return flags
}

// Builder makes one batch, byte for byte as Kafka does when it is not
// compressed (MemoryRecordsBuilder). Append, then Build.
type Builder struct {
	opts          Options
	buf           []byte // room for the header, then the records, not compressed
	packed        []byte // the same, compressed
	count         int32
	baseTimestamp int64
	maxTimestamp  int64
	lastOffset    int64
}

// NewBuilder starts a batch.
func NewBuilder(opts Options) *Builder {
	b := &Builder{}
	b.Reset(opts)
	return b
}

// Reset starts another batch in the same memory. What Build returned before is
// not valid any more.
func (b *Builder) Reset(opts Options) {
	if b.buf == nil {
		b.buf = make([]byte, HeaderSize, 512)
	}
	*b = Builder{
		opts: opts, buf: b.buf[:HeaderSize], packed: b.packed,
		baseTimestamp: NoTimestamp, maxTimestamp: NoTimestamp,
		lastOffset: opts.BaseOffset - 1,
	}
	if opts.HasDeleteHorizon {
		b.baseTimestamp = opts.DeleteHorizon
	}
}

// NextOffset is the offset that the next record gets.
func (b *Builder) NextOffset() int64 { return b.lastOffset + 1 }

// Count is the number of records appended.
func (b *Builder) Count() int { return int(b.count) }

// Size is the size in bytes of the batch if it were built now without
// compression.
func (b *Builder) Size() int { return len(b.buf) }

// Append adds a record at the next offset, with a timestamp in ms, and returns
// the offset. Nil key and value are null.
func (b *Builder) Append(timestamp int64, key, value []byte, headers ...Header) (int64, error) {
	offset := b.NextOffset()
	return offset, b.AppendAt(offset, timestamp, key, value, headers)
}

// AppendAt adds a record at an offset beyond the last one. A compacted batch
// has gaps. It fails, and adds nothing, when the offset does not grow or lies
// too far from the base, the timestamp is negative and not NoTimestamp, the
// batch grows beyond what its length field can tell, or the options name a codec
// or a level that Kafka does not have.
func (b *Builder) AppendAt(offset, timestamp int64, key, value []byte, headers []Header) error {
	if b.count == 0 {
		if err := CheckLevel(b.opts.Codec, b.opts.Level); err != nil {
			return err
		}
	}
	if offset < b.NextOffset() {
		return fmt.Errorf("offset %d after offset %d: offsets must grow", offset, b.lastOffset)
	}
	delta := offset - b.opts.BaseOffset
	if delta < 0 || delta > math.MaxInt32 {
		return fmt.Errorf("offset %d too far from base offset %d: at most 2147483647", offset, b.opts.BaseOffset)
	}
	if timestamp < 0 && timestamp != NoTimestamp {
		return fmt.Errorf("timestamp %d: at least 0, or %d for none", timestamp, NoTimestamp)
	}
	if b.count == 0 && !b.opts.HasDeleteHorizon {
		b.baseTimestamp = timestamp
	}
	body := bodySize(delta, timestamp-b.baseTimestamp, key, value, headers)
	if body > maxBuilt-len(b.buf) {
		return fmt.Errorf("record of %d bytes in a batch of %d: at most %d together", body, len(b.buf), maxBuilt)
	}
	b.encode(body, delta, timestamp-b.baseTimestamp, key, value, headers)
	b.count++
	b.lastOffset = offset
	b.maxTimestamp = max(b.maxTimestamp, timestamp)
	return nil
}

// AppendView copies a record of another batch, offset and time included.
func (b *Builder) AppendView(v View) error {
	return b.AppendAt(v.Offset, v.Timestamp, v.Key, v.Value, v.Headers())
}

// OverrideLastOffset makes the batch end at an offset beyond its last record.
// Compaction keeps the end of a batch, and with it the producer's last
// sequence number, when it takes the last record.
func (b *Builder) OverrideLastOffset(offset int64) { b.lastOffset = offset }

// Build finishes the batch, which is the builder's memory until the next Reset.
// Without records there is no batch: it is nil then.
func (b *Builder) Build() Batch {
	if b.count == 0 {
		return nil
	}
	batch := Batch(b.buf)
	if b.opts.Codec != None {
		b.packed = append(b.packed[:0], b.buf[:HeaderSize]...)
		b.packed = compress(b.packed, b.opts.Codec, b.opts.Level, b.buf[HeaderSize:])
		batch = b.packed
	}
	maxTimestamp := b.maxTimestamp
	if b.opts.TimestampType == LogAppendTime {
		maxTimestamp = b.opts.LogAppendTime
	}
	writeHeader(batch, &b.opts, b.lastOffset, b.baseTimestamp, maxTimestamp, b.count)
	return batch[:len(batch):len(batch)]
}

// bodySize is the size of a record after its length field.
func bodySize(offsetDelta, timestampDelta int64, key, value []byte, headers []Header) int {
	size := 1 + VarintSize(timestampDelta) + VarintSize(offsetDelta) +
		bytesSize(key) + bytesSize(value) + VarintSize(int64(len(headers)))
	for i := range headers {
		n := len(headers[i].Key)
		size += VarintSize(int64(n)) + n + bytesSize(headers[i].Value)
	}
	return size
}

// encode appends one record.
func (b *Builder) encode(size int, offsetDelta, timestampDelta int64, key, value []byte, headers []Header) {
	buf := AppendVarint(b.buf, int64(size))
	buf = append(buf, 0) // attributes
	buf = AppendVarint(buf, timestampDelta)
	buf = AppendVarint(buf, offsetDelta)
	buf = appendBytes(buf, key)
	buf = appendBytes(buf, value)
	buf = AppendVarint(buf, int64(len(headers)))
	for i := range headers {
		buf = AppendVarint(buf, int64(len(headers[i].Key)))
		buf = append(buf, headers[i].Key...)
		buf = appendBytes(buf, headers[i].Value)
	}
	b.buf = buf
}

func bytesSize(p []byte) int {
	if p == nil {
		return 1 // the varint of -1
	}
	return VarintSize(int64(len(p))) + len(p)
}

func appendBytes(dst, p []byte) []byte {
	if p == nil {
		return AppendVarint(dst, -1)
	}
	return append(AppendVarint(dst, int64(len(p))), p...)
}

// writeHeader fills the first 61 bytes of a batch whose records are in place.
func writeHeader(b Batch, o *Options, lastOffset, baseTimestamp, maxTimestamp int64, count int32) {
	be := binary.BigEndian
	be.PutUint64(b[baseOffsetAt:], uint64(o.BaseOffset))
	be.PutUint32(b[lengthAt:], uint32(len(b)-LogOverhead))
	be.PutUint32(b[leaderEpochAt:], uint32(o.LeaderEpoch))
	b[magicAt] = MagicV2
	be.PutUint16(b[attributesAt:], o.flags())
	be.PutUint32(b[lastOffsetDeltaAt:], uint32(lastOffset-o.BaseOffset))
	be.PutUint64(b[baseTimestampAt:], uint64(baseTimestamp))
	be.PutUint64(b[maxTimestampAt:], uint64(maxTimestamp))
	be.PutUint64(b[producerIDAt:], uint64(o.ProducerID))
	be.PutUint16(b[producerEpochAt:], uint16(o.ProducerEpoch))
	be.PutUint32(b[baseSequenceAt:], uint32(o.BaseSequence))
	be.PutUint32(b[countAt:], uint32(count))
	be.PutUint32(b[crcAt:], b.Checksum())
}
