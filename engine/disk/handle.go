package disk

import (
	"io"
	"os"
	"path"
)

// handle is an open file or folder of Mem.
type handle struct {
	disk   *Mem
	node   *node
	name   string
	flag   int
	life   int // crashes of the disk when it was opened
	pos    int64
	read   int // names already given by Readdir
	closed bool
}

func (h *handle) writable() bool { return h.flag&(os.O_WRONLY|os.O_RDWR) != 0 }

// check refuses what the handle is not open for.
func (h *handle) check(op string, write bool) error {
	var err error
	switch {
	case h.closed || h.life != h.disk.crashes:
		err = os.ErrClosed
	case h.node.dir != nil:
		err = errIsDir
	case write && !h.writable(), !write && h.flag&os.O_WRONLY != 0:
		err = os.ErrPermission
	default:
		return nil
	}
	return &os.PathError{Op: op, Path: h.name, Err: err}
}

func (h *handle) Name() string { return h.name }

func (h *handle) Close() error {
	if h.closed || h.life != h.disk.crashes {
		return &os.PathError{Op: "close", Path: h.name, Err: os.ErrClosed}
	}
	h.closed = true
	return nil
}

func (h *handle) Read(p []byte) (int, error) {
	n, err := h.ReadAt(p, h.pos)
	h.pos += int64(n)
	if n > 0 && err == io.EOF {
		err = nil // Read says EOF only when there was nothing
	}
	return n, err
}

func (h *handle) ReadAt(p []byte, off int64) (int, error) {
	if err := h.check("read", false); err != nil {
		return 0, err
	}
	if off < 0 {
		return 0, &os.PathError{Op: "read", Path: h.name, Err: os.ErrInvalid}
	}
	if err := h.disk.faults.read("read", h.name); err != nil {
		return 0, err
	}
	return h.node.content.readAt(p, off)
}

func (h *handle) Seek(offset int64, whence int) (int64, error) {
	if err := h.check("seek", h.writable()); err != nil {
		return 0, err
	}
	switch whence {
	case io.SeekCurrent:
		offset += h.pos
	case io.SeekEnd:
		offset += h.node.content.size
	}
	if offset < 0 || whence < io.SeekStart || whence > io.SeekEnd {
		return 0, &os.PathError{Op: "seek", Path: h.name, Err: os.ErrInvalid}
	}
	h.pos = offset
	return offset, nil
}

func (h *handle) Write(p []byte) (int, error) {
	if h.flag&os.O_APPEND != 0 {
		h.pos = h.node.content.size
	}
	n, err := h.WriteAt(p, h.pos)
	h.pos += int64(n)
	return n, err
}

func (h *handle) WriteString(s string) (int, error) { return h.Write([]byte(s)) }

func (h *handle) WriteAt(p []byte, off int64) (int, error) {
	if err := h.check("write", true); err != nil {
		return 0, err
	}
	if off < 0 {
		return 0, &os.PathError{Op: "write", Path: h.name, Err: os.ErrInvalid}
	}
	n, err := h.disk.faults.take("write", h.name, len(p))
	if n > 0 {
		h.node.content.writeAt(p[:n], off)
		h.node.mtime = h.disk.clock()
	}
	return n, err
}

// Slice implements Slicer.
func (h *handle) Slice(off int64, n int) ([]byte, error) {
	if err := h.check("read", false); err != nil {
		return nil, err
	}
	if off < 0 || n < 0 {
		return nil, &os.PathError{Op: "read", Path: h.name, Err: os.ErrInvalid}
	}
	if err := h.disk.faults.read("read", h.name); err != nil {
		return nil, err
	}
	return h.node.content.slice(off, n)
}

// Adopt implements Adopter.
func (h *handle) Adopt(p []byte) (int, error) {
	if err := h.check("write", true); err != nil {
		return 0, err
	}
	n, err := h.disk.faults.take("write", h.name, len(p))
	if n > 0 {
		h.node.content.adopt(p[:n])
		h.node.mtime = h.disk.clock()
	}
	return n, err
}

// Append implements Appender.
func (h *handle) Append(head, body []byte) (int, error) {
	h.node.content.ensure(len(head) + len(body)) // a batch is read as one
	n, err := h.WriteAt(head, h.node.content.size)
	if err != nil {
		return n, err
	}
	m, err := h.WriteAt(body, h.node.content.size)
	return n + m, err
}

func (h *handle) Truncate(size int64) error {
	if err := h.check("truncate", true); err != nil {
		return err
	}
	if size < 0 {
		return &os.PathError{Op: "truncate", Path: h.name, Err: os.ErrInvalid}
	}
	if err := h.disk.faults.cut(h.name); err != nil {
		return err
	}
	h.truncate(size)
	return nil
}

func (h *handle) truncate(size int64) {
	h.disk.cut(&h.node.content, size)
	h.node.content.truncate(size)
	h.node.mtime = h.disk.clock()
}

// Sync makes the file's bytes durable, and with them all names and lengths
// changed before.
func (h *handle) Sync() error {
	if h.closed || h.life != h.disk.crashes {
		return &os.PathError{Op: "sync", Path: h.name, Err: os.ErrClosed}
	}
	if err := h.disk.faults.sync(h.name); err != nil {
		return err
	}
	h.disk.commit()
	h.node.content.sync()
	return nil
}

func (h *handle) Stat() (os.FileInfo, error) {
	if h.closed || h.life != h.disk.crashes {
		return nil, &os.PathError{Op: "stat", Path: h.name, Err: os.ErrClosed}
	}
	return h.node.info(path.Base(h.name)), nil
}

func (h *handle) Readdir(count int) ([]os.FileInfo, error) {
	names, err := h.Readdirnames(count)
	infos := make([]os.FileInfo, 0, len(names))
	for _, name := range names {
		if n := h.node.dir[name]; n != nil {
			infos = append(infos, n.info(name))
		}
	}
	return infos, err
}

func (h *handle) Readdirnames(count int) ([]string, error) {
	switch {
	case h.closed || h.life != h.disk.crashes:
		return nil, &os.PathError{Op: "readdir", Path: h.name, Err: os.ErrClosed}
	case h.node.dir == nil:
		return nil, &os.PathError{Op: "readdir", Path: h.name, Err: errNotDir}
	}
	names := h.node.names()
	names = names[min(h.read, len(names)):]
	if count > 0 {
		if len(names) == 0 {
			return nil, io.EOF
		}
		names = names[:min(count, len(names))]
	}
	h.read += len(names)
	return names, nil
}
