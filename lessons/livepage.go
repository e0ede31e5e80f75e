package lessons

import (
	"fmt"

	"kafkalab/engine/console"
)

// Command runs a command of the learner's own, from the live page or the
// console, on the cluster as it is. After it the goal of the live page is
// looked at, see Reached. The error is for a line that cannot be read.
func (c *Cursor) Command(line string) (console.Output, error) {
	out, err := c.session.Exec(line)
	if err != nil {
		return out, err
	}
	c.strays = true
	return out, c.Look()
}

// Moved tells the cursor that the cluster was moved by other means than Command:
// by time that runs, or by a step back and forth in its events.
func (c *Cursor) Moved() { c.strays = true }

// Look checks the goal of the live page, after time has passed without a
// command.
func (c *Cursor) Look() error {
	live := c.lesson.Live
	if live == nil || live.Done.Blank() || c.reached {
		return nil
	}
	held, _, err := c.session.Holds(live.Done.Value)
	if err != nil {
		return fmt.Errorf("%s: live: done: %w", c.lesson.File, err)
	}
	c.reached = held
	return nil
}

// Reached tells whether the goal of the live page was reached, once.
func (c *Cursor) Reached() bool { return c.reached }

// LiveTexts are what is read on the live page, and its goal in words, as the
// engine says them now.
func (c *Cursor) LiveTexts() (prose, goal string, err error) {
	live := c.lesson.Live
	if live == nil {
		return "", "", nil
	}
	if prose, err = c.text(live.Prose); err == nil {
		goal, err = c.text(live.Goal)
	}
	if err != nil {
		err = fmt.Errorf("%s: live: %w", c.lesson.File, err)
	}
	return prose, goal, err
}
