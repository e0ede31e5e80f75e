package screen

import (
	"strings"
	"testing"

	"kafkalab/engine"
	"kafkalab/engine/client"
	"kafkalab/lab/kit/canvas"
)

// doorway is a door through which nobody comes, but what a test does.
type doorway struct {
	line    *engine.Timeline
	cluster *engine.Cluster
	addrs   []string
	arrives engine.Command // with the next turn
	calls   []string
}

func quietDoor(line *engine.Timeline) (Door, error) {
	return &doorway{line: line, cluster: line.Cluster(), addrs: []string{"127.0.0.1:9092", "127.0.0.1:9093", "127.0.0.1:9094"}}, nil
}

func (d *doorway) Addresses() []string { return d.addrs }
func (d *doorway) Connections() int    { return 0 }
func (d *doorway) Today() bool         { return false }
func (d *doorway) Present() int64      { return d.cluster.Now() + 5000 }
func (d *doorway) Moved() bool         { return d.line.Cluster() != d.cluster }
func (d *doorway) Wait() func()        { return func() {} }

func (d *doorway) Turn() (int, error) {
	if d.arrives == nil {
		return 0, nil
	}
	_, _, err := d.line.Do(d.arrives, "")
	d.arrives = nil
	return 1, err
}

func (d *doorway) CatchUp() error { d.calls = append(d.calls, "before"); return nil }
func (d *doorway) HandOut() error { d.calls = append(d.calls, "after"); return nil }
func (d *doorway) Close() error   { d.calls = append(d.calls, "close"); return nil }

// While a cluster is open, no key of a page hides one of a panel either.
func TestKeysWhileOpen(t *testing.T) {
	env, seen := realEnv(t, 100, 30), 0
	look := func(name string, s Screen, st *stage) {
		if _, opened := s.Commands().Perform(letterKey(visitKey)); !opened {
			t.Fatalf("%s: %s opens nothing", name, visitKey)
		}
		for at, p := range st.lenses {
			st.at = at
			p.Draw(canvas.New(60, 20).Region(), st.modelFor(p))
			checkKeys(t, name+" open, "+p.Name(), s.Commands(), st.panelKeys())
			seen++
		}
	}
	for _, l := range env.Course.Lessons() {
		if l.Live != nil {
			s := NewLesson(env, l, Live, 0)
			s.Enter()
			look(l.ID, s, s.page().stage())
		}
	}
	sandbox := NewSandbox(env)
	sandbox.world.shell.Run("topic create t replicas=3")
	look("sandbox", sandbox, sandbox.world.stage)
	if seen < 30 {
		t.Errorf("only %d panels of open clusters were looked at", seen)
	}
}

// openLive is the live page of a lesson, open to clients.
func openLive(t *testing.T, id string) (*Lesson, *livePage, *doorway) {
	t.Helper()
	env := realEnv(t, 100, 30)
	l, ok := env.Course.Lesson(id)
	if !ok {
		t.Fatalf("no lesson %s", id)
	}
	s := NewLesson(env, l, Live, 0)
	s.Enter()
	p := s.page().(*livePage)
	if acts := Press(s, letterKey(visitKey)); len(acts) != 1 || acts[0].(Visiting).Visit != p.visit {
		t.Fatalf("W gives %v", acts)
	}
	return s, p, p.visit.door.(*doorway)
}

// What a client does counts for the goal of the page, moves what is seen, and is
// a stop for the way back.
func TestAClientReachesTheGoal(t *testing.T) {
	_, p, d := openLive(t, "real-client")
	var acts []Action
	for range 20 {
		d.arrives = engine.Produce{Produce: client.Produce{Topic: "orders", Count: 1, Value: "x", Size: -1, Acks: -1, TimeoutMs: 30_000}}
		was := p.walk.stage.clock()
		if acts = p.visit.Turn(); len(acts) > 0 {
			break
		}
		if p.walk.stage.clock() == was {
			t.Fatal("the page shows the cluster of before")
		}
	}
	if len(acts) != 1 || !p.reached {
		t.Fatalf("no goal was reached: %v", acts)
	}
	if n := len(p.travel.stops); n < 2 {
		t.Errorf("%d stops for the way back", n)
	}
	if p.visit.Turn() != nil {
		t.Error("a turn without anything says something")
	}
}

// The clock of the page goes with the wall clock, and stands still when it is
// closed.
func TestClockOfAVisit(t *testing.T) {
	_, p, d := openLive(t, "isr-live")
	if got := p.status().String(); !strings.HasPrefix(got, "open   t ") || got == "open   "+clock(p.walk.stage.clock()).String() {
		t.Errorf("open, it shows %q", got)
	}
	p.walk.shell.Run("tick 1s")
	if len(d.calls) == 0 || d.calls[0] != "before" {
		t.Errorf("the learner's command: %v", d.calls)
	}
	p.visit.After()
	if d.calls[len(d.calls)-1] != "after" || !p.visit.Open() {
		t.Errorf("%v", d.calls)
	}
	p.begin() // start over
	if d.calls[len(d.calls)-1] != "close" || p.visit.Open() {
		t.Errorf("a new cluster, and the old one is open: %v", d.calls)
	}
	if got := p.status().String(); strings.Contains(got, "open") {
		t.Errorf("closed, it shows %q", got)
	}
}

func TestPorts(t *testing.T) {
	for want, addrs := range map[string][]string{
		"127.0.0.1:9092":                 {"127.0.0.1:9092"},
		"127.0.0.1:9092,9093":            {"127.0.0.1:9092", "127.0.0.1:9093"},
		"127.0.0.1:9092-9094":            {"127.0.0.1:9092", "127.0.0.1:9093", "127.0.0.1:9094"},
		"127.0.0.1:9092,9094,9095":       {"127.0.0.1:9092", "127.0.0.1:9094", "127.0.0.1:9095"},
		"[::1]:4-6":                      {"[::1]:4", "[::1]:5", "[::1]:6"},
		"127.0.0.1:9092, 127.0.0.2:9092": {"127.0.0.1:9092", "127.0.0.2:9092"},
	} {
		if got := ports(addrs); got != want {
			t.Errorf("%v: %q, want %q", addrs, got, want)
		}
	}
}

func TestJoinTicks(t *testing.T) {
	got := joinTicks([]string{"tick 3ms", "tick 4ms", "connect a broker-1", "tick 1ms", "tick 1s", "tick 2ms", "tick 3ms"})
	if s := strings.Join(got, "|"); s != "tick 7ms|connect a broker-1|tick 1ms|tick 1s|tick 5ms" {
		t.Error(s)
	}
}

func TestSpoken(t *testing.T) {
	long := strings.Repeat("00", 40)
	for command, want := range map[string]string{
		"arrive conn-1 " + long:      "arrive conn-1 0000000000000000… (40 B)",
		"arrive conn-1 0012":         "arrive conn-1 0012",
		"produce t value=" + long:    "produce t value=" + long,
		"arrive " + long:             "arrive " + long,
		"settle":                     "settle",
		"note arrive conn-1 " + long: "note arrive conn-1 " + long,
	} {
		if got := Spoken(command); got != want {
			t.Errorf("%s: %s", command, got)
		}
	}
}
