package quiz

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"kafkalab/engine"
	"kafkalab/engine/console"
	"kafkalab/engine/kerror"
)

// fakeSession is a console session without an engine: it knows topic create,
// produce, settle and expect, and counts records as the engine does. A record
// moves the log end offset; the high watermark follows when the command waits
// for it (acks=all, the default) or at the next settle. It keeps the commands
// that have run, everything else follows from them.
type fakeSession struct{ journal []string }

func fake() Session { return &fakeSession{} }

// fakeState is what the journal leads to.
type fakeState struct {
	leo, hw map[string]int64
	last    *kerror.Error
}

func (s *fakeSession) state() fakeState {
	st := fakeState{leo: map[string]int64{}, hw: map[string]int64{}}
	for _, line := range s.journal {
		st.apply(strings.Fields(line))
	}
	return st
}

func (st *fakeState) apply(words []string) {
	st.last = nil
	switch {
	case words[0] == "topic" && len(words) > 2:
		st.leo[words[2]], st.hw[words[2]] = 0, 0
	case words[0] == "settle":
		maps.Copy(st.hw, st.leo)
	case words[0] == "produce" && len(words) > 1:
		st.produce(words)
	}
}

func (st *fakeState) produce(words []string) {
	topic, count := words[1], int64(1)
	for _, w := range words[2:] {
		if n, ok := strings.CutPrefix(w, "count="); ok {
			count, _ = strconv.ParseInt(n, 10, 64)
		}
	}
	if _, ok := st.leo[topic]; !ok {
		st.last = kerror.New(kerror.UnknownTopicOrPartition, "no topic %s", topic)
		return
	}
	st.leo[topic] += count
	if !slices.Contains(words, "acks=1") {
		st.hw[topic] = st.leo[topic]
	}
}

var fakeCommands = []string{"topic", "produce", "settle", "expect"}

// Exec runs one line.
func (s *fakeSession) Exec(line string) (console.Output, error) {
	words := strings.Fields(line)
	if len(words) == 0 || !slices.Contains(fakeCommands, words[0]) {
		return console.Output{}, fmt.Errorf("line 1: %q is no command", line)
	}
	out := console.Output{Command: line}
	if words[0] != "expect" {
		s.journal = append(s.journal, line)
		out.Err = s.state().last
		return out, nil
	}
	expr := strings.Join(words[1:], " ")
	held, got, err := s.Holds(expr)
	if err == nil && !held {
		out.Failed = "expected " + expr + ", got " + got
	}
	return out, err
}

// Run runs all lines.
func (s *fakeSession) Run(script string) (outputs []console.Output, err error) {
	for line := range strings.Lines(script) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		out, err := s.Exec(line)
		if err != nil {
			return outputs, err
		}
		outputs = append(outputs, out)
	}
	return outputs, nil
}

var fakeSum = regexp.MustCompile(`^(.+) ([+-]) (.+)$`)

// Eval reads T/0.leo, T/0.hw, last.error, numbers, and A + B or A - B of them.
func (s *fakeSession) Eval(expr string) (engine.Value, error) {
	if m := fakeSum.FindStringSubmatch(expr); m != nil {
		return s.evalSum(m)
	}
	if n, err := strconv.ParseInt(expr, 10, 64); err == nil {
		return engine.Number(n), nil
	}
	st := s.state()
	if expr == "last.error" {
		if st.last == nil {
			return engine.None, nil
		}
		return engine.Word(st.last.Code.String()), nil
	}
	topic, rest, _ := strings.Cut(expr, "/")
	values := map[string]map[string]int64{"0.leo": st.leo, "0.hw": st.hw}[rest]
	if values == nil {
		return engine.None, fmt.Errorf("unknown path %s", expr)
	}
	if n, ok := values[topic]; ok {
		return engine.Number(n), nil
	}
	return engine.None, nil
}

func (s *fakeSession) evalSum(m []string) (engine.Value, error) {
	a, errA := s.Eval(m[1])
	b, errB := s.Eval(m[3])
	x, okA := a.Float()
	y, okB := b.Float()
	if errA != nil || errB != nil || !okA || !okB {
		return engine.None, fmt.Errorf("no numbers: %s", m[0])
	}
	if m[2] == "-" {
		y = -y
	}
	return engine.Number(int64(x + y)), nil
}

// Holds knows A == B, A != B, A > B, joined by and.
func (s *fakeSession) Holds(expr string) (bool, string, error) {
	for part := range strings.SplitSeq(expr, " and ") {
		words := strings.Fields(part)
		if len(words) != 3 {
			return false, "", fmt.Errorf("no comparison: %s", part)
		}
		v, err := s.Eval(words[0])
		if err != nil {
			return false, "", err
		}
		if !fakeCompare(v, words[1], words[2]) {
			return false, v.String(), nil
		}
	}
	return true, "", nil
}

func fakeCompare(v engine.Value, op, want string) bool {
	switch op {
	case "==":
		return v.String() == want
	case "!=":
		return v.String() != want
	}
	a, okA := v.Float()
	b, okB := engine.Word(want).Float()
	return okA && okB && op == ">" && a > b
}

var fakeBraces = regexp.MustCompile(`\{\{|\}\}|\{([^{}]*)\}`)

// Interpolate fills in {expressions}.
func (s *fakeSession) Interpolate(text string) (string, error) {
	var failed error
	said := fakeBraces.ReplaceAllStringFunc(text, func(m string) string {
		if m == "{{" || m == "}}" {
			return m[:1]
		}
		v, err := s.Eval(m[1 : len(m)-1])
		if err != nil {
			failed = err
		}
		return v.String()
	})
	return said, failed
}
