package panel

import "testing"

// The first probe of a large index looks where its last 8 KiB begin.
func TestVerdicts(t *testing.T) {
	for _, tt := range []struct {
		v       verdict
		i, warm int
		w       int
		want    string
	}{
		{entryBelow, 0, 0, 62, "< 85, look right"},
		{entryAbove, 3, 0, 62, "> 85, look left"},
		{"equal", 3, 0, 62, "= 85"},
		{entryBelow, 0, 500, 62, "< 85, in the last 8 KiB"},
		{entryAbove, 0, 500, 62, "at or past 85, before the last 8 KiB"},
		{"equal", 0, 500, 62, "at or past 85, before the last 8 KiB"},
		{entryBelow, 1, 500, 62, "< 85, look right"},
		{entryBelow, 0, 500, 40, "< 85"},
	} {
		if got := verdictText(tt.v, "85", tt.i, tt.warm, tt.w); got != tt.want {
			t.Errorf("%s, probe %d, warm from %d, %d cells: %q, want %q", tt.v, tt.i, tt.warm, tt.w, got, tt.want)
		}
	}
}

// The floor is the last probe, or an earlier one that is then named again.
func TestFloorRows(t *testing.T) {
	probes := []probeView{{slot: 0}, {slot: 12}, {slot: 6}}
	for floor, want := range map[int]int{6: 3, 0: 4, -1: 4} {
		if got := probeRows(probes, floor); got != want {
			t.Errorf("floor %d takes %d rows, want %d", floor, got, want)
		}
	}
}
