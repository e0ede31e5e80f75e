package lab

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/spf13/afero"

	"kafkalab/engine/fidelity"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/kittest"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/panel"
	"kafkalab/lessons"
	"kafkalab/quiz/progress"
)

// learner drives a lab as a person does: a key, then a look at the frame. It
// does at once what bubbletea would do in goroutines.
type learner struct {
	t     testing.TB
	app   *App
	store *progress.Store
	fs    afero.Fs
	quit  bool
	clock time.Time
}

// noon is when all tests begin.
var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// someRows stand for the table of what is true, which grows with the engine.
var someRows = []fidelity.Row{
	{Area: "storage", Name: "segment roll", Level: fidelity.Exact, Rule: "At append only.", Default: "segment.bytes=1 GiB", Source: "LogSegment#shouldRoll", Test: "TestA"},
	{Area: "storage", Name: "index files", Level: fidelity.Simplified, Rule: "They hold what is used.", Source: "AbstractIndex#resize", Test: "TestB"},
	{Area: "storage", Name: "log retention", Level: fidelity.Absent, Rule: "Nothing is deleted by age.", Default: "retention.ms=7 d", Source: "UnifiedLog#deleteOldSegments", Test: "TestC"},
	{Area: "clients", Name: "partitioner", Level: fidelity.Exact, Rule: "murmur2 of the key.", Source: "BuiltInPartitioner", Test: "TestD"},
}

const progressFile = "/home/progress.json"

func testCourse(t testing.TB) *lessons.Course {
	t.Helper()
	c, findings := lessons.LoadCourse(os.DirFS("testdata/course"))
	for _, f := range findings {
		t.Fatal(f)
	}
	return c
}

// setting is what a test wants to be different.
type setting func(*Options)

// open makes a lab of the small course, on panels that show nothing but facts,
// with a progress file in memory.
func open(t testing.TB, w, h int, settings ...setting) *learner {
	t.Helper()
	return openOn(t, afero.NewMemMapFs(), w, h, settings...)
}

func openOn(t testing.TB, fs afero.Fs, w, h int, settings ...setting) *learner {
	t.Helper()
	l := &learner{t: t, fs: fs, clock: noon}
	now := func() time.Time { return l.clock }
	course := testCourse(t)
	store, notice := progress.Open(fs, progressFile, course.Version, now)
	o := Options{
		Course: course, Store: store, Notice: notice, Now: now, Profile: theme.Plain, Seed: 1,
		Fidelity: someRows, Panel: plainPanel, Files: fs, Width: w, Height: h,
	}
	o.Theme, _, _ = theme.Choose("dark", theme.Dark, theme.Plain)
	for _, s := range settings {
		s(&o)
	}
	app, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	l.app, l.store = app, o.Store
	l.run(app.Init())
	l.look()
	return l
}

// send gives the lab a message, and does what it asks for.
func (l *learner) send(msg tea.Msg) {
	l.t.Helper()
	_, cmd := l.app.Update(msg)
	l.run(cmd)
	l.look()
}

// run does a command at once; those of a sequence one after the other.
func (l *learner) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	msg := cmd()
	if v := reflect.ValueOf(msg); v.Kind() == reflect.Slice {
		for i := range v.Len() {
			if c, ok := v.Index(i).Interface().(tea.Cmd); ok {
				l.run(c)
			}
		}
		return
	}
	switch msg.(type) {
	case nil:
	case tea.QuitMsg:
		l.quit = true
	default:
		l.app.Update(msg)
	}
}

// look checks that the frame is exact.
func (l *learner) look() {
	l.t.Helper()
	if l.app.env.W == 0 || l.app.env.H == 0 {
		if got := l.app.View(); got != "" {
			l.t.Fatalf("a frame without a size: %q", got)
		}
		return
	}
	if err := kittest.Exact(l.app.View(), l.app.env.W, l.app.env.H); err != nil {
		l.t.Fatalf("%dx%d: %v\n%s", l.app.env.W, l.app.env.H, err, l.app.View())
	}
}

// press strikes keys by their names, one message each.
func (l *learner) press(names ...string) *learner {
	l.t.Helper()
	for _, name := range names {
		l.send(keyNamed(name))
	}
	return l
}

// write types a text, letter by letter.
func (l *learner) write(text string) *learner {
	l.t.Helper()
	for _, r := range text {
		l.press(string(r))
	}
	return l
}

// text is what is on the screen, whatever it is painted with.
func (l *learner) text() string {
	l.app.View()
	return l.app.canvas.Text()
}

// sees fails unless all of these are on the screen.
func (l *learner) sees(texts ...string) *learner {
	l.t.Helper()
	for _, want := range texts {
		if !strings.Contains(l.text(), want) {
			l.t.Fatalf("%q is not on the screen:\n%s", want, l.text())
		}
	}
	return l
}

// misses fails if one of these is on the screen.
func (l *learner) misses(texts ...string) *learner {
	l.t.Helper()
	for _, not := range texts {
		if strings.Contains(l.text(), not) {
			l.t.Fatalf("%q is on the screen:\n%s", not, l.text())
		}
	}
	return l
}

var namedKeys = map[string]tea.KeyType{
	"enter": tea.KeyEnter, "tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab, "esc": tea.KeyEsc, "space": tea.KeySpace,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	"home": tea.KeyHome, "end": tea.KeyEnd, "backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "ctrl+c": tea.KeyCtrlC,
	"ctrl+u": tea.KeyCtrlU, "ctrl+w": tea.KeyCtrlW, "f1": tea.KeyF1,
}

func keyNamed(name string) tea.KeyMsg {
	switch t, ok := namedKeys[name]; {
	case name == "space" || name == " ":
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	case ok:
		return tea.KeyMsg{Type: t}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// factPanel shows what a panel is given, as plain facts.
type factPanel struct {
	name  string
	moved int
}

func plainPanel(name string) (panel.Panel, bool) {
	for _, known := range []string{"log", "index", "sequence", "bytes", "events"} {
		if name == known {
			return &factPanel{name: name}, true
		}
	}
	return nil, false
}

func (p *factPanel) Name() string { return p.name }

func (p *factPanel) Keys(panel.Model) []key.Binding {
	return []key.Binding{key.NewBinding(key.WithKeys("up", "down"), key.WithHelp("↑↓", "move"))}
}

func (p *factPanel) Key(k tea.KeyMsg, _ panel.Model) (panel.Action, bool) {
	switch k.String() {
	case "up":
		p.moved--
	case "down":
		p.moved++
	default:
		return nil, false
	}
	return nil, true
}

func (p *factPanel) Typing() bool { return false }

func (p *factPanel) Cursor(m panel.Model) panel.Cursor {
	return panel.Cursor{Replica: m.Focus.Replica, Offset: panel.None}
}

func (p *factPanel) Draw(r canvas.Region, m panel.Model) {
	r.Put(0, 0, "panel "+p.name, theme.Name)
	y := 2
	for _, t := range m.View.Topics {
		for _, part := range t.Partitions {
			r.Put(0, y, fmt.Sprintf("%s/%d LEO %d HW %d", t.Name, part.Number, part.LEO, part.HW), theme.Text)
			y++
		}
	}
	before := int64(-1)
	if len(m.Before.Topics) > 0 {
		before = m.Before.Topics[0].Partitions[0].LEO
	}
	r.Put(0, y+1, fmt.Sprintf("focus %q revealed %v live %v", m.Focus.At, m.Focus.Revealed, m.Focus.Live), theme.Muted)
	r.Put(0, y+2, fmt.Sprintf("LEO before %d, moved %d", before, p.moved), theme.Muted)
}
