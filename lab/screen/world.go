package screen

import (
	"slices"

	"kafkalab/engine/console"
	"kafkalab/lab/panel"
	"kafkalab/lessons"
)

// world is a cluster that belongs to no lesson: the session, what is seen of it,
// its console, its past, and the script that leads to where it is.
type world struct {
	env     *Env
	session lessons.Session
	stage   *stage
	shell   *Console
	deck    deck
	travel  travel
	visit   *Visit
	own     []console.Output
	script  script
}

// newWorld makes a world that has not begun: its first line starts the cluster.
func newWorld(env *Env, panels, actions []string) *world {
	w := &world{env: env, session: env.Open()}
	w.stage = newStage(env, func() any { return w.session }, panels, newTranscript(func() []console.Output { return w.own }))
	w.stage.model.Focus.Live = true
	w.travel = travel{session: func() any { return w.session }, moved: func() { w.stage.look() }}
	w.visit = &Visit{open: env.Door, stage: w.stage, travel: &w.travel}
	w.shell = NewConsole(w)
	w.deck = deck{names: actions, stage: w.stage, shell: w.shell, all: true}
	w.stage.look()
	return w
}

// lines are the script of what this world's timeline did.
func (w *world) lines() ([]string, error) {
	journal, err := journalOf(w.travel.timeline())
	if err != nil {
		return nil, err
	}
	lines, err := w.script.dated(w.travel.timeline()).lines(journal, w.env.Open)
	w.stage.look() // the cluster is another one after a look at what lies ahead
	return lines, err
}

// begun tells whether there is a cluster.
func (w *world) begun() bool { return w.stage.model.Reader != nil }

// Exec runs one line and keeps it, if it can be read.
func (w *world) Exec(line string) (console.Output, error) {
	w.visit.Before()
	before, entries := w.travel.timeline(), 0
	if before != nil {
		entries = len(before.Journal())
	}
	out, err := w.travel.run(func() (console.Output, error) { return w.session.Exec(line) })
	if err == nil && out.Command != "" {
		w.own = append(w.own, out)
		w.script.add(out.Command, before, w.travel.timeline(), entries)
	}
	w.stage.look()
	return out, err
}

// fork makes the screen of two futures of this world.
func (w *world) fork() *Fork {
	return NewFork(w.env, w.session, w.stage, w.deck.names, func() { w.travel.stop(); w.stage.look() })
}

// perform does what a panel asks for.
func (w *world) perform(a panel.Action) []Action {
	if run, ok := a.(panel.Run); ok {
		return w.shell.Run(run.Line)
	}
	return nil
}

// lookCommands are the keys that look closer at this moment.
func (w *world) lookCommands(cs *Commands) {
	w.stage.lensCommands(cs)
	w.stage.whyCommand(cs)
	if len(w.env.Fidelity) > 0 {
		cs.add(groupLook, "i", "how true", func() []Action {
			return act(Show{NewHowTrue(w.env, []string{w.stage.lenses[w.stage.at].Name()})})
		})
	}
	w.stage.partitionCommands(cs)
}

// whyCommand is the key to the causes of what happened.
func (s *stage) whyCommand(cs *Commands) {
	if s.model.Reader != nil && s.model.View.LastEvent > 0 {
		cs.add(groupLook, "w", "why", func() []Action { return act(Show{newWhy(s)}) })
	}
}

// panelOrder is the order in which the panels come up where nobody names them:
// those that show most of a cluster first.
var panelOrder = []string{
	"cluster", "isr", "log", "index", "topic", "txn", "group", "quorum", "cleaner", "retention", "lag", "ledger", "metrics", "alerts", "schema", "events",
}

// allPanels are all panels there are.
func allPanels() []string {
	names := panel.Names()
	list := slices.DeleteFunc(slices.Clone(panelOrder), func(n string) bool { return !slices.Contains(names, n) })
	for _, n := range names {
		if !slices.Contains(list, n) && n != "sequence" && n != "bytes" {
			list = append(list, n)
		}
	}
	return list
}
