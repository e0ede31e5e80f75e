package console

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"kafkalab/engine/check"
	"kafkalab/engine/config"
	"kafkalab/engine/trace"
)

// Exit statuses of a run.
const (
	ExitHeld    = 0 // every expectation held
	ExitFailed  = 1 // an expectation failed
	ExitScript  = 2 // the script cannot be read, or the data dir not be used
	ExitInvalid = 3 // the engine broke an invariant: a bug
)

// RunOptions are those of `kafkalab run`.
type RunOptions struct {
	Options
	Name  string   // of the script, for messages
	JSON  bool     // one object a line
	Trace []string // kinds of events to show, "all" for every one
	// Pace is called after each line with the virtual time, and may wait; what
	// the line yields is written after that. It may be nil.
	Pace func(nowMs int64)
}

// RunScript runs a script to its end and writes what it yields to out, and
// what stops it to errs. It returns the exit status.
func RunScript(script string, o RunOptions, out, errs io.Writer) int {
	for _, kind := range o.Trace {
		if _, known := trace.Fields(kind); !known && kind != "all" {
			e := wrong(kind, "--trace %s: there is no such kind of event", kind)
			e.Nearest = config.Nearest(kind, trace.Kinds())
			fmt.Fprintln(errs, "kafkalab: "+e.Error())
			return ExitScript
		}
	}
	if bad := Check(script); len(bad) > 0 {
		for _, e := range bad {
			fmt.Fprintf(errs, "%s:%d: %v\n", o.Name, e.Line, e)
		}
		return ExitScript
	}
	r := &runner{RunOptions: o, out: out, errs: errs, session: NewSession(o.Options)}
	status := r.run(script)
	if status == ExitInvalid {
		return status // what is in memory is not to be written
	}
	if err := r.session.Close(); err != nil && status < ExitScript {
		fmt.Fprintf(errs, "%s: %v\n", o.Name, err)
		return ExitScript
	}
	return status
}

type runner struct {
	RunOptions
	out, errs io.Writer
	session   *Session
	check     check.State
	warned    bool // of brokers that did not start
}

func (r *runner) run(script string) int {
	status := ExitHeld
	for i, line := range strings.Split(script, "\n") {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		out, bug, err := r.exec(line)
		if bug != nil {
			fmt.Fprintf(r.errs, "%s:%d: the engine broke an invariant: %v\n", r.Name, i+1, bug)
			return ExitInvalid
		}
		if err != nil {
			fmt.Fprintf(r.errs, "%s:%d: %v\n", r.Name, i+1, err)
			return ExitScript
		}
		r.warn()
		if r.Pace != nil && r.session.Cluster() != nil {
			r.Pace(r.session.Cluster().Now())
		}
		r.print(i+1, out)
		if out.Failed != "" {
			status = ExitFailed
		}
		if err := r.check.Look(r.session.Cluster()); err != nil {
			fmt.Fprintf(r.errs, "%s:%d: the engine broke an invariant: %v\n", r.Name, i+1, err)
			return ExitInvalid
		}
	}
	return status
}

// warn tells, once, of brokers that did not come up at the start.
func (r *runner) warn() {
	if c := r.session.Cluster(); c != nil && !r.warned {
		r.warned = true
		for _, why := range c.NotStarted() {
			fmt.Fprintf(r.errs, "%s: %s\n", r.Name, why)
		}
	}
}

// exec runs a line. What the engine throws is a bug of its own, and is told as
// one rather than as a stack on the learner's screen.
func (r *runner) exec(line string) (out Output, bug any, err error) {
	defer func() { bug = recover() }()
	out, err = r.session.Exec(line)
	return out, nil, err
}

func (r *runner) print(line int, out Output) {
	for _, e := range out.Events {
		if !slices.Contains(r.Trace, "all") && !slices.Contains(r.Trace, e.Kind()) {
			continue
		}
		if r.JSON {
			r.json(struct {
				Event trace.Event `json:"event"`
			}{e})
		} else {
			fmt.Fprintln(r.out, e.Line())
		}
	}
	if r.JSON {
		r.printJSON(line, out)
		return
	}
	for _, l := range out.Text {
		fmt.Fprintln(r.out, printable(l))
	}
	if out.Failed != "" {
		fmt.Fprintf(r.out, "%s:%d: %s\n", r.Name, line, out.Failed)
	}
}

// printable keeps a result on its line, whatever a record holds.
func printable(s string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return '\ufffd'
		}
		return c
	}, s)
}

type jsonError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (r *runner) printJSON(line int, out Output) {
	o := struct {
		Line    int        `json:"line"`
		Command string     `json:"command"`
		Result  any        `json:"result"`
		Error   *jsonError `json:"error"`
	}{line, out.Command, out.Result, nil}
	if out.Err != nil {
		o.Error = &jsonError{out.Err.Code.String(), out.Err.Message}
	}
	r.json(o)
}

func (r *runner) json(v any) {
	enc := json.NewEncoder(r.out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil && !errors.Is(err, io.ErrClosedPipe) {
		fmt.Fprintf(r.errs, "%s: %v\n", r.Name, err)
	}
}
