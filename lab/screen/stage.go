package screen

import (
	"fmt"
	"slices"
	"strings"

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
	roams   bool         // the arrows ← and → go through time: h and l move in the panel
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

// commands lists the keys of the panel that is seen, and those that change it.
func (s *stage) commands(cs *Commands, do func(panel.Action) []Action) {
	p := s.lenses[s.at]
	for _, b := range p.Keys(s.modelFor(p)) {
		if s.roams && !p.Typing() {
			b = withoutArrows(b)
		}
		*cs = append(*cs, Command{Binding: b, Group: groupPanel, Do: func(k tea.KeyMsg) []Action {
			acts, _ := s.key(k, do)
			return acts
		}})
	}
}

// withoutArrows is a panel's binding where the arrows ← and → are not the
// panel's: what they do there, h and l do.
func withoutArrows(b key.Binding) key.Binding {
	names := slices.DeleteFunc(slices.Clone(b.Keys()), func(k string) bool { return k == "left" || k == "right" })
	if len(names) == len(b.Keys()) || len(names) == 0 {
		return b
	}
	return keys.Bind(strings.Join(names, " "), b.Help().Desc, names...)
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
	switch a := a.(type) {
	case panel.Lens:
		s.open(a.Name)
	case nil:
	default:
		acts = do(a)
	}
	return acts, mine
}

// typing tells whether text is typed in the panel that is seen.
func (s *stage) typing() bool { return s.lenses[s.at].Typing() }

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
