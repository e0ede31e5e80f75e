package lessons

import (
	"fmt"
	"regexp"
	"strings"

	"kafkalab/quiz/source"
)

func isExpectError(command string) bool {
	words := strings.Fields(command)
	return len(words) >= 2 && words[0] == "expect" && words[1] == "error"
}

// lintStep plays one step; false when the lesson cannot go on.
func (l *Lesson) lintStep(d *source.Decoder, c *Cursor) bool {
	s := c.Step()
	what := "step " + s.Title
	if c.Phase() == Asking {
		if err := c.Skip(); err != nil {
			d.Add(s.Line, "%v", err)
			return false
		}
	}
	if err := c.PlayAll(); err != nil {
		d.Add(s.Line, "%v", err)
		return false
	}
	for i, o := range c.Played() {
		if o.Failed != "" {
			d.Add(lineOf(s.Run, i), "%s: %s", what, o.Failed)
		}
	}
	if len(s.Answers) > 0 && c.Entry().Happened == withUnit("none", s.Unit) {
		d.Add(s.Answers[0].Line, "%s: %s is none after the run; a prediction has one computable answer%s", what, s.Answers[0].Value, refused(c))
	}
	l.lintChoose(d, c, what)
	lintNothing(d, c.Session(), s.Say, what+": say")
	return true
}

// refused names the first command of the step that Kafka answered with an error.
// In a lesson that may be the point; where the step does not work it is the
// likely cause.
func refused(c *Cursor) string {
	for _, o := range c.Played() {
		if o.Err != nil {
			return fmt.Sprintf("; `%s` was answered by %v", o.Command, o.Err)
		}
	}
	return ""
}

var inBraces = regexp.MustCompile(`\{([^{}]+)\}`)

// lintNothing finds an {expression} of a text that is none: a learner would read
// "the reason is none". An event's fields are gone once the next command began.
func lintNothing(d *source.Decoder, s Session, t source.Text, what string) {
	for i, line := range strings.Split(t.Value, "\n") {
		line = strings.NewReplacer("{{", "", "}}", "").Replace(line)
		for _, m := range inBraces.FindAllStringSubmatch(line, -1) {
			if v, err := s.Eval(m[1]); err == nil && v.IsNone() {
				d.Add(t.LineAt(i), "%s: {%s} is none here (allowed: what has a value; an event's fields, of the last command of run only)", what, m[1])
			}
		}
	}
}

// lintChoose finds words of which not exactly one is right.
func (l *Lesson) lintChoose(d *source.Decoder, c *Cursor, what string) {
	step := c.Step()
	var right []string
	for _, w := range step.Choose {
		held, _, err := c.Session().Holds(w.Expr.Value)
		if err != nil {
			d.Add(w.Expr.Line, "%s: %v", what, err)
			return
		}
		if held {
			right = append(right, w.Word.Value)
		}
	}
	if len(step.Choose) > 0 && len(right) != 1 {
		d.Add(step.Choose[0].Word.Line, "%s: %d of the words in choose are right, %v (allowed: exactly one)%s", what, len(right), right, refused(c))
	}
}

// lintLive checks that the goal of the live page is not there from the start,
// and that the solution, if the author wrote one, gets there.
func (l *Lesson) lintLive(d *source.Decoder, c *Cursor) {
	live := l.Live
	if live == nil {
		return
	}
	if _, _, err := c.LiveTexts(); err != nil {
		d.Add(live.Line, "%v", err)
	}
	if live.Done.Blank() {
		return
	}
	if err := c.Look(); err != nil {
		d.Add(live.Done.Line, "%v", err)
		return
	}
	if c.Reached() {
		d.Add(live.Done.Line, "live: the goal holds before anything was done")
		return
	}
	if live.Solution.Blank() {
		return
	}
	for i, command := range commandsOf(live.Solution) {
		out, err := c.Command(command)
		if err != nil {
			d.Add(lineOf(live.Solution, i), "live: solution: %v", err)
			return
		}
		if out.Failed != "" {
			d.Add(lineOf(live.Solution, i), "live: solution: %s", out.Failed)
		}
	}
	if !c.Reached() {
		d.Add(live.Done.Line, "live: the goal does not hold after the solution")
	}
}
