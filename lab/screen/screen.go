package screen

import (
	"math/rand/v2"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/spf13/afero"

	"kafkalab/engine/fidelity"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/panel"
	"kafkalab/lessons"
	"kafkalab/quiz"
	"kafkalab/quiz/progress"
)

// Screen is one thing that fills the terminal, or lies over another.
type Screen interface {
	// Commands are the keys that work now, the most important first.
	Commands() Commands
	// Field is what takes text now, nil when letters are commands.
	Field() Field
	// Other is offered the keys that are neither text nor commands, such as
	// those that move in a list.
	Other(k tea.KeyMsg) []Action
	// Draw fills the whole terminal; a sheet draws over what is there.
	Draw(r canvas.Region)
	// Click is a click of the left button on a cell of the terminal that is
	// not on the key line.
	Click(x, y int) []Action
}

// Field takes keys as text. mine tells whether a key was its own; what it leaves
// may be a command.
type Field interface {
	Type(k tea.KeyMsg) (acts []Action, mine bool)
}

// Press gives a key to a screen. It is the gate: while text is typed, a key is
// text first, and a command only if the field has no use for it.
func Press(s Screen, k tea.KeyMsg) []Action {
	if f := s.Field(); f != nil {
		if acts, mine := f.Type(k); mine {
			return acts
		}
	}
	if acts, mine := s.Commands().Perform(k); mine {
		return acts
	}
	return s.Other(k)
}

// Env is what all screens share. The app owns it; screens only read it. It is
// passed by its address: it remembers what takes long to find.
type Env struct {
	Course *lessons.Course
	// Progress is what the learner has done up to now: a copy that the app
	// replaces whenever something was written down.
	Progress *progress.Progress
	// Notice is what is to be told about the progress file, empty for nothing.
	Notice string
	// Now is the learner's time.
	Now func() time.Time
	// Rand draws the numbers of checks and the order of their options.
	Rand *rand.Rand
	// Open starts a fresh cluster for a lesson, Ask for a check.
	Open func() lessons.Session
	Ask  quiz.Open
	// Door opens a cluster to real clients; nil for a lab that cannot listen.
	Door OpenDoor
	// Panel makes a panel by its name.
	Panel func(name string) (panel.Panel, bool)
	// Fidelity is how true the lab is, thing by thing.
	Fidelity []fidelity.Row
	// Files is where scripts are saved and opened.
	Files afero.Fs
	// W and H are the size of the terminal in cells.
	W, H int

	beliefs beliefBook
}
