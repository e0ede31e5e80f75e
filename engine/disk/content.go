package disk

import (
	"io"
	"slices"
)

// chunkSize is the unit in which a file of Mem grows. Only the first chunk of
// a file is smaller, and doubles: a checkpoint of ten bytes takes a kilobyte,
// and no file is ever copied to grow.
const (
	chunkBits  = 16
	chunkSize  = 1 << chunkBits
	firstChunk = 1 << 10
)

// content is what a file of Mem holds: the bytes as written and, for what was
// changed below the synced end since, the chunks as they were synced.
// Appending, which is nearly all that a log does, saves nothing.
type content struct {
	chunks [][]byte // each full but for the first, which may be shorter, and what lies past size
	size   int64

	syncedSize int64          // size at the last sync
	stable     int64          // nothing below was changed since the last sync; <= syncedSize
	saved      map[int][]byte // by chunk: bytes as synced, where they were changed
	gen        int            // crashes seen, so that old handles can be told
}

// readAt copies bytes from off on and follows io.ReaderAt.
func (c *content) readAt(p []byte, off int64) (int, error) {
	if off >= c.size {
		if len(p) == 0 {
			return 0, nil
		}
		return 0, io.EOF
	}
	want := p
	if int64(len(want)) > c.size-off {
		want = want[:c.size-off]
	}
	n := 0
	for n < len(want) {
		at := off + int64(n)
		n += copy(want[n:], c.chunks[at>>chunkBits][at&(chunkSize-1):])
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// writeAt puts p at off; a hole before it reads as zeros.
func (c *content) writeAt(p []byte, off int64) {
	if off > c.size {
		c.extend(off)
	}
	if off < c.syncedSize {
		c.protect(off, off+int64(len(p)))
	}
	c.reserve(off + int64(len(p)))
	for n := 0; n < len(p); {
		at := off + int64(n)
		n += copy(c.chunks[at>>chunkBits][at&(chunkSize-1):], p[n:])
	}
	c.size = max(c.size, off+int64(len(p)))
}

// extend grows the file to size with zeros. Bytes past the end may be left
// over from before a truncation, so they are cleared.
func (c *content) extend(size int64) {
	c.reserve(size)
	for at := c.size; at < size; {
		chunk := c.chunks[at>>chunkBits]
		from := int(at & (chunkSize - 1))
		to := min(len(chunk), from+int(min(size-at, chunkSize)))
		clear(chunk[from:to])
		at += int64(to - from)
	}
	c.size = size
}

// reserve makes room for size bytes.
func (c *content) reserve(size int64) {
	if size <= 0 {
		return
	}
	last := int((size - 1) >> chunkBits)
	if last == 0 {
		c.reserveFirst(int(size))
		return
	}
	c.reserveFirst(chunkSize)
	for len(c.chunks) <= last {
		c.chunks = append(c.chunks, make([]byte, chunkSize))
	}
}

func (c *content) reserveFirst(size int) {
	if len(c.chunks) == 0 {
		c.chunks = append(c.chunks, nil)
	}
	have := len(c.chunks[0])
	if have >= size {
		return
	}
	grown := make([]byte, min(chunkSize, max(size, 2*have, firstChunk)))
	copy(grown, c.chunks[0])
	c.chunks[0] = grown
}

// protect saves the synced bytes of the chunks that a change of [from, to)
// touches.
func (c *content) protect(from, to int64) {
	c.stable = min(c.stable, from)
	to = min(to, c.syncedSize)
	for i := int(from >> chunkBits); int64(i)<<chunkBits < to && i < len(c.chunks); i++ {
		c.save(i, slices.Clone(c.chunks[i]))
	}
}

func (c *content) save(i int, chunk []byte) {
	if _, done := c.saved[i]; done {
		return
	}
	if c.saved == nil {
		c.saved = map[int][]byte{}
	}
	c.saved[i] = chunk
}

// truncate cuts the file to size, or grows it with zeros.
func (c *content) truncate(size int64) {
	if size >= c.size {
		c.extend(size)
		return
	}
	if size < c.syncedSize {
		c.stable = min(c.stable, size)
		for i := int(size >> chunkBits); i < len(c.chunks) && int64(i)<<chunkBits < c.syncedSize; i++ {
			if int64(i)<<chunkBits < size {
				c.save(i, slices.Clone(c.chunks[i])) // the part before size lives on and may change
			} else {
				c.save(i, c.chunks[i])
			}
		}
	}
	c.size = size
	keep := int((size + chunkSize - 1) >> chunkBits)
	clear(c.chunks[keep:])
	c.chunks = c.chunks[:keep]
}

// sync makes the present bytes the durable ones.
func (c *content) sync() {
	c.saved = nil
	c.syncedSize, c.stable = c.size, c.size
}

// commitCut makes a truncation to size durable by itself: a journal keeps a
// file's length even where its data was not synced.
func (c *content) commitCut(size int64) {
	c.syncedSize = min(c.syncedSize, size)
	c.stable = min(c.stable, c.syncedSize)
}

// unsynced is how many bytes from stable on were written since the last sync.
func (c *content) unsynced() int64 { return c.size - min(c.stable, c.size) }

// crash leaves what was synced or, with keep > 0, what was written up to keep
// bytes past the first change. The result is durable.
func (c *content) crash(keep int64) {
	switch {
	case keep > 0:
		c.truncate(c.stable + keep)
	default:
		// order: each chunk is put back at its own place
		for i, chunk := range c.saved {
			for len(c.chunks) <= i {
				c.chunks = append(c.chunks, nil)
			}
			c.chunks[i] = chunk
		}
		c.saved = nil
		c.size = min(c.syncedSize, c.capacity())
		c.truncateChunks()
	}
	c.sync()
	c.gen++
}

func (c *content) capacity() int64 {
	if len(c.chunks) == 0 {
		return 0
	}
	return int64(len(c.chunks)-1)<<chunkBits + int64(len(c.chunks[len(c.chunks)-1]))
}

func (c *content) truncateChunks() {
	keep := int((c.size + chunkSize - 1) >> chunkBits)
	c.chunks = c.chunks[:keep]
}
