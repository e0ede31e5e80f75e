package storage

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"

	"kafkalab/engine/record"
)

// Where the fields of a message of format 0 or 1 lie. The checksum, a CRC-32,
// covers all behind it. Kafka 4 writes neither format (KIP-724) and still reads
// both from files, so a damaged magic makes it read a batch of format 2 as if it
// were one of them (LegacyRecord).
const (
	legacyCRCAt        = 12
	legacyCRCFrom      = 16
	legacyAttributesAt = 17
	legacyTimestampAt  = 18 // format 1 only
	legacyTimestampEnd = 26
	legacyKeyAtV0      = 18
	legacyKeyAtV1      = 26
)

// legacyValid tells what is wrong with a message of format 0 or 1 as a whole
// (LegacyRecord#ensureValid).
func legacyValid(b []byte) error {
	stored, sum := binary.BigEndian.Uint32(b[legacyCRCAt:]), crc32.ChecksumIEEE(b[legacyCRCFrom:])
	if stored != sum {
		return fmt.Errorf("%w: stored crc %d, computed %d, as of a message of format %d", record.ErrCorrupt, stored, sum, int8(b[legacyCRCFrom]))
	}
	return nil
}

// legacyBase is the base offset of such a message: its own, or that of the first
// message wrapped in it, for which it must be unpacked. Wrapped messages are not
// read here: what is said of a damaged one is what Kafka finds on its way there
// (AbstractLegacyRecordBatch#baseOffset, DeepRecordsIterator).
func legacyBase(b record.Batch) (int64, error) {
	magic, codec := b.Magic(), record.Codec(b[legacyAttributesAt]&7)
	switch {
	case codec == record.None:
		return b.BaseOffset(), nil
	case !codec.Known():
		return 0, throw(illegalArgument, "Unknown compression type id: %d", codec)
	case magic < 0:
		return 0, fmt.Errorf("%w: magic %d of a message that wraps others", record.ErrInvalid, magic)
	case codec == record.Zstd:
		return 0, fmt.Errorf("%w: messages of format %d wrapped with zstd", record.ErrInvalid, magic)
	}
	if err := legacyValue(b); err != nil {
		return 0, err
	}
	return 0, throw(kafkaException, "messages of format %d are wrapped here: only format 2 is unpacked", magic)
}

// legacyValue looks whether such a message has a value.
func legacyValue(b record.Batch) error {
	at := int64(legacyKeyAtV0)
	if b.Magic() > 0 {
		at = legacyKeyAtV1
	}
	key, err := legacyInt(b, at)
	if err != nil {
		return err
	}
	at += 4 + int64(max(key, 0))
	value, err := legacyInt(b, at)
	switch {
	case err != nil:
		return err
	case value < 0:
		return fmt.Errorf("%w: a message that wraps others has no value", record.ErrInvalid)
	case int64(value) > int64(len(b))-at-4:
		return throw(illegalArgument, "newLimit > capacity: a value of %d bytes, %d are left", value, int64(len(b))-at-4)
	}
	return nil
}

func legacyInt(b []byte, at int64) (int32, error) {
	if at > math.MaxInt32 || at+4 > int64(len(b)) {
		return 0, throw(outOfBounds, "a length at byte %d of a message of %d", at, len(b))
	}
	return int32(binary.BigEndian.Uint32(b[at:])), nil
}
