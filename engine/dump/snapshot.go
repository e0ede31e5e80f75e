package dump

import (
	"encoding/binary"
	"hash/crc32"
	"math"
)

// Producer is what a producer snapshot keeps of one producer (Kafka:
// ProducerStateEntry).
type Producer struct {
	ProducerID            int64  `json:"producerId"`
	ProducerEpoch         int16  `json:"producerEpoch"`
	CoordinatorEpoch      int32  `json:"coordinatorEpoch"`
	CurrentTxnFirstOffset *int64 `json:"currentTxnFirstOffset"` // nil without an open transaction
	LastTimestamp         int64  `json:"lastTimestamp"`         // ms
	// Batch is the last batch, nil if the last thing was a marker.
	Batch *ProducerBatch `json:"batch,omitempty"`
}

// ProducerBatch is the last batch of a producer.
type ProducerBatch struct {
	FirstSequence int32 `json:"firstSequence"`
	LastSequence  int32 `json:"lastSequence"`
	LastOffset    int64 `json:"lastOffset"`
	OffsetDelta   int32 `json:"offsetDelta"` // last offset less first offset
	Timestamp     int64 `json:"timestamp"`   // ms
}

// Line implements Entry.
func (p Producer) Line() string {
	var l line
	l.int("producerId: ", p.ProducerID)
	l.int(" producerEpoch: ", int64(p.ProducerEpoch))
	l.int(" coordinatorEpoch: ", int64(p.CoordinatorEpoch))
	l.optional(" currentTxnFirstOffset: ", p.CurrentTxnFirstOffset)
	l.int(" lastTimestamp: ", p.LastTimestamp)
	if b := p.Batch; b != nil {
		l.int(" firstSequence: ", int64(b.FirstSequence))
		l.int(" lastSequence: ", int64(b.LastSequence))
		l.int(" lastOffset: ", b.LastOffset)
		l.int(" offsetDelta: ", int64(b.OffsetDelta))
		l.int(" timestamp: ", b.Timestamp)
	}
	return string(l)
}

// A snapshot: version, CRC-32C of what follows it, count, and the producers.
const (
	snapshotVersion = 1
	snapshotHead    = 10
	producerSize    = 46
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// dumpProducers tells a producer snapshot. One whose checksum does not fit is
// not decoded: Kafka throws it away as a whole.
func dumpProducers(f *file) {
	p, damage := f.all()
	if damage == nil {
		damage = checkSnapshot(p)
	}
	if damage != nil {
		f.out.damage(damage)
		return
	}
	count := int(binary.BigEndian.Uint32(p[6:]))
	for i := range count {
		f.out.entry(readProducer(p[snapshotHead+i*producerSize:]))
	}
	if rest := len(p) - snapshotHead - count*producerSize; rest > 0 {
		f.out.damage(damagef(int64(len(p)-rest), "%d bytes behind %d producers", rest, count))
	}
}

func checkSnapshot(p []byte) *Damage {
	if len(p) < snapshotHead {
		return damagef(int64(len(p)), "the file ends here, a snapshot has at least %d bytes", snapshotHead)
	}
	if v := int16(binary.BigEndian.Uint16(p)); v != snapshotVersion {
		return damagef(0, "version %d, %d is known", v, snapshotVersion)
	}
	stored, computed := binary.BigEndian.Uint32(p[2:]), crc32.Checksum(p[6:], castagnoli)
	if stored != computed {
		return damagef(2, "stored crc %d, computed %d", stored, computed)
	}
	count := int32(binary.BigEndian.Uint32(p[6:]))
	if count < 0 || int(count) > (len(p)-snapshotHead)/producerSize {
		return damagef(6, "%d producers, the file has room for %d", count, (len(p)-snapshotHead)/producerSize)
	}
	return nil
}

func readProducer(p []byte) Producer {
	be := binary.BigEndian
	r := Producer{
		ProducerID: int64(be.Uint64(p)), ProducerEpoch: int16(be.Uint16(p[8:])),
		LastTimestamp: int64(be.Uint64(p[26:])), CoordinatorEpoch: int32(be.Uint32(p[34:])),
	}
	if first := int64(be.Uint64(p[38:])); first >= 0 {
		r.CurrentTxnFirstOffset = &first
	}
	last := int32(be.Uint32(p[10:]))
	b := ProducerBatch{
		LastSequence: last, LastOffset: int64(be.Uint64(p[14:])), OffsetDelta: int32(be.Uint32(p[22:])), Timestamp: r.LastTimestamp,
	}
	b.FirstSequence = stepBack(last, b.OffsetDelta)
	if b.LastOffset >= 0 {
		r.Batch = &b
	}
	return r
}

// stepBack counts back from a sequence number; 0 follows 2147483647.
func stepBack(sequence, n int32) int32 {
	if sequence < n {
		return math.MaxInt32 - (n - sequence) + 1
	}
	return sequence - n
}
