package dump

import (
	"fmt"
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
	snapshotCRCAt   = 2
	snapshotCRCFrom = 6 // the checksum covers all from here on
)

// snapshotLayout and producerLayout are a snapshot's head and what follows it
// for each producer (Kafka: ProducerSnapshot.json).
var (
	snapshotLayout = layout{
		{"version", "int16", versionNote},
		{checksumName, "uint32", nil},
		{"producerEntries", "int32", func(v []int64) string { return "how many producers follow" }},
	}
	producerLayout = layout{
		{"producerId", "int64", nil},
		{"producerEpoch", "int16", nil},
		{"lastSequence", "int32", func(v []int64) string { return noneOr(v[2], "the batch after it must begin with the next one") }},
		{"lastOffset", "int64", func(v []int64) string { return noneOr(v[3], "of the producer's last batch") }},
		{"offsetDelta", "int32", offsetDeltaNote},
		{"timestamp", "int64", func(v []int64) string { return moment(v[5]) + ", of the last batch or marker" }},
		{"coordinatorEpoch", "int32", func(v []int64) string { return noneOr(v[6], "of the coordinator that wrote the last marker") }},
		{"currentTxnFirstOffset", "int64", openTxnNote},
	}
)

func versionNote([]int64) string { return "of this format" }

func offsetDeltaNote(v []int64) string {
	if v[3] < 0 {
		return "there is no last batch"
	}
	return fmt.Sprintf("last less first offset: the batch is %s", span(v[3]-v[4], v[3]))
}

func openTxnNote(v []int64) string {
	if v[7] < 0 {
		return "no transaction is open"
	}
	return "where the open transaction begins"
}

// noneOr is what a number means that is -1 when there is none.
func noneOr(n int64, note string) string {
	if n < 0 {
		return "none"
	}
	return note
}

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
	count := int(readSnapshotHead(p).count)
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
	h := readSnapshotHead(p)
	if h.version != snapshotVersion {
		return damagef(0, "version %d, %d is known", h.version, snapshotVersion)
	}
	if computed := snapshotSum(p); h.crc != computed {
		return damagef(snapshotCRCAt, "stored crc %d, computed %d", h.crc, computed)
	}
	if h.count < 0 || int(h.count) > (len(p)-snapshotHead)/producerSize {
		return damagef(snapshotCRCFrom, "%d producers, the file has room for %d", h.count, (len(p)-snapshotHead)/producerSize)
	}
	return nil
}

// snapshotStart is the head of a snapshot.
type snapshotStart struct {
	version int16
	crc     uint32
	count   int32
}

func readSnapshotHead(p []byte) snapshotStart {
	var room [3]int64
	v := snapshotLayout.read(room[:0], p)
	return snapshotStart{int16(v[0]), uint32(v[1]), int32(v[2])}
}

// snapshotSum is the checksum that a snapshot should have.
func snapshotSum(p []byte) uint32 { return crc32.Checksum(p[snapshotCRCFrom:], castagnoli) }

func readProducer(p []byte) Producer {
	var room [8]int64
	v := producerLayout.read(room[:0], p)
	r := Producer{ProducerID: v[0], ProducerEpoch: int16(v[1]), LastTimestamp: v[5], CoordinatorEpoch: int32(v[6])}
	if first := v[7]; first >= 0 {
		r.CurrentTxnFirstOffset = &first
	}
	b := ProducerBatch{LastSequence: int32(v[2]), LastOffset: v[3], OffsetDelta: int32(v[4]), Timestamp: r.LastTimestamp}
	b.FirstSequence = stepBack(b.LastSequence, b.OffsetDelta)
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
