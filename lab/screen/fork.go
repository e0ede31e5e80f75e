package screen

import (
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/engine/console"
	"kafkalab/lab/panel"
	"kafkalab/lessons"
)

// Fork is two futures of one cluster, from this moment on, side by side: the
// same panel for both, and what they differ in below.
type Fork struct {
	env    *Env
	from   *stage
	start  func(p preset, topic string) (*forked, error)
	left   func() // after the futures were left
	two    *forked
	pick   int
	err    error
	acts   int // the sides that a line acts on: both, then one of them
	shell  *Console
	deck   deck
	differ []difference
	rows   []int // of the terminal, where the choices were drawn

	tableTop int // the row of the terminal in which the panels end
}

// forkHead is the row of the terminal in which the names of the futures stand:
// a click up to there chooses one.
const forkHead = 3

// The sides that a line acts on.
const (
	onBoth = iota
	onFirst
	onSecond
)

// NewFork makes the screen of a session; from is how it is looked at now. left
// is called once the learner is back.
func NewFork(env *Env, s lessons.Session, from *stage, actions []string, left func()) *Fork {
	f := &Fork{env: env, from: from, left: left}
	f.start = func(p preset, topic string) (*forked, error) { return forkSession(s, p, topic) }
	f.shell = NewConsole(f)
	f.deck = deck{names: actions, shell: f.shell}
	return f
}

// forkCommand is the key that forks a cluster which has a past.
func forkCommand(cs *Commands, make func() *Fork, t *travel) {
	if t.timeline() != nil {
		cs.add(groupLook, "f", "fork", func() []Action { return act(Show{make()}) })
	}
}

// topic is the one that the futures are about.
func (f *Fork) topic() string {
	if name := f.from.model.Focus.Replica.Topic; name != "" {
		return name
	}
	if topics := f.from.model.View.Topics; len(topics) > 0 {
		return topics[0].Name
	}
	return ""
}

// begin makes the two futures.
func (f *Fork) begin() []Action {
	f.two, f.err = f.start(presets[f.pick], f.topic())
	if f.err != nil {
		f.two = nil
		return nil
	}
	var names []string
	for _, p := range f.from.lenses {
		if p.Name() != commandsLens {
			names = append(names, p.Name())
		}
	}
	for _, side := range f.two.sides {
		side.stage = newStage(f.env, func() any { return side }, names, newTranscript(func() []console.Output { return []console.Output{side.out} }))
		side.stage.model.Focus = f.from.model.Focus
		side.stage.model.Focus.Live = true
		side.stage.open(f.from.lenses[f.from.at].Name())
	}
	f.deck.stage = f.two.sides[0].stage
	f.look()
	return nil
}

func (f *Fork) look() {
	for _, side := range f.two.sides {
		side.stage.look()
	}
	f.differ = f.two.differences()
}

// Exec runs a line on the sides that are chosen.
func (f *Fork) Exec(line string) (console.Output, error) {
	both := console.Output{Command: line}
	for i, side := range f.two.sides {
		if f.acts != onBoth && f.acts != i+onFirst {
			continue
		}
		out, err := f.two.exec(i, line)
		if err != nil {
			return both, err
		}
		side.out = out
		both.Text = append(both.Text, labelled(side.name, out)...)
	}
	f.look()
	return both, nil
}

// labelled are the lines of an output with the name of its future before them.
func labelled(name string, out console.Output) []string {
	lines := out.Text
	if out.Failed != "" {
		lines = append(lines[:len(lines):len(lines)], out.Failed)
	}
	var list []string
	for _, l := range lines {
		list = append(list, name+": "+l)
	}
	return list
}

// Commands choose a preset, and then act on both futures, or on one.
func (f *Fork) Commands() Commands {
	var cs Commands
	if f.two == nil {
		cs.add(groupLearn, letters(len(presets))+" ↑↓", "choose", nil)
		pickCommands(&cs, len(presets), &f.pick, true)
		cs.add(groupLearn, "enter", "fork", f.begin)
		closing(&cs, "f")
		return cs
	}
	if st := f.active(); st.typing() {
		st.commands(&cs, f.perform)
		return cs
	}
	f.active().shutCommand(&cs, f.perform)
	cs.add(groupLearn, "tab", "act on "+f.sideWord((f.acts+1)%3), func() []Action { f.acts = (f.acts + 1) % 3; return nil })
	cs.quiet(groupLearn, "shift+tab", "act on "+f.sideWord((f.acts+2)%3), func() []Action { f.acts = (f.acts + 2) % 3; return nil })
	if st := f.two.sides[0].stage; len(st.lenses) > 1 {
		cs.add(groupLook, "b", lensName(st.next()), f.turn(1))
		cs.quiet(groupLook, "B", "the lens before", f.turn(-1))
	}
	cs.add(groupEverywhere, "esc", "one future", f.close, "esc", "f")
	cs.line("←→", "back, forward")
	cs.quiet(groupTime, "←", "one step back", f.move(-1), "left")
	cs.quiet(groupTime, "→", "one step forward", f.move(1), "right")
	cs.add(groupEverywhere, ":", "console", func() []Action { return act(Show{f.shell}) })
	cs.add(groupEverywhere, "?", "keys", always(ShowKeys{}))
	cs.quiet(groupEverywhere, "q", "quit", always(Quit{}))
	from := len(cs)
	f.active().commands(&cs, f.perform)
	for i := range cs[from:] {
		cs[from+i].Do = f.strike
	}
	f.deck.commands(&cs)
	if f.active().nested() {
		return cs.panelFirst()
	}
	return cs
}

// strike gives a key to the panels of the sides that are acted on. What the panel
// asks for is asked once.
func (f *Fork) strike(k tea.KeyMsg) (acts []Action) {
	f.each(func(side *future) {
		do := f.perform
		if side.stage != f.active() {
			do = func(panel.Action) []Action { return nil }
		}
		got, _ := side.stage.key(k, do)
		acts = append(acts, got...)
	})
	return acts
}

func (f *Fork) close() []Action {
	f.two.leave()
	f.left()
	return act(Close{})
}

func (f *Fork) sideWord(side int) string {
	if side == onBoth {
		return "both"
	}
	return f.two.sides[side-onFirst].name
}

// active is the stage whose keys are told of: that of the side that is acted on.
func (f *Fork) active() *stage { return f.two.sides[max(f.acts-onFirst, 0)].stage }

// each does something on the sides that are acted on.
func (f *Fork) each(do func(*future)) {
	for i, side := range f.two.sides {
		if f.acts == onBoth || f.acts == i+onFirst {
			do(side)
		}
	}
}

func (f *Fork) turn(by int) func() []Action {
	return func() []Action {
		for _, side := range f.two.sides {
			side.stage.turn(by)
		}
		return nil
	}
}

func (f *Fork) move(by int64) func() []Action {
	return func() []Action {
		f.each(func(side *future) {
			if err := side.time.GoTo(min(side.Cluster().Step()+by, side.time.Last())); err != nil {
				f.err = err
			}
		})
		f.look()
		return nil
	}
}

func (f *Fork) perform(a panel.Action) []Action {
	if run, ok := a.(panel.Run); ok {
		return f.shell.Run(run.Line)
	}
	return nil
}

// Field is the panels' field for text while one is open.
func (f *Fork) Field() Field {
	if f.two != nil && f.active().typing() {
		return f
	}
	return nil
}

// Type gives a key to the panels.
func (f *Fork) Type(k tea.KeyMsg) ([]Action, bool) {
	acts, mine := f.active().key(k, f.perform)
	return acts, mine
}

// Other moves in the panels of the sides that are acted on.
func (f *Fork) Other(k tea.KeyMsg) []Action {
	if f.two == nil {
		return nil
	}
	return f.strike(k)
}

// Wheel moves in the half that the pointer is on.
func (f *Fork) Wheel(x, _ int, k tea.KeyMsg) []Action {
	if f.two == nil {
		return Press(f, k)
	}
	side := f.two.sides[0]
	if x > f.env.W/2 {
		side = f.two.sides[1]
	}
	side.stage.key(k, func(panel.Action) []Action { return nil })
	return nil
}

// Click chooses a preset, or the side that is acted on, or a row of its panel.
func (f *Fork) Click(x, y int) []Action {
	if f.two == nil {
		for i, row := range f.rows {
			if row == y {
				f.pick = i
			}
		}
		return nil
	}
	side := onFirst
	if x > f.env.W/2 {
		side = onSecond
	}
	if y > forkHead && y < f.tableTop {
		return f.two.sides[side-onFirst].stage.click(x, y, false, f.perform)
	}
	if f.acts == side {
		side = onBoth
	}
	f.acts = side
	return nil
}
