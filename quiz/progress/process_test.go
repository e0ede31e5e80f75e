package progress

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/adrg/xdg"
	"github.com/spf13/afero"
)

// The test binary is also the lab that is killed: with these set it answers and
// saves, COUNT times, and says so after each save.
const (
	saverFile  = "KAFKALAB_TEST_SAVER_FILE"
	saverName  = "KAFKALAB_TEST_SAVER_NAME"
	saverCount = "KAFKALAB_TEST_SAVER_COUNT"
)

func TestMain(m *testing.M) {
	if file := os.Getenv(saverFile); file != "" {
		count, _ := strconv.Atoi(os.Getenv(saverCount))
		os.Exit(saver(file, os.Getenv(saverName), count))
	}
	os.Exit(m.Run())
}

func saver(file, name string, count int) int {
	s, message := Open(afero.NewOsFs(), file, "1", time.Now)
	if message != "" {
		fmt.Println(message)
		return 1
	}
	for i := range count {
		s.Record("c-"+name, "l", Answer{Instance: strconv.Itoa(i)})
		if err := s.Save(); err != nil {
			fmt.Println(err)
			return 1
		}
		fmt.Println("saved", i)
	}
	return 0
}

// start runs a saver; its output comes through the scanner.
func startSaver(t *testing.T, file, name string, count int) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), saverFile+"="+file, saverName+"="+name, saverCount+"="+strconv.Itoa(count))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewScanner(out)
}

// A lab is killed somewhere in its next save: all that it said was saved is
// there, and the file is whole.
func TestKill(t *testing.T) {
	file := filepath.Join(t.TempDir(), "kafkalab", "progress.json")
	saved := 0
	for round := range 8 {
		cmd, out := startSaver(t, file, "k"+strconv.Itoa(round), 1_000_000)
		for n := 0; n <= round*3 && out.Scan(); n++ {
			if want := fmt.Sprint("saved ", n); out.Text() != want {
				t.Fatalf("the saver says %q, not %q", out.Text(), want)
			}
			saved++
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // killed: that is its error
		s, message := Open(afero.NewOsFs(), file, "1", time.Now)
		if message != "" {
			t.Fatal(message)
		}
		have := 0
		for _, c := range s.Snapshot().Checks {
			have += len(c.Answers)
		}
		if have < saved {
			t.Fatalf("round %d: %d answers were saved, %d are there", round, saved, have)
		}
		saved = have
	}
	entries, err := os.ReadDir(filepath.Dir(file))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != "progress.json" && e.Name() != "progress.json.lock" {
			t.Errorf("left behind: %s", e.Name())
		}
	}
}

// Two labs save at the same time, as fast as they can: no answer is lost.
func TestTwoProcesses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "progress.json")
	const each = 15
	a, outA := startSaver(t, file, "a", each)
	b, outB := startSaver(t, file, "b", each)
	for _, out := range []*bufio.Scanner{outA, outB} {
		for n := 0; out.Scan(); n++ {
			if want := fmt.Sprint("saved ", n); out.Text() != want {
				t.Errorf("a saver says %q, not %q", out.Text(), want)
			}
		}
	}
	for _, cmd := range []*exec.Cmd{a, b} {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	s, message := Open(afero.NewOsFs(), file, "1", time.Now)
	if message != "" {
		t.Fatal(message)
	}
	for _, check := range []string{"c-a", "c-b"} {
		if n := len(s.Snapshot().Checks[check].Answers); n != each {
			t.Errorf("%s: %d of %d answers", check, n, each)
		}
	}
}

func TestLinkStaysALink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "elsewhere.json"), filepath.Join(dir, "progress.json")
	if err := os.WriteFile(target, []byte(`{"version": 1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Skip("no links here:", err)
	}
	s, message := Open(afero.NewOsFs(), link, "1", time.Now)
	if message != "" {
		t.Fatal(message)
	}
	s.Record("c", "l", Answer{Right: true})
	save(t, s)
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info, err)
	}
	again, _ := Open(afero.NewOsFs(), target, "1", time.Now)
	if !again.Snapshot().Cleared("c") {
		t.Error("the file behind the link has not the answer")
	}
}

// The lab answers on while a save is under way in another goroutine.
func TestRecordWhileSaving(t *testing.T) {
	file := filepath.Join(t.TempDir(), "progress.json")
	s, message := Open(afero.NewOsFs(), file, "1", time.Now)
	if message != "" {
		t.Fatal(message)
	}
	const all = 50
	saves := make(chan error)
	for i := range all {
		s.Record("c", "l", Answer{Instance: strconv.Itoa(i)})
		if i%10 == 0 {
			go func() { saves <- s.Save() }()
		}
	}
	for range all / 10 {
		if err := <-saves; err != nil {
			t.Error(err)
		}
	}
	save(t, s)
	again, _ := Open(afero.NewOsFs(), file, "1", time.Now)
	for _, p := range []*Progress{s.Snapshot(), again.Snapshot()} {
		if n := len(p.Checks["c"].Answers); n != all {
			t.Errorf("%d of %d answers", n, all)
		}
	}
}

func TestDefaultPath(t *testing.T) {
	home := t.TempDir()
	t.Cleanup(xdg.Reload) // runs after the variable is back
	t.Setenv("XDG_DATA_HOME", home)
	xdg.Reload()
	if got, want := DefaultPath(), filepath.Join(home, "kafkalab", "progress.json"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
