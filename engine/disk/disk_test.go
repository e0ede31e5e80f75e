package disk

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/spf13/afero"
)

// clock is a virtual clock for tests.
type clock struct{ ms int64 }

func (c *clock) now() time.Time { return time.UnixMilli(c.ms).UTC() }

// onBoth runs a test on a Mem and on a Dir.
func onBoth(t *testing.T, test func(t *testing.T, d FS, c *clock)) {
	t.Helper()
	t.Run("mem", func(t *testing.T) {
		c := &clock{ms: 1000}
		test(t, NewMem(c.now), c)
	})
	t.Run("dir", func(t *testing.T) {
		c := &clock{ms: 1000}
		d, err := NewDir(t.TempDir(), c.now)
		if err != nil {
			t.Fatal(err)
		}
		test(t, d, c)
	})
}

func must[T any](t *testing.T) func(v T, err error) T {
	t.Helper()
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func create(t *testing.T, d FS, name string) afero.File {
	t.Helper()
	return must[afero.File](t)(d.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644))
}

func write(t *testing.T, f afero.File, s string) {
	t.Helper()
	if n, err := f.Write([]byte(s)); err != nil || n != len(s) {
		t.Fatalf("Write(%q) = %d, %v", s, n, err)
	}
}

func closeFile(t *testing.T, f afero.File) {
	t.Helper()
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func wantFile(t *testing.T, d FS, name, want string) {
	t.Helper()
	got, err := ReadFile(d, name)
	if err != nil || string(got) != want {
		t.Errorf("%s has %q, %v; want %q", name, got, err, want)
	}
}

func TestWriteAndRead(t *testing.T) {
	onBoth(t, func(t *testing.T, d FS, _ *clock) {
		f := create(t, d, "a.log")
		write(t, f, "hello ")
		write(t, f, "world")
		wantFile(t, d, "a.log", "hello world")
		buf := make([]byte, 5)
		if n, err := f.ReadAt(buf, 6); n != 5 || err != nil || string(buf) != "world" {
			t.Errorf("ReadAt(6) = %q, %d, %v", buf, n, err)
		}
		if n, err := f.ReadAt(buf, 9); n != 2 || err != io.EOF {
			t.Errorf("ReadAt(9) = %d, %v; want 2, EOF", n, err)
		}
		if n, err := f.ReadAt(buf, 11); n != 0 || err != io.EOF {
			t.Errorf("ReadAt(11) = %d, %v; want 0, EOF", n, err)
		}
		if _, err := f.WriteAt([]byte("W"), 6); err != nil {
			t.Fatal(err)
		}
		wantFile(t, d, "a.log", "hello World")
		if at, err := f.Seek(-5, io.SeekEnd); at != 6 || err != nil {
			t.Errorf("Seek = %d, %v", at, err)
		}
		rest, err := io.ReadAll(f)
		if err != nil || string(rest) != "World" {
			t.Errorf("ReadAll = %q, %v", rest, err)
		}
		closeFile(t, f)
		if err := f.Close(); !errors.Is(err, os.ErrClosed) {
			t.Errorf("second Close = %v", err)
		}
	})
}

func TestAppendJoinsHeadAndBody(t *testing.T) {
	onBoth(t, func(t *testing.T, d FS, _ *clock) {
		f := create(t, d, "a.log")
		defer closeFile(t, f)
		size := int64(0)
		for i := range 3 {
			n, err := Append(f, size, []byte{'h', byte('0' + i)}, []byte("-body "))
			if err != nil || n != 8 {
				t.Fatalf("Append = %d, %v", n, err)
			}
			size += int64(n)
		}
		wantFile(t, d, "a.log", "h0-body h1-body h2-body ")
	})
}

func TestTruncateAndGrow(t *testing.T) {
	onBoth(t, func(t *testing.T, d FS, _ *clock) {
		f := create(t, d, "a.log")
		defer closeFile(t, f)
		write(t, f, "0123456789")
		if err := f.Truncate(4); err != nil {
			t.Fatal(err)
		}
		wantFile(t, d, "a.log", "0123")
		if err := f.Truncate(6); err != nil {
			t.Fatal(err)
		}
		wantFile(t, d, "a.log", "0123\x00\x00")
		if _, err := f.WriteAt([]byte("x"), 8); err != nil {
			t.Fatal(err)
		}
		wantFile(t, d, "a.log", "0123\x00\x00\x00\x00x")
		if err := f.Truncate(-1); err == nil {
			t.Error("Truncate(-1) is accepted")
		}
	})
}

// stretch is larger than the first memory that a file of a Mem gets.
const stretch = 1 << 16

// TestLargeFile crosses the extents of a Mem in every way.
func TestLargeFile(t *testing.T) {
	onBoth(t, func(t *testing.T, d FS, _ *clock) {
		f := create(t, d, "big.log")
		defer closeFile(t, f)
		want := make([]byte, 0, 5*stretch)
		for i := 0; len(want) < 4*stretch; i++ {
			p := bytes.Repeat([]byte{byte(i), byte(i >> 8)}, 500+i%7)
			n, err := f.Write(p)
			if err != nil || n != len(p) {
				t.Fatal(n, err)
			}
			want = append(want, p...)
		}
		check := func() {
			t.Helper()
			got, err := ReadFile(d, "big.log")
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("file of %d bytes differs from what was written, %d bytes, %v", len(got), len(want), err)
			}
		}
		check()
		patch := bytes.Repeat([]byte{0xee}, stretch+100)
		if _, err := f.WriteAt(patch, stretch-50); err != nil {
			t.Fatal(err)
		}
		copy(want[stretch-50:], patch)
		check()
		for _, size := range []int64{3*stretch + 1, 3 * stretch, 3*stretch - 1, 700} {
			if err := f.Truncate(size); err != nil {
				t.Fatal(err)
			}
			want = want[:size]
			check()
		}
		if err := f.Truncate(2*stretch + 5); err != nil {
			t.Fatal(err)
		}
		want = append(want, make([]byte, 2*stretch+5-700)...)
		check()
	})
}

func TestFolders(t *testing.T) {
	onBoth(t, func(t *testing.T, d FS, _ *clock) {
		if err := d.MkdirAll("orders-0/x/y", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := d.MkdirAll("orders-0", 0o755); err != nil {
			t.Errorf("MkdirAll of a folder that is there: %v", err)
		}
		if err := d.Mkdir("orders-0", 0o755); !errors.Is(err, fs.ErrExist) {
			t.Errorf("Mkdir of a folder that is there: %v", err)
		}
		if err := d.Mkdir("no/where", 0o755); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Mkdir without a parent: %v", err)
		}
		for _, name := range []string{"b", "a", "c"} {
			closeFile(t, create(t, d, "orders-0/"+name))
		}
		names := must[[]string](t)(Names(d, "orders-0"))
		if want := []string{"a", "b", "c", "x"}; !slices.Equal(names, want) {
			t.Errorf("Names = %v, want %v", names, want)
		}
		if err := d.Remove("orders-0"); err == nil {
			t.Error("Remove of a full folder is accepted")
		}
		if err := d.RemoveAll("orders-0"); err != nil {
			t.Fatal(err)
		}
		if Exists(d, "orders-0") || Exists(d, "orders-0/a") {
			t.Error("RemoveAll left something")
		}
		if err := d.RemoveAll("orders-0"); err != nil {
			t.Errorf("RemoveAll of nothing: %v", err)
		}
	})
}

func TestReaddirInParts(t *testing.T) {
	onBoth(t, func(t *testing.T, d FS, _ *clock) {
		for i := range 5 {
			closeFile(t, create(t, d, fmt.Sprintf("f%d", i)))
		}
		dir := must[afero.File](t)(d.Open("/"))
		defer closeFile(t, dir)
		var all []string
		for {
			infos, err := dir.Readdir(2)
			for _, info := range infos {
				all = append(all, info.Name())
			}
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		slices.Sort(all)
		if want := []string{"f0", "f1", "f2", "f3", "f4"}; !slices.Equal(all, want) {
			t.Errorf("Readdir in parts = %v, want %v", all, want)
		}
	})
}

func TestRename(t *testing.T) {
	onBoth(t, func(t *testing.T, d FS, _ *clock) {
		f := create(t, d, "a")
		write(t, f, "new")
		closeFile(t, f)
		f = create(t, d, "b")
		write(t, f, "old")
		closeFile(t, f)
		if err := d.Rename("a", "b"); err != nil {
			t.Fatal(err)
		}
		wantFile(t, d, "b", "new")
		if Exists(d, "a") {
			t.Error("the old name is still there")
		}
		if err := d.Rename("a", "c"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Rename of nothing: %v", err)
		}
		if err := d.MkdirAll("t-0/sub", 0o755); err != nil {
			t.Fatal(err)
		}
		closeFile(t, create(t, d, "t-0/x.log"))
		if err := d.Rename("t-0", "t-0.deleted"); err != nil {
			t.Fatal(err)
		}
		if !Exists(d, "t-0.deleted/x.log") || Exists(d, "t-0") {
			t.Error("a folder's files did not move with it")
		}
		if err := d.Rename("t-0.deleted", "t-0.deleted/sub/x"); err == nil {
			t.Error("a folder can be moved into itself")
		}
	})
}

func TestOpenFlags(t *testing.T) {
	onBoth(t, func(t *testing.T, d FS, _ *clock) {
		if _, err := d.Open("none"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Open of nothing: %v", err)
		}
		f := must[afero.File](t)(d.Create("a"))
		write(t, f, "abc")
		closeFile(t, f)
		if _, err := d.OpenFile("a", os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644); !errors.Is(err, fs.ErrExist) {
			t.Errorf("O_EXCL on a file that is there: %v", err)
		}
		f = must[afero.File](t)(d.OpenFile("a", os.O_WRONLY|os.O_APPEND, 0))
		write(t, f, "def")
		closeFile(t, f)
		wantFile(t, d, "a", "abcdef")
		f = must[afero.File](t)(d.Open("a"))
		if _, err := f.Write([]byte("x")); err == nil {
			t.Error("a file opened for reading can be written")
		}
		closeFile(t, f)
		f = must[afero.File](t)(d.OpenFile("a", os.O_RDWR|os.O_TRUNC, 0))
		closeFile(t, f)
		wantFile(t, d, "a", "")
		if err := d.Mkdir("dir", 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := d.OpenFile("dir", os.O_RDWR, 0); err == nil {
			t.Error("a folder can be opened for writing")
		}
		if _, err := d.Create("nowhere/a"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Create without a folder: %v", err)
		}
	})
}

func TestTimesAreVirtual(t *testing.T) {
	onBoth(t, func(t *testing.T, d FS, c *clock) {
		c.ms = 1700000000000
		f := create(t, d, "a")
		write(t, f, "x")
		if err := f.Sync(); err != nil {
			t.Fatal(err)
		}
		closeFile(t, f)
		c.ms += 5000
		if got := must[os.FileInfo](t)(d.Stat("a")).ModTime().UnixMilli(); got != 1700000000000 {
			t.Errorf("time of last change = %d, want that of the write", got)
		}
		f = create(t, d, "a")
		closeFile(t, f)
		if got := must[os.FileInfo](t)(d.Stat("a")).ModTime().UnixMilli(); got != 1700000000000 {
			t.Errorf("opening without writing moved the time to %d", got)
		}
		if err := d.Rename("a", "b"); err != nil {
			t.Fatal(err)
		}
		if err := d.Chtimes("b", c.now(), time.UnixMilli(42)); err != nil {
			t.Fatal(err)
		}
		info := must[os.FileInfo](t)(d.Stat("b"))
		if info.ModTime().UnixMilli() != 42 || info.Size() != 1 || info.Name() != "b" || info.IsDir() {
			t.Errorf("Stat = %v %d %q %v", info.ModTime(), info.Size(), info.Name(), info.IsDir())
		}
	})
}

func TestRemovedFileStaysReadable(t *testing.T) {
	onBoth(t, func(t *testing.T, d FS, _ *clock) {
		f := create(t, d, "a")
		write(t, f, "still here")
		if err := d.Remove("a"); err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, 10)
		if _, err := f.ReadAt(buf, 0); err != nil || string(buf) != "still here" {
			t.Errorf("ReadAt of a removed file = %q, %v", buf, err)
		}
		if err := d.Remove("a"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("second Remove: %v", err)
		}
		closeFile(t, f)
	})
}

func TestNewDirRefusesAFile(t *testing.T) {
	name := t.TempDir() + "/file"
	if err := os.WriteFile(name, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := NewDir(name, nil); err == nil {
		t.Error("a disk in a file is accepted")
	}
}
