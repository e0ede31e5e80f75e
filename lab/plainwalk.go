package lab

import (
	"errors"
	"strings"

	"kafkalab/engine/console"
	"kafkalab/lab/screen"
	"kafkalab/lessons"
	"kafkalab/quiz/progress"
)

// plainWalk is a lesson under way.
type plainWalk struct {
	*plain
	lesson *lessons.Lesson
	cursor *lessons.Cursor
}

// walk goes through the text, the steps and the live page of a lesson.
func (p *plain) walk(l *lessons.Lesson, step int) error {
	cursor, err := lessons.NewCursor(l, p.env.Open())
	if err != nil {
		p.say("This lesson does not run: "+err.Error(), "kafkalab check says more.")
		return errHome
	}
	cursor.Remember(lessons.Predictions(p.env.Progress, l.ID)...)
	w := &plainWalk{p, l, cursor}
	p.heading(l.Title)
	if step > 1 {
		if err := cursor.Goto(step); err != nil {
			return err
		}
	} else {
		p.prose(cursor.Read())
		w.panel("")
		if err := w.command("next, back, run LINE, panel", w.onRead); err != nil {
			return err
		}
	}
	if len(l.Steps) > 0 {
		if err := w.steps(); err != nil {
			return err
		}
	}
	return w.live()
}

// errDone ends a loop of commands: the learner goes on.
var errDone = errors.New("done")

// command asks until do is done with a line. What is the same everywhere, do is
// not asked.
func (w *plainWalk) command(hint string, do func(line string) error) error {
	for {
		line, err := w.ask(hint)
		if err != nil {
			return err
		}
		verb, rest, _ := strings.Cut(line, " ")
		switch verb {
		case "home":
			return errHome
		case "run":
			w.run(strings.TrimSpace(rest))
			continue
		case "panel":
			w.panel(strings.TrimSpace(rest))
			continue
		}
		switch err := do(line); {
		case errors.Is(err, errDone):
			return nil
		case err != nil:
			return err
		}
	}
}

func (w *plainWalk) onRead(line string) error {
	switch line {
	case "", "next":
		return errDone
	case "back":
		return errHome
	}
	w.say("next goes on; run LINE runs a command; panel shows the cluster; home leaves; quit ends.")
	return nil
}

// run runs a line of the learner's own.
func (w *plainWalk) run(line string) {
	if line == "" {
		w.say("run needs a command, as run show cluster")
		return
	}
	before := w.cursor.Reached()
	out, err := w.cursor.Command(line)
	w.printed(out)
	if err != nil {
		w.say("  " + errorWords(err))
	}
	if w.cursor.Reached() && !before {
		w.say("The goal is reached.")
		w.keep(func(s *progress.Store) { s.ReachLive(w.lesson.ID) })
	}
}

func (w *plainWalk) printed(out console.Output) {
	for _, l := range out.Text {
		w.say("  " + l)
	}
	if out.Failed != "" {
		w.say("  " + out.Failed)
	}
}

func errorWords(err error) string {
	var syntax *console.SyntaxError
	if errors.As(err, &syntax) && syntax.Nearest != "" {
		return syntax.Message + "; did you mean " + syntax.Nearest + "?"
	}
	return err.Error()
}

// panel writes a panel as the console's show prints it: one that is named, else
// the step's.
func (w *plainWalk) panel(what string) {
	line := "show " + what
	if what == "" {
		line = w.showLine()
	}
	out, err := w.cursor.Session().Exec(line)
	if err != nil && what == "" {
		out, err = w.cursor.Session().Exec("show cluster") // not every panel has its text yet
	}
	if err != nil {
		w.say("  "+errorWords(err), "")
		return
	}
	w.printed(out)
	w.say("")
}

// showLine is the command that shows what the step is about.
func (w *plainWalk) showLine() string {
	name, partition, seek := "", "", ""
	if len(w.lesson.Panels) > 0 {
		name = w.lesson.Panels[0]
	}
	if s := w.cursor.Step(); s != nil {
		if s.Focus != "" {
			name, _, _ = strings.Cut(s.Focus, ".")
		}
		partition, seek = s.View.Partition, s.View.Seek
	}
	if where, _, ok := strings.Cut(seek, " "); ok {
		partition = where
	}
	if partition == "" {
		partition = screen.FirstReplica(w.cursor.Session())
	}
	switch name {
	case "topic":
		partition, _, _ = strings.Cut(partition, "/")
	case "sequence", "events", "cluster", "quorum", "metrics", "alerts":
		partition = "" // these are of the whole cluster
	}
	return strings.TrimSpace("show " + name + " " + partition)
}

// live lets the learner act, until they go on.
func (w *plainWalk) live() error {
	if w.lesson.Live == nil {
		return nil
	}
	text, goal, err := w.cursor.LiveTexts()
	if err != nil {
		return err
	}
	w.keep(func(st *progress.Store) { st.Leave(w.lesson.ID, string(screen.Live), w.cursor.Number()) })
	w.heading("Live")
	w.prose(text)
	if goal != "" {
		w.prose("Goal: " + goal)
	}
	back := false
	err = w.command("run LINE, panel, next, back", func(line string) error {
		switch line {
		case "back":
			back = true
			return errDone
		case "", "next", "skip":
			return errDone
		}
		w.say("run LINE runs a command, as run show cluster; next goes to the checks.")
		return nil
	})
	if err != nil || !back || len(w.lesson.Steps) == 0 {
		return err
	}
	if err := w.cursor.Goto(len(w.lesson.Steps)); err != nil {
		return err
	}
	if err := w.steps(); err != nil {
		return err
	}
	return w.live()
}
