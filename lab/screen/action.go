package screen

import "kafkalab/quiz/progress"

// Action is something that a screen asks the app to do: one of the types below.
type Action interface{ action() }

// Page is a page of a lesson, by the name it has in the progress file.
type Page string

// The pages of a lesson, in the order in which tab goes through them.
const (
	Read  Page = "read"
	Step  Page = "step"
	Live  Page = "live"
	Check Page = "check"
)

type (
	// OpenLesson opens a lesson at a page. Without one it opens where the
	// learner left it, and at the beginning when it was never open.
	OpenLesson struct {
		ID   string
		Page Page
		Step int // of the page Step, from 1
		// Check is the id of the check to begin with, of the page Check.
		Check string
	}
	// GoHome leaves a lesson for the course map.
	GoHome struct{}
	// Replace puts a screen in the place of the one below all sheets.
	Replace struct{ Screen Screen }
	// Show lays a sheet over what is there.
	Show struct{ Sheet Screen }
	// ShowKeys lays the sheet of keys over the screen that asks.
	ShowKeys struct{}
	// Call does something on the screen that asks.
	Call struct{ Do func() }
	// Do does something on the screen that asks, and then what comes of it.
	Do struct{ Do func() []Action }
	// Close takes the topmost sheet away.
	Close struct{}
	// Quit ends the lab.
	Quit struct{}
)

type (
	// Answered writes down a reply to a check.
	Answered struct {
		Check, Lesson string
		Answer        progress.Answer
	}
	// SawStep writes down that a step was run.
	SawStep struct {
		Lesson string
		Step   int
	}
	// Predicted writes down what was expected of a step.
	Predicted struct {
		Lesson     string
		Prediction progress.Prediction
	}
	// ReachedGoal writes down that the goal of a live page was reached.
	ReachedGoal struct{ Lesson string }
	// Repaired writes down that a drill was repaired, and what that took.
	Repaired struct {
		Drill string
		Deed  progress.Repair
	}
	// IsAt writes down where in a lesson the learner is.
	IsAt struct {
		Lesson string
		Page   Page
		Step   int
	}
)

func (OpenLesson) action()  {}
func (GoHome) action()      {}
func (Replace) action()     {}
func (Show) action()        {}
func (ShowKeys) action()    {}
func (Call) action()        {}
func (Do) action()          {}
func (Close) action()       {}
func (Quit) action()        {}
func (Answered) action()    {}
func (SawStep) action()     {}
func (Predicted) action()   {}
func (ReachedGoal) action() {}
func (Repaired) action()    {}
func (IsAt) action()        {}

// act is a list of actions.
func act(a ...Action) []Action { return a }
