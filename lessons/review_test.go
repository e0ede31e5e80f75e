package lessons

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"kafkalab/quiz/progress"
)

func TestReviewMixesLessons(t *testing.T) {
	files := course()
	replace(t, files, "course.yaml", "      - hw\n", "      - hw\n      - lso\n")
	text := strings.ReplaceAll(string(files["lessons/hw.md"].Data), "```check hw-", "```check lso-")
	files["lessons/lso.md"] = file(strings.Replace(text, "id: hw", "id: lso", 1))
	c, findings := LoadCourse(files)
	if len(findings) > 0 {
		t.Fatal(texts(findings))
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	s, _ := progress.Open(afero.NewMemMapFs(), "/p.json", c.Version, func() time.Time { return now })
	for _, id := range []string{"lso-4", "hw-1", "hw-2", "hw-3", "lso-1", "gone"} {
		lesson, _, _ := strings.Cut(id, "-")
		s.Record(id, lesson, progress.Answer{})
		if id == "lso-4" {
			now = now.AddDate(0, 0, 1) // that one is overdue for longer
		}
	}
	var got []string
	for _, q := range c.Review(s.Snapshot(), now.AddDate(0, 0, 1)) {
		got = append(got, q.ID)
	}
	if diff := cmp.Diff([]string{"lso-4", "hw-1", "lso-1", "hw-2", "hw-3"}, got); diff != "" {
		t.Error(diff)
	}
	if early := c.Review(s.Snapshot(), now.AddDate(0, 0, -1)); len(early) > 0 {
		t.Errorf("%d are due before their day", len(early))
	}
}
