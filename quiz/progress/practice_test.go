package progress

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"
)

// Practice is kept, tells what was known last, and leaves the schedule; the file
// says it only where it is so.
func TestPracticeIsKept(t *testing.T) {
	disk := afero.NewMemMapFs()
	s := open(t, disk)
	s.Record("c", "l", Answer{Instance: "n=1", Right: true})
	before := s.Snapshot().Checks["c"].Review
	s.Record("c", "l", Answer{Instance: "n=2", Misconception: "M-001", Practice: true})
	save(t, s)
	if n := strings.Count(read(t, disk, path), `"practice": true`); n != 1 || strings.Contains(read(t, disk, path), `"practice": false`) {
		t.Errorf("%d answers are marked:\n%s", n, read(t, disk, path))
	}
	after := open(t, disk).Snapshot()
	if diff := cmp.Diff(text(t, s.Snapshot()), text(t, after)); diff != "" {
		t.Error(diff)
	}
	if after.Checks["c"].Review != before || after.Cleared("c") {
		t.Errorf("%+v, cleared %v", after.Checks["c"].Review, after.Cleared("c"))
	}
	if diff := cmp.Diff([]string{"n=1", "n=2"}, after.Asked("c")); diff != "" {
		t.Error(diff)
	}
}

// A file of before there was practice is read, and written as it was.
func TestPracticeIsOptionalInTheFile(t *testing.T) {
	const old = `{"version":1,"course":"1","checks":{"c":{"lesson":"l","answers":[{"time":"2026-03-01T10:00:00Z","right":true}],"review":{"stage":1,"due":"2026-03-02"}}},"lessons":{}}`
	var p Progress
	if err := json.Unmarshal([]byte(old), &p); err != nil {
		t.Fatal(err)
	}
	if got, err := json.Marshal(merge(fresh("1"), &p)); err != nil || string(got) != old {
		t.Errorf("%s, %v", got, err)
	}
}
