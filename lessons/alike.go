package lessons

import (
	"slices"

	"github.com/goccy/go-yaml/ast"

	"kafkalab/quiz"
	"kafkalab/quiz/source"
)

// Alike are a few things that are easily taken for each other, such as the high
// watermark and the log end offset: a review asks about one right after the
// other. In course.yaml it is a mapping, from the name of each thing to the
// lessons and checks that are about it:
//
//	alike:
//	  - retention: [sizing-retention]
//	    compaction: [log-compaction, compaction-4]
type Alike []Subject

// Subject is one of several things that are alike, with the ids of the lessons
// and checks about it.
type Subject struct {
	Name  source.Text
	About []source.Text
}

// alikes reads the field `alike`.
type alikes []Alike

// ReadYAML reads the list.
func (list *alikes) ReadYAML(d *source.Decoder, n ast.Node, what string) {
	items, _ := d.Items(n, what)
	for _, item := range items {
		if a := readAlike(d, item, what); len(a) > 1 {
			*list = append(*list, a)
		}
	}
}

func readAlike(d *source.Decoder, n ast.Node, what string) (a Alike) {
	entries, _ := d.Entries(n, what)
	for _, e := range entries {
		s := Subject{Name: e.Key}
		if e.Value != nil {
			s.About = d.Texts(e.Value, e.Key.Value)
		}
		a = append(a, s)
	}
	if len(a) == 1 {
		d.Add(a[0].Name.Line, "%s: %q alone is like nothing (allowed: two names or more in one mapping)", what, a[0].Name.Value)
	}
	return a
}

// checkAlike finds lessons and checks that the course does not have.
func (c *Course) checkAlike(d *source.Decoder) {
	known := c.lessonIDs()
	for _, q := range c.Checks() {
		known = append(known, q.ID)
	}
	for _, a := range c.Alike {
		for _, s := range a {
			for _, id := range s.About {
				if !slices.Contains(known, id.Value) && !c.unread[id.Value] {
					d.Add(id.Line, "alike, %s: %s", s.Name.Value, source.Unknown("lesson or check", id.Value, known))
				}
			}
		}
	}
}

// LookAlikes are the names of the two things that a pair of checks is about, if
// these are easily taken for each other.
func (c *Course) LookAlikes(a, b *quiz.Question) (one, other string, ok bool) {
	for _, group := range c.Alike {
		x, y := group.subject(a), group.subject(b)
		if x >= 0 && y >= 0 && x != y {
			return group[x].Name.Value, group[y].Name.Value, true
		}
	}
	return "", "", false
}

// subject is the first thing that a check is about, -1 for none. What is said of
// the check goes before what is said of its lesson.
func (a Alike) subject(q *quiz.Question) int {
	for _, id := range []string{q.ID, q.Lesson} {
		for i, s := range a {
			if slices.ContainsFunc(s.About, func(t source.Text) bool { return t.Value == id }) {
				return i
			}
		}
	}
	return -1
}
