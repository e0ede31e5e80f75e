package panel

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kafkalab/engine/trace"
	"kafkalab/lab/kit/theme"
)

// listOf is the lines of a panel that show an event, as drawn.
func listOf(p Panel, m Model, w, h int) string {
	var list []string
	for _, line := range strings.Split(text(p, m, w, h), "\n") {
		if strings.Contains(line, "deletes topic note ") {
			list = append(list, line)
		}
	}
	return strings.Join(list, "\n")
}

func notes(f *fake, n int) {
	for range n {
		f.emit(int64(1000+len(f.events)), fmt.Sprintf("broker-%d", 1+len(f.events)%3), trace.TopicDeleted{Topic: fmt.Sprintf("note %d", len(f.events)+1)})
	}
}

func TestEventsFollowTheEnd(t *testing.T) {
	f := newFake(3)
	notes(f, 50)
	p := &Events{}
	if got := listOf(p, f.model(NoFocus()), 62, 12); !strings.Contains(got, "note 50") {
		t.Errorf("the newest is not seen:\n%s", got)
	}
	notes(f, 3)
	if got := listOf(p, f.model(NoFocus()), 62, 12); !strings.Contains(got, "note 53") {
		t.Errorf("the newest is not followed:\n%s", got)
	}
}

// Once the learner has gone back, nothing that happens moves what is seen; end
// follows again.
func TestEventsDoNotFightTheReader(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := newFake(3)
		notes(f, rapid.IntRange(2, 80).Draw(t, "events"))
		w, h := 62, rapid.IntRange(8, 40).Draw(t, "h")
		p := &Events{}
		m := f.model(NoFocus())
		text(p, m, w, h)
		press(p, m, "up")
		for range rapid.IntRange(0, 10).Draw(t, "moves") {
			press(p, m, rapid.SampledFrom([]string{"up", "up", "pgup", "home"}).Draw(t, "key"))
			text(p, m, w, h)
		}
		before, at := listOf(p, m, w, h), p.Cursor(m)
		notes(f, rapid.IntRange(1, 30).Draw(t, "more"))
		m = f.model(NoFocus())
		after := listOf(p, m, w, h)
		if !strings.HasPrefix(after, before) || p.Cursor(m) != at {
			t.Fatalf("moved from\n%s\nto\n%s", before, after)
		}
		press(p, m, "end")
		if got := p.Cursor(m).Event; got != f.view.LastEvent {
			t.Fatalf("end selects event %d of %d", got, f.view.LastEvent)
		}
	})
}

// Each event is come by, one by one, and the selected one is seen.
func TestEventsMoveOneByOne(t *testing.T) {
	f := newFake(3)
	notes(f, 40)
	m := f.model(NoFocus())
	p := &Events{}
	for want := trace.ID(40); want >= 1; want-- {
		if got := p.Cursor(m).Event; got != want {
			t.Fatalf("at event %d, want %d", got, want)
		}
		if got := listOf(p, m, 62, 12); !strings.Contains(got, fmt.Sprintf("note %d ", want)) {
			t.Fatalf("event %d is not seen:\n%s", want, got)
		}
		press(p, m, "up")
	}
	press(p, m, "pgdown")
	if got := p.Cursor(m).Event; got < 3 {
		t.Errorf("a page down ends at event %d", got)
	}
}

func TestEventsSince(t *testing.T) {
	f := newFake(3)
	notes(f, 9)
	focus := NoFocus()
	focus.Since = 7
	got := listOf(&Events{}, f.model(focus), 62, 12)
	if strings.Contains(got, "note 7") || !strings.Contains(got, "note 8") || !strings.Contains(got, "note 9") {
		t.Errorf("since event 7:\n%s", got)
	}
	focus.Since = 9
	if got := text(&Events{}, f.model(focus), 62, 12); !strings.Contains(got, "Nothing has happened since the step began.") {
		t.Errorf("nothing since event 9:\n%s", got)
	}
}

// Going back in time takes events away; the panel is at the newest again.
func TestEventsAfterRewind(t *testing.T) {
	f := newFake(3)
	notes(f, 30)
	p := &Events{}
	press(p, f.model(NoFocus()), "up", "up")
	f.events = f.events[:10]
	f.sync()
	if got := p.Cursor(f.model(NoFocus())).Event; got != 10 {
		t.Errorf("at event %d of 10", got)
	}
}

func TestEventsFilter(t *testing.T) {
	f := newFake(3)
	f.story()
	m := f.model(NoFocus())
	shows := func(p *Events, want ...string) {
		t.Helper()
		var lines []string
		for _, l := range strings.Split(text(p, m, 80, 40), "\n") {
			if strings.Contains(l, "41.") {
				lines = append(lines, strings.Fields(strings.Trim(l, "▌ "))[1]+" "+strings.Fields(strings.Trim(l, "▌ "))[3])
			}
		}
		if got := strings.Join(lines, ", "); got != strings.Join(want, ", ") {
			t.Errorf("shows %s\nwant  %s", got, strings.Join(want, ", "))
		}
	}
	p := &Events{}
	told := []string{
		"app produce", "app Produce", "broker-1 10", "broker-2 Fetch", "broker-1 Fetch", "broker-1 the", "broker-1 Produce", "broker-3 Fetch",
	}
	shows(p, told...)
	press(p, m, "e")
	shows(p, "app produce", "broker-1 10", "broker-1 the")
	press(p, m, "N")
	shows(p, "broker-1 10", "broker-1 the")
	press(p, m, "backspace")
	shows(p, told...)
	press(p, m, "up", "e", "e")
	shows(p, "app Produce", "broker-2 Fetch", "broker-1 Fetch", "broker-1 Produce", "broker-3 Fetch")
	press(p, m, "e")
	if got := strings.Count(text(p, m, 80, 40), "◄──"); got != 4 {
		t.Errorf("%d receipts are shown, 4 came", got)
	}
	press(p, m, "e")
	if got := text(p, m, 80, 40); !strings.Contains(got, "what happened   MessageSent") {
		t.Errorf("one kind alone:\n%s", got)
	}
}

func TestEventsColours(t *testing.T) {
	f := newFake(3)
	f.story()
	c := drawn(&Events{}, f.model(NoFocus()), 80, 40)
	want := map[string]theme.Style{"app": theme.Consumer, "broker-1": theme.Leader, "broker-2": theme.Follower, "broker-3": theme.Follower}
	seen := map[string]bool{}
	for y, line := range strings.Split(c.Text(), "\n") {
		words := strings.Fields(strings.Trim(line, "▌ "))
		if len(words) < 2 || !strings.HasPrefix(words[0], "41.") {
			continue
		}
		x := strings.Index(line, words[1])
		x = len([]rune(line[:x]))
		if got := c.StyleAt(x, y).Hue(); got != want[words[1]] {
			t.Errorf("%s in %v, want %v", words[1], got, want[words[1]])
		}
		seen[words[1]] = true
	}
	if len(seen) != len(want) {
		t.Errorf("seen %v", seen)
	}
}
