package record

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/snappy"
)

// Java's SnappyOutputStream, which Kafka uses, wraps snappy blocks of 32 KiB in
// a framing of its own: 8 bytes of magic, version and least version to read it
// (int32 each), then every block with its compressed length before it (int32).
// Other clients send one plain block.
const (
	xerialMagic   = "\x82SNAPPY\x00"
	xerialVersion = 1
	xerialHeader  = len(xerialMagic) + 8
	xerialBlock   = 32 << 10
)

// snappyMost is more than a byte of a snappy block can stand for: a copy of 64
// bytes takes 3.
const snappyMost = 32

// packSnappy appends the framing and the blocks. The compressor is the slow one
// of its library because the fast ones are assembly, whose output differs from
// one processor to the next; a lab must write the same bytes on all.
func packSnappy(dst, src []byte) []byte {
	dst = append(dst, xerialMagic...)
	dst = binary.BigEndian.AppendUint32(dst, xerialVersion)
	dst = binary.BigEndian.AppendUint32(dst, xerialVersion)
	for len(src) > 0 {
		n := min(len(src), xerialBlock)
		block := s2.EncodeSnappyBest(nil, src[:n])
		dst = binary.BigEndian.AppendUint32(dst, uint32(len(block)))
		dst = append(dst, block...)
		src = src[n:]
	}
	return dst
}

// unpackSnappy reads the framing, or one plain block when its magic is missing.
func unpackSnappy(src []byte, limit int) ([]byte, error) {
	if !bytes.HasPrefix(src, []byte(xerialMagic)) {
		return unpackSnappyBlock(nil, src, limit)
	}
	out := roomFor(src, limit)
	for len(src) > 0 {
		var err error
		// Streams may follow one another, each with its header.
		if bytes.HasPrefix(src, []byte(xerialMagic)) {
			if src, err = skipXerialHeader(src); err != nil {
				return nil, err
			}
			continue
		}
		if len(src) < 4 {
			return nil, fmt.Errorf("block length: %w", errShort)
		}
		n := int(binary.BigEndian.Uint32(src))
		src = src[4:]
		if n > len(src) {
			return nil, fmt.Errorf("block of %d bytes, %d are left", n, len(src))
		}
		if out, err = unpackSnappyBlock(out, src[:n], limit); err != nil {
			return nil, err
		}
		src = src[n:]
	}
	return out, nil
}

func skipXerialHeader(src []byte) ([]byte, error) {
	if len(src) < xerialHeader {
		return nil, fmt.Errorf("framing header: %w", errShort)
	}
	if v := int32(binary.BigEndian.Uint32(src[len(xerialMagic):])); v < xerialVersion {
		return nil, fmt.Errorf("framing version %d, at least %d is needed", v, xerialVersion)
	}
	return src[xerialHeader:], nil
}

// unpackSnappyBlock appends one block, whose declared length is believed only
// as far as its bytes can reach.
func unpackSnappyBlock(out, block []byte, limit int) ([]byte, error) {
	n, err := snappy.DecodedLen(block)
	if err != nil {
		return nil, err
	}
	if n > limit-len(out) {
		return nil, ErrTooLarge
	}
	if n > snappyMost*len(block) {
		return nil, fmt.Errorf("block of %d bytes declares %d", len(block), n)
	}
	if n > cap(out)-len(out) {
		out = append(make([]byte, 0, max(len(out)+n, min(2*cap(out), limit))), out...)
	}
	decoded, err := snappy.DecodeStrict(out[len(out):len(out)+n], block)
	if err != nil {
		return nil, err
	}
	return out[:len(out)+len(decoded)], nil
}
