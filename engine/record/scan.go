package record

import (
	"encoding/binary"
	"fmt"
	"io"
)

// minLength is the smallest length field of any format: a record of format 0
// (Kafka: LegacyRecord.RECORD_OVERHEAD_V0).
const minLength = 14

// upToMagic is offset, length, epoch and magic: what a scanner reads first.
const upToMagic = 17

// Next is the first batch of buf, which shares its memory; the next one begins
// at its Size. Its checksum is not looked at: see Batch.Valid.
//
// The error is io.EOF when buf is empty, ErrTruncated when the batch runs past
// the end of buf or 17 bytes or less are left, ErrCorrupt when the length field
// cannot be one of a batch, and a MagicError for another format than 2. So Kafka
// reads what came over the wire; in a file it takes any magic of 2 or more for
// format 2 (Kafka: ByteBufferLogInputStream.nextBatch).
func Next(buf []byte) (Batch, error) {
	size, err := PeekSize(buf)
	if err != nil {
		return nil, err
	}
	if size > len(buf) {
		return nil, fmt.Errorf("%w: declares %d bytes, %d are left", ErrTruncated, size, len(buf))
	}
	if magic := int8(buf[magicAt]); magic != MagicV2 {
		return nil, MagicError{magic}
	}
	if size < HeaderSize {
		return nil, fmt.Errorf("%w: %d bytes, a batch has at least %d", ErrCorrupt, size, HeaderSize)
	}
	return Batch(buf[:size:size]), nil
}

// PeekSize is the whole size in bytes of the batch at the start of buf, of which
// 18 bytes are enough. It does not look at the format. Errors are those of Next.
func PeekSize(buf []byte) (int, error) {
	if len(buf) == 0 {
		return 0, io.EOF
	}
	if len(buf) <= upToMagic {
		return 0, fmt.Errorf("%w: %d bytes are left", ErrTruncated, len(buf))
	}
	length := int32(binary.BigEndian.Uint32(buf[lengthAt:]))
	if length < minLength {
		return 0, fmt.Errorf("%w: length field %d, the least is %d", ErrCorrupt, length, minLength)
	}
	return int(length) + LogOverhead, nil
}
