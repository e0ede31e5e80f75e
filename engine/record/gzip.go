package record

import (
	"bytes"
	"errors"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// Compressors are large; each is used by one caller at a time and made ready
// again before every use, so that which one a caller gets cannot be seen.
var (
	gzipReaders = sync.Pool{New: func() any { return new(gzip.Reader) }}
	gzipWriters [10]sync.Pool // by level; the default is at 0
)

// packGzip appends one gzip member. Level -1 is the default.
func packGzip(dst, src []byte, level int) []byte {
	out := sink(dst)
	pool := &gzipWriters[max(level, 0)]
	w, ok := pool.Get().(*gzip.Writer)
	if ok {
		w.Reset(&out)
	} else {
		w, _ = gzip.NewWriterLevel(&out, level) // fails for other levels only
	}
	w.Write(src)
	w.Close()
	pool.Put(w)
	return out
}

// unpackGzip reads one or more members. Like Java's GZIPInputStream it lets be
// what follows a member and is no member.
func unpackGzip(src []byte, limit int) ([]byte, error) {
	in := bytes.NewReader(src)
	r := gzipReaders.Get().(*gzip.Reader)
	defer gzipReaders.Put(r)
	if err := r.Reset(in); err != nil {
		return nil, whole(err)
	}
	out := roomFor(src, limit)
	for {
		r.Multistream(false)
		var err error
		if out, err = readInto(out, r, limit); err != nil {
			return nil, whole(err)
		}
		if r.Reset(in) != nil {
			return out, nil
		}
	}
}

// whole makes plain that the end came too early.
func whole(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errShort
	}
	return err
}
