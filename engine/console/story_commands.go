package console

import (
	"fmt"
	"strconv"
	"strings"

	"kafkalab/engine"
	"kafkalab/engine/config"
	"kafkalab/engine/kerror"
)

var storyCommands = []command{
	{"expect", "expect EXPR · expect error CODE · expect ok", "an expectation; a failed one makes the run fail", parseExpect},
	{"print", "print EXPR", "prints a value", parsePrint},
	{"note", "note TEXT", "narration", func(*args) (action, error) { return nil, nil }},
	{"checkpoint", "checkpoint NAME", "names this moment", parseCheckpoint},
	{"rewind", "rewind NAME|N", "goes back to a checkpoint, or N steps", parseRewind},
	{"fork", "fork NAME", "a second future from here", parseFork},
	{"switch", "switch NAME", "which future the next commands act on; main is the first", parseSwitch},
}

// parseExpr turns the engine's complaint about an expression into one about
// the line.
func parseExpr(words engine.Words) (engine.Expr, error) {
	e, err := engine.ParseExpr(words)
	return e, exprError(err)
}

func exprError(err error) error {
	if err == nil {
		return nil
	}
	if pe, ok := err.(*engine.PathError); ok {
		return &SyntaxError{Word: pe.Path, Message: pe.Path + ": " + pe.Why, Nearest: pe.Nearest}
	}
	return wrong("", "%v", err)
}

type expectAction struct {
	expr engine.Expr
	code string // of an expected error
	ok   bool   // no error is expected
}

func parseExpect(a *args) (action, error) {
	words := a.words
	a.words = nil
	switch {
	case len(words) == 1 && words[0] == "ok":
		return expectAction{ok: true}, nil
	case len(words) > 0 && words[0] == "error":
		if len(words) != 2 {
			return nil, wrong("", "expect error needs one of Kafka's error names, as NOT_ENOUGH_REPLICAS")
		}
		if _, known := kerror.ByName(words[1]); !known {
			e := wrong(words[1], "%s is no error of Kafka's", words[1])
			e.Nearest = config.Nearest(words[1], kerror.Names())
			return nil, e
		}
		return expectAction{code: words[1]}, nil
	}
	e, err := parseExpr(a.lexed)
	return expectAction{expr: e}, err
}

// Expected is the result of an expectation.
type Expected struct {
	Held bool   `json:"held"`
	Expr string `json:"expr"`
	Got  string `json:"got"`
}

func (e expectAction) run(s *Session, text string) (Output, error) {
	c := s.Cluster()
	r := Expected{}
	switch last := c.Last().Error; {
	case e.ok:
		r.Expr, r.Got, r.Held = "ok", errorName(last), last == kerror.None
	case e.code != "":
		r.Expr, r.Got = "error "+e.code, errorName(last)
		r.Held = r.Got == e.code
	default:
		r.Expr = e.expr.String()
		r.Held, r.Got = e.expr.Holds(c)
	}
	out := Output{Result: r}
	if !r.Held {
		what := r.Expr
		if e.code == "" && !e.ok {
			what = e.expr.Failing(c)
		}
		out.Failed = fmt.Sprintf("expected %s, got %s", what, r.Got)
	}
	return out, nil
}

func errorName(code kerror.Code) string {
	if code == kerror.None {
		return "ok"
	}
	return code.String()
}

type printAction struct{ term engine.Term }

func parsePrint(a *args) (action, error) {
	words := a.words
	a.words = nil
	if len(words) == 0 {
		return nil, wrong("", "print needs a path, as orders/0.hw")
	}
	t, err := engine.ParseTerm(a.lexed)
	return printAction{t}, exprError(err)
}

// Printed is the result of print.
type Printed struct {
	Expr  string `json:"expr"`
	Value string `json:"value"`
}

func (p printAction) run(s *Session, text string) (Output, error) {
	r := Printed{p.term.String(), p.term.Eval(s.Cluster()).String()}
	return Output{Result: r, Text: []string{r.Expr + " = " + r.Value}}, nil
}

type sessionAction func(s *Session) error

func (f sessionAction) run(s *Session, text string) (Output, error) { return Output{}, f(s) }

func parseCheckpoint(a *args) (action, error) {
	name, err := a.word("a name")
	if err != nil {
		return nil, err
	}
	if _, err := strconv.Atoi(name); err == nil {
		return nil, wrong(name, "%s is a number: a checkpoint needs a name that rewind can tell from a number of steps", name)
	}
	return sessionAction(func(s *Session) error { s.checkpoints[name] = s.Mark(); return nil }), nil
}

func parseRewind(a *args) (action, error) {
	name, err := a.word("a checkpoint or a number of steps")
	if err != nil {
		return nil, err
	}
	if n, err := strconv.ParseInt(name, 10, 64); err == nil {
		if n < 1 {
			return nil, wrong(name, "rewind %s: a number of steps from 1 on is allowed", name)
		}
		return sessionAction(func(s *Session) error { return s.timeline().Back(n) }), nil
	}
	return sessionAction(func(s *Session) error {
		m, ok := s.checkpoints[name]
		if !ok {
			e := wrong(name, "there is no checkpoint %s", name)
			e.Nearest = config.Nearest(name, keys(s.checkpoints))
			return e
		}
		return s.Rewind(m)
	}), nil
}

func parseFork(a *args) (action, error) {
	name, err := a.word("a name")
	return sessionAction(func(s *Session) error { return s.fork(name) }), err
}

func parseSwitch(a *args) (action, error) {
	name, err := a.word("a name")
	return sessionAction(func(s *Session) error { return s.switchTo(name) }), err
}

// CheckExpr tells whether an expression can be read: a condition, or a value.
func CheckExpr(expr string) error {
	words, err := lex(expr)
	if err != nil {
		return wrong("", "%v", err)
	}
	if isCondition(words) {
		_, err = engine.ParseExpr(words)
	} else {
		_, err = engine.ParseTerm(words)
	}
	return exprError(err)
}

func isCondition(words engine.Words) bool {
	for _, w := range words {
		if !w.Quoted && strings.Contains(" == != <= >= < > contains ", " "+w.Text+" ") {
			return true
		}
	}
	return false
}
