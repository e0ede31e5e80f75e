package screen

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/kit/widget"
	"kafkalab/quiz/progress"
)

// checkPage asks a lesson's checks, one after the other, and goes from one to
// any other. What was chosen stays while the lesson is open.
type checkPage struct {
	flow   *Lesson
	items  []*item
	at     int
	seen   bool
	scroll widget.Scroll
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
	return act(IsAt{Lesson: p.flow.lesson.ID, Page: Check})
}

func (p *checkPage) firstOpen() int {
	for i, it := range p.items {
		if !p.flow.env.Progress.Cleared(it.q.ID) {
			return i
		}
	}
	return 0
}

func (p *checkPage) item() *item { return p.items[p.at] }

func (p *checkPage) place() canvas.Line {
	return canvas.T(fmt.Sprintf("check %d of %d", p.at+1, len(p.items)), theme.Label)
}

func (p *checkPage) status() canvas.Line {
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
		cs.quiet(groupEverywhere, "esc", "course map", func() []Action {
			return act(Show{NewConfirm("This check is half answered. What you chose is not kept.", "leave", "stay", GoHome{})})
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
		cs.quiet(groupMove, "←", "the check before", func() []Action { return p.to(p.at - 1) }, "left", "h")
	}
	if p.at < len(p.items)-1 {
		cs.quiet(groupMove, "→", "the next check", func() []Action { return p.to(p.at + 1) }, "right", "l")
	}
	if p.count > p.height {
		cs.quiet(groupMove, "pgup pgdn", "scroll", nil)
	}
}

func (p *checkPage) to(i int) []Action {
	p.at = i
	p.scroll.Top()
	p.item().ask()
	return nil
}

func (p *checkPage) nextWord() string {
	if p.at == len(p.items)-1 {
		return "what next"
	}
	return "next check"
}

// next goes to the next check, and from the last one to what comes after the
// lesson.
func (p *checkPage) next() []Action {
	if p.at == len(p.items)-1 {
		return p.flow.onward()
	}
	return p.to(p.at + 1)
}

// answer grades what was answered and writes it down.
func (p *checkPage) answer() []Action {
	it := p.item()
	if !it.grade() {
		return nil
	}
	p.scroll.Top()
	return act(p.record(it))
}

func (p *checkPage) record(it *item) Answered {
	return Answered{Check: it.q.ID, Lesson: p.flow.lesson.ID, Answer: progress.Answer{
		Instance: it.in.Values.String(), Right: it.result.Right, Misconception: it.result.Misconception,
	}}
}

func (p *checkPage) again() []Action {
	p.scroll.Top()
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
	for _, q := range p.flow.pages {
		if step, ok := q.(*stepPage); ok && step.walk.err == nil && step.walk.goTo(n) {
			return p.flow.to(Step)
		}
	}
	return nil
}

// look turns the lens, where a cluster is seen.
func (p *checkPage) look(cs *Commands) {
	if st := p.item().seenStage(); st != nil {
		st.lensCommands(cs)
	}
}

// panelCommands are the keys of the cluster that is seen.
func (p *checkPage) panelCommands(cs *Commands) {
	if st := p.item().seenStage(); st != nil {
		st.commands(cs, p.item().perform)
	}
}

func (p *checkPage) other(k tea.KeyMsg) []Action {
	it := p.item()
	if st := it.seenStage(); st != nil {
		if acts, mine := st.key(k, it.perform); mine {
			return acts
		}
	}
	p.scroll.Key(k, max(p.height, 1), p.count)
	return nil
}

func (p *checkPage) click(_ geom.Page, _, y int) []Action {
	if it := p.item(); it.open() && it.play == nil {
		it.form.click(y)
	}
	return nil
}

// plan is one column, but where a cluster stands beside the check.
func (p *checkPage) plan(w, h int) geom.Plan {
	if p.item().seenStage() == nil {
		return geom.Plan{}
	}
	return lessonPlan(w, h, func(width int) int { return p.body(width, h).rows() })
}

// body is the text of the page in a column of a width, of which h rows are
// seen.
func (p *checkPage) body(width, h int) *text {
	it := p.item()
	if it.play != nil {
		return it.play.body(width)
	}
	t := it.body(width)
	if it.result != nil && t.rows()+2 <= h { // else the key line says it
		t.gap()
		t.over(p.hints)
	}
	return t
}

// hints are the keys that follow an answer, in the middle of the screen.
func (p *checkPage) hints(r canvas.Region, y int) {
	var line widget.KeyLine
	for _, c := range p.commands() {
		if c.Group == groupLearn && c.Shown == everywhere {
			line = append(line, c.Binding)
		}
	}
	widget.Hints(r.Pen(0, y), 4, line...)
}

// textWidth is the widest that a check's text is: longer lines are hard to
// read.
const textWidth = 92

// checkMargin is the empty edge at the left of a check.
const checkMargin = 3

func (p *checkPage) shows(r canvas.Region) {
	if st := p.item().seenStage(); st != nil {
		st.draw(r)
		return
	}
	wide := r.Rect()
	wide.W = min(wide.W-2, textWidth)
	p.drawBody(r.Sub(wide), checkMargin-1)
}

func (p *checkPage) says(r canvas.Region) { p.drawBody(r, 0) }

// drawBody draws the text behind a margin, scrolled so that a new verdict is
// seen together with what was chosen.
func (p *checkPage) drawBody(r canvas.Region, margin int) {
	body := p.body(r.W()-margin-2, r.H())
	p.count, p.height = body.rows(), r.H()
	if it := p.item(); it.fresh {
		it.fresh = false
		p.scroll.End(min(p.count-p.height, it.verdict-it.answers))
	}
	from, to := p.scroll.Show(p.height, p.count)
	body.drawWide(r, margin, from)
	widget.ScrollMark(r, r.W()-1, from, to, p.count)
}

func (p *checkPage) aside(r canvas.Region) {
	if st := p.item().seenStage(); st != nil {
		st.drawAside(r)
	}
}
