package engine

import (
	"errors"
	"fmt"
)

// Entry is one command of a journal. Cut is the step at which its user went
// back and did something else, 0 if it ran to its end.
type Entry struct {
	Text    string
	Command Command
	Cut     int64
	Misused bool // it was an error when it was given, and is one each time it is run again
}

// Timeline is a cluster with its past. The journal, options and commands, is
// the truth; going anywhere in it means to run it again up to there, which
// gives the same bytes.
type Timeline struct {
	opts    Options
	journal []Entry // up to the present
	future  []Entry // what came after it before its user went back, from the first entry on
	ends    int64   // the last step of the future
	cluster *Cluster
}

// ErrDataDir is why a cluster on a real folder has no way back: what is on the
// disk would have to be taken back too.
var ErrDataDir = errors.New("a cluster with a data dir cannot go back: its folders are real")

// NewTimeline starts a cluster at time 0.
func NewTimeline(o Options) (*Timeline, error) {
	c, err := New(o)
	if err != nil {
		return nil, err
	}
	return &Timeline{opts: o, cluster: c}, nil
}

// Cluster is the cluster at the present moment. Going back or forward makes
// another one: do not keep it.
func (t *Timeline) Cluster() *Cluster { return t.cluster }

// Journal lists the commands up to the present.
func (t *Timeline) Journal() []Entry { return t.journal }

// Do runs a command now. In the past it makes a branch: the second result is
// then the journal that would have led to the old future.
func (t *Timeline) Do(cmd Command, text string) (res Result, left []Entry, err error) {
	left = t.future
	t.future = nil
	t.journal = append(t.journal, Entry{Text: text, Command: cmd})
	res, err = t.cluster.Do(cmd, text)
	t.journal[len(t.journal)-1].Misused = err != nil
	return res, left, err
}

// Mark is a moment of a timeline.
type Mark struct {
	entries int
	cut     int64 // step within the last entry, 0 for its end
}

// Mark names the present moment.
func (t *Timeline) Mark() Mark {
	m := Mark{entries: len(t.journal)}
	if m.entries > 0 {
		m.cut = t.journal[m.entries-1].Cut
	}
	return m
}

// Rewind goes back to a moment of this timeline's past. What came after it is
// forgotten.
func (t *Timeline) Rewind(m Mark) error {
	if m.entries > len(t.journal) {
		return fmt.Errorf("the moment after command %d is not in this timeline's past, which has %d", m.entries, len(t.journal))
	}
	journal := append([]Entry(nil), t.journal[:m.entries]...)
	if m.entries > 0 {
		journal[m.entries-1].Cut = m.cut
	}
	if err := t.replay(journal); err != nil {
		return err
	}
	t.future = nil
	return nil
}

// Last is the last step that is known: the present one, or in the past that
// of the future which was left.
func (t *Timeline) Last() int64 { return max(t.ends, t.cluster.Step()) }

// GoTo goes to a step between 0 and Last, back or forward. The future stays
// known until something is done in the past.
func (t *Timeline) GoTo(step int64) error {
	if t.future == nil {
		t.future, t.ends = t.journal, t.cluster.Step()
	}
	full := t.future
	step = max(step, 0)
	if step >= t.ends {
		if err := t.replay(full); err != nil {
			return err
		}
		t.future, t.ends = nil, 0
		return nil
	}
	return t.replayTo(full, step)
}

// Back goes n steps back, Forward n forward.
func (t *Timeline) Back(n int64) error    { return t.GoTo(t.cluster.Step() - n) }
func (t *Timeline) Forward(n int64) error { return t.GoTo(t.cluster.Step() + n) }

// AtPresent tells whether nothing lies ahead.
func (t *Timeline) AtPresent() bool { return t.future == nil }

// Fork makes a second timeline with the same past.
func (t *Timeline) Fork() (*Timeline, error) {
	f := &Timeline{opts: t.opts, cluster: t.cluster}
	return f, f.replay(append([]Entry(nil), t.journal...))
}

// FromJournal makes a timeline by running a journal.
func FromJournal(o Options, journal []Entry) (*Timeline, error) {
	t := &Timeline{opts: o}
	return t, t.replay(journal)
}

// replay runs a journal on a fresh cluster, and makes that the present.
func (t *Timeline) replay(journal []Entry) error {
	if t.opts.DataDir != "" {
		return ErrDataDir
	}
	c, err := New(t.opts)
	if err != nil {
		return err
	}
	for _, e := range journal {
		if err := c.redo(e, e.Cut); err != nil {
			return err
		}
	}
	t.cluster, t.journal = c, journal
	return nil
}

// replayTo runs a journal up to a step.
func (t *Timeline) replayTo(journal []Entry, step int64) error {
	if t.opts.DataDir != "" {
		return ErrDataDir
	}
	c, err := New(t.opts)
	if err != nil {
		return err
	}
	var past []Entry
	for _, e := range journal {
		if c.Step() >= step {
			break
		}
		cut := step
		if e.Cut > 0 {
			cut = min(cut, e.Cut)
		}
		if err := c.redo(e, cut); err != nil {
			return err
		}
		if c.cutShort {
			e.Cut = c.Step()
		}
		past = append(past, e)
	}
	t.cluster, t.journal = c, past
	return nil
}

// redo runs a journalled command, up to a step if cut is not 0.
func (c *Cluster) redo(e Entry, cut int64) error {
	c.halt, c.halted = cut, false
	_, err := c.Do(e.Command, e.Text)
	c.cutShort = c.halted
	c.halt, c.halted = 0, false
	if errors.Is(err, ErrHeld) || e.Misused {
		return nil
	}
	return err
}
