package panel

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kafkalab/engine"
	"kafkalab/engine/console"
	"kafkalab/engine/kerror"
	"kafkalab/engine/trace"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/geom"
	"kafkalab/lab/kit/kittest"
	"kafkalab/lab/kit/theme"
)

// producerLesson is a producer with a small batch.size and a long linger.ms:
// one batch was full, one has lingered, one is lost and sent again, one fills.
// The second before is for the producer id: the first takes two questions.
const producerLesson = `cluster brokers=3
topic create orders partitions=2 replicas=3
producer p1 batch.size=300 linger.ms=20 retry.backoff.ms=500 request.timeout.ms=1000 delivery.timeout.ms=10000
tick 1s
produce orders/0 as=p1 value=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa count=12
produce orders/0 as=p1 value=b
producer p2 enable.idempotence=false acks=1 linger.ms=0
`

// producerSession is that lesson, run.
func producerSession(t testing.TB, more string) *console.Session {
	t.Helper()
	return session(t, producerLesson+more)
}

func producerText(s *console.Session, w, h int) string {
	return text(&Producer{}, modelOf(s, NoFocus()), w, h)
}

// The panel tells what the engine did: why each batch was closed, with which
// sequence, and what came of it.
func TestProducerOfARealCluster(t *testing.T) {
	s := producerSession(t, "")
	got := producerText(s, 100, 40)
	for _, want := range []string{
		"p1   producer id " + said(t, s, "producer:p1.id") + "   epoch " + said(t, s, "producer:p1.epoch"), "acked " + said(t, s, "producer:p1.acked"),
		"batch.size 300 B", "linger.ms 20", "no batch is open", "batch.size", "linger.ms", "acked at 12", "1 of 2 producers", "0 of 5",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// A batch fills until its linger is over, is in flight, is lost, waits for its
// back-off, and is sent again with the sequence that it had.
func TestProducerThroughABatchsLife(t *testing.T) {
	s := producerSession(t, "")
	do := func(lines ...string) string {
		t.Helper()
		for _, line := range lines {
			if _, err := s.Exec(line); err != nil {
				t.Fatal(line, err)
			}
		}
		return producerText(s, 120, 40)
	}
	leader := said(t, s, "orders/1.leader")
	check := func(got string, wants ...string) {
		t.Helper()
		for _, want := range wants {
			if !strings.Contains(got, want) {
				t.Errorf("no %q in\n%s", want, got)
			}
		}
	}
	check(do("produce orders/1 as=p1 value=c wait=false", "tick 5ms"), "orders/1", "1 record  ", "linger 15 ms")
	check(do("lose p1 broker-"+leader+" Produce", "tick 16ms"), "orders/1")
	seen := map[engine.ProducerHold]bool{}
	for range 300 {
		do("tick 50ms")
		for _, b := range waitingOf(&s.Cluster().ProducerViews()[0]) {
			seen[b.Waits] = true
			if b.Waits == "back-off" {
				check(producerText(s, 120, 40), "back-off ", "again: ", b.Error.String())
				if b.Sequence != 0 || b.Attempts == 0 || b.BackoffMs <= 0 || b.DeliveryMs <= 0 {
					t.Fatalf("%+v", b)
				}
			}
		}
	}
	if !seen["back-off"] {
		t.Errorf("no batch was held back: %v\n%s", seen, producerText(s, 120, 40))
	}
}

// producerFake is a producer with something of everything.
func producerFake() *fake {
	f := newFake(0)
	b := func(part int32, state string, records, bytes int) engine.ProducerBatch {
		out := engine.ProducerBatch{Topic: "orders", Partition: part, Records: records, Bytes: bytes, CreatedAt: 41_200, ClosedAt: 41_205, Sequence: -1, Base: -1, DeliveryMs: 119_950}
		switch state {
		case "filling":
			out.State, out.ClosedAt, out.LingerMs, out.Waits = "filling", -1, 3, "linger"
		case "waiting":
			out.State, out.Waits, out.BackoffMs, out.Sequence, out.Attempts, out.Error, out.Reason = "waiting", "back-off", 90, 14, 2, kerror.NotLeaderOrFollower, "full"
		case "in flight":
			out.State, out.Sequence, out.Attempts, out.Reason = "in flight", 10, 1, "linger"
		case "acked":
			out.State, out.Sequence, out.Attempts, out.Reason, out.Base = "acked", 0, 1, "full", 1000
		case "failed":
			out.State, out.Sequence, out.Attempts, out.Reason, out.Error = "failed", 7, 3, "count", kerror.NotEnoughReplicas
		}
		return out
	}
	fill, flying, wait := b(0, "filling", 3, 4120), b(0, "in flight", 4, 420), b(1, "waiting", 5, 16_120)
	wait.Event, flying.Event = 3, 2
	v := engine.ProducerView{Name: "p1"}
	v.Idempotent, v.ID, v.State, v.Acks, v.BatchSize, v.LingerMs, v.DeliveryMs, v.MaxInFlight = true, 1000, "ready", -1, 16_384, 5, 120_000, 5
	v.Stats.Acked, v.Stats.Failed, v.Stats.InFlight, v.Stats.LastError, v.Stats.LatencyMs = 7, 3, 1, kerror.NotEnoughReplicas, 4
	v.Queues = []engine.QueueView{
		{Topic: "orders", Partition: 0, Leader: 1, Next: 14, Filling: &fill},
		{Topic: "orders", Partition: 1, Leader: 2, Next: 19, Waiting: []engine.ProducerBatch{wait}, Count: 1, Records: 5},
	}
	v.Brokers = []engine.FlightView{
		{Broker: 1, Count: 1, Requests: []engine.RequestView{{Correlation: 12, SentMs: 3, LeftMs: 29_997, Batches: []engine.ProducerBatch{flying}}}}, {Broker: 2},
	}
	v.Unrouted = []engine.UnroutedView{{Topic: "payments", Records: 2, LeftMs: 59_000}}
	v.Closed = []engine.ProducerBatch{wait, flying, b(0, "failed", 3, 160), b(0, "acked", 7, 16_290)}
	app := engine.ProducerView{Name: "app"}
	app.Plain, app.ID, app.Epoch, app.Stats.Acked, app.Stats.LatencyMs = true, -1, -1, 1000, 2
	f.made = []engine.ProducerView{v, app}
	f.emit(41_205, "p1", trace.BatchClosed{Partition: "orders/0", Records: 4, Bytes: 420, Reason: "linger", AgeMs: 5})
	f.emit(41_205, "p1", trace.BatchSent{Partition: "orders/0", Leader: 1, Records: 4, Sequence: 10, Attempt: 1})
	f.emit(41_250, "p1", trace.BatchRetried{Partition: "orders/1", Error: "NOT_LEADER_OR_FOLLOWER", BackoffMs: 100})
	return f
}

func TestProducerGoldens(t *testing.T) {
	f := producerFake()
	base := f.model(NoFocus())
	base.Before = newFake(0).view
	base.Before.LastEvent = 2
	asked := f.model(Focus{Target: None, TargetMs: None, At: "producer.closed"})
	real := modelOf(producerSession(t, "produce orders/1 as=p1 value=c wait=false\ntick 5ms\n"), NoFocus())
	for name, m := range map[string]Model{"producer": base, "producer-asked": asked, "producer-cluster": real} {
		for _, size := range [][2]int{{52, 26}, {62, 28}, {80, 12}, {80, 28}, {120, 50}} {
			full := fmt.Sprintf("%s-%dx%d", name, size[0], size[1])
			t.Run(full, func(t *testing.T) { kittest.Golden(t, full, drawn(&Producer{}, m, size[0], size[1])) })
		}
	}
}

// What changed in the step is lit, what failed is red.
func TestProducerLights(t *testing.T) {
	m := producerFake().model(NoFocus())
	m.Before.LastEvent = 2
	c := drawn(&Producer{}, m, 100, 40)
	for what, want := range map[string]theme.Style{
		"NOT_ENOUGH": theme.Lost | theme.Bold, "orders/1": theme.Focus | theme.Bold, "orders/0": theme.Text, "acked at": theme.Committed,
		"back-off": theme.Waiting, "p1": theme.Consumer | theme.Bold,
	} {
		if got := styleOf(t, c, what); got != want {
			t.Errorf("%s in %v, want %v\n%s", what, got, want, c.Text())
		}
	}
}

// What is asked for is told nowhere, and told when it is revealed.
func TestProducerKeepsTheAnswer(t *testing.T) {
	f := producerFake()
	for at, hidden := range map[string][]string{
		"closed": {"linger.ms  ", "batch= of", "(linger)"}, "filling": {"3 records", "4 120"}, "waiting": {"back-off", "again"}, "flight": {"1 of 5", "#12"},
		"sequence": {"  14 ", "  10 ", "sequence 10"}, "counts": {"acked 7", "NOT_ENOUGH_REPLICAS  ", "acked at"},
	} {
		focus := Focus{Target: None, TargetMs: None, At: "producer." + at}
		got := text(&Producer{}, f.model(focus), 120, 50)
		focus.Revealed = true
		told := text(&Producer{}, f.model(focus), 120, 50)
		shown := 0
		for _, h := range hidden {
			if strings.Contains(got, h) {
				t.Errorf("%s shows %q\n%s", at, h, got)
			}
			if strings.Contains(told, h) {
				shown++
			}
		}
		if shown == 0 {
			t.Errorf("%s, revealed, has none of %q\n%s", at, hidden, told)
		}
	}
}

// Every key of the live page is a line that the console understands.
func TestProducerKeysAreCommands(t *testing.T) {
	f := producerFake()
	for _, tt := range []struct {
		keys []string
		want string
	}{
		{[]string{"p"}, "produce orders/0 value=hello wait=false as=p1"},
		{[]string{"right", "p"}, "produce orders/0 value=hello wait=false"},
		{[]string{"left", "left", "p"}, "produce orders/0 value=hello wait=false as=p1"},
		{[]string{"y"}, "retry p1"},
		{[]string{"right", "y"}, ""},
		{[]string{"t"}, "tick 1ms"},
		{[]string{"T"}, "tick 100ms"},
		{[]string{"n"}, "step"},
	} {
		run, _ := press(&Producer{}, f.model(liveFocus()), tt.keys...).(Run)
		if run.Line != tt.want {
			t.Errorf("%v: %q, want %q", tt.keys, run.Line, tt.want)
		}
		if tt.want == "" {
			continue
		}
		if errs := console.Check(run.Line); len(errs) > 0 {
			t.Errorf("%s: %v", run.Line, errs[0])
		}
		if a := press(&Producer{}, f.model(NoFocus()), tt.keys...); a != nil {
			t.Errorf("%v on a step's page: %v", tt.keys, a)
		}
	}
}

// The selection goes through all batches, and the cursor says which.
func TestProducerCursor(t *testing.T) {
	f := producerFake()
	p, m := &Producer{}, f.model(NoFocus())
	if c := p.Cursor(m); c.Offset != None || c.Node != "p1" || c.Event != 0 {
		t.Errorf("before any key: %+v", c)
	}
	for i, want := range []Cursor{{Offset: None}, {Offset: None, Event: 3}, {Offset: None, Event: 2}, {Offset: None, Event: 3}, {Offset: None, Event: 2}, {Offset: None}, {Offset: 1000}, {Offset: 1000}} {
		press(p, m, "down")
		if c := p.Cursor(m); c.Offset != want.Offset || c.Event != want.Event || c.Replica.Topic != "orders" {
			t.Errorf("%d: %+v, want %+v", i, c, want)
		}
		selected := false
		for y := range 40 {
			selected = selected || drawn(p, m, 62, 40).StyleAt(3, y)&theme.Selected != 0
		}
		if !selected {
			t.Errorf("%d: nothing is lit", i)
		}
	}
}

// Whatever a producer holds and at any size, it is drawn inside the region.
func TestProducerFillsItsRegion(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := producerFake()
		anyProducer(rt, &f.made[0])
		m := f.model(NoFocus())
		m.Focus.At = rapid.SampledFrom([]string{"", "producer.closed", "producer.flight", "producer.waiting", "producer.counts", "producer.app"}).Draw(rt, "at")
		m.Focus.Revealed = rapid.Bool().Draw(rt, "revealed")
		m.Focus.Live = rapid.Bool().Draw(rt, "live")
		p := &Producer{}
		w, h := rapid.IntRange(0, 130).Draw(rt, "w"), rapid.IntRange(0, 50).Draw(rt, "h")
		c := canvas.New(w+6, h+4)
		for range 4 {
			c.Reset(w+6, h+4)
			c.Region().Fill(c.Region().Rect(), '@', theme.Text)
			r := c.Region().Sub(geom.Rect{X: 3, Y: 2, W: w, H: h})
			r.Clear()
			p.Draw(r, m)
			checkFrame(rt, c, w, h)
			p.Key(strike(rapid.SampledFrom(anyKeys).Draw(rt, "key")), m)
			p.Cursor(m)
		}
		kittest.EveryProfile(t, c)
	})
}

func anyProducer(t *rapid.T, v *engine.ProducerView) {
	v.ID = rapid.SampledFrom([]int64{-1, 0, 1 << 40}).Draw(t, "id")
	v.Idempotent = rapid.Bool().Draw(t, "idempotent")
	v.MaxInFlight = rapid.SampledFrom([]int{1, 5, 21, 1 << 30}).Draw(t, "max in flight")
	v.BatchSize = rapid.SampledFrom([]int{0, 16_384, 1 << 30}).Draw(t, "batch.size")
	holds := []engine.ProducerHold{"", "linger", "back-off", "leader", "producer id", "in flight", "earlier batch", "turn"}
	for i := range v.Queues {
		q := &v.Queues[i]
		n := rapid.IntRange(0, 20).Draw(t, "waiting")
		for range n {
			b := v.Closed[rapid.IntRange(0, 3).Draw(t, "like")]
			b.Waits, b.BackoffMs = rapid.SampledFrom(holds).Draw(t, "waits"), rapid.Int64Range(0, 1<<40).Draw(t, "back-off")
			b.Topic = rapid.SampledFrom([]string{"orders", strings.Repeat("long", 60)}).Draw(t, "topic")
			q.Waiting = append(q.Waiting, b)
		}
		q.Count += n
		if rapid.Bool().Draw(t, "no filling") {
			q.Filling = nil
		}
	}
	v.Closed = v.Closed[:rapid.IntRange(0, 4).Draw(t, "closed")]
	v.Unrouted = v.Unrouted[:rapid.IntRange(0, 1).Draw(t, "unrouted")]
	v.Brokers = v.Brokers[:rapid.IntRange(0, 2).Draw(t, "brokers")]
}

// Keys that are shown are the panel's own, and no others.
func TestProducerKeysAreWhatKeysSay(t *testing.T) {
	f := producerFake()
	for _, m := range []Model{f.model(NoFocus()), f.model(liveFocus())} {
		shown := map[string]bool{}
		for _, b := range (&Producer{}).Keys(m) {
			for _, k := range b.Keys() {
				shown[k] = true
			}
		}
		for _, k := range anyKeys {
			if _, mine := (&Producer{}).Key(strike(k), m); mine != shown[k] {
				t.Errorf("live %v: key %s taken %v, shown %v", m.Focus.Live, k, mine, shown[k])
			}
		}
	}
}

func BenchmarkFramePanelProducer(b *testing.B) {
	m := modelOf(producerSession(b, "produce orders/0 as=p1 value=x count=50000 wait=false\n"), liveFocus())
	p := made(b, "producer")
	c := canvas.New(62, 28)
	b.ReportAllocs()
	for b.Loop() {
		c.Reset(62, 28)
		p.Draw(c.Region(), m)
	}
}
