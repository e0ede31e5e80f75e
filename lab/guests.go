package lab

import (
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/lab/screen"
)

// guests is what the app keeps of the cluster that is open to real clients:
// one at a time.
type guests struct {
	visit   *screen.Visit // nil for none
	host    screen.Screen // on which it was opened
	number  int           // of openings so far
	waiting bool          // for what comes next
}

// knocked tells that there is something to do for the cluster that was opened as
// the number-th.
type knocked struct{ number int }

// welcome takes up a cluster that has just been opened.
func (a *App) welcome(v *screen.Visit) {
	if old := a.guests.visit; old != nil && old != v {
		old.Close("Closed: another cluster was opened.")
	}
	a.guests = guests{visit: v, host: a.base, number: a.guests.number + 1}
}

// letIn takes in what clients have done, and what has come due.
func (a *App) letIn(k knocked) {
	if k.number != a.guests.number {
		return // of a door that is closed
	}
	a.guests.waiting = false
	if v := a.guests.visit; v != nil && v.Open() {
		a.perform(v.Turn())
	}
}

// tend gives clients what the learner's key has for them, and closes when the
// learner has gone elsewhere.
func (a *App) tend() {
	v := a.guests.visit
	switch {
	case v == nil:
		return
	case a.ending:
		v.Close("")
	case a.guests.host != a.base:
		v.Close("Closed: you left the page.")
	default:
		v.After()
	}
	if !v.Open() {
		a.guests.visit = nil
	}
}

// await waits for clients while a cluster is open: beside the disk and the frame
// tick the only thing that a command is needed for. It is bubbletea that runs
// it; what it waits for comes back as a message, so that Update alone touches
// the cluster.
func (a *App) await() tea.Cmd {
	if a.guests.visit == nil || a.guests.waiting {
		return nil
	}
	a.guests.waiting = true
	wait, number := a.guests.visit.Wait(), a.guests.number
	return func() tea.Msg {
		wait()
		return knocked{number}
	}
}
