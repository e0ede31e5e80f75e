package engine

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"kafkalab/engine/config"
	"kafkalab/engine/trace"
)

// Path names one thing of a cluster: orders/0.hw, orders/0@1.seek(1085).entry,
// last.error. It is parsed once and can be evaluated at any moment.
type Path struct {
	text      string
	root      string // topic, partition, replica, producer, node, last, event, time
	name      string // topic, producer, node, or kind of event
	partition int32
	broker    int32
	attr      string
	arg       string // in the parentheses after attr
	sub       string // after seek(…)
}

// PathError is a path that cannot be read, with the nearest that can.
type PathError struct {
	Path    string
	Why     string
	Nearest string
}

func (e *PathError) Error() string {
	s := e.Path + ": " + e.Why
	if e.Nearest != "" {
		s += fmt.Sprintf("; did you mean %s?", e.Nearest)
	}
	return s
}

func (p Path) String() string { return p.text }

// attributes of each root; what takes an argument ends in a parenthesis.
var attributes = map[string][]string{
	"topic":     {"partitions", "id", "config("},
	"partition": {"leader", "epoch", "replicas", "isr", "hw", "leo", "lso", "start"},
	"replica":   {"leo", "hw", "start", "segments", "segments(", "bytes", "state", "index_entries(", "index(", "time_index(", "seek(", "first_dirty", "dirty_ratio", "pass(", "files("},
	"producer":  {"in_flight", "acked", "failed", "last_error", "latency", "id", "epoch", "sequence(", "state"},
	"node":      {"state"},
	"last":      {"error", "reason", "offset", "count", "values", "keys", "offsets", "records", "latency", "dropped"},
}

// later are paths of the language whose part of the engine is not there yet.
var later = map[string][]string{
	"partition": {"elr", "open_txns", "aborted"},
}

var laterRoots = []string{"group:", "consumer:", "txn:", "quorum.", "metric:"}

var seekParts = []string{"segment", "entry", "position", "scanned", "base"}

var (
	partitionPath = regexp.MustCompile(`^([^/@:]+)/(\d+)(?:@(\d+))?\.(.+)$`)
	topicPath     = regexp.MustCompile(`^([^/@:]+)\.([a-z_]+(?:\([^)]*\))?)$`)
	attribute     = regexp.MustCompile(`^([a-z_]+)(?:\(([^)]*)\))?(?:\.([a-z_]+))?$`)
)

// ParsePath reads a path; an unknown one is a *PathError.
func ParsePath(text string) (Path, error) {
	if !utf8.ValidString(text) {
		return Path{}, &PathError{Path: strconv.Quote(text), Why: "is not UTF-8"}
	}
	if text == "time" {
		return Path{text: text, root: "time"}, nil
	}
	for _, root := range laterRoots {
		if strings.HasPrefix(text, root) {
			return Path{}, &PathError{Path: text, Why: "not available yet"}
		}
	}
	p := Path{text: text}
	rest := ""
	switch {
	case strings.HasPrefix(text, "last."):
		p.root, rest = "last", text[len("last."):]
	case strings.HasPrefix(text, "event."):
		return parseEventPath(p, text[len("event."):])
	case strings.HasPrefix(text, "producer:"), strings.HasPrefix(text, "node:"):
		var tail string
		p.root, tail, _ = strings.Cut(text, ":")
		p.name, rest, _ = strings.Cut(tail, ".")
	default:
		var err error
		if rest, err = p.parseTopic(text); err != nil {
			return Path{}, err
		}
	}
	return p, p.parseAttribute(rest)
}

func (p *Path) parseTopic(text string) (rest string, err error) {
	if m := partitionPath.FindStringSubmatch(text); m != nil {
		p.root, p.name = "partition", m[1]
		n, err := strconv.ParseInt(m[2], 10, 32)
		if err != nil {
			return "", &PathError{Path: text, Why: "partition " + m[2] + " is out of range"}
		}
		p.partition = int32(n)
		if m[3] != "" {
			id, err := strconv.ParseInt(m[3], 10, 32)
			if err != nil {
				return "", &PathError{Path: text, Why: "broker " + m[3] + " is out of range"}
			}
			p.root, p.broker = "replica", int32(id)
		}
		return m[4], nil
	}
	if m := topicPath.FindStringSubmatch(text); m != nil {
		p.root, p.name = "topic", m[1]
		return m[2], nil
	}
	// config(NAME) has dots of its own.
	if topic, arg, ok := strings.Cut(text, ".config("); ok && strings.HasSuffix(arg, ")") && !strings.ContainsAny(topic, "/@:") {
		p.root, p.name = "topic", topic
		return "config(" + arg, nil
	}
	return "", &PathError{Path: text, Why: "is no path: T.partitions, T/P.hw, T/P@B.leo, last.error, producer:app.acked, event.KIND.FIELD or time are such"}
}

func (p *Path) parseAttribute(rest string) error {
	m := attribute.FindStringSubmatch(rest)
	if name, ok := strings.CutPrefix(rest, "config("); ok {
		m = []string{rest, "config", strings.TrimSuffix(name, ")"), ""}
	}
	if m == nil {
		return p.unknown(rest)
	}
	p.attr, p.arg, p.sub = m[1], m[2], m[3]
	form := p.attr
	if strings.Contains(rest, "(") {
		form += "("
	}
	if slices.Contains(later[p.root], form) {
		return &PathError{Path: p.text, Why: "not available yet"}
	}
	if !slices.Contains(attributes[p.root], form) {
		return p.unknown(form)
	}
	return p.checkArgument(form)
}

func (p *Path) checkArgument(form string) error {
	switch form {
	case "seek(":
		if !slices.Contains(seekParts, p.sub) {
			return &PathError{Path: p.text, Why: "seek(OFFSET) has .segment .entry .position .scanned .base", Nearest: config.Nearest(p.sub, seekParts)}
		}
	case "segments(":
		if p.arg != "list" {
			return &PathError{Path: p.text, Why: "segments counts, segments(list) lists the base offsets", Nearest: "segments(list)"}
		}
	case "pass(":
		return p.checkPass()
	case "config(":
		if _, ok := config.Lookup(config.Topic, p.arg); !ok {
			return &PathError{Path: p.text, Why: p.arg + " is no topic config", Nearest: config.Nearest(p.arg, config.Names(config.Topic))}
		}
		return nil
	}
	if form != "seek(" && p.sub != "" {
		return &PathError{Path: p.text, Why: "nothing can follow ." + strings.TrimSuffix(form, "(")}
	}
	if form == "seek(" || strings.HasSuffix(form, "index(") || form == "index_entries(" {
		if _, err := strconv.ParseInt(p.arg, 10, 64); err != nil {
			return &PathError{Path: p.text, Why: fmt.Sprintf("%q in the parentheses: an offset is a whole number", p.arg)}
		}
	}
	return nil
}

func (p *Path) unknown(word string) error {
	var names []string
	for _, a := range append(slices.Clone(attributes[p.root]), later[p.root]...) {
		names = append(names, strings.TrimSuffix(a, "("))
	}
	return &PathError{
		Path: p.text, Why: fmt.Sprintf("a %s has no %q; it has %s", p.root, strings.TrimSuffix(word, "("), strings.Join(slices.Compact(names), " ")),
		Nearest: config.Nearest(strings.TrimSuffix(word, "("), names),
	}
}

// eventFields are those that every event has.
var eventFields = []string{"id", "cause", "time_ms", "node"}

func parseEventPath(p Path, rest string) (Path, error) {
	p.root = "event"
	var ok bool
	if p.name, p.attr, ok = strings.Cut(rest, "."); !ok {
		return Path{}, &PathError{Path: p.text, Why: "event.KIND.FIELD needs a field"}
	}
	fields, known := trace.Fields(p.name)
	if !known {
		return Path{}, &PathError{Path: p.text, Why: p.name + " is no kind of event", Nearest: config.Nearest(p.name, trace.Kinds())}
	}
	fields = append(slices.Clone(eventFields), fields...)
	if !slices.Contains(fields, p.attr) {
		return Path{}, &PathError{Path: p.text, Why: fmt.Sprintf("%s has no field %q; it has %s", p.name, p.attr, strings.Join(fields, " ")), Nearest: config.Nearest(p.attr, fields)}
	}
	return p, nil
}
