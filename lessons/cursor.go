package lessons

import (
	"errors"
	"fmt"
	"strings"

	"kafkalab/engine/console"
	"kafkalab/quiz/source"
)

// Phase says where in a step the cursor stands.
type Phase int

const (
	// Asking: the step was read; it waits for a prediction, or to be skipped.
	Asking Phase = iota
	// Running: the prediction is known, or the step asks none; its commands
	// are played, one by one or all.
	Running
	// Revealed: all commands have run; what happened stands beside what was
	// expected.
	Revealed
)

// String is the phase in one word.
func (p Phase) String() string { return [...]string{"asking", "running", "revealed"}[p] }

// Errors of moves that are not there at this point; the cursor stays as it is.
var (
	ErrFirst        = errors.New("this is the first step")
	ErrLast         = errors.New("this was the last step")
	ErrNotNow       = errors.New("not at this point of the step")
	ErrNoPrediction = errors.New("a prediction is a word or a number; skip is a key of its own")
)

// Cursor runs one lesson on a session: predict, run, reveal, next; and back,
// where the engine itself goes back. It is a plain state machine: each method
// does its work and returns.
//
// The learner may run commands of their own at any point (Command). They act on
// the cluster as it is then; the next move of the cursor first goes back to
// where the step had it, so that the lesson goes on as it was written.
type Cursor struct {
	lesson  *Lesson
	session Session

	at     int // index of the step
	phase  Phase
	played []console.Output // of the step's run so far

	stops  []stop       // by step
	here   console.Mark // where the cursor left the engine
	strays bool         // commands that are not the step's have run since

	read    string // the Read page
	say     string // of the step that is revealed
	ledger  []Entry
	reached bool // the goal of the live page
}

// stop is the moment before a step runs: the engine's, and what is read there.
// A step that is entered again reads as it did the first time, for the engine
// is in the same state.
type stop struct {
	mark            console.Mark
	known           bool
	prose, question string
}

// NewCursor starts a lesson on a fresh session: it runs setup, and stands at
// the first step. The error is for a setup or a text that cannot be read;
// `kafkalab check` finds these.
func NewCursor(l *Lesson, s Session) (*Cursor, error) {
	c := &Cursor{lesson: l, session: s, ledger: make([]Entry, len(l.Steps)), stops: make([]stop, len(l.Steps))}
	for i, step := range l.Steps {
		c.ledger[i] = Entry{Step: i + 1, Title: step.Title}
	}
	if !l.Setup.Blank() {
		if _, err := s.Run(l.Setup.Value); err != nil {
			return nil, fmt.Errorf("%s: setup: %w", l.File, err)
		}
	}
	var err error
	if c.read, err = c.text(l.Read); err != nil {
		return nil, fmt.Errorf("%s: %w", l.File, err)
	}
	c.here = s.Mark()
	return c, c.enter(0)
}

// text fills in the {expressions} of a text.
func (c *Cursor) text(t source.Text) (string, error) {
	if !strings.Contains(t.Value, "{") {
		return strings.TrimRight(t.Value, "\n"), nil
	}
	said, err := c.session.Interpolate(t.Value)
	return strings.TrimRight(said, "\n"), err
}

// enter stands at the beginning of a step, in the engine's state of now.
func (c *Cursor) enter(at int) (err error) {
	c.at, c.phase, c.played, c.say = at, Running, nil, ""
	if at >= len(c.lesson.Steps) {
		c.phase = Revealed
		return nil
	}
	step, stop := c.lesson.Steps[at], &c.stops[at]
	if step.Asks() {
		c.phase = Asking
	}
	stop.mark = c.here
	if stop.known {
		return nil
	}
	if stop.prose, err = c.text(step.Prose); err == nil {
		stop.question, err = c.text(step.Predict)
	}
	if err != nil {
		return fmt.Errorf("%s: step %d: %w", c.lesson.File, step.Number, err)
	}
	stop.known = true
	return nil
}

// stop is the one of this step; empty in a lesson without steps.
func (c *Cursor) stop() stop {
	if c.at >= len(c.stops) {
		return stop{}
	}
	return c.stops[c.at]
}

// settle goes back to where the cursor left the engine, if the learner's own
// commands have moved it since.
func (c *Cursor) settle() error {
	if !c.strays {
		return nil
	}
	return c.rewind(c.here)
}

func (c *Cursor) rewind(m console.Mark) error {
	if err := c.session.Rewind(m); err != nil {
		return fmt.Errorf("%s: step %d: %w", c.lesson.File, c.Number(), err)
	}
	c.here, c.strays = m, false
	return nil
}

// Lesson is the lesson.
func (c *Cursor) Lesson() *Lesson { return c.lesson }

// Session is the session that the lesson runs on.
func (c *Cursor) Session() Session { return c.session }

// Step is the step the cursor stands in; nil in a lesson without steps.
func (c *Cursor) Step() *Step {
	if c.at >= len(c.lesson.Steps) {
		return nil
	}
	return c.lesson.Steps[c.at]
}

// Number is the number of the step, from 1.
func (c *Cursor) Number() int { return c.at + 1 }

// Phase is where in the step the cursor stands.
func (c *Cursor) Phase() Phase { return c.phase }

// Finished tells whether the last step was revealed.
func (c *Cursor) Finished() bool {
	return c.phase == Revealed && c.at >= len(c.lesson.Steps)-1
}

// Read is the Read page, as Markdown.
func (c *Cursor) Read() string { return c.read }

// Prose is what is read before the question, as Markdown. Its numbers are those
// of the moment before the step ran, also once it has.
func (c *Cursor) Prose() string { return c.stop().prose }

// Question is what the step asks; empty when it asks nothing.
func (c *Cursor) Question() string { return c.stop().question }

// Say is what happened and why, as Markdown; empty until the step is revealed.
func (c *Cursor) Say() string { return c.say }

// Played are the outputs of the step's commands that have run so far.
func (c *Cursor) Played() []console.Output { return c.played }
