package disk

import "os"

// Faults are the ways in which a disk misbehaves, as data. The zero value is
// a healthy disk.
type Faults struct {
	// Limited says that only Budget more bytes can be written; after that,
	// writes fail with ErrNoSpace, the last one perhaps half done, as
	// write(2) leaves it. Overwriting counts like appending; removing files
	// gives nothing back.
	Limited bool
	Budget  int64 // bytes, >= 0
	// Each of these makes one kind of call fail with ErrIO.
	FailReads, FailWrites, FailSyncs bool
	// ReadOnly makes all that would change the disk fail with ErrReadOnly, as
	// a file system does that the kernel has mounted anew after errors.
	ReadOnly bool
}

// Full is the fault of a disk on which nothing more can be written.
func Full() Faults { return Faults{Limited: true} }

// change tells whether something may be changed for which the disk needs no
// room: a name removed, a file cut, a time set.
func (f *Faults) change(op, name string) error {
	if f.ReadOnly {
		return &os.PathError{Op: op, Path: name, Err: ErrReadOnly}
	}
	return nil
}

// take asks for n bytes to write and gives how many may be, with the error of
// the write when it is less.
func (f *Faults) take(op, name string, n int) (int, error) {
	if err := f.change(op, name); err != nil {
		return 0, err
	}
	if f.FailWrites {
		return 0, &os.PathError{Op: op, Path: name, Err: ErrIO}
	}
	if !f.Limited {
		return n, nil
	}
	if int64(n) <= f.Budget {
		f.Budget -= int64(n)
		return n, nil
	}
	n = int(max(f.Budget, 0))
	f.Budget = 0
	return n, &os.PathError{Op: op, Path: name, Err: ErrNoSpace}
}

// cut tells whether a file may be made shorter.
func (f *Faults) cut(name string) error {
	if f.FailWrites {
		return &os.PathError{Op: "truncate", Path: name, Err: ErrIO}
	}
	return f.change("truncate", name)
}

// space tells whether a new name can be written at all: a full disk has no
// room for a folder entry either.
func (f *Faults) space(op, name string) error {
	if err := f.change(op, name); err != nil {
		return err
	}
	if f.FailWrites {
		return &os.PathError{Op: op, Path: name, Err: ErrIO}
	}
	if f.Limited && f.Budget <= 0 {
		return &os.PathError{Op: op, Path: name, Err: ErrNoSpace}
	}
	return nil
}

func (f *Faults) read(op, name string) error {
	if f.FailReads {
		return &os.PathError{Op: op, Path: name, Err: ErrIO}
	}
	return nil
}

func (f *Faults) sync(name string) error {
	if f.FailSyncs {
		return &os.PathError{Op: "sync", Path: name, Err: ErrIO}
	}
	return nil
}
