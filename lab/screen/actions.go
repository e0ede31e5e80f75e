package screen

import (
	"slices"
	"strings"

	"kafkalab/engine/console"
	"kafkalab/lab/kit/keys"
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

// reservedKeys are the letters that the pages and the panels use.
const reservedKeys = "bBwiPqRhjklevoTgG"

// actionsOf are the keys that a live page offers, on what the panel has
// selected. An action whose command the engine does not have yet is left out.
func actionsOf(names []string, at panel.Cursor, acks string) []action {
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
		a.key = freeLetter(name, taken)
		if a.key == "" {
			continue
		}
		taken += a.key
		a.line, a.whole = commandFor(name, at, acks)
		list = append(list, a)
	}
	return list
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
	usage, _, _ := strings.Cut(lessons.Actions[name], ",")
	return fillUsage(usage, map[string]string{"T/P": partition, "T": at.Replica.Topic, "NODE": at.Node})
}

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

// actionCommands lists the actions of the live page.
func (p *livePage) actionCommands(cs *Commands) {
	for _, a := range p.actions() {
		*cs = append(*cs, Command{Binding: keys.Bind(a.key, a.label(a.name)), Group: groupLearn, Do: plain(func() []Action { return p.doAction(a) })})
	}
}

// label is what an action is called; an ellipsis tells that there is more to
// type.
func (a action) label(called string) string {
	if a.whole || a.line == "" {
		return called
	}
	return called + " …"
}

func (p *livePage) actions() []action {
	st := p.walk.stage
	main := st.lenses[st.at]
	list := actionsOf(p.flow.lesson.Live.Actions, main.Cursor(st.modelFor(main)), p.acks)
	for i := range list {
		if list[i].name == "acks" {
			list[i].line, list[i].name = "", "acks: "+p.acksWord()
			list[i].words += ": " + p.acksWord()
		}
	}
	return list
}

func (p *livePage) acksWord() string {
	if p.acks == "" {
		return "all"
	}
	return p.acks
}

// doAction runs an action, or opens the console with its beginning.
func (p *livePage) doAction(a action) []Action {
	switch {
	case a.line == "":
		p.acks = map[string]string{"": "1", "1": "0", "0": ""}[p.acks]
		return nil
	case a.whole:
		return p.walk.shell.Run(a.line)
	}
	p.walk.shell.text.Set(a.line)
	return act(Show{p.walk.shell})
}
