package panel

import "testing"

func TestLengthsOfTime(t *testing.T) {
	for _, tt := range []struct {
		ms            int64
		long, inUnits string
	}{
		{0, "0 ms", "0 ms"},
		{3, "3 ms", "3 ms"},
		{999, "999 ms", "999 ms"},
		{1000, "1 s", "1 s"},
		{1500, "1.5 s", "1.5 s"},
		{60_000, "60 s", "1 min"},
		{61_000, "61 s", "1 min 1 s"},
		{270_000, "4 min 30 s", "4 min 30 s"},
		{hour, "1 h", "1 h"},
		{day - minute, "23 h 59 min", "23 h 59 min"},
		{day, "24 h", "1 d"},
		{25 * hour, "25 h", "1 d 1 h"},
		{8 * day, "8 d", "8 d"},
		{6*day + 23*hour + 59*minute, "7 d", "7 d"},
		{1500 * day, "1 500 d", "1 500 d"},
	} {
		if got := long(tt.ms); got != tt.long {
			t.Errorf("long(%d) = %q, want %q", tt.ms, got, tt.long)
		}
		if got := inUnits(tt.ms); got != tt.inUnits {
			t.Errorf("inUnits(%d) = %q, want %q", tt.ms, got, tt.inUnits)
		}
	}
}

// The rows of a column are written in one unit, and none as older than it is.
func TestScale(t *testing.T) {
	for _, tt := range []struct {
		longest int64
		ms      []int64
		want    []string
	}{
		{8 * day, []int64{8 * day, day, 3, 0, 7*day - 1}, []string{"8.0 d", "1.0 d", "< 0.1 d", "0.0 d", "6.9 d"}},
		{day - 1, []int64{day - 1, 90 * minute}, []string{"23.9 h", "1.5 h"}},
		{62, []int64{62, 12, 0}, []string{"62 ms", "12 ms", "0 ms"}},
		{0, []int64{0}, []string{"0 ms"}},
		{2000 * day, []int64{2000 * day}, []string{"2 000.0 d"}},
	} {
		for i, ms := range tt.ms {
			if got := scaleOf(tt.longest).text(ms); got != tt.want[i] {
				t.Errorf("%d beside %d is %q, want %q", ms, tt.longest, got, tt.want[i])
			}
		}
	}
}

func TestNewestRead(t *testing.T) {
	for room, want := range map[int]string{
		60: "newest of its key below 4; 9 is newer, not looked at", 40: "newest below 4; 9 not looked at", 25: "9 is newer, not looked at",
		20: "9 newer, not read", 11: "newest read",
	} {
		if got := newestRead(4, 9, room); got != want {
			t.Errorf("in %d cells: %q, want %q", room, got, want)
		}
	}
}
