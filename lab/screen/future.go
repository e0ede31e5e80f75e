package screen

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"kafkalab/engine"
	"kafkalab/engine/console"
	"kafkalab/lessons"
)

// preset is what two futures differ in from the beginning.
type preset struct {
	title string
	names [2]string
	// line is what a line becomes on a side, first the lines that are run there
	// at the beginning, on a topic.
	line  func(side int, line string) string
	first func(side int, topic string) string
}

var presets = []preset{
	{
		title: "acks=1 against acks=all", names: [2]string{"acks-1", "acks-all"},
		line: func(side int, line string) string { return withAcks(line, [2]string{"1", "all"}[side]) },
	},
	{
		title: "min.insync.replicas 1 against 2", names: [2]string{"min-isr-1", "min-isr-2"},
		first: func(side int, topic string) string {
			return fmt.Sprintf("topic alter %s min.insync.replicas=%d", topic, side+1)
		},
	},
	{title: "alike, until you do something on one of them", names: [2]string{"one", "other"}},
}

var produces = regexp.MustCompile(`^\s*produce\s`)

// withAcks says with which acks a produce is sent, unless it says so itself or
// another client sends it.
func withAcks(line, acks string) string {
	if !produces.MatchString(line+" ") || strings.Contains(line, " acks=") || strings.Contains(line, " as=") {
		return line
	}
	return line + " acks=" + acks
}

// future is one of two futures: its past up to the fork is the other's too.
type future struct {
	name  string
	time  *engine.Timeline
	stage *stage
	out   console.Output
}

// Cluster is the cluster of this future, at this moment.
func (f *future) Cluster() *engine.Cluster { return f.time.Cluster() }

// forked is a session with two futures under way.
type forked struct {
	session lessons.Session
	preset  preset
	home    string // the future that was left
	sides   [2]*future
}

// errNoFutures is for a session that has none: it has no cluster yet.
var errNoFutures = errors.New("this cluster has no past to fork from")

// forkSession makes two futures from this moment.
func forkSession(s lessons.Session, p preset, topic string) (*forked, error) {
	h, ok := s.(history)
	if !ok || h.Timeline() == nil {
		return nil, errNoFutures
	}
	f := &forked{session: s, preset: p}
	var err error
	if f.home, err = f.current(h); err != nil {
		return nil, err
	}
	for i := range f.sides {
		name := freeName(p.names[i], h.Futures())
		if err := f.run("fork " + name); err != nil {
			return nil, err
		}
		f.sides[i] = &future{name: name}
	}
	for i, side := range f.sides {
		if err := f.run("switch " + side.name); err != nil {
			return nil, err
		}
		side.time = h.Timeline()
		if p.first != nil && topic != "" {
			if side.out, err = f.exec(i, p.first(i, topic)); err != nil {
				return nil, err
			}
		}
	}
	return f, nil
}

// current finds the name of the future that commands act on.
func (f *forked) current(h history) (string, error) {
	now := h.Timeline()
	for _, name := range likely(h.Futures()) {
		if _, err := f.session.Exec("switch " + name); err != nil {
			return "", err
		}
		if h.Timeline() == now {
			return name, nil
		}
	}
	return "", errNoFutures
}

// likely puts the futures first that commands have acted on: to switch to one
// that was only left runs it again.
func likely(names []string) []string {
	list := slices.Clone(names)
	left := func(name string) bool { return strings.HasPrefix(name, "future-") }
	slices.SortStableFunc(list, func(a, b string) int {
		switch {
		case left(a) == left(b):
			return 0
		case left(a):
			return 1
		}
		return -1
	})
	return list
}

func freeName(name string, taken []string) string {
	free := name
	for n := 2; slices.Contains(taken, free); n++ {
		free = fmt.Sprintf("%s-%d", name, n)
	}
	return free
}

// run runs a line of the fork's own.
func (f *forked) run(line string) error {
	_, err := f.session.Exec(line)
	return err
}

// exec runs a line on one side.
func (f *forked) exec(side int, line string) (console.Output, error) {
	if f.preset.line != nil {
		line = f.preset.line(side, line)
	}
	if err := f.run("switch " + f.sides[side].name); err != nil {
		return console.Output{}, err
	}
	return f.session.Exec(line)
}

// leave goes back to the future that the fork began in.
func (f *forked) leave() { _ = f.run("switch " + f.home) }

// difference is a Fact that is not the same on both sides.
type difference struct {
	label  string
	values [2]string
}

// measured on both sides beside what the view has.
var comparedPaths = []string{"last.error", "last.offset", "last.latency", "producer:app.acked", "producer:app.failed"}

// facts are what is compared of one side.
func (f *forked) facts(side int) []Fact {
	v := f.sides[side].Cluster().View()
	var list []Fact
	add := func(label, format string, args ...any) {
		list = append(list, Fact{label, fmt.Sprintf(format, args...)})
	}
	for _, t := range v.Topics {
		for _, p := range t.Partitions {
			at := fmt.Sprintf("%s/%d ", t.Name, p.Number)
			add(at+"leader", "%s", brokerWord(p.Leader))
			add(at+"leader epoch", "%d", p.Epoch)
			add(at+"ISR", "%s", idList(p.ISR))
			add(at+"high watermark", "%s", offsetWord(p.HW))
			add(at+"LEO", "%s", offsetWord(p.LEO))
			for _, l := range p.Logs {
				add(fmt.Sprintf("%son broker-%d", at, l.Broker), "LEO %s, HW %s", offsetWord(l.LEO), offsetWord(l.HW))
			}
		}
		for _, o := range t.Overrides {
			name, value, _ := strings.Cut(o, "=")
			add(t.Name+" "+name, "%s", value)
		}
	}
	for _, b := range v.Brokers {
		add(b.Name, "%s", b.State)
	}
	if _, err := f.session.Exec("switch " + f.sides[side].name); err == nil {
		for _, path := range comparedPaths {
			if got, err := f.session.Eval(path); err == nil {
				add(pathWords[path], "%s", pretty(got.String()))
			}
		}
	}
	add("time", "%s", clockWord(v.TimeMs))
	return list
}

var pathWords = map[string]string{
	"last.error": "last error", "last.offset": "last offset", "last.latency": "last answer after, ms",
	"producer:app.acked": "records acknowledged", "producer:app.failed": "records given up",
}

// differences are the facts that are not the same on both sides, in order.
func (f *forked) differences() []difference {
	one, two := f.facts(0), f.facts(1)
	var list []difference
	for _, a := range one {
		i := slices.IndexFunc(two, func(b Fact) bool { return b.Label == a.Label })
		switch {
		case i < 0:
			list = append(list, difference{a.Label, [2]string{a.Value, none}})
		case two[i].Value != a.Value:
			list = append(list, difference{a.Label, [2]string{a.Value, two[i].Value}})
		}
	}
	for _, b := range two {
		if !slices.ContainsFunc(one, func(a Fact) bool { return a.Label == b.Label }) {
			list = append(list, difference{b.Label, [2]string{none, b.Value}})
		}
	}
	return list
}

const none = "none"
