package screen

import (
	"kafkalab/engine"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/theme"
)

// Door is where real clients come into a cluster. All of it but what Wait gives
// is for whoever has the cluster.
type Door interface {
	// Addresses are where the brokers are reached, from broker-1 on.
	Addresses() []string
	// Connections counts the clients' connections.
	Connections() int
	// Today tells whether the cluster's date is the clients'.
	Today() bool
	// Present is the virtual time by the wall clock, in ms.
	Present() int64
	// Moved tells whether the cluster is another one than when it was opened.
	Moved() bool
	// Wait gives what waits until Turn has something to do; it blocks.
	Wait() func()
	// Turn takes in what has arrived and come due, and tells how much arrived.
	Turn() (arrived int, err error)
	// CatchUp lets time pass up to now, HandOut gives clients their answers:
	// before and after somebody else acts on the cluster.
	CatchUp() error
	HandOut() error
	Close() error
}

// OpenDoor opens the cluster of a timeline to real clients. The error is why it
// cannot be; nothing has happened then.
type OpenDoor func(*engine.Timeline) (Door, error)

// Visit is a cluster on a page that can be opened to real clients. While it is
// open, its time goes with the wall clock, and what the clients do stands in the
// timeline's journal like the learner's own commands.
//
// They come to the present only. To go back in time, or to another future, makes
// another cluster: it closes this one.
type Visit struct {
	open  OpenDoor // nil where there is no way to open
	stage *stage
	// travel is the past of the cluster. entered is called after each turn, for
	// what else looks at it; nil for nothing.
	travel  *travel
	entered func() []Action

	door Door
	note string // why it is not open
	bad  bool   // which is an error
	row  int    // of the terminal, where its key was drawn last; 0 for nowhere
}

// Visiting puts a visit before the app, which then waits for its clients.
type Visiting struct{ Visit *Visit }

func (Visiting) action() {}

// Open tells whether clients can come in.
func (v *Visit) Open() bool { return v.door != nil }

// Addresses are where the brokers are reached, from broker-1 on, while it is
// open.
func (v *Visit) Addresses() []string { return v.door.Addresses() }

// Wait is what to wait with for clients. It blocks.
func (v *Visit) Wait() func() { return v.door.Wait() }

// groupClients is the heading of their key in the sheet of keys.
const groupClients = "Real clients"

// visitKey opens and closes. `o` opens the selected thing in half of the panels,
// so it is a letter that no panel and no page has: W as in wire.
const visitKey = "W"

// commands lists the key that opens, in the present, and the one that closes.
func (v *Visit) commands(cs *Commands) {
	switch {
	case v.Open():
		cs.quiet(groupClients, visitKey, "close to real clients", v.shut)
	case v.can():
		cs.quiet(groupClients, visitKey, "open to real clients", v.start)
	}
}

// can tells whether the cluster can be opened as it is.
func (v *Visit) can() bool {
	return v != nil && v.open != nil && v.travel.timeline() != nil && !v.travel.past()
}

func (v *Visit) start() []Action {
	v.note, v.bad = "", false
	door, err := v.open(v.travel.timeline())
	if err != nil {
		v.note, v.bad = err.Error(), true
		return nil
	}
	v.door = door
	v.look()
	return act(Visiting{v})
}

func (v *Visit) shut() []Action {
	v.Close("")
	return nil
}

// Close ends the visit; why says so on the page, empty where the learner knows.
func (v *Visit) Close(why string) {
	if v == nil || v.door == nil {
		return
	}
	err := v.door.Close()
	v.door, v.note, v.bad = nil, why, false
	if err != nil {
		v.note, v.bad = err.Error(), true
	}
	v.look()
}

// look shows the cluster as it is now.
func (v *Visit) look() {
	v.travel.stop()
	v.stage.look()
}

// Turn takes in what clients have done and what has come due. What lights up is
// what the newest arrival changed.
func (v *Visit) Turn() []Action {
	was := v.stage.model.View
	arrived, err := v.door.Turn()
	if err != nil {
		v.fail(err)
		return nil
	}
	if arrived == 0 && v.travel.timeline().Cluster().LastEvent() == was.LastEvent {
		v.stage.look() // time alone
		return nil
	}
	v.look()
	if arrived > 0 {
		v.stage.model.Before = was
	}
	if v.entered != nil {
		return v.entered()
	}
	return nil
}

// fail closes after an error of the engine's.
func (v *Visit) fail(err error) {
	v.Close("")
	v.note, v.bad = err.Error(), true
}

// Before has the cluster's time come up to now: before the learner does
// something.
func (v *Visit) Before() {
	if v == nil || !v.Open() {
		return
	}
	if err := v.door.CatchUp(); err != nil {
		v.fail(err)
	}
}

// After gives clients what the learner's own command has for them, and closes
// if it led to another cluster.
func (v *Visit) After() {
	tl := v.travel.timeline()
	switch {
	case !v.Open():
	case tl == nil || v.door.Moved():
		v.Close("Closed: clients are let in at the present only.")
	default:
		if err := v.door.HandOut(); err != nil {
			v.fail(err)
		}
	}
}

// clock is the virtual time of a page, which goes by while the cluster is open.
func (v *Visit) clock(ms int64) canvas.Line {
	if v == nil || !v.Open() {
		return clock(ms)
	}
	return canvas.T("open", theme.Waiting|theme.Bold).Add("   ", theme.Text).Add("t ", theme.Label).Add(cell.Clock(max(ms, v.door.Present())), theme.Text)
}
