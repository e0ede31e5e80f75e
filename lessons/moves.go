package lessons

import (
	"fmt"
	"strings"

	"kafkalab/engine/console"
)

// Predict takes the learner's prediction; the step's commands can run then.
// ErrNoPrediction when nothing was typed.
func (c *Cursor) Predict(typed string) error {
	if c.phase != Asking {
		return ErrNotNow
	}
	typed = strings.TrimSpace(typed)
	if typed == "" {
		return ErrNoPrediction
	}
	c.expect(typed)
	c.phase = Running
	return nil
}

// Skip goes on without a prediction. It is noted as skipped, never as right.
func (c *Cursor) Skip() error {
	if c.phase != Asking {
		return ErrNotNow
	}
	c.expect("")
	c.phase = Running
	return nil
}

// Play runs the next command of the step. After the last one the step is
// revealed: what happened is read off the engine. A step without commands is
// revealed at once; the output is empty then.
func (c *Cursor) Play() (console.Output, error) {
	if c.phase != Running {
		return console.Output{}, ErrNotNow
	}
	if err := c.settle(); err != nil {
		return console.Output{}, err
	}
	commands := c.Step().Commands()
	if len(commands) == 0 {
		return console.Output{}, c.reveal()
	}
	out, err := c.session.Exec(commands[len(c.played)])
	if err != nil {
		return out, fmt.Errorf("%s: step %d: %w", c.lesson.File, c.Number(), err)
	}
	c.played = append(c.played, out)
	c.here = c.session.Mark()
	if len(c.played) == len(commands) {
		return out, c.reveal()
	}
	return out, nil
}

// PlayAll runs what is left of the step.
func (c *Cursor) PlayAll() error {
	for c.phase == Running {
		if _, err := c.Play(); err != nil {
			return err
		}
	}
	return nil
}

// reveal reads off the engine what happened.
func (c *Cursor) reveal() (err error) {
	step := c.Step()
	c.phase = Revealed
	if err = c.happen(step); err == nil {
		c.say, err = c.text(step.Say)
	}
	if err != nil {
		return fmt.Errorf("%s: step %d: %w", c.lesson.File, step.Number, err)
	}
	return nil
}

// Next goes to the next step. ErrLast behind the last one.
func (c *Cursor) Next() error {
	if c.phase != Revealed {
		return ErrNotNow
	}
	if c.at >= len(c.lesson.Steps)-1 {
		return ErrLast
	}
	if err := c.settle(); err != nil {
		return err
	}
	return c.enter(c.at + 1)
}

// Back goes one point back: from a step that runs or has run to its beginning,
// from there to the step before as it was revealed. The engine goes back too.
// ErrFirst at the beginning of the lesson.
func (c *Cursor) Back() error {
	if !c.atStart() {
		if err := c.rewind(c.stops[c.at].mark); err != nil {
			return err
		}
		return c.enter(c.at)
	}
	if c.at == 0 {
		return ErrFirst
	}
	return c.returnTo(c.at - 1)
}

// atStart tells whether nothing of the step was done yet.
func (c *Cursor) atStart() bool {
	return len(c.lesson.Steps) == 0 || c.phase == Asking || c.phase == Running && !c.Step().Asks() && len(c.played) == 0
}

// returnTo stands in a step that was revealed before, as it was then. Its
// commands run once more from before it, so that its outputs and its newest
// events are there again.
func (c *Cursor) returnTo(at int) error {
	if err := c.rewind(c.stops[at].mark); err != nil {
		return err
	}
	if err := c.enter(at); err != nil {
		return err
	}
	c.phase = Running
	return c.PlayAll()
}

// Replay goes back to the beginning of the step and stands ready to play its
// commands again; the prediction stays.
func (c *Cursor) Replay() error {
	if c.phase == Asking || c.Step() == nil {
		return ErrNotNow
	}
	if err := c.rewind(c.stops[c.at].mark); err != nil {
		return err
	}
	if err := c.enter(c.at); err != nil {
		return err
	}
	c.phase = Running
	return nil
}

// Goto stands in a step, from 1, at its beginning; what lies before it is
// played, without predictions and without a mark in the ledger. So a lab opens
// a lesson where the learner left it.
func (c *Cursor) Goto(number int) error {
	if number < 1 || number > len(c.lesson.Steps) {
		return fmt.Errorf("%s has no step %d (allowed: 1 to %d)", c.lesson.File, number, len(c.lesson.Steps))
	}
	if number <= c.Number() {
		if err := c.rewind(c.stops[number-1].mark); err != nil {
			return err
		}
		return c.enter(number - 1)
	}
	for c.Number() < number {
		if c.phase == Asking {
			c.phase = Running
		}
		if err := c.PlayAll(); err != nil {
			return err
		}
		if err := c.Next(); err != nil {
			return err
		}
	}
	return nil
}
