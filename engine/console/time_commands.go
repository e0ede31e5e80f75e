package console

import (
	"fmt"
	"math"
	"strconv"

	"kafkalab/engine"
)

var timeCommands = []command{
	{"tick", "tick D", "lets virtual time pass", parseTick},
	{"settle", "settle [max=D]", "runs until nothing is due but periodic timers", parseSettle},
	{"until", "until EXPR [max=D]", "runs to the first event after which the expression holds", parseUntil},
	{"step", "step [N]", "runs N steps", parseStep},
}

// defaultMaxMs is how long until and settle run at most if nothing is said.
const defaultMaxMs = 600_000

func parseTick(a *args) (action, error) {
	w, err := a.word("a duration, as 61s")
	if err != nil {
		return nil, err
	}
	ms, err := duration(w)
	return engineAction{engine.Tick{Ms: ms}, formatMoved}, err
}

func parseSettle(a *args) (action, error) {
	ms, err := a.duration("max", defaultMaxMs)
	return engineAction{engine.Settle{MaxMs: ms}, formatMoved}, err
}

func parseStep(a *args) (action, error) {
	n := int64(1)
	if len(a.words) > 0 {
		w, _ := a.word("")
		var err error
		if n, err = strconv.ParseInt(w, 10, 64); err != nil || n < 1 {
			return nil, wrong(w, "step %s: %s", w, rangeText(1, math.MaxInt64))
		}
	}
	return engineAction{engine.Steps{N: n}, formatMoved}, nil
}

func formatMoved(r engine.Result) []string {
	m, ok := r.(engine.Moved)
	if !ok {
		return nil
	}
	return []string{fmt.Sprintf("t=%d.%03ds", m.TimeMs/1000, m.TimeMs%1000)}
}

// untilAction is an engine command that can fail as an expectation does.
type untilAction struct {
	expr  engine.Expr
	maxMs int64
}

func parseUntil(a *args) (action, error) {
	act := untilAction{maxMs: defaultMaxMs}
	words := a.lexed
	if n := len(words); n > 0 {
		if sub := newArgs("until", a.words[n-1:]); len(sub.keys) == 1 && sub.keys[0].key == "max" {
			ms, err := duration(sub.keys[0].value)
			if err != nil {
				return nil, err
			}
			act.maxMs, words = ms, words[:n-1]
		}
	}
	a.words = nil
	var err error
	act.expr, err = parseExpr(words)
	return act, err
}

func (u untilAction) run(s *Session, text string) (Output, error) {
	out, err := engineAction{engine.Until{Expr: u.expr, MaxMs: u.maxMs}, formatMoved}.run(s, text)
	if m, ok := out.Result.(engine.Moved); ok && !m.Held {
		out.Failed = fmt.Sprintf("expected %s, got %s after %d ms", u.expr, m.Got, u.maxMs)
	}
	return out, err
}
