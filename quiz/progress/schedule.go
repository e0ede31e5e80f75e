package progress

import (
	"slices"
	"strings"
	"time"
)

// intervals are the days from one right answer to the next asking. After the
// last one the check comes back at that distance for good.
var intervals = []int{1, 3, 7, 21}

// day is how a date is written in the file; two of them compare as strings.
const day = "2006-01-02"

// Intervals are the days from one right answer to the next asking: 1, 3, 7, 21.
func Intervals() []int { return slices.Clone(intervals) }

// Review is where a check stands in the schedule.
type Review struct {
	// Stage counts the right answers in a row that were given when they were
	// due, at most one for each interval; 0 after a miss.
	Stage int `json:"stage"`
	// Due is the day, where the learner is, from which on the check is asked
	// again: a date such as 2026-03-02.
	Due string `json:"due"`
}

// DueAt tells whether the check is due at a moment: on its day, and after. A
// check that was never answered has no day and is not due.
func (r Review) DueAt(now time.Time) bool {
	return r.Due != "" && r.Due <= now.Format(day)
}

// DaysTo counts the days from a moment's day to the one on which the check is
// due: negative once it is overdue. ok is false for a check without a day.
func (r Review) DaysTo(now time.Time) (days int, ok bool) {
	due, err := time.Parse(day, r.Due)
	if err != nil {
		return 0, false
	}
	y, m, d := now.Date()
	today := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	return int(due.Sub(today) / (24 * time.Hour)), true
}

// next is the review after one more answer. A right one moves on by an interval,
// but only when it was due: three right answers in one evening are one. A miss
// starts over: the check is asked again the next day.
func (r Review) next(at time.Time, right bool) Review {
	switch {
	case !right:
		r.Stage = 0
	case r.Due == "" || r.Stage == 0 || r.DueAt(at):
		r.Stage = min(r.Stage+1, len(intervals))
	default:
		return r
	}
	days := intervals[max(r.Stage, 1)-1]
	return Review{Stage: r.Stage, Due: at.AddDate(0, 0, days).Format(day)}
}

// after is the review after one more answer. One that was given for practice
// leaves it as it is.
func (r Review) after(a Answer) Review {
	if a.Practice {
		return r
	}
	return r.next(a.Time, a.Right)
}

// schedule replays all answers of a check, in order of time. So two files that
// hold the same answers have the same schedule, however they were merged.
func schedule(answers []Answer) Review {
	var r Review
	for _, a := range answers {
		r = r.after(a)
	}
	return r
}

// Due lists the checks that are due at a moment, the longest overdue first.
func (p *Progress) Due(now time.Time) []string {
	return slices.DeleteFunc(p.Scheduled(), func(id string) bool { return !p.Checks[id].Review.DueAt(now) })
}

// Scheduled lists the checks that have a day, the soonest first; those of one
// day by id.
func (p *Progress) Scheduled() []string {
	var ids []string
	for _, id := range sortedKeys(p.Checks) {
		if p.Checks[id].Review.Due != "" {
			ids = append(ids, id)
		}
	}
	slices.SortStableFunc(ids, func(a, b string) int {
		return strings.Compare(p.Checks[a].Review.Due, p.Checks[b].Review.Due)
	})
	return ids
}
