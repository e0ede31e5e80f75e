package disk

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func keepAll() Keep {
	return Keep{Ops: func(n int) int { return n }, Tail: func(_ string, n int64) int64 { return n }}
}

func TestCrashKeepsWhatWasSynced(t *testing.T) {
	onBoth(t, func(t *testing.T, d FS, _ *clock) {
		f := create(t, d, "a")
		write(t, f, "synced")
		if err := f.Sync(); err != nil {
			t.Fatal(err)
		}
		write(t, f, "-not")
		if got := d.Unsynced("a"); got != 4 {
			t.Errorf("Unsynced = %d, want 4", got)
		}
		if err := d.Crash(Keep{}); err != nil {
			t.Fatal(err)
		}
		wantFile(t, d, "a", "synced")
		if got := d.Unsynced("a"); got != 0 {
			t.Errorf("Unsynced after a crash = %d", got)
		}
		if _, err := f.Write([]byte("x")); !errors.Is(err, os.ErrClosed) {
			t.Errorf("a handle from before the crash can write: %v", err)
		}
		if _, err := f.ReadAt(make([]byte, 1), 0); !errors.Is(err, os.ErrClosed) {
			t.Errorf("a handle from before the crash can read: %v", err)
		}
	})
}

func TestCrashKeepsAPartOfTheTail(t *testing.T) {
	onBoth(t, func(t *testing.T, d FS, _ *clock) {
		f := create(t, d, "a")
		write(t, f, "synced")
		if err := f.Sync(); err != nil {
			t.Fatal(err)
		}
		write(t, f, "-0123")
		var asked string
		err := d.Crash(Keep{Tail: func(name string, unsynced int64) int64 {
			asked = fmt.Sprint(name, " ", unsynced)
			return 3
		}})
		if err != nil {
			t.Fatal(err)
		}
		if asked != "/a 5" {
			t.Errorf("asked about %q, want /a 5", asked)
		}
		wantFile(t, d, "a", "synced-01")
	})
}

func TestRenamedFileKeepsItsUnsyncedTail(t *testing.T) {
	onBoth(t, func(t *testing.T, d FS, _ *clock) {
		f := create(t, d, "a")
		write(t, f, "synced")
		if err := f.Sync(); err != nil {
			t.Fatal(err)
		}
		write(t, f, "-tail")
		closeFile(t, f)
		if err := d.Rename("a", "b"); err != nil {
			t.Fatal(err)
		}
		if got := d.Unsynced("b"); got != 5 {
			t.Errorf("Unsynced = %d, want 5", got)
		}
		if err := d.SyncDir("/"); err != nil {
			t.Fatal(err)
		}
		if err := d.Crash(Keep{}); err != nil {
			t.Fatal(err)
		}
		wantFile(t, d, "b", "synced")
	})
}

func TestWriteFileAtomicSurvivesACrash(t *testing.T) {
	onBoth(t, func(t *testing.T, d FS, _ *clock) {
		for _, text := range []string{"one", "two"} {
			if err := WriteFileAtomic(d, "checkpoint", []byte(text)); err != nil {
				t.Fatal(err)
			}
			if err := d.Crash(Keep{}); err != nil {
				t.Fatal(err)
			}
			wantFile(t, d, "checkpoint", text)
		}
		if Exists(d, "checkpoint.tmp") {
			t.Error("the temporary file is left")
		}
	})
}

// TestJournal is about names and lengths, which only Mem takes back.
func TestJournal(t *testing.T) {
	for kept, want := range []string{"a", "", "b", "b c"} {
		t.Run(fmt.Sprint(kept), func(t *testing.T) {
			d := NewMem(nil)
			f := create(t, d, "a")
			if err := f.Sync(); err != nil {
				t.Fatal(err)
			}
			steps := []func() error{
				func() error { return d.Remove("a") },
				func() error { return nil },
			}
			if err := steps[0](); err != nil {
				t.Fatal(err)
			}
			create(t, d, "x")
			if err := d.Rename("x", "b"); err != nil {
				t.Fatal(err)
			}
			create(t, d, "c")
			// remove a; create x; rename x to b; create c: the first n of them
			n := []int{0, 1, 3, 4}[kept]
			if err := d.Crash(Keep{Ops: func(all int) int {
				if all != 4 {
					t.Errorf("%d operations, want 4: a rename is one", all)
				}
				return n
			}}); err != nil {
				t.Fatal(err)
			}
			names := must[[]string](t)(Names(d, "/"))
			if got := string(bytes.Join(toBytes(names), []byte(" "))); got != want {
				t.Errorf("names = %q, want %q", got, want)
			}
		})
	}
}

func toBytes(names []string) [][]byte {
	var out [][]byte
	for _, n := range names {
		out = append(out, []byte(n))
	}
	return out
}

func TestTruncationIsInTheJournal(t *testing.T) {
	for _, commit := range []bool{false, true} {
		d := NewMem(nil)
		f := create(t, d, "a")
		write(t, f, "0123456789")
		if err := f.Sync(); err != nil {
			t.Fatal(err)
		}
		if err := f.Truncate(4); err != nil {
			t.Fatal(err)
		}
		write2(t, f, 4, "new")
		want := "0123456789" // the cut was not durable yet
		if commit {
			if err := d.SyncDir("/"); err != nil {
				t.Fatal(err)
			}
			want = "0123"
		}
		if err := d.Crash(Keep{}); err != nil {
			t.Fatal(err)
		}
		wantFile(t, d, "a", want)
	}
}

func write2(t *testing.T, f interface {
	WriteAt([]byte, int64) (int, error)
}, at int64, s string) {
	t.Helper()
	if _, err := f.WriteAt([]byte(s), at); err != nil {
		t.Fatal(err)
	}
}

// TestMemAgainstModel drives a file of a Mem with random writes, truncations,
// syncs and crashes, beside two byte slices that say what it should hold.
func TestMemAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := NewMem(nil)
		var written, synced []byte
		stable := 0
		open := func() interface {
			WriteAt([]byte, int64) (int, error)
			Truncate(int64) error
			Sync() error
		} {
			f, err := d.OpenFile("f", os.O_RDWR|os.O_CREATE, 0o644)
			if err != nil {
				t.Fatal(err)
			}
			return f
		}
		f := open()
		if err := f.Sync(); err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			switch rapid.IntRange(0, 5).Draw(t, "what") {
			case 0, 1: // append
				p := bytes.Repeat([]byte{rapid.Byte().Draw(t, "byte")}, rapid.IntRange(0, 90000).Draw(t, "n"))
				if _, err := f.WriteAt(p, int64(len(written))); err != nil {
					t.Fatal(err)
				}
				written = append(written, p...)
			case 2: // overwrite or leave a hole
				at := rapid.IntRange(0, len(written)+5000).Draw(t, "at")
				p := bytes.Repeat([]byte{rapid.Byte().Draw(t, "byte")}, rapid.IntRange(1, 70000).Draw(t, "n"))
				if _, err := f.WriteAt(p, int64(at)); err != nil {
					t.Fatal(err)
				}
				if need := at + len(p); need > len(written) {
					written = append(written, make([]byte, need-len(written))...)
				}
				copy(written[at:], p)
				stable = min(stable, at)
			case 3:
				at := rapid.IntRange(0, len(written)+5000).Draw(t, "size")
				if err := f.Truncate(int64(at)); err != nil {
					t.Fatal(err)
				}
				if at < len(synced) {
					stable = min(stable, at)
				}
				written = append(written[:min(at, len(written))], make([]byte, max(at-len(written), 0))...)
			case 4:
				if err := f.Sync(); err != nil {
					t.Fatal(err)
				}
				synced = slices.Clone(written)
				stable = len(synced)
			case 5:
				keep := rapid.Int64Range(0, 100000).Draw(t, "keep")
				if err := d.Crash(Keep{Tail: func(_ string, n int64) int64 { return keep }}); err != nil {
					t.Fatal(err)
				}
				if most := int64(len(written) - min(stable, len(written))); min(keep, most) > 0 {
					synced = slices.Clone(written[:int64(stable)+min(keep, most)])
				}
				written = slices.Clone(synced)
				stable = len(synced)
				f = open()
			}
			got, err := ReadFile(d, "f")
			if err != nil || !bytes.Equal(got, written) {
				t.Fatalf("file of %d bytes is not what was written, %d bytes, %v", len(got), len(written), err)
			}
		}
	})
}

func TestCrashOrderIsFixed(t *testing.T) {
	d := NewMem(nil)
	for _, name := range []string{"c", "a", "b"} {
		f := create(t, d, name)
		if err := f.Sync(); err != nil {
			t.Fatal(err)
		}
		write(t, f, "tail")
	}
	var order []string
	if err := d.Crash(Keep{Tail: func(name string, _ int64) int64 {
		order = append(order, name)
		return 0
	}}); err != nil {
		t.Fatal(err)
	}
	if want := []string{"/a", "/b", "/c"}; !slices.Equal(order, want) {
		t.Errorf("files are asked about in the order %v, want %v", order, want)
	}
	if err := d.Crash(keepAll()); err != nil {
		t.Fatal(err)
	}
}
