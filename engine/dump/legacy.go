package dump

import (
	"encoding/binary"
	"hash/crc32"

	"kafkalab/engine/record"
)

// Where the fields of a message of format 0 or 1 lie (LegacyRecord). The checksum
// covers all behind it.
const (
	legacyCRCAt        = 12
	legacyMagicAt      = 16
	legacyAttributesAt = 17
	legacyTimestampAt  = 18
	legacyTimestampEnd = 26
	legacyAppendTime   = 8 // the attribute for LogAppendTime
)

// isLegacy tells whether Kafka tells a batch as a message of format 0 or 1: it
// takes all below 2 for one, and fails on a negative magic or an unknown codec.
func isLegacy(batch []byte) bool {
	magic := int8(batch[legacyMagicAt])
	return (magic == 0 || magic == 1) && legacyCodec(batch).Known() && len(batch) >= legacyTimestampEnd
}

func legacyCodec(batch []byte) record.Codec { return record.Codec(batch[legacyAttributesAt] & 7) }

// tellLegacy tells a message of format 0 or 1, which may be a batch of format 2
// with a damaged magic. Its line is all: what it holds is not read here, and the
// dump ends there if records were asked for.
func tellLegacy(b record.Batch, position int64, opt Options) (told Batch, found []*Damage, goOn bool) {
	told = Batch{
		BaseOffset: b.BaseOffset(), LastOffset: b.BaseOffset(), BaseSequence: record.NoSequence, LastSequence: record.NoSequence,
		ProducerID: record.NoProducerID, ProducerEpoch: record.NoProducerEpoch, PartitionLeaderEpoch: record.NoLeaderEpoch,
		Position: position, TimestampType: "NoTimestampType", MaxTimestamp: record.NoTimestamp, Size: b.Size(), Magic: b.Magic(),
		Codec: legacyCodec(b).String(), CRC: binary.BigEndian.Uint32(b[legacyCRCAt:]),
	}
	told.Valid = told.CRC == crc32.ChecksumIEEE(b[legacyMagicAt:])
	if told.Magic == 1 {
		told.TimestampType, told.MaxTimestamp = record.CreateTime.String(), int64(binary.BigEndian.Uint64(b[legacyTimestampAt:]))
		if b[legacyAttributesAt]&legacyAppendTime != 0 {
			told.TimestampType = record.LogAppendTime.String()
		}
	}
	if !told.Valid {
		found = append(found, damagef(position, "%v: stored crc %d, computed %d, as of a message of format %d",
			record.ErrCorrupt, told.CRC, crc32.ChecksumIEEE(b[legacyMagicAt:]), told.Magic))
	}
	if opt.deep() {
		return told, append(found, damagef(position, "what a message of format %d holds is not read, format 2 is", told.Magic)), false
	}
	return told, found, true
}

// legacyLine is Line of such a message.
func (b Batch) legacyLine() string {
	l := make(line, 0, 160)
	l.int("offset: ", b.LastOffset)
	return b.lineEnd(l)
}
