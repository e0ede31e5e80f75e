package dump

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/spf13/afero"
)

// source is an open file, read by position.
type source struct {
	file afero.File
	size int64
}

// open opens a file. A folder is none, and neither is a pipe or a device, on
// which opening alone may wait for ever.
func open(fsys afero.Fs, name string) (*source, error) {
	info, err := fsys.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errors.New("is a folder")
	case !info.Mode().IsRegular():
		return nil, errors.New("is no plain file")
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err != nil {
		f.Close()
		return nil, err
	}
	return &source{f, info.Size()}, nil
}

// openBeside opens the first of these files that exists; nil if none does.
func openBeside(fsys afero.Fs, names []string) (s *source, name string, err error) {
	for _, name := range names {
		s, err := open(fsys, name)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return s, name, err
		}
	}
	return nil, "", nil
}

// close ends the use of a source, which may be nil.
func (s *source) close() {
	if s != nil {
		s.file.Close()
	}
}

// read gives the n bytes at a position, fewer at the end of the file.
func (s *source) read(buf []byte, at int64, n int) ([]byte, *Damage) {
	n = int(min(int64(n), max(s.size-at, 0)))
	if cap(buf) < n {
		buf = make([]byte, n)
	}
	buf = buf[:n]
	if n == 0 {
		return buf, nil
	}
	got, err := s.file.ReadAt(buf, at)
	if err != nil && (got < n || !errors.Is(err, io.EOF)) {
		return nil, damagef(at+int64(got), "cannot be read: %s", reason(err))
	}
	return buf, nil
}

// all gives the whole of a small file.
func (s *source) all() ([]byte, *Damage) {
	if s.size > maxSmall {
		return nil, damagef(0, "%d bytes, this kind of file has at most %d", s.size, maxSmall)
	}
	return s.read(nil, 0, int(s.size))
}

// maxSmall bounds the files that are read as a whole: producer snapshots of a
// million producers, checkpoints of as many partitions.
const maxSmall = 256 << 20

// reason is an error without the path that the file system puts before it.
func reason(err error) string {
	var p *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "no such file"
	case errors.Is(err, fs.ErrPermission):
		return "not allowed to read it"
	case errors.As(err, &p):
		return p.Err.Error()
	}
	return fmt.Sprint(err)
}
