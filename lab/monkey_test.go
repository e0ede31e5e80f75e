package lab

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/assets"
	"kafkalab/lab/panel"
	"kafkalab/lessons"
)

var monkeys = flag.Int("monkeys", 1, "seeds for the monkeys")

// words are what a monkey strikes: more of the keys that do something than a
// monkey would.
var words = []string{
	"enter", "enter", "tab", "tab", "shift+tab", "esc", "up", "down", "left", "right", "up", "down", "left", "right",
	"space", "pgup", "pgdown", "home", "end", "backspace", "delete", "ctrl+u", "ctrl+w", "f1",
	"a", "b", "b", "B", "c", "d", "e", "g", "h", "i", "j", "k", "l", "n", "o", "p", "P", "r", "R", "s", "t", "T", "v", "w", "x", "y", "o", "L", "N", "[", "]",
	":", "?", "/", "<", ">", ".", "f", "s", "0", "1", "2", "3", "5", "9", "-", ".", "日", "é", "\u0301", "🙂",
}

var lines = []string{
	"produce orders", "topic create t partitions=3", "tick 1m", "print orders/0.leo", "nonsense", "roll orders/0", "consume orders/0",
	"step", "settle", "topic delete orders", "produce orders count=200 size=400",
}

// monkey strikes keys at random. It never leaves: where it would, a new lab
// begins.
type monkey struct {
	*learner
	rand *rand.Rand
	anew func() *learner
}

func (m *monkey) strike() {
	switch n := m.rand.IntN(60); {
	case n == 0:
		m.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(lines[m.rand.IntN(len(lines))]), Paste: true})
	case n == 1:
		m.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("pq"), Alt: true})
	case n == 2:
		m.press(":")
		m.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(lines[m.rand.IntN(len(lines))] + "\n"), Paste: true})
		m.press("enter")
	case n < 6:
		m.send(tea.MouseMsg{
			X: m.rand.IntN(m.app.env.W + 1), Y: m.rand.IntN(m.app.env.H + 1), Action: tea.MouseAction(m.rand.IntN(3)),
			Button: []tea.MouseButton{tea.MouseButtonLeft, tea.MouseButtonWheelUp, tea.MouseButtonWheelDown, tea.MouseButtonRight}[m.rand.IntN(4)],
		})
	case n == 6:
		m.press("q")
	default:
		m.press(words[m.rand.IntN(len(words))])
	}
	if m.quit {
		m.learner = m.anew()
	}
}

// A monkey on each screen, at three sizes: every frame is exact, and nothing
// panics.
func TestMonkey(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {100, 30}, {160, 48}} {
		for _, s := range scenes() {
			for seed := range *monkeys {
				t.Run(fmt.Sprintf("%dx%d/%s/%d", size[0], size[1], s.name, seed), func(t *testing.T) {
					begin := func() *learner {
						l := open(t, size[0], size[1])
						s.steps(l)
						return l
					}
					m := &monkey{begin(), rand.New(rand.NewPCG(uint64(seed), 7)), begin}
					for range 100 {
						m.strike()
					}
				})
			}
		}
	}
}

// A monkey on the built-in course with the real panels.
func TestMonkeyOnTheCourse(t *testing.T) {
	course, findings := lessons.LoadCourse(assets.Course())
	if course == nil {
		t.Fatal(findings)
	}
	real := func(o *Options) { o.Course, o.Panel = course, panel.ByName }
	for _, size := range [][2]int{{80, 24}, {100, 30}, {160, 48}} {
		for i, lesson := range course.Lessons() {
			for seed := range *monkeys {
				t.Run(fmt.Sprintf("%dx%d/%s/%d", size[0], size[1], lesson.ID, seed), func(t *testing.T) {
					begin := func() *learner {
						return open(t, size[0], size[1], real, func(o *Options) { o.Start.Lesson = lesson.ID })
					}
					m := &monkey{begin(), rand.New(rand.NewPCG(uint64(seed), uint64(i))), begin}
					for range 200 {
						m.strike()
					}
				})
			}
		}
	}
}

// A terminal that is resized between keys, to any size.
func TestResizeMonkey(t *testing.T) {
	for seed := range *monkeys {
		for _, s := range scenes() {
			begin := func() *learner {
				l := open(t, 100, 30)
				s.steps(l)
				return l
			}
			m := &monkey{begin(), rand.New(rand.NewPCG(uint64(seed), 99)), begin}
			for range 60 {
				m.send(tea.WindowSizeMsg{Width: m.rand.IntN(240), Height: m.rand.IntN(70)})
				m.strike()
			}
		}
	}
}

// A monkey where the learner acts on a cluster of their own, with the real
// panels.
func TestMonkeyOnRealPanels(t *testing.T) {
	real := func(o *Options) { o.Panel = panel.ByName }
	starts := map[string]func(l *learner){
		"sandbox": sandbox,
		"fork":    func(l *learner) { sandbox(l); l.press("f", "enter") },
		"drill":   keysTo("d", "enter"),
	}
	for _, size := range [][2]int{{80, 24}, {160, 48}} {
		for name, start := range starts {
			for seed := range *monkeys {
				t.Run(fmt.Sprintf("%dx%d/%s/%d", size[0], size[1], name, seed), func(t *testing.T) {
					begin := func() *learner {
						l := open(t, size[0], size[1], real)
						start(l)
						return l
					}
					m := &monkey{begin(), rand.New(rand.NewPCG(uint64(seed), 3)), begin}
					for range 150 {
						m.strike()
					}
				})
			}
		}
	}
}
