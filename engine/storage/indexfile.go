package storage

import (
	"errors"
	"io/fs"
	"os"

	"github.com/spf13/afero"

	"kafkalab/engine/disk"
)

// indexFile is the file behind an index whose entries are in memory. Each entry
// is written when it is made, as a memory map would, so that killing the
// process loses none.
//
// Kafka preallocates the indexes of the active segment to segment.index.bytes,
// 10 MiB each, and trims them when the segment is closed. Here a file is always
// as long as its entries: a lab has hundreds of active segments. After a clean
// shutdown no difference is left.
type indexFile struct {
	fs     disk.FS
	path   string
	file   afero.File // nil until it is needed
	size   int64      // bytes of entries in the file
	absent bool       // the file was not there when it was loaded
	dirty  bool       // the file may have bytes beyond size
	fresh  bool       // something was changed since the last sync
	entry  [txnEntrySize]byte
}

// load reads the file; one that is not there is empty. exists tells which.
func (f *indexFile) load() (data []byte, exists bool, err error) {
	data, err = disk.ReadFile(f.fs, f.path)
	if f.absent = errors.Is(err, fs.ErrNotExist); f.absent {
		return nil, false, nil
	}
	return data, err == nil, err
}

// make makes the file if it was not there.
func (f *indexFile) make() error {
	if !f.absent {
		return nil
	}
	return f.open()
}

func (f *indexFile) open() error {
	if f.file != nil {
		return nil
	}
	file, err := f.fs.OpenFile(f.path, os.O_RDWR|os.O_CREATE, 0o644)
	f.file = file
	return err
}

// append writes one entry after the last. It is best made in f.entry, so that
// nothing is allocated.
func (f *indexFile) append(entry []byte) error {
	if err := f.trim(); err != nil {
		return err
	}
	if err := f.open(); err != nil {
		return err
	}
	f.fresh = true
	n, err := f.file.WriteAt(entry, f.size)
	if err != nil {
		f.dirty = f.dirty || n > 0
		return err
	}
	f.size += int64(len(entry))
	return nil
}

// truncate keeps size bytes of entries.
func (f *indexFile) truncate(size int64) error {
	f.dirty = f.dirty || size != f.size
	f.size = size
	return f.trim()
}

// trim cuts what lies past the entries: the tail that Kafka preallocated, or
// half an entry.
func (f *indexFile) trim() error {
	if !f.dirty {
		return nil
	}
	if err := f.open(); err != nil {
		return err
	}
	if err := f.file.Truncate(f.size); err != nil {
		return err
	}
	f.dirty, f.fresh = false, true
	return nil
}

// sync makes the file durable, if it was changed.
func (f *indexFile) sync() error {
	if !f.fresh {
		return nil
	}
	if err := f.open(); err != nil {
		return err
	}
	if err := f.file.Sync(); err != nil {
		return err
	}
	f.fresh = false
	return nil
}

// resize is called when the index may grow to a number of bytes. More entries
// than that are no better than damage: Kafka cuts the file to that size and then
// cannot set its position behind it. The next start finds an index that fits
// (AbstractIndex#resize).
func (f *indexFile) resize(limit int) error {
	if f.size <= int64(limit) {
		return nil
	}
	if err := f.open(); err != nil {
		return err
	}
	if err := f.file.Truncate(int64(limit)); err != nil {
		return err
	}
	return damaged(f.path, -1, throw(illegalArgument, "newPosition > limit: (%d > %d): the index holds %d bytes, segment.index.bytes leaves room for %d", f.size, limit, f.size, limit))
}

func (f *indexFile) close() error {
	if f.file == nil {
		return nil
	}
	err := f.file.Close()
	f.file = nil
	return err
}
