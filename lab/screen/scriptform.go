package screen

import (
	"strings"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
	"kafkalab/quiz"
)

// scriptForm is a check that is done by acting on its cluster, in the console or
// the panel.
type scriptForm struct {
	in *quiz.Instance
	// solution is one way to do it, shown to a learner who asks for it.
	solution string
}

func (f *scriptForm) commands(*Commands) {}

func (f *scriptForm) field() Field { return nil }

func (f *scriptForm) ready() bool { return true }

// touched is never: what was done stays in the cluster until the lesson closes.
func (f *scriptForm) touched() bool { return false }

func (f *scriptForm) enterWord() string { return "is it done?" }

func (f *scriptForm) reply() quiz.Reply { return quiz.Reply{} }

func (f *scriptForm) click(int) {}

func (f *scriptForm) ask(t *text, width int) {
	t.say(canvas.T("Act in the panel, or open the console with a colon. Enter looks whether it is done.", theme.Muted).Wrap(width)...)
}

func (f *scriptForm) judged(t *text, width int, result quiz.Result) {
	if result.Right {
		return
	}
	t.say(canvas.T("one way to do it", theme.Label))
	for line := range strings.Lines(f.solution) {
		lead := canvas.T(string(glyph.Prompt)+" ", theme.Focus)
		t.say(hang(lead, canvas.T(strings.TrimSpace(line), theme.Bright), width)...)
	}
}
