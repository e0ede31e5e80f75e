package panel

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kafkalab/engine"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/kittest"
	"kafkalab/lab/kit/theme"
)

// anyChores puts what a cleaner and retention may see into a fake.
func anyChores(t *rapid.T, f *fake) {
	if rapid.Bool().Draw(t, "plain chores") {
		return
	}
	v, ok := f.CleanerView("orders", 0, 1)
	if !ok {
		return
	}
	v.FirstDirty = rapid.Int64Range(0, f.log.leo).Draw(t, "dirty")
	v.FirstUncleanable = rapid.Int64Range(v.FirstDirty, f.log.leo).Draw(t, "uncleanable")
	v.Ratio = rapid.SampledFrom([]float64{0, 0.5, 0.501, 1}).Draw(t, "ratio")
	v.Refusal = rapid.SampledFrom([]string{"", "policy", "ratio"}).Draw(t, "refusal")
	v.Policy = rapid.SampledFrom([]string{"compact", "delete", "compact,delete", "empty"}).Draw(t, "policy")
	v.NextWakingMs = rapid.SampledFrom([]int64{-1, 0, 42_000, 1 << 50}).Draw(t, "waking")
	v.NextCheckMs = rapid.SampledFrom([]int64{-1, 0, 42_000, 1 << 50}).Draw(t, "check")
	v.RetentionMs = rapid.SampledFrom([]int64{-1, 0, 1, 604_800_000, 1 << 60}).Draw(t, "retention")
	v.RetentionB = rapid.SampledFrom([]int64{-1, 0, 1000, 1 << 60}).Draw(t, "bytes")
	for i := range v.Segments {
		s := &v.Segments[i]
		s.HasAge, s.OverMs = v.RetentionMs >= 0, rapid.SampledFrom([]int64{-1 << 59, -5, 0, 5, 1 << 50}).Draw(t, "over")
		s.Goes = rapid.SampledFrom([]string{"", "retention.ms", "log start offset"}).Draw(t, "goes")
		s.Held = rapid.SampledFrom([]string{"", "high watermark", "segment before it"}).Draw(t, "held")
	}
	if rapid.Bool().Draw(t, "pass") {
		passed(&v, passVerdict{0, "k\x1b[31m", false, true, whyNewest}, passVerdict{1, "", true, false, whyOlder}, passVerdict{2, strings.Repeat("long", 40), false, true, whyTombstone})
		v.Horizons = []engine.Horizon{{Base: 0, Last: 3, AtMs: 0}, {Base: 9, Last: 9, AtMs: 1 << 50}}
	}
	for i := range rapid.IntRange(0, 20).Draw(t, "files") {
		v.Doomed = append(v.Doomed, engine.DoomedFile{Path: fmt.Sprintf("/d/orders-0/%020d.log.deleted", i), AtMs: int64(i) * 50_000})
	}
	f.clean = &v
}

// passed gives a view a newest pass with some verdicts, and a map of the kept.
func passed(v *engine.CleanerView, list ...passVerdict) {
	v.Passes, v.LastPass.Number, v.LastPass.AtMs = 1, 1, 41_000
	v.LastPass.Verdicts = slices.Grow(v.LastPass.Verdicts[:0], len(list))[:len(list)]
	kept := 0
	for i, x := range list {
		to := &v.LastPass.Verdicts[i]
		to.Offset, to.Key, to.Null, to.Kept, to.Why = x.Offset, x.Key, x.Null, x.Kept, x.Why
		if x.Kept {
			v.LastPass.Map = slices.Grow(v.LastPass.Map, 1)[:kept+1]
			v.LastPass.Map[kept].Key, v.LastPass.Map[kept].Offset = x.Key, x.Offset
			kept++
		}
	}
	v.LastPass.Stats.Read, v.LastPass.Stats.Kept, v.LastPass.Stats.MapSize = int64(len(list)), int64(kept), kept
	v.LastPass.Stats.BytesBefore, v.LastPass.Stats.BytesAfter, v.LastPass.Stats.EndOffset = 496, 286, 7
}

// cleaned is a log after a pass: two closed segments, of which the first is
// clean, and the active one.
func cleaned() *fake {
	f := newFake(235)
	v, _ := f.CleanerView("orders", 0, 1)
	v.Segments = []engine.CleanerSegment{{Base: 0, Next: 7, Bytes: 286, Clean: true}, {Base: 7, Next: 9, Bytes: 142}, {Base: 9, Next: 10, Bytes: 71, Active: true}}
	v.FirstDirty, v.FirstUncleanable, v.CleanBytes, v.CleanableBytes, v.Ratio, v.Why = 7, 9, 286, 142, 0.33, "ratio 0.33 below 0.5"
	v.NextWakingMs = 56_200
	passed(&v, passVerdict{0, "k1", false, false, whyOlder}, passVerdict{1, "k2", false, false, whyOlder}, passVerdict{2, "k3", false, false, whyOlder},
		passVerdict{3, "k1", false, true, whyNewest}, passVerdict{4, "k4", false, true, whyNewest}, passVerdict{5, "k3", false, true, whyTombstone},
		passVerdict{6, "k2", false, true, whyNewest})
	v.Horizons = []engine.Horizon{{Base: 5, Last: 5, AtMs: 41_000 + 86_400_000}, {Base: 0, Last: 0, AtMs: 12}}
	f.clean = &v
	return f
}

// aged is a log with something of everything that retention decides.
func aged() *fake {
	f := newFake(235)
	v, _ := f.CleanerView("orders", 0, 1)
	v.Policy, v.Refusal, v.Why, v.RetentionMs, v.RetentionB, v.NextCheckMs, v.DeleteDelayMs, v.Start = "delete", "policy", "cleanup.policy is delete", 3_600_000, 400, 300_000, 60_000, 3
	v.Segments = []engine.CleanerSegment{
		{Base: 3, Next: 4, Bytes: 170, LargestMs: engine.Epoch, HasAge: true, OverMs: -240_000, Goes: "retention.bytes"},
		{Base: 4, Next: 6, Bytes: 170, LargestMs: engine.Epoch + 60_000, HasAge: true, OverMs: -180_000},
		{Base: 6, Next: 7, Bytes: 170, LargestMs: engine.Epoch - 9_000_000, HasAge: true, OverMs: 8_000_000, Held: "segment before it"},
		{Base: 7, Next: 8, Bytes: 170, LargestMs: engine.Epoch + 61_000, HasAge: true, OverMs: -60_000, Active: true},
	}
	v.Bytes = 680
	v.Doomed = []engine.DoomedFile{
		{Path: "/data/orders-0/00000000000000000000.log.deleted", AtMs: 71_250}, {Path: "/data/orders-0/00000000000000000000.index.deleted", AtMs: 71_250},
	}
	f.clean = &v
	return f
}

func TestChoreGoldens(t *testing.T) {
	for _, tt := range []struct {
		name, panel string
		f           *fake
		focus       Focus
		keys        []string
	}{
		{"cleaner", "cleaner", cleaned(), liveFocus(), []string{"down", "down", "down"}},
		{"cleaner-asked-dirty", "cleaner", cleaned(), asked("cleaner.dirty", None), nil},
		{"cleaner-asked-verdicts", "cleaner", cleaned(), asked("cleaner.verdicts", None), nil},
		{"cleaner-policy", "cleaner", aged(), NoFocus(), nil},
		{"retention", "retention", aged(), liveFocus(), []string{"down", "down"}},
		{"retention-asked-goes", "retention", aged(), asked("retention.goes", None), nil},
	} {
		for _, size := range [][2]int{{52, 26}, {62, 28}, {120, 50}} {
			name := fmt.Sprintf("%s-%dx%d", tt.name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				m, p := tt.f.model(tt.focus), made(t, tt.panel)
				press(p, m, tt.keys...)
				kittest.Golden(t, name, drawn(p, m, size[0], size[1]))
			})
		}
	}
}

// hidden is a focus while its question is open.
func (f Focus) hidden() Focus {
	f.Revealed = false
	return f
}

// While something is asked for, nothing on the panel tells it.
func TestChoresTellNoAnswer(t *testing.T) {
	for _, tt := range []struct {
		panel, at string
		f         *fake
		never     []string
	}{
		{"cleaner", "cleaner.ratio", cleaned(), []string{"0.33", "142 B   clean", "no pass now"}},
		{"cleaner", "cleaner.why", cleaned(), []string{"no pass now", "would be made", "in 14.9 s"}},
		{"cleaner", "cleaner.dirty", cleaned(), []string{"first dirty 7", "uncleanable 9", "0.33", "█████ "}},
		{"cleaner", "cleaner.map", cleaned(), []string{"k1 → 3"}},
		{"cleaner", "cleaner.verdicts", cleaned(), []string{"older value", "newest of its key", "4 of 7", "286 B\n"}},
		{"cleaner", "cleaner.horizons", cleaned(), []string{"kept for", "is over"}},
		{"retention", "retention.goes", aged(), []string{"now: ", "shielded  ", "in 4 min"}},
		{"retention", "retention.age", aged(), []string{"0.9 h", "3.2 h", "2026-01-01 00:0"}},
		{"retention", "retention.size", aged(), []string{"680 B", "now: "}},
		{"retention", "retention.start", aged(), []string{"log start 3"}},
		{"retention", "retention.files", aged(), []string{".deleted"}},
	} {
		focus := NoFocus()
		focus.At = tt.at
		open := text(made(t, tt.panel), tt.f.model(focus.hidden()), 100, 40)
		for _, never := range tt.never {
			if strings.Contains(open, never) {
				t.Errorf("%s is asked, and %q told:\n%s", tt.at, never, open)
			}
		}
		if !strings.Contains(open, "?") {
			t.Errorf("%s: nothing is asked", tt.at)
		}
		if told := text(made(t, tt.panel), tt.f.model(focus), 100, 40); strings.Contains(told, "?") {
			t.Errorf("%s: asked after it was told", tt.at)
		}
	}
}

// The keys are lines for the console, and each tells what it acts on.
func TestChoreKeys(t *testing.T) {
	for _, tt := range []struct {
		panel string
		f     *fake
		keys  []string
		want  Action
	}{
		{"cleaner", cleaned(), []string{"C"}, Run{"compact orders/0"}},
		{"cleaner", cleaned(), []string{"O"}, Run{"roll orders/0"}},
		{"cleaner", cleaned(), []string{"T"}, Run{"tick 14950ms"}},
		{"cleaner", cleaned(), []string{"down", "o"}, Lens{"bytes"}},
		{"retention", aged(), []string{"K"}, Run{"retain orders/0"}},
		{"retention", aged(), []string{"D"}, nil},
		{"retention", aged(), []string{"down", "down", "D"}, Run{"truncate orders/0 before=6"}},
		{"retention", aged(), []string{"T"}, Run{"tick 258750ms"}},
	} {
		p := made(t, tt.panel)
		if got := press(p, tt.f.model(liveFocus()), tt.keys...); got != tt.want {
			t.Errorf("%s, %v: %v, want %v", tt.panel, tt.keys, got, tt.want)
		}
		if got := press(made(t, tt.panel), tt.f.model(NoFocus()), tt.keys...); got != tt.want && got != nil {
			t.Errorf("%s, %v acts where the learner does not: %v", tt.panel, tt.keys, got)
		}
	}
}

// Each replica is cleaned by its own broker; one whose broker is down has
// nothing to show.
func TestChoresGoThroughTheReplicas(t *testing.T) {
	for _, name := range []string{"cleaner", "retention"} {
		m, p := cleaned().model(NoFocus()), made(t, name)
		if got := text(p, m, 62, 28); !strings.Contains(got, "orders/0 on broker-1") {
			t.Errorf("\n%s", got)
		}
		press(p, m, "right")
		if got := text(p, m, 62, 28); !strings.Contains(got, "orders/0 on broker-2") || p.Cursor(m).Replica.Broker != 2 {
			t.Errorf("\n%s", got)
		}
		press(p, m, "right")
		if got := text(p, m, 62, 28); !strings.Contains(got, "broker-3 is not up") {
			t.Errorf("\n%s", got)
		}
	}
}

// The log is looked at once as long as nothing happens, however long a key is
// held down.
func TestChoresLookOnce(t *testing.T) {
	f := cleaned()
	p := &Cleaner{}
	f.looks = 0
	for range 50 {
		press(p, f.model(liveFocus()), "down")
		drawn(p, f.model(liveFocus()), 62, 28)
	}
	if f.looks != 1 {
		t.Errorf("looked %d times", f.looks)
	}
	f.view.TimeMs++
	drawn(p, f.model(liveFocus()), 62, 28)
	if f.looks != 2 {
		t.Errorf("looked %d times after something happened", f.looks)
	}
}

// Without colours, each sign of the regions and of the verdicts is another one;
// in ASCII too.
func TestChoresWithoutColour(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		painter := kittest.Painter(t, "none", theme.Dark, theme.Plain, ascii)
		c := canvas.New(100, 30)
		(&Cleaner{}).Draw(c.Region(), cleaned().model(NoFocus()))
		got := c.Render(painter)
		for _, want := range map[bool][]string{
			false: {"███", "▓▓▓", "░░░", "· 0  k1", "█ 3  k1", "† 5  k3"},
			true:  {"###", "%%%", "...", ". 0  k1", "# 3  k1", "t 5  k3"},
		}[ascii] {
			if !strings.Contains(got, want) {
				t.Errorf("no %q in\n%s", want, got)
			}
		}
		if strings.Contains(got, "\x1b[3") {
			t.Errorf("a colour:\n%q", got)
		}
	}
}

// The panels of a real cluster tell what the paths of scripts tell.
func TestChoresOfARealCluster(t *testing.T) {
	s := session(t, `cluster brokers=1
topic create orders partitions=1 replicas=1 cleanup.policy=compact
produce orders key=k1 value=a
produce orders key=k2 value=b
produce orders key=k1 value=c
produce orders key=k2 tombstone
roll orders/0
compact orders/0
produce orders key=k1 value=d
roll orders/0
`)
	m := modelOf(s, liveFocus())
	got := text(&Cleaner{}, m, 100, 40)
	for _, want := range []string{
		"first dirty " + said(t, s, "orders/0@1.first_dirty"), "2 of 4 records kept", "k1 → 2", "k2 → 3", "kept for 24 h", "a tombstone, kept until its delete horizon",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	outs, err := s.Run("topic create aged partitions=1 replicas=1 retention.ms=1h\nproduce aged value=a\nroll aged/0\nproduce aged value=b\ntruncate aged/0 before=1\nretain aged\nshow retention aged/0\nshow cleaner orders/0")
	if err != nil {
		t.Fatal(err)
	}
	if shown := strings.Join(outs[len(outs)-1].Text, "\n"); !strings.Contains(shown, "map k1 = ") || !strings.Contains(shown, "kept: newest of its key") {
		t.Errorf("%s", shown)
	}
	focus := liveFocus()
	focus.Replica = replica{Topic: "aged"}
	got = text(&Retention{}, modelOf(s, focus), 100, 40)
	for _, want := range []string{"log start " + said(t, s, "aged/0.start"), "retention.ms 1 h", "00000000000000000000.log.deleted", "in 60 s", "in 1 h, active"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// A command of the cleaner's that does nothing is told of with its reason, though
// no event tells it; what the pass before it has made is told to be older.
func TestChoresTellWhatIsInVain(t *testing.T) {
	s := session(t, `cluster brokers=1 log.cleaner.backoff.ms=60d
topic create orders partitions=2 replicas=1 cleanup.policy=compact
topic create orders2 partitions=1 replicas=1 cleanup.policy=compact
produce orders/0 key=k1 value=a
produce orders/0 key=k1 value=b
roll orders/0
produce orders/0 key=k1 value=c
compact orders/0
compact orders/1
compact orders2
tick 2s
compact orders/0
`)
	got := text(&Cleaner{}, modelOf(s, liveFocus()), 100, 40)
	for _, want := range []string{
		"› compact orders/0   no pass: active", "pass 1   2 s ago", "newest of its key below 2; 2 is newer, not looked at",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	for _, never := range []string{"orders/1", "orders2"} {
		if strings.Contains(got, never) {
			t.Errorf("%q, which is another log's, in\n%s", never, got)
		}
	}
	focus := liveFocus()
	focus.At, focus.Revealed = "cleaner.why", false
	if hidden := text(&Cleaner{}, modelOf(s, focus), 100, 40); strings.Contains(hidden, "no pass") {
		t.Errorf("told while it is asked for:\n%s", hidden)
	}
}

// Where the cleaner's period is far from Kafka's, the default stands beside it.
func TestCleanerTellsTheDefaultPeriod(t *testing.T) {
	f := cleaned()
	for d, want := range map[int64]bool{15_000: false, 60 * day: true} {
		f.clean.NextWakingMs = f.clean.TimeMs + d
		if got := text(&Cleaner{}, f.model(liveFocus()), 100, 40); strings.Contains(got, "15 s by default") != want {
			t.Errorf("next waking in %s:\n%s", long(d), got)
		}
	}
}
