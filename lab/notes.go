package lab

import (
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/screen"
	"kafkalab/quiz/progress"
)

// note writes down what the learner did. It is in memory at once, so that the
// next frame shows it, and on the disk with the next save.
func (a *App) note(act screen.Action) {
	switch act := act.(type) {
	case screen.Answered:
		a.store.Record(act.Check, act.Lesson, act.Answer)
	case screen.SawStep:
		a.store.SeeStep(act.Lesson, act.Step)
	case screen.Predicted:
		a.store.Predict(act.Lesson, act.Prediction)
	case screen.ReachedGoal:
		a.store.ReachLive(act.Lesson)
	case screen.Repaired:
		a.store.Repair(act.Drill, act.Deed)
	case screen.IsAt:
		a.store.Leave(act.Lesson, string(act.Page), act.Step)
	default:
		return
	}
	a.env.Progress = a.store.Snapshot()
	a.unsaid = true
}

// saved tells how a save went.
type saved struct{ err error }

// save writes to the disk what is new, outside of Update: the store takes care
// of what comes in meanwhile.
func (a *App) save() tea.Cmd {
	if !a.unsaid {
		return nil
	}
	a.unsaid = false
	store := a.store
	return func() tea.Msg { return saved{store.Save()} }
}

// hear takes up what a save has to say, and what another lab had written in the
// same file.
func (a *App) hear(s saved) {
	a.env.Progress = a.store.Snapshot()
	var message progress.Message
	if errors.As(s.err, &message) {
		a.env.Notice = string(message)
	} else if s.err != nil {
		a.env.Notice = s.err.Error()
	}
}
