package lessons

import (
	"kafkalab/engine/config"
	"kafkalab/quiz"
	"kafkalab/quiz/source"
)

// Finding is one thing that is wrong in a file of a course.
type Finding = source.Finding

// Course is a folder of lessons, read and understood. What could not be read is
// left out of it, and is a finding.
type Course struct {
	Title    string
	Version  string
	Sections []Section
	Drills   []*Drill // by id
	Glossary Glossary
	// Misconceptions are what people believe that is not so, by id; nil when the
	// course has no such list.
	Misconceptions map[string]Misconception
	// Alike are the things that a review puts side by side.
	Alike []Alike

	unread map[string]bool // lessons whose file is there and cannot be read
}

// Misconception is what people believe, and what is so instead; Truth is empty
// when the course's list does not say.
type Misconception struct{ Belief, Truth string }

// Section is a part of a course: lessons in the order they are taught.
type Section struct {
	Title   string
	Lessons []*Lesson
}

// Lessons are all lessons, in the order they are taught.
func (c *Course) Lessons() []*Lesson {
	var all []*Lesson
	for _, s := range c.Sections {
		all = append(all, s.Lessons...)
	}
	return all
}

// Lesson finds a lesson by its id.
func (c *Course) Lesson(id string) (*Lesson, bool) {
	for _, l := range c.Lessons() {
		if l.ID == id {
			return l, true
		}
	}
	return nil, false
}

// NearestLesson is the id that a mistyped one most likely meant, or "".
func (c *Course) NearestLesson(id string) string { return config.Nearest(id, c.lessonIDs()) }

func (c *Course) lessonIDs() []string {
	var ids []string
	for _, l := range c.Lessons() {
		ids = append(ids, l.ID)
	}
	return ids
}

// Checks are all checks of all lessons, in order.
func (c *Course) Checks() []*quiz.Question {
	var all []*quiz.Question
	for _, l := range c.Lessons() {
		all = append(all, l.Checks...)
	}
	return all
}

// byID are all checks by their ids.
func (c *Course) byID() map[string]*quiz.Question {
	all := map[string]*quiz.Question{}
	for _, q := range c.Checks() {
		all[q.ID] = q
	}
	return all
}

// Check finds a check by its id.
func (c *Course) Check(id string) (*quiz.Question, bool) {
	for _, q := range c.Checks() {
		if q.ID == id {
			return q, true
		}
	}
	return nil, false
}
