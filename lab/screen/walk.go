package screen

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"kafkalab/engine"
	"kafkalab/engine/console"
	"kafkalab/engine/trace"
	"kafkalab/lab/panel"
	"kafkalab/lessons"
)

// walk is one run of a lesson on a cluster of its own: the cursor, and what the
// learner sees of the cluster.
type walk struct {
	env    *Env
	lesson *lessons.Lesson
	cursor *lessons.Cursor
	stage  *stage
	before []engine.View // by step: the cluster before it ran
	own    []console.Output
	shell  *Console
	err    error // what went wrong with the course's own scripts
}

// newWalk runs a lesson's setup on a fresh cluster. When the course is wrong,
// the walk has an error, and no cursor.
func newWalk(env *Env, l *lessons.Lesson) *walk {
	w := &walk{env: env, lesson: l, before: make([]engine.View, len(l.Steps)+1)}
	if w.cursor, w.err = lessons.NewCursor(l, env.Open()); w.err != nil {
		return w
	}
	w.cursor.Remember(remembered(env, l)...)
	w.stage = newStage(env, func() any { return w.cursor.Session() }, l.Panels, newTranscript(w.outputs))
	w.shell = NewConsole(w)
	w.look()
	return w
}

// remembered are the predictions of earlier runs: the first of each step, for
// the next ones were made by somebody who knew.
func remembered(env *Env, l *lessons.Lesson) []lessons.Entry {
	var list []lessons.Entry
	for _, p := range env.Progress.Lessons[l.ID].Predictions {
		known := slices.ContainsFunc(list, func(e lessons.Entry) bool { return e.Step == p.Step })
		if !known {
			list = append(list, lessons.Entry{Step: p.Step, Expected: p.Expected, Happened: p.Happened, Right: p.Right, Skipped: p.Skipped})
		}
	}
	return list
}

// outputs are what ran at this step: the step's own commands, and then the
// learner's.
func (w *walk) outputs() []console.Output { return slices.Concat(w.cursor.Played(), w.own) }

// move is a move of the cursor. What the learner's own commands did is gone
// after it; a move that is not there leaves everything as it is.
func (w *walk) move(how func() error) bool {
	err := how()
	if errors.Is(err, lessons.ErrFirst) || errors.Is(err, lessons.ErrLast) || errors.Is(err, lessons.ErrNotNow) ||
		errors.Is(err, lessons.ErrNoPrediction) {
		return false
	}
	w.err, w.own = err, nil
	w.look()
	return err == nil
}

// goTo stands at the beginning of a step, from 1. It halts at each step on the
// way, so that what each of them changed is known when the learner goes back.
func (w *walk) goTo(step int) bool {
	for n := min(w.cursor.Number()+1, step); n <= step; n++ {
		if !w.move(func() error { return w.cursor.Goto(n) }) {
			return false
		}
	}
	return true
}

// toEnd plays all that is left of the lesson: the cluster that the live page
// acts on.
func (w *walk) toEnd() bool {
	if n := len(w.lesson.Steps); n > 0 && !w.goTo(n) {
		return false
	}
	return w.move(func() error {
		if w.cursor.Phase() == lessons.Asking {
			if err := w.cursor.Skip(); err != nil {
				return err
			}
		}
		return w.cursor.PlayAll()
	})
}

// look shows the cluster as it is now.
func (w *walk) look() {
	w.stage.look()
	n := w.cursor.Number()
	if w.atStart() && n < len(w.before) {
		w.before[n] = w.stage.model.View
	}
	w.stage.model.Focus = w.focus()
	w.stage.model.Before = engine.View{}
	if !w.atStart() && n < len(w.before) {
		w.stage.model.Before = w.before[n]
	}
}

// atStart tells whether the step's commands are all still to come.
func (w *walk) atStart() bool {
	return w.cursor.Phase() != lessons.Revealed && len(w.cursor.Played()) == 0
}

// focus is what the panels show at this step: what it names, and what the steps
// before it named and it does not.
func (w *walk) focus() panel.Focus {
	f := panel.NoFocus()
	n := w.cursor.Number()
	for _, s := range w.lesson.Steps[:min(n, len(w.lesson.Steps))] {
		setView(&f, s.View)
		f.At = s.Focus
	}
	f.Revealed = w.cursor.Phase() == lessons.Revealed
	switch {
	case !w.atStart() && n < len(w.before):
		f.Since = since(w.before[n])
	case n > 1 && n <= len(w.before):
		f.Since = since(w.before[n-1])
	}
	return f
}

func since(v engine.View) trace.ID { return v.LastEvent }

// setView takes over what a step names for the panels.
func setView(f *panel.Focus, v lessons.View) {
	if v.Partition != "" {
		f.Replica = replica(v.Partition)
	}
	if where, offset, ok := strings.Cut(v.Seek, " "); ok {
		f.Replica = replica(where)
		f.Target, _ = strconv.ParseInt(offset, 10, 64)
	}
}

// replica reads T/P or T/P@B, which the course's check has seen before.
func replica(name string) engine.ReplicaName {
	topic, rest, _ := strings.Cut(name, "/")
	p, b, _ := strings.Cut(rest, "@")
	partition, _ := strconv.ParseInt(p, 10, 32)
	broker, _ := strconv.ParseInt(b, 10, 32)
	return engine.ReplicaName{Topic: topic, Partition: int32(partition), Broker: int32(broker)}
}

// partitionName is orders/0.
func partitionName(r engine.ReplicaName) string {
	return r.Topic + "/" + strconv.Itoa(int(r.Partition))
}

// Exec runs a line of the learner's own on the cluster as it is. What lights up
// then is what that line changed.
func (w *walk) Exec(line string) (console.Output, error) {
	was := w.stage.model.View
	out, err := w.cursor.Command(line)
	w.stage.look()
	if err == nil && out.Command != "" {
		w.own = append(w.own, out)
		w.stage.model.Before = was
	}
	return out, err
}

// perform does what a panel asks for.
func (w *walk) perform(a panel.Action) []Action {
	if run, ok := a.(panel.Run); ok {
		return w.shell.Run(run.Line)
	}
	return nil
}

// openFocus turns the stage to the panel that the step names, else to the
// lesson's first.
func (w *walk) openFocus() {
	name := ""
	if len(w.lesson.Panels) > 0 {
		name = w.lesson.Panels[0]
	}
	if s := w.cursor.Step(); s != nil && s.Focus != "" {
		name, _, _ = strings.Cut(s.Focus, ".")
	}
	w.stage.open(name)
	w.stage.bytes = panel.Cursor{} // it is the step that says where to look
}

// lookCommands are the keys that look closer at this moment.
func (w *walk) lookCommands(cs *Commands) {
	w.stage.lensCommands(cs)
	w.stage.whyCommand(cs)
	if len(w.env.Fidelity) > 0 {
		cs.add(groupLook, "i", "how true", func() []Action { return act(Show{NewHowTrue(w.env, w.subjects())}) })
	}
}

// subjects are what the fidelity sheet is asked about: the panels of this
// moment, the one that is seen first.
func (w *walk) subjects() []string {
	return append([]string{w.stage.lenses[w.stage.at].Name()}, w.lesson.Panels...)
}
