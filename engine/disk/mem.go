package disk

import (
	"errors"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/spf13/afero"
)

// Mem is a disk in memory. Its files grow by extents, so that an append copies
// what is appended and nothing else.
type Mem struct {
	root    *node
	clock   func() time.Time
	faults  Faults
	journal []change // names and lengths changed since the last sync
	crashes int      // handles of an earlier life are dead
}

var _ FS = (*Mem)(nil)

var (
	errNotDir   = errors.New("not a directory")
	errIsDir    = errors.New("is a directory")
	errNotEmpty = errors.New("directory not empty")
)

// NewMem makes an empty disk. Files get their times from clock; nil stands
// for a clock that never moves from the Unix epoch.
func NewMem(clock func() time.Time) *Mem {
	if clock == nil {
		clock = epoch
	}
	return &Mem{root: newDir(0o755, clock()), clock: clock}
}

// Name is that of the file system's kind, as afero asks for.
func (m *Mem) Name() string { return "disk.Mem" }

// Faults tells the present faults; of a budget, what is left.
func (m *Mem) Faults() Faults { return m.faults }

// SetFaults replaces them.
func (m *Mem) SetFaults(f Faults) { m.faults = f }

// Create makes an empty file, or empties one.
func (m *Mem) Create(name string) (afero.File, error) {
	return m.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
}

// Open opens a file or folder for reading.
func (m *Mem) Open(name string) (afero.File, error) { return m.OpenFile(name, os.O_RDONLY, 0) }

// OpenFile follows os.OpenFile.
func (m *Mem) OpenFile(name string, flag int, perm os.FileMode) (afero.File, error) {
	name = clean(name)
	n := m.find(name)
	if n == nil && flag&os.O_CREATE == 0 {
		return nil, &os.PathError{Op: "open", Path: name, Err: os.ErrNotExist}
	}
	if n != nil && flag&(os.O_CREATE|os.O_EXCL) == os.O_CREATE|os.O_EXCL {
		return nil, &os.PathError{Op: "open", Path: name, Err: os.ErrExist}
	}
	if n == nil {
		dir, base, err := m.parent("open", name)
		if err == nil {
			err = m.faults.space("open", name)
		}
		if err != nil {
			return nil, err
		}
		n = &node{mode: perm.Perm(), mtime: m.clock()}
		m.set(dir, base, n)
	}
	h := &handle{disk: m, node: n, name: name, flag: flag, life: m.crashes}
	if h.writable() {
		if err := m.faults.change("open", name); err != nil {
			return nil, err
		}
	}
	if n.dir != nil && h.writable() {
		return nil, &os.PathError{Op: "open", Path: name, Err: errIsDir}
	}
	if flag&os.O_TRUNC != 0 && h.writable() {
		h.truncate(0)
	}
	return h, nil
}

// Mkdir makes a folder whose parent is there.
func (m *Mem) Mkdir(name string, perm os.FileMode) error {
	name = clean(name)
	dir, base, err := m.parent("mkdir", name)
	if err != nil {
		return err
	}
	if name == "/" || dir.dir[base] != nil {
		return &os.PathError{Op: "mkdir", Path: name, Err: os.ErrExist}
	}
	if err := m.faults.space("mkdir", name); err != nil {
		return err
	}
	m.set(dir, base, newDir(perm.Perm(), m.clock()))
	return nil
}

// MkdirAll makes a folder and its parents; one that is there is no error.
func (m *Mem) MkdirAll(name string, perm os.FileMode) error {
	name = clean(name)
	if n := m.find(name); n != nil {
		if n.dir == nil {
			return &os.PathError{Op: "mkdir", Path: name, Err: errNotDir}
		}
		return nil
	}
	if err := m.MkdirAll(path.Dir(name), perm); err != nil {
		return err
	}
	return m.Mkdir(name, perm)
}

// Remove takes away a file or an empty folder. Handles to it stay good.
func (m *Mem) Remove(name string) error {
	name = clean(name)
	n := m.find(name)
	if n == nil || name == "/" {
		return &os.PathError{Op: "remove", Path: name, Err: os.ErrNotExist}
	}
	if len(n.dir) > 0 {
		return &os.PathError{Op: "remove", Path: name, Err: errNotEmpty}
	}
	if err := m.faults.change("remove", name); err != nil {
		return err
	}
	dir, base, _ := m.parent("remove", name)
	m.set(dir, base, nil)
	return nil
}

// RemoveAll takes away a file, or a folder with all that is in it; nothing
// there is no error.
func (m *Mem) RemoveAll(name string) error {
	name = clean(name)
	n := m.find(name)
	if n == nil {
		return nil
	}
	if err := m.faults.change("remove", name); err != nil {
		return err
	}
	if name == "/" {
		for _, child := range n.names() {
			m.set(n, child, nil)
		}
		return nil
	}
	dir, base, _ := m.parent("remove", name)
	m.set(dir, base, nil)
	return nil
}

// Rename moves a file or folder, in one step, over a file or empty folder
// that may have the new name.
func (m *Mem) Rename(oldName, newName string) error {
	oldName, newName = clean(oldName), clean(newName)
	fail := func(err error) error { return &os.LinkError{Op: "rename", Old: oldName, New: newName, Err: err} }
	n := m.find(oldName)
	if n == nil || oldName == "/" {
		return fail(os.ErrNotExist)
	}
	from, oldBase, _ := m.parent("rename", oldName)
	to, newBase, err := m.parent("rename", newName)
	switch {
	case err != nil:
		return fail(os.ErrNotExist)
	case oldName == newName:
		return nil
	case strings.HasPrefix(newName, oldName+"/"):
		return fail(os.ErrInvalid)
	}
	if target := to.dir[newBase]; target != nil {
		switch {
		case target.dir != nil && n.dir == nil:
			return fail(errIsDir)
		case target.dir == nil && n.dir != nil:
			return fail(errNotDir)
		case len(target.dir) > 0:
			return fail(errNotEmpty)
		}
	}
	if m.faults.ReadOnly {
		return fail(ErrReadOnly)
	}
	m.set(from, oldBase, nil)
	m.set(to, newBase, n)
	return nil
}

// Stat tells size, time and kind of a file or folder.
func (m *Mem) Stat(name string) (os.FileInfo, error) {
	name = clean(name)
	n := m.find(name)
	if n == nil {
		return nil, &os.PathError{Op: "stat", Path: name, Err: os.ErrNotExist}
	}
	return n.info(path.Base(name)), nil
}

// Chmod sets the permission bits; nothing here is denied by them.
func (m *Mem) Chmod(name string, mode os.FileMode) error {
	n := m.find(clean(name))
	if n == nil {
		return &os.PathError{Op: "chmod", Path: name, Err: os.ErrNotExist}
	}
	if err := m.faults.change("chmod", name); err != nil {
		return err
	}
	n.mode = n.mode&^os.ModePerm | mode.Perm()
	return nil
}

// Chown only looks whether the file is there: a disk of a lab has no users.
func (m *Mem) Chown(name string, _, _ int) error {
	if m.find(clean(name)) == nil {
		return &os.PathError{Op: "chown", Path: name, Err: os.ErrNotExist}
	}
	return nil
}

// Chtimes sets the time of last change. Access times are not kept.
func (m *Mem) Chtimes(name string, _, mtime time.Time) error {
	n := m.find(clean(name))
	if n == nil {
		return &os.PathError{Op: "chtimes", Path: name, Err: os.ErrNotExist}
	}
	if err := m.faults.change("chtimes", name); err != nil {
		return err
	}
	n.mtime = mtime
	return nil
}

// SyncDir makes a folder's names durable.
func (m *Mem) SyncDir(name string) error {
	name = clean(name)
	n := m.find(name)
	switch {
	case n == nil:
		return &os.PathError{Op: "sync", Path: name, Err: os.ErrNotExist}
	case n.dir == nil:
		return &os.PathError{Op: "sync", Path: name, Err: errNotDir}
	}
	if err := m.faults.sync(name); err != nil {
		return err
	}
	m.commit()
	return nil
}

// Unsynced is how many bytes of a file a crash may take.
func (m *Mem) Unsynced(name string) int64 {
	n := m.find(clean(name))
	if n == nil || n.dir != nil {
		return 0
	}
	return n.content.unsynced()
}

// Flip changes one byte at rest.
func (m *Mem) Flip(name string, offset int64, mask byte) error {
	name = clean(name)
	n := m.find(name)
	switch {
	case n == nil:
		return &os.PathError{Op: "flip", Path: name, Err: os.ErrNotExist}
	case n.dir != nil:
		return &os.PathError{Op: "flip", Path: name, Err: errIsDir}
	case offset < 0 || offset >= n.content.size:
		return &os.PathError{Op: "flip", Path: name, Err: io.EOF}
	}
	n.content.flip(offset, mask)
	return nil
}

func sortStrings(s []string) { slices.Sort(s) }
