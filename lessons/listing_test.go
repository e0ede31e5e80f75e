package lessons

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"kafkalab/quiz/progress"
)

func TestListing(t *testing.T) {
	c := course()
	c["drills/full-disk.md"] = file(strings.Replace(drillMD, "hints:", "wrong:\n  - |\n    # no use\n    tick 1h\nhints:", 1))
	all, findings := LoadCourse(c)
	if len(findings) > 0 {
		t.Fatal(texts(findings))
	}
	want := `A course, version 1.0

Replication
  hw                   The high watermark, 10 min, 5 checks

Drills
  full-disk            The full disk
`
	if diff := cmp.Diff(want, Listing(all, false)); diff != "" {
		t.Error(diff)
	}
	answers := Listing(all, true)
	for _, want := range []string{`
    check 1 of 5, hw-1, number
      varies: n: 3..9, s: 1..3
      given:
        topic create t replicas=3
        produce t count={n}
        produce t count={s} acks=1
      ask: What is the high watermark after {n} and {s}?
      answer, computed: t/0.hw
      near, t/0.leo: That is the log end offset.
      why: It is {t/0.hw}.
`, "  2. tell the high watermark from the LEO\n", "    solution: settle\n    no repair:\n      # no use\n      tick 1h\n    hint 1: Wait.\n"} {
		if !strings.Contains(answers, want) {
			t.Errorf("no %q in:\n%s", want, answers)
		}
	}
	if strings.Contains(answers, "\n\n\n") || strings.Contains(answers, " \n") {
		t.Error("empty lines, or spaces at an end")
	}
}

func TestListingMarksOptions(t *testing.T) {
	c := course()
	replace(t, c, "lessons/hw.md", "```check hw-1\n", "```check seen\nkind: choice\nask: What is seen?\nsource: Partition\noptions:\n"+
		"  - {text: all, why: Only below the high watermark., misconception: M-042}\n  - {text: some, right: true, why: It is so.}\n```\n\n```check hw-1\n")
	all, findings := LoadCourse(c)
	if len(findings) > 0 {
		t.Fatal(texts(findings))
	}
	want := "      a  all  (wrong, M-042)\n          Only below the high watermark.\n      b  some  (RIGHT)\n          It is so.\n      source: Partition\n"
	if got := Listing(all, true); !strings.Contains(got, want) {
		t.Errorf("no %q in:\n%s", want, got)
	}
}

func TestTable(t *testing.T) {
	c := load(t)
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	s, message := progress.Open(afero.NewMemMapFs(), "/p.json", c.Version, func() time.Time { return now })
	if message != "" {
		t.Fatal(message)
	}
	s.Record("hw-1", "hw", progress.Answer{Right: true})
	s.Record("hw-2", "hw", progress.Answer{Right: false})
	s.Record("gone", "hw", progress.Answer{Right: true}) // a check that the course no longer has
	s.SeeStep("hw", 1)
	s.SeeStep("hw", 9)
	s.Predict("hw", progress.Prediction{Step: 1, Expected: "4", Right: true})
	s.Predict("hw", progress.Prediction{Step: 2, Skipped: true})
	s.Predict("hw", progress.Prediction{Step: 1, Expected: "5"}) // another run: the first one counts
	s.ReachLive("hw")
	want := `                      cleared    steps  predictions  live  due
Replication               1/5      1/3          1/1          2
  The high watermark      1/5      1/3          1/1  yes     2
all                       1/5      1/3          1/1          2
`
	if diff := cmp.Diff(want, Table(c, s.Snapshot(), now.AddDate(0, 0, 1))); diff != "" {
		t.Error(diff)
	}
}
