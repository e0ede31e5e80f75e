package dump

import (
	"strconv"

	"kafkalab/engine/record"
)

// Batch is a record batch as it is told: its header, where it lies, and its
// records if they were asked for. The names are those that kafka-dump-log prints.
type Batch struct {
	BaseOffset           int64    `json:"baseOffset"`
	LastOffset           int64    `json:"lastOffset"`
	Count                int32    `json:"count"`
	BaseSequence         int32    `json:"baseSequence"`
	LastSequence         int32    `json:"lastSequence"`
	ProducerID           int64    `json:"producerId"`
	ProducerEpoch        int16    `json:"producerEpoch"`
	PartitionLeaderEpoch int32    `json:"partitionLeaderEpoch"`
	IsTransactional      bool     `json:"isTransactional"`
	IsControl            bool     `json:"isControl"`
	DeleteHorizonMs      *int64   `json:"deleteHorizonMs"` // nil when none is set
	Position             int64    `json:"position"`        // byte of the file
	TimestampType        string   `json:"timestampType"`
	MaxTimestamp         int64    `json:"maxTimestamp"` // ms
	Size                 int      `json:"size"`         // bytes
	Magic                int8     `json:"magic"`
	Codec                string   `json:"compresscodec"`
	CRC                  uint32   `json:"crc"`
	Valid                bool     `json:"isvalid"`
	Records              []Record `json:"records,omitempty"`
}

// newBatch tells of a batch at a position.
func newBatch(b record.Batch, position int64, valid bool) Batch {
	t := Batch{
		BaseOffset: b.BaseOffset(), LastOffset: b.LastOffset(), Count: b.Count(),
		BaseSequence: b.BaseSequence(), LastSequence: b.LastSequence(),
		ProducerID: b.ProducerID(), ProducerEpoch: b.ProducerEpoch(),
		PartitionLeaderEpoch: b.PartitionLeaderEpoch(),
		IsTransactional:      b.IsTransactional(), IsControl: b.IsControl(),
		Position: position, TimestampType: b.TimestampType().String(), MaxTimestamp: b.MaxTimestamp(),
		Size: b.Size(), Magic: b.Magic(), Codec: b.Codec().String(), CRC: b.CRC(), Valid: valid,
	}
	if ms, set := b.DeleteHorizon(); set {
		t.DeleteHorizonMs = &ms
	}
	return t
}

// Line is the batch in one line, without its records.
func (b Batch) Line() string {
	if b.Magic < record.MagicV2 {
		return b.legacyLine()
	}
	l := make(line, 0, 320)
	l.int("baseOffset: ", b.BaseOffset)
	l.int(" lastOffset: ", b.LastOffset)
	l.int(" count: ", int64(b.Count))
	l.int(" baseSequence: ", int64(b.BaseSequence))
	l.int(" lastSequence: ", int64(b.LastSequence))
	l.int(" producerId: ", b.ProducerID)
	l.int(" producerEpoch: ", int64(b.ProducerEpoch))
	l.int(" partitionLeaderEpoch: ", int64(b.PartitionLeaderEpoch))
	l.bool(" isTransactional: ", b.IsTransactional)
	l.bool(" isControl: ", b.IsControl)
	l.optional(" deleteHorizonMs: ", b.DeleteHorizonMs)
	return b.lineEnd(l)
}

// lineEnd adds what is told of batches of all formats.
func (b Batch) lineEnd(l line) string {
	l.int(" position: ", b.Position)
	l.int(" "+b.TimestampType+": ", b.MaxTimestamp)
	l.int(" size: ", int64(b.Size))
	l.int(" magic: ", int64(b.Magic))
	l.text(" compresscodec: ", b.Codec)
	l.int(" crc: ", int64(b.CRC))
	l.bool(" isvalid: ", b.Valid)
	return string(l)
}

// line is a line of text that grows: names and values, one behind the other.
type line []byte

func (l *line) text(name, value string) { *l = append(append(*l, name...), value...) }

func (l *line) int(name string, v int64) { *l = strconv.AppendInt(append(*l, name...), v, 10) }

func (l *line) bool(name string, v bool) { *l = strconv.AppendBool(append(*l, name...), v) }

// optional is a number that may be missing, as Java prints an OptionalLong.
func (l *line) optional(name string, v *int64) {
	if v == nil {
		l.text(name, "OptionalLong.empty")
		return
	}
	l.int(name+"OptionalLong[", *v)
	l.text("]", "")
}
