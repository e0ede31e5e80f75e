// Package panel holds the panels of the lab: each shows one aspect of a cluster
// in a rectangle that it fills. A panel draws what the engine says, at that
// moment, and nothing else; what it remembers between frames is where the
// learner is in it (a selection, a scroll, a typed offset).
//
// A screen makes its panels by name, gives them the keys that it does not keep
// to itself, and has them drawn:
//
//	p, ok := panel.ByName("index")
//	action, mine := p.Key(msg, model)  // mine: the key was the panel's
//	p.Draw(region, model)
//	p.Cursor(model)                    // where a lens looks, what an action acts on
//
// Panels that show a log read it in windows, so that a frame does not grow with
// the log.
package panel

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/engine"
	"kafkalab/engine/trace"
	"kafkalab/lab/kit/canvas"
)

// Panel shows one aspect of a cluster.
type Panel interface {
	// Name is the panel's name in a lesson's front matter: log, index, …
	Name() string
	// Keys are the keys that work in it now, the most important first, for the
	// key line and the help sheet.
	Keys(m Model) []key.Binding
	// Key offers a key. mine tells that it was one of the panel's own; the
	// action is what the screen is to do, nil for nothing.
	Key(msg tea.KeyMsg, m Model) (a Action, mine bool)
	// Typing tells that letters are text of the panel now: the screen gives it
	// every key then, before it looks for commands of its own.
	Typing() bool
	// Cursor is what the learner is at, in the panel.
	Cursor(m Model) Cursor
	// Draw fills a region of any size exactly; from 30x8 cells on it says all.
	Draw(r canvas.Region, m Model)
}

// Model is what a panel draws from. The screen makes one for each frame and
// for each key, with one View for all panels.
type Model struct {
	Reader engine.Reader
	View   engine.View // now
	Before engine.View // as of the step before: what is different now is lit; zero for none
	Focus  Focus
}

// Focus is what a panel is to show, and how much of it. When it changes, a
// panel gives up the selection that the learner made before.
type Focus struct {
	// Replica is the replica that is shown. Without a topic it is the first
	// partition's leader; broker 0 is the leader of its partition.
	Replica engine.ReplicaName
	// Target is the offset of a seek, None for none.
	Target int64
	// TargetMs is the time of a seek by time, in virtual milliseconds since
	// the Unix epoch as records have it; None for none.
	TargetMs int64
	// At is what the lesson lights, as it names it: index, log.segment-1000.
	At string
	// Revealed is false while a prediction is open: what it asks for is not
	// shown then.
	Revealed bool
	// Live tells that the learner acts: the live page, the sandbox.
	Live bool
	// Since is the event after which events and messages are shown; 0 shows
	// all that is kept.
	Since trace.ID
}

// None is the offset or time that there is not.
const None = -1

// NoFocus is the focus of a screen whose lesson names none: all is shown.
func NoFocus() Focus { return Focus{Target: None, TargetMs: None, Revealed: true} }

// Cursor is what the learner is at in a panel. What the panel has nothing of
// is zero, offsets None.
type Cursor struct {
	Replica engine.ReplicaName // the partition is Replica.Topic/Replica.Partition
	Offset  int64              // of a record or a batch's first, for the bytes lens
	Node    string             // broker-2, app
	Picked  bool               // the panel shows Node as picked: what acts on a node acts on it
	Event   trace.ID           // an event, or the sending of a message
}

// Action is what a key in a panel asks the screen to do: Run or Lens. nil is
// nothing but a new frame.
type Action interface{ action() }

// Opener is a panel that can open what another one's cursor is at: the lens that
// a Lens names.
type Opener interface{ Open(at Cursor, m Model) }

// Run is a line for the console: the same that a learner could type.
type Run struct{ Line string }

// Lens opens a panel by its name, at the cursor of the panel that asks.
type Lens struct{ Name string }

func (Run) action()  {}
func (Lens) action() {}
