package lab

import (
	"math/rand/v2"
	"time"

	"github.com/spf13/afero"

	"kafkalab/engine/fidelity"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/panel"
	"kafkalab/lab/screen"
	"kafkalab/lessons"
	"kafkalab/quiz"
	"kafkalab/quiz/progress"
)

// Options are what a lab is made from. Course, Store and Now have to be given.
type Options struct {
	Course *lessons.Course
	Store  *progress.Store
	// Notice is what opening the progress file had to say, empty for nothing.
	Notice progress.Message
	// Now is the learner's time.
	Now func() time.Time
	// Theme and Profile say how it looks, see theme.Choose; ASCII draws
	// without box and block characters.
	Theme   theme.Theme
	Profile theme.Profile
	ASCII   bool
	// Width and Height are the size of the terminal in cells, if it is known
	// already; 0 waits for the terminal to say.
	Width, Height int
	// Start opens a lesson instead of the course map.
	Start Start
	// Seed draws the numbers of checks; 0 takes the time.
	Seed uint64
	// Fidelity is the table of what is exact, simplified and absent.
	Fidelity []fidelity.Row
	// Files is where scripts are saved and opened; nil takes the disk.
	Files afero.Fs
	// Door opens a cluster to real clients; without it none can be opened.
	Door screen.OpenDoor
	// Open starts a cluster for a lesson, Ask for a check, Panel makes a panel
	// by its name; nil takes the real ones.
	Open  func() lessons.Session
	Ask   quiz.Open
	Panel func(name string) (panel.Panel, bool)
}

// Start is where a lab opens: at a lesson, at one of its steps. Without a
// lesson it opens the course map, without a step the place where the learner
// left the lesson.
type Start struct {
	Lesson string
	Step   int // from 1; 0 for none
}

// env makes what the screens share.
func (o Options) env() *screen.Env {
	e := &screen.Env{
		Course: o.Course, Progress: o.Store.Snapshot(), Notice: string(o.Notice), Now: o.Now,
		Open: o.Open, Door: o.Door, Ask: o.Ask, Panel: o.Panel, Fidelity: o.Fidelity, W: o.Width, H: o.Height,
	}
	seed := o.Seed
	if seed == 0 {
		seed = uint64(o.Now().UnixNano())
	}
	e.Rand = rand.New(rand.NewPCG(seed, 0))
	if e.Files = o.Files; e.Files == nil {
		e.Files = afero.NewOsFs()
	}
	if e.Open == nil {
		e.Open = lessons.Engine
	}
	if e.Ask == nil {
		e.Ask = quiz.Engine
	}
	if e.Panel == nil {
		e.Panel = panel.ByName
	}
	return e
}
