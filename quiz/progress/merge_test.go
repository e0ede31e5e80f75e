package progress

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// drawn is a progress that some lab may have: a few checks and lessons, times
// from a small range so that they meet.
func drawn(t *rapid.T, label string) *Progress {
	p := fresh("1")
	moment := rapid.Custom(func(t *rapid.T) time.Time {
		return start.Add(time.Duration(rapid.IntRange(0, 8).Draw(t, "at")) * 12 * time.Hour)
	})
	lessons := []string{"l1", "l2"}
	for range rapid.IntRange(0, 8).Draw(t, label+" answers") {
		lesson := rapid.SampledFrom(lessons).Draw(t, "lesson")
		id := lesson + rapid.SampledFrom([]string{"-a", "-b"}).Draw(t, "check")
		c := p.Checks[id]
		c.Lesson = lesson
		c.Answers = append(c.Answers, Answer{Time: moment.Draw(t, "time"), Right: rapid.Bool().Draw(t, "right"),
			Instance: rapid.SampledFrom([]string{"", "n=1", "n=2"}).Draw(t, "instance")})
		p.Checks[id] = c
	}
	for range rapid.IntRange(0, 6).Draw(t, label+" edits") {
		id := rapid.SampledFrom(lessons).Draw(t, "lesson")
		l := p.Lessons[id]
		switch at := moment.Draw(t, "time"); rapid.IntRange(0, 3).Draw(t, "edit") {
		case 0:
			l.see(rapid.IntRange(1, 3).Draw(t, "step"), at)
		case 1:
			l.reach(at)
		case 2:
			l.At = &Position{Page: "step", Step: rapid.IntRange(1, 3).Draw(t, "step"), Time: at}
		case 3:
			l.Predictions = append(l.Predictions, Prediction{Step: 1, Time: at, Expected: "3", Happened: "2"})
		}
		p.Lessons[id] = l
	}
	for range rapid.IntRange(0, 3).Draw(t, label+" repairs") {
		if p.Drills == nil {
			p.Drills = map[string]Drill{}
		}
		id := rapid.SampledFrom([]string{"d1", "d2"}).Draw(t, "drill")
		p.Drills[id] = Drill{Repairs: append(p.Drills[id].Repairs, Repair{Time: moment.Draw(t, "time"), Actions: rapid.IntRange(1, 2).Draw(t, "actions")})}
	}
	if rapid.Bool().Draw(t, label+" reset") {
		p.resetAt(rapid.SampledFrom([]string{"l1", "l2", everything}).Draw(t, "of"), moment.Draw(t, "reset"))
	}
	return p
}

func text(t interface{ Fatal(...any) }, p *Progress) string {
	data, err := json.MarshalIndent(p, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Merging is a union: order and repetition do not matter. Positions of the same
// moment are the one thing in which the first one wins.
func TestMergeLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := drawn(t, "a"), drawn(t, "b"), drawn(t, "c")
		for _, p := range []*Progress{a, b, c} {
			for id, l := range p.Lessons {
				l.At = nil
				p.Lessons[id] = l
			}
		}
		ab := text(t, merge(a, b))
		if ba := text(t, merge(b, a)); ab != ba {
			t.Fatalf("a and b:\n%s", cmp.Diff(ab, ba))
		}
		if again := text(t, merge(merge(a, b), a)); again != ab {
			t.Fatalf("a once more:\n%s", cmp.Diff(ab, again))
		}
		left, right := text(t, merge(merge(a, b), c)), text(t, merge(a, merge(b, c)))
		if left != right {
			t.Fatalf("(a b) c, a (b c):\n%s", cmp.Diff(left, right))
		}
	})
}

// No answer is lost but what a reset covers, and none that it covers stays.
func TestMergeKeepsEveryAnswer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawn(t, "a"), drawn(t, "b")
		m := merge(a, b)
		for _, from := range []*Progress{a, b} {
			for id, c := range from.Checks {
				for _, answer := range c.Answers {
					kept := false
					for _, x := range m.Checks[id].Answers {
						kept = kept || compareAnswers(x, answer) == 0
					}
					if covered := !answer.Time.After(m.resetOf(c.Lesson)); kept == covered {
						t.Fatalf("%s at %v: kept %v, covered by a reset %v", id, answer.Time, kept, covered)
					}
				}
			}
		}
		for id, c := range m.Checks {
			if c.Review != schedule(c.Answers) {
				t.Fatalf("%s: review %+v, answers say %+v", id, c.Review, schedule(c.Answers))
			}
		}
	})
}

// What one lab saw again after a reset stays, although the other one saw it
// first before the reset.
func TestMergeSeenAfterReset(t *testing.T) {
	old := fresh("1")
	old.Lessons["l"] = Lesson{Seen: map[int]time.Time{1: days(0), 2: days(0)}, Live: &start}
	anew := fresh("1")
	anew.resetAt("l", days(1))
	anew.Lessons["l"] = Lesson{Seen: map[int]time.Time{1: days(2)}}
	for _, m := range []*Progress{merge(old, anew), merge(anew, old)} {
		if got := m.StepsSeen("l"); !cmp.Equal(got, []int{1}) || m.LiveReached("l") {
			t.Errorf("steps %v, live %v", got, m.LiveReached("l"))
		}
	}
}

func TestNewestPositionWins(t *testing.T) {
	a, b := fresh("1"), fresh("1")
	a.Lessons["l"] = Lesson{At: &Position{Page: "live", Time: days(2)}}
	b.Lessons["l"] = Lesson{At: &Position{Page: "read", Time: days(1)}}
	b.Lessons["m"] = Lesson{At: &Position{Page: "step", Step: 3, Time: days(1)}}
	for _, m := range []*Progress{merge(a, b), merge(b, a)} {
		if id, at, ok := m.LastLesson(); !ok || id != "l" || at.Page != "live" {
			t.Errorf("last: %s %+v %v", id, at, ok)
		}
	}
}

// A program of the same version may write fields that this one does not know.
func TestUnknownFieldsStay(t *testing.T) {
	const file = `{"version":1,"course":"1","checks":{"c":{"lesson":"l","answers":[{"time":"2026-03-01T21:30:00+02:00","right":true}],` +
		`"review":{"stage":1,"due":"2026-03-02"},"notes":["a",{"b":1}]}},` +
		`"lessons":{"l":{"seen":{"1":"2026-03-01T21:30:00+02:00"},"stars":5}},"theme":{"name":"dark"}}`
	p := fresh("")
	if err := json.Unmarshal([]byte(file), p); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(merge(p, fresh("1")))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(data); got != file {
		t.Errorf("%s", cmp.Diff(file, got))
	}
	if !strings.HasPrefix(string(data), `{"version":1,`) {
		t.Error("the version is not at the top")
	}
}
