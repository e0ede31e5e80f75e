package console

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"kafkalab/engine"
	"kafkalab/engine/client"
	"kafkalab/engine/config"
)

// args are the words of a line after its verb: plain words, and key=value.
// Parsers take what they know; what is left over is unknown.
type args struct {
	verb  string
	words []string
	lexed engine.Words // the same, of an expression, with their quotes
	keys  []pair
	known []string // keys that the verb has asked about, for suggestions
}

type pair struct{ key, value string }

// isKey is the left side of key=value; anything else with an = is a word.
var isKey = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]*$`)

func newArgs(verb string, words []string) *args {
	a := &args{verb: verb}
	for _, w := range words {
		if key, value, ok := strings.Cut(w, "="); ok && isKey.MatchString(key) {
			a.keys = append(a.keys, pair{key, value})
			continue
		}
		a.words = append(a.words, w)
	}
	return a
}

// word takes the next plain word; what says what it should be.
func (a *args) word(what string) (string, error) {
	if len(a.words) == 0 {
		return "", wrong("", "%s needs %s", a.verb, what)
	}
	w := a.words[0]
	a.words = a.words[1:]
	return w, nil
}

// flag takes a plain word that stands for itself, as tombstone, or its
// key=true|false form.
func (a *args) flag(name string) (bool, error) {
	if at := slices.Index(a.words, name); at >= 0 {
		a.words = slices.Delete(a.words, at, at+1)
		return true, nil
	}
	return a.bool(name, false)
}

// take takes the value of a key, ok is false if it is not given. A key given
// twice is an error of take's callers: done finds the second one.
func (a *args) take(key string) (value string, ok bool) {
	a.known = append(a.known, key)
	at := slices.IndexFunc(a.keys, func(p pair) bool { return p.key == key })
	if at < 0 {
		return "", false
	}
	value = a.keys[at].value
	a.keys = slices.Delete(a.keys, at, at+1)
	return value, true
}

// peek is take, but leaves the key where it is.
func (a *args) peek(key string) (value string, ok bool) {
	for _, p := range a.keys {
		if p.key == key {
			return p.value, true
		}
	}
	return "", false
}

func (a *args) bool(key string, def bool) (bool, error) {
	s, ok := a.take(key)
	if !ok {
		return def, nil
	}
	switch s {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, wrong(s, "%s=%s: true or false is allowed", key, s)
}

func (a *args) int(key string, def, low, high int64) (int64, error) {
	s, ok := a.take(key)
	if !ok {
		return def, nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < low || n > high {
		return 0, wrong(s, "%s=%s: %s", key, s, rangeText(low, high))
	}
	return n, nil
}

func rangeText(low, high int64) string {
	if high == math.MaxInt64 {
		return fmt.Sprintf("a whole number from %d on is allowed", low)
	}
	return fmt.Sprintf("a whole number from %d to %d is allowed", low, high)
}

func (a *args) size(key string, def, high int64) (int64, error) {
	s, ok := a.take(key)
	if !ok {
		return def, nil
	}
	n, err := config.ParseSize(s)
	if err != nil || n < 0 || n > high {
		return 0, wrong(s, "%s=%s: a size from 0 to %d is allowed, in B, KiB, MiB or GiB", key, s, high)
	}
	return n, nil
}

// maxDurationMs bounds what a script waits for at once: more is a typing error.
const (
	msPerDay      = 24 * 3600 * 1000
	maxDurationMs = 36_500 * msPerDay
)

// duration reads a duration given as a word.
func duration(s string) (int64, error) {
	ms, err := config.ParseDuration(s)
	if err != nil || ms < 0 {
		return 0, wrong(s, "%s is no duration: a number with ms, s, m, h or d is, as 61s", s)
	}
	if ms > maxDurationMs {
		return 0, wrong(s, "%s is too long: at most %dd, which is a hundred years", s, maxDurationMs/msPerDay)
	}
	return ms, nil
}

func (a *args) duration(key string, def int64) (int64, error) {
	s, ok := a.take(key)
	if !ok {
		return def, nil
	}
	return duration(s)
}

// configs takes all keys that are left as configs of a scope, in order.
func (a *args) configs(scope config.Scope) ([]client.Setting, error) {
	var out []client.Setting
	for _, p := range a.keys {
		key, ok := config.Lookup(scope, p.key)
		if slices.Contains(a.known, p.key) {
			return nil, wrong(p.key, "%s is given twice", p.key)
		}
		if !ok {
			return nil, a.unknownKey(p.key, scope)
		}
		if slices.ContainsFunc(out, func(s client.Setting) bool { return s.Name == p.key }) {
			return nil, wrong(p.key, "%s is given twice", p.key)
		}
		value, err := config.Normalize(key, p.value)
		if err != nil {
			return nil, wrong(p.value, "%s=%s: %v", p.key, p.value, err)
		}
		out = append(out, client.Setting{Name: p.key, Value: value})
	}
	a.keys = nil
	return out, nil
}

// unknownKey says of a key that neither the verb nor its configs know what may
// have been meant.
func (a *args) unknownKey(key string, scope config.Scope) *SyntaxError {
	for _, other := range config.Scopes(key) {
		if other != scope {
			return wrong(key, "%s is a %s config; %s takes %s configs", key, other, a.verb, scope)
		}
	}
	e := wrong(key, "%s has no key %s, and it is no %s config", a.verb, key, scope)
	e.Nearest = config.Nearest(key, append(slices.Clone(a.known), config.Names(scope)...))
	return e
}

// done says what is left over.
func (a *args) done() error {
	if len(a.keys) > 0 {
		key := a.keys[0].key
		if slices.Contains(a.known, key) {
			return wrong(key, "%s is given twice", key)
		}
		e := wrong(key, "%s has no key %s", a.verb, key)
		if len(a.known) > 0 {
			e.Message += "; it has " + strings.Join(a.known, " ")
			e.Nearest = config.Nearest(key, a.known)
		}
		return e
	}
	if len(a.words) > 0 {
		return wrong(a.words[0], "%s: %s is one word too many", a.verb, a.words[0])
	}
	return nil
}

var (
	topicWord     = regexp.MustCompile(`^([^/@]*)(?:/(\d{1,9}))?$`)
	partitionWord = regexp.MustCompile(`^([^/@]+)/(\d{1,9})$`)
	replicaWord   = regexp.MustCompile(`^([^/@]+)/(\d{1,9})@(\d{1,9})$`)
	brokerWord    = regexp.MustCompile(`^broker-(\d{1,9})$`)
)

// topicPart reads T or T/P; the partition is -1 for T alone.
func topicPart(w string) (topic string, partition int32, err error) {
	m := topicWord.FindStringSubmatch(w)
	if m == nil {
		return "", 0, wrong(w, "%s is no topic or partition: orders or orders/0 are such", w)
	}
	if m[2] == "" {
		return m[1], -1, nil
	}
	return m[1], number(m[2]), nil
}

func partition(w string) (topic string, n int32, err error) {
	m := partitionWord.FindStringSubmatch(w)
	if m == nil {
		return "", 0, wrong(w, "%s is no partition: orders/0 is one", w)
	}
	return m[1], number(m[2]), nil
}

func replica(w string) (topic string, n, broker int32, err error) {
	m := replicaWord.FindStringSubmatch(w)
	if m == nil {
		return "", 0, 0, wrong(w, "%s is no replica: orders/0@1 is one", w)
	}
	return m[1], number(m[2]), number(m[3]), nil
}

// number reads digits that a pattern has found to be nine at most.
func number(digits string) int32 {
	n, _ := strconv.ParseInt(digits, 10, 32)
	return int32(n)
}
