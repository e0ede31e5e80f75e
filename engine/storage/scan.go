package storage

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/spf13/afero"

	"kafkalab/engine/record"
)

// scanWindow is how much of a file a scan reads at once. It is index.interval
// bytes at Kafka's default: the stretch between two index entries.
const scanWindow = 4096

// upToMagic is offset, length, epoch and magic (Records#HEADER_SIZE_UP_TO_MAGIC);
// a file that has no more than these bytes left has no batch left. leastLength
// is the smallest length field (LegacyRecord#RECORD_OVERHEAD_V0).
const (
	upToMagic   = 17
	leastLength = 14
)

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

// next gives the header of the next batch, which is good until the next call.
// The error is io.EOF at the end, which is also where a batch would run past it;
// one about the bytes where no batch can begin; or that of the disk. Of a batch
// Kafka looks at nothing but its size here: neither checksum nor format is
// checked, and whatever has a magic of 2 or more counts as format 2
// (FileLogInputStream#nextBatch).
func (s *scanner) next() (head, error) {
	left := s.end - s.pos
	if left <= upToMagic {
		return head{}, io.EOF
	}
	if s.pos < 0 {
		return head{}, throw(illegalArgument, "a negative position, to which an index points")
	}
	if s.pos < s.at || s.pos+record.HeaderSize > s.at+int64(s.have) {
		// A search mostly needs one header behind its first window. Only a scan that
		// goes on is worth a window again, unless batches are larger than one.
		size := len(s.buf)
		if s.have == len(s.buf) || s.have > 0 && s.pos-s.at >= scanWindow {
			size = record.HeaderSize
		}
		if err := s.fill(size); err != nil {
			return head{}, err
		}
	}
	window := s.buf[s.pos-s.at : s.have]
	if len(window) <= upToMagic {
		return head{}, record.ErrTruncated // the file is shorter than it was
	}
	size, err := record.PeekSize(window)
	if err != nil {
		return head{}, err
	}
	if int64(size) > left {
		return head{}, io.EOF
	}
	at := s.pos
	s.pos += int64(size)
	return head{bytes: window[:min(len(window), record.HeaderSize)], at: at, size: int32(size)}, nil
}

// fill reads a window of a size at the scan's position.
func (s *scanner) fill(size int) error {
	n, err := s.file.ReadAt(s.buf[:size], s.pos)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	s.at, s.have = s.pos, n
	return nil
}

// head is what a scan reads of a batch: as many of the 61 bytes of a header as
// the file has, 18 at least. A damaged size field may make a batch smaller than
// its header; of such a one at the end of a file not all fields are there
// (FileChannelRecordBatch).
type head struct {
	bytes record.Batch
	at    int64 // position in the file
	size  int32 // in bytes, offset and length included
}

// legacy tells whether Kafka takes the batch for one of formats 0 and 1.
func (h head) legacy() bool { return h.bytes.Magic() < record.MagicV2 }

// offset is the field at the start: the base offset of format 2, of the older
// formats that of the last message.
func (h head) offset() int64 { return h.bytes.BaseOffset() }

// header is the whole header, if the batch counts as format 2 and the file has
// it.
func (h head) header() (record.Batch, error) {
	if h.legacy() {
		return nil, throw(kafkaException, "magic %d: messages of formats 0 and 1 have no header", h.bytes.Magic())
	}
	if len(h.bytes) < record.HeaderSize {
		return nil, h.short()
	}
	return h.bytes, nil
}

func (h head) short() error {
	return throw(kafkaException, "%d bytes of a header of %d before the file ends", len(h.bytes), record.HeaderSize)
}

// last is the batch's last offset.
func (h head) last() (int64, error) {
	switch {
	case h.legacy():
		return h.offset(), nil
	case len(h.bytes) < record.HeaderSize:
		return 0, h.short()
	}
	return h.bytes.LastOffset(), nil
}

// maxTimestamp is the largest timestamp of the batch's records, in ms.
func (h head) maxTimestamp() (int64, error) {
	if !h.legacy() {
		b, err := h.header()
		if err != nil {
			return 0, err
		}
		return b.MaxTimestamp(), nil
	}
	switch magic := h.bytes.Magic(); {
	case magic < 0:
		return 0, throw(illegalArgument, "magic %d: not that of a format", magic)
	case magic == 0:
		return record.NoTimestamp, nil
	case len(h.bytes) < legacyTimestampEnd:
		return 0, h.short()
	}
	return int64(binary.BigEndian.Uint64(h.bytes[legacyTimestampAt:])), nil
}
