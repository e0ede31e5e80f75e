package progress

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	"github.com/adrg/xdg"
	"github.com/gofrs/flock"
	"github.com/google/renameio/v2"
	"github.com/spf13/afero"
)

const (
	dirMode  = 0o700
	fileMode = 0o600
	// Another lab holds the lock for as long as it takes to write one small
	// file; longer than this it hangs, and the save is tried again later.
	lockWait  = 2 * time.Second
	lockRetry = 5 * time.Millisecond
)

var errBusy = errors.New("another lab holds its lock")

// DefaultPath is where a learner's file is when nobody names another:
// $XDG_DATA_HOME/kafkalab/progress.json, or what the system has for that.
func DefaultPath() string { return filepath.Join(xdg.DataHome, "kafkalab", "progress.json") }

// file is the progress file on its file system.
type file struct {
	fs   afero.Fs
	path string
	real bool // the operating system's: other processes may be at the same file
}

func newFile(fsys afero.Fs, path string) file {
	_, real := fsys.(*afero.OsFs)
	if real {
		// A link to a file kept elsewhere stays a link: the file behind it is
		// replaced, not the link.
		if target, err := filepath.EvalSymlinks(path); err == nil {
			path = target
		}
	}
	return file{fs: fsys, path: path, real: real}
}

// others is the lock of file systems that only this process sees.
var others sync.Mutex

// lock makes sure that no other lab saves until unlock. It makes the folder if
// it is not there, so it fails where nothing can be written.
func (f file) lock() (unlock func(), err error) {
	if err := f.fs.MkdirAll(filepath.Dir(f.path), dirMode); err != nil {
		return nil, err
	}
	if !f.real {
		others.Lock()
		return others.Unlock, nil
	}
	l := flock.New(f.path + ".lock")
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	if _, err := l.TryLockContext(ctx, lockRetry); errors.Is(err, context.DeadlineExceeded) {
		return nil, errBusy
	} else if err != nil {
		return nil, err
	}
	return func() { _ = l.Unlock() }, nil
}

// newerError is a file that a later program wrote.
type newerError struct{ version int }

func (e newerError) Error() string {
	return fmt.Sprintf("it has version %d, this program knows %d", e.version, Version)
}

// corruptError is a file that cannot be understood.
type corruptError struct{ cause error }

func (e corruptError) Error() string { return e.cause.Error() }

// read gives what the file holds; fs.ErrNotExist when there is none.
func (f file) read() (*Progress, error) {
	data, err := f.bytes()
	if err != nil {
		return nil, err
	}
	// The version alone comes first: the rest of a newer file may look like
	// anything.
	var head struct {
		Version *int `json:"version"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, corruptError{err}
	}
	if head.Version == nil || *head.Version < 1 {
		return nil, corruptError{errors.New("it has no version")}
	}
	if *head.Version > Version {
		return nil, newerError{*head.Version}
	}
	p := fresh("")
	if err := json.Unmarshal(data, p); err != nil {
		return nil, corruptError{err}
	}
	return p, nil
}

// maxBytes is more than the answers of a lifetime take.
const maxBytes = 64 << 20

// bytes is what the file holds. A device or a pipe may never end, so only a
// regular file is read.
func (f file) bytes() ([]byte, error) {
	info, err := f.fs.Stat(f.path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is no regular file")
	case info.Size() > maxBytes:
		return nil, fmt.Errorf("it has %d bytes, more than %d", info.Size(), maxBytes)
	}
	return afero.ReadFile(f.fs, f.path)
}

// setAside renames a file that cannot be read, and tells its new name.
func (f file) setAside(now time.Time) (string, error) {
	base := f.path + ".corrupt-" + now.UTC().Format("20060102T150405Z")
	name := base
	for n := 2; ; n++ {
		if _, err := f.fs.Stat(name); errors.Is(err, fs.ErrNotExist) {
			return name, f.fs.Rename(f.path, name)
		} else if err != nil {
			return "", err
		}
		name = fmt.Sprintf("%s-%d", base, n)
	}
}

// write replaces the file as a whole: at every moment the old one or the new one
// is there, complete.
func (f file) write(p *Progress) error {
	data, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	data = append(data, '\n')
	if f.real {
		return renameio.WriteFile(f.path, data, fileMode, renameio.WithTempDir(filepath.Dir(f.path)))
	}
	return f.writeByHand(data)
}

// temp is the file beside, which writeByHand renames into place. Its name is one
// of those that sweep removes.
func (f file) temp() string {
	return filepath.Join(filepath.Dir(f.path), "."+filepath.Base(f.path)+"0")
}

// probe makes sure, under the lock, that a save could write: a lock file that is
// there already can be taken in a folder where nothing can be made.
func (f file) probe() error {
	w, err := f.fs.OpenFile(f.temp(), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, fileMode)
	if err != nil {
		return err
	}
	return errors.Join(w.Close(), f.fs.Remove(f.temp()))
}

// writeByHand takes renameio's steps on a file system that renameio does not
// know: write beside, sync, close, rename.
func (f file) writeByHand(data []byte) error {
	temp := f.temp()
	w, err := f.fs.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, fileMode)
	if err != nil {
		return err
	}
	_, errWrite := w.Write(data)
	errSync := w.Sync()
	if err := errors.Join(errWrite, errSync, w.Close()); err != nil {
		return errors.Join(err, f.fs.Remove(temp))
	}
	return f.fs.Rename(temp, f.path)
}

// sweep removes what a killed save left beside the file. Only under the lock:
// then no such file is in use.
func (f file) sweep() {
	dir := filepath.Dir(f.path)
	left := regexp.MustCompile(`^\.` + regexp.QuoteMeta(filepath.Base(f.path)) + `\d+$`)
	entries, err := afero.ReadDir(f.fs, dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.Mode().IsRegular() && left.MatchString(e.Name()) {
			_ = f.fs.Remove(filepath.Join(dir, e.Name())) // litter; the next start tries again
		}
	}
}
