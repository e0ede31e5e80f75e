package screen

import (
	"fmt"
	"regexp"

	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/keys"
	"kafkalab/lab/kit/markdown"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
	"kafkalab/lessons"
	"kafkalab/quiz/progress"
	"kafkalab/quiz/source"
)

// Next is the page behind a lesson: what is cleared, what is left, and which
// lesson comes then.
type Next struct {
	env    *Env
	lesson *lessons.Lesson
	scroll widget.Scroll
	count  int
	height int
}

// NewNext makes the page behind a lesson.
func NewNext(env *Env, l *lessons.Lesson) *Next { return &Next{env: env, lesson: l} }

// following is the next lesson of the course, nil behind the last one.
func (s *Next) following() *lessons.Lesson {
	all := s.env.Course.Lessons()
	for i, l := range all {
		if l.ID == s.lesson.ID && i+1 < len(all) {
			return all[i+1]
		}
	}
	return nil
}

// left counts the checks that are not cleared.
func (s *Next) left() int {
	n := s.lesson.Count(s.env.Progress, s.env.Now())
	return n.Checks - n.Cleared
}

// Commands go on: to the next lesson, or to what is left of this one.
func (s *Next) Commands() Commands {
	var cs Commands
	if l := s.following(); l != nil {
		cs.add(groupLearn, "enter", "next lesson", always(OpenLesson{ID: l.ID}))
	} else {
		cs.add(groupLearn, "enter", "course map", always(GoHome{}))
	}
	if n := s.left(); n > 0 {
		cs.add(groupLearn, "c", "the "+plural(n, "check")+" left", always(OpenLesson{ID: s.lesson.ID, Page: Check}))
	}
	if len(s.lesson.Steps) > 0 {
		cs.add(groupMove, "←", "back to the steps", always(OpenLesson{ID: s.lesson.ID, Page: Step, Step: len(s.lesson.Steps)}), "left", "h")
	}
	if s.count > s.height {
		cs.add(groupMove, "↑↓", "scroll", nil)
	}
	cs.add(groupEverywhere, "esc", "course map", always(GoHome{}))
	cs.add(groupEverywhere, "/", "search", func() []Action { return act(Show{NewSearch(s.env)}) })
	cs.add(groupEverywhere, "?", "keys", always(ShowKeys{}))
	cs.add(groupEverywhere, "q", "quit", always(Quit{}))
	return cs
}

// Field is nil: nothing is typed here.
func (s *Next) Field() Field { return nil }

// Other scrolls.
func (s *Next) Other(k tea.KeyMsg) []Action {
	s.scroll.Key(k, max(s.height, 1), s.count)
	return nil
}

// Click has nothing to choose.
func (s *Next) Click(int, int) []Action { return nil }

// Draw draws the page.
func (s *Next) Draw(r canvas.Region) {
	l := geom.Arrange(r.W(), r.H(), geom.Plan{})
	title := canvas.T(s.lesson.Title, theme.Name).Add("   what next", theme.Label)
	n := s.lesson.Count(s.env.Progress, s.env.Now())
	status := canvas.T("cleared ", theme.Label).Add(fmt.Sprint(n.Cleared), theme.Name).Add(fmt.Sprintf("/%d", n.Checks), theme.Label)
	widget.Frame{Title: title, Status: status, Keys: s.Commands().Line()}.Draw(r, l)
	part := r.Sub(l.Inner(l.Shows).Pad(2, 0, 0, 0))
	width := min(part.W()-3, textWidth)
	t := s.body(width)
	s.count, s.height = t.rows(), part.H()
	from, to := s.scroll.Show(s.height, s.count)
	t.draw(part.Sub(geom.Rect{W: width, H: part.H()}), from)
	widget.ScrollMark(part, part.W()-1, from, to, s.count)
}

func (s *Next) body(width int) *text {
	t := &text{}
	t.say(heading(s.headline(), width)...)
	s.sayChecks(t, width)
	s.sayPredictions(t)
	s.sayGoal(t)
	if job := blanks(s.lesson.Job.Value); job != "" {
		t.gap()
		t.say(markdown.Render(job, width)...)
	}
	s.sayFollowing(t, width)
	return t
}

func (s *Next) headline() string {
	if s.left() == 0 {
		return "All of it is cleared."
	}
	return fmt.Sprintf("%s of %d still to clear.", plural(s.left(), "check"), len(s.lesson.Checks))
}

// sayChecks lists the checks with their marks, by what they ask.
func (s *Next) sayChecks(t *text, width int) {
	if len(s.lesson.Checks) == 0 {
		return
	}
	t.gap()
	t.say(canvas.T("checks", theme.Label))
	for i, q := range s.lesson.Checks {
		sign, style := glyph.Todo, theme.Muted
		if a, answered := s.env.Progress.Latest(q.ID); answered {
			if sign, style = glyph.Wrong, theme.Open; a.Right {
				sign, style = glyph.Done, theme.Cleared
			}
		}
		_, asked := splitQuestion(q.Ask.Value)
		if asked == "" {
			asked = q.Ask.Value
		}
		line := canvas.T(" "+string(sign)+" ", style).Add(fmt.Sprint(i+1)+"  ", theme.Label)
		room := width - line.Width()
		t.say(line.Add(cell.Truncate(bare(blanks(asked)), room), theme.Text))
	}
}

func (s *Next) sayPredictions(t *text) {
	made, right, skipped := foretold(s.env.Progress.Lessons[s.lesson.ID].Predictions)
	if made+skipped == 0 {
		return
	}
	t.gap()
	line := canvas.T("predictions  ", theme.Label).Add(fmt.Sprint(right), theme.Right|theme.Bold).Add(fmt.Sprintf(" of %d right", made), theme.Text)
	if skipped > 0 {
		line = line.Add(fmt.Sprintf(", %d skipped", skipped), theme.Muted)
	}
	t.say(line)
}

// foretold counts the first prediction of each step.
func foretold(all []progress.Prediction) (made, right, skipped int) {
	seen := map[int]bool{}
	for _, p := range all {
		if seen[p.Step] {
			continue
		}
		seen[p.Step] = true
		switch {
		case p.Skipped:
			skipped++
		default:
			made++
			if p.Right {
				right++
			}
		}
	}
	return made, right, skipped
}

func (s *Next) sayGoal(t *text) {
	if s.lesson.Live == nil || s.lesson.Live.Goal.Blank() {
		return
	}
	line := canvas.T("live goal    ", theme.Label)
	if s.env.Progress.LiveReached(s.lesson.ID) {
		t.say(line.Add(string(glyph.Done)+" reached", theme.Right))
		return
	}
	t.say(line.Add(string(glyph.Todo)+" not yet", theme.Open))
}

func (s *Next) sayFollowing(t *text, width int) {
	l := s.following()
	t.gap()
	if l == nil {
		t.say(canvas.T("This is the last lesson of the course.", theme.Text).Wrap(width)...)
		t.gap()
		t.over(func(r canvas.Region, y int) { widget.Button(r.Pen(0, y), keys.Bind("enter", "course map")) })
		return
	}
	t.say(canvas.T("next", theme.Label))
	t.say(hang(canvas.T(" ", theme.Text), canvas.T(l.Title, theme.Name).Add(fmt.Sprintf("   %d min", l.Minutes), theme.Label), width)...)
	if sum := summary(l); sum != "" {
		for _, line := range firstLines(markdown.Render(sum, width-1), 3) {
			t.say(append(canvas.T(" ", theme.Text), line...))
		}
	}
	t.gap()
	t.over(func(r canvas.Region, y int) { widget.Button(r.Pen(0, y), keys.Bind("enter", "next lesson")) })
}

// inserted is an {expression} that the engine fills in while the lesson runs.
var inserted = regexp.MustCompile(`\{[^{}]+\}`)

// blanks is a text with a gap for each number that the engine would fill in.
func blanks(text string) string { return source.Unbrace(inserted.ReplaceAllString(text, "…")) }
