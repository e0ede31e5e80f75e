package screen

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/go-cmp/cmp"

	"kafkalab/engine"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/keys"
	"kafkalab/lab/kit/theme"
	"kafkalab/lab/panel"
	"kafkalab/lessons"
	"kafkalab/quiz"
	"kafkalab/quiz/progress"
	"kafkalab/quiz/source"
)

func TestSplitQuestion(t *testing.T) {
	for _, c := range []struct{ ask, story, question string }{
		{"Three replicas. Two left. What does it see?", "Three replicas. Two left.", "What does it see?"},
		{"What does it see?", "", "What does it see?"},
		{"Put this in order.", "Put this in order.", ""},
		{"Does 1.5 fit?", "", "Does 1.5 fit?"},
		{"A list:\n\n- a\n\nWhich one?", "A list:\n\n- a", "Which one?"},
		{"Who? And why?", "Who?", "And why?"},
		{" One line.\nAnd this? ", "One line.", "And this?"},
	} {
		if story, question := splitQuestion(c.ask); story != c.story || question != c.question {
			t.Errorf("%q: %q, %q", c.ask, story, question)
		}
	}
}

func TestAgo(t *testing.T) {
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for before, want := range map[time.Duration]string{
		-time.Hour:          "just now",
		30 * time.Second:    "just now",
		time.Minute:         "1 minute ago",
		59 * time.Minute:    "59 minutes ago",
		2 * time.Hour:       "2 hours ago",
		9 * time.Hour:       "9 hours ago",
		10 * time.Hour:      "yesterday",
		33 * time.Hour:      "yesterday",
		34 * time.Hour:      "2 days ago",
		24 * 59 * time.Hour: "59 days ago",
		24 * 60 * time.Hour: "on 1 January 2026",
	} {
		if got := ago(now.Add(-before), now); got != want {
			t.Errorf("%v: %q, want %q", before, got, want)
		}
	}
	east := time.FixedZone("", 10*3600) // a day begins where the learner is
	if got := ago(time.Date(2026, 3, 1, 13, 59, 0, 0, time.UTC), time.Date(2026, 3, 2, 1, 0, 0, 0, east)); got != "yesterday" {
		t.Error(got)
	}
}

func TestResume(t *testing.T) {
	l := &lessons.Lesson{ID: "l", Steps: make([]*lessons.Step, 3), Checks: make([]*quiz.Question, 1)}
	at := func(page string, step int, seen ...int) *progress.Progress {
		p := &progress.Progress{Lessons: map[string]progress.Lesson{}}
		in := progress.Lesson{At: &progress.Position{Page: page, Step: step}, Seen: map[int]time.Time{}}
		for _, s := range seen {
			in.Seen[s] = time.Time{}
		}
		p.Lessons["l"] = in
		return p
	}
	for _, c := range []struct {
		p    *progress.Progress
		want place
		ok   bool
	}{
		{&progress.Progress{}, place{page: Read}, false},
		{at("read", 0), place{page: Read}, true},
		{at("step", 2), place{Step, 2}, true},
		{at("step", 2, 1, 2), place{Step, 3}, true},
		{at("step", 3, 1, 2, 3), place{page: Check}, true},
		{at("step", 9), place{Step, 3}, true}, // the lesson has become shorter
		{at("check", 2), place{Check, 2}, true},
	} {
		if got, ok := resume(c.p, l); got != c.want || ok != c.ok {
			t.Errorf("%+v: %+v %v", c.want, got, ok)
		}
	}
	l.Live = &lessons.Live{}
	if got, _ := resume(at("step", 3, 3), l); got.page != Live {
		t.Errorf("%+v", got)
	}
}

func TestKindOfAnswer(t *testing.T) {
	for kind, exprs := range map[answerKind][]string{
		number: {
			"orders/0.hw", "count(orders/0.isr)", "1085 - orders/0@1.seek(1085).base", "orders/0@1.seek(1085).scanned", "last.dropped",
			"orders/0@1.index_entries(1000)", "time", "group:g.lag(t/0)", "event.IsrShrunk.lag_ms", "event.SegmentRolled.base", "last.offset - 1",
		},
		numbers: {"orders/0.isr", "orders/0.replicas", "orders/0@1.segments(list)", "last.offsets"},
		words: {
			"last.error", "orders/0@1.seek(1085).entry", "orders/0.leader", "group:g.assignment(c)", "group:g.state", "last.values",
		},
	} {
		for _, expr := range exprs {
			if got := kindOf(expr); got != kind {
				t.Errorf("%s: %v", expr, got)
			}
		}
	}
}

func TestGuessTakes(t *testing.T) {
	count := guess{step: &lessons.Step{}, kind: number, pick: -1}
	delay := guess{step: &lessons.Step{Unit: "ms"}, kind: number, pick: -1}
	list := guess{step: &lessons.Step{}, kind: numbers, pick: -1}
	word := guess{step: &lessons.Step{}, pick: -1}
	for _, c := range []struct {
		g       *guess
		typed   string
		text    string
		allowed bool
	}{
		{&count, "", "5", true}, {&count, "", " ", false}, {&count, "57", " ", true}, {&count, "57", "b", false}, {&count, "57", "q", false},
		{&count, "", "n", true}, {&count, "n", "o", true}, {&count, "n", "1", false}, {&count, "n", "b", false}, {&count, "", "p", false},
		{&count, "5", "?", false}, {&count, "5", ":", false}, {&count, "8 80", "8", true}, {&count, "", "-", true}, {&count, "57", "m", false},
		{&delay, "57", "m", true}, {&delay, "57 m", "s", true}, {&delay, "57 m", "i", false}, {&delay, "57 ms", "1", false},
		{&list, "", "[", true}, {&list, "1", ",", true}, {&list, "1,2", "]", true}, {&list, "1, 2", "b", false}, {&list, "1", ":", false},
		{&word, "", "b", true}, {&word, "", ":", false}, {&word, "49", ":", true}, {&word, "", "?", false}, {&word, "a", "?", false}, {&word, "", " ", false},
	} {
		c.g.text.Set(c.typed)
		if got := c.g.takes(c.text); got != c.allowed {
			t.Errorf("kind %v, %q behind %q: %v", c.g.kind, c.text, c.typed, got)
		}
	}
	list.text.Set("0, 1 000, 12 000")
	if got := list.value(); got != "0, 1000, 12000" {
		t.Errorf("%q", got)
	}
	list.text.Set("1 200 300")
	if got := list.value(); got != "1 200 300" {
		t.Errorf("%q", got)
	}
}

func TestActionsOf(t *testing.T) {
	at := panel.Cursor{Replica: engine.ReplicaName{Topic: "orders"}, Offset: panel.None}
	var got []string
	for _, a := range actionsOf([]string{"consume", "produce", "tick", "roll", "truncate", "step", "acks"}, at, "1", nil) {
		got = append(got, a.key+" "+a.line+map[bool]string{false: "|"}[a.whole])
	}
	want := []string{
		"c consume orders/0 from=|", "p produce orders/0 value=hello acks=1", "t tick |", "O roll orders/0",
		"D truncate orders/0 before=|", "n step", "a acks of the next produce|",
	}
	got[len(got)-1] = "a acks of the next produce|" // a key without a line
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if list := actionsOf([]string{"produce", "roll"}, panel.Cursor{}, "", nil); list[0].line != "produce " || list[0].whole || list[1].line != "roll " {
		t.Errorf("without a partition: %+v", list)
	}
	keysSeen := map[string]bool{}
	for name := range lessons.Actions {
		for _, a := range actionsOf([]string{name}, at, "", nil) {
			keysSeen[a.key] = true
			if strings.Contains(reservedKeys, a.key) && actionKeys[name] != a.key {
				t.Errorf("%s has the key %s, which is taken", name, a.key)
			}
		}
	}
}

func TestMeasures(t *testing.T) {
	for expr, want := range map[string][]string{
		"orders/0@1.seek(1085).entry == 49:4404": {"entry"},
		"orders/0@1.seek({target}).scanned - 1":  {"scanned"},
		"t/0.leo - t/0.hw":                       {"leo", "hw"},
		"count(orders/0.isr)":                    {"isr"},
		"last.error == none and last.count == 0": {"error", "count"},
		"5":                                      nil,
	} {
		if diff := cmp.Diff(want, measures(expr)); diff != "" {
			t.Errorf("%s: %s", expr, diff)
		}
	}
}

func TestPretty(t *testing.T) {
	for in, want := range map[string]string{
		"57840": "57 840", "12000 ms": "12 000 ms", "broker-1": "broker-1", "1,2,3": "1,2,3", "49:4404": "49:4404", "": "", " 5 ": "5",
		"-1200": "-1 200", "000123456": "123 456", "99999999999999999999": "99999999999999999999",
	} {
		if got := pretty(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// A command that another one before it hides is not shown, and is not reached.
func TestCommandsThatAreHidden(t *testing.T) {
	said := ""
	say := func(s string) func() []Action { return func() []Action { said = s; return nil } }
	var cs Commands
	cs.add(groupLearn, "enter", "page", say("page"))
	cs.line("←→", "both")
	cs.quiet(groupMove, "B", "quiet", say("quiet"))
	cs.silent(say("silent"), "x")
	cs.add(groupPanel, "enter", "panel", say("panel"))
	if got := len(cs.Line()); got != 2 {
		t.Errorf("%d keys in the line", got)
	}
	shown := 0
	for _, g := range cs.Sheet() {
		shown += len(g.Keys)
	}
	if shown != 2 {
		t.Errorf("%d keys in the sheet", shown)
	}
	for _, k := range []struct{ name, want string }{{"x", "silent"}, {"B", "quiet"}} {
		if _, mine := cs.Perform(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k.name)}); !mine || said != k.want {
			t.Errorf("%s: %q", k.name, said)
		}
	}
	if cs.Perform(tea.KeyMsg{Type: tea.KeyEnter}); said != "page" {
		t.Error(said)
	}
	if _, mine := cs.Perform(tea.KeyMsg{Type: tea.KeyTab}); mine {
		t.Error("a key of nobody's")
	}
	for _, b := range []key.Binding{keys.Bind("enter", ""), keys.Bind("→", "", "right"), keys.Bind("b", "")} {
		if k := keyOf(b); !key.Matches(k, b) {
			t.Errorf("%v is no key of %v", k, b.Keys())
		}
	}
}

func TestCommandWords(t *testing.T) {
	for _, c := range []struct {
		line string
		from int
		want string
	}{
		{"topi", 0, "topic"}, {"topic cr", 6, "create"}, {"prin", 0, "print"},
		{"zz", 0, ""}, {"tick ", 5, ""},
	} {
		from, words := commandWords(c.line, len([]rune(c.line)))
		if got := strings.Join(words, " "); from != c.from || got != c.want {
			t.Errorf("%q: %d %q", c.line, from, got)
		}
	}
}

// What is at the foot of a column is seen whatever the room.
func TestColumnKeepsItsTail(t *testing.T) {
	c := &column{}
	for range 20 {
		c.head = append(c.head, canvas.T("prose", theme.Text))
	}
	c.say(canvas.T("question", theme.Text))
	c.over(func(r canvas.Region, y int) { r.Put(0, y, "field", theme.Text) })
	for _, h := range []int{2, 4, 5, 12, 22, 23, 24, 26} {
		cv := canvas.New(20, h)
		r := onWalk{}
		c.draw(cv.Region(), &r.head)
		lines := strings.Split(cv.Text(), "\n")
		last := min(h, c.rows()) - 1
		if strings.TrimSpace(lines[last]) != "field" || strings.TrimSpace(lines[last-1]) != "question" {
			t.Errorf("%d rows:\n%s", h, cv.Text())
		}
	}
}

func TestSummary(t *testing.T) {
	for read, want := range map[string]string{
		"One. Two.\n\nThree.":            "One. Two.",
		"One {expr}. Two.":               "",
		"One.\nTwo {orders/0.hw}. Three": "One.",
	} {
		if got := summary(&lessons.Lesson{Read: source.Text{Value: read}}); got != want {
			t.Errorf("%q: %q", read, got)
		}
	}
}
