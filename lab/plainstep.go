package lab

import (
	"errors"
	"fmt"
	"strings"

	"kafkalab/lab/screen"
	"kafkalab/lessons"
	"kafkalab/quiz/progress"
)

// steps takes the learner from step to step.
func (w *plainWalk) steps() error {
	for {
		if err := w.step(); err != nil {
			return err
		}
		switch err := w.cursor.Next(); {
		case errors.Is(err, lessons.ErrLast):
			return nil
		case errors.Is(err, lessons.ErrNotNow): // went back to a step that is open
		case err != nil:
			return err
		}
	}
}

// step asks, runs, and tells one step.
func (w *plainWalk) step() error {
	s := w.cursor.Step()
	w.keep(func(st *progress.Store) { st.Leave(w.lesson.ID, string(screen.Step), w.cursor.Number()) })
	w.heading(fmt.Sprintf("Step %d of %d: %s", w.cursor.Number(), len(w.lesson.Steps), s.Title))
	w.prose(w.cursor.Prose())
	if w.cursor.Phase() == lessons.Asking {
		w.prose(w.cursor.Question())
		for i, word := range s.Choose {
			w.say(fmt.Sprintf("  %c  %s", 'a'+i, flatProse(word.Word.Value)))
		}
		if err := w.command("your answer, skip, back", w.onQuestion); err != nil {
			return err
		}
		if w.cursor.Phase() == lessons.Asking || w.cursor.Step() != s {
			return w.step() // went back
		}
	}
	if w.cursor.Phase() == lessons.Running {
		if err := w.cursor.PlayAll(); err != nil {
			return err
		}
	}
	w.tell(s)
	err := w.command("next, back", w.onTold)
	if err == nil && (w.cursor.Phase() != lessons.Revealed || w.cursor.Step() != s) {
		return w.step() // went back
	}
	return err
}

// onQuestion takes a prediction.
func (w *plainWalk) onQuestion(line string) error {
	fresh := w.cursor.Entry().Open()
	var err error
	switch line {
	case "back":
		return w.back()
	case "skip", "next":
		err = w.cursor.Skip()
	case "":
		w.say("What do you think? skip goes on without an answer.")
		return nil
	default:
		err = w.cursor.Predict(w.word(line))
	}
	if err == nil {
		err = w.cursor.PlayAll()
	}
	if err != nil {
		return err
	}
	if e := w.cursor.Entry(); fresh {
		w.keep(func(s *progress.Store) {
			s.Predict(w.lesson.ID, progress.Prediction{Step: e.Step, Expected: e.Expected, Happened: e.Happened, Right: e.Right, Skipped: e.Skipped})
		})
	}
	return errDone
}

// word is the option that a letter stands for, else what was typed.
func (w *plainWalk) word(line string) string {
	if c := w.cursor.Step().Choose; len(line) == 1 && len(c) > 0 {
		if i := int(strings.ToLower(line)[0]) - 'a'; i >= 0 && i < len(c) {
			return c[i].Word.Value
		}
	}
	return line
}

// back goes one point back, and from the first one to the list of lessons.
func (w *plainWalk) back() error {
	switch err := w.cursor.Back(); {
	case errors.Is(err, lessons.ErrFirst):
		return errHome
	case err != nil:
		return err
	}
	return errDone
}

func (w *plainWalk) onTold(line string) error {
	switch line {
	case "", "next", "skip":
		return errDone
	case "back":
		if !w.cursor.Step().Asks() {
			if err := w.cursor.Back(); err != nil { // to its beginning, where nothing is asked
				return err
			}
		}
		return w.back()
	}
	w.say("next goes on, back goes back; run LINE runs a command; panel shows the cluster.")
	return nil
}

// tell says what was run, what was expected, what happened, and why.
func (w *plainWalk) tell(s *lessons.Step) {
	for _, out := range w.cursor.Played() {
		w.output(out)
	}
	w.say("")
	if s.Asks() {
		e := w.cursor.Entry()
		you := e.Expected
		if e.Skipped || you == "" {
			you = "skipped"
		}
		mark := ""
		if e.Right {
			mark = " (right)"
		}
		w.say("you    "+flatProse(you)+mark, "Kafka  "+flatProse(e.Happened), "")
	}
	w.prose(w.cursor.Say())
	w.panel("")
	w.keep(func(st *progress.Store) { st.SeeStep(w.lesson.ID, w.cursor.Number()) })
}
