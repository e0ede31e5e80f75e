package progress

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/afero"
)

var errPower = errors.New("no power")

// frail is a file system that fails: each operation that a save makes counts
// down; at zero one fails, and all that follow if it is dead. A write that fails
// has written its first half.
type frail struct {
	afero.Fs
	left int
	dead bool
	did  string // the operation that failed first
}

func (f *frail) fails(op string) bool {
	f.left--
	if f.left == 0 || f.left < 0 && f.dead {
		if f.did == "" {
			f.did = op
		}
		return true
	}
	return false
}

func (f *frail) MkdirAll(name string, mode os.FileMode) error {
	if f.fails("mkdir") {
		return errPower
	}
	return f.Fs.MkdirAll(name, mode)
}

func (f *frail) Open(name string) (afero.File, error) {
	if f.fails("open") {
		return nil, errPower
	}
	return f.Fs.Open(name)
}

func (f *frail) OpenFile(name string, flag int, mode os.FileMode) (afero.File, error) {
	if f.fails("create") {
		return nil, errPower
	}
	file, err := f.Fs.OpenFile(name, flag, mode)
	return &frailFile{File: file, fs: f}, err
}

func (f *frail) Rename(from, to string) error {
	if f.fails("rename") {
		return errPower
	}
	return f.Fs.Rename(from, to)
}

func (f *frail) Remove(name string) error {
	if f.fails("remove") {
		return errPower
	}
	return f.Fs.Remove(name)
}

type frailFile struct {
	afero.File
	fs *frail
}

func (f *frailFile) Write(data []byte) (int, error) {
	if f.fs.fails("write") {
		n, _ := f.File.Write(data[:len(data)/2])
		return n, errPower
	}
	return f.File.Write(data)
}

func (f *frailFile) Sync() error {
	if f.fs.fails("sync") {
		return errPower
	}
	return f.File.Sync()
}

func (f *frailFile) Close() error {
	err := f.File.Close()
	if f.fs.fails("close") {
		return errPower
	}
	return err
}

// Whatever operation of a save is the last one of the process, what was saved
// before is there, and what was being saved is there whole or not at all.
func TestDeathAtEachOperationOfASave(t *testing.T) {
	var died []string
	for n := 1; ; n++ {
		disk := afero.NewMemMapFs()
		weak := &frail{Fs: disk, dead: true, left: 1000}
		s := open(t, weak)
		s.Record("c", "l", Answer{Instance: "saved"})
		save(t, s)
		s.Record("c", "l", Answer{Instance: "at", Right: true})
		s.Record("d", "l", Answer{Instance: "risk"})
		weak.left = n
		err := s.Save()
		if weak.did == "" {
			if err != nil {
				t.Errorf("no failure, and yet %v", err)
			}
			break
		}
		died = append(died, weak.did)
		if err == nil {
			t.Errorf("dead at %s (operation %d), and nobody was told", weak.did, n)
		}
		after := open(t, disk) // no message: the file is whole
		if got := answers(after.Snapshot()); got != "c:saved" && got != "c:saved c:at d:risk" {
			t.Errorf("dead at %s (operation %d): %q is left", weak.did, n, got)
		}
		after.Record("e", "l", Answer{Instance: "later"})
		save(t, after)
		if left := litter(t, disk); left != "" {
			t.Errorf("dead at %s (operation %d): left behind %s", weak.did, n, left)
		}
	}
	if got, want := strings.Join(died, " "), "mkdir open create write sync close rename"; got != want {
		t.Errorf("a save is %s, the test thinks it is %s", got, want)
	}
}

// litter are the files beside the progress file.
func litter(t *testing.T, fsys afero.Fs) string {
	t.Helper()
	var names []string
	entries, err := afero.ReadDir(fsys, "/home/learner/.local/share/kafkalab")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != "progress.json" {
			names = append(names, e.Name())
		}
	}
	return strings.Join(names, " ")
}

// A disk that fails once, full say, loses nothing: the next save has it all.
func TestFailureOfEachOperationOfASave(t *testing.T) {
	for n := 1; ; n++ {
		disk := afero.NewMemMapFs()
		weak := &frail{Fs: disk}
		s := open(t, weak)
		s.Record("c", "l", Answer{Instance: "1"})
		save(t, s)
		weak.left = n
		s.Record("c", "l", Answer{Instance: "2"})
		err := s.Save()
		if weak.did == "" {
			break
		}
		if err == nil && weak.did != "remove" {
			t.Errorf("%s failed, and nobody was told", weak.did)
		}
		if !s.Saving() {
			t.Errorf("%s failed, and the lab gave up saving", weak.did)
		}
		s.Record("c", "l", Answer{Instance: "3"})
		save(t, s)
		if got := answers(open(t, disk).Snapshot()); got != "c:1 c:2 c:3" {
			t.Errorf("%s failed: %q is left", weak.did, got)
		}
	}
}

// The same for the file that is set aside.
func TestDeathWhileAFileIsSetAside(t *testing.T) {
	for n := 1; n < 12; n++ {
		disk := afero.NewMemMapFs()
		if err := afero.WriteFile(disk, path, []byte("precious"), 0o600); err != nil {
			t.Fatal(err)
		}
		weak := &frail{Fs: disk, dead: true, left: n}
		s, _ := Open(weak, path, "1", clock())
		s.Record("c", "l", Answer{})
		_ = s.Save() // told or not: the disk is dead
		found := false
		entries, err := afero.ReadDir(disk, "/home/learner/.local/share/kafkalab")
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			found = found || read(t, disk, "/home/learner/.local/share/kafkalab/"+e.Name()) == "precious"
		}
		if !found {
			t.Errorf("dead at operation %d (%s): the file that could not be read is gone", n, weak.did)
		}
	}
}

func ExampleStore() {
	s, message := Open(afero.NewMemMapFs(), "/progress.json", "1", clock())
	fmt.Printf("%q\n", message)
	s.Record("isr-1", "isr-hw-leo", Answer{Instance: "n=4,s=2", Right: true})
	fmt.Println(s.Save(), s.Snapshot().Cleared("isr-1"), s.Snapshot().Checks["isr-1"].Review.Due)
	// Output:
	// ""
	// <nil> true 2026-03-02
}
