package disk

import (
	"bytes"
	"io"
	"slices"
	"sort"
)

// A file of Mem grows by stretches of memory, each as large as the file was
// until then: a checkpoint of ten bytes takes a kilobyte, and no file is ever
// copied to grow. Large ones make most reads lie in one stretch.
const (
	firstRoom   = 1 << 10
	largestRoom = 4 << 20
	// leastAdopted is the size from which on keeping somebody's slice is
	// cheaper than copying it into a stretch that others share.
	leastAdopted = 4 << 10
)

// content is what a file of Mem holds: the bytes as written and, for what was
// changed below the synced end since, the bytes as they were synced. Appending,
// which is nearly all that a log does, saves nothing.
//
// Bytes that were lent, or adopted from somebody else, never change: what is
// written over them goes to memory of its own.
type content struct {
	extents []extent // in order, without gaps
	size    int64
	room    []byte // for what is appended next
	joined  bool   // room begins where the last extent ends

	syncedSize int64    // size at the last sync
	stable     int64    // nothing below was changed since the last sync; <= syncedSize
	saved      []extent // the bytes as synced, if any was changed
	gen        int      // crashes seen, so that old handles can be told
}

// extent is a stretch of a file.
type extent struct {
	start int64
	data  []byte
	lent  bool // somebody else may read data
}

func (e *extent) end() int64 { return e.start + int64(len(e.data)) }

// at is the index of the extent that holds an offset below the end of the last.
func at(list []extent, off int64) int {
	return sort.Search(len(list), func(i int) bool { return list[i].end() > off })
}

// readAt copies bytes from off on and follows io.ReaderAt.
func (c *content) readAt(p []byte, off int64) (int, error) {
	n := 0
	for i := at(c.extents, off); n < len(p) && i < len(c.extents); i++ {
		e := &c.extents[i]
		n += copy(p[n:], e.data[off+int64(n)-e.start:])
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// slice lends n bytes from off on; those of several extents are copied together.
func (c *content) slice(off int64, n int) ([]byte, error) {
	if off+int64(n) > c.size {
		return nil, io.ErrUnexpectedEOF
	}
	if n == 0 {
		return nil, nil
	}
	i := at(c.extents, off)
	if e := &c.extents[i]; off+int64(n) <= e.end() {
		e.lent = true
		from := int(off - e.start)
		return e.data[from : from+n : from+n], nil
	}
	var parts [][]byte
	for left := n; left > 0; i++ {
		e := &c.extents[i]
		part := e.data[off-e.start:]
		part = part[:min(left, len(part))]
		parts = append(parts, part)
		off, left = off+int64(len(part)), left-len(part)
	}
	return bytes.Join(parts, nil), nil
}

// writeAt puts p at off; a hole before it reads as zeros.
func (c *content) writeAt(p []byte, off int64) {
	if off > c.size {
		c.extend(off)
	}
	if off < c.syncedSize {
		c.protect(off)
	}
	over := int(min(int64(len(p)), c.size-off))
	if over > 0 {
		c.overwrite(p[:over], off)
	}
	c.append(p[over:])
}

// overwrite changes bytes that are there.
func (c *content) overwrite(p []byte, off int64) {
	if tail := &c.extents[len(c.extents)-1]; tail.lent && off+int64(len(p)) == c.size {
		c.joined = false // the file will end with an extent of its own
	}
	c.extents = replace(c.extents, off, p)
}

// replace puts p over the bytes of extents from off on: in place where nobody
// else reads them, else into an extent of its own.
func replace(list []extent, off int64, p []byte) []extent {
	for i := at(list, off); len(p) > 0; i++ {
		e := list[i]
		from := int(off - e.start)
		n := min(len(p), len(e.data)-from)
		if !e.lent {
			copy(e.data[from:], p[:n])
		} else {
			var parts []extent
			if from > 0 {
				parts = append(parts, extent{e.start, e.data[:from:from], true})
			}
			parts = append(parts, extent{off, slices.Clone(p[:n]), false})
			if rest := e.data[from+n:]; len(rest) > 0 {
				parts = append(parts, extent{off + int64(n), rest, true})
			}
			list = slices.Replace(list, i, i+1, parts...)
			i = at(list, off)
		}
		off, p = off+int64(n), p[n:]
	}
	return list
}

// ensure makes room for n bytes that shall lie next to each other.
func (c *content) ensure(n int) {
	if n > len(c.room) {
		c.room = make([]byte, max(int64(n), min(largestRoom, max(firstRoom, c.size))))
		c.joined = false
	}
}

// append copies p to the end of the file.
func (c *content) append(p []byte) {
	if len(p) == 0 {
		return
	}
	c.ensure(len(p))
	n := copy(c.room, p)
	if c.joined {
		tail := &c.extents[len(c.extents)-1]
		tail.data = tail.data[:len(tail.data)+n]
	} else {
		c.extents = append(c.extents, extent{start: c.size, data: c.room[:n]})
		c.joined = true
	}
	c.room = c.room[n:]
	c.size += int64(n)
}

// adopt puts p at the end of the file without copying it: nobody changes its
// bytes any more.
func (c *content) adopt(p []byte) {
	if len(p) < leastAdopted {
		c.append(p)
		return
	}
	c.extents = append(c.extents, extent{c.size, p[:len(p):len(p)], true})
	c.joined = false
	c.size += int64(len(p))
}

// extend grows the file to size with zeros.
func (c *content) extend(size int64) {
	if size > c.size {
		c.extents = append(c.extents, extent{start: c.size, data: make([]byte, size-c.size)})
		c.joined = false
		c.size = size
	}
}

// protect saves the synced bytes before a change from an offset on.
func (c *content) protect(from int64) {
	c.stable = min(c.stable, from)
	if c.saved != nil {
		return
	}
	for i := range c.extents {
		c.extents[i].lent = true
	}
	c.saved = slices.Clone(c.extents)
}

// truncate cuts the file to size, or grows it with zeros.
func (c *content) truncate(size int64) {
	if size >= c.size {
		c.extend(size)
		return
	}
	if size < c.syncedSize {
		c.protect(size)
	}
	c.cut(size)
}

// cut drops what lies past size. What was lent stays as it was: the bytes that
// come in its place do not go over it.
func (c *content) cut(size int64) {
	if size == c.size {
		return
	}
	last := len(c.extents) - 1
	keep := at(c.extents, size)
	if n := size - c.extents[keep].start; n > 0 {
		e := &c.extents[keep]
		if c.joined = c.joined && keep == last && !e.lent; c.joined {
			c.room = e.data[n:cap(e.data)]
			e.data = e.data[:n]
		} else {
			e.data = e.data[:n:n]
		}
		keep++
	} else {
		c.joined = false
	}
	clear(c.extents[keep:])
	c.extents = c.extents[:keep]
	c.size = size
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
	case c.saved != nil:
		c.extents, c.size, c.joined = c.saved, c.saved[len(c.saved)-1].end(), false
		c.cut(min(c.syncedSize, c.size))
	default:
		c.cut(min(c.syncedSize, c.size))
	}
	c.sync()
	c.gen++
}

// flip changes a byte at rest, in the synced version too.
func (c *content) flip(off int64, mask byte) {
	if c.saved != nil && off < c.syncedSize {
		c.saved = replace(c.saved, off, []byte{byteAt(c.saved, off) ^ mask})
	}
	c.overwrite([]byte{byteAt(c.extents, off) ^ mask}, off)
}

func byteAt(list []extent, off int64) byte {
	e := &list[at(list, off)]
	return e.data[off-e.start]
}
