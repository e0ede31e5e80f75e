// Package disk holds the disks of the cluster's nodes: afero file systems that
// know what was written from what was synced. A process that is killed loses
// nothing of what it wrote, because the operating system has it; a machine
// that crashes keeps what was synced and, of the rest, a part. Kafka syncs
// rarely and relies on replication, so the difference decides what a replica
// still has after a power failure.
//
// There are two: Mem, in memory, and Dir, a folder of the real disk. Both take
// their times from a clock they are given, and both can be full or damaged on
// demand. Neither is safe for concurrent use: a node is one state machine, and
// its disk is part of it.
package disk

import (
	"errors"
	"io"
	"os"
	"path"
	"strings"
	"time"

	"github.com/spf13/afero"
)

// FS is a disk as the engine uses it. Names are slash paths from the disk's
// root, with or without a leading slash.
type FS interface {
	afero.Fs

	// SyncDir makes the creations, renames and removals in a folder durable.
	// Kafka does so after it swaps files and for new segments
	// (org.apache.kafka.common.utils.Utils#flushDir).
	SyncDir(name string) error

	// Unsynced is how many bytes at the end of a file a crash may take: those
	// written since its last sync. 0 for a file that is not there.
	Unsynced(name string) int64

	// Crash is what a power failure does to the disk. Handles that were open
	// are dead afterwards; the faults stay.
	Crash(keep Keep) error

	// Flip changes one byte of a file to byte XOR mask, as a bad disk does:
	// at rest, unnoticed, durable at once.
	Flip(name string, offset int64, mask byte) error

	// Faults tells the present faults; SetFaults replaces them.
	Faults() Faults
	SetFaults(Faults)
}

// Keep says what survives a crash beyond what was synced. Both functions are
// called in an order that depends on the disk's contents only; what they
// return is cut to the range allowed. A nil function keeps nothing.
type Keep struct {
	// Ops gets the number of creations, renames, removals and truncations
	// since the last sync and says how many of them, from the oldest on,
	// reached the disk: a journal keeps a prefix.
	Ops func(n int) int
	// Tail gets a file and the number of its unsynced bytes and says how many
	// of them, from the lowest on, reached the disk.
	Tail func(name string, unsynced int64) int64
}

func (k Keep) ops(n int) int {
	if k.Ops == nil || n == 0 {
		return 0
	}
	return min(max(k.Ops(n), 0), n)
}

func (k Keep) tail(name string, unsynced int64) int64 {
	if k.Tail == nil || unsynced == 0 {
		return 0
	}
	return min(max(k.Tail(name, unsynced), 0), unsynced)
}

// Appender is a file that writes two slices at its end as one write. The log
// uses it to put a batch's header, with its offset filled in, before records
// that it was lent and does not change. All files of this package have it.
type Appender interface {
	// Append writes head and body at the end of the file, wherever its
	// offset stands, and returns how many bytes were written.
	Append(head, body []byte) (int, error)
}

// Append writes head and body at the end of f, which has size bytes.
func Append(f afero.File, size int64, head, body []byte) (int, error) {
	if a, ok := f.(Appender); ok {
		return a.Append(head, body)
	}
	n, err := f.WriteAt(head, size)
	if err != nil {
		return n, err
	}
	m, err := f.WriteAt(body, size+int64(n))
	return n + m, err
}

// Slicer is a file that lends bytes of its own.
type Slicer interface {
	// Slice gives n bytes from off on. They never change, whatever happens to
	// the file, and must not be changed. The error is io.ErrUnexpectedEOF if
	// the file ends before.
	Slice(off int64, n int) ([]byte, error)
}

// Slice gives n bytes of f from off on, without copying them where f can.
func Slice(f afero.File, off int64, n int) ([]byte, error) {
	if s, ok := f.(Slicer); ok {
		return s.Slice(off, n)
	}
	b := make([]byte, n)
	_, err := f.ReadAt(b, off)
	return b, err
}

// Adopter is a file that takes bytes over at its end: it may keep the slice,
// which must not be changed any more.
type Adopter interface {
	Adopt(p []byte) (int, error)
}

// Adopt gives p to f, which has size bytes, as its new end. What a leader read
// from its log is thus in the memory of a whole cluster once.
func Adopt(f afero.File, size int64, p []byte) (int, error) {
	if a, ok := f.(Adopter); ok {
		return a.Adopt(p)
	}
	return f.WriteAt(p, size)
}

// ErrNoSpace is what writes get on a full disk (ENOSPC), ErrIO what they get
// from a broken one (EIO), ErrReadOnly what every change gets on one that can
// only be read (EROFS).
var (
	ErrNoSpace  = errors.New("no space left on device")
	ErrIO       = errors.New("input/output error")
	ErrReadOnly = errors.New("read-only file system")
)

// ReadFile reads a whole file.
func ReadFile(fs afero.Fs, name string) ([]byte, error) { return afero.ReadFile(fs, name) }

// WriteFileAtomic writes a file so that after a crash it has either its old or
// its new contents: into name.tmp, synced, renamed over name, folder synced.
// All of Kafka's checkpoint files are written so
// (org.apache.kafka.server.common.CheckpointFile#write).
func WriteFileAtomic(fs FS, name string, data []byte) error {
	tmp := name + ".tmp"
	f, err := fs.OpenFile(tmp, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	if err := fs.Rename(tmp, name); err != nil {
		return err
	}
	return fs.SyncDir(path.Dir(clean(name)))
}

// Exists tells whether a file or folder is there.
func Exists(fs afero.Fs, name string) bool {
	_, err := fs.Stat(name)
	return err == nil
}

// Names lists the names in a folder, sorted.
func Names(fs afero.Fs, dir string) ([]string, error) {
	f, err := fs.Open(dir)
	if err != nil {
		return nil, err
	}
	names, err := f.Readdirnames(-1)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil && err != io.EOF {
		return nil, err
	}
	sortStrings(names)
	return names, nil
}

// clean brings a name into the one form used inside: rooted, slashes only.
func clean(name string) string {
	return path.Clean("/" + strings.ReplaceAll(name, "\\", "/"))
}

// epoch is the clock of a disk that was given none.
func epoch() time.Time { return time.UnixMilli(0).UTC() }
