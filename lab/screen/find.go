package screen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kafkalab/lab/kit/markdown"
	"kafkalab/lessons"
)

// foundKind is what was found; results stand in groups of one kind.
type foundKind int

const (
	foundTerm foundKind = iota
	foundLesson
	foundStep
	foundCheck
)

var groupTitles = [...]string{foundTerm: "glossary", foundLesson: "lessons", foundStep: "steps", foundCheck: "checks"}

// find is something that can be found: its title, what it says, and how it is
// opened.
type find struct {
	kind      foundKind
	title     string
	where     string // the lesson or section that it stands in
	text      string // Markdown
	also, see []string
	open      OpenLesson
	titleLow  string
	allLow    string
}

// indexOf lists all of a course that can be found. What a check or a step
// explains after it was answered is left out.
func indexOf(c *lessons.Course) []find {
	var list []find
	add := func(f find, more ...string) {
		f.titleLow = strings.ToLower(f.title)
		f.allLow = strings.ToLower(strings.Join(append(more, f.title, f.where, f.text, strings.Join(f.also, " ")), " "))
		list = append(list, f)
	}
	for _, t := range c.Glossary {
		add(find{kind: foundTerm, title: t.Name, where: strings.Join(t.Also, ", "), text: blanks(t.Definition), also: t.Also, see: t.SeeAlso})
	}
	for _, l := range c.Lessons() {
		add(find{kind: foundLesson, title: l.Title, where: l.Section, text: summary(l), open: OpenLesson{ID: l.ID}},
			append(slices.Clone(l.Objectives), l.ID, l.Read.Value)...)
	}
	for _, l := range c.Lessons() {
		for i, s := range l.Steps {
			add(find{kind: foundStep, title: s.Title, where: l.Title, text: flat(s.Prose.Value), open: OpenLesson{ID: l.ID, Page: Step, Step: i + 1}})
		}
	}
	for _, l := range c.Lessons() {
		for i, q := range l.Checks {
			_, asked := splitQuestion(q.Ask.Value)
			if asked == "" {
				asked = q.Ask.Value
			}
			add(find{kind: foundCheck, title: bare(flat(asked)), where: fmt.Sprintf("%s, %d", l.Title, i+1), text: flat(q.Ask.Value),
				open: OpenLesson{ID: l.ID, Page: Check, Check: q.ID}}, q.ID)
		}
	}
	return list
}

// flat is a text in one paragraph, with gaps for what the engine fills in.
func flat(text string) string { return strings.Join(strings.Fields(blanks(text)), " ") }

// bare is a line of Markdown without its signs, for where it stands as a title.
func bare(text string) string {
	var words []string
	for _, l := range markdown.Render(text, 1000) {
		words = append(words, l.String())
	}
	return strings.Join(words, " ")
}

// foundLimit bounds how many of one kind are listed.
const foundLimit = 30

// lookUp gives what has all the words, grouped by kind: first what has them in
// its title, and first the group with the best of these.
func lookUp(index []find, typed string) []find {
	words := strings.Fields(strings.ToLower(typed))
	if len(words) == 0 {
		return nil
	}
	type scored struct {
		find
		score int
	}
	var hits []scored
	counts, best := map[foundKind]int{}, map[foundKind]int{}
	for _, f := range index {
		if score := f.score(words); score > 0 {
			hits = append(hits, scored{f, score})
			best[f.kind] = max(best[f.kind], score)
		}
	}
	slices.SortStableFunc(hits, func(a, b scored) int {
		return cmp.Or(cmp.Compare(best[b.kind], best[a.kind]), cmp.Compare(a.kind, b.kind), cmp.Compare(b.score, a.score))
	})
	var list []find
	for _, h := range hits {
		if counts[h.kind]++; counts[h.kind] <= foundLimit {
			list = append(list, h.find)
		}
	}
	return list
}

// score is 0 unless all words are there: the more, the nearer to the title.
func (f find) score(words []string) int {
	score := 1
	for _, w := range words {
		switch {
		case strings.HasPrefix(f.titleLow, w) || slices.ContainsFunc(f.also, func(a string) bool { return strings.EqualFold(a, w) }):
			score += 4
		case strings.Contains(f.titleLow, w):
			score += 2
		case !strings.Contains(f.allLow, w):
			return 0
		}
	}
	return score
}
