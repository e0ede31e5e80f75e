package progress

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"
)

const path = "/home/learner/.local/share/kafkalab/progress.json"

// clock gives times that go on by a minute each time it is asked.
func clock() func() time.Time {
	at := start
	return func() time.Time {
		at = at.Add(time.Minute)
		return at
	}
}

// open opens a store that must have nothing to tell.
func open(t *testing.T, fsys afero.Fs) *Store {
	t.Helper()
	s, message := Open(fsys, path, "1", clock())
	if message != "" {
		t.Fatal(message)
	}
	return s
}

func save(t *testing.T, s *Store) {
	t.Helper()
	if err := s.Save(); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, fsys afero.Fs, name string) string {
	t.Helper()
	data, err := afero.ReadFile(fsys, name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// answers are the instances that were answered, check by check.
func answers(p *Progress) string {
	var all []string
	for _, id := range sortedKeys(p.Checks) {
		for _, a := range p.Checks[id].Answers {
			all = append(all, id+":"+a.Instance)
		}
	}
	return strings.Join(all, " ")
}

func TestSaveAndOpenAgain(t *testing.T) {
	fsys := afero.NewMemMapFs()
	s := open(t, fsys)
	s.Record("isr-1", "isr", Answer{Instance: "n=4,s=2", Misconception: "M-037"})
	s.SeeStep("isr", 1)
	s.Predict("isr", Prediction{Step: 1, Expected: "3", Happened: "2"})
	s.Predict("isr", Prediction{Step: 2, Skipped: true, Happened: "2"})
	s.Leave("isr", "step", 2)
	s.ReachLive("isr")
	save(t, s)
	want := `{
  "version": 1,
  "course": "1",
  "checks": {
    "isr-1": {
      "lesson": "isr",
      "answers": [
        {
          "time": "2026-03-01T21:31:00+02:00",
          "instance": "n=4,s=2",
          "right": false,
          "misconception": "M-037"
        }
      ],
      "review": {
        "stage": 0,
        "due": "2026-03-02"
      }
    }
  },
  "lessons": {
    "isr": {
      "seen": {
        "1": "2026-03-01T21:32:00+02:00"
      },
      "predictions": [
        {
          "step": 1,
          "time": "2026-03-01T21:33:00+02:00",
          "expected": "3",
          "happened": "2",
          "right": false
        },
        {
          "step": 2,
          "time": "2026-03-01T21:34:00+02:00",
          "happened": "2",
          "right": false,
          "skipped": true
        }
      ],
      "live": "2026-03-01T21:36:00+02:00",
      "at": {
        "page": "step",
        "step": 2,
        "time": "2026-03-01T21:35:00+02:00"
      }
    }
  }
}
`
	if diff := cmp.Diff(want, read(t, fsys, path)); diff != "" {
		t.Error(diff)
	}
	again := open(t, fsys).Snapshot()
	if diff := cmp.Diff(text(t, s.Snapshot()), text(t, again)); diff != "" {
		t.Error(diff)
	}
	if again.Cleared("isr-1") {
		t.Error("cleared by a wrong answer")
	}
}

func TestClearedIsTheLatestAnswer(t *testing.T) {
	s := open(t, afero.NewMemMapFs())
	if s.Snapshot().Cleared("c") {
		t.Error("cleared without an answer")
	}
	for _, right := range []bool{true, false, true} {
		s.Record("c", "l", Answer{Right: right})
		if got := s.Snapshot().Cleared("c"); got != right {
			t.Errorf("after right=%v cleared is %v", right, got)
		}
	}
}

// The clock may stand still, or be set back: answers stay in the order given.
func TestAnswersKeepTheirOrder(t *testing.T) {
	at := start
	s, _ := Open(afero.NewMemMapFs(), path, "1", func() time.Time { return at })
	for i := range 5 {
		s.Record("c", "l", Answer{Instance: fmt.Sprint("n=", 9-i), Right: i == 4})
		at = at.Add(-time.Hour)
	}
	save(t, s)
	if got := answers(s.Snapshot()); got != "c:n=9 c:n=8 c:n=7 c:n=6 c:n=5" || !s.Snapshot().Cleared("c") {
		t.Error(got)
	}
}

func TestTwoLabsOnOneFile(t *testing.T) {
	for _, fsys := range []afero.Fs{afero.NewMemMapFs(), afero.NewBasePathFs(afero.NewOsFs(), t.TempDir())} {
		a, b := open(t, fsys), open(t, fsys)
		for i := range 10 {
			a.Record("c", "l", Answer{Instance: fmt.Sprint("a", i)})
			b.Record("c", "l", Answer{Instance: fmt.Sprint("b", i)})
			if i%3 == 0 {
				save(t, a)
			}
			if i%2 == 0 {
				save(t, b)
			}
		}
		save(t, a)
		save(t, b)
		got := open(t, fsys).Snapshot()
		if n := len(got.Checks["c"].Answers); n != 20 {
			t.Errorf("%d of 20 answers: %s", n, answers(got))
		}
		if text(t, got) != text(t, b.Snapshot()) {
			t.Error("the lab that saved last does not know all")
		}
	}
}

func TestResetIsNotUndoneByAnotherLab(t *testing.T) {
	fsys := afero.NewMemMapFs()
	a, b := open(t, fsys), open(t, fsys)
	for _, s := range []*Store{a, b} {
		s.Record("c", "l", Answer{Instance: "old"})
		s.Record("d", "m", Answer{Instance: "other"})
		s.SeeStep("l", 1)
		s.Leave("l", "step", 1)
		save(t, s)
	}
	a.Reset("l")
	save(t, a)
	b.Record("c", "l", Answer{Instance: "again"}) // b has not heard of it, and its answer is newer
	a.Record("c", "l", Answer{Instance: "new"})
	save(t, b)
	save(t, a)
	got := open(t, fsys).Snapshot()
	if strings.Contains(answers(got), "old") || !strings.Contains(answers(got), "c:new") || !strings.Contains(answers(got), "d:other") {
		t.Error(answers(got))
	}
	if len(got.StepsSeen("l")) > 0 {
		t.Error("steps of before the reset are there")
	}
	a.Reset("")
	if left := answers(a.Snapshot()); left != "" {
		t.Errorf("after a reset of all: %s", left)
	}
	a.Record("c", "l", Answer{Instance: "fresh"})
	save(t, a)
	if got := answers(open(t, fsys).Snapshot()); got != "c:fresh" {
		t.Error(got)
	}
}

// What is done after a reset counts, also when the clock stands still.
func TestResetWithAClockThatStands(t *testing.T) {
	s, _ := Open(afero.NewMemMapFs(), path, "1", func() time.Time { return start })
	s.Record("c", "l", Answer{Instance: "old"})
	s.Reset("l")
	s.Record("c", "l", Answer{Instance: "new"})
	s.SeeStep("l", 1)
	save(t, s)
	if got := s.Snapshot(); answers(got) != "c:new" || len(got.StepsSeen("l")) != 1 {
		t.Error(text(t, got))
	}
}

func TestUnreadableFileIsKept(t *testing.T) {
	for name, content := range map[string]string{
		"cut off": `{"version": 1, "checks": {"c": {"answ`, "empty": "", "no JSON": "hello", "no version": "{}", "version 0": `{"version": 0}`,
		"another shape": `{"version": 1, "checks": [1]}`, "bad time": `{"version":1,"checks":{"c":{"answers":[{"time":"noon"}]}}}`, "a list": "[]", "null": "null",
	} {
		t.Run(name, func(t *testing.T) {
			fsys := afero.NewMemMapFs()
			if err := afero.WriteFile(fsys, path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			kept := path + ".corrupt-20260301T193100Z"
			s, message := Open(fsys, path, "1", clock())
			if !strings.Contains(string(message), kept) {
				t.Errorf("message %q", message)
			}
			s.Record("c", "l", Answer{Right: true})
			save(t, s)
			if got := read(t, fsys, kept); got != content {
				t.Errorf("kept %q of %q", got, content)
			}
			if !open(t, fsys).Snapshot().Cleared("c") {
				t.Error("the new file has not the answer")
			}
		})
	}
}

func TestTwoUnreadableFilesInOneSecond(t *testing.T) {
	fsys := afero.NewMemMapFs()
	for i := range 3 {
		if err := afero.WriteFile(fsys, path, []byte{byte('0' + i), 'x'}, 0o600); err != nil {
			t.Fatal(err)
		}
		Open(fsys, path, "1", func() time.Time { return start })
	}
	for i, name := range []string{"", "-2", "-3"} {
		if got := read(t, fsys, path+".corrupt-20260301T193000Z"+name); got != fmt.Sprintf("%dx", i) {
			t.Errorf("%s holds %q", name, got)
		}
	}
}

func TestFileThatBreaksWhileTheLabRuns(t *testing.T) {
	fsys := afero.NewMemMapFs()
	s := open(t, fsys)
	s.Record("c", "l", Answer{Instance: "1"})
	save(t, s)
	if err := afero.WriteFile(fsys, path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Record("c", "l", Answer{Instance: "2"})
	if err := s.Save(); err == nil || !strings.Contains(err.Error(), ".corrupt-") {
		t.Errorf("told %v", err)
	}
	if got := answers(open(t, fsys).Snapshot()); got != "c:1 c:2" {
		t.Error(got)
	}
}

func TestNewerVersionIsNeverOverwritten(t *testing.T) {
	const newer = `{"version": 2, "checks": "quite another thing"}`
	fsys := afero.NewMemMapFs()
	s := open(t, fsys)
	s.Record("c", "l", Answer{})
	if err := afero.WriteFile(fsys, path, []byte(newer), 0o600); err != nil {
		t.Fatal(err)
	}
	// It came while the lab ran,
	if err := s.Save(); err == nil || !strings.Contains(err.Error(), "newer") || s.Saving() {
		t.Errorf("told %v, saving %v", err, s.Saving())
	}
	// or was there when the lab started.
	late, message := Open(fsys, path, "1", clock())
	if !strings.Contains(string(message), "newer") || late.Saving() {
		t.Errorf("told %q, saving %v", message, late.Saving())
	}
	for _, s := range []*Store{s, late} {
		s.Record("c", "l", Answer{Right: true})
		if err := s.Save(); err != nil {
			t.Errorf("told again: %v", err)
		}
		if !s.Snapshot().Cleared("c") {
			t.Error("the lab does not work in memory")
		}
	}
	if got := read(t, fsys, path); got != newer {
		t.Errorf("overwritten: %s", got)
	}
}

func TestReadOnlyHome(t *testing.T) {
	home := afero.NewMemMapFs()
	s := open(t, home)
	s.Record("c", "l", Answer{Instance: "before", Right: true})
	save(t, s)
	s, message := Open(afero.NewReadOnlyFs(home), path, "1", clock())
	if !strings.Contains(string(message), "cannot be saved") || s.Saving() {
		t.Errorf("told %q, saving %v", message, s.Saving())
	}
	s.Record("c", "l", Answer{Instance: "after"})
	if err := s.Save(); err != nil {
		t.Error(err)
	}
	if got := answers(s.Snapshot()); got != "c:before c:after" {
		t.Error(got)
	}
}

func TestRealFolderThatCannotBeMade(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s, message := Open(afero.NewOsFs(), filepath.Join(file, "kafkalab", "progress.json"), "1", clock())
	if message == "" || s.Saving() {
		t.Errorf("told %q, saving %v", message, s.Saving())
	}
	// A folder where the file should be is not touched either.
	dir := t.TempDir()
	s, message = Open(afero.NewOsFs(), dir, "1", clock())
	if message == "" || s.Saving() {
		t.Errorf("told %q, saving %v", message, s.Saving())
	}
}

// A device would be read for ever: only a file is opened.
func TestNoRegularFile(t *testing.T) {
	for _, path := range []string{t.TempDir(), "/dev/zero"} {
		if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() {
			continue // there is no such device here
		}
		_, err := newFile(afero.NewOsFs(), path).read()
		if err == nil || err.Error() != "it is no regular file" {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestSnapshotIsACopy(t *testing.T) {
	s := open(t, afero.NewMemMapFs())
	s.Record("c", "l", Answer{Instance: "1"})
	s.SeeStep("l", 1)
	s.ReachLive("l")
	s.Leave("l", "read", 0)
	before := s.Snapshot()
	kept := text(t, before)
	s.Record("c", "l", Answer{Instance: "2"})
	s.SeeStep("l", 2)
	s.Leave("l", "live", 0)
	s.Reset("l")
	if got := text(t, before); got != kept {
		t.Error(cmp.Diff(kept, got))
	}
}

func TestExportCSV(t *testing.T) {
	s := open(t, afero.NewMemMapFs())
	s.Record("c-1", "l", Answer{Instance: "n=4,s=2", Misconception: "M-001"})
	s.Record("c-1", "l", Answer{Right: true})
	s.Predict("l", Prediction{Step: 2, Expected: `a "b"`, Happened: "2"})
	var b bytes.Buffer
	if err := s.ExportCSV(&b); err != nil {
		t.Fatal(err)
	}
	want := `kind,lesson,check,step,time,instance,expected,happened,right,skipped,misconception,practice
answer,l,c-1,,2026-03-01T21:31:00+02:00,"n=4,s=2",,,false,,M-001,
answer,l,c-1,,2026-03-01T21:32:00+02:00,,,,true,,,
prediction,l,,2,2026-03-01T21:33:00+02:00,,"a ""b""",2,false,false,,
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}
