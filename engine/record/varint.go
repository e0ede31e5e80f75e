package record

// Kafka's variable-length integers: zig-zag, then groups of seven bits, lowest
// first, the high bit set on all but the last (ByteUtils.writeVarint).

const (
	maxVarint32 = 5
	maxVarint64 = 10
)

// AppendVarint appends v as a varint. Of an int32 it makes at most 5 bytes.
func AppendVarint(dst []byte, v int64) []byte {
	u := uint64(v)<<1 ^ uint64(v>>63)
	for u >= 0x80 {
		dst = append(dst, byte(u)|0x80)
		u >>= 7
	}
	return append(dst, byte(u))
}

// VarintSize is the number of bytes AppendVarint makes of v.
func VarintSize(v int64) int {
	u := uint64(v)<<1 ^ uint64(v>>63)
	n := 1
	for u >= 0x80 {
		u >>= 7
		n++
	}
	return n
}

// ReadVarint reads an int32 from the start of buf: its value and the bytes it
// takes. n is 0 when buf ends before it does, -1 when it is longer than 5 bytes.
// Bits beyond 32 are dropped, as Kafka does.
func ReadVarint(buf []byte) (v int32, n int) {
	u, n := readUnsigned(buf, maxVarint32)
	w := uint32(u)
	return int32(w>>1) ^ -int32(w&1), n
}

// ReadVarlong reads an int64 of at most 10 bytes; otherwise as ReadVarint.
func ReadVarlong(buf []byte) (v int64, n int) {
	u, n := readUnsigned(buf, maxVarint64)
	return int64(u>>1) ^ -int64(u&1), n
}

func readUnsigned(buf []byte, most int) (u uint64, n int) {
	for i, c := range buf {
		if i == most {
			return 0, -1
		}
		u |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			return u, i + 1
		}
	}
	if len(buf) >= most {
		return 0, -1
	}
	return 0, 0
}
