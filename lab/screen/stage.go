package screen

import (
	"fmt"
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/engine"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/keys"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/panel"
)

// stage is the right side of a page: one moment of a cluster, seen through one
// lens at a time. The lenses are the lesson's panels, then what no lesson has
// to name: the commands, the messages, the bytes.
type stage struct {
	session func() any // whose cluster is shown
	lenses  []panel.Panel
	at      int
	model   panel.Model
	bytes   panel.Cursor // where the bytes lens was opened
}

// cluster tells the cluster of a console session. It is asked for each time:
// going back makes another one.
type cluster interface{ Cluster() *engine.Cluster }

// reader is what panels draw from, nil for a session without a cluster.
func reader(session any) engine.Reader {
	if s, ok := session.(cluster); ok {
		if c := s.Cluster(); c != nil {
			return c
		}
	}
	return nil
}

// newStage makes a stage of panels by name; commands is the lens that shows
// what was run.
func newStage(env *Env, session func() any, names []string, commands *transcript) *stage {
	s := &stage{session: session, model: panel.Model{Focus: panel.NoFocus()}}
	for _, name := range slices.Concat(names, []string{commands.Name(), "sequence", "bytes"}) {
		if s.find(name) >= 0 {
			continue
		}
		if name == commands.Name() {
			s.lenses = append(s.lenses, commands)
		} else if p, ok := env.Panel(name); ok {
			s.lenses = append(s.lenses, p)
		}
	}
	return s
}

func (s *stage) find(name string) int {
	return slices.IndexFunc(s.lenses, func(p panel.Panel) bool { return p.Name() == name })
}

// look takes a new view of the cluster: after whatever may have changed it.
func (s *stage) look() {
	s.model.Reader = reader(s.session())
	s.model.View = engine.View{}
	if s.model.Reader != nil {
		s.model.View = s.model.Reader.View()
	}
}

// open goes to the lens of a name, if there is one.
func (s *stage) open(name string) {
	if i := s.find(name); i >= 0 && i != s.at {
		s.leave()
		s.at = i
	}
}

// turn goes n lenses on.
func (s *stage) turn(n int) {
	s.leave()
	s.at = (s.at + n + len(s.lenses)) % len(s.lenses)
}

// leave remembers where the learner was, for the lens that shows its bytes.
func (s *stage) leave() {
	if p := s.lenses[s.at]; p.Name() != "bytes" {
		s.bytes = p.Cursor(s.modelFor(p))
	}
}

// next is the lens that a turn of one goes to.
func (s *stage) next() panel.Panel { return s.lenses[(s.at+1)%len(s.lenses)] }

// modelFor is what a panel draws from. The bytes are those of what the learner
// is at in the panel beside it.
func (s *stage) modelFor(p panel.Panel) panel.Model {
	m := s.model
	if p.Name() != "bytes" || len(s.lenses) == 0 {
		return m
	}
	at := s.bytes
	if main := s.lenses[s.at]; main.Name() != "bytes" {
		at = main.Cursor(s.model)
	}
	if at.Replica.Topic != "" {
		m.Focus.Replica, m.Focus.Target = at.Replica, at.Offset
	}
	return m
}

// panelKeys are the keys of the panel that is seen, as they are where the page
// has the arrows ← and → for itself: what they do in a panel, h and l do.
func (s *stage) panelKeys() []key.Binding {
	p := s.lenses[s.at]
	list := p.Keys(s.modelFor(p))
	if p.Typing() {
		return list
	}
	list = slices.Clone(list)
	for i, b := range list {
		list[i], _ = without(b, func(name string) bool { return name == "left" || name == "right" })
	}
	return list
}

// commands lists the keys of the panel that is seen, as far as the page leaves
// them to it.
func (s *stage) commands(cs *Commands, do func(panel.Action) []Action) {
	claimed := map[string]bool{}
	for _, c := range *cs {
		for _, name := range c.Keys() {
			claimed[name] = claimed[name] || c.Do != nil
		}
	}
	for _, b := range s.panelKeys() {
		b, ok := without(b, func(name string) bool { return claimed[name] })
		if !ok {
			continue
		}
		*cs = append(*cs, Command{Binding: b, Group: groupPanel, Do: func(k tea.KeyMsg) []Action {
			acts, _ := s.key(k, do)
			return acts
		}})
	}
}

// motions lists the panel's keys that are no text, while text is typed on the
// page: those that go up and down.
func (s *stage) motions(cs *Commands, do func(panel.Action) []Action) {
	var all Commands
	s.commands(&all, do)
	for _, c := range all {
		if b, ok := without(c.Binding, func(name string) bool { return !slices.Contains(upAndDown, name) }); ok {
			c.Binding = b
			*cs = append(*cs, c)
		}
	}
}

var upAndDown = []string{"up", "down", "pgup", "pgdown"}

// without is a binding but for some of its keys; ok is false if none is left. It
// is shown as before as long as the key that it is called by is there, and else
// by the keys that are left.
func without(b key.Binding, gone func(name string) bool) (rest key.Binding, ok bool) {
	names := slices.DeleteFunc(slices.Clone(b.Keys()), gone)
	switch {
	case len(names) == len(b.Keys()):
		return b, true
	case len(names) == 0:
		return b, false
	case b.Keys()[0] == b.Help().Key && names[0] == b.Keys()[0]:
		return keys.Bind(b.Help().Key, b.Help().Desc, names...), true
	}
	return keys.Bind(calledBy(names), b.Help().Desc, names...), true
}

// arrowSigns are how a key line shows arrows.
var arrowSigns = map[string]string{"up": "↑", "down": "↓", "left": "←", "right": "→", "pgdown": "pgdn"}

// calledBy is what keys are called on the key line: two of them, for a motion
// has two directions and each a letter beside its arrow.
func calledBy(names []string) string {
	if len(names) == 4 {
		names = names[:2]
	}
	text := ""
	for i, name := range names {
		sign, arrow := arrowSigns[name]
		if !arrow {
			sign = name
		}
		if i > 0 && (!arrow || name == "pgdown") {
			text += " "
		}
		text += sign
	}
	return text
}

// lensCommands lists the keys that turn the lens.
func (s *stage) lensCommands(cs *Commands) {
	if len(s.lenses) < 2 {
		return
	}
	cs.add(groupLook, "b", lensName(s.next()), func() []Action { s.turn(1); return nil })
	cs.quiet(groupLook, "B", "the lens before", func() []Action { s.turn(-1); return nil })
}

// lensName is what a lens is called on a key line.
func lensName(p panel.Panel) string {
	switch name := p.Name(); name {
	case "sequence":
		return "messages"
	case "isr":
		return "replicas"
	case "txn":
		return "transaction"
	default:
		return name
	}
}

// key offers a key to the panel that is seen.
func (s *stage) key(k tea.KeyMsg, do func(panel.Action) []Action) (acts []Action, mine bool) {
	p := s.lenses[s.at]
	a, mine := p.Key(k, s.modelFor(p))
	return s.perform(p, a, do), mine
}

// perform does what a panel asks for.
func (s *stage) perform(p panel.Panel, a panel.Action, do func(panel.Action) []Action) []Action {
	switch a := a.(type) {
	case panel.Lens:
		at := p.Cursor(s.modelFor(p))
		s.open(a.Name)
		if to, ok := s.lenses[s.at].(panel.Opener); ok {
			to.Open(at, s.modelFor(s.lenses[s.at]))
		}
		return nil
	case nil:
		return nil
	}
	return do(a)
}

// click offers a click to the panel that is seen, or to the one beside it.
func (s *stage) click(x, y int, aside bool, do func(panel.Action) []Action) []Action {
	p := s.lenses[s.at]
	if aside {
		p = s.next()
	}
	c, ok := p.(panel.Clicked)
	if !ok || s.model.Reader == nil {
		return nil
	}
	a, _ := c.Click(x, y, s.modelFor(p))
	return s.perform(p, a, do)
}

// wheel scrolls the panel that is seen, or the one beside it.
func (s *stage) wheel(k tea.KeyMsg, aside bool, do func(panel.Action) []Action) []Action {
	if !aside {
		acts, _ := s.key(k, do)
		return acts
	}
	if p := s.next(); s.model.Reader != nil {
		p.Key(k, s.modelFor(p))
	}
	return nil
}

// typing tells whether text is typed in the panel that is seen.
func (s *stage) typing() bool { return s.lenses[s.at].Typing() }

// nested tells whether the panel that is seen has something open that esc shuts.
func (s *stage) nested() bool {
	p := s.lenses[s.at]
	n, ok := p.(panel.Nested)
	return ok && s.model.Reader != nil && n.Nested(s.modelFor(p))
}

// shutCommand lists esc while the panel has something open over its list.
func (s *stage) shutCommand(cs *Commands, do func(panel.Action) []Action) {
	if s.nested() {
		cs.add(groupPanel, "esc", "back", func() []Action {
			acts, _ := s.key(tea.KeyMsg{Type: tea.KeyEsc}, do)
			return acts
		})
	}
}

// panelField gives every key to a panel in which text is typed.
type panelField struct {
	s  *stage
	do func(panel.Action) []Action
}

// Type gives a key to the panel.
func (f *panelField) Type(k tea.KeyMsg) ([]Action, bool) { return f.s.key(k, f.do) }

// draw draws the lens that one is at.
func (s *stage) draw(r canvas.Region) { s.drawLens(r, s.at) }

// drawAside draws the next one, where there is room for two.
func (s *stage) drawAside(r canvas.Region) { s.drawLens(r, (s.at+1)%len(s.lenses)) }

func (s *stage) drawLens(r canvas.Region, at int) {
	if s.model.Reader == nil {
		r.Put(0, 0, "no cluster yet", theme.Faint)
		return
	}
	p := s.lenses[at]
	p.Draw(r, s.modelFor(p))
}

// clock is the virtual time, in ms since the cluster's start.
func (s *stage) clock() int64 { return s.model.View.TimeMs }

// FirstReplica is the leader's replica of the first partition of a session's
// cluster, as commands name it; empty without one.
func FirstReplica(session any) string {
	r := reader(session)
	if r == nil {
		return ""
	}
	for _, t := range r.View().Topics {
		for _, p := range t.Partitions {
			return fmt.Sprintf("%s/%d@%d", t.Name, p.Number, p.Leader)
		}
	}
	return ""
}
