package storage

import (
	"errors"
	"io"

	"github.com/spf13/afero"

	"kafkalab/engine/record"
)

// scanWindow is how much of a file a scan reads at once. It is index.interval
// bytes at Kafka's default: the stretch between two index entries.
const scanWindow = 4096

// scanner walks over the batch headers of a .log file. The zero value with a
// file, a position and an end is ready; it reads into buf.
type scanner struct {
	file afero.File
	pos  int64 // of the next header
	end  int64 // no batch is looked for at or past it
	buf  []byte
	at   int64 // position of buf[0] in the file
	have int   // bytes of buf that are valid
}

// reset starts a scan of file from pos to end; buf is kept.
func (s *scanner) reset(file afero.File, pos, end int64) {
	if s.buf == nil {
		s.buf = make([]byte, scanWindow)
	}
	s.file, s.pos, s.end, s.at, s.have = file, pos, end, 0, 0
}

// next gives the header of the next batch and its position. The header is good
// until the next call. The error is io.EOF at the end, one of package record
// for bytes that are no batch, or that of the disk. A batch that runs past the
// end is truncated, not given.
func (s *scanner) next() (record.Batch, int64, error) {
	left := s.end - s.pos
	if left <= 0 {
		return nil, s.pos, io.EOF
	}
	if s.pos < s.at || s.pos+record.HeaderSize > s.at+int64(s.have) {
		if err := s.fill(); err != nil {
			return nil, s.pos, err
		}
	}
	window := s.buf[s.pos-s.at : s.have]
	if int64(len(window)) > left {
		window = window[:left]
	}
	head, err := record.PeekHeader(window)
	if err != nil {
		return nil, s.pos, err
	}
	if int64(head.Size()) > left {
		return nil, s.pos, record.ErrTruncated
	}
	at := s.pos
	s.pos += int64(head.Size())
	return head, at, nil
}

// fill reads a window at the scan's position.
func (s *scanner) fill() error {
	n, err := s.file.ReadAt(s.buf, s.pos)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	s.at, s.have = s.pos, n
	return nil
}
