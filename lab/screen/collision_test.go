package screen

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/spf13/afero"

	"kafkalab/assets"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/panel"
	"kafkalab/lessons"
	"kafkalab/quiz"
	"kafkalab/quiz/progress"
)

// realEnv is the built-in course on the real panels.
func realEnv(t *testing.T, w, h int) *Env {
	t.Helper()
	course, findings := lessons.LoadCourse(assets.Course())
	if course == nil {
		t.Fatal(findings)
	}
	noon := func() time.Time { return time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC) }
	store, _ := progress.Open(afero.NewMemMapFs(), "/p.json", course.Version, noon)
	return &Env{
		Course: course, Progress: store.Snapshot(), Now: noon, Rand: rand.New(rand.NewPCG(1, 2)), Open: lessons.Engine, Ask: quiz.Engine,
		Panel: panel.ByName, Files: afero.NewMemMapFs(), Door: quietDoor, W: w, H: h,
	}
}

// situation is a screen with a cluster on it, at one moment.
type situation struct {
	name   string
	screen Screen
	stage  func() *stage
}

// situations are all pages that have panels: of each lesson, what is read, what
// is asked and told at its steps, the live page, its checks; the sandbox, a
// drill, two futures.
func situations(t *testing.T, env *Env) (list []situation) {
	t.Helper()
	add := func(name string, s Screen, st func() *stage) { list = append(list, situation{name, s, st}) }
	for _, l := range env.Course.Lessons() {
		for _, page := range []Page{Read, Live} {
			s := NewLesson(env, l, page, 0)
			s.Enter()
			add(l.ID+" "+string(page), s, s.page().stage)
		}
		for _, n := range someSteps(l) {
			asking := NewLesson(env, l, Step, n)
			asking.Enter()
			add(fmt.Sprintf("%s step %d", l.ID, n), asking, asking.page().stage)
			told := NewLesson(env, l, Step, n)
			told.Enter()
			Press(told, tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}})
			add(fmt.Sprintf("%s step %d told", l.ID, n), told, told.page().stage)
		}
		for i, q := range l.Checks {
			s := NewLesson(env, l, Check, 0)
			s.Enter()
			p := s.page().(*checkPage)
			p.to(i)
			add(l.ID+" check "+q.ID, s, s.page().stage)
			if !p.item().plays() {
				continue
			}
			run := NewLesson(env, l, Check, 0)
			run.Enter()
			p = run.page().(*checkPage)
			p.to(i)
			p.item().result = &quiz.Result{}
			p.item().playBack()
			add(l.ID+" run of "+q.ID, run, run.page().stage)
		}
	}
	sandbox := NewSandbox(env)
	for _, line := range []string{"cluster brokers=3", "topic create t replicas=3", "producer P", "produce t count=5 as=P", "kill broker-3"} {
		sandbox.world.shell.Run(line)
	}
	add("sandbox", sandbox, func() *stage { return sandbox.world.stage })
	if drills := env.Course.Drills; len(drills) > 0 {
		d := NewDrill(env, drills[0], NewDrills(env))
		add("drill", d, func() *stage { return d.world.stage })
	}
	f := NewFork(env, sandbox.world.session, sandbox.world.stage, sandboxActions, func() {})
	f.begin()
	add("fork", f, func() *stage { return f.active() })
	return list
}

// someSteps are a lesson's first and last step, and those that ask or show something
// that no step before them did.
func someSteps(l *lessons.Lesson) (list []int) {
	kinds := map[string]bool{}
	for i, s := range l.Steps {
		kind := fmt.Sprint(len(s.Choose) > 0, s.Predict.Blank(), s.Focus)
		if !kinds[kind] || i == 0 || i == len(l.Steps)-1 {
			list = append(list, i+1)
		}
		kinds[kind] = true
	}
	return list
}

// panelStates are the moments of a panel that have keys of their own: as it
// comes, and after a key that opens something in it.
var panelStates = map[string][]string{"sequence": {"o"}, "index": {"o"}, "events": {"N"}, "bytes": {"o"}}

func letterKey(name string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)} }

// On every page, with every panel: what the key line and the sheet of keys say
// of a key is what it does. No panel loses a key to the page it stands on, and a
// key is told of once.
func TestNoPageHidesAKeyOfItsPanel(t *testing.T) {
	seen := 0
	for _, s := range situations(t, realEnv(t, 100, 30)) {
		st := s.stage()
		if st == nil || st.model.Reader == nil || s.screen.Field() != nil {
			continue // without a panel, or letters are text: TestKeysWhileTextIsTyped
		}
		for at, p := range st.lenses {
			st.at = at
			for _, open := range slices.Concat(panelStates[p.Name()], []string{""}) {
				if open != "" {
					p.Key(letterKey(open), st.modelFor(p))
				}
				p.Draw(canvas.New(60, 20).Region(), st.modelFor(p))
				seen++
				checkKeys(t, s.name+" "+p.Name()+open, s.screen.Commands(), st.panelKeys())
				if open != "" {
					p.Key(tea.KeyMsg{Type: tea.KeyEsc}, st.modelFor(p))
					p.Key(tea.KeyMsg{Type: tea.KeyBackspace}, st.modelFor(p))
				}
			}
		}
	}
	if seen < 300 {
		t.Errorf("only %d panels were looked at", seen)
	}
}

// checkKeys compares what is told of the keys with what they do.
func checkKeys(t *testing.T, where string, cs Commands, offered []key.Binding) {
	t.Helper()
	owner := map[string]string{}
	for _, c := range cs {
		for _, name := range c.Keys() {
			if c.Do == nil || name == "esc" { // esc shuts the innermost thing there is
				continue
			}
			if before, taken := owner[name]; taken {
				t.Errorf("%s: %q is %q, and %q does not get it", where, name, before, c.Help().Desc)
			} else {
				owner[name] = c.Help().Desc
			}
		}
	}
	for _, b := range offered {
		i := slices.IndexFunc(cs, func(c Command) bool { return c.Group == groupPanel && c.Help().Desc == b.Help().Desc })
		if i < 0 {
			var by []string
			for _, name := range b.Keys() {
				by = append(by, owner[name])
			}
			t.Errorf("%s: %s %q of the panel is hidden by %s", where, b.Help().Key, b.Help().Desc, strings.Join(by, ", "))
		}
	}
	for _, c := range cs {
		// What is shown as keys one by one has each of them.
		if words := strings.Fields(c.Help().Key); c.Do != nil && len(words) == 1 && len([]rune(words[0])) == 1 && words[0][0] < 0x7F && words[0] != " " {
			if !slices.Contains(c.Keys(), words[0]) {
				t.Errorf("%s: %q is shown for %q, which is %v", where, words[0], c.Help().Desc, c.Keys())
			}
		}
	}
}

// While text is typed on the page, the panel is told of with the keys that are
// no text, and they reach it.
func TestKeysWhileTextIsTyped(t *testing.T) {
	seen := 0
	for _, s := range situations(t, realEnv(t, 100, 30)) {
		st, f := s.stage(), s.screen.Field()
		if st == nil || f == nil {
			continue
		}
		for at := range st.lenses {
			st.at = at
			for _, c := range s.screen.Commands() {
				for _, name := range c.Keys() {
					if _, isText := f.(*stepPage); isText && c.Group == groupPanel {
						if seen++; len([]rune(name)) == 1 {
							t.Errorf("%s: %q of the panel is text here", s.name, name)
						}
					}
				}
			}
		}
	}
	if seen == 0 {
		t.Error("no page types text beside a panel")
	}
}
