package disk

import (
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/afero"
)

// Dir is a disk in a folder of the real file system, where Kafka's own tools
// can read it. Files carry virtual times, set when they are synced or closed.
// It knows how much of each file was synced since it was opened, so that a
// crash can be played; see Crash for what that leaves out.
type Dir struct {
	afero.Fs
	clock  func() time.Time
	faults Faults
	synced map[string]int64 // by cleaned name, of files written since the disk was opened
	lives  int              // handles of an earlier life are dead
}

var _ FS = (*Dir)(nil)

// NewDir opens the disk in the folder root, which is made when it is not
// there. The error says which folder cannot be used and why.
func NewDir(root string, clock func() time.Time) (FS, error) {
	if clock == nil {
		clock = epoch
	}
	if err := os.MkdirAll(root, 0o755); err != nil {
		return nil, fmt.Errorf("disk: folder %q cannot be made: %w", root, err)
	}
	info, err := os.Stat(root)
	if err == nil && !info.IsDir() {
		err = errNotDir
	}
	if err != nil {
		return nil, fmt.Errorf("disk: folder %q cannot be used: %w", root, err)
	}
	return &Dir{
		Fs:     afero.NewBasePathFs(afero.NewOsFs(), root),
		clock:  clock,
		synced: map[string]int64{},
	}, nil
}

// Name is that of the file system's kind, as afero asks for.
func (d *Dir) Name() string { return "disk.Dir" }

// Faults tells the present faults; of a budget, what is left.
func (d *Dir) Faults() Faults { return d.faults }

// SetFaults replaces them.
func (d *Dir) SetFaults(f Faults) { d.faults = f }

// Create makes an empty file, or empties one.
func (d *Dir) Create(name string) (afero.File, error) {
	return d.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
}

// Open opens a file or folder for reading.
func (d *Dir) Open(name string) (afero.File, error) { return d.OpenFile(name, os.O_RDONLY, 0) }

// OpenFile follows os.OpenFile.
func (d *Dir) OpenFile(name string, flag int, perm os.FileMode) (afero.File, error) {
	name = clean(name)
	fresh := flag&os.O_CREATE != 0 && !Exists(d.Fs, name)
	if fresh {
		if err := d.faults.space("open", name); err != nil {
			return nil, err
		}
	}
	if flag&(os.O_WRONLY|os.O_RDWR) != 0 {
		if err := d.faults.change("open", name); err != nil {
			return nil, err
		}
	}
	// O_APPEND is kept by hand: WriteAt is refused on files opened with it.
	f, err := d.Fs.OpenFile(name, flag&^os.O_APPEND, perm)
	if err != nil {
		return nil, err
	}
	h := &dirHandle{File: f, disk: d, name: name, flag: flag, life: d.lives}
	if h.writable() {
		d.note(name, f)
		h.changed = fresh || flag&os.O_TRUNC != 0
	}
	return h, nil
}

// note begins to count the unsynced bytes of a file: what it has when it is
// first opened for writing is taken as synced.
func (d *Dir) note(name string, f afero.File) {
	size := int64(0)
	if info, err := f.Stat(); err == nil {
		size = info.Size()
	}
	if have, ok := d.synced[name]; ok {
		d.synced[name] = min(have, size)
		return
	}
	d.synced[name] = size
}

// Mkdir makes a folder whose parent is there.
func (d *Dir) Mkdir(name string, perm os.FileMode) error {
	if err := d.faults.space("mkdir", name); err != nil {
		return err
	}
	return d.Fs.Mkdir(clean(name), perm)
}

// MkdirAll makes a folder and its parents.
func (d *Dir) MkdirAll(name string, perm os.FileMode) error {
	if !Exists(d.Fs, clean(name)) {
		if err := d.faults.space("mkdir", name); err != nil {
			return err
		}
	}
	return d.Fs.MkdirAll(clean(name), perm)
}

// Remove takes away a file or an empty folder.
func (d *Dir) Remove(name string) error {
	name = clean(name)
	if err := d.faults.change("remove", name); err != nil {
		return err
	}
	err := d.Fs.Remove(name)
	if err == nil {
		delete(d.synced, name)
	}
	return err
}

// RemoveAll takes away a file, or a folder with all that is in it.
func (d *Dir) RemoveAll(name string) error {
	name = clean(name)
	if err := d.faults.change("remove", name); err != nil {
		return err
	}
	if err := d.Fs.RemoveAll(name); err != nil {
		return err
	}
	d.rename(name, "")
	return nil
}

// Rename moves a file or folder in one step.
func (d *Dir) Rename(oldName, newName string) error {
	oldName, newName = clean(oldName), clean(newName)
	if err := d.faults.change("rename", oldName); err != nil {
		return err
	}
	if err := d.Fs.Rename(oldName, newName); err != nil {
		return err
	}
	delete(d.synced, newName)
	d.rename(oldName, newName)
	return nil
}

// Chtimes sets a file's time of last change.
func (d *Dir) Chtimes(name string, atime, mtime time.Time) error {
	if err := d.faults.change("chtimes", name); err != nil {
		return err
	}
	return d.Fs.Chtimes(clean(name), atime, mtime)
}

// rename moves what is known of a name and all below it; an empty new name
// forgets it.
func (d *Dir) rename(from, to string) {
	for _, name := range d.noted() {
		if name != from && !below(name, from) {
			continue
		}
		size := d.synced[name]
		delete(d.synced, name)
		if to != "" {
			d.synced[to+name[len(from):]] = size
		}
	}
}

func (d *Dir) noted() []string {
	names := make([]string, 0, len(d.synced))
	// order: sorted below
	for name := range d.synced {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func below(name, dir string) bool {
	return dir == "/" || len(name) > len(dir) && name[:len(dir)] == dir && name[len(dir)] == '/'
}

// SyncDir makes a folder's names durable.
func (d *Dir) SyncDir(name string) error {
	if err := d.faults.sync(name); err != nil {
		return err
	}
	f, err := d.Fs.Open(clean(name))
	if err != nil {
		return err
	}
	err = f.Sync()
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// Unsynced is how many bytes were written to a file since its last sync.
func (d *Dir) Unsynced(name string) int64 {
	name = clean(name)
	synced, ok := d.synced[name]
	info, err := d.Fs.Stat(name)
	if !ok || err != nil {
		return 0
	}
	return max(info.Size()-synced, 0)
}

// Crash cuts each file written since the disk was opened to what was synced
// and keep.Tail more bytes. Names and lengths, and bytes changed in place,
// stay as they are: the real disk has them, and nothing here remembers what
// was before.
func (d *Dir) Crash(keep Keep) error {
	d.lives++
	for _, name := range d.noted() {
		unsynced := d.Unsynced(name)
		if unsynced == 0 {
			continue
		}
		size := d.synced[name] + keep.tail(name, unsynced)
		f, err := d.Fs.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			return fmt.Errorf("disk: crash: %w", err)
		}
		err = f.Truncate(size)
		if e := f.Close(); err == nil {
			err = e
		}
		if err != nil {
			return fmt.Errorf("disk: crash: %w", err)
		}
		now := d.clock()
		if err := d.Fs.Chtimes(name, now, now); err != nil {
			return fmt.Errorf("disk: crash: %w", err)
		}
	}
	clear(d.synced)
	return nil
}

// Flip changes one byte at rest; the file's time stays.
func (d *Dir) Flip(name string, offset int64, mask byte) error {
	name = clean(name)
	info, err := d.Fs.Stat(name)
	if err != nil {
		return err
	}
	f, err := d.Fs.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	var b [1]byte
	if _, err = f.ReadAt(b[:], offset); err == nil {
		b[0] ^= mask
		_, err = f.WriteAt(b[:], offset)
	} else {
		err = &os.PathError{Op: "flip", Path: name, Err: err}
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return d.Fs.Chtimes(name, info.ModTime(), info.ModTime())
}
