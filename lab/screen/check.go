package screen

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
	"kafkalab/lab/panel"
	"kafkalab/quiz"
	"kafkalab/quiz/progress"
)

// checkPage asks a lesson's checks, one after the other, and goes from one to
// any other. What was chosen stays while the lesson is open.
type checkPage struct {
	flow   *Lesson
	items  []*item
	at     int
	seen   bool
	text   widget.Scroll // where the reader is
	height int
	count  int
}

func newCheckPage(flow *Lesson) *checkPage {
	p := &checkPage{flow: flow}
	for _, q := range flow.lesson.Checks {
		p.items = append(p.items, &item{env: flow.env, lesson: flow.lesson, q: q})
	}
	return p
}

func (p *checkPage) name() Page { return Check }

// enter comes to the first check that is not cleared; later, to where one was.
func (p *checkPage) enter() []Action {
	if !p.seen {
		p.seen = true
		p.at = p.firstOpen()
	}
	p.item().ask()
	return p.flow.isAt(Check)
}

func (p *checkPage) firstOpen() int {
	if p.flow.round != nil {
		return 0
	}
	for i, it := range p.items {
		if !p.flow.env.Progress.Cleared(it.q.ID) {
			return i
		}
	}
	return 0
}

// choose comes to a check by its id.
func (p *checkPage) choose(id string) {
	for i, it := range p.items {
		if it.q.ID == id {
			p.at, p.seen = i, true
		}
	}
}

func (p *checkPage) item() *item { return p.items[p.at] }

func (p *checkPage) place() canvas.Line {
	if p.flow.round != nil && p.flow.round.single() {
		return nil
	}
	return canvas.T(fmt.Sprintf("check %d of %d", p.at+1, len(p.items)), theme.Label)
}

func (p *checkPage) status() canvas.Line {
	if r := p.flow.round; r != nil {
		return r.status(p)
	}
	cleared := 0
	for _, it := range p.items {
		if p.flow.env.Progress.Cleared(it.q.ID) {
			cleared++
		}
	}
	return canvas.T("cleared ", theme.Label).Add(fmt.Sprint(cleared), theme.Name).Add(fmt.Sprintf("/%d", len(p.items)), theme.Label)
}

// half tells whether an answer is begun and not given.
func (p *checkPage) half() bool {
	it := p.item()
	return it.form != nil && it.result == nil && it.form.touched()
}

func (p *checkPage) field() Field {
	it := p.item()
	if it.open() && it.play == nil {
		return it.form.field()
	}
	return nil
}

// opens tells which letters are commands while a number is typed: all.
func (p *checkPage) opens(rune) bool { return true }

func (p *checkPage) console() *Console { return p.item().console() }

// commands are those of the answer's form; once it was given, what follows.
func (p *checkPage) commands() Commands {
	var cs Commands
	it := p.item()
	switch {
	case it.play != nil && p.flow.watching():
		cs.add(groupLearn, "v", p.flow.round.backWord, p.flow.round.leave, "v", "esc", "enter")
		return cs
	case it.play != nil:
		cs.add(groupLearn, "v", "back to the check", p.unplay, "v", "esc", "enter")
		return cs
	case it.open():
		it.form.commands(&cs)
		if it.form.ready() {
			cs.add(groupLearn, "enter", it.form.enterWord(), p.answer)
		}
		if f, ok := it.form.(*numberForm); ok && f.touched() {
			cs.add(groupType, "esc", "clear", func() []Action { f.clear(); return nil })
		}
		if it.q.Kind == quiz.Script && it.note != "" {
			cs.add(groupLearn, "H", "show me how", p.giveUp)
		}
	case it.result != nil:
		cs.add(groupLearn, "n", p.nextWord(), p.next, "n", "enter")
		if it.plays() {
			cs.add(groupLearn, "v", "run it", p.play)
		}
		if step := it.step(); step > 0 {
			cs.add(groupLearn, "s", "the step", func() []Action { return p.toStep(step) })
		}
		cs.add(groupLearn, "r", it.againWord(), p.again)
	}
	p.moveCommands(&cs)
	if p.half() {
		word, leave := p.flow.away()
		cs.quiet(groupEverywhere, "esc", word, func() []Action {
			return act(Show{NewConfirm("This check is half answered. What you chose is not kept.", "leave", "stay", leave)})
		})
	}
	return cs
}

// moveCommands are the keys that go to other checks.
func (p *checkPage) moveCommands(cs *Commands) {
	if f := p.field(); f != nil && p.half() {
		return // the arrows move in the field
	}
	if len(p.items) > 1 {
		cs.line("←→", "other checks")
	}
	if p.at > 0 {
		cs.quiet(groupMove, "←", "the check before", func() []Action { return p.to(p.at - 1) }, p.sideKeys("left", "h")...)
	}
	if p.at < len(p.items)-1 {
		cs.quiet(groupMove, "→", "the next check", func() []Action { return p.to(p.at + 1) }, p.sideKeys("right", "l")...)
	}
	if p.count > p.height {
		cs.quiet(groupMove, "pgup pgdn", "scroll", nil)
	}
}

// sideKeys are an arrow, and its letter where no panel has it.
func (p *checkPage) sideKeys(arrow, letter string) []string {
	if p.stage() != nil {
		return []string{arrow}
	}
	return []string{arrow, letter}
}

func (p *checkPage) to(i int) []Action {
	p.at = i
	p.text.Top()
	p.item().ask()
	return nil
}

func (p *checkPage) nextWord() string {
	if p.nextOpen() < 0 {
		if r := p.flow.round; r != nil {
			return r.endWord()
		}
		return "what next"
	}
	return "next check"
}

// next goes to the next check, and from the last one to what comes after the
// lesson.
func (p *checkPage) next() []Action {
	if i := p.nextOpen(); i >= 0 {
		return p.to(i)
	}
	return p.flow.onward()
}

// nextOpen is the check to go on with, -1 behind the last one. A round comes back
// to those that were left out.
func (p *checkPage) nextOpen() int {
	if p.flow.round == nil {
		if p.at == len(p.items)-1 {
			return -1
		}
		return p.at + 1
	}
	for i := range p.items {
		if j := (p.at + 1 + i) % len(p.items); p.items[j].result == nil {
			return j
		}
	}
	return -1
}

// answer grades what was answered and writes it down.
func (p *checkPage) answer() []Action {
	it := p.item()
	if !it.grade() {
		return nil
	}
	p.text.Top()
	return act(p.record(it))
}

func (p *checkPage) giveUp() []Action {
	p.item().giveUp()
	return act(p.record(p.item()))
}

func (p *checkPage) record(it *item) Answered {
	practice := false
	if r := p.flow.round; r != nil {
		r.note(it)
		practice = r.practice
	}
	return Answered{Check: it.q.ID, Lesson: it.lesson.ID, Answer: progress.Answer{
		Instance: it.in.Values.String(), Right: it.result.Right, Misconception: it.result.Misconception, Practice: practice,
	}}
}

func (p *checkPage) again() []Action {
	p.text.Top()
	p.item().askAnew()
	return nil
}

func (p *checkPage) play() []Action {
	p.item().playBack()
	return nil
}

func (p *checkPage) unplay() []Action {
	p.item().play = nil
	return nil
}

// toStep goes to the step that shows what the check is about.
func (p *checkPage) toStep(n int) []Action {
	if p.flow.round != nil {
		return act(OpenLesson{ID: p.item().lesson.ID, Page: Step, Step: n})
	}
	for _, q := range p.flow.pages {
		if step, ok := q.(*stepPage); ok && step.walk.err == nil && step.walk.goTo(n) {
			return p.flow.to(Step)
		}
	}
	return nil
}

// look turns the lens, where a cluster is seen.
func (p *checkPage) look(cs *Commands) {
	if st := p.stage(); st != nil {
		st.lensCommands(cs)
	}
}

func (p *checkPage) stage() *stage { return p.item().seenStage() }

func (p *checkPage) perform(a panel.Action) []Action { return p.item().perform(a) }

func (p *checkPage) scroll(k tea.KeyMsg, _, _ int) {
	p.text.Key(k, max(p.height, 1), p.count)
}

func (p *checkPage) click(y int) []Action {
	if it := p.item(); it.open() && it.play == nil {
		it.form.click(y)
	}
	return nil
}
