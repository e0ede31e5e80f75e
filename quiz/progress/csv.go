package progress

import (
	"encoding/csv"
	"io"
	"strconv"
	"time"
)

// columns of the export: one row for each answer and each prediction.
var columns = []string{"kind", "lesson", "check", "step", "time", "instance", "expected", "happened", "right", "skipped", "misconception", "practice"}

// ExportCSV writes all answers and predictions as comma-separated values with a
// head line, by check and then by lesson, each by time.
func (p *Progress) ExportCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	rows := [][]string{columns}
	for _, id := range sortedKeys(p.Checks) {
		for _, a := range p.Checks[id].Answers {
			rows = append(rows, []string{"answer", p.Checks[id].Lesson, id, "", a.Time.Format(time.RFC3339),
				a.Instance, "", "", strconv.FormatBool(a.Right), "", a.Misconception, practice(a)})
		}
	}
	for _, id := range sortedKeys(p.Lessons) {
		for _, e := range p.Lessons[id].Predictions {
			rows = append(rows, []string{"prediction", id, "", strconv.Itoa(e.Step), e.Time.Format(time.RFC3339),
				"", e.Expected, e.Happened, strconv.FormatBool(e.Right), strconv.FormatBool(e.Skipped), "", ""})
		}
	}
	return out.WriteAll(rows)
}

// practice marks the answers that did not count for the schedule.
func practice(a Answer) string {
	if a.Practice {
		return "true"
	}
	return ""
}
