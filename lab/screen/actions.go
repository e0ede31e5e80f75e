package screen

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"kafkalab/engine/console"
	"kafkalab/lab/panel"
	"kafkalab/lessons"
)

// action is a key of the live page: a command for the console, run at once, or
// typed as far as it is clear and left to the learner to finish.
type action struct {
	key, name string
	words     string // what it does, for the learner
	line      string
	whole     bool
	panels    bool // the key is one of the panel's, which does the same its own way
}

// actionWords are what the actions do, for the learner; others go by their
// name.
var actionWords = map[string]string{
	"acks":     "acks of the next produce",
	"compact":  "run the cleaner",
	"consume":  "read records",
	"crash":    "crash a machine",
	"kill":     "kill a process",
	"produce":  "produce a record",
	"restart":  "start a node again",
	"resume":   "let a node go on",
	"retain":   "run retention",
	"roll":     "close the active segment",
	"settle":   "let everything settle",
	"shutdown": "shut a node down",
	"stall":    "stall a node",
	"step":     "one event",
	"tick":     "let time pass",
	"truncate": "delete the oldest records",
}

// actionKeys are the keys of the actions that are given most: the same on every
// page, and the same that the panels have for them.
var actionKeys = map[string]string{
	"acks": "a", "compact": "C", "consume": "c", "crash": "X", "kill": "x", "produce": "p", "restart": "r", "resume": "u",
	"roll": "O", "shutdown": "S", "retain": "K", "stall": "s", "step": "n", "tick": "t", "truncate": "D",
}

// reservedKeys are the letters that the pages and the panels use, and those
// above: the other actions get none of them.
const reservedKeys = "bBwiPqRhjklfgGvnH" + "eFLNoTmMy" + "aCcDKOXxpruSst" + visitKey

// actionsOf are the keys that a live page offers, on what the panel has
// selected. An action whose command the engine does not have yet is left out.
//
// offered are the keys of the panel: an action whose key is among them is the
// panel's.
func actionsOf(names []string, at panel.Cursor, acks string, offered []key.Binding) []action {
	var list []action
	taken := reservedKeys
	for _, name := range names {
		a := action{name: name, words: actionWords[name]}
		if a.words == "" {
			a.words = name
		}
		if name != "acks" && !available(lessons.Actions[name]) {
			continue
		}
		if a.key = actionKeys[name]; a.key == "" {
			a.key = freeLetter(name, taken)
		}
		if a.key == "" || name == "acks" && bindingOf(offered, "a") == nil && bindingOf(offered, "p") != nil {
			continue // the panel's own produce asks for no acks
		}
		taken += a.key
		a.line, a.whole = commandFor(name, at, acks)
		if at.Picked && a.whole && strings.HasSuffix(a.line, " "+at.Node) {
			a.name += " " + at.Node // it says what it will hit
			a.words = a.name
		}
		if b := bindingOf(offered, a.key); b != nil {
			a.panels, a.whole, a.name = true, true, b.Help().Desc
			if a.name != name {
				a.words = a.name
			}
		}
		list = append(list, a)
	}
	return list
}

// bindingOf is the one that a key is of, nil if there is none.
func bindingOf(list []key.Binding, name string) *key.Binding {
	for i := range list {
		if slices.Contains(list[i].Keys(), name) {
			return &list[i]
		}
	}
	return nil
}

// freeLetter is the first letter of a name that no other key has.
func freeLetter(name, taken string) string {
	for _, letter := range name + strings.ToUpper(name) {
		if !strings.ContainsRune(taken, letter) {
			return string(letter)
		}
	}
	return ""
}

// available tells whether the console knows a command.
func available(usage string) bool {
	words := strings.Fields(usage)
	return slices.ContainsFunc(console.Commands(), func(c console.CommandHelp) bool {
		name := strings.Fields(c.Name)
		return c.Available && len(words) >= len(name) && slices.Equal(words[:len(name)], name)
	})
}

// commandFor is the line of an action; whole is false for one that the learner
// has to finish.
func commandFor(name string, at panel.Cursor, acks string) (line string, whole bool) {
	partition := ""
	if at.Replica.Topic != "" {
		partition = partitionName(at.Replica)
	}
	switch {
	case name == "produce" && partition != "":
		line = "produce " + partition + " value=hello"
		if acks != "" {
			line += " acks=" + acks
		}
		return line, true
	case name == "consume" && partition != "":
		return "consume " + partition + " from=", false
	}
	node := ""
	if at.Picked {
		node = at.Node
	}
	usage, _, _ := strings.Cut(lessons.Actions[name], ",")
	line, whole = fillUsage(usage, map[string]string{"T/P": partition, "T": at.Replica.Topic, "NODE": node})
	if whole && slices.Contains(wanting, name) {
		return line + " ", false
	}
	return line, whole
}

// wanting are the actions whose usage names only the beginning: what is to
// become of the topic, or of the partition, is for the learner to say.
var wanting = []string{"alter", "config", "reassign", "seek"}

// fillUsage puts what is selected in the place of what a usage names, up to the
// first thing that is not.
func fillUsage(usage string, known map[string]string) (line string, whole bool) {
	for _, word := range strings.Fields(usage) {
		name, _, assigned := strings.Cut(word, "=")
		switch {
		case known[word] != "":
			word = known[word]
		case assigned:
			return line + name + "=", false
		case word != strings.ToLower(word) || strings.Contains(word, "|"):
			return line, false
		}
		line += word + " "
	}
	return strings.TrimSpace(line), true
}
