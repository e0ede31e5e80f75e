package screen

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"kafkalab/engine/console"
	"kafkalab/lab/kit/canvas"
	"kafkalab/lab/kit/cell"
	"kafkalab/lab/kit/keys"
	"kafkalab/lab/kit/theme"
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
	"roll": "O", "shutdown": "S", "stall": "s", "step": "n", "tick": "t", "truncate": "D",
}

// reservedKeys are the letters that the pages and the panels use, and those
// above: the other actions get none of them.
const reservedKeys = "bBwiPqRhjklfgGvnH" + "eFLNoTmMy" + "aCcDOXxpruSst"

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

// deck is the actions that a page offers: keys for the commands that are given
// most, on what the panel has selected.
type deck struct {
	names []string // of lessons.Actions
	acks  string   // of the next produce; empty for all
	stage *stage
	shell *Console
	rows  []int // of the terminal, where the actions were drawn last
}

// perform does what the panel asks for.
func (d *deck) perform(a panel.Action) []Action {
	if run, ok := a.(panel.Run); ok {
		return d.shell.Run(run.Line)
	}
	return nil
}

// click does the action of a row of the terminal.
func (d *deck) click(y int) []Action {
	for i, a := range d.actions() {
		if i < len(d.rows) && d.rows[i] == y {
			return d.do(a)
		}
	}
	return nil
}

// commands lists the keys of the actions.
func (d *deck) commands(cs *Commands) {
	for _, a := range d.actions() {
		if a.panels {
			continue // the panel lists it
		}
		*cs = append(*cs, Command{Binding: keys.Bind(a.key, a.label(a.name)), Group: groupLearn, Do: plain(func() []Action { return d.do(a) })})
	}
}

// quiet lists them in the sheet of keys alone: where the page lists them in
// full.
func (d *deck) quiet(cs *Commands) {
	from := len(*cs)
	d.commands(cs)
	for i := from; i < len(*cs); i++ {
		(*cs)[i].Shown = inSheet
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

func (d *deck) actions() []action {
	main := d.stage.lenses[d.stage.at]
	list := actionsOf(d.names, main.Cursor(d.stage.modelFor(main)), d.acks, d.stage.panelKeys())
	for i := range list {
		if list[i].name == "acks" && !list[i].panels {
			list[i].line, list[i].name = "", "acks: "+d.acksWord()
			list[i].words += ": " + d.acksWord()
		}
	}
	return list
}

func (d *deck) acksWord() string {
	if d.acks == "" {
		return "all"
	}
	return d.acks
}

// do runs an action, or opens the console with its beginning.
func (d *deck) do(a action) []Action {
	switch {
	case a.panels:
		acts, _ := d.stage.key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(a.key)}, d.perform)
		return acts
	case a.line == "":
		d.acks = map[string]string{"": "1", "1": "0", "0": ""}[d.acks]
		return nil
	case a.whole:
		return d.shell.Run(a.line)
	}
	d.shell.text.Set(a.line)
	return act(Show{d.shell})
}

// say lists the actions in full: where the learner acts, they are what is
// needed. Compact, or in a narrow terminal, they stand side by side.
func (d *deck) say(c *column, width int, compact bool) {
	if len(c.lines) > 0 {
		c.say(nil)
	}
	d.rows = nil
	if compact || width >= flowWidth {
		c.say(d.flow(width)...)
		return
	}
	c.say(canvas.T("you can", theme.Label))
	list := d.actions()
	d.rows = make([]int, len(list))
	for i, a := range list {
		line := canvas.T(" "+a.key+"  ", theme.Key).Add(cell.Truncate(a.label(a.words), width-4), theme.Text)
		c.over(func(r canvas.Region, y int) {
			_, d.rows[i] = r.Screen(0, y)
			r.PutLine(0, y, line)
		})
	}
	c.say(canvas.T(" :  ", theme.Key).Add("type any command", theme.Text))
}

// flowWidth is the width from which the actions stand side by side: in a narrow
// terminal, where the panel stands below them.
const flowWidth = 60

// flow are the actions side by side, in as many rows as they need.
func (d *deck) flow(width int) []canvas.Line {
	const lead = "you can  "
	line := canvas.T(lead, theme.Label)
	var lines []canvas.Line
	add := func(key, words string) {
		if line.Width()+cell.Width(key)+1+cell.Width(words) > width {
			lines, line = append(lines, line), canvas.T(cell.Spaces(len(lead)), theme.Text)
		}
		line = line.Add(key, theme.Key).Add(" "+words+"   ", theme.Text)
	}
	for _, a := range d.actions() {
		add(a.key, a.label(a.name))
	}
	add(":", "any command")
	return append(lines, line)
}
