package screen

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kafkalab/engine"
	"kafkalab/lab/panel"
	"kafkalab/lessons"
)

// begunSandbox is a sandbox with a topic and some records.
func begunSandbox(env *Env) *Sandbox {
	s := NewSandbox(env)
	for _, line := range []string{"cluster brokers=2", "topic create orders replicas=2", "produce orders count=5"} {
		s.world.shell.Run(line)
	}
	return s
}

func sandboxEnv() *Env { return &Env{Open: lessons.Engine, Panel: panel.ByName, W: 100, H: 30} }

// back goes steps back with the arrow, forth forward.
func (s *Sandbox) back(n int64) { s.to(s.world.travel.timeline().Cluster().Step() - n) }

func (s *Sandbox) to(step int64) {
	tl := s.world.travel.timeline()
	s.world.travel.goTo(max(0, min(step, tl.Last())))()
}

func (s *Sandbox) do(lines ...string) {
	for _, l := range lines {
		s.world.shell.Run(l)
	}
}

func script1(t *testing.T, s *Sandbox) string {
	t.Helper()
	lines, err := s.world.lines()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

// What is saved is what the current timeline did: acting in the past, also after
// a look around there, writes down the way back; going forward again and looking
// writes down nothing.
func TestScriptOfATimeline(t *testing.T) {
	const begin = "cluster brokers=2\ntopic create orders replicas=2\nproduce orders count=5"
	for name, c := range map[string]struct {
		do   func(s *Sandbox)
		want string
	}{
		"nothing more": {func(*Sandbox) {}, begin},
		"acted in the past": {func(s *Sandbox) { s.back(3); s.do("produce orders count=2") },
			begin + "\nrewind 3\nproduce orders count=2"},
		"looked first": {func(s *Sandbox) {
			s.back(3)
			s.do("print orders/0.hw", "show cluster")
			s.back(-1)
			s.do("produce orders count=2")
		},
			begin + "\nrewind 2\nproduce orders count=2"},
		"back and forward": {func(s *Sandbox) { s.back(4); s.do("print time"); s.to(1 << 40); s.do("tick 1s", "print time") },
			begin + "\ntick 1s\nprint time"},
		"a branch, forward, another one": {func(s *Sandbox) {
			s.back(3)
			s.do("produce orders count=2")
			s.back(2)
			s.to(1 << 40)
			s.do("tick 1s")
			s.back(1)
			s.do("stall broker-2")
		}, begin + "\nrewind 3\nproduce orders count=2\ntick 1s\nrewind 1\nstall broker-2"},
		"to before a command": {func(s *Sandbox) { s.do("tick 1s", "tick 2s"); s.to(2); s.do("produce orders") }, ""},
		"typed, and undone by an arrow": {func(s *Sandbox) { s.do("rewind 2", "print time"); s.to(1 << 40); s.do("tick 1s") },
			begin + "\ntick 1s"},
		"typed after an arrow": {func(s *Sandbox) { s.back(1); s.do("rewind 2", "produce orders") }, begin + "\nrewind 3\nproduce orders"},
		"the old future again": {func(s *Sandbox) {
			s.back(3)
			s.do("produce orders count=2", "switch future-1", "note the old one", "tick 1s")
		},
			begin + "\nnote the old one\ntick 1s"},
		"saved in the past": {func(s *Sandbox) { s.do("expect orders/0.leo == 5"); s.back(2) }, begin + "\nexpect orders/0.leo == 5"},
	} {
		t.Run(name, func(t *testing.T) {
			s := begunSandbox(sandboxEnv())
			c.do(s)
			at := s.world.travel.timeline().Cluster().Step()
			got := script1(t, s)
			if c.want != "" && got != c.want {
				t.Errorf("saved:\n%s\nwant:\n%s", got, c.want)
			}
			if step := s.world.travel.timeline().Cluster().Step(); step != at {
				t.Errorf("saving has moved from step %d to %d", at, step)
			}
			sameStory(t, s, got)
		})
	}
}

// fatal is what a test and a property can do.
type fatal interface{ Fatalf(string, ...any) }

// sameStory runs a script on a fresh cluster, and compares what came of it.
func sameStory(t fatal, s *Sandbox, text string) {
	fresh := lessons.Engine()
	for _, line := range strings.Split(text, "\n") {
		if _, err := fresh.Exec(line); err != nil {
			t.Fatalf("%q: %v in\n%s", line, err, text)
		}
	}
	journal, err := journalOf(s.world.travel.timeline())
	if err != nil {
		t.Fatalf("%v", err)
	}
	ran, err := journalOf(fresh.(history).Timeline())
	if err != nil {
		t.Fatalf("%v", err)
	}
	if diff := cmp.Diff(entriesOf(journal), entriesOf(ran)); diff != "" {
		t.Fatalf("the journals differ (-sandbox +script):\n%s\n%s", diff, text)
	}
	one, two := endOf(t, s.world.travel.timeline()), endOf(t, fresh.(history).Timeline())
	if diff := cmp.Diff(one, two); diff != "" {
		t.Fatalf("the clusters differ (-sandbox +script):\n%s\n%s", diff, text)
	}
}

func entriesOf(journal []engine.Entry) (list []string) {
	for _, e := range journal {
		list = append(list, fmt.Sprintf("%s, cut at %d", e.Text, e.Cut))
	}
	return list
}

// endOf is the cluster where everything that is known has happened.
func endOf(t fatal, tl *engine.Timeline) engine.View {
	if err := tl.GoTo(tl.Last()); err != nil {
		t.Fatalf("%v", err)
	}
	return tl.Cluster().View()
}

var stories = flag.Int("stories", 30, "seeds for the stories that are saved")

// Whatever a learner does, the script that is saved leads to the same cluster.
func TestAnyStoryIsSaved(t *testing.T) {
	lines := []string{
		"produce orders", "produce orders count=3 acks=1", "tick 700ms", "stall broker-2", "resume broker-2", "print orders/0.hw", "note here",
		"checkpoint a", "rewind a", "rewind 2", "rewind 5", "consume orders from=0", "step 2", "nonsense", "switch future-1", "switch main",
		"expect orders/0.leo == 9", "tick 31s",
	}
	for seed := range *stories {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(seed), 5))
			s := begunSandbox(sandboxEnv())
			var did []string
			for range 4 + r.IntN(8) {
				if r.IntN(3) == 0 {
					n := int64(r.IntN(14) - 6)
					did = append(did, fmt.Sprintf("%d steps back", n))
					s.back(n)
					continue
				}
				line := lines[r.IntN(len(lines))]
				did = append(did, line)
				s.do(line)
			}
			got, err := s.world.lines()
			if err != nil {
				t.Fatalf("%v after %q", err, did)
			}
			defer func() {
				if t.Failed() {
					t.Logf("%q", did)
				}
			}()
			sameStory(t, s, strings.Join(got, "\n"))
		})
	}
}

// The deck's keys are no other key's of the sandbox.
func TestActionKeysAreTheirOwn(t *testing.T) {
	seen := map[string]string{}
	for name, k := range actionKeys { // order: each is looked at for itself
		if other, taken := seen[k]; taken {
			t.Errorf("%s and %s have the key %s", name, other, k)
		}
		seen[k] = name
	}
	if slices.Contains([]string{"R", "f", "q", "w", "i", "b", "B"}, actionKeys["produce"]) {
		t.Error("produce has a key of the page")
	}
}
