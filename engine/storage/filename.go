package storage

import (
	"errors"
	"io"
	"io/fs"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"kafkalab/engine/disk"
)

// paddedName is FileName for any offset. Damage may make one negative, which then
// stands before 20 digits (LogFileUtils#filenamePrefixFromOffset).
func paddedName(offset int64, suffix string) string {
	if offset >= 0 || offset == math.MinInt64 {
		return FileName(offset, suffix)
	}
	return "-" + FileName(-offset, suffix)
}

// leadingOffset reads the offset that a file's name begins with, up to the first
// dot, as Long#parseLong does: a sign is allowed, and any number of digits. In a
// name that has to begin with an offset, anything else is fatal
// (LogFileUtils#offsetFromFileName).
func leadingOffset(name string) (int64, error) {
	text, _, dot := strings.Cut(name, ".")
	if !dot {
		return 0, throw("StringIndexOutOfBoundsException", "no dot ends the offset in this name")
	}
	offset, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, throw(numberFormat, "%q is no offset: the name of such a file begins with a number of 64 bits", text)
	}
	return offset, nil
}

// offsetOf is leadingOffset of a file in a folder, which an error then names.
func offsetOf(dir, name string) (int64, error) {
	offset, err := leadingOffset(name)
	if err != nil {
		return 0, damaged(path.Join(dir, name), -1, err)
	}
	return offset, nil
}

// folder is what lies in a partition's folder. Whatever is no plain file, such as a
// folder in it, Kafka passes over (File#isFile); it is looked for once, when the log
// is opened.
type folder struct {
	fs     disk.FS
	dir    string
	seen   bool
	others map[string]bool // what is no plain file; nil for nothing
}

// files lists the plain files by name.
func (f *folder) files() ([]string, error) {
	if !f.seen {
		if err := f.look(); err != nil {
			return nil, err
		}
	}
	names, err := disk.Names(f.fs, f.dir)
	if err != nil || len(f.others) == 0 {
		return names, err
	}
	return slices.DeleteFunc(names, func(name string) bool { return f.others[name] }), nil
}

// look finds out what is no plain file.
func (f *folder) look() error {
	d, err := f.fs.Open(f.dir)
	if err != nil {
		return err
	}
	infos, err := d.Readdir(-1)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if err = errors.Join(err, d.Close()); err != nil {
		return err
	}
	for _, info := range infos {
		name, mode := path.Base(info.Name()), info.Mode()
		if mode&fs.ModeSymlink != 0 {
			if to, err := f.fs.Stat(path.Join(f.dir, name)); err == nil {
				mode = to.Mode()
			}
		}
		if mode.IsRegular() {
			continue
		}
		if f.others == nil {
			f.others = map[string]bool{}
		}
		f.others[name] = true
	}
	f.seen = true
	return nil
}
