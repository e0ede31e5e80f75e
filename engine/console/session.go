package console

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kafkalab/engine"
	"kafkalab/engine/config"
	"kafkalab/engine/kerror"
	"kafkalab/engine/trace"
)

// Options of a session.
type Options struct {
	Seed       uint64 // wins over the script's seed= when HasSeed is set
	HasSeed    bool
	DataDir    string // a real folder for the nodes' disks
	EveryRound bool   // run idle rounds one by one, for a test
	Brokers    int    // wins over the cluster line if it is not 0
	Serve      *Serve // set for a cluster that serves programs outside
}

// Serve is how a cluster differs that serves programs outside; it wins over the
// cluster line.
type Serve struct {
	Start     int64 // time 0 in ms since the Unix epoch
	LatencyMs int64 // of a message inside
	Keep      int   // trace events kept
}

// Session is one conversation with a cluster: its lines, its checkpoints, and
// the futures that were forked. It is not safe for use by several goroutines.
type Session struct {
	opts        Options
	futures     map[string]*engine.Timeline
	now         string // the future that commands act on
	lines       int    // commands so far
	checkpoints map[string]Mark
	left        map[string][]engine.Entry // futures left by acting in the past
}

// mainFuture is the first future of every session.
const mainFuture = "main"

// Output is what one line yielded.
type Output struct {
	Command string
	Result  any           // with the json names of the language; {} when there is none
	Text    []string      // the same as lines
	Err     *kerror.Error // what Kafka answered instead
	Failed  string        // a failed expectation: expected orders/0.hw == 5, got 4
	Events  []trace.Event // what happened
}

// NewSession makes a session without a cluster; its first line starts one.
func NewSession(o Options) *Session {
	return &Session{opts: o, now: mainFuture, futures: map[string]*engine.Timeline{}, checkpoints: map[string]Mark{}, left: map[string][]engine.Entry{}}
}

// engineAction is a command of the engine's, with the text of its result.
type engineAction struct {
	cmd    engine.Command
	format func(engine.Result) []string // nil when it yields nothing
}

func (e engineAction) run(s *Session, text string) (Output, error) {
	t := s.timeline()
	since := t.Cluster().LastEvent()
	res, left, err := t.Do(e.cmd, text)
	if left != nil {
		s.keep(left)
	}
	if err != nil {
		return Output{}, err
	}
	out := Output{Result: res, Events: slices.Clone(t.Cluster().EventsSince(since))}
	if e.format != nil {
		out.Text = e.format(res)
	}
	if out.Err = engine.ErrorOf(res); out.Err != nil && len(out.Text) == 0 {
		out.Text = []string{errorLine(out.Err) + brokersWords(out)}
	}
	return out, nil
}

// brokersWords is what a broker's log says of an error that came without words.
func brokersWords(out Output) string {
	if out.Err.Message != "" {
		return ""
	}
	for _, ev := range slices.Backward(out.Events) {
		if r, ok := ev.Body.(trace.RequestRefused); ok && r.Log != "" && r.Error == out.Err.Code.String() {
			return fmt.Sprintf("; the log of %s: %s", ev.Node, r.Log)
		}
	}
	return ""
}

func errorLine(e *kerror.Error) string {
	if e.Message == "" {
		return "error " + e.Code.String()
	}
	return "error " + e.Code.String() + ": " + e.Message
}

// Exec runs one line. An error is a line that cannot be read, a *SyntaxError,
// or a disk that failed; what Kafka refuses is in the output.
func (s *Session) Exec(line string) (Output, error) {
	act, err := parseLine(line)
	if err != nil || act == nil {
		return Output{Command: line}, err
	}
	return s.do(act, line)
}

func (s *Session) do(act action, line string) (Output, error) {
	if _, ok := act.(clusterAction); !ok {
		if err := s.ensure(); err != nil {
			return Output{}, err
		}
	}
	out, err := act.run(s, line)
	s.lines++
	out.Command = strings.TrimSpace(line)
	if out.Result == nil {
		out.Result = struct{}{}
	}
	return out, err
}

// Run runs the lines of a script; it stops at the first that cannot be read.
func (s *Session) Run(script string) ([]Output, error) {
	var outs []Output
	for i, line := range strings.Split(script, "\n") {
		act, err := parseLine(line)
		if err == nil && act == nil {
			continue
		}
		var out Output
		if err == nil {
			out, err = s.do(act, line)
		}
		if err != nil {
			var se *SyntaxError
			if errors.As(err, &se) {
				se.Line = i + 1
			}
			return outs, err
		}
		outs = append(outs, out)
	}
	return outs, nil
}

// Check reads a script without running it and gives everything that cannot be
// read, with line numbers from 1.
func Check(script string) []*SyntaxError {
	var bad []*SyntaxError
	first := true
	for i, line := range strings.Split(script, "\n") {
		act, err := parseLine(line)
		if _, ok := act.(clusterAction); ok && err == nil && !first {
			err = wrong("cluster", "cluster is allowed in the first line only")
		}
		if act != nil {
			first = false
		}
		var se *SyntaxError
		if errors.As(err, &se) {
			se.Line = i + 1
			bad = append(bad, se)
		}
	}
	return bad
}

// start starts the session's cluster with the options of its first line.
func (s *Session) start(o engine.Options) error {
	if len(s.futures) > 0 {
		return wrong("cluster", "cluster is allowed in the first line only: this session has a cluster")
	}
	if s.opts.HasSeed {
		o.Seed = s.opts.Seed
	}
	if s.opts.Brokers > 0 {
		o.Brokers = s.opts.Brokers
	}
	if v := s.opts.Serve; v != nil {
		o.Start, o.LatencyMs, o.Keep = v.Start, v.LatencyMs, v.Keep
	}
	o.DataDir, o.EveryRound = s.opts.DataDir, s.opts.EveryRound
	t, err := engine.NewTimeline(o)
	if err != nil {
		return err
	}
	s.futures[mainFuture] = t
	return nil
}

func (s *Session) ensure() error {
	if len(s.futures) > 0 {
		return nil
	}
	return s.start(engine.Defaults())
}

// Start starts the session's cluster, as its first line would, if it has none.
func (s *Session) Start() error { return s.ensure() }

func (s *Session) timeline() *engine.Timeline { return s.futures[s.now] }

// Timeline is the future that commands act on, nil before the first line.
func (s *Session) Timeline() *engine.Timeline { return s.timeline() }

// Cluster is the cluster at this moment, nil before the first line. Going back
// makes another one: do not keep it.
func (s *Session) Cluster() *engine.Cluster {
	if t := s.timeline(); t != nil {
		return t.Cluster()
	}
	return nil
}

// Close shuts the cluster's nodes down cleanly.
func (s *Session) Close() error {
	if c := s.Cluster(); c != nil {
		return c.Close()
	}
	return nil
}

// Mark is a moment of a session.
type Mark struct {
	future string
	at     engine.Mark
}

// Mark names this moment.
func (s *Session) Mark() Mark {
	m := Mark{future: s.now}
	if t := s.timeline(); t != nil {
		m.at = t.Mark()
	}
	return m
}

// Rewind goes back to a moment, by replay.
func (s *Session) Rewind(m Mark) error {
	t := s.futures[m.future]
	if t == nil {
		return fmt.Errorf("there is no future %s to go back in", m.future)
	}
	if err := t.Rewind(m.at); err != nil {
		return err
	}
	s.now = m.future
	return nil
}

// keep names a future that was left by acting in the past, so that it can be
// switched to.
func (s *Session) keep(journal []engine.Entry) {
	for n := 1; ; n++ {
		name := fmt.Sprintf("future-%d", n)
		if !slices.Contains(s.Futures(), name) {
			s.left[name] = journal
			return
		}
	}
}

// Futures lists the futures that can be switched to, by name.
func (s *Session) Futures() []string {
	return slices.Sorted(slices.Values(append(keys(s.futures), keys(s.left)...)))
}

func (s *Session) fork(name string) error {
	if slices.Contains(s.Futures(), name) {
		return wrong(name, "there is a future %s already", name)
	}
	t, err := s.timeline().Fork()
	if err != nil {
		return err
	}
	s.futures[name] = t
	return nil
}

func (s *Session) switchTo(name string) error {
	if journal, ok := s.left[name]; ok {
		t, err := engine.FromJournal(s.Cluster().Options(), journal)
		if err != nil {
			return err
		}
		s.futures[name] = t
		delete(s.left, name)
	}
	if s.futures[name] == nil {
		e := wrong(name, "there is no future %s", name)
		e.Nearest = config.Nearest(name, s.Futures())
		return e
	}
	s.now = name
	return nil
}

func keys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
