package source

import (
	"cmp"
	"fmt"
	"slices"
)

// Finding is one thing that is wrong in a file of a course.
type Finding struct {
	File string // path inside the course's folder, with slashes
	Line int    // from 1; 0 when the file as a whole is meant, or is not there
	Text string // what is wrong, and what is allowed
}

// String is the finding as `kafkalab check` prints it: FILE:LINE: text.
func (f Finding) String() string {
	return fmt.Sprintf("%s:%d: %s", f.File, max(f.Line, 1), f.Text)
}

// Sort puts findings in the order a person works through them: by file, then by
// line. Findings of one line stay in the order they were made; the same finding
// made twice (a script that is run for several instances) is kept once.
func Sort(list []Finding) []Finding {
	slices.SortStableFunc(list, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	seen := make(map[Finding]bool, len(list))
	return slices.DeleteFunc(list, func(f Finding) bool {
		again := seen[f]
		seen[f] = true
		return again
	})
}
