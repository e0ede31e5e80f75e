package record

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/pierrec/lz4/v4"
)

// Kafka writes one LZ4 frame: blocks of 64 KiB that do not depend on each other,
// no checksum of blocks or content, no content size (Lz4BlockOutputStream). It
// reads frames with any block size, with checksums and a size, of which it looks
// at the header's and the blocks' checksums only; blocks that depend on each other
// it refuses, and what is behind the frame it lets be (Lz4BlockInputStream).
const (
	lz4Magic       = 0x184d2204
	lz4Independent = 0x20 // bits of the frame's first flag byte
	lz4BlockSum    = 0x10
	lz4ContentSize = 0x08
	lz4ContentSum  = 0x04
	lz4Stored      = 1 << 31 // in a block's length: not compressed
	lz4Standard    = 9       // Kafka's default level, for which it takes the fast compressor
)

var (
	lz4Readers = sync.Pool{New: func() any { return lz4.NewReader(nil) }}
	lz4Writers = sync.Pool{New: func() any { return lz4.NewWriter(nil) }}
)

func packLZ4(dst, src []byte, level int) []byte {
	out := sink(dst)
	w := lz4Writers.Get().(*lz4.Writer)
	defer lz4Writers.Put(w)
	w.Reset(&out)
	// Fails for values that are not its own only. Concurrency 1: no goroutine.
	w.Apply(lz4.ConcurrencyOption(1), lz4.BlockSizeOption(lz4.Block64Kb), lz4.ChecksumOption(false),
		lz4.CompressionLevelOption(lz4Level(level)))
	w.Write(src)
	w.Flush() // writes the frame's header if there was nothing to write
	w.Close()
	w.Reset(nil)
	return out
}

// lz4Level finds the library's level for Kafka's 1 to 17.
func lz4Level(level int) lz4.CompressionLevel {
	if level == lz4Standard {
		return lz4.Fast
	}
	return lz4.Level1 << (min(level, 9) - 1)
}

func unpackLZ4(src []byte, limit int) ([]byte, error) {
	frame, err := lz4Frame(src)
	if err != nil {
		return nil, err
	}
	r := lz4Readers.Get().(*lz4.Reader)
	defer lz4Readers.Put(r)
	r.Reset(bytes.NewReader(frame))
	out, err := readInto(roomFor(frame, limit), r, limit)
	r.Reset(nil)
	if errors.Is(err, lz4.ErrInvalidFrameChecksum) || errors.Is(err, lz4.ErrInvalidContentSize) {
		err = nil // found behind the last block
	}
	return out, whole(err)
}

// lz4Frame cuts the frame out of src by walking over its blocks.
func lz4Frame(src []byte) ([]byte, error) {
	if len(src) < 7 {
		return nil, fmt.Errorf("frame header: %w", errShort)
	}
	if magic := binary.LittleEndian.Uint32(src); magic != lz4Magic {
		return nil, fmt.Errorf("magic %#08x, an LZ4 frame begins with %#08x", magic, lz4Magic)
	}
	flags := src[4]
	if flags&lz4Independent == 0 {
		return nil, errors.New("blocks depend on each other, which Kafka does not read")
	}
	at, sum := 7, 0
	if flags&lz4ContentSize != 0 {
		at += 8
	}
	if flags&lz4BlockSum != 0 {
		sum = 4
	}
	for {
		if at > len(src)-4 {
			return nil, errShort
		}
		length := binary.LittleEndian.Uint32(src[at:])
		at += 4
		if length == 0 {
			break
		}
		at += int(length&^lz4Stored) + sum
	}
	if flags&lz4ContentSum != 0 {
		at += 4
	}
	if at > len(src) {
		return nil, errShort
	}
	return src[:at], nil
}
