package screen

import (
	"fmt"
	"slices"
	"strings"

	"kafkalab/engine"
	"kafkalab/engine/console"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/panel"
)

// history is a session with a past that one can go back in.
type history interface {
	Timeline() *engine.Timeline
	Futures() []string
}

// travel goes back and forward through everything that happened on a cluster,
// step by step and command by command. Nothing is lost by it: who acts in the
// past makes a branch, and the future that was left stays to be switched to.
type travel struct {
	session func() any
	// moved is called after each move, for what shows the cluster.
	moved func()
	stops []int64 // the steps at which the learner's own commands had ended
	note  string  // what came of acting in the past
	err   error   // why a move failed
}

// timeline is nil for a session without a past: one that has not begun, or none
// of the engine's.
func (t *travel) timeline() *engine.Timeline {
	if t.session == nil {
		return nil
	}
	if s, ok := t.session().(history); ok {
		return s.Timeline()
	}
	return nil
}

// place says where in the past the cluster is: step n of m.
func (t *travel) place() canvas.Line {
	tl := t.timeline()
	if tl == nil || tl.Last() == 0 {
		return nil
	}
	line := canvas.T("step ", theme.Label).Add(cell.Thin(tl.Cluster().Step()), theme.Text).Add(" of "+cell.Thin(tl.Last()), theme.Label)
	if !tl.AtPresent() {
		line = line.Add("  past", theme.Waiting|theme.Bold)
	}
	return line
}

// commands are the keys that go back and forward.
func (t *travel) commands(cs *Commands) {
	tl := t.timeline()
	if tl == nil || tl.Last() == 0 {
		return
	}
	step := tl.Cluster().Step()
	switch {
	case step == 0:
		cs.line("→", "forward")
	case tl.AtPresent():
		cs.line("←", "back in time")
	default:
		cs.line("←→", "back, forward")
	}
	if step > 0 {
		cs.quiet(groupTime, "←", "one step back", t.goTo(step-1), "left")
		cs.quiet(groupTime, "<", "one command back", t.goTo(t.before(step)), "<")
	}
	if !tl.AtPresent() {
		cs.quiet(groupTime, "→", "one step forward", t.goTo(step+1), "right")
		cs.quiet(groupTime, ">", "one command forward", t.goTo(t.behind(step, tl.Last())), ">")
		cs.add(groupTime, ".", "to the present", t.goTo(tl.Last()), ".")
	}
}

// before is the nearest stop before a step, behind the nearest one after it.
func (t *travel) before(step int64) int64 {
	for _, s := range slices.Backward(t.stops) {
		if s < step {
			return s
		}
	}
	return 0
}

func (t *travel) behind(step, last int64) int64 {
	for _, s := range t.stops {
		if s > step {
			return min(s, last)
		}
	}
	return last
}

func (t *travel) goTo(step int64) func() []Action {
	return func() []Action {
		t.note = ""
		t.err = t.timeline().GoTo(step)
		t.moved()
		return nil
	}
}

// run runs a line of the learner's, and notices when it makes a branch.
func (t *travel) run(exec func() (console.Output, error)) (console.Output, error) {
	t.note, t.err = "", nil
	past, tl := t.past(), t.timeline()
	var step int64
	var known []string
	if past {
		step = tl.Cluster().Step()
		known = t.session().(history).Futures()
	}
	out, err := exec()
	if past && tl == t.timeline() && tl.AtPresent() {
		t.branched(step, known)
	}
	t.stop()
	return out, err
}

// stop notes the step at which a line has ended.
func (t *travel) stop() {
	tl := t.timeline()
	if tl == nil {
		return
	}
	step := tl.Cluster().Step()
	last := tl.Last()
	t.stops = slices.DeleteFunc(t.stops, func(s int64) bool { return s > last })
	if n := len(t.stops); tl.AtPresent() && (n == 0 || t.stops[n-1] != step) {
		t.stops = append(t.stops, step)
	}
}

// branched says that a line has made a branch, and by which name the future is
// kept that was left.
func (t *travel) branched(step int64, known []string) {
	t.note = fmt.Sprintf("A branch from step %s.", cell.Thin(step))
	t.stops = slices.DeleteFunc(t.stops, func(s int64) bool { return s > step })
	for _, name := range t.session().(history).Futures() {
		if !slices.Contains(known, name) {
			t.note += " The old future is kept: switch " + name
		}
	}
}

// say adds what there is to say of the past: a branch that was made, or how one
// is made.
func (t *travel) say(c *column, width int) {
	tl := t.timeline()
	switch {
	case tl == nil:
	case t.err != nil:
		c.say(nil)
		c.say(canvas.T(t.err.Error(), theme.Refused).Wrap(width)...)
	case t.note != "":
		words, command, ok := strings.Cut(t.note, ": ")
		if ok {
			words += ": "
		}
		c.say(nil)
		c.say(canvas.T(words, theme.Waiting).Add(command, theme.Bright).Wrap(width)...)
	case !tl.AtPresent():
		c.say(nil)
		c.say(canvas.T("This is the past.", theme.Waiting).Add(" To act here makes a branch; what came next is kept.", theme.Muted).Wrap(width)...)
		c.say(nil)
		c.say(t.newest(width)...)
	}
}

// newest is the event of the step that the cluster stands at.
func (t *travel) newest(width int) []canvas.Line {
	cl := t.timeline().Cluster()
	v := cl.View()
	e, ok := cl.Event(v.LastEvent)
	if !ok {
		return nil
	}
	m := panel.Model{View: v}
	head := canvas.T(cell.Clock(e.Time)+"  ", theme.Label).Add(e.Node, actorsOf(m).style(e.Node))
	return append([]canvas.Line{head}, hang(canvas.T("  ", theme.Text), canvas.T(e.Body.Line(), theme.Text), width)...)
}

// past tells whether something lies ahead.
func (t *travel) past() bool { return t.timeline() != nil && !t.timeline().AtPresent() }
