package panel

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kafkalab/lab/kit/theme"
)

// anyLog is a log as compaction leaves it: batches of any span, with holes
// between them, and segments without a batch.
func anyLog(t *rapid.T) *fake {
	f := newFake(0)
	f.log.segments, f.log.batches = []int64{0}, nil
	at := int64(0)
	for range rapid.IntRange(0, 60).Draw(t, "batches") {
		if rapid.IntRange(0, 5).Draw(t, "roll") == 0 && at > f.log.segments[len(f.log.segments)-1] {
			f.log.segments = append(f.log.segments, at)
		}
		if rapid.IntRange(0, 4).Draw(t, "hole") == 0 {
			at += rapid.SampledFrom([]int64{1, 7, 100, 5000}).Draw(t, "gap")
		}
		n := rapid.Int64Range(1, 12).Draw(t, "records")
		f.log.batches = append(f.log.batches, fakeBatch{at, at + n - 1})
		at += n
	}
	f.log.leo, f.log.hw = at, at
	f.sync()
	return f
}

// Down from the first batch comes by every batch in order, up comes back the
// same way, and what is selected is always seen.
func TestLogMovesOverEveryBatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := anyLog(t)
		m := f.model(NoFocus())
		w, h := 62, rapid.IntRange(8, 30).Draw(t, "h")
		p := &Log{}
		press(p, m, "home")
		var way []Cursor
		var segs []int64
		for range len(f.log.batches) + 2*len(f.log.segments) + 2 {
			s := p.look(m)
			if len(way) == 0 || way[len(way)-1] != p.Cursor(m) || segs[len(segs)-1] != s.segs[s.at].Base {
				way, segs = append(way, p.Cursor(m)), append(segs, s.segs[s.at].Base)
			}
			if s.batch != None && h >= 12 && !strings.Contains(text(p, m, w, h), "▌") {
				t.Fatalf("batch %d is not seen in\n%s", s.batch, text(p, m, w, h))
			}
			press(p, m, "down")
		}
		var met []int64
		for _, c := range way {
			if c.Offset != None {
				met = append(met, c.Offset)
			}
		}
		if len(met) != len(f.log.batches) {
			t.Fatalf("came by %v of %v", met, f.log.batches)
		}
		for i, b := range f.log.batches {
			if met[i] != b.base {
				t.Fatalf("came by %v of %v", met, f.log.batches)
			}
		}
		for i := len(met) - 2; i >= 0; i-- {
			press(p, m, "up")
			for range f.log.segments { // empty segments are stops, too
				if p.Cursor(m).Offset == None {
					press(p, m, "up")
				}
			}
			if got := p.Cursor(m).Offset; got != met[i] {
				t.Fatalf("back at %d, want %d of %v", got, met[i], met)
			}
		}
	})
}

func TestLogFollowsTheEnd(t *testing.T) {
	f := newFake(120)
	p := &Log{}
	if got := p.Cursor(f.model(NoFocus())).Offset; got != 1190 {
		t.Errorf("selected %d, want the newest batch 1190", got)
	}
	press(p, f.model(NoFocus()), "up")
	more := newFake(130)
	if got := p.Cursor(more.model(NoFocus())).Offset; got != 1180 {
		t.Errorf("selected %d after an append, the learner had chosen 1180", got)
	}
	press(p, more.model(NoFocus()), "end")
	if got := p.Cursor(newFake(140).model(NoFocus())).Offset; got != 1390 {
		t.Errorf("selected %d, end follows the newest", got)
	}
}

func TestLogFocus(t *testing.T) {
	f := newFake(235)
	lit := NoFocus()
	lit.At = "log.segment-1000"
	got := text(&Log{}, f.model(lit), 62, 28)
	if !strings.Contains(got, "00000000000000001000.log   1 000 – 1 999") || !strings.Contains(got, "index entries 24") {
		t.Errorf("the lit segment:\n%s", got)
	}
	lit.Revealed = false
	if got := text(&Log{}, f.model(lit), 62, 28); !strings.Contains(got, "index entries ?") || strings.Contains(got, "24") {
		t.Errorf("what may be asked for:\n%s", got)
	}
	if got := (&Log{}).Cursor(f.model(seek(1085))).Offset; got != 1080 {
		t.Errorf("batch %d for the target 1085", got)
	}
}

// Below the high watermark is teal, above it amber, below the start faint.
func TestLogColours(t *testing.T) {
	f := newFake(100)
	f.log.start, f.log.hw = 250, 500
	f.sync()
	c := drawn(&Log{}, f.model(NoFocus()), 62, 28)
	var hues []theme.Style
	for x := range 62 {
		if h := c.StyleAt(x, 4).Hue(); h == theme.Teal || h == theme.Amber || h == theme.Faint {
			if len(hues) == 0 || hues[len(hues)-1] != h {
				hues = append(hues, h)
			}
		}
	}
	if len(hues) != 3 || hues[0] != theme.Faint || hues[1] != theme.Committed || hues[2] != theme.Open {
		t.Errorf("the strip is %v in\n%s", hues, c.Text())
	}
	for _, want := range []string{"start 250", "HW 500", "LEO 1 000", "not yet committed", "below the start"} {
		if !strings.Contains(c.Text(), want) {
			t.Errorf("no %q in\n%s", want, c.Text())
		}
	}
}

// What a step has changed is lit: new batches, and how far the end moved.
func TestLogLightsWhatIsNew(t *testing.T) {
	f := newFake(120)
	m := f.model(NoFocus())
	m.Before = newFake(118).view
	c := drawn(&Log{}, m, 62, 28)
	lines := strings.Split(c.Text(), "\n")
	if !strings.Contains(lines[0], "this step +20") {
		t.Errorf("header %q", lines[0])
	}
	bold := map[string]bool{}
	for y, line := range lines {
		for _, base := range []string{"1 170 – 1 179", "1 180 – 1 189", "1 190 – 1 199"} {
			if i := strings.Index(line, base); i >= 0 && i < 10 {
				bold[base] = c.StyleAt(4, y)&theme.Bold != 0
			}
		}
	}
	if len(bold) != 3 || bold["1 170 – 1 179"] || !bold["1 180 – 1 189"] || !bold["1 190 – 1 199"] {
		t.Errorf("lit %v in\n%s", bold, c.Text())
	}
}

func TestLogOfAReplicaThatIsDown(t *testing.T) {
	f := newFake(20)
	focus := NoFocus()
	focus.Replica.Topic, focus.Replica.Broker = "orders", 3
	if got := text(&Log{}, f.model(focus), 62, 28); !strings.Contains(got, "offline") || !strings.Contains(got, "broker-3 is not up") {
		t.Errorf("\n%s", got)
	}
	focus.Replica.Broker = 9
	if got := text(&Log{}, f.model(focus), 62, 28); !strings.Contains(got, "orders/0 has no replica on broker-9.") {
		t.Errorf("\n%s", got)
	}
}

// Behind a roll by hand the log is shown where its records are, but not while a
// prediction is open: they may be what it asks for.
func TestLogShowsTheNewestRecords(t *testing.T) {
	s := session(t, "cluster brokers=1\ntopic create orders partitions=1 replicas=1\n")
	empty := text(&Log{}, modelOf(s, NoFocus()), 62, 28)
	if !strings.Contains(empty, "The log is empty. The first record gets offset 0.") || strings.Contains(empty, "committed") {
		t.Errorf("\n%s", empty)
	}
	if _, err := s.Run("produce orders value=a\nproduce orders value=b\nroll orders/0"); err != nil {
		t.Fatal(err)
	}
	if got := text(&Log{}, modelOf(s, NoFocus()), 62, 28); !strings.Contains(got, "00000000000000000000.log   0 – 1") {
		t.Errorf("\n%s", got)
	}
	focus := NoFocus()
	focus.At = "log"
	if got := text(&Log{}, modelOf(s, focus.hidden()), 62, 28); !strings.Contains(got, "Segment 2 is empty. The next record gets offset 2") {
		t.Errorf("\n%s", got)
	}
}
