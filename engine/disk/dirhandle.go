package disk

import (
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/afero"
)

// dirHandle is an open file of a Dir.
type dirHandle struct {
	afero.File
	disk    *Dir
	name    string
	flag    int
	life    int
	changed bool   // since the file's time was last set
	join    []byte // Append's header and records, put together for one write
}

func (h *dirHandle) writable() bool { return h.flag&(os.O_WRONLY|os.O_RDWR) != 0 }

func (h *dirHandle) check(op string) error {
	if h.life != h.disk.lives {
		return &os.PathError{Op: op, Path: h.name, Err: os.ErrClosed}
	}
	return nil
}

func (h *dirHandle) Name() string { return h.name }

func (h *dirHandle) Read(p []byte) (int, error) {
	err := h.check("read")
	if err == nil {
		err = h.disk.faults.read("read", h.name)
	}
	if err != nil {
		return 0, err
	}
	return h.File.Read(p)
}

func (h *dirHandle) ReadAt(p []byte, off int64) (int, error) {
	err := h.check("read")
	if err == nil {
		err = h.disk.faults.read("read", h.name)
	}
	if err != nil {
		return 0, err
	}
	return h.File.ReadAt(p, off)
}

func (h *dirHandle) Write(p []byte) (int, error) {
	if h.flag&os.O_APPEND != 0 {
		if _, err := h.Seek(0, io.SeekEnd); err != nil {
			return 0, err
		}
	}
	return h.write(p, func(p []byte) (int, error) { return h.File.Write(p) })
}

func (h *dirHandle) WriteString(s string) (int, error) { return h.Write([]byte(s)) }

func (h *dirHandle) WriteAt(p []byte, off int64) (int, error) {
	return h.write(p, func(p []byte) (int, error) { return h.File.WriteAt(p, off) })
}

// write does one write, or as much of it as the disk has room for.
func (h *dirHandle) write(p []byte, do func([]byte) (int, error)) (int, error) {
	if err := h.check("write"); err != nil {
		return 0, err
	}
	allowed, full := h.disk.faults.take("write", h.name, len(p))
	if allowed == 0 && full != nil {
		return 0, full
	}
	n, err := do(p[:allowed])
	h.changed = h.changed || n > 0
	if err == nil {
		err = full
	}
	return n, err
}

// Append implements Appender.
func (h *dirHandle) Append(head, body []byte) (int, error) {
	info, err := h.Stat()
	if err != nil {
		return 0, err
	}
	h.join = append(append(h.join[:0], head...), body...)
	return h.WriteAt(h.join, info.Size())
}

func (h *dirHandle) Truncate(size int64) error {
	if err := h.check("truncate"); err != nil {
		return err
	}
	if err := h.disk.faults.cut(h.name); err != nil {
		return err
	}
	if err := h.File.Truncate(size); err != nil {
		return err
	}
	h.changed = true
	if have, ok := h.disk.synced[h.name]; ok {
		h.disk.synced[h.name] = min(have, size)
	}
	return nil
}

func (h *dirHandle) Sync() error {
	if err := h.check("sync"); err != nil {
		return err
	}
	if err := h.disk.faults.sync(h.name); err != nil {
		return err
	}
	if err := h.File.Sync(); err != nil {
		return err
	}
	if h.writable() {
		if info, err := h.File.Stat(); err == nil {
			if _, ok := h.disk.synced[h.name]; ok {
				h.disk.synced[h.name] = info.Size()
			}
		}
	}
	return h.setTime()
}

func (h *dirHandle) Close() error {
	err := h.File.Close()
	if h.life != h.disk.lives {
		return &os.PathError{Op: "close", Path: h.name, Err: os.ErrClosed}
	}
	if err == nil {
		err = h.setTime()
	}
	return err
}

// setTime gives the file the virtual time of its last change. A file that was
// renamed or removed while open keeps what the system gave it.
func (h *dirHandle) setTime() error {
	if !h.changed {
		return nil
	}
	h.changed = false
	now := h.disk.clock()
	if err := h.disk.Fs.Chtimes(h.name, now, now); err != nil && !os.IsNotExist(err) {
		return err
	}
	return nil
}

// Stat tells the file's virtual time, also between two syncs.
func (h *dirHandle) Stat() (os.FileInfo, error) {
	if err := h.setTime(); err != nil {
		return nil, err
	}
	return h.File.Stat()
}

// Readdir and Readdirnames give all names, or the next ones, in order.
func (h *dirHandle) Readdirnames(count int) ([]string, error) {
	names, err := h.File.Readdirnames(count)
	slices.Sort(names)
	return names, err
}

func (h *dirHandle) Readdir(count int) ([]os.FileInfo, error) {
	infos, err := h.File.Readdir(count)
	slices.SortFunc(infos, func(a, b os.FileInfo) int { return strings.Compare(a.Name(), b.Name()) })
	return infos, err
}
