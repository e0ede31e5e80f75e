package record

import (
	"encoding/binary"
	"fmt"
)

// The values of KRaft's control records use the protocol's flexible encoding
// (KIP-482): fixed integers, unsigned varints for lengths plus one, and behind
// every structure a count of tagged fields, none of which is known here.

// flexReader reads fields in order and remembers the first thing wrong.
type flexReader struct {
	rest []byte
	err  error
}

func (r *flexReader) take(n int, what string) []byte {
	if r.err == nil && n > len(r.rest) {
		r.err = fmt.Errorf("%w: %s: %d bytes are left, %d are needed", ErrInvalid, what, len(r.rest), n)
	}
	if r.err != nil {
		return nil
	}
	p := r.rest[:n]
	r.rest = r.rest[n:]
	return p
}

func (r *flexReader) int16(what string) int16 {
	if p := r.take(2, what); p != nil {
		return int16(binary.BigEndian.Uint16(p))
	}
	return 0
}

func (r *flexReader) int32(what string) int32 {
	if p := r.take(4, what); p != nil {
		return int32(binary.BigEndian.Uint32(p))
	}
	return 0
}

func (r *flexReader) int64(what string) int64 {
	if p := r.take(8, what); p != nil {
		return int64(binary.BigEndian.Uint64(p))
	}
	return 0
}

func (r *flexReader) uuid(what string) (id [16]byte) {
	copy(id[:], r.take(len(id), what))
	return id
}

// uvarint reads an unsigned varint.
func (r *flexReader) uvarint(what string) uint32 {
	if r.err != nil {
		return 0
	}
	u, n := readUnsigned(r.rest, maxVarint32)
	if n <= 0 {
		r.err = fmt.Errorf("%w: %w", ErrInvalid, errVarint(what, n))
		return 0
	}
	r.rest = r.rest[n:]
	return uint32(u)
}

// length reads the length of something that may not be null: at most the bytes
// that are left, as each element takes one byte or more.
func (r *flexReader) length(what string) int {
	u := r.uvarint(what)
	if r.err != nil {
		return 0
	}
	if u == 0 {
		r.err = fmt.Errorf("%w: %s: null is not allowed", ErrInvalid, what)
		return 0
	}
	if int64(u)-1 > int64(len(r.rest)) {
		r.err = fmt.Errorf("%w: %s: length %d, %d bytes are left", ErrInvalid, what, u-1, len(r.rest))
		return 0
	}
	return int(u - 1)
}

func (r *flexReader) string(what string) string { return string(r.take(r.length(what), what)) }

// tags skips the tagged fields at the end of a structure.
func (r *flexReader) tags() {
	for n := r.uvarint("tagged fields"); n > 0 && r.err == nil; n-- {
		r.uvarint("tag")
		size := r.uvarint("tagged field")
		r.take(int(min(size, 1<<31-1)), "tagged field")
	}
}

func appendLength(dst []byte, n int) []byte { return binary.AppendUvarint(dst, uint64(n)+1) }

func appendString(dst []byte, s string) []byte { return append(appendLength(dst, len(s)), s...) }

func appendTags(dst []byte) []byte { return append(dst, 0) }
