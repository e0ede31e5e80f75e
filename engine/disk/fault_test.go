package disk

import (
	"errors"
	"os"
	"testing"
	"time"
)

func TestFullDisk(t *testing.T) {
	onBoth(t, func(t *testing.T, d FS, _ *clock) {
		f := create(t, d, "a")
		defer closeFile(t, f)
		write(t, f, "before")
		d.SetFaults(Faults{Limited: true, Budget: 4})
		n, err := f.Write([]byte("abcdefgh"))
		if n != 4 || !errors.Is(err, ErrNoSpace) {
			t.Errorf("Write over the budget = %d, %v; want 4, no space", n, err)
		}
		wantFile(t, d, "a", "beforeabcd")
		if n, err := f.Write([]byte("x")); n != 0 || !errors.Is(err, ErrNoSpace) {
			t.Errorf("Write on a full disk = %d, %v", n, err)
		}
		if _, err := d.Create("b"); !errors.Is(err, ErrNoSpace) {
			t.Errorf("Create on a full disk: %v", err)
		}
		if err := d.Mkdir("dir", 0o755); !errors.Is(err, ErrNoSpace) {
			t.Errorf("Mkdir on a full disk: %v", err)
		}
		if got := d.Faults(); got != Full() {
			t.Errorf("Faults = %+v, want %+v", got, Full())
		}
		d.SetFaults(Faults{})
		write(t, f, "ok")
		wantFile(t, d, "a", "beforeabcdok")
	})
}

func TestBrokenDisk(t *testing.T) {
	onBoth(t, func(t *testing.T, d FS, _ *clock) {
		f := create(t, d, "a")
		defer closeFile(t, f)
		write(t, f, "data")
		d.SetFaults(Faults{FailReads: true, FailWrites: true, FailSyncs: true})
		if _, err := f.ReadAt(make([]byte, 1), 0); !errors.Is(err, ErrIO) {
			t.Errorf("ReadAt: %v", err)
		}
		if n, err := f.Write([]byte("x")); n != 0 || !errors.Is(err, ErrIO) {
			t.Errorf("Write: %d, %v", n, err)
		}
		if err := f.Truncate(0); !errors.Is(err, ErrIO) {
			t.Errorf("Truncate: %v", err)
		}
		if err := f.Sync(); !errors.Is(err, ErrIO) {
			t.Errorf("Sync: %v", err)
		}
		if err := d.SyncDir("/"); !errors.Is(err, ErrIO) {
			t.Errorf("SyncDir: %v", err)
		}
		d.SetFaults(Faults{})
		wantFile(t, d, "a", "data")
	})
}

func TestFlip(t *testing.T) {
	onBoth(t, func(t *testing.T, d FS, c *clock) {
		f := create(t, d, "a")
		write(t, f, "abc")
		if err := f.Sync(); err != nil {
			t.Fatal(err)
		}
		closeFile(t, f)
		c.ms += 1000
		if err := d.Flip("a", 1, 0x20); err != nil {
			t.Fatal(err)
		}
		wantFile(t, d, "a", "aBc")
		info, err := d.Stat("a")
		if err != nil || info.ModTime().UnixMilli() != 1000 {
			t.Errorf("a flip moved the file's time to %v, %v", info.ModTime(), err)
		}
		if err := d.Crash(Keep{}); err != nil {
			t.Fatal(err)
		}
		wantFile(t, d, "a", "aBc")
		if err := d.Flip("a", 3, 1); err == nil {
			t.Error("a flip past the end is accepted")
		}
		if err := d.Flip("none", 0, 1); err == nil {
			t.Error("a flip of nothing is accepted")
		}
	})
}

func TestReadOnlyDisk(t *testing.T) {
	onBoth(t, func(t *testing.T, d FS, _ *clock) {
		f := create(t, d, "a")
		defer closeFile(t, f)
		write(t, f, "data")
		if err := d.Mkdir("dir", 0o755); err != nil {
			t.Fatal(err)
		}
		d.SetFaults(Faults{ReadOnly: true})
		_, created := d.Create("b")
		_, opened := d.OpenFile("a", os.O_RDWR, 0)
		_, written := f.Write([]byte("x"))
		for op, err := range map[string]error{
			"create": created, "open for writing": opened, "write": written, "truncate": f.Truncate(0), "mkdir": d.Mkdir("e", 0o755),
			"mkdirall": d.MkdirAll("e/f", 0o755), "remove": d.Remove("a"), "removeall": d.RemoveAll("dir"), "rename": d.Rename("a", "c"),
			"chtimes": d.Chtimes("a", time.Time{}, time.Time{}),
		} {
			if !errors.Is(err, ErrReadOnly) {
				t.Errorf("%s on a read-only disk: %v", op, err)
			}
		}
		wantFile(t, d, "a", "data")
		if err := f.Sync(); err != nil {
			t.Errorf("sync of what was written before: %v", err)
		}
		d.SetFaults(Faults{})
		write(t, f, "more")
		wantFile(t, d, "a", "datamore")
	})
}
