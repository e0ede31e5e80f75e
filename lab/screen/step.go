package screen

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
	"kafkalab/lessons"
	"kafkalab/quiz/progress"
)

// stepPage takes the learner through the steps: it asks, runs, and shows what
// was expected beside what happened.
type stepPage struct {
	onWalk
	guess  guess
	prose  prose
	say    prose
	nudged bool // enter was struck with nothing typed
}

func (p *stepPage) name() Page { return Step }

// enter comes to the page: at the step that one is at.
func (p *stepPage) enter() []Action {
	p.arrive()
	return p.flow.isAt(Step)
}

// arrive gets everything ready for the step that the cursor stands in.
func (p *stepPage) arrive() {
	p.head.Top()
	p.nudged = false
	if p.broken() {
		return
	}
	p.walk.openFocus()
	if step := p.walk.cursor.Step(); p.guess.step != step {
		p.guess = newGuess(step)
	}
}

func (p *stepPage) place() canvas.Line {
	if p.broken() {
		return nil
	}
	n, of := p.walk.cursor.Number(), len(p.flow.lesson.Steps)
	line := canvas.T(fmt.Sprintf("step %d of %d  ", n, of), theme.Label)
	return append(line, widget.Dots(n, of)...)
}

func (p *stepPage) phase() lessons.Phase {
	if p.broken() {
		return lessons.Revealed
	}
	return p.walk.cursor.Phase()
}

// field takes the prediction.
func (p *stepPage) field() Field {
	if !p.broken() && p.phase() == lessons.Asking && !p.guess.chooses() {
		return p
	}
	return nil
}

// Type edits the prediction; who types sees the field.
func (p *stepPage) Type(k tea.KeyMsg) ([]Action, bool) {
	mine := p.guess.edit(k)
	if mine {
		p.flow.side = geom.PageSays
	}
	return nil, mine
}

// opens tells which letters are commands while a prediction may be typed.
func (p *stepPage) opens(letter rune) bool { return !p.guess.takes(string(letter)) }

// commands are those of the phase, then what looks closer.
func (p *stepPage) commands() Commands {
	var cs Commands
	if p.broken() {
		return cs
	}
	switch p.phase() {
	case lessons.Asking:
		p.askCommands(&cs)
	case lessons.Running:
		cs.add(groupLearn, "enter", "run it", p.run)
		cs.add(groupLearn, "→", "next command", p.runOne, "right")
		cs.add(groupLearn, "←", "back", p.back, "left")
	default:
		cs.add(groupLearn, "enter", p.onwardWord(), p.next)
		cs.line("←→", "steps")
		cs.quiet(groupLearn, "→", "on", p.next, "right")
		cs.quiet(groupLearn, "←", "back", p.back, "left")
		cs.add(groupLearn, "g", "replay", p.replay)
	}
	return cs
}

// look offers no key that would be text, nor one that names an answer.
func (p *stepPage) look(cs *Commands) {
	if p.broken() || p.field() != nil && !p.opens('b') {
		return
	}
	if !p.asksChoice() {
		p.onWalk.look(cs)
	}
	cs.quiet(groupLearn, "P", "my predictions", func() []Action { return act(Show{NewLedger(p.walk)}) })
}

// asksChoice tells whether letters name the words that are offered.
func (p *stepPage) asksChoice() bool { return p.phase() == lessons.Asking && p.guess.chooses() }

// askCommands are the keys while a prediction is awaited.
func (p *stepPage) askCommands(cs *Commands) {
	if p.guess.empty() && !p.guess.chooses() {
		cs.add(groupLearn, "type", p.guess.text.Empty, nil)
	}
	if p.guess.empty() {
		cs.silent(func() []Action { p.nudged = true; return nil }, "enter")
	} else {
		cs.add(groupLearn, "enter", "answer", p.answer)
	}
	if !p.guess.empty() && !p.guess.chooses() {
		cs.add(groupType, "esc", "clear", func() []Action { p.guess.clear(); return nil })
	}
	if p.guess.chooses() {
		p.guess.choiceCommands(cs)
	}
	if p.guess.empty() || p.guess.chooses() {
		cs.add(groupLearn, "space", "skip", p.skip, " ")
		cs.add(groupLearn, "←", "back", p.back, "left")
		if !p.walk.cursor.Entry().Open() {
			cs.add(groupLearn, "→", "on", p.skip, "right")
		}
	}
}

// onwardWord names what enter leads to.
func (p *stepPage) onwardWord() string {
	if !p.walk.cursor.Finished() {
		return "next step"
	}
	switch p.flow.after(Step) {
	case Live:
		return "to the live page"
	case Check:
		return "to the checks"
	}
	return "what next"
}

// answer takes the prediction, runs the step, and shows what happened.
func (p *stepPage) answer() []Action {
	typed := p.guess.value()
	return p.reveal(func() error { return p.walk.cursor.Predict(typed) })
}

func (p *stepPage) skip() []Action {
	p.guess.clear()
	return p.reveal(p.walk.cursor.Skip)
}

// reveal runs the step after a prediction, or none.
func (p *stepPage) reveal(how func() error) []Action {
	fresh := p.walk.cursor.Entry().Open()
	ok := p.walk.move(func() error {
		if err := how(); err != nil {
			return err
		}
		return p.walk.cursor.PlayAll()
	})
	if !ok {
		return nil
	}
	acts := p.ran()
	if fresh {
		e := p.walk.cursor.Entry()
		acts = append(acts, Predicted{p.flow.lesson.ID, progress.Prediction{
			Step: e.Step, Expected: e.Expected, Happened: e.Happened, Right: e.Right, Skipped: e.Skipped,
		}})
	}
	return acts
}

// ran writes down that the step was run to its end.
func (p *stepPage) ran() []Action {
	p.head.Top()
	if p.phase() != lessons.Revealed || p.broken() {
		return nil
	}
	return act(SawStep{p.flow.lesson.ID, p.walk.cursor.Number()})
}

// run plays what is left of the step, runOne its next command.
func (p *stepPage) run() []Action {
	p.walk.move(p.walk.cursor.PlayAll)
	return p.ran()
}

func (p *stepPage) runOne() []Action {
	p.walk.move(func() error {
		_, err := p.walk.cursor.Play()
		return err
	})
	return p.ran()
}

func (p *stepPage) replay() []Action {
	p.walk.move(p.walk.cursor.Replay)
	return nil
}

// next goes to the next step, and behind the last one to the next page.
func (p *stepPage) next() []Action {
	if p.walk.cursor.Finished() {
		return p.flow.onward()
	}
	if p.walk.move(p.walk.cursor.Next) {
		p.flow.side = geom.PageSays
		p.arrive()
	}
	return p.flow.isAt(Step)
}

// back goes one point back; from the first one to what is read before it.
func (p *stepPage) back() []Action {
	if !p.walk.move(p.walk.cursor.Back) {
		if p.broken() {
			return nil
		}
		return p.flow.to(Read)
	}
	p.flow.side = geom.PageSays
	p.guess.clear()
	p.arrive()
	return p.flow.isAt(Step)
}

func (p *stepPage) scroll(k tea.KeyMsg, w, h int) { p.scrollText(k, p.column(w, h), h) }

func (p *stepPage) click(y int) []Action {
	if p.asksChoice() {
		p.guess.click(y)
	}
	return nil
}

func (p *stepPage) plan(w, h int) geom.Plan {
	return p.lessonPlan(w, h, func(width int) int { return p.column(width, h).rows() })
}

func (p *stepPage) says(r canvas.Region) { p.column(r.W()-1, r.H()).draw(r, &p.head) }
