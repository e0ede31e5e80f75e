package lab

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/spf13/afero"
	"github.com/twmb/franz-go/pkg/kgo"

	"kafkalab/engine"
	"kafkalab/engine/console"
	"kafkalab/engine/wire"
	"kafkalab/lab/kit/kittest"
	"kafkalab/lab/panel"
	"kafkalab/lab/screen"
)

// stillDoor is a door at which nobody comes, at a time that stands still.
type stillDoor struct {
	line    *engine.Timeline
	cluster *engine.Cluster
	inside  int
	closed  bool
	failing error
}

func (d *stillDoor) Addresses() []string {
	return []string{"127.0.0.1:9092", "127.0.0.1:9093"}
}
func (d *stillDoor) Connections() int   { return d.inside }
func (d *stillDoor) Today() bool        { return true }
func (d *stillDoor) Present() int64     { return d.cluster.Now() }
func (d *stillDoor) Moved() bool        { return d.line.Cluster() != d.cluster }
func (d *stillDoor) Wait() func()       { return func() {} }
func (d *stillDoor) Turn() (int, error) { return 0, d.failing }
func (d *stillDoor) CatchUp() error     { return nil }
func (d *stillDoor) HandOut() error     { return nil }
func (d *stillDoor) Close() error       { d.closed = true; return nil }

// doors are what a lab was opened with, the newest last.
type doors struct{ all []*stillDoor }

func (ds *doors) setting(o *Options) {
	o.Door = func(line *engine.Timeline) (screen.Door, error) {
		d := &stillDoor{line: line, cluster: line.Cluster()}
		ds.all = append(ds.all, d)
		return d, nil
	}
}

func (ds *doors) newest() *stillDoor { return ds.all[len(ds.all)-1] }

// What a page shows of its cluster being open, or why it is not.
func TestOpenScreens(t *testing.T) {
	visited := func(l *learner, ds *doors) { ds.newest().inside = 2 }
	for _, size := range [][2]int{{80, 24}, {100, 30}, {140, 40}} {
		for name, steps := range map[string]func(l *learner, ds *doors){
			"open-can":     func(l *learner, _ *doors) { sandbox(l) },
			"open-sandbox": func(l *learner, ds *doors) { sandbox(l); l.press("W"); visited(l, ds); l.press("b") },
			"open-past":    func(l *learner, _ *doors) { sandbox(l); l.press("W", "left") },
			"open-live":    func(l *learner, ds *doors) { toLive(l); l.press("W"); visited(l, ds); l.press("?", "esc") },
			"open-keys":    func(l *learner, _ *doors) { sandbox(l); l.press("W", "?") },
			"open-taken": func(l *learner, _ *doors) {
				l.app.env.Door = func(*engine.Timeline) (screen.Door, error) {
					return nil, errors.New("broker-1: listen tcp 127.0.0.1:9092: bind: address already in use")
				}
				sandbox(l)
				l.press("W")
			},
		} {
			name = fmt.Sprintf("%s-%dx%d", name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				ds := &doors{}
				l := open(t, size[0], size[1], ds.setting)
				steps(l, ds)
				l.text()
				kittest.Golden(t, name, l.app.canvas)
			})
		}
	}
}

// A cluster is open until the learner closes it, goes back in time, or goes
// elsewhere; one at a time.
func TestWhatCloses(t *testing.T) {
	for name, c := range map[string]struct {
		do    func(l *learner)
		shuts bool
		says  string
	}{
		"the key":          {func(l *learner) { l.press("W") }, true, "W  open to real clients"},
		"back in time":     {func(l *learner) { l.press("left") }, true, "Closed: clients are let in at the"},
		"a rewind":         {func(l *learner) { l.press(":").write("rewind 2").press("enter", "esc") }, true, "Closed: clients are let in at the"},
		"home":             {func(l *learner) { l.press("esc", "s") }, true, "Closed: you left the page."},
		"start over":       {func(l *learner) { l.press("R", "y") }, true, "How many brokers?"},
		"the end":          {func(l *learner) { l.press("q") }, true, ""},
		"a command":        {func(l *learner) { l.press(":").write("tick 1s").press("enter", "esc") }, false, "open "},
		"the console":      {func(l *learner) { l.press(":").write("produce orders").press("enter", "esc") }, false, "open "},
		"a look at things": {func(l *learner) { l.press("b", "b", "w", "esc", "?", "esc", "/", "esc") }, false, "open "},
		"a fork":           {func(l *learner) { l.press("f", "esc") }, false, "open "},
	} {
		t.Run(name, func(t *testing.T) {
			ds := &doors{}
			l := open(t, 100, 30, ds.setting)
			sandbox(l)
			l.press("W").sees("Open at 127.0.0.1:9092,9093", "kcat -b 127.0.0.1:9092 -L", "nobody is connected")
			c.do(l)
			if l.quit {
				l.app.base.Draw(l.app.canvas.Region())
			}
			if got := ds.newest().closed; got != c.shuts {
				t.Errorf("closed is %v", got)
			}
			l.sees(c.says)
			if c.shuts == (l.app.guests.visit != nil) {
				t.Errorf("the app has a visit: %v", l.app.guests.visit != nil)
			}
		})
	}
}

// The key is there in the present alone, and only where one can open.
func TestOpeningIsForThePresent(t *testing.T) {
	ds := &doors{}
	l := open(t, 100, 30, ds.setting)
	sandbox(l)
	l.press("left").misses("open to real clients").press("W")
	if len(ds.all) > 0 {
		t.Error("it was opened in the past")
	}
	l.press(".").sees("open to real clients")
	l = open(t, 100, 30)
	sandbox(l)
	l.misses("open to real clients").press("W").misses("Open at")
}

// While nothing is open, nothing waits; while something is, one thing does.
func TestWaitsOnlyWhileOpen(t *testing.T) {
	ds := &doors{}
	l := open(t, 100, 30, ds.setting)
	sandbox(l)
	step := func(msg tea.Msg) tea.Cmd { _, cmd := l.app.Update(msg); return cmd }
	if step(keyNamed("down")) != nil || step(keyNamed("b")) != nil {
		t.Error("a command without an open cluster")
	}
	if step(keyNamed("W")) == nil {
		t.Fatal("nobody waits for clients")
	}
	if step(keyNamed("b")) != nil {
		t.Error("two wait")
	}
	if step(knocked{l.app.guests.number}) == nil {
		t.Error("nobody waits any more")
	}
	if step(keyNamed("W")) != nil || step(knocked{l.app.guests.number}) != nil {
		t.Error("somebody waits for a cluster that is closed")
	}
	if step(keyNamed("W")) == nil {
		t.Error("nobody waits for the second opening")
	}
	if step(knocked{l.app.guests.number - 1}) != nil {
		t.Error("a knock at the first door starts a second wait at the second")
	}
}

// An engine that fails closes the cluster, and says so.
func TestAFailureCloses(t *testing.T) {
	ds := &doors{}
	l := open(t, 100, 30, ds.setting)
	sandbox(l)
	l.press("W")
	ds.newest().failing = errors.New("the disk of broker-2 is gone")
	l.send(knocked{l.app.guests.number})
	l.sees("the disk of broker-2 is gone").misses("Open at")
	if !ds.newest().closed {
		t.Error("clients are still let in")
	}
}

// realDoor opens on a free port, or on a given one.
func realDoor(port int) setting {
	return func(o *Options) {
		o.Panel = panel.ByName
		o.Door = func(line *engine.Timeline) (screen.Door, error) {
			d, err := wire.OpenDoor(line, wire.DoorOptions{Address: wire.Address{Host: "127.0.0.1", Port: port}, Edge: wire.DefaultOptions(), Clock: wire.SystemClock()})
			if err != nil {
				return nil, err
			}
			return d, nil
		}
	}
}

// host runs a lab by hand: what the app's commands wait for goes back into
// Update, as bubbletea does it.
type host struct {
	*learner
	cmd tea.Cmd
}

// strike gives the lab a key, and keeps what it then waits with.
func (h *host) strike(name string) {
	_, cmd := h.app.Update(keyNamed(name))
	if cmd != nil {
		h.cmd = cmd
	}
	h.look()
}

// while runs the lab until a program outside has ended.
func (h *host) while(program func() error) {
	h.t.Helper()
	result := make(chan error, 1)
	done := make(chan struct{})
	go func() {
		defer close(done)
		result <- program()
	}()
	for {
		select {
		case <-done:
			if err := <-result; err != nil {
				h.t.Fatal(err)
			}
			return
		default:
		}
		_, h.cmd = h.app.Update(h.cmd())
		h.look()
	}
}

// A real client comes into the sandbox: what it does is seen, can be gone back
// through, saved as a script and run from there.
func TestARealClientComes(t *testing.T) {
	h := &host{learner: open(t, 140, 40, realDoor(0))}
	sandbox(h.learner)
	h.strike("W")
	h.sees("Open at 127.0.0.1:")
	addr := h.app.guests.visit.Addresses()[0]
	h.while(func() error {
		cl, err := kgo.NewClient(kgo.SeedBrokers(addr), kgo.ClientID("guest"))
		if err != nil {
			return err
		}
		defer cl.Close()
		return cl.ProduceSync(context.Background(), &kgo.Record{Topic: "orders", Value: []byte("from outside")}).FirstErr()
	})
	h.strike("W")
	h.misses("Open at")
	h.sees("LEO 6")
	for range 20 {
		if h.press("b"); strings.Contains(h.text(), "what crossed the wire") {
			break
		}
	}
	h.sees("conn-", "Produce")
	h.press(":").write("save /guest.lab").press("enter", "esc")
	data, err := afero.ReadFile(h.fs, "/guest.lab")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"cluster brokers=2", "start=", "advertise 127.0.0.1:", "connect conn-1 broker-", "arrive conn-1 0012"} {
		if !strings.Contains(string(data), want) {
			t.Errorf("the script has no %q:\n%.600s", want, data)
		}
	}
	again := console.NewSession(console.Options{})
	if _, err := again.Run(string(data)); err != nil {
		t.Fatal(err)
	}
	if v, err := again.Eval("orders/0.leo"); err != nil || v.String() != "6" {
		t.Errorf("run again it has %v records, %v", v, err)
	}
	for strings.Contains(h.text(), "LEO 6") || !strings.Contains(h.text(), "past") {
		h.press("<")
	}
	h.press(".").misses("past")
}

// A port that somebody else has is told of, and nothing else happens.
func TestThePortIsTaken(t *testing.T) {
	other, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	_, digits, _ := net.SplitHostPort(other.Addr().String())
	port, _ := strconv.Atoi(digits)
	h := &host{learner: open(t, 100, 30, realDoor(port))}
	sandbox(h.learner)
	before := h.text()
	at, _, _ := strings.Cut(strings.Split(before, "\n")[0], "   t ")
	h.strike("W")
	h.sees("already in use", at, "open to real clients").misses("Open at")
	if h.cmd != nil || h.app.guests.visit != nil {
		t.Error("the lab waits for clients all the same")
	}
}

// The other pages of a lesson leave the cluster of its live page open, and a
// click does what the key does.
func TestOpenOnTheLivePage(t *testing.T) {
	ds := &doors{}
	l := open(t, 100, 30, ds.setting)
	toLive(l)
	click := func(words string) {
		t.Helper()
		for y, line := range strings.Split(l.text(), "\n") {
			if strings.Contains(line, words) {
				l.send(tea.MouseMsg{X: 5, Y: y, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
				return
			}
		}
		t.Fatalf("no %q:\n%s", words, l.text())
	}
	click("W  open to real clients")
	l.sees("Open at").press("tab").sees("check 1 of").press("tab", "tab")
	toLive(l)
	if l.sees("Open at"); ds.newest().closed {
		t.Error("it was closed by a look at another page")
	}
	click("W  close")
	if l.misses("Open at"); !ds.newest().closed {
		t.Error("a click does not close it")
	}
	l.press("W").sees("Open at").press("p", "R").misses("Open at")
	if len(ds.all) != 2 || !ds.newest().closed {
		t.Errorf("opened %d times, and a new cluster does not close the old one", len(ds.all))
	}
}
