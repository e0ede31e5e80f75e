package lessons

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"kafkalab/quiz"
	"kafkalab/quiz/progress"
)

// diary is a store whose clock a test moves.
type diary struct {
	*progress.Store
	now time.Time
}

func newDiary(c *Course) *diary {
	d := &diary{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	d.Store, _ = progress.Open(afero.NewMemMapFs(), "/p.json", c.Version, func() time.Time { return d.now })
	return d
}

func (d *diary) answer(check string, right bool) {
	lesson, _, _ := strings.Cut(check, "-")
	d.Record(check, lesson, progress.Answer{Right: right})
}

func idsOf(list []*quiz.Question) string {
	var ids []string
	for _, q := range list {
		ids = append(ids, q.ID)
	}
	return strings.Join(ids, " ")
}

func TestReviewMixesLessons(t *testing.T) {
	c, findings := twoLessons(t, "")
	if len(findings) > 0 {
		t.Fatal(texts(findings))
	}
	d := newDiary(c)
	for _, id := range []string{"lso-4", "hw-1", "hw-2", "hw-3", "lso-1", "gone-1"} {
		d.answer(id, false)
		if id == "lso-4" {
			d.now = d.now.AddDate(0, 0, 1) // that one is overdue for longer
		}
	}
	tomorrow := d.now.AddDate(0, 0, 1)
	var lessons []string
	got := c.Review(d.Snapshot(), tomorrow)
	for _, q := range got {
		lessons = append(lessons, q.Lesson)
	}
	// The crowded lesson goes first, or two of it would stand together at the end.
	if diff := cmp.Diff("hw lso hw lso hw", strings.Join(lessons, " ")); diff != "" {
		t.Error(diff)
	}
	if got[1].ID != "lso-4" {
		t.Errorf("the longest overdue is not the first of its lesson: %s", idsOf(got))
	}
	if early := c.Review(d.Snapshot(), d.now.AddDate(0, 0, -1)); len(early) > 0 {
		t.Errorf("%d are due before their day", len(early))
	}
}

// What is due when: the days to come, and what there is to exercise meanwhile.
func TestAheadAndPractice(t *testing.T) {
	c, _ := twoLessons(t, "")
	d := newDiary(c)
	ahead := func() string {
		var days []string
		for _, day := range c.Ahead(d.Snapshot(), d.now) {
			days = append(days, fmt.Sprintf("%d:%d %s", day.In, day.Checks, day.Date.Format("2 Jan")))
		}
		return strings.Join(days, ", ")
	}
	if got := ahead() + idsOf(c.Practice(d.Snapshot(), d.now, 5)); got != "" {
		t.Errorf("nothing was answered, and yet %s", got)
	}
	d.answer("hw-1", true)
	d.answer("gone-1", true)
	d.now = d.now.AddDate(0, 0, 1)
	d.answer("hw-1", true)
	d.answer("hw-2", true)
	d.answer("lso-1", false)
	if got := ahead(); got != "1:2 3 Mar, 3:1 5 Mar" {
		t.Error(got)
	}
	if got := c.Practice(d.Snapshot(), d.now, 2); len(got) != 2 || strings.Contains(idsOf(got), "hw-1") {
		t.Errorf("the two that are due first: %s", idsOf(got))
	}
	d.now = d.now.AddDate(0, 0, 1)
	if got := ahead(); got != "2:1 5 Mar" {
		t.Errorf("what is due today is not to come: %s", got)
	}
	if got := idsOf(c.Practice(d.Snapshot(), d.now, 9)); got != "hw-1" {
		t.Errorf("what is due is no practice: %s", got)
	}
}

func TestBeliefsTheCourseKnows(t *testing.T) {
	c, _ := twoLessons(t, "")
	c.Misconceptions = map[string]Misconception{"M-001": {Belief: "x"}}
	d := newDiary(c)
	d.Record("hw-1", "hw", progress.Answer{Misconception: "M-001"})
	d.Record("hw-2", "hw", progress.Answer{Misconception: "M-777"})
	if got := c.Beliefs(d.Snapshot()); len(got) != 1 || got[0].ID != "M-001" {
		t.Errorf("%+v", got)
	}
}
