package progress

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/spf13/afero"
)

func TestRepairsOfADrill(t *testing.T) {
	disk := afero.NewMemMapFs()
	s := open(t, disk)
	if _, ok := s.Snapshot().Best("loss"); ok {
		t.Error("a drill that was never begun is repaired")
	}
	s.Repair("loss", Repair{Actions: 4, Hints: 1, TookMs: 900})
	s.Repair("loss", Repair{Actions: 2, Hints: 1, TookMs: 1200})
	s.Repair("loss", Repair{Actions: 9})
	save(t, s)
	after := open(t, disk).Snapshot()
	if best, ok := after.Best("loss"); !ok || best.Actions != 2 || len(after.Drills["loss"].Repairs) != 3 {
		t.Errorf("%+v, %v", best, after.Drills)
	}
	s.Reset("loss") // an id of a lesson, if any: drills belong to none
	if _, ok := s.Snapshot().Best("loss"); !ok {
		t.Error("the reset of a lesson forgot a drill")
	}
	s.Reset("")
	save(t, s)
	if _, ok := open(t, disk).Snapshot().Best("loss"); ok {
		t.Error("the reset of everything did not forget the drill")
	}
	s.Repair("loss", Repair{Actions: 3})
	if best, ok := s.Snapshot().Best("loss"); !ok || best.Actions != 3 {
		t.Error("what is done after a reset does not count")
	}
}

// A file from before there were drills has no such field, and gets none from
// being read and written; what a later program adds to a drill stays.
func TestDrillsAreOptionalInTheFile(t *testing.T) {
	var old Progress
	if err := json.Unmarshal([]byte(`{"version":1,"course":"1","checks":{},"lessons":{}}`), &old); err != nil {
		t.Fatal(err)
	}
	if data := text(t, merge(fresh("1"), &old)); strings.Contains(data, "drills") {
		t.Error(data)
	}
	var later Progress
	if err := json.Unmarshal([]byte(`{"version":1,"drills":{"loss":{"repairs":[],"opened":"then"}}}`), &later); err != nil {
		t.Fatal(err)
	}
	if data := text(t, merge(&later, &old)); !strings.Contains(data, `"opened": "then"`) {
		t.Error(data)
	}
}
