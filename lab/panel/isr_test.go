package panel

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kafkalab/engine"
	"kafkalab/engine/console"
	"kafkalab/engine/trace"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/kittest"
	"kafkalab/lab/kit/theme"
)

// behindLesson is a follower that has stopped fetching, and a produce that
// waits for it.
const behindLesson = `cluster brokers=3
topic create orders partitions=1 replicas=3 min.insync.replicas=2
produce orders value=a count=1002 batch=334
tick 19s
stall broker-3
produce orders value=b acks=1 count=4 batch=1
tick 21s
produce orders/0 value=c acks=all wait=false
tick 200ms
`

// behindFake is a view of the same, at a fixed moment.
func behindFake() *fake {
	f := newFake(0)
	f.log.leo, f.log.hw = 1007, 1002
	f.sync()
	f.view.Brokers[2].State = "stalled"
	p := &f.view.Topics[1].Partitions[0]
	p.ISR, p.LagLimitMs, p.NextCheckMs, p.MaximalISR = []int32{1, 2, 3}, 30_000, 3_750, []int32{1, 2, 3}
	p.Logs = []engine.ReplicaView{
		{Broker: 1, State: "leader", LEO: 1007, HW: 1002, BehindMs: -1, KnownLEO: 1007, InSync: true},
		{Broker: 2, State: "follower", LEO: 1007, HW: 1002, BehindMs: 210, KnownLEO: 1007, InSync: true},
		{Broker: 3, State: "follower", LEO: 1002, HW: 1002, BehindMs: 21_300, KnownLEO: 1002, InSync: true},
	}
	p.Waiting = []engine.WaitingView{{From: "app", Required: 1007, TimeoutMs: 29_800, Missing: []int32{3}}}
	f.emit(19_950, "broker-3", trace.FetcherStalled{Broker: 3})
	f.emit(41_020, "broker-1", trace.RecordsAppended{Partition: "orders/0", Base: 1006, Last: 1006, Count: 1, Epoch: 3})
	f.emit(41_020, "broker-1", trace.ProduceParked{Partition: "orders/0", Required: 1007, TimeoutMs: 30_000})
	f.emit(41_250, "broker-1", trace.FetchParked{Partition: "orders/0", Offset: 1007, Replica: 2, WaitMs: 500})
	return f
}

// liveFocus is the focus of the live page.
func liveFocus() Focus { f := NoFocus(); f.Live = true; return f }

func TestISRShowsWhoIsBehind(t *testing.T) {
	f := behindFake()
	got := text(&ISR{}, f.model(NoFocus()), 62, 28)
	for _, want := range []string{
		"orders/0   3 replicas   min.insync.replicas 2   ISR 1,2,3",
		"broker-1 leader", "broker-2 in sync", "broker-3 STALLED", "LEO 1 007", "LEO 1 002", "0.2 s", "21.3 s",
		"high watermark 1 002", "behind for 21.3 s of 30 s", "next check in 3.7 s",
		"acks=all  offset 1 006  needs broker-3", "29.8 s left",
		"broker-2  fetches from 1 007: has everything", "appends 1 record at 1 006, epoch 3", "stops fetching",
		"not yet committed", "not there",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// A follower over the limit is about to leave; one that left is red, and the
// ISR is told beside what it was.
func TestISRLights(t *testing.T) {
	f := behindFake()
	m := f.model(NoFocus())
	m.Before = behindFake().view
	p := &f.view.Topics[1].Partitions[0]
	p.ISR, p.HW, p.Logs[2].InSync = []int32{1, 2}, 1007, false
	m.View = f.view
	c := drawn(&ISR{}, m, 80, 28)
	for what, want := range map[string]theme.Style{
		"STALLED": theme.Lost | theme.Bold, "leader": theme.Leader, "in sync": theme.Follower, "was": theme.Label, "+5": theme.Focus | theme.Bold,
	} {
		if got := styleOf(t, c, what); got != want {
			t.Errorf("%s in %v, want %v\n%s", what, got, want, c.Text())
		}
	}
	if got := c.Text(); !strings.Contains(got, "was 1,2,3") || strings.Contains(got, "behind for") {
		t.Errorf("after the ISR shrank:\n%s", got)
	}
	p.ISR = []int32{1}
	m.View = f.view
	if got := styleOf(t, drawn(&ISR{}, m, 80, 28), "ISR"); got != theme.Label {
		t.Errorf("ISR in %v", got)
	}
}

// styleOf is the style of the first cell of a text.
func styleOf(t *testing.T, c *canvas.Canvas, what string) theme.Style {
	t.Helper()
	for y, line := range strings.Split(c.Text(), "\n") {
		if i := strings.Index(line, what); i >= 0 {
			return c.StyleAt(len([]rune(line[:i])), y)
		}
	}
	t.Fatalf("no %q in\n%s", what, c.Text())
	return 0
}

// The bars of all replicas have one scale: what is committed ends in the same
// column, above the mark.
func TestISRBarsAgree(t *testing.T) {
	for _, leo := range []int64{3, 20, 107, 1007, 5_000_000} {
		for _, lag := range []int64{0, 1, 5, 1000, 1 << 40} {
			f := behindFake()
			p := &f.view.Topics[1].Partitions[0]
			hw := max(0, leo-lag)
			p.LEO, p.HW = leo, hw
			for i := range p.Logs {
				p.Logs[i].LEO, p.Logs[i].HW = leo, hw
			}
			p.Logs[2].LEO = hw
			s := (&ISR{}).sight(f.model(NoFocus()))
			v := s.windowOf(20)
			at, end := v.cell(hw, 20), v.cell(leo, 20)
			if end != 20 || (hw < leo) != (at < 20) || (hw > v.from) != (at > 0) {
				t.Errorf("LEO %d, HW %d, window %v: cells %d and %d", leo, hw, v, at, end)
			}
			if leo <= 20 && v.from != 0 {
				t.Errorf("a short log from %d on", v.from)
			}
		}
	}
}

// What is asked for is not shown, wherever it stands.
func TestISRKeepsTheAnswer(t *testing.T) {
	f := behindFake()
	f.emit(41_260, "broker-1", trace.HighWatermarkMoved{Partition: "orders/0", From: 900, To: 1002})
	for at, hidden := range map[string]string{"isr.hw": "1 002\n", "isr.isr": "1,2,3", "isr.leo": "LEO 1 002"} {
		focus := Focus{Target: None, TargetMs: None, At: at}
		if got := text(&ISR{}, f.model(focus), 62, 28); strings.Contains(got, hidden) && at != "isr.hw" || at == "isr.hw" && strings.Contains(got, "high watermark 1 002") {
			t.Errorf("%s shows %q\n%s", at, hidden, got)
		}
		focus.Revealed = true
		if got := text(&ISR{}, f.model(focus), 62, 28); !strings.Contains(got, strings.TrimSpace(hidden)) {
			t.Errorf("%s, revealed, has no %q\n%s", at, hidden, got)
		}
	}
}

// Every key of the live page is a line that the console understands.
func TestISRKeysAreCommands(t *testing.T) {
	f := behindFake()
	down := behindFake()
	down.view.Brokers[1].State = "killed"
	for _, tt := range []struct {
		f    *fake
		keys []string
		want string
	}{
		{f, []string{"p"}, "produce orders/0 value=hello acks=all wait=false"},
		{f, []string{"a", "p"}, "produce orders/0 value=hello acks=1"},
		{f, []string{"a", "a", "p"}, "produce orders/0 value=hello acks=0"},
		{f, []string{"1"}, "stall broker-1"},
		{f, []string{"3"}, "resume broker-3"},
		{f, []string{"x"}, "kill broker-1"},
		{f, []string{"down", "x"}, "kill broker-2"},
		{f, []string{"down", "down", "down", "X"}, "crash broker-3"},
		{down, []string{"down", "r"}, "restart broker-2"},
		{f, []string{"t"}, "tick 1s"},
		{f, []string{"T"}, "tick 10s"},
		{f, []string{"n"}, "step"},
		{down, []string{"2"}, ""},
		{f, []string{"r"}, ""},
	} {
		p := &ISR{}
		m := tt.f.model(liveFocus())
		run, _ := press(p, m, tt.keys...).(Run)
		if run.Line != tt.want {
			t.Errorf("%v: %q, want %q", tt.keys, run.Line, tt.want)
		}
		if tt.want == "" {
			continue
		}
		if errs := console.Check(run.Line); len(errs) > 0 {
			t.Errorf("%s: %v", run.Line, errs[0])
		}
		m = tt.f.model(NoFocus())
		if a := press(&ISR{}, m, tt.keys...); a != nil {
			t.Errorf("%v on a step's page: %v", tt.keys, a)
		}
	}
}

// The panel of a real cluster tells the numbers that its paths tell, and its
// keys bring about what they say.
func TestISROfARealCluster(t *testing.T) {
	s := session(t, behindLesson)
	p := &ISR{}
	view := func() (Model, string) {
		m := modelOf(s, liveFocus())
		return m, text(p, m, 62, 28)
	}
	do := func(keys ...string) {
		t.Helper()
		for _, k := range keys {
			m, _ := view()
			if run, ok := press(p, m, k).(Run); ok {
				if out, err := s.Exec(run.Line); err != nil {
					t.Fatal(run.Line, err, out)
				}
			}
		}
	}
	_, got := view()
	for _, want := range []string{
		"ISR " + said(t, s, "orders/0.isr"), "LEO " + said(t, s, "orders/0.leo"), "high watermark " + said(t, s, "orders/0.hw"),
		"behind for 21.", "of 30 s", "waiting", "needs broker-3",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	do("T", "T")
	if m, got := view(); !slices.Equal(partitionOf(m.View, engineReplica()).ISR, []int32{1, 2}) || strings.Contains(got, "waiting") {
		t.Errorf("broker-3 is still waited for:\n%s", got)
	}
	do("3", "T")
	if _, got := view(); !strings.Contains(got, "ISR 1,2,3") || !strings.Contains(got, "broker-3 in sync") {
		t.Errorf("broker-3 does not come back:\n%s", got)
	}
	do("x", "T")
	if _, got := view(); !strings.Contains(got, "broker-1 KILLED") || !strings.Contains(got, "broker-2 leader") {
		t.Errorf("broker-1 was killed:\n%s", got)
	}
	do("r", "a", "p", "n", "t")
	if _, got := view(); !strings.Contains(got, "acks=1") {
		t.Errorf("a produce with acks=1:\n%s", got)
	}
}

func TestISRGoldens(t *testing.T) {
	f := behindFake()
	before := behindFake()
	b := &before.view.Topics[1].Partitions[0]
	b.LEO, b.Logs[0].LEO, b.Logs[1].LEO = 1006, 1006, 1006
	before.view.LastEvent = 1
	base := f.model(NoFocus())
	base.Before = before.view
	live := f.model(liveFocus())
	hidden := f.model(Focus{Target: None, TargetMs: None, At: "isr.hw"})
	for name, m := range map[string]Model{"isr": base, "isr-live": live, "isr-asked": hidden} {
		for _, size := range [][2]int{{52, 26}, {62, 28}, {80, 12}, {120, 50}} {
			full := fmt.Sprintf("%s-%dx%d", name, size[0], size[1])
			t.Run(full, func(t *testing.T) { kittest.Golden(t, full, drawn(&ISR{}, m, size[0], size[1])) })
		}
	}
}

// A broker that was killed stays selected when another one leads, so that the
// next key can start it again.
func TestISRStaysWithTheBrokerThatWasKilled(t *testing.T) {
	f := behindFake()
	p := &ISR{}
	press(p, f.model(liveFocus()), "x")
	f.view.Brokers[0].State = "killed"
	f.view.Topics[1].Partitions[0].Leader = 2
	if run, _ := press(p, f.model(liveFocus()), "r").(Run); run.Line != "restart broker-1" {
		t.Errorf("%q", run.Line)
	}
}

// A follower whose fetch is under way is not told to be behind.
func TestISRIsCalm(t *testing.T) {
	f := behindFake()
	f.view.Brokers[2].State = "running"
	f.view.Topics[1].Partitions[0].Logs[2].BehindMs = 300
	if got := text(&ISR{}, f.model(NoFocus()), 62, 28); strings.Contains(got, "behind for") {
		t.Errorf("0.3 s:\n%s", got)
	}
}

// A leader answers the fetch that a broker has left behind; that is no sign of
// life of it.
func TestISRTellsOfAFetchThatWasLeftBehind(t *testing.T) {
	s := session(t, "cluster brokers=3\ntopic create orders partitions=1 replicas=3\nproduce orders count=3\nkill broker-2\nproduce orders count=1 acks=1\n")
	got := text(&ISR{}, modelOf(s, liveFocus()), 90, 40)
	if !strings.Contains(got, "broker-1  answers a fetch of broker-2 that is down: ") {
		t.Errorf("\n%s", got)
	}
	down := strings.Index(got, "broker-2  is down (kill)")
	if down < 0 || strings.Contains(got[:down], "broker-2  fetches") {
		t.Errorf("a broker fetches after it was killed:\n%s", got)
	}
	if !strings.Contains(got[down:], "broker-2  fetches from") {
		t.Errorf("and did not before:\n%s", got)
	}
}

// What is sent for another partition is not news of this one.
func TestISRTellsOfItsPartitionAlone(t *testing.T) {
	s := session(t, "cluster brokers=3\ntopic create orders partitions=2 replicas=3\nproduce orders/1 count=3\n")
	focus := liveFocus()
	if got := text(&ISR{}, modelOf(s, focus), 90, 40); strings.Contains(got, "── Produce") {
		t.Errorf("orders/0 tells of orders/1:\n%s", got)
	}
	focus.Replica = replica{Topic: "orders", Partition: 1}
	if got := text(&ISR{}, modelOf(s, focus), 90, 40); !strings.Contains(got, "── Produce acks=all") || !strings.Contains(got, "── Produce answer") {
		t.Errorf("orders/1 does not tell of itself:\n%s", got)
	}
}
