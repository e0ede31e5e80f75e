package screen

import (
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/glyph"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/panel"
)

// livePage is where the learner acts, on the cluster that the steps leave
// behind. The cluster is a walk of its own: what is done here changes nothing
// on the other pages, and stays when one comes back.
type livePage struct {
	onWalk
	text, goal  string
	prose, task prose
	travel      travel
	deck        deck
	visit       *Visit
	reachedAt   int64 // virtual ms
	reached     bool
}

func (p *livePage) name() Page { return Live }

func (p *livePage) enter() []Action {
	if p.walk == nil {
		p.begin()
	}
	return p.flow.isAt(Live)
}

// begin makes the cluster as it is after the last step.
func (p *livePage) begin() {
	l := p.flow.lesson
	p.visit.Close("")
	p.walk, p.reached = newWalk(p.flow.env, l), false
	if p.walk.err != nil || !p.walk.toEnd() {
		return
	}
	p.text, p.goal, p.walk.err = p.walk.cursor.LiveTexts()
	name := l.Live.Panel
	if name == "" && len(l.Panels) > 0 {
		name = l.Panels[0]
	}
	p.walk.stage.open(name)
	w := p.walk
	p.visit = &Visit{open: p.flow.env.Door, stage: w.stage, travel: &p.travel, entered: p.visited}
	w.shell = NewConsole(timeShell{w, &p.travel, p.visit})
	w.shell.after = p.judge
	p.deck = deck{names: l.Live.Actions, stage: w.stage, shell: w.shell, also: p.visit.keyWords}
	p.travel = travel{session: func() any { return w.cursor.Session() }, moved: func() { w.cursor.Moved(); w.stage.look() }}
	p.travel.stop()
	p.aim()
}

// aim shows the cluster as it is, as the page wants it shown: nothing is
// hidden, and nothing but what happens here is news.
func (p *livePage) aim() {
	f := p.walk.focus()
	setView(&f, p.flow.lesson.Live.View)
	f.At, f.Target, f.TargetMs, f.Revealed, f.Live = "", panel.None, panel.None, true, true
	p.walk.stage.model.Focus = f
}

func (p *livePage) place() canvas.Line {
	line := canvas.T("live", theme.Label)
	if at := p.travel.place(); !p.broken() && len(at) > 0 {
		line = append(line.Add("   ", theme.Label), at...)
	}
	return line
}

func (p *livePage) field() Field { return nil }

func (p *livePage) opens(rune) bool { return true }

// commands are the actions first: to act is what the page is for.
func (p *livePage) commands() Commands {
	var cs Commands
	if p.broken() {
		return cs
	}
	if p.flow.paged() && p.flow.side == geom.PageShows {
		p.deck.commands(&cs)
	} else {
		p.deck.quiet(&cs) // the column lists them
	}
	if p.reached {
		cs.add(groupLearn, "enter", p.onwardWord(), p.flow.onward)
	}
	p.visit.commands(&cs)
	p.travel.commands(&cs)
	forkCommand(&cs, p.fork, &p.travel)
	p.walk.stage.partitionCommands(&cs)
	if len(p.walk.own) > 0 || len(p.travel.stops) > 1 { // clients act too
		cs.quiet(groupLearn, "R", "start over", func() []Action { p.begin(); return nil })
	}
	return cs
}

// fork makes the screen of two futures of this cluster.
func (p *livePage) fork() *Fork {
	w := p.walk
	return NewFork(p.flow.env, w.cursor.Session(), w.stage, p.deck.names, func() { w.cursor.Moved(); w.stage.look() })
}

func (p *livePage) onwardWord() string {
	if p.flow.after(Live) == Check {
		return "to the checks"
	}
	return "what next"
}

// judge looks at the goal after each command, whoever gave it.
func (p *livePage) judge() []Action {
	if p.reached || !p.walk.cursor.Reached() {
		return nil
	}
	p.reached, p.reachedAt = true, p.walk.stage.clock()
	return act(ReachedGoal{p.flow.lesson.ID})
}

func (p *livePage) scroll(k tea.KeyMsg, w, h int) { p.scrollText(k, p.columnIn(w, h), h) }

func (p *livePage) click(y int) []Action { return append(p.deck.click(y), p.visit.click(y)...) }

// status is the time, which goes by while the cluster is open to real clients.
func (p *livePage) status() canvas.Line {
	if p.broken() {
		return nil
	}
	return p.visit.clock(p.walk.stage.clock())
}

// visited looks at the goal after real clients have done something.
func (p *livePage) visited() []Action {
	p.walk.cursor.Moved()
	if p.walk.err = p.walk.cursor.Look(); p.walk.err != nil {
		return nil
	}
	return p.judge()
}

func (p *livePage) plan(w, h int) geom.Plan {
	return p.lessonPlan(w, h, func(width int) int { return p.column(width, false).rows() })
}

// column says what to bring about, which keys do something, and what came of
// the newest of them.
func (p *livePage) column(width int, compact bool) *column {
	if p.walk == nil {
		return &column{}
	}
	if p.walk.err != nil {
		return &column{head: brokenText(p.walk.err, width)}
	}
	c := &column{head: p.prose.lay(p.text, width)}
	if p.goal != "" {
		p.sayGoal(c, width)
	}
	p.deck.say(c, width, compact)
	p.visit.say(c, width, compact || width >= flowWidth)
	p.travel.say(c, width)
	if n := len(p.walk.own); n > 0 && !p.travel.past() {
		c.say(nil)
		c.say(shortened(outputOf(p.walk.own[n-1], width))...)
	}
	return c
}

// outputRows is how much of the newest output the page repeats; all of it is in
// the console.
const outputRows = 7

// shortened leaves the middle out of a long output: its end sums it up.
func shortened(lines []canvas.Line) []canvas.Line {
	if len(lines) <= outputRows {
		return lines
	}
	short := append([]canvas.Line{}, lines[:outputRows-3]...)
	short = append(short, canvas.T("  "+string(glyph.Ellipsis), theme.Muted))
	return append(short, lines[len(lines)-2:]...)
}

func (p *livePage) sayGoal(c *column, width int) {
	c.say(canvas.T("GOAL", theme.Focus|theme.Bold))
	c.say(p.task.lay(p.goal, width)...)
	c.say(nil)
	if p.reached {
		c.say(canvas.T(" "+string(glyph.Done)+" reached at ", theme.Right).Add(cell.Clock(p.reachedAt), theme.Right|theme.Bold))
		return
	}
	c.say(canvas.T(" "+string(glyph.Todo)+" not yet", theme.Open))
}

// columnIn is the column in h rows: the actions stand side by side where it
// would not fit else.
func (p *livePage) columnIn(width, h int) *column {
	if c := p.column(width, false); c.rows() <= h {
		return c
	}
	return p.column(width, true)
}

func (p *livePage) says(r canvas.Region) { p.columnIn(r.W()-1, r.H()).draw(r, &p.head) }
