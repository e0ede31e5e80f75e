package storage

import (
	"errors"
	"io"

	"github.com/spf13/afero"

	"kafkalab/engine/record"
)

// cleanerBufferBytes is how much of a segment the cleaner reads at once
// (log.cleaner.io.buffer.size); a larger batch gets a larger buffer.
const cleanerBufferBytes = 512 << 10

// windowReader walks over the whole batches of a .log file, in large reads. It
// does not check what recovery checked when the log was opened.
type windowReader struct {
	file afero.File
	name string
	at   int64 // position of buf[0]
	end  int64
	buf  []byte
	have int
	next int // of the next batch in buf
}

func (r *windowReader) reset(s *segment, pos int64) {
	if r.buf == nil {
		r.buf = make([]byte, cleanerBufferBytes)
	}
	r.file, r.name, r.at, r.end, r.have, r.next = s.file, s.name(logSuffix), pos, int64(s.size), 0, 0
}

// batch gives the next batch; it is good until the next call. io.EOF ends the
// file.
func (r *windowReader) batch() (record.Batch, error) {
	for {
		if r.at+int64(r.next) >= r.end {
			return nil, io.EOF
		}
		b, err := record.Next(r.buf[r.next:r.have])
		if err == nil {
			r.next += b.Size()
			return b, nil
		}
		if !isCutOff(err) {
			return nil, &DamageError{File: r.name, Position: r.at + int64(r.next), Err: err}
		}
		if err := r.fill(); err != nil {
			return nil, err
		}
	}
}

// isCutOff tells whether an error means that a batch's end is missing.
func isCutOff(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, record.ErrTruncated) }

// fill reads on from the batch that did not fit.
func (r *windowReader) fill() error {
	pos := r.at + int64(r.next)
	if r.next == 0 && r.have > 0 {
		if pos+int64(r.have) >= r.end {
			return &DamageError{File: r.name, Position: pos, Err: record.ErrTruncated}
		}
		r.buf = make([]byte, 2*len(r.buf))
	}
	n, err := r.file.ReadAt(r.buf[:min(int64(len(r.buf)), r.end-pos)], pos)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if n == 0 {
		return &DamageError{File: r.name, Position: pos, Err: record.ErrTruncated}
	}
	r.at, r.have, r.next = pos, n, 0
	return nil
}

// position is where the batch that was given last begins.
func (r *windowReader) position(b record.Batch) int64 { return r.at + int64(r.next-b.Size()) }
