package progress

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var zone = time.FixedZone("", 2*3600)

// start is an evening; what is due "the next day" is due in the morning.
var start = time.Date(2026, 3, 1, 21, 30, 0, 0, zone)

func days(n int) time.Time { return start.AddDate(0, 0, n) }

func TestIntervals(t *testing.T) {
	for _, c := range []struct {
		name    string
		answers []Answer
		want    Review
	}{
		{"none", nil, Review{}},
		{"right", []Answer{{Time: days(0), Right: true}}, Review{1, "2026-03-02"}},
		{"1, 3, 7, 21 days", []Answer{{Time: days(0), Right: true}, {Time: days(1), Right: true}, {Time: days(4), Right: true}, {Time: days(11), Right: true}}, Review{4, "2026-04-02"}},
		{"21 days for good", []Answer{{Time: days(0), Right: true}, {Time: days(1), Right: true}, {Time: days(4), Right: true}, {Time: days(11), Right: true}, {Time: days(32), Right: true}}, Review{4, "2026-04-23"}},
		{"a miss", []Answer{{Time: days(0)}}, Review{0, "2026-03-02"}},
		{"a miss starts over", []Answer{{Time: days(0), Right: true}, {Time: days(1), Right: true}, {Time: days(4)}}, Review{0, "2026-03-06"}},
		{"and goes up again", []Answer{{Time: days(0), Right: true}, {Time: days(1)}, {Time: days(2), Right: true}, {Time: days(3), Right: true}}, Review{2, "2026-03-07"}},
		{"mended at once", []Answer{{Time: days(0)}, {Time: days(0).Add(time.Minute), Right: true}}, Review{1, "2026-03-02"}},
		{"three in one evening are one", []Answer{{Time: days(0), Right: true}, {Time: days(0).Add(time.Minute), Right: true}, {Time: days(0).Add(time.Hour), Right: true}}, Review{1, "2026-03-02"}},
		{"practice moves nothing", []Answer{{Time: days(0), Right: true}, {Time: days(0), Practice: true}, {Time: days(1), Right: true}, {Time: days(2), Right: true, Practice: true}}, Review{2, "2026-03-05"}},
		{"practice is no beginning", []Answer{{Time: days(0), Right: true, Practice: true}}, Review{}},
		{"a miss at the top", []Answer{{Time: days(0), Right: true}, {Time: days(1), Right: true}, {Time: days(4), Right: true}, {Time: days(11), Right: true}, {Time: days(32)}, {Time: days(33), Right: true}}, Review{1, "2026-04-04"}},
		{"late", []Answer{{Time: days(0), Right: true}, {Time: days(9), Right: true}}, Review{2, "2026-03-13"}},
	} {
		if got := schedule(c.answers); got != c.want {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestDueIsTheLearnersDay(t *testing.T) {
	r := Review{1, "2026-03-02"}
	for at, want := range map[time.Time]bool{
		start:                    false,
		start.Add(2 * time.Hour): false, // 23:30
		start.Add(3 * time.Hour): true,  // 00:30 of the day
		days(1):                  true,
		days(100):                true,
		time.Date(2026, 3, 2, 1, 0, 0, 0, zone).UTC(): false, // there it is still the 1st
	} {
		if got := r.DueAt(at); got != want {
			t.Errorf("due at %v: %v", at, got)
		}
	}
}

func TestDueListsTheLongestOverdueFirst(t *testing.T) {
	p := fresh("1")
	for id, due := range map[string]string{"b": "2026-03-02", "a": "2026-03-02", "c": "2026-02-01", "later": "2026-03-09"} {
		p.Checks[id] = Check{Answers: []Answer{{Time: start}}, Review: Review{1, due}}
	}
	p.Checks["never"] = Check{}
	if got := p.Due(days(1)); !slices.Equal(got, []string{"c", "a", "b"}) {
		t.Error(cmp.Diff([]string{"c", "a", "b"}, got))
	}
}

func TestDaysTo(t *testing.T) {
	for _, c := range []struct {
		due  string
		at   time.Time
		days int
		ok   bool
	}{
		{"2026-03-02", start, 1, true},
		{"2026-03-01", start, 0, true},
		{"2026-02-27", start, -2, true},
		{"2026-03-29", start.Add(3 * time.Hour), 27, true}, // half past midnight, the day after
		{"2027-03-01", start, 365, true},
		{"", start, 0, false},
		{"soon", start, 0, false},
	} {
		if days, ok := (Review{Due: c.due}).DaysTo(c.at); days != c.days || ok != c.ok {
			t.Errorf("%s from %v: %d, %v", c.due, c.at, days, ok)
		}
	}
}
