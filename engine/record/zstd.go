package record

import (
	"bytes"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// zstdWindow is the largest window that Kafka's library reads (2^27 bytes).
const zstdWindow = 128 << 20

// zstdKept is the largest window that a reader keeps memory for: every level of
// compression but the last three stays below it.
const zstdKept = 8 << 20

var (
	zstdReaders sync.Pool
	zstdWriters [zstd.SpeedBestCompression + 1]sync.Pool // by the library's level
)

// packZstd appends one frame, without checksum as Kafka does. Concurrency 1:
// no goroutine.
func packZstd(dst, src []byte, level int) []byte {
	speed := zstd.EncoderLevelFromZstd(level)
	pool := &zstdWriters[speed]
	w, ok := pool.Get().(*zstd.Encoder)
	if !ok {
		w, _ = zstd.NewWriter(nil, zstd.WithEncoderLevel(speed), // fails for bad options only
			zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true))
	}
	defer pool.Put(w)
	return w.EncodeAll(src, dst)
}

// unpackZstd reads one or more frames as a stream, which takes memory for the
// window that a frame declares (Kafka's library does too), and for what comes
// out of it. Concurrency 1: no goroutine.
func unpackZstd(src []byte, limit int) ([]byte, error) {
	r, ok := zstdReaders.Get().(*zstd.Decoder)
	if !ok {
		r, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), // fails for bad options only
			zstd.WithDecoderMaxWindow(zstdWindow), zstd.WithDecoderMaxMemory(zstdWindow))
	}
	if err := r.Reset(bytes.NewReader(src)); err != nil {
		return nil, err
	}
	out, err := readInto(roomFor(src, limit), r, limit)
	r.Reset(nil)
	var first zstd.Header
	if first.Decode(src) == nil && first.WindowSize <= zstdKept {
		zstdReaders.Put(r)
	}
	return out, whole(err)
}
