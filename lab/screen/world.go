package screen

import (
	"slices"
	"strings"

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
	own     []console.Output
	script  script
}

// newWorld makes a world that has not begun: its first line starts the cluster.
func newWorld(env *Env, panels, actions []string) *world {
	w := &world{env: env, session: env.Open()}
	w.stage = newStage(env, func() any { return w.session }, panels, newTranscript(func() []console.Output { return w.own }))
	w.stage.roams = true
	w.stage.model.Focus.Live = true
	w.travel = travel{session: func() any { return w.session }, moved: func() { w.script.moved(); w.stage.look() }}
	w.shell = NewConsole(w)
	w.deck = deck{names: actions, stage: w.stage, shell: w.shell}
	w.stage.look()
	return w
}

// begun tells whether there is a cluster.
func (w *world) begun() bool { return w.stage.model.Reader != nil }

// Exec runs one line and keeps it, if it can be read.
func (w *world) Exec(line string) (console.Output, error) {
	back := int64(0)
	past := w.travel.past()
	if past {
		tl := w.travel.timeline()
		back = tl.Last() - tl.Cluster().Step()
	}
	out, err := w.travel.run(func() (console.Output, error) { return w.session.Exec(line) })
	if err == nil && out.Command != "" {
		w.own = append(w.own, out)
		w.script.add(out.Command, back, w.travel.note != "", w.travel.past())
	}
	w.stage.look()
	return out, err
}

// fork makes the screen of two futures of this world.
func (w *world) fork() *Fork {
	if w.travel.past() && w.script.went {
		tl := w.travel.timeline()
		w.script.look(tl.Last() - tl.Cluster().Step())
	}
	record := func(line string) { w.script.lines = append(w.script.lines, line) }
	return NewFork(w.env, w.session, w.stage, w.deck.names, record, func() { w.travel.stop(); w.stage.look() })
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
	"cluster", "isr", "log", "index", "topic", "txn", "group", "quorum", "cleaner", "lag", "ledger", "metrics", "alerts", "schema", "events",
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

// script is the lines that lead to where a cluster is. Going back and forward
// with the arrows leaves no line; acting in the past does.
type script struct {
	lines []string
	typed int  // the line of a rewind that was typed, after which nothing was done yet, plus 1
	went  bool // there was a move with the arrows since the newest line
}

func (s *script) moved() { s.went = true }

// add takes up a line. back is how many steps from the end of the future it was
// run, branched whether it acted there, past whether it left the cluster in the
// past.
func (s *script) add(line string, back int64, branched, past bool) {
	went := s.went
	s.went = false
	if went && s.typed > 0 {
		s.lines, s.typed = s.lines[:s.typed-1], 0
	}
	switch {
	case went && branched:
		s.lines = append(s.lines, "rewind "+itoa(back))
	case went && back > 0:
		return // looked at something on the way
	}
	if strings.HasPrefix(line, "rewind ") && past {
		if s.typed == 0 {
			s.typed = len(s.lines) + 1
		}
	} else if branched || !past {
		s.typed = 0
	}
	s.lines = append(s.lines, line)
}

// look takes up that the lines to come are run some steps back.
func (s *script) look(back int64) {
	s.went = false
	if s.typed == 0 {
		s.typed = len(s.lines) + 1
	}
	s.lines = append(s.lines[:s.typed-1], "rewind "+itoa(back))
}

// text is the script as a file.
func (s *script) text() string { return strings.Join(s.lines, "\n") + "\n" }
