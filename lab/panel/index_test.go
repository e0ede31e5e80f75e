package panel

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kafkalab/engine"
	"kafkalab/engine/console"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/theme"
)

// asked is a focus whose prediction is open.
func asked(at string, target int64) Focus { return Focus{Target: target, TargetMs: None, At: at} }

// While a prediction is open, the panel shows what the step before established,
// and not what is asked for. The words are those of the lesson on seeks.
func TestIndexKeepsTheAnswer(t *testing.T) {
	f := newFake(235)
	const (
		floor = "floor of 1 085"
		lies  = "4 404"
		entry = "the floor of 85"
		start = "the scan starts at byte 4 404"
		hit   = "at byte 8 808"
		heads = "read 5 headers"
		whole = "1 080"
	)
	all := []string{floor, lies, entry, start, hit, heads, whole}
	for _, tt := range []struct {
		at   string
		show []string
	}{
		{"index", nil},
		{"log", nil},
		{"", nil},
		{"index.segment", []string{floor, lies}},
		{"index.entry", []string{floor, lies}},
		{"log.segment-1000", []string{floor, lies, entry, start}},
		{"index.scan", []string{floor, lies, entry, start}},
		{"sequence", []string{floor, lies, entry, hit, heads}},
	} {
		m := f.model(asked(tt.at, 1085))
		got := text(&Index{}, m, 62, 28)
		for _, what := range all {
			shown := false
			for _, s := range tt.show {
				shown = shown || s == what
			}
			if strings.Contains(got, what) != shown {
				t.Errorf("focus %q: %q shown %v\n%s", tt.at, what, !shown, got)
			}
		}
		p := &Index{}
		for _, k := range anyKeys {
			p.Key(strike(k), m)
		}
		if text(p, m, 62, 28) != got {
			t.Errorf("focus %q: keys reveal\n%s", tt.at, text(p, m, 62, 28))
		}
		if c := (&Index{}).Cursor(m); c.Offset != None {
			t.Errorf("focus %q: the cursor tells %d", tt.at, c.Offset)
		}
		if bytes := text(&Bytes{}, m, 62, 28); !strings.Contains(bytes, "predict first") {
			t.Errorf("focus %q: the bytes tell\n%s", tt.at, bytes)
		}
	}
}

// told is a focus whose prediction was made, and is shown beside what happened.
func told(at string, target int64) Focus {
	return Focus{Target: target, TargetMs: None, At: at, Revealed: true}
}

// What a step reveals is what it asked for, not what later steps ask for. The
// live page, the last stage and steps that light nothing of the log show all.
func TestIndexRevealsNoMoreThanWasAsked(t *testing.T) {
	f := newFake(235)
	live := told("index", 1085)
	live.Live = true
	stages := []string{"floor of 1 085", "the floor of 85", "read 5 headers", "1 080"}
	for _, tt := range []struct {
		focus Focus
		shown int // stages
		keys  bool
	}{
		{told("index", 1085), 1, false},
		{told("log", 1085), 1, false},
		{told("index.entry", 1085), 2, false},
		{told("index.segment", 1085), 2, false},
		{told("index.scan", 1085), 3, true},
		{told("log.segment-1000", 1085), 3, true},
		{told("index.lookup", 1085), 4, true},
		{told("sequence", 1085), 4, true},
		{told("", 1085), 4, true},
		{live, 4, true},
	} {
		m := f.model(tt.focus)
		got := text(&Index{}, m, 62, 28)
		for i, what := range stages {
			if strings.Contains(got, what) != (i < tt.shown) {
				t.Errorf("focus %q: %q shown %v\n%s", tt.focus.At, what, i >= tt.shown, got)
			}
		}
		if has := len((&Index{}).Keys(m)) > 0; has != tt.keys {
			t.Errorf("focus %q: keys %v", tt.focus.At, has)
		}
		// What lights up in the log is a batch or a segment, and told.
		seeks := tt.shown < 4 && !strings.HasPrefix(tt.focus.At, "log")
		if hidden := strings.Contains(text(&Bytes{}, m, 62, 28), "predict first"); hidden != seeks {
			t.Errorf("focus %q: the bytes hidden %v", tt.focus.At, hidden)
		}
	}
}

// A question about something else hides no index that nothing is looked up in.
func TestIndexBrowsesWhileSomethingElseIsAsked(t *testing.T) {
	m := newFake(235).model(Focus{Target: None, TargetMs: None, At: "isr.broker-3"})
	if len((&Index{}).Keys(m)) == 0 {
		t.Error("no keys")
	}
}

// The base offsets of the segments are told at every stage, and where a segment
// is lit, it is the floor only.
func TestIndexLightsTheFloorOnly(t *testing.T) {
	f := newFake(235)
	for at, want := range map[string]theme.Style{"index": theme.Label, "index.entry": theme.Focus} {
		c := drawn(&Index{}, f.model(asked(at, 1085)), 62, 28)
		x := strings.Index(strings.Split(c.Text(), "\n")[2], "1 000")
		x = len([]rune(strings.Split(c.Text(), "\n")[2][:x]))
		if got := c.StyleAt(x, 2); got != want {
			t.Errorf("focus %s: base 1 000 in %v, want %v", at, got, want)
		}
		if got := c.StyleAt(8, 2); got != theme.Label {
			t.Errorf("focus %s: base 0 in %v", at, got)
		}
	}
}

// Every lookup that is shown whole shows the engine's numbers.
func TestIndexShowsTheLookup(t *testing.T) {
	f := newFake(235)
	rapid.Check(t, func(t *rapid.T) {
		target := rapid.Int64Range(0, f.log.leo-1).Draw(t, "target")
		m := f.model(seek(target))
		r, _ := m.replica()
		l, ok := f.Lookup(r, target)
		if !ok || !l.Found {
			t.Fatal("no lookup")
		}
		got := text(&Index{}, m, 62, 28)
		for _, want := range []string{
			"target offset ", span(l.Base, l.Last), "read " + count(int64(len(l.Scanned)), "header"),
		} {
			if !strings.Contains(got, want) {
				t.Fatalf("no %q for %d in\n%s", want, target, got)
			}
		}
		named := strings.Contains(got, "the floor of "+cell.Thin(int64(l.Relative))) || strings.Contains(got, cell.Thin(int64(l.Relative))+", the floor")
		if l.HasEntry != named {
			t.Fatalf("entry %v of %d in\n%s", l.HasEntry, target, got)
		}
		if !l.HasEntry && l.Entries > 0 && !strings.Contains(got, "the scan starts at byte 0") {
			t.Fatalf("no entry for %d, and it does not say so:\n%s", target, got)
		}
	})
}

func TestIndexOutOfRange(t *testing.T) {
	f := newFake(235)
	f.log.start = 40
	f.sync()
	for target, where := range map[int64]string{39: "below the log start offset", 2351: "above the log end offset"} {
		got := text(&Index{}, f.model(seek(target)), 62, 28)
		for _, want := range []string{"OFFSET_OUT_OF_RANGE", where, "valid 40 – 2 350"} {
			if !strings.Contains(got, want) {
				t.Errorf("%d: no %q in\n%s", target, want, got)
			}
		}
	}
	if got := text(&Index{}, f.model(seek(2350)), 62, 28); !strings.Contains(got, "2 350 is the log end offset: a fetch waits here") {
		t.Errorf("the end of the log:\n%s", got)
	}
	if got := text(&Index{}, f.model(seek(2320)), 62, 28); !strings.Contains(got, "not below the high watermark 2 300") {
		t.Errorf("above the high watermark:\n%s", got)
	}
}

// target is the offset that a panel looks up.
func targetOf(p *Index, m Model) int64 {
	s := p.sight(m)
	return s.target
}

func TestIndexKeys(t *testing.T) {
	f := newFake(235)
	live := seek(1085)
	live.Live = true
	for _, tt := range []struct {
		name string
		from int64
		keys []string
		want int64
	}{
		{"one back", 1085, []string{"left"}, 1084},
		{"one on", 1085, []string{"right"}, 1086},
		{"next batch", 1085, []string{"down"}, 1090},
		{"start of the batch", 1085, []string{"up"}, 1080},
		{"batch before", 1080, []string{"up"}, 1070},
		{"across segments", 1000, []string{"up"}, 990},
		{"not below the start", 0, []string{"left", "up"}, 0},
		{"not above the end", 2350, []string{"right", "down"}, 2350},
		{"back into the log", 9999, []string{"left"}, 2350},
		{"typed", 1085, []string{"o", "4", "2", "enter"}, 42},
		{"typed with a correction", 1085, []string{"o", "4", "2", "backspace", "enter"}, 4},
		{"letters are not typed", 1085, []string{"o", "4", "x", "j", "enter"}, 4},
		{"left without enter", 1085, []string{"o", "4", "2", "esc"}, 1085},
		{"taken away", 1085, []string{"o", "enter"}, None},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &Index{}
			live.Target = tt.from
			m := f.model(live)
			press(p, m, tt.keys...)
			if got := targetOf(p, m); got != tt.want {
				t.Errorf("target %d, want %d", got, tt.want)
			}
			if p.Typing() {
				t.Error("still typing")
			}
		})
	}
}

// Enter on the live page is a command that the console understands.
func TestIndexFetchesFromHere(t *testing.T) {
	f := newFake(235)
	focus := seek(1085)
	if a := press(&Index{}, f.model(focus), "enter"); a != nil {
		t.Errorf("%v on a step's page", a)
	}
	focus.Live = true
	run, ok := press(&Index{}, f.model(focus), "right", "enter").(Run)
	if !ok || run.Line != "consume orders/0 from=1086 max=1" {
		t.Fatalf("%+v", run)
	}
	if errs := console.Check(run.Line); len(errs) > 0 {
		t.Errorf("%s: %v", run.Line, errs[0])
	}
}

// A change of the focus ends what the learner had chosen.
func TestIndexFollowsTheFocus(t *testing.T) {
	f := newFake(235)
	p := &Index{}
	press(p, f.model(seek(1085)), "right")
	if got := targetOf(p, f.model(seek(42))); got != 42 {
		t.Errorf("target %d after the focus moved to 42", got)
	}
}

func TestIndexBrowse(t *testing.T) {
	f := newFake(235)
	m := f.model(NoFocus())
	p := &Index{}
	if got := text(p, m, 62, 28); !strings.Contains(got, ".index   8 entries") {
		t.Errorf("the active segment's index:\n%s", got)
	}
	press(p, m, "left", "home", "down", "enter")
	if got := targetOf(p, m); got != 1089 {
		t.Errorf("target %d, want 1089: the second entry of segment 1000", got)
	}
	if got := text(&Index{}, newFake(3).model(NoFocus()), 62, 28); !strings.Contains(got, "No entry") {
		t.Errorf("an empty index:\n%s", got)
	}
	lit := NoFocus()
	lit.At = "index.segment-1000"
	if got := text(&Index{}, f.model(lit), 62, 28); !strings.Contains(got, "1000.index") {
		t.Errorf("the segment that the lesson lights:\n%s", got)
	}
}

func TestIndexByTime(t *testing.T) {
	f := newFake(235)
	m := f.model(NoFocus())
	p := &Index{}
	press(p, m, "T", "1", "0", ":", "0", "0", ".", "0", "0", "5", "enter")
	if s := p.sight(m); s.targetMs != engine.Epoch+600_005 {
		t.Errorf("10:00.005 is %d", s.targetMs-engine.Epoch)
	}
	got := text(p, m, 62, 28)
	for _, want := range []string{"target time 2026-01-01 00:10:00.005", "1000.timeindex", "found offset 1 024", "< target, the floor"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	press(p, m, "T", "1", ":", ":", "enter")
	if !p.Typing() || !strings.Contains(text(p, m, 62, 28), "m:ss, or in ms") {
		t.Errorf("1:: is taken for a time:\n%s", text(p, m, 62, 28))
	}
	press(p, m, "esc", "T", "1", "7", "6", "7", "2", "2", "5", "6", "0", "0", "0", "0", "7", "enter", "down", "left")
	if s := p.sight(m); s.targetMs != 1767225600007+1000-1 {
		t.Errorf("ms since the epoch: %d", s.targetMs)
	}
	press(p, m, "T", "9", "9", ":", "0", "0", ":", "0", "0", "enter")
	if got := text(p, m, 62, 28); !strings.Contains(got, "No segment has a timestamp as large") {
		t.Errorf("beyond all:\n%s", got)
	}
}
