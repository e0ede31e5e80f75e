package record

import (
	"errors"
	"fmt"
	"io"
)

// DefaultLimit is how many bytes the records of one batch may decompress to
// unless the reader says otherwise: the largest byte array of a JVM.
const DefaultLimit = 2147483639

// levelRange is what Kafka allows for a codec's level.
type levelRange struct{ least, most, standard int }

// levelsOf gives the range of a codec that has levels (KIP-390).
func levelsOf(codec Codec) (levelRange, bool) {
	switch codec {
	case Gzip:
		return levelRange{1, 9, -1}, true
	case LZ4:
		return levelRange{1, 17, 9}, true
	case Zstd:
		return levelRange{-131072, 22, 3}, true
	}
	return levelRange{}, false
}

// CheckLevel tells whether Kafka has the codec, and the codec the level. Level 0
// is always allowed and means the default, as does -1 for gzip.
func CheckLevel(codec Codec, level int) error {
	if !codec.Known() {
		return fmt.Errorf("no codec %d: 0 to 4", int8(codec))
	}
	if level == 0 {
		return nil
	}
	l, ok := levelsOf(codec)
	if !ok {
		return fmt.Errorf("level %d: %v has no levels", level, codec)
	}
	if level != l.standard && (level < l.least || level > l.most) {
		return fmt.Errorf("%v level %d: %d to %d, default %d", codec, level, l.least, l.most, l.standard)
	}
	return nil
}

// Compress appends src to dst, compressed in the framing that Kafka writes.
// Level 0 is the codec's default. The same bytes in make the same bytes out, on
// every machine; Kafka's own libraries make others, which are as good.
func Compress(dst []byte, codec Codec, level int, src []byte) ([]byte, error) {
	if err := CheckLevel(codec, level); err != nil {
		return nil, err
	}
	return compress(dst, codec, level, src), nil
}

// compress is Compress for a codec and a level that were checked.
func compress(dst []byte, codec Codec, level int, src []byte) []byte {
	if l, ok := levelsOf(codec); ok && level == 0 {
		level = l.standard
	}
	switch codec {
	case Gzip:
		return packGzip(dst, src, level)
	case Snappy:
		return packSnappy(dst, src)
	case LZ4:
		return packLZ4(dst, src, level)
	case Zstd:
		return packZstd(dst, src, level)
	}
	return append(dst, src...)
}

// Decompress inflates src, in any framing that Kafka reads, to at most limit
// bytes. Memory grows with what really comes out of src, never with a length
// that src declares. The result of None is src itself. Errors match
// ErrCompression or ErrTooLarge.
func Decompress(codec Codec, src []byte, limit int) ([]byte, error) {
	var out []byte
	var err error
	switch codec {
	case None:
		out = src
	case Gzip:
		out, err = unpackGzip(src, limit)
	case Snappy:
		out, err = unpackSnappy(src, limit)
	case LZ4:
		out, err = unpackLZ4(src, limit)
	case Zstd:
		out, err = unpackZstd(src, limit)
	default:
		return nil, fmt.Errorf("%w: codec %d, 0 to 4 are known", ErrCompression, int8(codec))
	}
	if err == nil && len(out) > limit {
		err = ErrTooLarge
	}
	if errors.Is(err, ErrTooLarge) {
		return nil, fmt.Errorf("%w: %v block of %d bytes, limit %d", ErrTooLarge, codec, len(src), limit)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %v: %w", ErrCompression, codec, err)
	}
	return out, nil
}

// sink is a Writer onto the end of a slice.
type sink []byte

func (s *sink) Write(p []byte) (int, error) {
	*s = append(*s, p...)
	return len(p), nil
}

// readInto reads r to its end, onto the end of out, which may not grow beyond
// limit. It begins with the room that out has, so that what is small costs
// little whatever its source claims. What was read comes with an error of r.
func readInto(out []byte, r io.Reader, limit int) ([]byte, error) {
	for {
		if len(out) == cap(out) {
			out = append(out, 0)[:len(out)]
		}
		n, err := r.Read(out[len(out):cap(out)])
		out = out[:len(out)+n]
		if len(out) > limit {
			return nil, ErrTooLarge
		}
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return out, err
		}
	}
}

// roomFor is a first guess at what a compressed block grows to.
func roomFor(src []byte, limit int) []byte {
	return make([]byte, 0, min(3*len(src)+64, limit))
}
