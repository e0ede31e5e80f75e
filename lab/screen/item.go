package screen

import (
	"errors"
	"strings"

	"kafkalab/engine/console"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/markdown"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/panel"
	"kafkalab/lessons"
	"kafkalab/quiz"
)

// item is one check on the page: the instance that is asked, how it is
// answered, and the result once it was.
type item struct {
	env    *Env
	lesson *lessons.Lesson
	q      *quiz.Question

	about  string         // the misconception that it is asked for, empty for none
	alike  string         // what it is easily confused with, in words
	in     *quiz.Instance // nil until it is first seen
	err    error
	form   form
	result *quiz.Result
	note   string // why an answer was none
	play   *playback
	stage  *stage // the learner's own cluster, for a check that is done by acting
	shell  *Console

	verdict int  // the row at which the verdict begins
	answers int  // rows of what was answered, above it
	fresh   bool // the verdict was not seen yet
}

// form is how a kind of check is answered.
type form interface {
	// commands are its keys, field its field for text, nil for none.
	commands(cs *Commands)
	field() Field
	// ready tells whether there is something to grade, touched whether the
	// learner has begun.
	ready() bool
	touched() bool
	enterWord() string
	reply() quiz.Reply
	// ask adds what is answered on, and judged adds the same once it was.
	ask(t *text, width int)
	judged(t *text, width int, result quiz.Result)
	click(y int)
}

// ask asks the check, if it is not asked already.
func (it *item) ask() {
	if it.in == nil && it.err == nil {
		it.askAnew()
	}
}

// askAnew asks it with fresh numbers: others than the last time.
func (it *item) askAnew() {
	it.result, it.note, it.play, it.stage, it.shell, it.form = nil, "", nil, nil, nil, nil
	it.in, it.err = it.draw()
	if it.err != nil {
		return
	}
	switch it.q.Kind {
	case quiz.Choice, quiz.Multi:
		it.form = &choiceForm{in: it.in, multi: it.q.Kind == quiz.Multi, at: -1, picked: make([]bool, len(it.in.Options))}
	case quiz.Number:
		it.form = newNumberForm(it.in)
	case quiz.Order:
		it.form = newOrderForm(it.in)
	default:
		it.form = &scriptForm{in: it.in, solution: strings.TrimSpace(it.in.Values.Fill(it.q.Solution.Value))}
		it.act()
	}
}

// drawTries is how many instances are made to find one in which a misconception
// shows.
const drawTries = 6

// draw makes a fresh instance; for a misconception, one in which it can be told.
func (it *item) draw() (in *quiz.Instance, err error) {
	asked := it.env.Progress.Asked(it.q.ID)
	if it.in != nil {
		asked = append(asked, it.in.Values.String())
	}
	for range drawTries {
		in, err = it.q.Instance(it.q.Vary.Fresh(it.env.Rand, asked), it.env.Rand, it.env.Ask)
		if err != nil || it.about == "" || in.Shows(it.about) || len(it.q.Vary) == 0 {
			break
		}
	}
	return in, err
}

// act gives the learner the cluster of a check that is done by acting.
func (it *item) act() {
	it.shell = NewConsole(runShell{it.in.Session})
	it.stage = newStage(it.env, func() any { return it.in.Session }, it.lesson.Panels, newTranscript(it.shell.outputs))
	it.shell.after = func() []Action { it.stage.look(); return nil }
	it.stage.model.Focus.Live = true
	it.stage.look()
}

// runShell runs single lines on a check's session.
type runShell struct{ session quiz.Session }

// Exec runs one line.
func (s runShell) Exec(line string) (console.Output, error) {
	outputs, err := s.session.Run(line)
	if err != nil || len(outputs) == 0 {
		return console.Output{Command: line}, err
	}
	return outputs[0], nil
}

func (it *item) perform(a panel.Action) []Action {
	if run, ok := a.(panel.Run); ok {
		if shell := it.console(); shell != nil {
			return shell.Run(run.Line)
		}
	}
	return nil
}

// console is the one of the cluster that is seen, nil when none is.
func (it *item) console() *Console {
	if it.play != nil {
		return it.play.shell
	}
	if it.result == nil {
		return it.shell
	}
	return nil
}

// seenStage is the cluster that stands beside the check, nil for none.
func (it *item) seenStage() *stage {
	switch {
	case it.play != nil:
		return it.play.stage
	case it.stage != nil:
		return it.stage
	}
	return nil
}

// open tells whether the check waits for an answer.
func (it *item) open() bool { return it.form != nil && it.result == nil }

// grade judges the answer; false when it was none.
func (it *item) grade() bool {
	result, err := it.in.Grade(it.form.reply())
	it.note = ""
	switch {
	case errors.Is(err, quiz.ErrNoAnswer):
		it.note = strings.TrimPrefix(err.Error(), quiz.ErrNoAnswer.Error()+": ")
		return false
	case err != nil:
		it.err, it.form = err, nil
		return false
	case it.q.Kind == quiz.Script && !result.Right:
		it.note = result.Said
		return false
	}
	it.result, it.fresh = &result, true
	it.settle()
	return true
}

// settle ends the acting on the cluster of a check that is judged: it is looked
// at from then on.
func (it *item) settle() {
	if it.stage != nil {
		it.stage.model.Focus.Live = false
	}
}

// giveUp ends a check that is done by acting, undone: the learner is shown one
// way to do it.
func (it *item) giveUp() {
	it.result, it.fresh, it.note = &quiz.Result{Why: it.in.Why}, true, ""
	it.settle()
}

// againWord names what it is to be asked once more.
func (it *item) againWord() string {
	if len(it.q.Vary) > 0 {
		return "again, fresh numbers"
	}
	return "ask again"
}

// body is the check as text: what is asked, what can be answered or was, and
// the verdict with its reasons.
func (it *item) body(width int) *text {
	t := &text{}
	if it.err != nil {
		t.say(brokenText(it.err, width)...)
		return t
	}
	if it.in == nil {
		return t
	}
	if it.alike != "" {
		t.say(canvas.T("look-alikes: ", theme.Open).Add(it.alike, theme.Label).Wrap(width)...)
		t.gap()
	}
	t.say(asked(it.in.Ask, width)...)
	if it.q.Shown && it.in.Given != "" {
		t.gap()
		for line := range strings.Lines(strings.TrimSpace(it.in.Given)) {
			t.say(hang(canvas.T("  ", theme.Text), canvas.T(strings.TrimRight(line, "\n"), theme.Bright), width)...)
		}
	}
	t.gap()
	if it.result == nil {
		it.form.ask(t, width)
		if it.note != "" {
			t.gap()
			t.say(canvas.T(it.note, theme.Open).Wrap(width)...)
		}
		return t
	}
	top := t.rows()
	it.form.judged(t, width, *it.result)
	t.gap()
	it.verdict = t.rows()
	it.answers = it.verdict - top
	it.sayVerdict(t, width)
	return t
}

// asked is the text of a check, with the question that it ends with on a line
// of its own.
func asked(ask string, width int) []canvas.Line {
	story, question := splitQuestion(ask)
	q := markdown.Render(question, width)
	for _, line := range q {
		for i := range line {
			if line[i].Style.Hue() == theme.Text {
				line[i].Style |= theme.Bright
			}
			line[i].Style |= theme.Bold
		}
	}
	return paragraphs(markdown.Render(story, width), q)
}

// splitQuestion cuts the last sentence off, if it is a question.
func splitQuestion(ask string) (story, question string) {
	ask = strings.TrimSpace(ask)
	if !strings.HasSuffix(ask, "?") {
		return ask, ""
	}
	cut := -1
	for _, end := range []string{". ", ".\n", "? ", "?\n", "\n\n"} {
		if i := strings.LastIndex(ask, end); i >= 0 {
			cut = max(cut, i+1)
		}
	}
	if cut < 0 {
		return "", ask
	}
	return strings.TrimSpace(ask[:cut]), strings.TrimSpace(ask[cut:])
}
