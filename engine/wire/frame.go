package wire

import (
	"encoding/binary"
	"fmt"
	"io"
	"sync"
)

// MaxFrame is the largest request that is read, Kafka's default of
// socket.request.max.bytes.
const MaxFrame = 104857600

// firstRead is how much of a frame is made room for before any of it has come.
const firstRead = 16 << 10

// SizeError is a length that no request can have.
type SizeError struct{ Size, Max int32 }

func (e *SizeError) Error() string {
	if e.Size < 0 {
		return fmt.Sprintf("Invalid receive (size = %d)", e.Size)
	}
	return fmt.Sprintf("Invalid receive (size = %d larger than %d)", e.Size, e.Max)
}

// frameReader reads requests as they are framed on a connection: four bytes of
// length, then header and body.
type frameReader struct {
	src io.Reader
	max int32 // bytes of a frame
	// room is asked before a frame's buffer grows by so many bytes; an error
	// ends the connection. It may be nil.
	room func(n int) error
	used *sync.Pool // buffers to be used again, as *[]byte; it may be nil
}

// leastReused is the size from which on a buffer is worth being used again: a
// large one costs more to make, and to clear, than to fill.
const leastReused = 64 << 10

// grow gives buf n bytes; those behind its own may be anything.
func (r *frameReader) grow(buf []byte, n int) []byte {
	if cap(buf) >= n {
		return buf[:n]
	}
	var grown []byte
	if n >= leastReused && r.used != nil {
		if b, ok := r.used.Get().(*[]byte); ok && cap(*b) >= n {
			grown = (*b)[:n]
		}
	}
	if grown == nil {
		grown = make([]byte, n)
	}
	copy(grown, buf)
	return grown
}

// giveBack takes a frame that nobody refers to any more.
func (r *frameReader) giveBack(frame []byte) {
	if cap(frame) >= leastReused && r.used != nil {
		r.used.Put(&frame)
	}
}

// isProduce tells whether a frame is a Produce request: the only kind that is
// large, and of which the cluster keeps no part.
func isProduce(frame []byte) bool { return len(frame) >= 2 && frame[0] == 0 && frame[1] == 0 }

// next reads one frame. The error is io.EOF where the connection ends between
// frames, io.ErrUnexpectedEOF where it ends inside one, a *SizeError for a
// length that is not possible, or what src says.
func (r *frameReader) next() ([]byte, error) {
	var length [4]byte
	if _, err := io.ReadFull(r.src, length[:]); err != nil {
		return nil, err
	}
	size := int32(binary.BigEndian.Uint32(length[:]))
	if size < 0 || size > r.max {
		return nil, &SizeError{size, r.max}
	}
	return r.body(int(size))
}

// body reads a frame's bytes. Its buffer starts small and grows eightfold as it
// fills, so that a peer holds no more memory than about what it has sent.
func (r *frameReader) body(size int) ([]byte, error) {
	var buf []byte
	for have := 0; ; {
		want := min(size, max(firstRead, 8*have))
		if r.room != nil {
			if err := r.room(want - len(buf)); err != nil {
				return nil, err
			}
		}
		buf = r.grow(buf, want)
		n, err := io.ReadFull(r.src, buf[have:])
		if have += n; err == io.EOF && size > 0 {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return nil, err
		}
		if have == size {
			return buf, nil
		}
	}
}
