package progress

import (
	"encoding/json"
	"maps"
	"slices"
	"time"
)

// Version is the version of the file format that this program writes, and the
// newest it reads.
const Version = 1

// everything is the key in Resets that stands for all lessons. No lesson has
// this id: ids are small letters, digits and hyphens.
const everything = "*"

// Progress is what the file holds.
type Progress struct {
	Version int                  `json:"version"`
	Course  string               `json:"course"`
	Checks  map[string]Check     `json:"checks"`
	Lessons map[string]Lesson    `json:"lessons"`
	Drills  map[string]Drill     `json:"drills,omitempty"`
	Resets  map[string]time.Time `json:"resets,omitempty"`
	extra   map[string]json.RawMessage
}

// Check is what became of one knowledge check.
type Check struct {
	Lesson  string   `json:"lesson,omitempty"`
	Answers []Answer `json:"answers"` // by time
	Review  Review   `json:"review"`
	extra   map[string]json.RawMessage
}

// Answer is one reply to a check.
type Answer struct {
	Time          time.Time `json:"time"`
	Instance      string    `json:"instance,omitempty"` // such as n=4,s=2
	Right         bool      `json:"right"`
	Misconception string    `json:"misconception,omitempty"` // such as M-037
	// Practice marks an answer that was given for exercise, ahead of its day: it
	// does not move the schedule.
	Practice bool `json:"practice,omitempty"`
}

// Lesson is what became of one lesson.
type Lesson struct {
	Seen        map[int]time.Time `json:"seen,omitempty"` // step, from 1: when last seen
	Predictions []Prediction      `json:"predictions,omitempty"`
	Live        *time.Time        `json:"live,omitempty"` // when the live goal was last reached
	At          *Position         `json:"at,omitempty"`
	extra       map[string]json.RawMessage
}

// Prediction is what a learner expected of a step, beside what happened.
type Prediction struct {
	Step     int       `json:"step"` // from 1
	Time     time.Time `json:"time"`
	Expected string    `json:"expected,omitempty"`
	Happened string    `json:"happened"`
	Right    bool      `json:"right"`
	Skipped  bool      `json:"skipped,omitempty"` // a mark of its own, never a pass
}

// Position is where the learner left a lesson.
type Position struct {
	Page string    `json:"page"` // read, step, live or check
	Step int       `json:"step,omitempty"`
	Time time.Time `json:"time"`
}

// Drill is what became of one drill. It is there once it was repaired.
type Drill struct {
	Repairs []Repair `json:"repairs"` // by time
	extra   map[string]json.RawMessage
}

// Repair is one time that a drill was repaired, and what it took.
type Repair struct {
	Time    time.Time `json:"time"`
	Actions int       `json:"actions"` // lines that changed something
	Hints   int       `json:"hints,omitempty"`
	TookMs  int64     `json:"took_ms"` // virtual, since the alert
}

func fresh(course string) *Progress {
	return &Progress{Version: Version, Course: course, Checks: map[string]Check{}, Lessons: map[string]Lesson{}}
}

// Latest is the newest answer to a check; ok is false when there is none.
func (p *Progress) Latest(check string) (a Answer, ok bool) {
	answers := p.Checks[check].Answers
	if len(answers) == 0 {
		return Answer{}, false
	}
	return answers[len(answers)-1], true
}

// Cleared tells whether a check is cleared: its latest answer is right.
func (p *Progress) Cleared(check string) bool {
	a, ok := p.Latest(check)
	return ok && a.Right
}

// Asked lists the instances of a check that were answered, the latest last. For
// a check that does not vary they are all empty.
func (p *Progress) Asked(check string) []string {
	var asked []string
	for _, a := range p.Checks[check].Answers {
		asked = append(asked, a.Instance)
	}
	return asked
}

// StepsSeen lists the steps of a lesson that were seen, ascending.
func (p *Progress) StepsSeen(lesson string) []int { return sortedKeys(p.Lessons[lesson].Seen) }

// LiveReached tells whether the goal of a lesson's live page was ever reached.
func (p *Progress) LiveReached(lesson string) bool { return p.Lessons[lesson].Live != nil }

// Best is the repair of a drill that took the fewest actions and hints; ok is
// false for a drill that was never repaired.
func (p *Progress) Best(drill string) (best Repair, ok bool) {
	for _, r := range p.Drills[drill].Repairs {
		if !ok || r.Actions+r.Hints < best.Actions+best.Hints {
			best, ok = r, true
		}
	}
	return best, ok
}

// LastLesson is the lesson that was left last, with its position; ok is false
// on a fresh file.
func (p *Progress) LastLesson() (id string, at Position, ok bool) {
	for _, l := range sortedKeys(p.Lessons) {
		if here := p.Lessons[l].At; here != nil && (!ok || here.Time.After(at.Time)) {
			id, at, ok = l, *here, true
		}
	}
	return id, at, ok
}

func sortedKeys[K int | string, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
