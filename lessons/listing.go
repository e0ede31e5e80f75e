package lessons

import (
	"fmt"
	"strings"

	"kafkalab/quiz"
)

// Listing is the course as text: sections, lessons, what each is for. With
// answers it has every check with its key, its explanations and its source, for
// an instructor; what is computed for each learner stands there as expression.
func Listing(c *Course, answers bool) string {
	b := &listing{}
	b.line(0, "%s, version %s", c.Title, c.Version)
	for _, s := range c.Sections {
		b.line(0, "")
		b.line(0, "%s", s.Title)
		for i, l := range s.Lessons {
			if answers && i > 0 {
				b.line(0, "")
			}
			b.lesson(l, answers)
		}
	}
	if len(c.Drills) > 0 {
		b.line(0, "")
		b.line(0, "Drills")
	}
	for _, dr := range c.Drills {
		b.line(1, "%-20s %s", dr.ID, dr.Title)
		if answers {
			b.drill(dr)
		}
	}
	return b.String()
}

func (b *listing) drill(dr *Drill) {
	b.block(2, "goal", dr.Goal.Value)
	b.block(2, "solution", dr.Solution.Value)
	for _, w := range dr.Wrong {
		b.block(2, "no repair", w.Value)
	}
	for i, h := range dr.Hints {
		b.block(2, fmt.Sprintf("hint %d", i+1), h.Value)
	}
}

// listing writes indented lines.
type listing struct{ strings.Builder }

func (b *listing) line(depth int, format string, args ...any) {
	text := strings.Repeat("  ", depth) + fmt.Sprintf(format, args...)
	b.WriteString(strings.TrimRight(text, " ") + "\n")
}

// block writes a text under a label; nothing for an empty one. A text of several
// lines goes below the label.
func (b *listing) block(depth int, label, text string) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) == 1 {
		if lines[0] != "" {
			b.line(depth, "%s: %s", label, lines[0])
		}
		return
	}
	b.line(depth, "%s:", label)
	for _, l := range lines {
		b.line(depth+1, "%s", l)
	}
}

func (b *listing) lesson(l *Lesson, answers bool) {
	b.line(1, "%-20s %s, %d min, %s", l.ID, l.Title, l.Minutes, count(len(l.Checks), "check"))
	if !answers {
		return
	}
	for i, o := range l.Objectives {
		b.line(2, "%d. %s", i+1, o)
	}
	for i, q := range l.Checks {
		b.line(0, "")
		b.line(2, "check %d of %d, %s, %s", i+1, len(l.Checks), q.ID, q.Kind)
		b.question(q)
	}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func (b *listing) question(q *quiz.Question) {
	var spreads []string
	for _, s := range q.Vary {
		spreads = append(spreads, s.String())
	}
	b.block(3, "varies", strings.Join(spreads, ", "))
	b.block(3, "given", q.Given.Value)
	b.block(3, "ask", q.Ask.Value)
	b.block(3, "case", q.Case.Value)
	for i, o := range q.Options {
		b.option(q, i, o)
	}
	b.block(3, "answer, computed", strings.TrimSpace(q.Answer.Value+" "+q.Unit.Value))
	for _, n := range q.Near {
		b.block(3, "near, "+n.Expr.Value, strings.TrimSpace(n.Why.Value+" "+n.Misconception.Value))
	}
	for i, item := range q.Items {
		b.line(3, "%d. %s", i+1, item.Value)
	}
	b.block(3, "goal", q.Goal.Value)
	b.block(3, "solution", q.Solution.Value)
	b.block(3, "why", q.Why.Value)
	b.block(3, "source", q.Source.Value)
}

func (b *listing) option(q *quiz.Question, i int, o quiz.Option) {
	mark := "wrong"
	switch {
	case o.Right:
		mark = "RIGHT"
	case q.EngineDecides():
		mark = "right if " + o.Shows.Value
	case o.Misconception.Given():
		mark = "wrong, " + o.Misconception.Value
	}
	b.line(3, "%c  %s  (%s)", 'a'+i, o.Text.Value, mark)
	b.line(5, "%s", strings.TrimSpace(o.Why.Value))
}
