package console

import (
	"slices"
	"strings"

	"kafkalab/engine/config"
)

// command is one row of the language.
type command struct {
	name  string // one or two words
	usage string
	help  string
	parse func(*args) (action, error) // nil: not available yet
}

// action is a parsed line, ready to run any number of times.
type action interface {
	run(s *Session, text string) (Output, error)
}

// commands is the whole language, in the order in which it is explained.
var commands = slices.Concat(topicCommands, dataCommands, choreCommands, timeCommands, nodeCommands, remoteCommands, lookCommands, storyCommands, laterCommands)

// CommandHelp is a command as help shows it.
type CommandHelp struct {
	Name, Usage, Help string
	Available         bool
}

// Commands lists the language.
func Commands() []CommandHelp {
	var out []CommandHelp
	for _, c := range commands {
		out = append(out, CommandHelp{c.name, c.usage, c.help, c.parse != nil})
	}
	return out
}

// parseLine reads one line; an empty one or a comment gives no action.
func parseLine(line string) (action, error) {
	line = strings.TrimPrefix(line, "\ufeff") // which some editors put before a file
	if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "note"); ok && (rest == "" || rest[0] == ' ' || rest[0] == '\t') {
		return sessionAction(func(*Session) error { return nil }), nil // any text: quotes in it are its own
	}
	if act, ok, err := parseArrival(line); ok {
		return act, err
	}
	lexed, err := lex(line)
	if err != nil {
		return nil, wrong("", "%v", err)
	}
	var words []string
	for _, w := range lexed {
		words = append(words, w.Text)
	}
	if len(words) == 0 {
		return nil, nil
	}
	c, rest, err := findCommand(words)
	if err != nil {
		return nil, err
	}
	if c.parse == nil {
		return nil, notYet(c.name)
	}
	a := newArgs(c.name, rest)
	if c.name == "expect" || c.name == "until" || c.name == "print" {
		// An expression has = signs and quotes of its own.
		a = &args{verb: c.name, words: rest, lexed: lexed[len(lexed)-len(rest):]}
	}
	act, err := c.parse(a)
	if err != nil {
		return nil, err
	}
	return act, a.done()
}

func findCommand(words []string) (*command, []string, error) {
	first := strings.TrimSuffix(words[0], ".sh")
	var seconds []string
	for i := range commands {
		c := &commands[i]
		verb, sub, two := strings.Cut(c.name, " ")
		if verb != first {
			continue
		}
		if !two {
			return c, words[1:], nil
		}
		if len(words) > 1 && words[1] == sub {
			return c, words[2:], nil
		}
		seconds = append(seconds, sub)
	}
	if seconds != nil {
		e := wrong("", "%s needs one of: %s", first, strings.Join(seconds, ", "))
		if len(words) > 1 {
			e = wrong(words[1], "%s %s is no command: %s can be followed by %s", first, words[1], first, strings.Join(seconds, ", "))
			e.Nearest = config.Nearest(words[1], seconds)
		}
		return nil, nil, e
	}
	e := wrong(words[0], "%s is no command", words[0])
	e.Nearest = config.Nearest(first, verbs())
	return nil, nil, e
}

func verbs() []string {
	var out []string
	for _, c := range commands {
		verb, _, _ := strings.Cut(c.name, " ")
		if !slices.Contains(out, verb) {
			out = append(out, verb)
		}
	}
	return out
}

// laterCommands are those whose part of the engine is not there yet.
var laterCommands = notAvailable(
	"consumer", "poll", "commit", "seek", "pause", "close", "unsubscribe",
	"txn begin", "txn commit", "txn abort", "txn offsets", "txn init",
	"reassign", "schema register", "schema compat", "schema check", "alert add", "alert list",
	"kafka-topics", "kafka-configs", "kafka-consumer-groups", "kafka-console-producer", "kafka-console-consumer",
	"kafka-get-offsets", "kafka-dump-log", "kafka-log-dirs", "kafka-leader-election", "kafka-reassign-partitions",
	"kafka-delete-records", "kafka-metadata-quorum", "kafka-transactions", "kafka-groups", "kafka-producer-perf-test",
	"kafka-consumer-perf-test", "kafka-cluster", "kafka-features", "kafka-broker-api-versions",
)

func notAvailable(names ...string) []command {
	var out []command
	for _, n := range names {
		out = append(out, command{name: n, usage: n, help: "not available yet"})
	}
	return out
}
