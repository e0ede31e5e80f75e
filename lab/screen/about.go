package screen

import (
	"fmt"
	"strings"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/keys"
	"kafkalab/lab/kit/markdown"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
	"kafkalab/lessons"
)

// about is what the map says of a lesson, or of a section.
type about struct{}

// aboutWidth is the widest that its text is.
const aboutWidth = 78

// draw draws it, with the key that goes on at its end, or at the bottom where
// it does not fit.
func (a *about) draw(r canvas.Region, env *Env, of func() (lessons.Section, *lessons.Lesson), narrow bool) {
	section, l := of()
	lines := a.lines(env, section, l, min(r.W(), aboutWidth), narrow)
	button := a.button(env, l)
	if button == "" {
		r.PutLines(0, 0, lines)
		return
	}
	body, last := r.Rect().Top(min(len(lines), r.H()-2))
	r.Sub(body).PutLines(0, 0, lines)
	y := last.Y + 1
	if narrow {
		y = r.H() - 1
	}
	widget.Button(r.Pen(0, y), keys.Bind("enter", button))
}

// button says what enter does with a lesson.
func (a *about) button(env *Env, l *lessons.Lesson) string {
	if l == nil {
		return ""
	}
	at, open := resume(env.Progress, l)
	switch {
	case !open:
		return "start"
	case at.page == Read:
		return "open"
	}
	return "continue at " + at.words()
}

// lines are what is said; narrow leaves out what can be read in the lesson.
func (a *about) lines(env *Env, section lessons.Section, l *lessons.Lesson, width int, narrow bool) []canvas.Line {
	if l == nil {
		return a.sectionLines(env, section, width)
	}
	facts := canvas.T(fmt.Sprintf("%d min · %s · %s", l.Minutes, plural(len(l.Steps), "step"), plural(len(l.Checks), "check")), theme.Label)
	head := append(heading(l.Title, width), facts.Wrap(width)...)
	sum := markdown.Render(summary(l), width)
	if narrow {
		lines := append(head, firstLines(sum, 2)...)
		lines = append(lines, a.needs(env, l, width)...)
		return append(lines, nil, nil)
	}
	return paragraphs(head, sum, a.objectives(l, width), a.needs(env, l, width), a.lastTime(env, l, width))
}

func (a *about) objectives(l *lessons.Lesson, width int) []canvas.Line {
	if len(l.Objectives) == 0 {
		return nil
	}
	lines := []canvas.Line{canvas.T("You will", theme.Label)}
	return append(lines, markdown.Render("- "+strings.Join(l.Objectives, "\n- "), width)...)
}

// needs are the lessons that this one builds on, and whether they are cleared.
func (a *about) needs(env *Env, l *lessons.Lesson, width int) []canvas.Line {
	var lines []canvas.Line
	for i, id := range l.Needs {
		need, ok := env.Course.Lesson(id)
		if !ok {
			continue
		}
		lead := canvas.T("       ", theme.Label)
		if i == 0 {
			lead = canvas.T("Needs  ", theme.Label)
		}
		n := need.Count(env.Progress, env.Now())
		sign, style := glyph.Todo, theme.Muted
		if n.Checks > 0 && n.Cleared == n.Checks {
			sign, style = glyph.Done, theme.Cleared
		} else if _, open := resume(env.Progress, need); open {
			sign, style = glyph.Half, theme.Open
		}
		lead = lead.Add(string(sign)+" ", style)
		lines = append(lines, hang(lead, canvas.T(need.Title, theme.Text), width)...)
	}
	return lines
}

func (a *about) lastTime(env *Env, l *lessons.Lesson, width int) []canvas.Line {
	left := env.Progress.Lessons[l.ID].At
	if left == nil {
		return nil
	}
	said := leftWords(*left, l) + ", " + ago(left.Time, env.Now())
	return hang(canvas.T("Last time  ", theme.Label), canvas.T(said, theme.Text), width)
}

func (a *about) sectionLines(env *Env, s lessons.Section, width int) []canvas.Line {
	if s.Title == "" {
		return empty("This course has no lessons.")
	}
	minutes := 0
	for _, l := range s.Lessons {
		minutes += l.Minutes
	}
	n := s.Count(env.Progress, env.Now())
	head := append(heading(s.Title, width), canvas.T(fmt.Sprintf("%s · %d min", plural(len(s.Lessons), "lesson"), minutes), theme.Label))
	cleared := canvas.T("cleared ", theme.Label).Add(fmt.Sprint(n.Cleared), theme.Name).Add(fmt.Sprintf(" of %s", plural(n.Checks, "check")), theme.Label)
	return paragraphs(head, []canvas.Line{cleared})
}

// summary is what a lesson begins with: the first sentences of what is read,
// as far as the engine has no part in them.
func summary(l *lessons.Lesson) string {
	first, _, _ := strings.Cut(strings.TrimSpace(l.Read.Value), "\n\n")
	first = strings.Join(strings.Fields(first), " ")
	said := ""
	for _, sentence := range strings.SplitAfter(first, ". ") {
		if strings.Contains(sentence, "{") {
			break
		}
		said += sentence
	}
	return strings.TrimSpace(said)
}
