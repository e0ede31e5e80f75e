package panel

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"

	"kafkalab/engine"
	"kafkalab/engine/trace"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/kittest"
	"kafkalab/lab/kit/theme"
	"kafkalab/lessons"
)

// strike is the message of a key by bubbletea's name of it.
func strike(name string) tea.KeyMsg {
	for t := tea.KeyType(-128); t < 128; t++ {
		if m := (tea.KeyMsg{Type: t}); t != tea.KeyRunes && m.String() == name {
			return m
		}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// press gives keys to a panel and returns the last action.
func press(p Panel, m Model, names ...string) (last Action) {
	for _, name := range names {
		last, _ = p.Key(strike(name), m)
	}
	return last
}

// drawn is what a panel shows in w x h cells.
func drawn(p Panel, m Model, w, h int) *canvas.Canvas {
	c := canvas.New(w, h)
	p.Draw(c.Region(), m)
	return c
}

func text(p Panel, m Model, w, h int) string { return drawn(p, m, w, h).Text() }

// made is a new panel.
func made(t testing.TB, name string) Panel {
	t.Helper()
	p, ok := ByName(name)
	if !ok {
		t.Fatalf("no panel %s", name)
	}
	return p
}

func TestNamesAreThoseOfLessons(t *testing.T) {
	for _, name := range Names() {
		if p := made(t, name); p.Name() != name {
			t.Errorf("panel %s calls itself %s", name, p.Name())
		}
		if lessons.Panels[name] == "" {
			t.Errorf("a lesson cannot name the panel %s", name)
		}
	}
	if _, ok := ByName("film"); ok {
		t.Error("a panel of no such name")
	}
}

// anyKeys are the keys that the monkey strikes.
var anyKeys = []string{
	"up", "down", "left", "right", "h", "j", "k", "l", "home", "end", "pgup", "pgdown", "enter", "esc", "backspace", "tab",
	"o", "T", "e", "v", "p", "a", "r", "t", "n", "X", "m", "M", "C", "O", "K", "D", "2", "3", "0", "1", "5", "9", ":", ".", " ", "x", "?",
}

// anyFake is a log, whole or empty, short or long, with or without a story.
func anyFake(t *rapid.T) *fake {
	f := newFake(rapid.SampledFrom([]int{0, 1, 3, 99, 100, 101, 235, 1500}).Draw(t, "batches"))
	if rapid.Bool().Draw(t, "story") {
		f.story()
	}
	f.log.start = rapid.SampledFrom([]int64{0, 0, 15, f.log.leo}).Draw(t, "start")
	f.log.hw = rapid.Int64Range(0, f.log.leo).Draw(t, "hw")
	f.sync()
	anyISR(t, f)
	anyChores(t, f)
	return f
}

// anyISR puts replicas, waiting produces and brokers of any state into a view.
func anyISR(t *rapid.T, f *fake) {
	p := &f.view.Topics[1].Partitions[0]
	p.LagLimitMs, p.NextCheckMs = rapid.SampledFrom([]int64{0, 3000, 30_000}).Draw(t, "limit"), rapid.Int64Range(0, 15_000).Draw(t, "check")
	for i := range p.Logs {
		l := &p.Logs[i]
		l.InSync, l.BehindMs = rapid.Bool().Draw(t, "in sync"), rapid.SampledFrom([]int64{-1, 0, 210, 31_000, 1 << 40}).Draw(t, "behind")
		l.KnownLEO = rapid.Int64Range(-1, f.log.leo).Draw(t, "known")
	}
	for i := range f.view.Brokers {
		f.view.Brokers[i].State = rapid.SampledFrom([]string{"running", "starting", "recovery", "stalled", "killed", "crashed", "stopped"}).Draw(t, "state")
	}
	if rapid.Bool().Draw(t, "no leader") {
		p.Leader, p.HW, p.LEO, p.LSO, p.Start, p.ISR = -1, -1, -1, -1, -1, nil
	}
	for range rapid.IntRange(0, 4).Draw(t, "waiting") {
		p.Waiting = append(p.Waiting, engine.WaitingView{From: "app", Required: f.log.leo, TimeoutMs: 29_800, Missing: p.ISR})
	}
	if rapid.Bool().Draw(t, "proposed") {
		p.ProposedISR, p.MaximalISR = []int32{1}, []int32{1, 2, 3}
	}
}

func anyFocus(t *rapid.T, f *fake) Focus {
	return Focus{
		Replica: engine.ReplicaName{
			Topic:     rapid.SampledFrom([]string{"", "orders", "orders", "orders", "nothing"}).Draw(t, "topic"),
			Partition: rapid.SampledFrom([]int32{0, 0, 0, 7, -1}).Draw(t, "partition"),
			Broker:    rapid.SampledFrom([]int32{0, 0, 1, 2, 3, 9}).Draw(t, "broker"),
		},
		Target:   rapid.SampledFrom([]int64{None, None, 0, 5, 1085, f.log.leo, f.log.leo + 1, 1 << 60}).Draw(t, "target"),
		TargetMs: rapid.SampledFrom([]int64{None, None, engine.Epoch, engine.Epoch + 5, 1 << 60}).Draw(t, "time"),
		At:       rapid.SampledFrom([]string{"", "isr.hw", "isr.isr", "isr.leo", "isr.broker-3", "ledger", "matrix.all-1", "cleaner.ratio", "cleaner.dirty", "cleaner.verdicts", "cleaner.map", "retention.goes", "retention.age", "log", "index", "index.entry", "log.segment-1000", "log.segment-x", "sequence", "..-"}).Draw(t, "at"),
		Revealed: rapid.Bool().Draw(t, "revealed"),
		Live:     rapid.Bool().Draw(t, "live"),
		Since:    trace.ID(rapid.IntRange(0, 20).Draw(t, "since")),
	}
}

// Whatever the cluster, the focus, the size and the keys: a panel draws inside
// its region only, on any terminal, and says something; its key bindings have
// help texts; text that is being typed can be left.
func TestPanelsFillTheirRegions(t *testing.T) {
	for _, name := range Names() {
		t.Run(name, func(outer *testing.T) {
			rapid.Check(outer, func(t *rapid.T) {
				f := anyFake(t)
				focus := anyFocus(t, f)
				m := Model{Reader: f, View: f.View(), Focus: focus}
				if rapid.Bool().Draw(t, "before") {
					m.Before = newFake(2).view
				}
				p, _ := ByName(name)
				w, h := rapid.IntRange(0, 130).Draw(t, "w"), rapid.IntRange(0, 50).Draw(t, "h")
				c := canvas.New(w+6, h+4)
				for range rapid.IntRange(1, 12).Draw(t, "keys") {
					c.Reset(w+6, h+4)
					c.Region().Fill(c.Region().Rect(), '@', theme.Text)
					r := c.Region().Sub(geom.Rect{X: 3, Y: 2, W: w, H: h})
					r.Clear()
					p.Draw(r, m)
					checkFrame(t, c, w, h)
					for _, b := range p.Keys(m) {
						if b.Help().Key == "" || b.Help().Desc == "" || len(b.Keys()) == 0 {
							t.Fatalf("a key without help: %+v", b)
						}
					}
					p.Cursor(m)
					p.Key(strike(rapid.SampledFrom(anyKeys).Draw(t, "key")), m)
				}
				kittest.EveryProfile(outer, c)
				if p.Typing() {
					if p.Key(strike("esc"), m); p.Typing() {
						t.Fatal("esc does not leave what is typed")
					}
				}
			})
		})
	}
}

func checkFrame(t *rapid.T, c *canvas.Canvas, w, h int) {
	lines := strings.Split(c.Text(), "\n")
	for y, line := range lines {
		cells := []rune(line)
		inside := y >= 2 && y < 2+h
		if string(cells[:3]) != "@@@" || string(cells[len(cells)-3:]) != "@@@" || !inside && strings.Trim(line, "@") != "" {
			t.Fatalf("drawn outside of %dx%d:\n%s", w, h, c.Text())
		}
	}
	if w >= 30 && h >= 8 && strings.TrimSpace(strings.Trim(lines[2], "@")) == "" {
		t.Fatalf("nothing in the first row of %dx%d:\n%s", w, h, c.Text())
	}
}

// A key that the panel does not show does nothing; one it shows is its own.
func TestKeysAreWhatKeysSay(t *testing.T) {
	f := newFake(235)
	f.story()
	for _, name := range Names() {
		for _, focus := range []Focus{NoFocus(), seek(1085), {Target: 1085, TargetMs: None, At: "index.entry"}} {
			m := f.model(focus)
			shown := map[string]bool{}
			for _, b := range made(t, name).Keys(m) {
				for _, k := range b.Keys() {
					shown[k] = true
				}
			}
			for _, k := range anyKeys {
				p := made(t, name)
				p.Draw(canvas.New(62, 28).Region(), m)
				if _, mine := p.Key(strike(k), m); mine != shown[k] {
					t.Errorf("%s, focus %q: key %s taken %v, shown %v", name, focus.At, k, mine, shown[k])
				}
			}
		}
	}
}

// A frame reads windows: ten times the log asks for no more batches.
func TestFramesDoNotGrowWithTheLog(t *testing.T) {
	for _, name := range Names() {
		asked := map[int]int{}
		for _, n := range []int{150, 1500} {
			f := newFake(n)
			m := f.model(NoFocus())
			p := made(t, name)
			press(p, m, "up", "up")
			f.asked = 0
			drawn(p, m, 62, 28)
			asked[n] = f.asked
		}
		if asked[1500] > asked[150] {
			t.Errorf("%s: %v batches asked for", name, asked)
		}
	}
}
